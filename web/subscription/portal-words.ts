import type { Static } from 'typebox'
import type { SavedPaymentMethod } from '../../schemas/checkout/payment-method.ts'
import type { PortalInvoice, PortalSubscription } from '../../schemas/subscription/portal.ts'
import { cardName } from '../names.ts'
import { money, moment } from '../words.ts'

export type Subscription = Static<typeof PortalSubscription>
export type Invoice = Static<typeof PortalInvoice>
export type Card = Static<typeof SavedPaymentMethod>

/** A time in a text: for scripts, and as words. */
export type Time = { at: string; words: string }
/** A text of a page, with its times. */
export type Sentence = (string | Time)[]

export const timeOf = (at: string): Time => ({ at, words: moment(at) })

/** `every month`, `every 3 months`. */
export const rhythmWords = (interval: string, count: number): string =>
  count === 1 ? `every ${interval}` : `every ${count} ${interval}s`

/** A price with its rhythm: `USD 25.00 every month`. */
export const priceWords = (amount: string, currency: string, { interval, interval_count }: Rhythm): string =>
  `${money(amount, currency)} ${rhythmWords(interval, interval_count)}`
type Rhythm = { interval: string; interval_count: number }

/** `Team plan`, `Team plan × 3`, or all products of a subscription. */
export const planName = (items: readonly { product_name: string; quantity: number }[]): string =>
  items.map(({ product_name: name, quantity }) => (quantity === 1 ? name : `${name} × ${quantity}`)).join(', ')

/** `Visa ••4242`. */
export const nameOfCard = ({ card: { brand, last4 } }: Card): string => cardName(brand, last4)

export const expiryOf = ({ card }: Card): string => `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`

type Badge = { words: string; kind: 'active' | 'late' | '' }

const badges: Record<Subscription['status'], Badge> = {
  trialing: { words: 'Free trial', kind: 'active' },
  active: { words: 'Active', kind: 'active' },
  past_due: { words: 'Payment due', kind: 'late' },
  paused: { words: 'Paused', kind: '' },
  canceled: { words: 'Ended', kind: '' },
}

export const badgeOf = ({ status, cancel_at_period_end: ends }: Subscription): Badge =>
  ends && status !== 'canceled' ? { words: 'Canceled', kind: '' } : badges[status]

/** How a subscription stands and what comes next, in plain words. */
export function standingOf(sub: Subscription): Sentence[] {
  const pending = sub.pending_update
  const change: Sentence[] =
    pending && sub.status !== 'canceled' && !sub.cancel_at_period_end
      ? [
          [
            'On ',
            timeOf(pending.effective_at),
            ` it changes to ${planName(pending.line_items)}: ${priceWords(pending.amount, sub.currency, pending)}.`,
          ],
        ]
      : []
  return [...mainWords(sub), ...change]
}

function mainWords(sub: Subscription): Sentence[] {
  const end = timeOf(sub.current_period_end)
  const { status, resumes_at: resumesAt } = sub
  if (status === 'canceled') return [['It ended on ', timeOf(sub.ended_at ?? sub.current_period_end), '.']]
  if (status === 'paused') {
    return resumesAt
      ? [['It is paused until ', timeOf(resumesAt), '. Nothing is charged until then.']]
      : [['It is paused. Nothing is charged.']]
  }
  const owed: Sentence[] = status === 'past_due' ? [owedWords(sub)] : []
  if (sub.cancel_at_period_end) return [...owed, ['You can use it until ', end, '. It is not renewed after that.']]
  if (sub.pause_at_period_end) return [...owed, ['It is paused from ', end, ' on. Nothing is charged then.']]
  if (status === 'past_due') return owed
  if (status === 'trialing') return [['Your free trial ends on ', end, `. ${chargeWords(sub)}`]]
  if (sub.collection === 'invoice') return [['The next invoice is due on ', end, '.']]
  return [['It renews on ', end, `. ${chargeWords(sub)}`]]
}

function owedWords({ collection, next_payment_attempt_at: next, payment_method_id: card }: Subscription): Sentence {
  if (collection === 'invoice') return ['An invoice is not paid. Please pay it under “Invoices”.']
  if (card === null) return ['A payment is due, and there is no card. Please add one.']
  if (next === null) return ['A payment is due. Please choose another card, or try again.']
  return ['A payment failed. Your card is charged again on ', timeOf(next), '. You can also choose another card.']
}

const chargeWords = ({ amount, currency, collection }: Subscription): string =>
  collection === 'invoice'
    ? `Then you get an invoice of ${money(amount, currency)}.`
    : `Then ${money(amount, currency)} is charged.`

const invoiceStates: Record<Invoice['status'], Badge> = {
  draft: { words: 'Draft', kind: '' },
  open: { words: 'To pay', kind: 'late' },
  paid: { words: 'Paid', kind: 'active' },
  void: { words: 'Void', kind: '' },
  uncollectible: { words: 'Not paid', kind: '' },
}

export const invoiceBadge = ({ status }: Invoice): Badge => invoiceStates[status]

/** Why customers cancel. The code is what the merchant reads. */
export const reasons = [
  { code: 'too_expensive', words: 'It is too expensive' },
  { code: 'unused', words: 'I do not use it enough' },
  { code: 'missing_features', words: 'Something that I need is missing' },
  { code: 'switched_service', words: 'I use something else now' },
  { code: 'too_complex', words: 'It is too hard to use' },
  { code: 'low_quality', words: 'It did not work well' },
  { code: 'customer_service', words: 'I was not helped well' },
  { code: 'other', words: 'Another reason' },
] as const
