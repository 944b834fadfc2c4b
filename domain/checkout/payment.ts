import { type Corridor, corridorOf } from '../corridor.ts'
import type { CryptoAsset, CryptoNetwork } from './crypto.ts'
import type { Currency } from '../currency.ts'
import { type Amount, format, isLess, subtract } from '../money.ts'
import { assertMove, type Moves } from '../move.ts'
import type { Environment } from '../access/scope.ts'

export const paymentStatuses = [
  'requires_action',
  'processing',
  'succeeded',
  'underpaid',
  'failed',
  'canceled',
] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/**
 * Every legal move of a payment (docs/contract/checkout.md, "Payments"). Money that a rail has taken is always posted,
 * so a payment that has failed or was given up can still become `underpaid` or `succeeded`. A success is never undone.
 */
export const paymentMoves: Moves<PaymentStatus> = {
  requires_action: ['processing', 'succeeded', 'underpaid', 'failed', 'canceled'],
  // A repeated step sends the buyer's code a second time.
  processing: ['processing', 'requires_action', 'succeeded', 'underpaid', 'failed', 'canceled'],
  // A further part may arrive and still leave the payment short.
  underpaid: ['underpaid', 'succeeded'],
  failed: ['underpaid', 'succeeded'],
  canceled: ['underpaid', 'succeeded'],
  succeeded: [],
}

/** Moves a payment on. Money that arrives for a failed attempt proves its failure wrong. */
export function movePayment(payment: Moving, to: PaymentStatus) {
  assertMove('payment', paymentMoves, payment.status, to)
  payment.status = to
  const hasMoney = to === 'succeeded' || to === 'underpaid'
  if (hasMoney && payment.failureCode) payment.failureCode = null
  if (to === 'underpaid' && payment.completedAt) payment.completedAt = null
}

type Moving = { status: PaymentStatus; failureCode?: FailureCode | null; completedAt?: Date | null }

export const failureCodes = [
  'card_declined',
  'insufficient_funds',
  'expired_card',
  'authentication_failed',
  'customer_timeout',
  'customer_rejected',
  'invalid_account',
  'rail_unavailable',
] as const
export type FailureCode = (typeof failureCodes)[number]

/** The messages that a payer reads, by failure code. */
export const failureMessages: Record<FailureCode, string> = {
  card_declined: 'The card was declined.',
  insufficient_funds: 'The card or account has insufficient funds.',
  expired_card: 'The card has expired.',
  authentication_failed: 'The payer could not be authenticated.',
  customer_timeout: 'The payer did not answer in time.',
  customer_rejected: 'The payer rejected the payment.',
  invalid_account: 'The account is not valid.',
  rail_unavailable: 'The payment network did not accept the payment.',
}

/** Whether the rail or the payer still has to act on a payment. */
export const isPending = (status: PaymentStatus): boolean =>
  status === 'requires_action' || status === 'processing' || status === 'underpaid'

type Expected = { status: PaymentStatus; partial: boolean; cancelling: 'due' | 'done' | null; corridor: Corridor }

/**
 * Whether money may still come for this attempt, in whatever state its session is. The rest of a short payment may come
 * after a part was accepted.
 */
export const mayBringMoney = ({ status, partial, cancelling }: Omit<Expected, 'corridor'>): boolean =>
  status !== 'failed' && (status !== 'succeeded' || partial) && cancelling !== 'done'

/** Whether that money is sent by the payer themselves. */
export const mayReceive = (payment: Expected): boolean => mayBringMoney(payment) && corridorOf(payment.corridor).push

/** A payment, with what has arrived for it and what of that is refunded or about to be. */
type Received = { status: PaymentStatus; amountReceived: Amount; refundClaimed: Amount }

/** Whether some money of a short payment is neither refunded nor about to be. */
export const isShortPayment = ({ status, amountReceived, refundClaimed }: Received): boolean =>
  status === 'underpaid' && isLess(refundClaimed, amountReceived)

/** What the payer has to do next. It is stored on the payment, so it contains no secret and no personal data. */
export type NextAction =
  | { type: 'otp' }
  /** A page of the payer's bank, of the provider or of a wallet. All but a wallet's lead back to ours. */
  | { type: 'redirect'; url: string }
  /** A code of the wallet's own, such as a voucher that its menu gives out. */
  | { type: 'pin'; provider: string; expires_at: string }
  /** A question on the buyer's phone; its number is shown masked. */
  | { type: 'phone_prompt'; provider: string; phone_number: string; expires_at: string }
  /** `amount` is what is still to be sent, in the asset. */
  | {
      type: 'crypto_address'
      asset: CryptoAsset
      network: CryptoNetwork
      address: string
      amount: string
      expires_at: string
    }
  /** `amount` is the payment's full amount; `remainingAction` deducts what has arrived. */
  | {
      type: 'bank_transfer'
      bank_name: string
      account_number: string
      account_name: string
      amount: string
      currency: Currency
      expires_at: string
    }

/** Whether the buyer gives a code for it, which goes to the rail through us: nothing is charged without it. */
export const asksForCode = (action: { type: NextAction['type'] } | null): boolean =>
  action?.type === 'otp' || action?.type === 'pin'

/** An attempt with the action that its rail asks of the buyer; both amounts are null where a card is saved. */
type Asking = { nextAction: NextAction | null; amount: Amount | null; amountReceived: Amount | null }

/**
 * What the buyer has to do now. A rail names an account once, with the full amount. Once a part has arrived only the
 * rest is asked for, and nothing once everything has. A crypto rail says itself how many coins are missing.
 */
export function remainingAction({ nextAction, amount, amountReceived }: Asking): NextAction | null {
  if (nextAction?.type !== 'bank_transfer' || amount === null) return nextAction
  const due = subtract(amount, amountReceived ?? '0')
  return isLess('0', due) ? { ...nextAction, amount: format(due, nextAction.currency) } : null
}

/**
 * Whether a buyer may be redirected to this URL: over https only. The sandbox also allows the machine's own address,
 * where a network under development runs.
 */
export function isRedirectTarget(url: string, environment: Environment): boolean {
  const target = URL.parse(url)
  if (!target || target.username || target.password) return false
  if (target.protocol === 'https:') return true
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(target.hostname)
  return environment === 'sandbox' && target.protocol === 'http:' && isLoopback
}

/** The action that a rail asks of a buyer, after a check that its redirect is safe. */
export function assertSafeAction(action: NextAction, environment: Environment): NextAction {
  if (action.type !== 'redirect' || isRedirectTarget(action.url, environment)) return action
  throw new Error('the rail sends the buyer to an address that is not https')
}
