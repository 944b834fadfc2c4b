import { raw } from '@mikro-orm/core'
import Type, { type Static } from 'typebox'
import { changeAccount } from '../../commands/platform/change-account.ts'
import { viewOfAccount } from '../../commands/platform/account-views.ts'
import { Account as AccountRow } from '../../db/core/account.ts'
import { countConnected } from '../../db/platform/connected-count.ts'
import { lockFile, readFiles } from '../../db/platform/account-file.ts'
import { newId } from '../../domain/id.ts'
import { reviewedIn } from '../../domain/platform/account-status.ts'
import { accountStatuses, type AccountStatus } from '../../domain/platform/requirement.ts'
import { accountCountryCodes } from '../../domain/platform/requirement-rule.ts'
import { Refusal } from '../../domain/refusal.ts'
import { Account } from '../../schemas/platform/account.ts'
import { ChangeAccount, CreateAccount } from '../../schemas/platform/account-input.ts'
import { page, pageQuery } from '../../schemas/common.ts'
import { auditCaller } from '../http/audit-caller.ts'
import { createdRange, whereMatching } from '../http/filters.ts'
import { type Caller, operation } from '../http/operation.ts'
import { listPage, newestFirst } from '../http/pagination.ts'
import { applyStatement, validateSeller } from './account-statement.ts'
import { AccountId, findFile, lockReachable, onAccounts, onOneAccount, readsAccounts, writesAccounts } from './reach.ts'

export const createAccount = operation({
  ...onAccounts,
  ...writesAccounts,
  method: 'post',
  path: '/v1/accounts',
  summary: 'Create a connected account, which is onboarded by the API or on the hosted page',
  body: CreateAccount,
  returns: [201, Account],
  refuses: ['FORBIDDEN'],

  async handle({ body, caller, em, now, services }) {
    const { accountId, environment } = caller
    const owner = await em.findOneOrFail(AccountRow, { id: accountId })
    if (owner.ownerId) throw new Refusal('FORBIDDEN', 'a connected account cannot have connected accounts')
    const id = newId('acct', now)
    em.create(AccountRow, { id, name: id, ownerId: accountId, environment, createdAt: new Date(now) })
    await em.flush()
    const file = await lockFile(em, id, environment)
    await changeAccount(em, file, () => applyStatement(file, body, { caller, services, now }), now)
    auditCaller(em, caller, { action: 'account.created', target: id }, now)
    return viewOfAccount(file, now)
  },
})

export const listAccounts = operation({
  ...onAccounts,
  ...readsAccounts,
  method: 'get',
  path: '/v1/accounts',
  summary: 'List your connected accounts, newest first',
  query: Type.Object({
    ...pageQuery,
    ...createdRange,
    status: Type.Optional(Type.Enum([...accountStatuses])),
    country: Type.Optional(Type.Enum([...accountCountryCodes])),
  }),
  returns: [200, page(Account)],
  refuses: [],

  async handle({ query, caller, em, services, now }) {
    const { accountId: ownerId, environment: _, ...created } = whereMatching(caller, query, {})
    const where = { ownerId, ...created, $and: conditionsOf(caller, query) }
    const hasTime = Object.keys(created).length > 0
    const total = hasTime ? em.count(AccountRow, where) : countConnected(em, caller, query, statusOfOlder(caller))
    const means = { em, services }
    const { rows, pagination } = await listPage<AccountRow>(means, AccountRow, where, query, newestFirst, total)
    const files = await readFiles(em, rows, caller.environment)
    return { items: files.map((file) => viewOfAccount(file, now)), pagination }
  },
})

type Filter = { status?: AccountStatus; country?: string }

/** The status of an account of before profiles, which is in both environments, where it has no profile. */
const statusOfOlder = ({ environment }: Caller): AccountStatus =>
  reviewedIn({}) === environment ? 'onboarding' : 'active'

/** The conditions on an account's environment and on its profile. */
function conditionsOf(caller: Caller, { status, country }: Filter) {
  const { environment } = caller
  // As joins, which Postgres carries out at once for all accounts of a platform.
  const hasProfile = (of: string, condition: string) =>
    `exists (select from account_profiles p where p.account_id = ${of}.id and p.environment = ? and ${condition})`
  const hasOrOlder = (of: string) =>
    `(not ${hasProfile(of, 'p.status <> ?')} and (${of}.environment is null or ${hasProfile(of, 'p.status = ?')}))`
  const whereStatus = (asked: AccountStatus) =>
    asked === statusOfOlder(caller)
      ? raw(hasOrOlder, [environment, asked, environment, asked])
      : raw((of) => hasProfile(of, 'p.status = ?'), [environment, asked])
  return [
    { $or: [{ environment }, { environment: null }] },
    ...(status ? [{ [whereStatus(status)]: [] }] : []),
    ...(country ? [{ [raw((of) => hasProfile(of, 'p.country = ?'), [environment, country])]: [] }] : []),
  ]
}

export const getAccount = operation({
  ...onOneAccount,
  ...readsAccounts,
  method: 'get',
  path: '/v1/accounts/{account_id}',
  summary: 'Read an account, with what it still has to provide',
  params: AccountId,
  returns: [200, Account],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em, now }) {
    return shownTo(caller, viewOfAccount(await findFile(em, caller, params.account_id), now))
  },
})

/** On the hosted page the platform's own notes are not shown. */
const shownTo = ({ onboardingSessionId }: Caller, view: Static<typeof Account>): Static<typeof Account> =>
  onboardingSessionId === null ? view : { ...view, metadata: {} }

export const updateAccount = operation({
  ...onOneAccount,
  ...writesAccounts,
  method: 'patch',
  path: '/v1/accounts/{account_id}',
  summary: 'Change what an account has stated; what was verified is verified again',
  params: AccountId,
  body: ChangeAccount,
  validate: validateSeller,
  returns: [200, Account],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, caller, em, now, services }) {
    const file = await lockReachable(em, caller, params.account_id)
    await changeAccount(em, file, () => applyStatement(file, body, { caller, services, now }), now)
    auditCaller(em, caller, { action: 'account.changed', target: file.account.id }, now)
    return shownTo(caller, viewOfAccount(file, now))
  },
})
