import { Readable } from 'node:stream'
import type Router from '@koa/router'
import { readRow } from '../../db/core/prepared-statement.ts'
import { readContent, Upload } from '../../db/catalogue/upload.ts'
import { idPattern } from '../../domain/id.ts'
import { Refusal } from '../../domain/refusal.ts'
import { isImage } from '../../domain/catalogue/upload.ts'
import type { Services } from '../http/services.ts'

const isId = new RegExp(idPattern('upl'))

/**
 * Serves uploads to anybody who knows their address, as product images are public. The headers make a browser use the
 * content type that we detected, and run no script in the file.
 */
export function addUploads(router: Router, { database }: Services): void {
  router.get('/uploads/:upload_id', async (ctx) => {
    const em = database.orm.em.fork()
    const id = String(ctx['params'].upload_id)
    const upload = isId.test(id) ? await readRow(em, Upload, { id }) : null
    if (!upload) throw new Refusal('NOT_FOUND', 'no such upload')
    ctx.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Disposition': disposition(upload),
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'cross-origin', // merchants show their images on their own pages
      'X-Content-Type-Options': 'nosniff',
    })
    ctx.etag = upload.sha256
    ctx.status = 200
    if (ctx.fresh) {
      ctx.status = 304
      return
    }
    ctx.type = upload.contentType
    ctx.body = Readable.from(readContent(em, upload), { objectMode: false })
    ctx.length = upload.size
  })
}

/** A browser shows an image inline, and saves a document under its own name. */
function disposition({ contentType, fileName }: Readonly<Upload>): string {
  const encoded = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${isImage(contentType) ? 'inline' : 'attachment'}; filename*=UTF-8''${encoded}`
}
