import Type, { type Static } from 'typebox'
import type { Checkout } from '../../db/checkout/checkout.ts'
import { checkoutPaymentStatuses } from '../../domain/checkout/checkout.ts'
import { failureCodes } from '../../domain/checkout/payment.ts'
import { checkoutMethodOf } from '../../domain/corridor.ts'
import { newId } from '../../domain/id.ts'
import { format } from '../../domain/money.ts'
import { LineItem } from './line-item.ts'
import { CurrencyCode, id, iso, Metadata, Money, nullable, Timestamp } from '../common.ts'
import { presentCustomerOf, presentDetails, ShownCustomer, ShownDetails } from '../customer.ts'
import { sampleBuyer, sampleLineItem, sampleMoment } from '../sample.ts'

const text = nullable(Type.String())

const session = {
  checkout_id: id('chk'),
  amount: Money,
  currency: CurrencyCode,
  reference: text,
  customer_details: ShownDetails,
  metadata: Metadata,
}
export const CheckoutCompleted = Type.Object({
  ...session,
  payment_status: Type.Enum(['paid', 'no_payment_required']),
  billing_currency: CurrencyCode,
  source_type: Type.String(),
  session_mode: Type.Enum(['CART', 'SELECTION']),
  products: nullable(Type.Array(LineItem)),
  customer: ShownCustomer,
  payment_id: nullable(id('pay')),
  subscription_id: nullable(id('sub')),
  payment_method: text,
  completed_at: Timestamp,
})
export const CheckoutExpired = Type.Object({
  ...session,
  status: Type.Literal('expired'),
  payment_status: Type.Enum([...checkoutPaymentStatuses]),
  last_failure_code: nullable(Type.Enum([...failureCodes])),
  expired_at: Timestamp,
})

const presentSession = (checkout: Checkout) => ({
  checkout_id: checkout.id,
  amount: format(checkout.amount, checkout.currency),
  currency: checkout.currency,
  reference: checkout.reference,
  customer_details: presentDetails(checkout.customerDetails),
  metadata: checkout.metadata,
})

/** `paymentId` is the payment that completed the session; null for a free session and for a card setup. */
export const checkoutCompleted = (
  checkout: Checkout,
  paymentId: string | null,
  at: Date,
): Static<typeof CheckoutCompleted> => ({
  ...presentSession(checkout),
  payment_status: paymentId ? 'paid' : 'no_payment_required',
  billing_currency: checkout.billingCurrency ?? checkout.currency,
  source_type: checkout.sourceType,
  session_mode: checkout.sessionMode,
  products: checkout.lineItems,
  customer: presentCustomerOf(checkout),
  payment_id: paymentId,
  subscription_id: checkout.subscriptionId ?? null,
  payment_method: checkout.corridor && checkoutMethodOf(checkout.corridor),
  completed_at: iso(at),
})

export const checkoutExpired = (checkout: Checkout, at: Date): Static<typeof CheckoutExpired> => ({
  ...presentSession(checkout),
  status: 'expired',
  payment_status: checkout.paymentStatus,
  last_failure_code: checkout.lastFailureCode,
  expired_at: iso(at),
})

const sample = (checkoutId: string) => ({
  checkout_id: checkoutId,
  amount: '25.00',
  currency: 'USD' as const,
  reference: 'order-1001',
  customer_details: sampleBuyer,
  metadata: {},
})

export const sampleCheckoutCompleted = (checkoutId: string, at: number): Static<typeof CheckoutCompleted> => ({
  ...sample(checkoutId),
  payment_status: 'paid',
  billing_currency: 'USD',
  source_type: 'CHECKOUT_SESSION',
  session_mode: 'CART',
  products: [sampleLineItem(at)],
  customer: null,
  payment_id: newId('pay', at),
  subscription_id: null,
  payment_method: 'CARD',
  completed_at: sampleMoment(at),
})

export const sampleCheckoutExpired = (checkoutId: string, at: number): Static<typeof CheckoutExpired> => ({
  ...sample(checkoutId),
  status: 'expired',
  payment_status: 'canceled',
  last_failure_code: 'card_declined',
  expired_at: sampleMoment(at),
})
