import { endDispute } from '../../commands/dispute/change-dispute.ts'
import { isLastTakenByRefund } from '../../commands/dispute/prevention.ts'
import { recordDispute } from '../../commands/dispute/record-dispute.ts'
import { sendBack } from '../../commands/send-back.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { actsAs, type EntityManager, lock } from '../../db/core/database.ts'
import type { Dispute } from '../../db/dispute/dispute.ts'
import { assertAnswerable, moveDispute } from '../../domain/dispute/dispute.ts'
import { hasEvidence } from '../../domain/dispute/evidence.ts'
import { isZero } from '../../domain/money.ts'
import { nextPollAt } from '../../domain/rail-polls.ts'
import { remainingOf } from '../../domain/refund.ts'
import { Refusal } from '../../domain/refusal.ts'
import { revise } from '../../domain/revision.ts'

/** Submits the evidence of a dispute that the running transaction has locked. The same call again changes nothing. */
export async function submitEvidence(em: EntityManager, dispute: Dispute, callId: string, at: number): Promise<void> {
  if (dispute.submittedBy === callId) return
  assertAnswerable(dispute, at)
  // Another call may have cleared it since this one was checked.
  if (!hasEvidence(dispute.evidence, dispute.prefilled)) throw new Refusal('CONFLICT', 'there is no evidence to submit')
  actsAs(em, 'merchant')
  moveDispute(dispute, 'under_review')
  dispute.submittedAt = new Date(at)
  dispute.submittedBy = callId
  dispute.submissionCount += 1
  dispute.railDue = 'evidence'
  dispute.nextPollAt = new Date(nextPollAt(at, at))
  await recordDispute(em, dispute, 'dispute.updated', at)
}

/**
 * Accepts a dispute that the running transaction has locked: it is lost at once. After a warning it refunds what is
 * left of the charge instead, and the account bears the fee; the warning ends when the money is sent. The same call
 * again changes nothing.
 */
export async function acceptDispute(em: EntityManager, dispute: Dispute, callId: string, at: number): Promise<void> {
  if (dispute.acceptedBy === callId) return
  actsAs(em, 'merchant')
  if (dispute.status === 'early_warning') {
    const charge = await lock(em, Payment, dispute.paymentId)
    if (isZero(remainingOf(charge)) && !(await isLastTakenByRefund(em, charge)))
      throw new Refusal('CONFLICT', 'other disputes have left nothing of the charge to refund')
    await sendBack(em, charge, { reason: 'dispute_warning', feeBearer: 'ORG' }, at)
    dispute.acceptedBy = callId
    return revise(dispute)
  }
  assertAnswerable(dispute, at)
  dispute.acceptedBy = callId
  dispute.railDue = 'acceptance'
  await endDispute(em, dispute, 'lost', 'accepted', at)
}
