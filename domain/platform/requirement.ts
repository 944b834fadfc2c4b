import { dayMs } from '../duration.ts'
import { type Capability, capabilities, type CapabilityStatus } from './capability.ts'
import type { RequirementCode } from './requirement-code.ts'
import { extrasOf, isOffered, ruleOf, type Structure } from './requirement-rule.ts'

export const accountStatuses = ['onboarding', 'under_review', 'active', 'restricted', 'rejected'] as const
export type AccountStatus = (typeof accountStatuses)[number]

/** When what is eventually due becomes currently due, after the account became active. */
export const dueAfterMs = 30 * dayMs
/** How long it may then be missing; also how long an active account has for what staff ask for, or what it cleared. */
export const graceMs = 14 * dayMs
/** How long before a deadline the account and its platform are reminded of it. */
export const warnBeforeMs = 7 * dayMs

export type RequirementError = { code: RequirementCode; reason: string }

/** Everything that decides what an account has to provide. Times are in milliseconds since the epoch. */
export type AccountFacts = Structure & {
  status: AccountStatus
  /** Nothing is asked of an account in the sandbox that was not made there by its platform. */
  isExempt: boolean
  requested: readonly Capability[]
  /** What has been provided. */
  given: ReadonlySet<RequirementCode>
  /** What staff have accepted and nobody has changed since. */
  verified: readonly RequirementCode[]
  /** What staff have asked for once more; a code stays here until it is provided anew. */
  errors: readonly RequirementError[]
  /** Until when a code must be provided that was accepted once or asked for again, while the account is active. */
  deadlines: Readonly<Partial<Record<RequirementCode, number>>>
  activatedAt: number | null
  /** Whether a review is open. */
  isReviewing: boolean
  /** The status of each capability as it was written last. What operators have taken away is left out. */
  statuses: Readonly<Partial<Record<Capability, CapabilityStatus>>>
}

export type Requirements = {
  currentlyDue: RequirementCode[]
  eventuallyDue: RequirementCode[]
  pastDue: RequirementCode[]
  pendingVerification: RequirementCode[]
  errors: RequirementError[]
  currentDeadline: number | null
  disabledReason: DisabledReason | null
}

export type DisabledReason =
  | 'requirements.currently_due'
  | 'requirements.past_due'
  | 'requirements.pending_verification'
  | 'rejected'
  | 'not_requested'

/** Where a code stands at a moment. What is satisfied needs nothing. */
type RequirementState = { is: 'satisfied' | 'given' | 'eventual' } | { is: 'due' | 'past'; deadline: number | null }

/** Whether this has been provided, and nothing is wrong with it. */
const isGiven = ({ given, errors }: AccountFacts, code: RequirementCode): boolean =>
  given.has(code) && !errors.some((error) => error.code === code)

function standingOf(facts: AccountFacts, code: RequirementCode, at: number): RequirementState {
  if (isGiven(facts, code)) return { is: facts.verified.includes(code) ? 'satisfied' : 'given' }
  const isLater = !ruleOf(facts).now.includes(code) && ruleOf(facts).later.includes(code)
  const deadline = deadlineOf(facts, code)
  if (isLater && !isAskedNow(facts, code, at)) return { is: 'eventual' }
  return { is: deadline !== null && deadline <= at ? 'past' : 'due', deadline }
}

/** Whether what is due later is due by now. What staff ask for is due at once, also where it would be due later. */
function isAskedNow(facts: AccountFacts, code: RequirementCode, at: number): boolean {
  if (facts.errors.some((error) => error.code === code) || facts.deadlines[code] !== undefined) return true
  if (facts.requested.some((capability) => extrasOf(capability, facts).includes(code))) return true
  return facts.activatedAt !== null && at >= facts.activatedAt + dueAfterMs
}

/** Until when a missing code must be provided; null: there is no deadline. Before it was active an account has none. */
function deadlineOf({ activatedAt, deadlines, ...structure }: AccountFacts, code: RequirementCode): number | null {
  if (activatedAt === null) return null
  const own = deadlines[code]
  if (own !== undefined) return own
  const { now, later } = ruleOf(structure)
  return later.includes(code) && !now.includes(code) ? activatedAt + dueAfterMs + graceMs : null
}

