import { isDeepStrictEqual } from 'node:util'
import { type AccountFile, factsOf, statedIn } from '../../db/platform/account-file.ts'
import { AccountCapability } from '../../db/platform/capability.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { signalProcess } from '../../db/core/start-process.ts'
import { changedCodes } from '../../domain/platform/account-data.ts'
import { moveAccount, needsReview, statusAfterChange } from '../../domain/platform/account-status.ts'
import { type Capability, capabilities } from '../../domain/platform/capability.ts'
import { aboutAccount } from '../../domain/platform/process.ts'
import type { RequirementCode } from '../../domain/platform/requirement-code.ts'
import {
  type AccountFacts,
  askedCodes,
  capabilityStatusesOf,
  deadlinesAfterClearing,
  unverifiedOf,
} from '../../domain/platform/requirement.ts'
import { nextStepOf } from '../../domain/platform/account-deadline.ts'
import { Refusal } from '../../domain/refusal.ts'
import { revise } from '../../domain/revision.ts'
import { openReview, type ReviewSubject, withdrawReview } from '../review.ts'
import { sandboxDecisionOf } from './decide-account.ts'
import { viewAsOf, viewOfAccount, viewOfCapability } from './account-views.ts'

/** What staff review of an account: everything that it had provided at one revision. */
export const subjectOfAccount = ({ profile }: AccountFile): ReviewSubject => ({
  type: 'account',
  resourceId: profile.accountId,
  revision: profile.revision,
})

/**
 * Changes what a locked account has stated, or asks for. `change` changes the rows of the file; the rest follows from
 * it: what is no longer verified, the status, an open review, the capabilities, the events and the signal to the
 * process. Where nothing has changed there is neither an event nor a signal. `asked` is in milliseconds since the
 * epoch; an account on a test clock goes by the time of its clock.
 */
export async function changeAccount(
  em: EntityManager,
  file: AccountFile,
  change: () => unknown,
  asked: number,
): Promise<void> {
  const { profile } = file
  await concludeAndTell(em, file, asked, async (at) => {
    const isAsked = () => profile.errors.some(({ code }) => askedCodes(factsOf(file)).includes(code))
    const before = { stated: statedIn(file), open: unverifiedOf(factsOf(file)), isAsked: isAsked() }
    await change()
    const stated = statedIn(file)
    const changed = changedCodes(before.stated, stated)
    if (changed.length > 0 && profile.status === 'rejected') {
      throw new Refusal('CONFLICT', 'the account was rejected: its information can no longer be changed')
    }
    takeBack(file, changed, at)
    // The reason of a request goes with the last thing that it asked for.
    if (before.isAsked && !isAsked()) profile.statusReason = null
    moveAccount(profile, statusAfterChange(factsOf(file), at))
    const open = unverifiedOf(factsOf(file))
    // Another type asks for other things, or for fewer, and staff have seen the account as it was before.
    const isOutdated =
      changed.includes('business_type') || open.some((code) => changed.includes(code) || !before.open.includes(code))
    await reviewAnew(em, file, { isOutdated }, at)
  })
}

/**
 * Makes a change complete that comes from outside the account's process, and tells the process what it has to know.
 * Returns what the change has returned. `asked` is in milliseconds since the epoch; `change` gets the account's time.
 */
export async function concludeAndTell<T>(
  em: EntityManager,
  file: AccountFile,
  asked: number,
  change: (at: number) => Promise<T>,
): Promise<T> {
  const { profile } = file
  const at = file.clockTime ?? asked
  const { isAwaited, done } = await concludeAccount(em, file, at, () => change(at))
  if (isAwaited) signalProcess(em, 'account-review', profile.id, aboutAccount(profile), 'changed')
  return done
}

/** Takes back what was decided about codes that have changed. What an active account has cleared gets a deadline. */
function takeBack({ profile, ...file }: AccountFile, changed: readonly RequirementCode[], at: number): void {
  const facts = factsOf({ profile, ...file })
  const isChanged = (code: RequirementCode) => changed.includes(code)
  const cleared = changed.filter((code) => !facts.given.has(code))
  if (profile.activatedAt !== null) profile.deadlines = deadlinesAfterClearing(facts, cleared, at)
  profile.verified = profile.verified.filter((code) => !isChanged(code))
  profile.errors = profile.errors.filter(({ code }) => !isChanged(code) || !facts.given.has(code))
}

