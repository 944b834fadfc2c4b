import { LockMode } from '@mikro-orm/core'
import Type from 'typebox'
import { audit } from '../../db/core/audit.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { claimReview as claim, type ReviewSubject } from '../../commands/review.ts'
import { type DecidedError, Review as ReviewRow, ReviewDecision } from '../../db/review/review.ts'
import { type FieldError, Refusal } from '../../domain/refusal.ts'
import { decisions, type Outcome } from '../../domain/review.ts'
import { idParameter, notBlank, nullable } from '../../schemas/common.ts'
import { presentReview, Review } from '../../schemas/review.ts'
import { type Call, operation } from '../http/operation.ts'
import { forStaff, staffOf } from '../http/staff.ts'

export const claimReview = operation({
  ...forStaff,
  method: 'post',
  path: '/api/v1/admin/reviews/{review_id}/claim',
  summary: 'Claim a review: for an hour nobody else can claim or decide it',
  params: Type.Object({ review_id: idParameter('rvw') }),
  returns: [200, Review],
  refuses: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],

  async handle({ params, caller, em, now }) {
    const userId = staffOf(caller)
    const review = await em.findOne(ReviewRow, { id: params.review_id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (!review) throw new Refusal('NOT_FOUND', 'no such review')
    claim(review, userId, now)
    const { accountId, id: target } = review
    audit(em, { action: 'review.claimed', accountId, userId, address: caller.address, target }, now)
    return presentReview(review)
  },
})

/** A reviewer's decision about a resource. */
export const DecideReview = Type.Object(
  {
    decision: Type.Enum([...decisions]),
    reason: Type.Optional(
      nullable(
        Type.String({
          maxLength: 500,
          pattern: notBlank,
          description: 'Required to reject. The merchant can read it.',
        }),
      ),
    ),
    review_id: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The review that the decision is about; refused if a newer one is open.',
      }),
    ),
  },
  { $id: 'DecideReview' },
)

export const validateDecision = ({ decision, reason }: Record<string, unknown>): FieldError[] =>
  decision === 'reject' && (reason === undefined || reason === null)
    ? [{ field: 'reason', message: 'is required to reject', type: 'value_error.missing' }]
    : []

type DecisionCall = Pick<Call<undefined, undefined, undefined>, 'caller' | 'now' | 'callId'> & { body: DecisionBody }
type DecisionBody = {
  decision: Outcome
  reason?: string | null | undefined
  review_id?: string | undefined
  /** Of an account: what has to be provided once more. */
  errors?: DecidedError[] | undefined
}

/**
 * Stores a staff member's decision about a statement of a resource, under the call's id. The resource's process gets
 * that id and applies the decision (`applyStoredDecision`); before that nothing is decided.
 */
export async function storeDecision(
  em: EntityManager,
  subject: ReviewSubject,
  { body, caller, now, callId }: DecisionCall,
) {
  const { type, resourceId, revision } = subject
  const review = await em.findOne(ReviewRow, { type, resourceId, revision })
  if (!review) throw new Refusal('CONFLICT', 'no review is required')
  if (body.review_id !== undefined && body.review_id !== review.id) {
    throw new Refusal('CONFLICT', 'this review has been replaced by a newer one')
  }
  const { decision, reason = null, errors = null } = body
  await em.fork().insert(ReviewDecision, {
    id: callId,
    reviewId: review.id,
    decision,
    reason,
    errors,
    userId: staffOf(caller),
    address: caller.address,
    createdAt: new Date(now),
  })
}
