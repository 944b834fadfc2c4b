import Type, { type Static } from 'typebox'
import type { Payment } from '../../db/checkout/payment.ts'
import { failureCodes } from '../../domain/checkout/payment.ts'
import { corridorKeys, corridorOf } from '../../domain/corridor.ts'
import { newId } from '../../domain/id.ts'
import { type Amount, format, subtract } from '../../domain/money.ts'
import { CurrencyCode, id, iso, Metadata, Money, nullable, Timestamp } from '../common.ts'
import { presentDetails, ShownDetails } from '../customer.ts'
import { MethodDetails } from './payment.ts'
import { sampleBuyer, sampleMoment } from '../sample.ts'

const text = nullable(Type.String())

/** The fields of every event about a payment. */
const collection = {
  payment_id: id('pay'),
  checkout_id: nullable(id('chk')),
  reference: text,
  amount: Money,
  currency: CurrencyCode,
  customer: ShownDetails,
  payment_method: Type.Enum([...corridorKeys]),
  metadata: Metadata,
  late: Type.Optional(Type.Literal(true)),
}

const flag = (description: string) => Type.Optional(Type.Literal(true, { description }))

export const CollectionSucceeded = Type.Object({
  ...collection,
  status: Type.Literal('success'),
  duplicate: flag('The sale was paid already: this payment is refunded.'),
  partial: flag('Less than `amount` has arrived, and the merchant has accepted that.'),
  settlement_amount: Money,
  settlement_currency: CurrencyCode,
  payment_method_details: MethodDetails,
  completed_at: Timestamp,
})
export const CollectionFailed = Type.Object({
  ...collection,
  status: Type.Literal('failed'),
  failure_code: nullable(Type.Enum([...failureCodes])),
  failed_at: Timestamp,
})
export const CollectionUnderpaid = Type.Object({
  ...collection,
  status: Type.Literal('underpaid'),
  amount_received: Money,
})

const presentCollection = (payment: Payment) => ({
  payment_id: payment.id,
  checkout_id: payment.checkoutId,
  reference: payment.reference,
  amount: format(payment.amount, payment.currency),
  currency: payment.currency,
  customer: presentDetails(payment.customerDetails),
  payment_method: payment.corridor,
  metadata: payment.metadata,
  ...(payment.late ? { late: true as const } : {}),
})

/** `at` is when the payment succeeded. The settled amount is everything that arrived, less the fee. */
export const collectionSucceeded = (payment: Payment, at: Date): Static<typeof CollectionSucceeded> => {
  const { settlementCurrency } = corridorOf(payment.corridor)
  return {
    ...presentCollection(payment),
    status: 'success',
    ...(payment.duplicate ? { duplicate: true as const } : {}),
    ...(payment.partial ? { partial: true as const } : {}),
    settlement_amount: format(settledOf(payment), settlementCurrency),
    settlement_currency: settlementCurrency,
    payment_method_details: payment.methodDetails,
    completed_at: iso(at),
  }
}

/** Everything that arrived, less the fee; for an accepted short payment also less what was refunded before. */
const settledOf = ({ partial, amountReceived, fee, refundClaimed }: Payment): Amount =>
  subtract(subtract(amountReceived, fee), partial ? refundClaimed : '0')

export const collectionFailed = (payment: Payment, at: Date): Static<typeof CollectionFailed> => ({
  ...presentCollection(payment),
  status: 'failed',
  failure_code: payment.failureCode,
  failed_at: iso(at),
})

export const collectionUnderpaid = (payment: Payment): Static<typeof CollectionUnderpaid> => ({
  ...presentCollection(payment),
  status: 'underpaid',
  amount_received: format(payment.amountReceived, payment.currency),
})

const sample = (paymentId: string, at: number) => ({
  payment_id: paymentId,
  checkout_id: newId('chk', at),
  reference: 'order-1001',
  amount: '25.00',
  currency: 'USD' as const,
  customer: sampleBuyer,
  payment_method: 'USD_CARD' as const,
  metadata: {},
})

export const sampleCollectionSucceeded = (paymentId: string, at: number): Static<typeof CollectionSucceeded> => ({
  ...sample(paymentId, at),
  status: 'success',
  settlement_amount: '23.97',
  settlement_currency: 'USD',
  payment_method_details: {
    brand: 'visa',
    last4: '4242',
    exp_month: 12,
    exp_year: 2040,
    country: 'US',
    three_d_secure: false,
  },
  completed_at: sampleMoment(at),
})

export const sampleCollectionFailed = (paymentId: string, at: number): Static<typeof CollectionFailed> => ({
  ...sample(paymentId, at),
  status: 'failed',
  failure_code: 'card_declined',
  failed_at: sampleMoment(at),
})

export const sampleCollectionUnderpaid = (paymentId: string, at: number): Static<typeof CollectionUnderpaid> => ({
  ...sample(paymentId, at),
  amount: '5000.00',
  currency: 'NGN',
  payment_method: 'NGN_BANK_TRANSFER' as const,
  status: 'underpaid',
  amount_received: '2500.00',
})
