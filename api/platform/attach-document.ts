import { addDocument, type Document, type DocumentOf, removeDocument } from '../../db/catalogue/document.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { type AccountFile, newestOf } from '../../db/platform/account-file.ts'
import { accountDocumentsMax } from '../../domain/catalogue/document.ts'
import { invalid } from '../../domain/refusal.ts'
import type { Caller } from '../http/operation.ts'
import type { Services } from '../http/services.ts'

/** `field` is the one of the body that names the upload. */
type Attaching = { file: AccountFile; caller: Caller; of: DocumentOf; field: string; services: Services }

/**
 * Makes an upload a private document of an account or a person, whose file the transaction has locked. The upload
 * belongs to the account, or to the caller who sends it for the account. The document is the newest of its slot, also
 * where a test clock stands still, or was ahead of `now` when the one before was sent.
 */
export async function attachDocument(
  em: EntityManager,
  { file, caller, of, field, services }: Attaching,
  now: number,
): Promise<Document> {
  if (file.documents.length >= accountDocumentsMax) await makeRoom(em, file, await services.clock.now())
  const { accountId, environment } = file.profile
  const newest = newestOf(file.documents, of.subjectId, of.slot)
  const at = newest ? Math.max(now, newest.createdAt.getTime() + 1) : now
  const ofAccount = await addDocument(em, { accountId, environment }, of, at)
  const document = ofAccount ?? (await addDocument(em, { accountId: caller.accountId, environment }, of, at))
  if (!document) throw invalid(field, 'must be an upload of this account that is not shown publicly', 'value_error')
  file.documents.push(document)
  return document
}

/** Removes the oldest document that no longer counts. `at` is the real time: what nothing uses is deleted by that. */
async function makeRoom(em: EntityManager, file: AccountFile, at: number): Promise<void> {
  const counts = (document: Document) => newestOf(file.documents, document.subjectId, document.slot) === document
  const outdated = file.documents.find((document) => !counts(document))
  if (!outdated) return // an account and all its persons have far fewer slots
  await removeDocument(em, outdated, at)
  file.documents = file.documents.filter((document) => document !== outdated)
}
