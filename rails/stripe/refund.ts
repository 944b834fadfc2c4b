import type Stripe from 'stripe'
import type { RefundAnswer, RefundOrder, RefundRail } from '../rail.ts'
import { RailRefusal } from '../rail-refusal.ts'
import { toMinor } from './amount.ts'
import { assertOrdered, assertOurs, currencyOf, idOf, metadataKey } from './intent.ts'
import type { BookedOrder, Needs } from './orders.ts'
import { ask, isTrouble } from './trouble.ts'

/** The most refunds of one page of Stripe's list. */
const pageSize = 100

/** Refunds: each is one Refund of the payment's PaymentIntent, whose idempotency key is the refund's id. */
export function createRefunds({ api, orders, livemode }: Needs): RefundRail<'live'> {
  /** The PaymentIntent that a refund takes its money from. */
  async function intentOf(paymentId: string | null): Promise<string> {
    const stripeId = (await orders.find(paymentId ?? ''))?.stripeId
    if (!stripeId) throw new Error(`the book of Stripe has no payment ${paymentId}`)
    return stripeId
  }

  /** The refund in Stripe's list of the payment's refunds, which is never late; null: Stripe has none. */
  async function find({ orderId, paymentId }: BookedOrder): Promise<Stripe.Refund | null> {
    const query = { payment_intent: await intentOf(paymentId), limit: pageSize }
    for (let after: string | undefined; ;) {
      const page = await ask('listing refunds', () =>
        api.refunds.list({ ...query, ...(after !== undefined && { starting_after: after }) }),
      )
      const found = page.data.find(({ metadata }) => metadata?.[metadataKey] === orderId)
      if (found) return found
      after = page.data.at(-1)?.id
      if (!page.has_more || after === undefined) return null
    }
  }

  async function conclude(orderId: string, refund: Stripe.Refund): Promise<RefundAnswer> {
    assertOurs(refund, orderId, livemode)
    const row = await orders.adopt(orderId, refund.id)
    assertOrdered(row, refund)
    if (idOf(refund.payment_intent) !== (await intentOf(row.paymentId)))
      throw new Error(`Stripe reports a refund of another payment for ${orderId}`)
    if (refund.status === 'succeeded') {
      await orders.note(orderId, 'succeeded')
      return 'succeeded'
    }
    // Stripe says the same of a refund that was never sent and of one that came back.
    if (refund.status === 'failed' || refund.status === 'canceled')
      return row.answered === 'succeeded' ? 'returned' : 'failed'
    return 'unknown'
  }

  async function send(row: BookedOrder): Promise<RefundAnswer> {
    const { orderId, paymentId, amount } = row
    const params = {
      payment_intent: await intentOf(paymentId),
      amount: toMinor(amount ?? '0', currencyOf(row)),
      metadata: { [metadataKey]: orderId },
    }
    let refund: Stripe.Refund
    try {
      refund = await ask('ordering a refund', () => api.refunds.create(params, { idempotencyKey: orderId }))
    } catch (error) {
      if (!isTrouble(error, 'refused', 'used_key')) throw error
      const found = await find(row)
      if (found) return conclude(orderId, found)
      if (error.kind === 'used_key') throw error
      await orders.note(orderId, 'refused')
      throw refusalOf(error.code)
    }
    return conclude(orderId, refund)
  }

  return {
    /** Stripe's list is read before each sending, so that an order that it has is never made a second time. */
    async refund(order: RefundOrder<'live'>): Promise<RefundAnswer> {
      const { refundId: orderId, paymentId, amount, currency } = order
      toMinor(amount, currency)
      await intentOf(paymentId)
      const row = await orders.open({ orderId, kind: 'refund', paymentId, amount, currency })
      if (row.answered === 'refused') throw refusalOf('refused before')
      if (row.stripeId) return conclude(orderId, await retrieve(row.stripeId))
      const found = await find(row)
      if (found) return conclude(orderId, found)
      return (await orders.markSent(orderId)) ? send(row) : lookUpRefund(orderId)
    },
    lookUpRefund,
  }

  async function lookUpRefund(orderId: string): Promise<RefundAnswer> {
    const row = await orders.find(orderId)
    if (!row) return 'not_found'
    if (row.answered === 'refused') return 'failed'
    const refund = row.stripeId ? await retrieve(row.stripeId) : await find(row)
    return refund ? conclude(orderId, refund) : 'not_found'
  }

  function retrieve(id: string): Promise<Stripe.Refund> {
    return ask('retrieving a refund', () => api.refunds.retrieve(id))
  }
}

const refusalOf = (code: string) => new RailRefusal(`Stripe does not take the refund (${code})`)
