import { hourMs } from './duration.ts'
import { Refusal } from './refusal.ts'

export const reviewTypes = ['payout_destination', 'payout', 'account'] as const
export type ReviewType = (typeof reviewTypes)[number]
export const reviewStates = ['open', 'decided', 'withdrawn'] as const
export const decisions = ['approve', 'reject'] as const
export type Decision = (typeof decisions)[number]
/** How a review ends. Only that of an account may end with a request for more information. */
export const outcomes = [...decisions, 'request_information'] as const
export type Outcome = (typeof outcomes)[number]

/** The outcome of a review that can only be approved or rejected. */
export function decisionOf(outcome: Outcome): Decision {
  if (outcome === 'request_information') throw new Refusal('CONFLICT', 'this can only be approved or rejected')
  return outcome
}

/** Staff are reminded of an undecided review after a day, and the lead reviewers are mailed after three. */
const remindAfterMs = 24 * hourMs
const escalateAfterMs = 72 * hourMs
/** How long a claim reserves a review for one reviewer. */
export const claimMs = hourMs

/** When staff are reminded of a review opened `at`, and when it is escalated, in milliseconds since the epoch. */
export const deadlinesOf = (at: number) => ({
  remindsAt: new Date(at + remindAfterMs),
  escalatesAt: new Date(at + escalateAfterMs),
})

type Marks = Record<'remindsAt' | 'escalatesAt', Date> & Record<'remindedAt' | 'escalatedAt', Date | null>

/** The next mail about an undecided review, and when it is due; null after the escalation. */
export function nextReminder(review: Marks): { what: 'remind' | 'escalate'; at: number } | null {
  if (review.escalatedAt) return null
  if (review.remindedAt) return { what: 'escalate', at: review.escalatesAt.getTime() }
  return { what: 'remind', at: review.remindsAt.getTime() }
}

type Claim = { claimedBy: string | null; claimedAt: Date | null }

/** Whether somebody has claimed the review and the claim has not expired by the real time `at`. */
export const isClaimed = ({ claimedBy, claimedAt }: Claim, at: number): boolean =>
  claimedBy !== null && (claimedAt === null || at - claimedAt.getTime() < claimMs)

/** Refuses when somebody else has claimed the review and the claim has not expired. */
export function assertNotClaimedByAnother(claim: Claim, userId: string, at: number): void {
  if (claim.claimedBy === userId || !isClaimed(claim, at)) return
  throw new Refusal('CONFLICT', 'somebody else has claimed the review')
}

type ReviewState = { state: (typeof reviewStates)[number]; decision: Outcome | null }

/** Whether a decision may be made. False for the same decision again, which changes nothing; any other is refused. */
export function mayDecide({ state, decision: taken }: ReviewState, decision: Outcome): boolean {
  if (state === 'open') return true
  if (state === 'decided' && taken === decision) return false
  throw new Refusal('CONFLICT', state === 'decided' ? alreadyDecided : 'the subject of the review has changed')
}

export const alreadyDecided = 'another decision was made already'
