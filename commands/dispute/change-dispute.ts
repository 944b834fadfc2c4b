import { Payment } from '../../db/checkout/payment.ts'
import { type EntityManager, lock } from '../../db/core/database.ts'
import type { Dispute } from '../../db/dispute/dispute.ts'
import {
  disputeFeeOf,
  type DisputeResolution,
  disputableOf,
  holdsMoney,
  moveDispute,
  takenBy,
} from '../../domain/dispute/dispute.ts'
import { dueSoonAheadMs } from '../../domain/dispute/next-step.ts'
import { isLess } from '../../domain/money.ts'
import { hasOpenRefund } from '../../domain/refund.ts'
import { holdDisputed, payDisputed, releaseDisputed } from './hold.ts'
import { recordDispute } from './record-dispute.ts'

/**
 * Ends a dispute with its money and its event. The running transaction has locked the dispute. What was held is
 * released where it is won, and leaves where it is lost.
 */
export async function endDispute(
  em: EntityManager,
  dispute: Dispute,
  end: 'won' | 'lost',
  resolution: DisputeResolution,
  at: number,
): Promise<void> {
  // Before any balance, as every movement of a charge does: two commits in other orders would wait for each other.
  const charge = holdsMoney(dispute.status) ? await lock(em, Payment, dispute.paymentId) : null
  moveDispute(dispute, end)
  dispute.resolution = resolution
  conclude(dispute, at)
  if (charge && end === 'lost') await payDisputed(em, dispute, at)
  if (charge && end === 'won') await releaseDisputed(em, dispute, charge, at)
  await recordDispute(em, dispute, `dispute.${end}`, at)
}

/**
 * A warning has led to no dispute so far: the charge was refunded, of which the network still has to be told, or the
 * network itself has blocked it.
 */
export async function preventDispute(
  em: EntityManager,
  dispute: Dispute,
  at: number,
  by: 'refund' | 'network' = 'refund',
): Promise<void> {
  moveDispute(dispute, 'prevented')
  dispute.railDue = by === 'refund' ? 'acceptance' : null
  conclude(dispute, at)
  await recordDispute(em, dispute, 'dispute.updated', at)
}

function conclude(dispute: Dispute, at: number): void {
  dispute.resolvedAt = new Date(at)
  dispute.nextPollAt = null
}

/**
 * A dispute that a network had announced is raised now, also where a refund seemed to have prevented it: its amount and
 * fee are held, and evidence is taken until `dueAt`, in milliseconds since the epoch. Where refunds and other disputes
 * have left nothing of the charge, it is prevented instead; but while a refund may still fail, it stays as it is, and
 * the network is asked again.
 */
export async function raiseDispute(em: EntityManager, dispute: Dispute, dueAt: number, at: number): Promise<void> {
  const charge = await lock(em, Payment, dispute.paymentId)
  if (!isLess('0', disputableOf(charge))) {
    return hasOpenRefund(charge) || dispute.status === 'prevented' ? undefined : preventDispute(em, dispute, at)
  }
  moveDispute(dispute, 'needs_response')
  dispute.amount = takenBy(dispute.amount, charge)
  dispute.fee = disputeFeeOf(dispute.currency)
  dispute.evidenceDueAt = new Date(dueAt)
  dispute.nextPollAt = null
  dispute.railDue = null
  dispute.resolvedAt = null
  await holdDisputed(em, dispute, charge, at)
  await recordDispute(em, dispute, 'dispute.updated', at)
}

/**
 * The network takes evidence for longer than it has said before: until `dueAt`, in milliseconds since the epoch. A
 * merchant who was told that 48 hours are left is told so again, 48 hours before the new deadline.
 */
export async function extendDeadline(em: EntityManager, dispute: Dispute, dueAt: number, at: number): Promise<void> {
  dispute.evidenceDueAt = new Date(dueAt)
  if (at < dueAt - dueSoonAheadMs) dispute.remindedAt = null
  await recordDispute(em, dispute, 'dispute.updated', at)
}
