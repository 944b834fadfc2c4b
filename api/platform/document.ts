import Type from 'typebox'
import { changeAccount } from '../../commands/platform/change-account.ts'
import { Document } from '../../db/catalogue/document.ts'
import { slotsOf } from '../../domain/platform/requirement-rule.ts'
import { invalid } from '../../domain/refusal.ts'
import { page, pageQuery } from '../../schemas/common.ts'
import {
  AddDocument,
  CompanyDocument,
  ListedDocument,
  presentDocument,
  presentListedDocument,
} from '../../schemas/platform/document.ts'
import { documentLinks } from '../catalogue/document-link.ts'
import { auditCaller } from '../http/audit-caller.ts'
import { operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import { attachDocument } from './attach-document.ts'
import { AccountId, findFile, lockReachable, onAccounts, onOneAccount, readsAccounts, writesAccounts } from './reach.ts'

export const addCompanyDocument = operation({
  ...onOneAccount,
  ...writesAccounts,
  method: 'post',
  path: '/v1/accounts/{account_id}/documents',
  summary: 'Add a company document in its slot; the newest one of a slot counts',
  params: AccountId,
  body: AddDocument,
  returns: [201, CompanyDocument],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, caller, em, now, services }) {
    const file = await lockReachable(em, caller, params.account_id)
    const slots = slotsOf(file.profile)
    const { file: uploadId, document: slot } = body
    if (!slots.includes(slot)) {
      throw invalid('document', `the slots of this account are ${slots.join(', ')}`, 'value_error')
    }
    const of = { subject: 'account' as const, subjectId: file.account.id, slot, uploadId }
    await changeAccount(em, file, () => attachDocument(em, { file, caller, of, field: 'file', services }, now), now)
    const document = file.documents.at(-1)
    if (!document) throw new Error('the document was added')
    auditCaller(em, caller, { action: 'account.document_added', target: document.id }, now)
    return presentDocument(document)
  },
})

/** The token of an onboarding link reads no files: a lost link must not show identity documents. */
export const listCompanyDocuments = operation({
  ...onAccounts,
  ...readsAccounts,
  method: 'get',
  path: '/v1/accounts/{account_id}/documents',
  summary: 'List the documents of an account and its persons, newest first, each with a link for five minutes',
  params: AccountId,
  query: Type.Object(pageQuery),
  returns: [200, page(ListedDocument)],
  refuses: ['NOT_FOUND'],

  async handle({ params, query, caller, em, services }) {
    const { account, persons, profile } = await findFile(em, caller, params.account_id)
    const subjectId = { $in: [account.id, ...persons.map(({ id }) => id)] }
    const where = { subjectId, environment: profile.environment }
    const { rows, pagination } = await listPage<Document>({ em, services }, Document, where, query)
    const linkTo = await documentLinks(services)
    return { items: rows.map((row) => presentListedDocument(row, linkTo(row.id))), pagination }
  },
})
