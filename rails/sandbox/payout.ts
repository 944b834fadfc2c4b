import { createHash } from 'node:crypto'
import type { Database } from '../../db/core/database.ts'
import { SimulatedPayout } from './payout-book.ts'
import type { DestinationType } from '../../domain/payout/destination.ts'
import type { PayoutAnswer, PayoutOrder, PayoutRail, PayoutTarget } from '../payout-rail.ts'
import { type PayoutBehaviour, testPayouts, usualPayout } from './test-values.ts'

/**
 * A payout rail, simulated. All of them share one book, keyed by our payout id, so that a repeated order is the same
 * payout.
 */
export function createSimulatedPayouts({ orm }: Database, type: DestinationType): PayoutRail<'sandbox'> {
  async function lookUpPayout(payoutId: string, at: number): Promise<PayoutAnswer> {
    const em = orm.em.fork()
    await em.execute(
      `update simulated_payouts set status = outcome,
         executions = executions + case outcome when 'completed' then 1 else 0 end
       where payout_id = ? and status = 'processing' and outcome <> 'never' and answers_at <= ?`,
      [payoutId, new Date(at)],
    )
    return answerOf(await em.findOne(SimulatedPayout, { payoutId }))
  }
  return {
    async payOut(order, at) {
      // One that was cancelled before it came has no amount yet, and stays cancelled.
      const { outcome, afterMs } = behaviourOf(order)
      await orm.em.fork().execute(
        `insert into simulated_payouts as s (payout_id, trace_id, type, amount, currency, outcome, answers_at)
         values (?, ?, ?, ?, ?, ?, ?) on conflict (payout_id) do update set orders = s.orders + 1,
           amount = case s.currency when '' then excluded.amount else s.amount end,
           currency = case s.currency when '' then excluded.currency else s.currency end`,
        [order.payoutId, traceOf(order.payoutId), type, order.amount, order.currency, outcome, new Date(at + afterMs)],
      )
      return lookUpPayout(order.payoutId, at)
    },
    lookUpPayout,
    async cancelPayout(payoutId, at) {
      const em = orm.em.fork()
      await em.execute(
        `insert into simulated_payouts
           (payout_id, trace_id, type, amount, currency, outcome, answers_at, status, orders)
         values (?, ?, ?, 0, '', 'never', ?, 'cancelled', 0)
         on conflict (payout_id) do update set status = 'cancelled' where simulated_payouts.status = 'processing'`,
        [payoutId, traceOf(payoutId), type, new Date(at)],
      )
      return lookUpPayout(payoutId, at)
    },
  }
}

function behaviourOf({ target, simulatedOutcome }: PayoutOrder): PayoutBehaviour {
  const lastFour = lastFourOf(target)
  const behaviour = testPayouts.find(({ ending }) => ending === lastFour) ?? usualPayout
  if (simulatedOutcome === null) return behaviour
  const outcome = simulatedOutcome === 'success' ? 'completed' : 'failed'
  return { outcome, afterMs: behaviour.outcome === outcome ? behaviour.afterMs : usualPayout.afterMs }
}

const lastFourOf = ({ accountNumber, phoneNumber, walletAddress }: PayoutTarget) =>
  (accountNumber ?? phoneNumber ?? walletAddress ?? '').slice(-4)

const traceOf = (payoutId: string) => `SIM${createHash('sha256').update(payoutId).digest('hex').slice(0, 24)}`

/** The answer about a payout. A payout that is never answered looks like any other without an answer: `unknown`. */
function answerOf(found: SimulatedPayout | null): PayoutAnswer {
  if (!found) return { status: 'not_found', traceId: null, newsDueAt: null }
  const { status, outcome, traceId, answersAt } = found
  if (status === 'processing') {
    if (outcome === 'never') return { status: 'unknown', traceId: null, newsDueAt: null }
    return { status, traceId, newsDueAt: answersAt.getTime() }
  }
  const common = { traceId, newsDueAt: null }
  if (status === 'failed') return { status, reason: 'The receiving account does not take this payout.', ...common }
  if (status === 'cancelled')
    return { status: 'failed', reason: 'The payout was canceled before it was sent.', ...common }
  return { status, ...common }
}
