import Big from 'big.js'
import type Stripe from 'stripe'
import type { CardDetails } from '../../db/checkout/payment-method.ts'
import type { MethodDetails } from '../../db/checkout/payment.ts'
import type { Currency } from '../../domain/currency.ts'
import type { Amount } from '../../domain/money.ts'
import type { SavedCard } from '../rail.ts'
import { fromMinor } from './amount.ts'
import type { BookedOrder } from './orders.ts'
import { savedToken } from './token.ts'

/** The key of our id in the metadata of all that we make at Stripe. */
export const metadataKey = 'steadypay_id'

type Reported = { id: string; livemode?: boolean; metadata: Stripe.Metadata | null }

/** Throws unless what Stripe reports is what was ordered under this id, in our mode. */
export function assertOurs({ livemode, metadata }: Reported, orderId: string, mode: boolean): void {
  if (livemode !== undefined && livemode !== mode) throw new Error(`Stripe answers about ${orderId} in its other mode`)
  if (metadata?.[metadataKey] !== orderId) throw new Error(`Stripe answers about another order than ${orderId}`)
}

/** Throws unless Stripe reports the amount and the currency of the order. Returns the amount. */
export function assertOrdered(
  { orderId, amount, currency }: Pick<BookedOrder, 'orderId' | 'amount' | 'currency'>,
  reported: { amount: number; currency: string },
): Amount {
  if (amount === null || currency === null) throw new Error(`the order ${orderId} has no amount`)
  if (reported.currency !== currency.toLowerCase()) throw new Error(`Stripe reports another currency for ${orderId}`)
  const found = fromMinor(reported.amount, currency)
  if (!new Big(found).eq(amount)) throw new Error(`Stripe reports another amount for ${orderId}`)
  return found
}

/** The currency of an order that has an amount. */
export function currencyOf({ orderId, currency }: Pick<BookedOrder, 'orderId' | 'currency'>): Currency {
  if (currency === null) throw new Error(`the order ${orderId} has no currency`)
  return currency
}

type Expandable = string | { id: string } | null | undefined

/** Stripe's id of what an answer names or contains. */
export const idOf = (named: Expandable): string | null => (typeof named === 'string' ? named : (named?.id ?? null))

/** The charge of a payment that has succeeded, which every answer has been asked to contain. */
export function chargeOf({ latest_charge: charge }: Stripe.PaymentIntent, orderId: string): Stripe.Charge {
  if (!charge || typeof charge === 'string') throw new Error(`Stripe's answer about ${orderId} has no charge`)
  return charge
}

type StripeCard = {
  brand: string | null
  last4: string | null
  exp_month: number
  exp_year: number
  country: string | null
}

/** What may be shown of a card. Stripe does not always know the country. */
export const cardDetailsOf = (card: StripeCard): CardDetails => ({
  brand: card.brand ?? 'unknown',
  last4: card.last4 ?? '',
  exp_month: card.exp_month,
  exp_year: card.exp_year,
  country: card.country ?? '',
})

/** What a receipt shows of the card that was charged; null where the money came from something else than a card. */
export function methodDetailsOf({ payment_method_details: method }: Stripe.Charge): MethodDetails | null {
  const card = method?.card
  if (!card) return null
  return { ...cardDetailsOf(card), three_d_secure: card.three_d_secure?.result === 'authenticated' }
}

/** The card that a payment has saved; null where Stripe has not saved it. */
export function savedCardOf(intent: Stripe.PaymentIntent, charge: Stripe.Charge): SavedCard | null {
  const [customer, method, card] = [
    idOf(intent.customer),
    idOf(intent.payment_method),
    charge.payment_method_details?.card,
  ]
  if (intent.setup_future_usage !== 'off_session' || !customer || !method || !card) return null
  return { token: savedToken(customer, method), card: cardDetailsOf(card) }
}
