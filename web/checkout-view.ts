import { createHash, randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import type { Currency } from '../domain/currency.ts'
import { leastOf } from '../domain/line-item.ts'
import { format, isLess, isZero, subtract } from '../domain/money.ts'
import type { PublicCheckout } from '../schemas/attempt.ts'
import type { Page } from './render.ts'
import { type Faults, failure, money, moment } from './words.ts'

export type Session = Static<typeof PublicCheckout>

/** What a page shows: the forms `choose`, `confirm` and `code`, and the states a buyer waits in or ends at. */
export type Screen = 'choose' | 'confirm' | 'code' | 'transfer' | 'prompt' | 'crypto' | 'processing' | 'paid' | 'ended'

/** Which page a session needs now. `wantsOther`: the buyer asks to choose again, which no money may forestall. */
export function screenOf(session: Session, wantsOther: boolean): Screen {
  const { status, payment_status, next_action, amount_received: received } = session
  if (status === 'completed') return 'paid'
  if (status !== 'open') return 'ended'
  if (payment_status === 'requires_payment_method' || payment_status === 'failed') return 'choose'
  const mayChoose = payment_status === 'requires_confirmation' || payment_status === 'requires_action'
  if (wantsOther && mayChoose && isZero(received ?? '0')) return 'choose'
  if (payment_status === 'requires_confirmation') return 'confirm'
  if (payment_status !== 'requires_action') return 'processing'
  return screens[next_action?.type ?? ''] ?? 'processing'
}

const screens: Record<string, Screen> = {
  otp: 'code',
  pin: 'code',
  bank_transfer: 'transfer',
  phone_prompt: 'prompt',
  crypto_address: 'crypto',
}

/** What the buyer had typed and what is wrong with it. It never holds a card number, a security code or a code. */
export type Retold = {
  typed: { email: string; name: string; expiry: string; phone: string; product: string; amount: string }
  faults: Faults
  problem: string | null
  /** The key of the form before, where the very same call is to go on. */
  formKey: string | null
}

export const nothingRetold: Retold = {
  typed: { email: '', name: '', expiry: '', phone: '', product: '', amount: '' },
  faults: {},
  problem: null,
  formKey: null,
}

/** The page of a session. `path` is its own address, which holds the client secret and appears nowhere but in forms. */
export function checkoutPage(session: Session, screen: Screen, path: string, retold: Retold, status = 200): Page {
  const { merchant_name: merchant, currency, amount } = session
  const due = session.total && screen !== 'choose' ? session.total : amount
  const titles: Record<Screen, string> = {
    choose: `Pay ${merchant}`,
    confirm: `Confirm ${money(due, currency)} to ${merchant}`,
    code: session.next_action?.type === 'pin' ? 'Enter the code of your wallet' : 'Enter the code from your bank',
    transfer: `Transfer ${money(due, currency)}`,
    prompt: 'Approve the payment on your phone',
    crypto: `Send ${session.next_action?.type === 'crypto_address' ? session.next_action.asset : 'coins'}`,
    processing: 'Your payment is being processed',
    paid: 'Payment complete',
    ended: session.status === 'expired' ? 'This page has expired' : 'This payment was cancelled',
  }
  return {
    template: screen,
    status,
    title: titles[screen],
    pollSeconds: { processing: 3, transfer: 5, prompt: 3, crypto: 5 }[screen as string] ?? null,
    goesTo: screen === 'paid' ? absolute(session.success_url) : null,
    data: {
      ...{ session, path, due, ...retold },
      ...detailsOf(session, screen),
      formKey: retold.formKey ?? randomBytes(18).toString('base64url'),
      about: aboutOf(session),
      problem: retold.problem ?? (session.payment_status === 'failed' ? failure(session.failure_code) : null),
    },
  }
}

/** Facts that the templates show, worked out here so that the templates hold no logic. */
function detailsOf(session: Session, screen: Screen) {
  const { total, amount_received: received, next_action: action, payment_methods: methods } = session
  const isUnpicked = session.selection !== null && session.products === null
  const isShort = received !== null && !isZero(received) && total !== null && isLess(received, total)
  return {
    isFree: !isUnpicked && isZero(session.amount),
    isUnpicked,
    mayBeFree: session.selection !== null && isZero(leastOf(session.selection)),
    isKnown: session.customer_details !== null,
    cards: methods.filter(({ type }) => type === 'card'),
    others: methods.filter(({ type }) => type !== 'card'),
    methodName: methodNames[methods.find((offer) => offer.payment_method === session.payment_method)?.type ?? ''],
    isOther: screen === 'choose' && session.payment_status.startsWith('requires_') && session.payment_method !== null,
    action: action && ('expires_at' in action ? { ...action, expires: moment(action.expires_at) } : action),
    transfer: action?.type === 'bank_transfer' ? { ...action, expires: moment(action.expires_at) } : null,
    received: received !== null && !isZero(received) ? received : null,
    missing: isShort ? format(subtract(total, received), session.currency as Currency) : null,
    successUrl: absolute(session.success_url),
    cancelUrl: absolute(session.cancel_url),
    isZero,
  }
}

const methodNames: Record<string, string> = {
  card: 'Card',
  bank_transfer: 'Bank transfer',
  mobile_money: 'Mobile money',
  crypto: 'Crypto',
}

/** What a buyer has before their eyes when they confirm: a form about anything else is shown again, not obeyed. */
export const aboutOf = ({ payment_status, payment_method, payment_id, total }: Session): string =>
  createHash('sha256')
    .update(JSON.stringify([payment_status, payment_method, payment_id, total]))
    .digest('base64url')

/** A merchant's address in the form that headers and links take; null for what is no http(s) address. */
function absolute(address: string | null): string | null {
  const url = address === null ? null : URL.parse(address)
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}
