import { defineEntity, p } from '@mikro-orm/core'
import { type DocumentSubject, documentSubjects } from '../../domain/catalogue/document.ts'
import { newId } from '../../domain/id.ts'
import { moment, type Tenant, tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import { changeAttachments, type Upload } from './upload.ts'

const schema = defineEntity({
  name: 'Document',
  tableName: 'documents',
  properties: {
    id: p.string().primary(),
    ...tenant,
    subject: p.enum(documentSubjects),
    subjectId: p.string(),
    // What it is for: a document slot of an account, or the purpose of a dispute's document.
    slot: p.string().length(64),
    uploadId: p.string(),
    fileName: p.string().length(255),
    createdAt: moment(),
  },
  indexes: [
    { name: 'documents_of_subject', properties: ['subjectId', 'createdAt', 'id'] },
    { name: 'documents_by_upload', properties: ['uploadId'] },
  ],
})
/** A private file about an account, a person or a dispute. Its bytes are the upload's, which is then never public. */
export class Document extends schema.class {}
schema.setClass(Document)

/** What a new document is of; `subjectId` belongs to the same owner. */
export type DocumentOf = { subject: DocumentSubject; subjectId: string; slot: string; uploadId: string }

/**
 * Makes an upload of this owner a private document. Returns null where the owner has no such upload, or where it is
 * shown publicly already. `isFit` may refuse the upload by throwing.
 */
export async function addDocument(
  em: EntityManager,
  owner: Tenant,
  of: DocumentOf,
  at: number,
  isFit: (upload: Upload) => void = () => undefined,
): Promise<Document | null> {
  const attached = { before: [], after: [of.uploadId], visibility: 'private' } as const
  const upload = (await changeAttachments(em, owner, attached, at)).get(of.uploadId)
  if (!upload) return null
  isFit(upload)
  const { accountId, environment } = owner
  const { fileName } = upload
  return em.create(Document, { ...of, accountId, environment, fileName, id: newId('doc', at), createdAt: new Date(at) })
}

/** Takes a document away. Its upload is deleted a day of the real time after `at`, where nothing else uses it. */
export async function removeDocument(em: EntityManager, document: Document, at: number): Promise<void> {
  await changeAttachments(em, document, { before: [document.uploadId], after: [], visibility: 'private' }, at)
  em.remove(document)
}
