import Type, { type Static } from 'typebox'
import type { Review as ReviewRow } from '../db/review.ts'
import { decisions, reviewStates, reviewTypes } from '../domain/review.ts'
import { environments } from '../domain/scope.ts'
import { id, iso, isoOrNull, nullable, Timestamp } from './common.ts'

export const Review = Type.Object(
  {
    review_id: id('rvw'),
    type: Type.Enum([...reviewTypes]),
    resource_id: Type.String(),
    account_id: id('acct'),
    environment: Type.Enum([...environments]),
    state: Type.Enum([...reviewStates]),
    reason: Type.String({ description: 'Why somebody has to look at it.' }),
    claimed_by: nullable(id('usr')),
    claimed_at: nullable(Timestamp),
    reminds_at: Timestamp,
    escalates_at: Timestamp,
    escalated_at: nullable(Timestamp),
    decision: nullable(Type.Enum([...decisions])),
    decision_reason: nullable(Type.String()),
    decided_by: nullable(id('usr')),
    decided_at: nullable(Timestamp),
    created_at: Timestamp,
  },
  { $id: 'Review' },
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
  escalates_at: iso(row.escalatesAt),
  escalated_at: isoOrNull(row.escalatedAt),
  decision: row.decision,
  decision_reason: row.decisionReason,
  decided_by: row.decidedBy,
  decided_at: isoOrNull(row.decidedAt),
  created_at: iso(row.createdAt),
})
