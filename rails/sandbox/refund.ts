import type { Database } from '../../db/core/database.ts'
import { SimulatedRefund } from './book.ts'
import type { RefundAnswer, RefundOrder, RefundRail } from '../rail.ts'
import { unansweredReference } from './test-values.ts'

/** Refunds of every simulated rail: one book, keyed by our refund id, so that a repeated order is the same refund. */
export function createSimulatedRefunds({ orm }: Database): RefundRail<'sandbox'> {
  async function lookUpRefund(refundId: string): Promise<RefundAnswer> {
    const known = await orm.em.fork().findOne(SimulatedRefund, { refundId })
    if (!known) return 'not_found'
    return known.status === 'processing' ? 'unknown' : known.status
  }
  return {
    async refund(order) {
      await orm.em.fork().execute(
        `insert into simulated_refunds (refund_id, payment_id, amount, currency, status, executions)
         values (?, ?, ?, ?, ?, ?) on conflict (refund_id) do nothing`,
        [order.refundId, order.paymentId, order.amount, order.currency, ...outcomeOf(order)],
      )
      return lookUpRefund(order.refundId)
    },
    lookUpRefund,
  }
}

/** Columns `status` and `executions` of a new refund. */
function outcomeOf({ reference, simulatedOutcome }: RefundOrder): unknown[] {
  if (reference === unansweredReference) return ['processing', 0]
  return simulatedOutcome === 'failed' ? ['failed', 0] : ['succeeded', 1]
}