/**
 * Opens a review of an account that needs one. `isOutdated`: an open review is about what the account had stated
 * before, so it is replaced.
 */
async function reviewAnew(em: EntityManager, file: AccountFile, { isOutdated }: { isOutdated: boolean }, at: number) {
  const { profile } = file
  const isNeeded = needsReview(factsOf(file))
  if (profile.isReviewing && isNeeded && !isOutdated) return
  if (profile.isReviewing) await withdrawReview(em, subjectOfAccount(file), at)
  profile.isReviewing = isNeeded
  if (!isNeeded) return
  revise(profile)
  const { accountId, environment, activatedAt } = profile
  const reason =
    activatedAt === null ? 'a new account' : `provided or changed: ${unverifiedOf(factsOf(file)).join(', ')}`
  const decidesAt = sandboxDecisionOf(file, at)?.at ?? null
  openReview(em, { ...subjectOfAccount(file), accountId, environment, reason: reason.slice(0, 500), decidesAt }, at)
}

/**
 * Makes a change of an account complete: writes its capabilities and records the events of what callers can see now.
 * Returns whether something has changed for the process of the account, and what the change has returned. `at` is in
 * milliseconds since the epoch.
 */
export async function concludeAccount<T>(
  em: EntityManager,
  file: AccountFile,
  at: number,
  change: () => T | Promise<T>,
): Promise<{ isAwaited: boolean; done: T }> {
  const { profile } = file
  // As it was told last: time alone may have changed since then what is due.
  const before = { ...viewsOf(file, profile.updatedAt.getTime()), ...standingOf(file) }
  const { statuses } = factsOf(file)
  const done = await change()
  writeCapabilities(em, file, statuses, at)
  const next = nextStepOf({ ...factsOf(file), warnedOf: profile.warnedOf?.getTime() ?? null }, at)
  profile.wakesAt = next && new Date(next.at)
  profile.wakesFor = next?.what ?? null
  const after = { ...viewsOf(file, at), ...standingOf(file) }
  const isAwaited = before.isAwaited || after.isAwaited
  if (isDeepStrictEqual(before, after)) return { isAwaited: false, done }
  profile.version += 1
  profile.updatedAt = new Date(at)
  for (const capability of capabilities) {
    if (isDeepStrictEqual(before.capabilities[capability], after.capabilities[capability])) continue
    const data = viewOfCapability(file, capability, at)
    await recordEvent(em, profile, { type: 'capability.updated', resourceId: profile.accountId, data }, at)
  }
  if (!isDeepStrictEqual(before.account, after.account)) {
    const data = viewOfAccount(file, at)
    await recordEvent(em, profile, { type: 'account.updated', resourceId: profile.accountId, data }, at)
  }
  return { isAwaited, done }
}

/** Whether the account's process has something to wait for, and about which revision. */
const standingOf = ({ profile: { isReviewing, revision, wakesAt, status } }: AccountFile) => ({
  isAwaited: isReviewing || wakesAt !== null,
  revision,
  wakesAt: wakesAt?.getTime() ?? null,
  status,
})

/** What callers see, without the moments of the change. */
function viewsOf(file: AccountFile, at: number) {
  const { updated_at: _, ...account } = viewAsOf(file, at)
  const shown = capabilities.map((capability): [Capability, unknown] => {
    const { requested, status } = viewOfCapability(file, capability, at)
    return [capability, { requested, status }]
  })
  return { account, capabilities: Object.fromEntries(shown) }
}

/**
 * Writes the status of each capability, in the commit of what decides it. `statuses` are those of before the change. An
 * exempt account keeps what was decided, and so does a capability that operators have taken away.
 */
function writeCapabilities(em: EntityManager, file: AccountFile, statuses: AccountFacts['statuses'], at: number): void {
  const facts = { ...factsOf(file), statuses }
  if (facts.isExempt) return
  const { accountId, environment } = file.profile
  for (const [capability, provided] of capabilityStatusesOf(facts, at)) {
    const known = file.capabilities.find((row) => row.capability === capability)
    const status = known?.stoppedAs ?? provided
    if (known?.status === status) continue
    if (known) Object.assign(known, { status, updatedAt: new Date(at) })
    else {
      const row = { accountId, environment, capability, status, updatedAt: new Date(at) }
      file.capabilities.push(em.create(AccountCapability, row))
    }
  }
}
