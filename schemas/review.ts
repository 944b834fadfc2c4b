import Type, { type Static } from 'typebox'
import type { Review as ReviewRow } from '../db/review/review.ts'
import { outcomes, reviewStates, reviewTypes } from '../domain/review.ts'
import { environments } from '../domain/access/scope.ts'
import { id, iso, isoOrNull, Money, nullable, PayoutCurrencyCode, Timestamp } from './common.ts'

export const Review = Type.Object(
  {
    review_id: id('rvw'),
    type: Type.Enum([...reviewTypes]),
    resource_id: Type.String(),
    account_id: id('acct'),
    environment: Type.Enum([...environments]),
    state: Type.Enum([...reviewStates]),
    reason: Type.String({ description: 'Why it needs a review.' }),
    claimed_by: nullable(id('usr')),
    claimed_at: nullable(Timestamp),
    reminds_at: Timestamp,
    reminded_at: nullable(Timestamp),
    escalates_at: Timestamp,
    escalated_at: nullable(Timestamp),
    decision: nullable(Type.Enum([...outcomes])),
    decision_reason: nullable(Type.String()),
    decided_by: nullable(id('usr')),
    decided_at: nullable(Timestamp),
    created_at: Timestamp,
  },
  { $id: 'Review' },
)

const text = nullable(Type.String())

/** The subject of a review, with the details that staff need to tell reviews apart in the queue. */
export const ReviewSubject = Type.Object(
  {
    amount: nullable(Money),
    currency: nullable(PayoutCurrencyCode),
    destination: nullable(id('pd')),
    destination_name: text,
    account_holder: text,
    holder_at_bank: text,
    last_four: nullable(Type.String({ description: 'The end of the account number, phone number or wallet address.' })),
  },
  { $id: 'ReviewSubject' },
)

export const ListedReview = Type.Object(
  { ...Review.properties, account_name: text, claimed_by_name: text, subject: ReviewSubject },
  { $id: 'ListedReview' },
)

export const presentReview = (row: ReviewRow): Static<typeof Review> => ({
  review_id: row.id,
  type: row.type,
  resource_id: row.resourceId,
  account_id: row.accountId,
  environment: row.environment,
  state: row.state,
  reason: row.reason,
  claimed_by: row.claimedBy,
  claimed_at: isoOrNull(row.claimedAt),
  reminds_at: iso(row.remindsAt),
  reminded_at: isoOrNull(row.remindedAt),
  escalates_at: iso(row.escalatesAt),
  escalated_at: isoOrNull(row.escalatedAt),
  decision: row.decision,
  decision_reason: row.decisionReason,
  decided_by: row.decidedBy,
  decided_at: isoOrNull(row.decidedAt),
  created_at: iso(row.createdAt),
})
