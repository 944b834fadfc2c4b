import type { Payment } from '../../db/checkout/payment.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { Dispute } from '../../db/dispute/dispute.ts'
import { Refund } from '../../db/refund/refund.ts'
import { claimsMoney, disputeStatuses } from '../../domain/dispute/dispute.ts'
import { isLess, isZero } from '../../domain/money.ts'
import { isRefundedInFull, refundableOf } from '../../domain/refund.ts'
import { holdsOf } from './hold.ts'

/**
 * Whether refunds have returned all of a charge that could be returned, so that the disputes that were announced about
 * it are prevented. Where another dispute has taken what the last refund had left, nothing prevents them.
 */
export const isPreventedByRefunds = async (em: EntityManager, charge: Payment): Promise<boolean> =>
  isRefundedInFull(charge) && (await isLastTakenByRefund(em, charge))

/**
 * Whether the last that has taken money of a charge is a refund, which may be under way, and not a dispute. The order
 * of the postings says it: on a test clock all may be of one moment (decision 0072). Where refunds take all that has
 * settled, a dispute can only take the fee of the sale beside them.
 */
export async function isLastTakenByRefund(em: EntityManager, charge: Payment): Promise<boolean> {
  const { id } = charge
  const settled = refundableOf(charge)
  if (!isZero(settled) && !isLess(charge.refundClaimed, settled)) return true
  const refunds = await em.find(Refund, { chargeId: id, status: { $ne: 'failed' } })
  if (refunds.length === 0) return false
  const status = { $in: disputeStatuses.filter(claimsMoney) }
  const disputes = await em.find(Dispute, { paymentId: id, status })
  const holds = (await Promise.all(disputes.map((dispute) => holdsOf(em, dispute.id)))).flat()
  if (holds.length === 0) return true // no dispute, or only ones for which nothing was left
  const [last] = await em.execute<{ kind: string }[]>(
    `select t.kind from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
       where (t.kind = 'refund_hold' and t.source_id in (?)) or (t.kind = 'dispute_hold' and t.source_id in (?))
       group by t.kind order by max(e.id) desc limit 1`,
    [refunds.map((refund) => refund.id), holds],
  )
  return last?.kind === 'refund_hold'
}
