import { audit } from '../../db/core/audit.ts'
import { Account } from '../../db/core/account.ts'
import type { Tenant } from '../../db/core/columns.ts'
import { type EntityManager, lock } from '../../db/core/database.ts'
import { type AccountFile, factsOf, lockFile } from '../../db/platform/account-file.ts'
import { AccountProfile } from '../../db/platform/account-profile.ts'
import { AccountCapability } from '../../db/platform/capability.ts'
import { moveAccount } from '../../domain/platform/account-status.ts'
import { capabilities, type Capability, type CapabilityStatus } from '../../domain/platform/capability.ts'
import { Refusal } from '../../domain/refusal.ts'
import { withdrawReview } from '../review.ts'
import { concludeAndTell, subjectOfAccount } from './change-account.ts'

/** Who decided: a person, or null for a process or a tool; and the IP address of the call, or the tool's name. */
type DecidedBy = { userId: string | null; address: string }

/**
 * Lets an account go live: it may take payments, have live keys, and use `granted`, by default every capability. What
 * operators have taken away, and what is restricted, stays so: only a decision about it lifts that. An organization
 * that goes live by this activation is not reviewed any more. Safe to repeat. Returns whether anything has changed, and
 * which of `granted` stay taken away; `at` is in milliseconds since the epoch. Refused with `NOT_FOUND` if there is no
 * such account, and with `CONFLICT` if staff have rejected it in live, which is final.
 */
export async function activateAccount(
  em: EntityManager,
  { accountId, granted = capabilities, by }: { accountId: string; granted?: readonly Capability[]; by: DecidedBy },
  at: number,
): Promise<{ hasChanged: boolean; stopped: Capability[] }> {
  const account = await lock(em, Account, accountId)
  const owner = { accountId, environment: 'live' } as const
  let hasChanged = !account.paymentsEnabled
  const stopped: Capability[] = []
  await concludeDecision(em, owner, at, async (file) => {
    assertNotRejected(file, accountId)
    account.paymentsEnabled = true
    if (file && (await endReview(em, file, at))) hasChanged = true
    for (const capability of granted) {
      const known = await em.findOne(AccountCapability, { ...owner, capability })
      if (known?.stoppedAs) stopped.push(capability)
      if (known?.stoppedAs || known?.status === 'restricted') continue
      if (store(em, owner, { known, file, capability, status: 'active' }, at).hasChanged) hasChanged = true
    }
  })
  if (hasChanged) audit(em, { action: 'account.activated', accountId, ...by, target: accountId }, at)
  return { hasChanged, stopped }
}

function assertNotRejected(file: AccountFile | null, accountId: string): void {
  if (file?.profile.status === 'rejected')
    throw new Refusal(
      'CONFLICT',
      `${accountId} was rejected by staff, and that decision is final. Nothing has changed.`,
    )
}

/**
 * Decides one capability of an account in an environment. What takes it away stands until the next decision. Of an
 * account that is reviewed, `active` lifts that, and what the account has provided counts again: so the status that
 * stands then, which is returned, may be another one. An account that has gone live stays so, whatever is taken from
 * it: its people still see their live data. What is already with a rail ends as the rail says. Safe to repeat. Refused
 * with `NOT_FOUND` if there is no such account, and with `CONFLICT` if `active` is decided for one that staff have
 * rejected, which is final.
 */
export async function setCapability(
  em: EntityManager,
  { accountId, environment }: Tenant,
  { capability, status, by }: { capability: Capability; status: CapabilityStatus; by: DecidedBy },
  at: number,
): Promise<{ hasChanged: boolean; stands: CapabilityStatus }> {
  await lock(em, Account, accountId) // so that two first decisions run one after the other
  const owner = { accountId, environment }
  const stored = await concludeDecision(em, owner, at, async (file) => {
    if (status === 'active') assertNotRejected(file, accountId)
    const known = await em.findOne(AccountCapability, { ...owner, capability })
    return store(em, owner, { known, file, capability, status }, at)
  })
  const { hasChanged, row } = stored
  if (hasChanged) audit(em, { action: `${capability}.${status}`, accountId, ...by, target: accountId }, at)
  return { hasChanged, stands: row.status }
}

/**
 * Makes a decision of operators, records its events and signals the account's process. `file` is null for an account
 * that has stated nothing in this environment: there are no events about it, and it has no process.
 */
async function concludeDecision<T>(
  em: EntityManager,
  { accountId, environment }: Tenant,
  at: number,
  decide: (file: AccountFile | null) => Promise<T>,
): Promise<T> {
  if (!(await em.findOne(AccountProfile, { accountId, environment }))) return decide(null)
  const file = await lockFile(em, accountId, environment)
  return concludeAndTell(em, file, at, () => decide(file))
}

/**
 * Ends what an account waits for that is not reviewed any more: it is active, whatever it has provided. Returns whether
 * it has waited for anything.
 */
async function endReview(em: EntityManager, file: AccountFile, at: number): Promise<boolean> {
  const { profile } = file
  const isWaiting = profile.status === 'onboarding' || profile.status === 'under_review'
  if (!isWaiting || !factsOf(file).isExempt) return false
  if (profile.isReviewing) await withdrawReview(em, subjectOfAccount(file), at)
  profile.isReviewing = false
  if (profile.status === 'onboarding') moveAccount(profile, 'under_review')
  moveAccount(profile, 'active')
  return true
}

type Decided = {
  known: AccountCapability | null
  file: AccountFile | null
  capability: Capability
  status: CapabilityStatus
}

function store(em: EntityManager, owner: Tenant, { known, file, capability, status }: Decided, at: number) {
  const stoppedAs = status === 'active' ? null : status
  if (known?.status === status && (known.stoppedAs ?? null) === stoppedAs) return { row: known, hasChanged: false }
  const decided = { status, stoppedAs, updatedAt: new Date(at) }
  if (known) return { row: Object.assign(known, decided), hasChanged: true }
  const row = em.create(AccountCapability, { ...owner, capability, ...decided })
  file?.capabilities.push(row)
  return { row, hasChanged: true }
}
