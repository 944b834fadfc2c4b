import { isDeepStrictEqual } from 'node:util'
import type { EntityManager } from '../../db/core/database.ts'
import { type AccountFile, factsOf } from '../../db/platform/account-file.ts'
import { Review, ReviewDecision } from '../../db/review/review.ts'
import { type AccountDecision, sandboxAccountDecision } from '../../domain/platform/account-review.ts'
import { moveAccount, statusAfterChange } from '../../domain/platform/account-status.ts'
import { isOneOf } from '../../domain/narrow.ts'
import type { RequirementCode } from '../../domain/platform/requirement-code.ts'
import { requirementCodes } from '../../domain/platform/requirement-code.ts'
import {
  askedCodes,
  deadlinesAfterReturn,
  graceMs,
  type RequirementError,
  unverifiedOf,
} from '../../domain/platform/requirement.ts'
import { Refusal } from '../../domain/refusal.ts'
import { alreadyDecided } from '../../domain/review.ts'

/** What the sandbox decides about an account as it is; null in live, and where it leaves that to staff. */
export function sandboxDecisionOf(file: AccountFile, at: number) {
  const { profile, persons } = file
  if (profile.environment !== 'sandbox') return null
  const representative = persons.find(({ isRepresentative }) => isRepresentative)
  const { registration_number: registrationNumber } = profile.company
  const idNumberLastFour = representative?.idNumberLastFour ?? null
  return sandboxAccountDecision({ registrationNumber, idNumberLastFour, askedCodes: askedCodes(factsOf(file)) }, at)
}

type Decided = Omit<AccountDecision, 'errors'> & { errors: readonly { code: string; reason: string }[] }

/**
 * Ends the open review of a locked account. `at` is in milliseconds since the epoch. Refused with `CONFLICT` where
 * staff ask for information and for nothing that the account still has to provide.
 */
export function applyOutcome(
  { profile, ...file }: AccountFile,
  { outcome, reason, errors }: Decided,
  at: number,
): void {
  const whole = { profile, ...file }
  profile.isReviewing = false
  profile.statusReason = outcome === 'approve' ? null : reason
  if (outcome === 'reject') return moveAccount(profile, 'rejected')
  // Operators have let it go live since: nothing is asked of it, so that nothing is accepted either.
  if (factsOf(whole).isExempt) return moveAccount(profile, 'active')
  if (outcome === 'request_information') {
    const asked = askedCodes(factsOf(whole))
    const still = errors.filter(isAboutCode).filter(({ code }) => asked.includes(code))
    if (still.length === 0) throw new Refusal('CONFLICT', 'the account is not asked for this any more')
    askAgain(whole, still, at)
    return moveAccount(profile, statusAfterChange(factsOf(whole), at))
  }
  const accepted = unverifiedOf(factsOf(whole))
  profile.verified = [...profile.verified, ...accepted]
  profile.deadlines = without(profile.deadlines, accepted)
  if (profile.status !== 'active') profile.deadlines = deadlinesAfterReturn(factsOf(whole), at)
  profile.activatedAt ??= new Date(at)
  // From now on its people see live data, whatever is decided later.
  if (profile.environment === 'live') file.account.paymentsEnabled = true
  moveAccount(profile, 'active')
}

/**
 * Refuses a stored request of staff that asks for something else than the one that has ended its review: nothing of it
 * would be applied. The step of the applied one may be made again, also after a part of it was provided.
 */
export async function assertNothingElseAsked(em: EntityManager, decisionId: string, { profile }: AccountFile) {
  const { reviewId, decision, errors } = await em.findOneOrFail(ReviewDecision, { id: decisionId })
  const isAsked = (error: object) => profile.errors.some((each) => isDeepStrictEqual(each, error))
  if (!errors || errors.every(isAsked)) return
  const { decidedBy: userId } = await em.findOneOrFail(Review, { id: reviewId })
  const ofDecider = { reviewId, decision, userId }
  const [applied] = await em.find(ReviewDecision, ofDecider, { orderBy: { createdAt: 1, id: 1 }, limit: 1 })
  if (applied?.id !== decisionId) throw new Refusal('CONFLICT', alreadyDecided)
}

const isAboutCode = (error: { code: string; reason: string }): error is RequirementError =>
  isOneOf(requirementCodes, error.code)

/** Asks for codes once more. An account that was active before has two weeks, however late it is. */
function askAgain({ profile }: AccountFile, errors: readonly RequirementError[], at: number): void {
  const asked = errors.map(({ code }) => code)
  const others = profile.errors.filter(({ code }) => !asked.includes(code))
  profile.errors = [...others, ...errors.map(({ code, reason }) => ({ code, reason }))]
  profile.verified = profile.verified.filter((code) => !asked.includes(code))
  if (profile.activatedAt === null) return
  profile.deadlines = { ...profile.deadlines, ...Object.fromEntries(asked.map((code) => [code, at + graceMs])) }
}

const without = <T extends object>(record: T, keys: readonly RequirementCode[]): T =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !isOneOf(keys, key))) as T
