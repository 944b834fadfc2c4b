import type { EntityManager } from '../../db/core/database.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import type { Dispute } from '../../db/dispute/dispute.ts'
import { nextDisputeStep } from '../../domain/dispute/next-step.ts'
import { revise } from '../../domain/revision.ts'
import { presentDispute } from '../../schemas/dispute/dispute.ts'

type DisputeEvent = 'dispute.updated' | 'dispute.evidence_due_soon' | 'dispute.won' | 'dispute.lost'

/** Records an event of a changed dispute in its current form, and computes what it does next. */
export async function recordDispute(
  em: EntityManager,
  dispute: Dispute,
  type: DisputeEvent,
  at: number,
): Promise<void> {
  setNextStep(dispute)
  dispute.updatedAt = new Date(at)
  revise(dispute)
  await recordEvent(em, dispute, { type, resourceId: dispute.id, data: presentDispute(dispute) }, at)
}

/** Computes what a changed dispute does next by itself. */
export function setNextStep(dispute: Dispute): void {
  const next = nextDisputeStep(dispute)
  dispute.wakesAt = next && next.at
  dispute.wakesFor = next && next.step
}