const unique = (codes: readonly RequirementCode[]): RequirementCode[] => [...new Set(codes)]

/** What an account has to provide for itself, whatever it asks for. */
const ownCodes = (structure: Structure): RequirementCode[] => {
  const { now, later } = ruleOf(structure)
  return unique([...now, ...later])
}

/** What an account has to provide for itself and for the capabilities that it asks for. */
export const askedCodes = (facts: Structure & Pick<AccountFacts, 'isExempt' | 'requested'>): RequirementCode[] =>
  facts.isExempt
    ? []
    : unique([...ownCodes(facts), ...facts.requested.flatMap((capability) => extrasOf(capability, facts))])

/**
 * The deadlines of an account that was active before and has cleared something at `at`. It has two weeks, or until the
 * deadline that it had already, or until what is due later would have been past due anyway. What the account itself has
 * to provide has one also where it was changed first, and so was not verified any more. What only capabilities ask for
 * makes them wait at once, so it has one only where it was verified; `facts.verified` are those of before.
 */
export function deadlinesAfterClearing(
  facts: AccountFacts,
  cleared: readonly RequirementCode[],
  at: number,
): AccountFacts['deadlines'] {
  const missed = cleared.filter((code) => facts.verified.includes(code) || ownCodes(facts).includes(code))
  const due = missed.filter((code) => (deadlineOf(facts, code) ?? at) < at + graceMs)
  return { ...Object.fromEntries(due.map((code) => [code, at + graceMs])), ...facts.deadlines }
}

/**
 * The deadlines of an account that is accepted again at `at`, after it was restricted. What fell due meanwhile has two
 * weeks where it is too late for its reminder: nobody is reminded while an account is not active.
 */
export function deadlinesAfterReturn(facts: AccountFacts, at: number): AccountFacts['deadlines'] {
  const late = askedCodes(facts).filter((code) => {
    const deadline = isGiven(facts, code) ? null : deadlineOf(facts, code)
    return deadline !== null && deadline - warnBeforeMs < at
  })
  return { ...facts.deadlines, ...Object.fromEntries(late.map((code) => [code, at + graceMs])) }
}

/** The requirements of an account at a moment, in milliseconds since the epoch. */
export const requirementsOf = (facts: AccountFacts, at: number): Requirements => ({
  ...sortedOf(facts, askedCodes(facts), at),
  disabledReason: disabledReasonOf(facts.status),
})

function sortedOf(facts: AccountFacts, codes: readonly RequirementCode[], at: number) {
  const standings = codes.map((code) => ({ code, ...standingOf(facts, code, at) }))
  const having = (...is: RequirementState['is'][]) =>
    standings.filter((one) => is.includes(one.is)).map(({ code }) => code)
  const deadlines = standings.flatMap((one) => ('deadline' in one && one.deadline !== null ? [one.deadline] : []))
  return {
    currentlyDue: having('due', 'past'),
    eventuallyDue: having('eventual'),
    pastDue: having('past'),
    pendingVerification: facts.isReviewing ? having('given') : [],
    errors: facts.errors.filter(({ code }) => codes.includes(code)),
    currentDeadline: deadlines.length > 0 ? Math.min(...deadlines) : null,
  }
}

const disabledReasons: Record<AccountStatus, DisabledReason | null> = {
  onboarding: 'requirements.currently_due',
  under_review: 'requirements.pending_verification',
  active: null,
  restricted: 'requirements.past_due',
  rejected: 'rejected',
}
const disabledReasonOf = (status: AccountStatus): DisabledReason | null => disabledReasons[status]

/** The requirements of one capability: those of the account, and its own. They are told also before it is asked for. */
export function capabilityRequirementsOf(facts: AccountFacts, capability: Capability, at: number): Requirements {
  if (facts.isExempt) return { ...sortedOf(facts, [], at), disabledReason: null }
  const asking = { ...facts, requested: [capability] }
  const sorted = sortedOf(asking, askedCodes(asking), at)
  if (!facts.requested.includes(capability)) return { ...sorted, disabledReason: 'not_requested' }
  const own = disabledReasonOf(facts.status)
  if (own !== null) return { ...sorted, disabledReason: own }
  const reasons: Partial<Record<CapabilityStatus, DisabledReason>> = {
    restricted: 'requirements.past_due',
    pending: sorted.currentlyDue.length > 0 ? 'requirements.currently_due' : 'requirements.pending_verification',
  }
  return { ...sorted, disabledReason: reasons[capabilityStatusOf(facts, capability, at)] ?? null }
}

