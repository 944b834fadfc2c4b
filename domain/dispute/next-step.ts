import { hourMs } from '../duration.ts'
import type { DisputeStatus } from './dispute.ts'

/** What a dispute does by itself: it tells the merchant that 48 hours are left, or is lost because nobody answered. */
export const disputeSteps = ['evidence_due_soon', 'evidence_deadline'] as const
export type DisputeStep = (typeof disputeSteps)[number]

/** How long before the deadline the merchant is told (docs/contract/refund.md, "Disputes"). */
export const dueSoonAheadMs = 48 * hourMs

type DisputeTimes = { status: DisputeStatus; evidenceDueAt: Date; remindedAt: Date | null }

/** The next step of a dispute, and when it is due; null: it waits for somebody else. */
export function nextDisputeStep({
  status,
  evidenceDueAt,
  remindedAt,
}: DisputeTimes): { step: DisputeStep; at: Date } | null {
  if (status !== 'needs_response') return null
  if (remindedAt) return { step: 'evidence_deadline', at: evidenceDueAt }
  return { step: 'evidence_due_soon', at: new Date(evidenceDueAt.getTime() - dueSoonAheadMs) }
}
