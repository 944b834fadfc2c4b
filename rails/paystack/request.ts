import type { ChargeOrder, SavedChargeOrder } from '../rail.ts'
import { RailRefusal } from '../rail-refusal.ts'
import { isPaystackCurrency, toMinor } from './amount.ts'
import type { Channel } from './book.ts'
import { chargeReference } from './reference.ts'
import { walletOf } from './wallet.ts'

/** What is sent for a charge: where to, and the body. */
export type Request = { path: string; body: Record<string, unknown> }

/** How an order is charged. Throws a `RailRefusal` where Paystack takes no such order. */
export function channelOf({ corridor, currency, securityCode, token }: ChargeOrder): Channel {
  const isKnown = isPaystackCurrency(currency) && securityCode === null
  if (isKnown && corridor === 'NGN_BANK_TRANSFER') return 'bank_transfer'
  if (isKnown && corridor === 'NGN_CARD') return token === null ? 'card_page' : 'saved_card'
  if (isKnown && corridor.startsWith('MOMO_')) return 'mobile_money'
  throw new RailRefusal('Paystack takes no money in this corridor')
}

type Common = Pick<ChargeOrder, 'paymentId' | 'amount' | 'currency' | 'email'>

function commonOf({ paymentId, amount, currency, email }: Common) {
  if (email === null) throw new RailRefusal('Paystack charges nobody without an email')
  return { email, amount: toMinor(amount), currency, reference: chargeReference(paymentId) }
}

/** An account for one charge, open as long as the session, within 15 minutes and 8 hours. */
export const transferRequest = (order: ChargeOrder): Request => ({
  path: '/charge',
  body: { ...commonOf(order), bank_transfer: { account_expires_at: new Date(order.expiresAt).toISOString() } },
})

/** A question on the phone with this number; null: the number was forgotten. */
export function walletRequest(order: ChargeOrder, number: string | null): Request {
  const common = commonOf(order)
  if (number === null) throw new RailRefusal('the phone number was forgotten before Paystack had the order')
  return { path: '/charge', body: { ...common, mobile_money: walletOf(order, number) } }
}

/** A page of Paystack's where the buyer enters a card, which leads back to the session's page. */
export const pageRequest = (order: ChargeOrder): Request => ({
  path: '/transaction/initialize',
  body: {
    ...commonOf(order),
    channels: ['card'],
    ...(order.returnUrl !== null && { callback_url: order.returnUrl }),
  },
})

/** A charge of a saved card, with the email for which Paystack has saved it; null: Paystack has saved no such card. */
export function savedCardRequest(
  order: Pick<SavedChargeOrder, keyof Common>,
  token: string,
  email: string | null,
): Request {
  if (email === null) throw new RailRefusal('Paystack has saved no such card')
  return {
    path: '/transaction/charge_authorization',
    body: { ...commonOf({ ...order, email }), authorization_code: token },
  }
}
