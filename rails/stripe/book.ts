import { defineEntity, p } from '@mikro-orm/core'
import type { Currency } from '../../domain/currency.ts'
import { moment, money } from '../../db/core/columns.ts'

const schema = defineEntity({
  name: 'StripeOrder',
  tableName: 'stripe_orders',
  properties: {
    // Our id, which is also Stripe's idempotency key: of a payment, a refund or a card setup; of a dispute its own.
    orderId: p.string().primary(),
    kind: p.enum(['charge', 'saved_charge', 'refund', 'setup', 'dispute']),
    // The payment that a refund or a dispute is about.
    paymentId: p.string().strictNullable().index('stripe_orders_by_payment'),
    // Stripe's id of what was ordered, stored with its first answer.
    stripeId: p.string().strictNullable().unique('stripe_orders_by_stripe_id'),
    // The customer that Stripe saves the card for; stored before the card is sent.
    customerId: p.string().strictNullable(),
    // What was ordered. Null for what has no amount, and for what was cancelled before it was ordered.
    amount: money().strictNullable(),
    currency: p.string().$type<Currency>().length(10).strictNullable(),
    // What was answered and decides later answers: `returned` is right only after `succeeded`, a refused order stays
    // refused, and a dispute that was accepted is `closed` and not lost by evidence.
    answered: p.enum(['succeeded', 'refused', 'accepted']).strictNullable(),
    cancelledAt: moment().strictNullable(),
    // When it was last sent, by the database's own clock, as Stripe's search is late by the real time. Null while
    // nothing was sent.
    sentAt: moment().strictNullable(),
    createdAt: moment().defaultRaw('now()'),
  },
})
/** The Stripe rail's own book, keyed by our ids. It has no data of the buyer, and of a card only Stripe's ids. */
export class StripeOrder extends schema.class {}
schema.setClass(StripeOrder)
