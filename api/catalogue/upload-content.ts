import type Router from '@koa/router'
import { Document } from '../../db/catalogue/document.ts'
import { Upload } from '../../db/catalogue/upload.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { idPattern } from '../../domain/id.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Services } from '../http/services.ts'
import { isLinkValid } from './document-link.ts'
import { answerWithUpload } from './file-answer.ts'

const isUploadId = new RegExp(idPattern('upl'))
const isDocumentId = new RegExp(idPattern('doc'))

/**
 * Serves uploads that are shown publicly, such as product images, to anybody who knows their address. Every other
 * upload is answered like one that does not exist: it may become a private document.
 */
export function addUploads(router: Router, { database }: Services): void {
  router.get('/uploads/:upload_id', async (ctx) => {
    const em = database.orm.em.fork()
    const id = String(ctx['params'].upload_id)
    const upload = isUploadId.test(id) ? await readRow(em, Upload, { id, visibility: 'public' }) : null
    if (!upload) throw new Refusal('NOT_FOUND', 'no such upload')
    ctx.etag = upload.sha256
    ctx.status = 200 // only then does `fresh` compare
    if (ctx.fresh) ctx.status = 304
    else answerWithUpload(ctx, em, upload)
    ctx.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Cross-Origin-Resource-Policy': 'cross-origin', // merchants show their images on their own pages
    })
  })
}

/**
 * Serves private documents to whoever holds a link that has not expired. Any other call is answered like one for a
 * document that does not exist. No cache may keep the answer, and no page of another site may show it.
 */
export function addDocuments(router: Router, services: Services): void {
  router.get('/documents/:document_id', async (ctx) => {
    const documentId = String(ctx['params'].document_id)
    const [expires, signature] = [ctx.query['expires'], ctx.query['signature']]
    const isSigned = typeof expires === 'string' && typeof signature === 'string' && isDocumentId.test(documentId)
    const isOpen = isSigned && isLinkValid(services, { documentId, expires, signature }, await services.clock.now())
    const em = services.database.orm.em.fork()
    const document = isOpen ? await readRow(em, Document, { id: documentId }) : null
    const upload = document && (await readRow(em, Upload, { id: document.uploadId, visibility: 'private' }))
    if (!upload) throw new Refusal('NOT_FOUND', 'no such document, or its link has expired')
    answerWithUpload(ctx, em, upload)
    ctx.set({ 'Cache-Control': 'private, no-store', 'Cross-Origin-Resource-Policy': 'same-origin' })
  })
}
