import type { Environment } from '../../domain/access/scope.ts'
import { noCompany, noProfile, statedValues } from '../../domain/platform/account-data.ts'
import { isExemptIn, reviewedIn } from '../../domain/platform/account-status.ts'
import { type Capability, capabilities, type CapabilityStatus, undecided } from '../../domain/platform/capability.ts'
import type { AccountFacts } from '../../domain/platform/requirement.ts'
import { documentSlots } from '../../domain/platform/requirement-code.ts'
import { recordOf } from '../../domain/narrow.ts'
import { Document } from '../catalogue/document.ts'
import { Account } from '../core/account.ts'
import { type EntityManager, goByClock, lock } from '../core/database.ts'
import { TestClock } from '../core/test-clock.ts'
import { AccountPerson } from './account-person.ts'
import { AccountProfile } from './account-profile.ts'
import { AccountCapability } from './capability.ts'

/** An account in one environment, with everything that it has provided and everything that was decided about it. */
export type AccountFile = {
  account: Account
  profile: AccountProfile
  persons: AccountPerson[]
  /** The documents of the account and of its persons, the oldest first. */
  documents: Document[]
  capabilities: AccountCapability[]
  /** The time of the account's test clock, in milliseconds since the epoch; null: it lives by the real time. */
  clockTime: number | null
}

/** The profile of an account that has stated nothing yet. */
export const emptyProfile = (account: Account, environment: Environment) => ({
  id: reviewedIn(account) === environment ? account.id : `${account.id}/${environment}`,
  accountId: account.id,
  environment,
  clockId: account.environment === 'sandbox' ? (account.clockId ?? null) : null,
  status: isExemptIn(account, { environment, activatedAt: null }) ? ('active' as const) : ('onboarding' as const),
  country: null,
  businessType: null,
  email: null,
  businessProfile: noProfile,
  company: noCompany,
  encryptedTaxId: null,
  termsAcceptedAt: null,
  termsAddress: null,
  metadata: {},
  requested: [],
  verified: [],
  errors: [],
  deadlines: {},
  revision: 1,
  version: 1,
  isReviewing: false,
  activatedAt: null,
  statusReason: null,
  warnedOf: null,
  wakesAt: null,
  wakesFor: null,
  createdAt: account.createdAt,
  updatedAt: account.createdAt,
})

/** The files of accounts in an environment, in the order of the accounts, in a few queries for all of them. */
export async function readFiles(
  em: EntityManager,
  accounts: readonly Account[],
  environment: Environment,
): Promise<AccountFile[]> {
  const where = { accountId: { $in: accounts.map(({ id }) => id) }, environment }
  const profiles = await em.find(AccountProfile, where)
  const persons = await em.find(AccountPerson, where, { orderBy: { createdAt: 'asc', id: 'asc' } })
  const decided = await em.find(AccountCapability, where)
  const subjectId = { $in: [...where.accountId.$in, ...persons.map(({ id }) => id)] }
  const documents = await em.find(
    Document,
    { subjectId, environment, subject: { $in: ['account', 'person'] } },
    { orderBy: { createdAt: 'asc', id: 'asc' } },
  )
  const clockIds = profiles.flatMap(({ clockId }) => (clockId ? [clockId] : []))
  const clocks = clockIds.length > 0 ? await em.find(TestClock, { id: { $in: clockIds } }) : []
  return accounts.map((account) => {
    const isOf = (row: { accountId: string }) => row.accountId === account.id
    const own = persons.filter(isOf)
    const subjects = [account.id, ...own.map(({ id }) => id)]
    // A new entity that no unit of work knows: it is stored by `lockFile` alone.
    const profile = profiles.find(isOf) ?? Object.assign(new AccountProfile(), emptyProfile(account, environment))
    const clock = clocks.find(({ id }) => id === profile.clockId)
    return {
      account,
      profile,
      clockTime: clock?.frozenTime.getTime() ?? null,
      persons: own,
      documents: documents.filter((document) => subjects.includes(document.subjectId)),
      capabilities: decided.filter(isOf),
    }
  })
}

export async function readFile(em: EntityManager, account: Account, environment: Environment): Promise<AccountFile> {
  const [file] = await readFiles(em, [account], environment)
  if (!file) throw new Error('there is one file for each account')
  return file
}

/**
 * The file of an account that the transaction locks, with a profile that is stored. The transaction goes by the test
 * clock of the account, if it has one.
 */
export async function lockFile(em: EntityManager, accountId: string, environment: Environment): Promise<AccountFile> {
  const account = await lock(em, Account, accountId)
  const known = await em.findOne(AccountProfile, { accountId, environment })
  const file = await readFile(em, account, environment)
  const profile = known ?? em.create(AccountProfile, emptyProfile(account, environment))
  if (profile.clockId && file.clockTime !== null) goByClock(em, { id: profile.clockId, time: file.clockTime })
  return { ...file, profile }
}

/** What an account has provided, by its code. */
export const statedIn = ({ profile, persons, documents }: AccountFile) =>
  statedValues({
    ...profile,
    persons: persons.map((person) => ({ ...person, idDocument: newestOf(documents, person.id)?.id ?? null })),
    documents: Object.fromEntries(
      documentSlots.flatMap((slot) => {
        const newest = newestOf(documents, profile.accountId, slot)
        return newest ? [[slot, newest.id]] : []
      }),
    ),
  })

/** The newest document of an account or a person, in a slot where one is named. */
export const newestOf = (documents: readonly Document[], subjectId: string, slot?: string): Document | undefined =>
  documents.findLast((document) => document.subjectId === subjectId && (!slot || document.slot === slot))

/** Everything that decides what the account has to provide. */
export const factsOf = (file: AccountFile): AccountFacts => ({
  ...file.profile,
  isExempt: isExemptIn(file.account, file.profile),
  given: new Set(statedIn(file).keys()),
  activatedAt: file.profile.activatedAt?.getTime() ?? null,
  statuses: Object.fromEntries(
    file.capabilities.flatMap(({ capability, status, stoppedAs }) => (stoppedAs ? [] : [[capability, status]])),
  ),
})

/** The status of every capability of an account, as it was decided. */
export const decidedIn = ({ profile, capabilities: rows }: AccountFile): Record<Capability, CapabilityStatus> =>
  recordOf(
    capabilities,
    (capability) => rows.find((row) => row.capability === capability)?.status ?? undecided(profile.environment),
  )
