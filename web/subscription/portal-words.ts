import type { Static } from 'typebox'
import { type Amount, isZero, lesser, subtract } from '../../domain/money.ts'
import type { SavedPaymentMethod } from '../../schemas/checkout/payment-method.ts'
import type { PortalInvoice, PortalSubscription } from '../../schemas/subscription/portal.ts'
import { rhythmWords } from '../checkout/terms.ts'
import type { Language } from '../language.ts'
import { cardName } from '../names.ts'

export type Subscription = Static<typeof PortalSubscription>
export type Invoice = Static<typeof PortalInvoice>
export type Card = Static<typeof SavedPaymentMethod>

type Rhythm = Parameters<typeof rhythmWords>[1]

/** A price with its rhythm and its currency, as currencies share symbols: `$25.00 USD each month`. */
export const priceWords = (language: Language, amount: string, currency: string, rhythm: Rhythm): string =>
  `${language.codedMoney(amount, currency)} ${rhythmWords(language, rhythm)}`

/**
 * A price as the subscription's card is charged for it: with the fee where the customer bears it, and in the card's
 * currency, whose rate is only known then. `amount` is written out; the key says when it is charged.
 */
export function chargeWords(
  { say }: Language,
  sub: Subscription,
  amount: string,
  key: 'charge.later' | 'charge.now' = 'charge.later',
): string {
  const { currency, charge_currency: charged, fee_preference: preference } = sub
  return say(key, {
    amount,
    fee: preference === 'customer_pays' ? 'yes' : 'no',
    currency: charged === null || charged === currency ? 'none' : charged,
  })
}

/** What of a price is still to be paid where there is credit. */
export const afterCredit = (price: Amount, credit: Amount): Amount => subtract(price, lesser(price, credit))

/** `Team plan`, `Team plan × 3`, or all products of a subscription. */
export const planName = (items: readonly { product_name: string; quantity: number }[]): string =>
  items.map(({ product_name: name, quantity }) => (quantity === 1 ? name : `${name} × ${quantity}`)).join(', ')

/** `Visa ••4242`. */
export const nameOfCard = ({ say }: Language, { card: { brand, last4 } }: Card): string =>
  cardName(brand, last4, say('method.card'))

export const expiryOf = ({ card }: Card): string => `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`

type Badge = { words: string; kind: 'active' | 'late' | '' }

const kinds: Record<Subscription['status'], Badge['kind']> = {
  trialing: 'active',
  active: 'active',
  past_due: 'late',
  paused: '',
  canceled: '',
}

export const badgeOf = ({ say }: Language, { status, cancel_at_period_end: ends }: Subscription): Badge =>
  ends && status !== 'canceled'
    ? { words: say('state.ending'), kind: '' }
    : { words: say(`state.${status}`), kind: kinds[status] }

/**
 * How a subscription stands and what comes next: sentences in HTML, with their times. Where no card can be added, a
 * debt is paid by its invoice.
 */
export function standingOf(language: Language, sub: Subscription, canAddCards = true): string[] {
  const { html, money } = language
  const isOver = sub.status === 'canceled' || sub.cancel_at_period_end
  const credit = money(sub.credit, sub.currency)
  return [
    ...mainWords(language, sub, canAddCards),
    ...(isOver ? [] : changeWords(language, sub)),
    ...(isOver || isZero(sub.credit) ? [] : [html('stands.credit', { credit })]),
  ]
}

function changeWords(language: Language, sub: Subscription): string[] {
  const { html, time } = language
  const pending = sub.pending_update
  // The plan changes once it goes on after the pause, not at the end of this period.
  const isPaused = sub.status === 'paused' || sub.pause_at_period_end
  if (!pending || isPaused) return []
  const price = priceWords(language, pending.amount, sub.currency, pending)
  const change = { at: time(pending.effective_at), plan: planName(pending.line_items), price }
  return [html('stands.changes', change)]
}

function mainWords(language: Language, sub: Subscription, canAddCards: boolean): string[] {
  const { html, money, time } = language
  const at = time(sub.current_period_end)
  const { status, resumes_at: resumesAt, collection } = sub
  const isTrial = status === 'trialing'
  if (status === 'canceled') return [html('stands.ended', { at: time(sub.ended_at ?? sub.current_period_end) })]
  if (status === 'paused') {
    return [resumesAt ? html('stands.paused.until', { at: time(resumesAt) }) : html('stands.paused')]
  }
  const owed = status === 'past_due' ? [owedWords(language, sub, canAddCards)] : []
  const until = time(runsUntil(sub))
  if (sub.cancel_at_period_end) return [...owed, html('stands.ending', { at: until })]
  if (sub.pause_at_period_end) return [...owed, html('stands.pausing', { at: until })]
  if (status === 'past_due') return owed
  // Of a period that is paid ahead nothing is charged when it begins: the next charge is at its end.
  const next = sub.recurring.next_charge_at ?? sub.current_period_end
  const isNextSettled = next !== sub.current_period_end
  // An invoice that is open already has used the credit.
  const amount = sub.next_invoice_amount ?? afterCredit((sub.pending_update ?? sub).amount, sub.credit)
  if (isZero(amount) || (isTrial && isNextSettled))
    return [html(isTrial ? 'stands.trial.free' : 'stands.renews.free', { at })]
  const billed = money(amount, sub.currency)
  if (collection === 'invoice')
    return [html(isTrial ? 'stands.trial.invoice' : 'stands.invoice', { at: time(next), amount: billed })]
  const amountWords = chargeWords(language, sub, billed)
  return [html(isTrial ? 'stands.trial' : 'stands.renews', { at: time(next), amount: amountWords })]
}

/** Until when a subscription runs that is canceled or paused at its end. */
export const runsUntil = (sub: Subscription): string => sub.paid_ahead_until ?? sub.current_period_end

function owedWords({ html, time }: Language, sub: Subscription, canAddCards: boolean): string {
  const { collection, next_payment_attempt_at: next, payment_method_id: card } = sub
  if (collection === 'invoice') return html('owed.invoice')
  if (card === null) return html(canAddCards ? 'owed.no.card' : 'owed.invoice')
  return next === null ? html('owed.card') : html('owed.again', { at: time(next) })
}

const invoiceKinds: Record<Invoice['status'], Badge['kind']> = {
  draft: '',
  open: 'late',
  paid: 'active',
  void: '',
  uncollectible: '',
}

export const invoiceBadge = ({ say }: Language, { status }: Invoice): Badge => ({
  words: say(`bill.${status}`),
  kind: invoiceKinds[status],
})

/** Why customers cancel, as the merchant reads it. */
const reasonCodes = [
  'too_expensive',
  'unused',
  'missing_features',
  'switched_service',
  'too_complex',
  'low_quality',
  'customer_service',
  'other',
] as const

/** The reasons to choose from: the code that the merchant reads, and the words beside it. */
export const reasonsIn = ({ say }: Language) => reasonCodes.map((code) => ({ code, words: say(`reason.${code}`) }))
