import { type FailureCode, type NextAction } from '../../domain/checkout/payment.ts'
import type { MethodDetails } from '../../db/checkout/payment.ts'
import { format } from '../../domain/money.ts'
import type { Currency } from '../../domain/currency.ts'
import type { RailAnswer, SavedCard } from '../rail.ts'
import { fromMinor } from './amount.ts'
import { PaystackUnclear } from './api.ts'
import { isOfCard, type PaystackOrder } from './book.ts'
import { methodDetailsOf } from './cards.ts'
import type { Charge, Transaction } from './shapes.ts'

/** How Paystack's statuses of a transaction or a charge are read (docs/rails.md, "The answers"). */
const statuses: Record<string, 'succeeded' | 'failed' | 'abandoned' | 'open'> = {
  success: 'succeeded',
  reversed: 'succeeded', // it was paid, and then refunded or charged back
  failed: 'failed',
  timeout: 'failed',
  abandoned: 'abandoned',
  ongoing: 'open',
  pending: 'open',
  processing: 'open',
  queued: 'open',
  send_otp: 'open',
  send_pin: 'open',
  send_phone: 'open', // these three ask for what nobody asks a buyer for here, so the charge is abandoned
  send_birthday: 'open',
  send_address: 'open',
  open_url: 'open',
  pay_offline: 'open',
  pending_bank_transfer: 'open',
}

/** What a status means; one that no document names is an unknown outcome. */
export function meaningOf(status: string): 'succeeded' | 'failed' | 'abandoned' | 'open' {
  const meaning = Object.hasOwn(statuses, status) ? statuses[status] : undefined
  if (!meaning) throw new PaystackUnclear('Paystack reports a status of a charge that its documents do not name')
  return meaning
}

/** How long the question stays on a phone. */
const promptMs = 180_000

/** When Paystack is asked about an open charge: after 10 s, 30 s, and then each time twice as long, up to a day. */
export function newsDueAt(at: number, lookUps: number): number {
  const seconds = lookUps === 0 ? 10 : Math.min(30 * 2 ** (lookUps - 1), 86_400)
  return at + seconds * 1000
}

/** What the buyer has to do, if the answer to the charge says so. `at` is in ms since the epoch. */
export function actionOf(order: PaystackOrder, charge: Charge, at: number): NextAction | null {
  const provider = String(order.details?.['provider'] ?? '')
  const closesAt = order.expiresAt?.getTime() ?? at
  if (charge.status === 'pay_offline') {
    const phone_number = String(order.details?.['phone_number'] ?? '')
    return { type: 'phone_prompt', provider, phone_number, expires_at: new Date(at + promptMs).toISOString() }
  }
  if (charge.status === 'send_otp' || charge.status === 'send_pin') {
    if (order.channel !== 'mobile_money') return { type: 'otp' }
    return { type: 'pin', provider, expires_at: new Date(closesAt).toISOString() }
  }
  if (charge.status === 'open_url' && charge.url != null) return { type: 'redirect', url: charge.url }
  return order.channel === 'bank_transfer' ? accountOf(order, charge, closesAt) : null
}

/** The account that the buyer sends the money to, until it closes. */
function accountOf(order: PaystackOrder, charge: Charge, closesAt: number): NextAction | null {
  const { account_number, account_name, bank, account_expires_at } = charge
  if (account_number == null || bank == null) return null
  const theirs = Date.parse(account_expires_at ?? '')
  const currency = order.currency as Currency
  return {
    type: 'bank_transfer',
    bank_name: typeof bank === 'string' ? bank : bank.name,
    account_number,
    account_name: account_name ?? '',
    amount: format(order.amount, currency),
    currency,
    expires_at: new Date(Number.isNaN(theirs) ? closesAt : Math.min(theirs, closesAt)).toISOString(),
  }
}

/** The answer about a charge that is open: the action of the buyer, as long as they can take it. */
export function openAnswer(order: PaystackOrder, at: number): RailAnswer {
  const due = newsDueAt(at, order.lookUps)
  const { nextAction } = order
  if (!nextAction) return { status: 'processing', newsDueAt: due }
  // An account that nobody has sent money to does not keep a session open, and where it closes before the session ends,
  // the buyer may choose another way. What comes after the session's end is late money.
  if (nextAction.type === 'bank_transfer') return { status: 'requires_action', nextAction, newsDueAt: due }
  const endsAt = 'expires_at' in nextAction ? Date.parse(nextAction.expires_at) : Infinity
  if (at >= endsAt) return { status: 'processing', newsDueAt: due }
  // A prompt ends by itself, which Paystack does not report.
  const isPrompt = nextAction.type === 'phone_prompt'
  return { status: 'requires_action', nextAction, newsDueAt: isPrompt ? Math.max(due, endsAt) : due }
}

/** The answer about a charge that Paystack reports as paid. */
export function paidAnswer(order: PaystackOrder, transaction: Transaction, saved: SavedCard | null): RailAnswer {
  const amount = fromMinor(transaction.amount)
  const deposits = order.channel === 'bank_transfer' ? [{ id: transaction.id, amount }] : []
  return {
    status: 'succeeded',
    received: amount,
    deposits,
    details: detailsOf(order, transaction),
    ...(saved && { saved }),
  }
}

function detailsOf(order: PaystackOrder, transaction: Transaction): MethodDetails | null {
  if (order.channel === 'mobile_money') return order.details
  if (order.channel !== 'bank_transfer') return methodDetailsOf(transaction)
  const { authorization, id } = transaction
  return {
    sender_name: authorization?.sender_name ?? null,
    sender_bank: authorization?.sender_bank ?? null,
    sender_account_number: authorization?.sender_bank_account_number ?? null,
    session_id: id,
    account_number: authorization?.receiver_bank_account_number ?? accountNumberOf(order.nextAction),
  }
}

const accountNumberOf = (action: NextAction | null): string | null =>
  action?.type === 'bank_transfer' ? action.account_number : null

/** Paystack's words about a failure. Only their beginning is documented, so they are read by what they contain. */
const failures: [words: RegExp, code: FailureCode][] = [
  [/insufficient/i, 'insufficient_funds'],
  [/expired card|card (has |is )?expired/i, 'expired_card'],
  [/\b(pin|otp|voucher|token)\b|authenticat|3d.?secure/i, 'authentication_failed'],
  [/time.?out|timed out|abandon|not completed|expired/i, 'customer_timeout'],
  [/reject|cancel/i, 'customer_rejected'],
  [/invalid (account|phone|number|mobile)|account.*(not found|invalid)/i, 'invalid_account'],
  [/inoperative|unavailable|system/i, 'rail_unavailable'],
]

/** What is noted where Paystack wants the owner of a saved card on a page, and nobody is there to see it. */
export const pausedForOwner = 'paused'

/** Why a charge failed, by what Paystack says about it. */
export function failureOf(
  order: PaystackOrder,
  { status, gateway_response, message }: Pick<Transaction, 'status' | 'gateway_response' | 'message'>,
): FailureCode {
  if (order.answered === pausedForOwner) return 'authentication_failed'
  if (status === 'timeout' || status === 'abandoned') return 'customer_timeout'
  const words = `${gateway_response ?? ''} ${message ?? ''}`
  const found = failures.find(([pattern]) => pattern.test(words))?.[1]
  return found ?? (isOfCard(order) ? 'card_declined' : 'rail_unavailable')
}