/**
 * The status of a capability. A capability that was not asked for is inactive. An account that is active may use one
 * once everything that it needs beside the account's own requirements is verified, and goes on using it while something
 * of that is verified again. Only payouts wait for that, and also while anything of the account itself that was
 * verified is verified again: somebody else may have changed it.
 */
export function capabilityStatusOf(facts: AccountFacts, capability: Capability, at: number): CapabilityStatus {
  if (!facts.requested.includes(capability) || !isOffered(facts.country, capability)) return 'inactive'
  if (facts.status === 'rejected' || facts.status === 'restricted') return 'restricted'
  if (facts.status !== 'active') return 'pending'
  const extras = extrasOf(capability, facts).map((code) => standingOf(facts, code, at))
  if (extras.some(({ is }) => is === 'past')) return 'restricted'
  const goesOn = capability !== 'payouts' && facts.statuses[capability] === 'active'
  if (!extras.every(({ is }) => is === 'satisfied' || (goesOn && is === 'given'))) return 'pending'
  return capability === 'payouts' && !isOwnVerified(facts) ? 'pending' : 'active'
}

/** Whether everything is verified that an account needed in order to become active. */
const isOwnVerified = (facts: AccountFacts): boolean =>
  ruleOf(facts).now.every((code) => isGiven(facts, code) && facts.verified.includes(code))

export const capabilityStatusesOf = (facts: AccountFacts, at: number): [Capability, CapabilityStatus][] =>
  capabilities.map((capability) => [capability, capabilityStatusOf(facts, capability, at)])

/** Whether something of the account itself is past its deadline, for which the whole account is restricted. */
export const isPastDue = (facts: AccountFacts, at: number): boolean =>
  !facts.isExempt && ownCodes(facts).some((code) => standingOf(facts, code, at).is === 'past')

/** What has been provided and no decision has accepted yet. */
export const unverifiedOf = (facts: AccountFacts): RequirementCode[] =>
  askedCodes(facts).filter((code) => isGiven(facts, code) && !facts.verified.includes(code))

/**
 * The next moments of an account: when something becomes due, and the earliest deadline, until what it restricts is
 * restricted.
 */
export function momentsOf(facts: AccountFacts, at: number): { dueAt: number | null; deadline: number | null } {
  if (facts.isExempt || facts.activatedAt === null) return { dueAt: null, deadline: null }
  const codes = askedCodes(facts).filter((code) => ownCodes(facts).includes(code) || isAwaited(facts, code, at))
  const standings = codes.map((code) => standingOf(facts, code, at))
  const deadlines = standings.flatMap((one) => ('deadline' in one && one.deadline !== null ? [one.deadline] : []))
  return {
    dueAt: standings.some(({ is }) => is === 'eventual') ? facts.activatedAt + dueAfterMs : null,
    deadline: deadlines.length > 0 ? Math.min(...deadlines) : null,
  }
}

/** Whether the deadline of a code that only capabilities ask for is to come, or one of them is not restricted yet. */
const isAwaited = (facts: AccountFacts, code: RequirementCode, at: number): boolean =>
  standingOf(facts, code, at).is !== 'past' ||
  facts.requested.some((capability) => {
    const status = facts.statuses[capability]
    return extrasOf(capability, facts).includes(code) && (status === 'active' || status === 'pending')
  })

/** What is restricted at a deadline: the whole account, or these capabilities. */
export const restrictedAt = (facts: AccountFacts, deadline: number): 'account' | Capability[] =>
  isPastDue(facts, deadline)
    ? 'account'
    : capabilityStatusesOf(facts, deadline).flatMap(([name, status]) => (status === 'restricted' ? [name] : []))
