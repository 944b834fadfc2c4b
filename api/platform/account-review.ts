import Type from 'typebox'
import { viewOfAccount } from '../../commands/platform/account-views.ts'
import { subjectOfAccount } from '../../commands/platform/change-account.ts'
import { Account as AccountRow } from '../../db/core/account.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { namesOf } from '../../db/access/user.ts'
import { type AccountFile, factsOf, newestOf, readFile } from '../../db/platform/account-file.ts'
import { Review as ReviewRow } from '../../db/review/review.ts'
import { reviewedIn } from '../../domain/platform/account-status.ts'
import { aboutAccount } from '../../domain/platform/process.ts'
import { askedCodes, unverifiedOf } from '../../domain/platform/requirement.ts'
import { type FieldError, invalid, Refusal } from '../../domain/refusal.ts'
import { idParameter } from '../../schemas/common.ts'
import { Account } from '../../schemas/platform/account.ts'
import { DecideAccount, DeskAccount } from '../../schemas/platform/account-review.ts'
import { presentListedDocument } from '../../schemas/platform/document.ts'
import { presentPerson } from '../../schemas/platform/person.ts'
import { presentReview } from '../../schemas/review.ts'
import { documentLinks } from '../catalogue/document-link.ts'
import { operation } from '../http/operation.ts'
import { storeDecision, validateDecision } from '../review/review.ts'
import { forStaff } from '../http/staff.ts'

const AccountId = Type.Object({ account_id: idParameter('acct') })

/** The file of any account, in the environment in which it is reviewed. Only staff operations may use this. */
async function fileForStaff(em: EntityManager, accountId: string): Promise<AccountFile> {
  const reader = em.fork()
  const account = await reader.findOne(AccountRow, { id: accountId })
  if (!account) throw new Refusal('NOT_FOUND', 'no such account')
  return readFile(reader, account, reviewedIn(account))
}

export const readDeskAccount = operation({
  ...forStaff,
  method: 'get',
  path: '/api/v1/admin/accounts/{account_id}',
  summary: 'Read an account for a decision of staff, with its persons, documents and review',
  params: AccountId,
  returns: [200, DeskAccount],
  refuses: ['FORBIDDEN', 'NOT_FOUND'],

  async handle({ params, em, now, services }) {
    const file = await fileForStaff(em, params.account_id)
    const { account, profile, persons, documents } = file
    const linkTo = await documentLinks(services)
    return {
      account: viewOfAccount(file, now),
      name: account.name,
      platform: await platformOf(em, account),
      environment: profile.environment,
      persons: persons.map((person) => presentPerson(person, newestOf(documents, person.id))),
      documents: documents.toReversed().map((row) => presentListedDocument(row, linkTo(row.id))),
      unverified: unverifiedOf(factsOf(file)),
      ...(await newestReview(em, account)),
    }
  },
})

async function platformOf(em: EntityManager, { ownerId }: AccountRow) {
  const platform = ownerId ? await em.findOneOrFail(AccountRow, { id: ownerId }) : null
  return platform && { account_id: platform.id, name: platform.name }
}

/** The newest review of an account, and the names of the staff members in it. */
async function newestReview(em: EntityManager, { id: resourceId }: AccountRow) {
  const where = { type: 'account' as const, resourceId }
  const [review] = await em.find(ReviewRow, where, { orderBy: { revision: 'desc' }, limit: 1 })
  const people = await namesOf(em, [review?.claimedBy, review?.decidedBy])
  return { review: review ? presentReview(review) : null, people }
}

/** What is asked for again is required for a request and for nothing else, and each code once. */
function validateOutcome(body: Record<string, unknown>): FieldError[] {
  const errors: unknown[] = Array.isArray(body['errors']) ? body['errors'] : []
  const isRequest = body['decision'] === 'request_information'
  if (isRequest && errors.length === 0) {
    return [{ field: 'errors', message: 'is required to request information', type: 'value_error.missing' }]
  }
  if (!isRequest && errors.length > 0) {
    return [{ field: 'errors', message: 'is for a request of information only', type: 'value_error' }]
  }
  return validateDecision(body)
}

export const reviewAccount = operation({
  ...forStaff,
  method: 'post',
  path: '/api/v1/admin/accounts/{account_id}/review',
  summary: 'Approve or reject an account, or ask for information; repeating the same decision changes nothing',
  mode: 'process',
  makes: 'rvd',
  params: AccountId,
  body: DecideAccount,
  validate: validateOutcome,
  returns: [200, Account],
  refuses: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, caller, em, now, callId, services }) {
    const file = await fileForStaff(em, params.account_id)
    const { profile } = file
    const { decision, errors = [] } = body
    const asked = askedCodes(factsOf(file))
    if (errors.some(({ code }) => !asked.includes(code))) {
      throw invalid('errors', `the account can be asked for ${asked.join(', ')}`, 'value_error')
    }
    await storeDecision(em, subjectOfAccount(file), { body, caller, now, callId })
    const process = { process: 'account-review', resourceId: profile.id, about: aboutAccount(profile) } as const
    await services.engine.update(process, 'decide', [callId, profile.revision, decision], callId)
    return viewOfAccount(await fileForStaff(em, params.account_id), now)
  },
})
