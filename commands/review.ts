import { LockMode } from '@mikro-orm/core'
import { newId } from '../domain/id.ts'
import { Refusal } from '../domain/refusal.ts'
import { assertNotClaimedByAnother, deadlinesOf, mayDecide, type Outcome } from '../domain/review.ts'
import { audit } from '../db/core/audit.ts'
import type { Tenant } from '../db/core/columns.ts'
import { actsAs, type EntityManager } from '../db/core/database.ts'
import { Review, ReviewDecision } from '../db/review/review.ts'

/** One statement of a resource, which staff have to review. */
export type ReviewSubject = Pick<Review, 'type' | 'resourceId' | 'revision'>

/**
 * Puts a resource into the queue of the review desk; `reason` names no personal data. The sandbox may decide by itself,
 * at `decidesAt`, in milliseconds since the epoch.
 */
export function openReview(
  em: EntityManager,
  subject: ReviewSubject & Tenant & { reason: string; decidesAt?: number | null },
  at: number,
): Review {
  const { type, resourceId, revision, accountId, environment, reason, decidesAt = null } = subject
  return em.create(Review, {
    type,
    resourceId,
    revision,
    accountId,
    environment,
    reason,
    id: newId('rvw', at),
    state: 'open' as const,
    decidesAt: decidesAt === null ? null : new Date(decidesAt),
    ...deadlinesOf(at),
    remindedAt: null,
    escalatedAt: null,
    claimedBy: null,
    claimedAt: null,
    decision: null,
    decidedBy: null,
    decisionReason: null,
    decidedAt: null,
    createdAt: new Date(at),
    updatedAt: new Date(at),
  })
}

/** The review of a statement, locked. The transaction has locked the resource first. */
export const lockReview = (em: EntityManager, { type, resourceId, revision }: ReviewSubject): Promise<Review> =>
  em.findOneOrFail(Review, { type, resourceId, revision }, { lockMode: LockMode.PESSIMISTIC_WRITE })

/** Takes an open review out of the queue, because its subject has changed. */
export async function withdrawReview(em: EntityManager, subject: ReviewSubject, at: number): Promise<void> {
  const review = await lockReview(em, subject)
  if (review.state === 'open') Object.assign(review, { state: 'withdrawn', updatedAt: new Date(at) })
}

type DecisionTerms = { decision: Outcome; reason: string | null; by: string | null }

/**
 * Decides a locked review. False when the same decision was already made; another one is refused. `by` null: the
 * sandbox.
 */
export function decideReview(review: Review, { decision, reason, by }: DecisionTerms, at: number): boolean {
  if (!mayDecide(review, decision)) return false
  Object.assign(review, {
    state: 'decided',
    decision,
    decisionReason: reason,
    decidedBy: by,
    decidedAt: new Date(at),
    updatedAt: new Date(at),
  })
  return true
}

/**
 * Applies a stored decision of staff to its review, with an entry in the audit log. The transaction has locked the
 * resource. A decision about an earlier statement is refused, unless it was applied to that one. Null: there is nothing
 * to do.
 */
export async function applyStoredDecision(em: EntityManager, decisionId: string, subject: ReviewSubject, at: number) {
  const stored = await em.findOne(ReviewDecision, { id: decisionId })
  if (!stored) throw new Refusal('NOT_FOUND', 'no such decision')
  const review = await lockReview(em, subject)
  if (stored.reviewId !== review.id) {
    // A step whose answer was lost is made again, and the subject may have changed after its first try.
    if (await isApplied(em, stored)) return null
    throw new Refusal('CONFLICT', 'the subject of the review has changed')
  }
  const { decision, reason, errors, userId, address } = stored
  actsAs(em, 'reviewer', userId)
  // By the real time, as the claim is: the test clock of the subject may be far from it.
  if (review.state === 'open') assertNotClaimedByAnother(review, userId, stored.createdAt.getTime())
  if (!decideReview(review, { decision, reason, by: userId }, at)) return null
  const action = `${review.type}.${audited[decision]}`
  audit(em, { action, accountId: review.accountId, userId, address, target: review.resourceId, reason }, at)
  return { decision, reason, errors: errors ?? [] }
}

async function isApplied(em: EntityManager, { reviewId, decision, userId }: ReviewDecision): Promise<boolean> {
  const review = await em.findOneOrFail(Review, { id: reviewId })
  return review.decision === decision && review.decidedBy === userId
}

const audited: Record<Outcome, string> = {
  approve: 'approved',
  reject: 'rejected',
  request_information: 'asked_for_information',
}

/** Reserves an open review for one person for a while; anybody else is refused until the claim has expired. */
export function claimReview(review: Review, userId: string, at: number): void {
  if (review.state !== 'open') throw new Refusal('CONFLICT', `the review is ${review.state}`)
  assertNotClaimedByAnother(review, userId, at)
  Object.assign(review, { claimedBy: userId, claimedAt: new Date(at), updatedAt: new Date(at) })
}
