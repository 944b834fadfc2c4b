import { addDocument, type Document, type DocumentOf } from '../../db/catalogue/document.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { AccountFile } from '../../db/platform/account-file.ts'
import { accountDocumentsMax } from '../../domain/catalogue/document.ts'
import { invalid, Refusal } from '../../domain/refusal.ts'
import type { Caller } from '../http/operation.ts'

/** `field` is the one of the body that names the upload. */
type Attaching = { file: AccountFile; caller: Caller; of: DocumentOf; field: string }

/**
 * Makes an upload a private document of an account or a person, whose file the transaction has locked. The upload
 * belongs to the account, or to the caller who sends it for the account.
 */
export async function attachDocument(
  em: EntityManager,
  { file, caller, of, field }: Attaching,
  now: number,
): Promise<Document> {
  if (file.documents.length >= accountDocumentsMax) {
    throw new Refusal('CONFLICT', `an account and its persons have at most ${accountDocumentsMax} documents`)
  }
  const { accountId, environment } = file.profile
  const ofAccount = await addDocument(em, { accountId, environment }, of, now)
  const document = ofAccount ?? (await addDocument(em, { accountId: caller.accountId, environment }, of, now))
  if (!document) throw invalid(field, 'is no upload of this account, or is shown publicly', 'value_error')
  file.documents.push(document)
  return document
}
