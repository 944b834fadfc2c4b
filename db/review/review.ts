import { defineEntity, p } from '@mikro-orm/core'
import { outcomes, reviewStates, reviewTypes } from '../../domain/review.ts'
import { moment, tenant } from '../core/columns.ts'

/** When the next thing happens in an open review; null after its escalation. */
export const reviewWakesAt =
  'case when escalated_at is not null then null when reminded_at is not null then escalates_at ' +
  'when decides_at is not null then decides_at else reminds_at end'

const schema = defineEntity({
  name: 'Review',
  tableName: 'reviews',
  properties: {
    id: p.string().primary(),
    ...tenant,
    type: p.enum(reviewTypes),
    // The destination, payout or account. A destination or an account has one review for each statement.
    resourceId: p.string().index('reviews_by_resource'),
    revision: p.integer().default(1),
    state: p.enum(reviewStates).default('open'),
    // Why staff have to review it; it names no personal data.
    reason: p.string().length(500),
    // When the sandbox decides by itself; null where staff have to.
    decidesAt: moment().nullable(),
    // When staff are reminded, and when the review is escalated.
    remindsAt: moment(),
    escalatesAt: moment(),
    remindedAt: moment().strictNullable(),
    escalatedAt: moment().strictNullable(),
    claimedBy: p.string().strictNullable(),
    claimedAt: moment().strictNullable(),
    decision: p.enum(outcomes).strictNullable(),
    // Null where the sandbox has decided.
    decidedBy: p.string().strictNullable(),
    decisionReason: p.string().length(500).strictNullable(),
    decidedAt: moment().strictNullable(),
    createdAt: moment(),
    updatedAt: moment(),
  },
  checks: [{ name: 'reviews_are_decided_at_a_time', expression: "(decided_at is not null) = (state = 'decided')" }],
  uniques: [{ name: 'reviews_once', properties: ['type', 'resourceId', 'revision'] }],
  indexes: [
    { name: 'reviews_newest', properties: ['createdAt', 'id'] },
    { name: 'reviews_by_due', properties: ['remindsAt', 'id'] },
    { name: 'reviews_of_claimer', properties: ['claimedBy', 'createdAt', 'id'], where: 'claimed_by is not null' },
    { name: 'reviews_queue', properties: ['state', 'createdAt', 'id'] },
    { name: 'reviews_due', properties: ['state', 'remindsAt', 'id'] },
    { name: 'reviews_claimed', properties: ['claimedBy', 'remindsAt', 'id'], where: "state = 'open'" },
    {
      name: 'reviews_waiting',
      expression:
        'create index "reviews_waiting" on "reviews" ("account_id", "environment", ' +
        `(${reviewWakesAt}), "resource_id") where state = 'open'`,
    },
  ],
})
/** A decision that the platform's staff have to make. Open ones are the queue of the review desk. */
export class Review extends schema.class {}
schema.setClass(Review)

/** What staff ask for once more: a code of the requirements, and why, in words for the merchant. */
export type DecidedError = { code: string; reason: string }

const decisionSchema = defineEntity({
  name: 'ReviewDecision',
  tableName: 'review_decisions',
  properties: {
    id: p.string().primary(),
    reviewId: p.string().index('review_decisions_by_review'),
    decision: p.enum(outcomes),
    reason: p.string().length(500).strictNullable(),
    // Of an account: what has to be provided once more, and why. Null for everything else.
    errors: p.json<DecidedError[]>().strictNullable(),
    userId: p.string(),
    // The IP address that the call came from, for the audit log.
    address: p.string().length(64),
    createdAt: moment(),
  },
})
/**
 * The decision of a member of staff about a review. The process receives only its id, so that no text gets into a
 * history.
 */
export class ReviewDecision extends decisionSchema.class {}
decisionSchema.setClass(ReviewDecision)
