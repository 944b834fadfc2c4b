import Type, { type Static } from 'typebox'
import type { Checkout } from '../db/checkout.ts'
import type { Payment } from '../db/payment.ts'
import { type Corridor, corridorOf, shownOnCheckout } from '../domain/corridor.ts'
import type { Currency } from '../domain/currency.ts'
import type { EventType } from '../domain/event.ts'
import { format, subtract } from '../domain/money.ts'
import { CurrencyCode, id, iso, Metadata, Money, nullable, Timestamp } from './common.ts'
import { Customer, presentCustomerOf, presentDetails, ShownCustomer, ShownDetails } from './customer.ts'

const text = nullable(Type.String())

/** What every event about money that came in, or did not, says. */
const collection = {
  payment_id: id('pay'),
  checkout_id: nullable(id('chk')),
  reference: text,
  amount: Money,
  currency: CurrencyCode,
  customer: ShownDetails,
  payment_method: Type.String(),
  metadata: Metadata,
  late: Type.Optional(Type.Literal(true)),
}

const CollectionSucceeded = Type.Object({
  ...collection,
  status: Type.Literal('success'),
  settlement_amount: Money,
  settlement_currency: CurrencyCode,
  payment_method_details: nullable(Type.Object({})),
  completed_at: Timestamp,
})
const CollectionFailed = Type.Object({
  ...collection,
  status: Type.Literal('failed'),
  failure_code: text,
  failed_at: Timestamp,
})
const CollectionUnderpaid = Type.Object({ ...collection, status: Type.Literal('underpaid'), amount_received: Money })

const session = {
  checkout_id: id('chk'),
  payment_status: Type.String(),
  amount: Money,
  currency: CurrencyCode,
  reference: text,
  customer_details: ShownDetails,
  metadata: Metadata,
}
const CheckoutCompleted = Type.Object({
  ...session,
  payment_status: Type.Enum(['paid', 'no_payment_required']),
  billing_currency: CurrencyCode,
  source_type: Type.String(),
  session_mode: Type.String(),
  products: nullable(Type.Array(Type.Object({}))),
  customer: ShownCustomer,
  payment_id: nullable(id('pay')),
  subscription_id: text,
  payment_method: text,
  completed_at: Timestamp,
})
const CheckoutExpired = Type.Object({
  ...session,
  status: Type.Literal('expired'),
  last_failure_code: text,
  expired_at: Timestamp,
})

/** The payload of every event type; also what OpenAPI shows under `webhooks`. */
export const eventPayloads = {
  'collection.succeeded': CollectionSucceeded,
  'collection.failed': CollectionFailed,
  'collection.underpaid': CollectionUnderpaid,
  'checkout.completed': CheckoutCompleted,
  'checkout.expired': CheckoutExpired,
  'customer.created': Customer,
  'customer.updated': Customer,
} as const satisfies Record<EventType, unknown>

const presentCollection = (payment: Payment) => ({
  payment_id: payment.id,
  checkout_id: payment.checkoutId,
  reference: payment.reference,
  amount: format(payment.amount, payment.currency as Currency),
  currency: payment.currency,
  customer: presentDetails(payment.customerDetails),
  payment_method: payment.corridor,
  metadata: payment.metadata,
  ...(payment.late ? { late: true as const } : {}),
})

/** `at` is when the payment succeeded. What settles is all that arrived, less the fee. */
export const collectionSucceeded = (payment: Payment, at: Date): Static<typeof CollectionSucceeded> => {
  const { settlementCurrency } = corridorOf(payment.corridor as Corridor)
  return {
    ...presentCollection(payment),
    status: 'success',
    settlement_amount: format(subtract(payment.amountReceived, payment.fee), settlementCurrency),
    settlement_currency: settlementCurrency,
    payment_method_details: payment.methodDetails,
    completed_at: iso(at),
  }
}

export const collectionFailed = (payment: Payment, at: Date): Static<typeof CollectionFailed> => ({
  ...presentCollection(payment),
  status: 'failed',
  failure_code: payment.failureCode,
  failed_at: iso(at),
})

export const collectionUnderpaid = (payment: Payment): Static<typeof CollectionUnderpaid> => ({
  ...presentCollection(payment),
  status: 'underpaid',
  amount_received: format(payment.amountReceived, payment.currency as Currency),
})

const presentSession = (checkout: Checkout) => ({
  checkout_id: checkout.id,
  amount: format(checkout.amount, checkout.currency as Currency),
  currency: checkout.currency,
  reference: checkout.reference,
  customer_details: presentDetails(checkout.customerDetails),
  metadata: checkout.metadata,
})

/** `paymentId` is the payment that completed it, null for a free session. */
export const checkoutCompleted = (
  checkout: Checkout,
  paymentId: string | null,
  at: Date,
): Static<typeof CheckoutCompleted> => ({
  ...presentSession(checkout),
  payment_status: paymentId ? 'paid' : 'no_payment_required',
  billing_currency: checkout.currency,
  source_type: checkout.sourceType,
  session_mode: checkout.sessionMode,
  products: null,
  customer: presentCustomerOf(checkout),
  payment_id: paymentId,
  subscription_id: null,
  payment_method: checkout.corridor && shownOnCheckout(checkout.corridor as Corridor),
  completed_at: iso(at),
})

export const checkoutExpired = (checkout: Checkout, at: Date): Static<typeof CheckoutExpired> => ({
  ...presentSession(checkout),
  status: 'expired',
  payment_status: checkout.paymentStatus,
  last_failure_code: checkout.lastFailureCode,
  expired_at: iso(at),
})
