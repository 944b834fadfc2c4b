import assert from 'node:assert/strict'
import { openDisputes } from '../../commands/dispute/open-dispute.ts'
import { sendBack } from '../../commands/send-back.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import type { Interval } from '../../domain/catalogue/product.ts'
import type { Proration } from '../../domain/subscription/plan-change.ts'
import { cards } from './merchant.ts'
import type { Stack } from './stack.ts'
import { livesOf } from './subscription-life.ts'

/** When the subscriptions of these lives begin: a period is the 30 days of April, and costs 25.00. */
export const start = Date.parse('2027-04-01T08:00:00Z')
export const dayMs = 86_400_000
export const middle = start + 15 * dayMs

const paymentsOf = '(select id from payments where subscription_id = ?)'

type Which = 'newest' | 'first'

/** Changes of the plans of subscriptions, and what goes back of their payments. `stack` runs without workers. */
export async function planChangesOf(stack: Stack) {
  const lives = livesOf(stack)
  const { product_id: monthly } = await lives.plans.createProduct()

  /** Does something with the payment of a subscription's newest invoice, or of its first one. */
  async function onPayment(
    id: string,
    work: (em: EntityManager, payment: Payment) => Promise<unknown>,
    which: Which = 'newest',
  ): Promise<void> {
    const { paymentId } = (await lives.invoicesOf(id)).at(which === 'first' ? 0 : -1) ?? {}
    await inTransaction(stack.database, async (em) => work(em, await lock(em, Payment, paymentId ?? '')))
  }

  const failRefunds = (id: string) =>
    stack.sql(`update refunds set status = 'failed', completed_at = updated_at where charge_id in ${paymentsOf}`, [id])

  async function endDispute(id: string, end: 'won' | 'lost'): Promise<void> {
    const ended = "status = ?, resolution = 'evidence', resolved_at = updated_at, wakes_at = null, wakes_for = null"
    await stack.sql(`update disputes set ${ended} where payment_id in ${paymentsOf}`, [end, id])
  }

  return {
    lives,
    monthly,
    begin: () => lives.begin(monthly, cards.success, start),

    async changePlan(
      id: string,
      price: number,
      at: number,
      { proration = 'prorate', every = 'month' }: { proration?: Proration; every?: Interval } = {},
    ): Promise<void> {
      const [line] = (await lives.plans.read(id)).line_items
      assert.ok(line)
      const line_items = [{ ...line, quantity: 1, unit_amount: `${price}.00`, line_total: `${price}.00` }]
      const rhythm = { interval: every, interval_count: 1 }
      assert.equal(await lives.ask(id, { kind: 'changePlan', line_items, ...rhythm, proration }, at), 'done')
    },

    /** Refunds all that is left of a payment, or `amount` of it. */
    refund(id: string, amount: string | null, at: number, which: Which = 'newest'): Promise<void> {
      const part = amount === null ? {} : { surplus: amount }
      const why = { reason: 'goodwill', isFree: true, feeBearer: 'ORG' as const, ...part }
      return onPayment(id, (em, payment) => sendBack(em, payment, why, at), which)
    },

    /** What has settled of the first payment, as the database has it. */
    async settled(id: string): Promise<number> {
      const { paymentId } = (await lives.invoicesOf(id))[0] ?? {}
      const [row] = await stack.sql<{ settles: string }>('select settles from payments where id = ?', [paymentId])
      return Number(row?.settles)
    },

    /** The credit of a subscription, and the totals of its invoices but the first, sorted. */
    async booked(id: string) {
      const [row] = await stack.sql<{ credit: string }>('select credit from subscriptions where id = ?', [id])
      const totals = (await lives.plans.invoices(id)).slice(1).map(({ total }) => Number(total))
      return [Number(row?.credit), ...totals.toSorted((one, other) => one - other)]
    },

    failRefunds,

    /** The refunds have failed, and their charges can be refunded or disputed again. */
    async failAndRelease(id: string): Promise<void> {
      await failRefunds(id)
      await stack.sql('update payments set refund_claimed = 0 where subscription_id = ?', [id])
    },

    /** The network tells of a dispute of all that was paid at first, or of a part, or of what was paid last. */
    dispute(id: string, at: number, amount = '25.00', which: Which = 'first'): Promise<void> {
      const raised = { id: `dp_${id}`, amount, reason: 'fraudulent' as const, networkReasonCode: null }
      const told = [{ ...raised, dueAt: at + 9 * dayMs, warnsUntil: null }]
      return onPayment(id, (em, payment) => openDisputes(em, payment, told, at), which)
    },

    endDispute,
    winDispute: (id: string) => endDispute(id, 'won'),
  }
}
