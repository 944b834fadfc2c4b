import { corridorOf, isCorridor } from '../../domain/corridor.ts'
import { addDuration } from '../../domain/duration.ts'
import { isZero } from '../../domain/money.ts'
import { totalOf } from '../../domain/checkout/line-item.ts'
import type { Screen, Session } from './screen.ts'
import { day, money } from '../words.ts'

type Rhythm = Pick<NonNullable<Session['recurring']>, 'interval' | 'interval_count'>

/** How often something is paid: `each month`, `every 3 months`. */
export const rhythmWords = ({ interval, interval_count: count }: Rhythm): string =>
  count === 1 ? `each ${interval}` : `every ${count} ${interval}s`

const daysWords = (days: number): string => (days === 1 ? '1 day' : `${days} days`)

const units: Record<Rhythm['interval'], string> = { day: 'D', week: 'W', month: 'M', year: 'Y' }

/** What a buyer agrees to with a recurring sale, in sentences; null for a sale that does not repeat. */
export type Terms = {
  /** `14 days free`; null without a trial. */
  trial: string | null
  /** What is charged and how often: `USD 25.00 each month`. */
  price: string
  isFree: boolean
  /** When it is charged next: a day; once it is complete, the day that the service has set. */
  next: string | null
  /** Whether a card is charged then; otherwise the customer pays an invoice. */
  isPulled: boolean
  sentences: string[]
  /** How to stop. */
  stop: string
  /** The words of the button that completes the sale. */
  button: string
}

/** The terms of a session. `now` is the time of the page, in ms: what is charged next is counted from it. */
export function termsOf(session: Session, screen: Screen, now: number): Terms | null {
  const { recurring, merchant_name: merchant } = session
  if (!recurring) return null
  const email = session.merchant.support_email
  const isTrial = recurring.trial_days > 0
  const isFree = session.products !== null && isZero(totalOf(session.products))
  const at = recurring.next_charge_at ?? new Date(nextAt(recurring, now)).toISOString()
  const terms = {
    trial: isTrial ? `${daysWords(recurring.trial_days)} free` : null,
    price: priceOf(session, screen),
    isFree,
    // Until a plan is picked, only the end of a trial is known.
    next: session.products === null && !isTrial ? null : day(at),
    isPulled: recurring.collection === 'automatic',
  }
  const contact = email === null ? `contact ${merchant}` : `write to ${email}`
  return {
    ...terms,
    sentences: [whatIsCharged(terms), ...(isFree ? [] : [howItIsCharged(session, screen)])],
    stop: `You can cancel at any time: ${contact}.`,
    button: isTrial ? 'Start trial' : 'Subscribe',
  }
}

function nextAt({ interval, interval_count: count, trial_days: days }: Rhythm & { trial_days: number }, now: number) {
  return addDuration(now, days > 0 ? `P${days}D` : `P${count}${units[interval]}`) ?? now
}

/** The price of each period, with what is added to it when it is charged. */
function priceOf(session: Session, screen: Screen): string {
  const { products, base_currency: base, currency, recurring, fee } = session
  if (!products || !recurring) return 'The price of the plan you choose'
  const chosen = screen === 'choose' ? null : session.payment_method
  const offers = session.payment_methods.filter(({ payment_method: key }) => chosen === null || key === chosen)
  const hasFee = chosen === null ? offers.some((offer) => !isZero(offer.fee ?? '0')) : !isZero(fee ?? '0')
  const paidIn = chosen !== null && currency !== base ? `, in ${currency} at the rate of that day` : ''
  const added = hasFee && !isZero(totalOf(products)) ? ' plus the payment fee' : ''
  return `${money(totalOf(products), base)} ${rhythmWords(recurring)}${added}${paidIn}`
}

type Charged = Pick<Terms, 'trial' | 'price' | 'isFree' | 'next'>

function whatIsCharged({ trial, price, isFree, next }: Charged): string {
  if (isFree) return `${price}: there is nothing to pay.`
  if (trial) return `${trial}, then ${lowered(price)}. The first charge is on ${next}.`
  return next === null ? `${price} is charged for each period.` : `${price}. The next charge is on ${next}.`
}

function howItIsCharged(session: Session, screen: Screen): string {
  const { merchant_name: merchant, payment_methods: offers, setup } = session
  const corridor = session.payment_method ?? ''
  const isCard = isCorridor(corridor) && corridorOf(corridor).method === 'card'
  const card = `Your card is saved, and ${merchant} charges it for each period until you cancel.`
  const invoiced = 'get an invoice to pay for each period until you cancel.'
  if (screen !== 'choose') return isCard || setup ? card : `You ${invoiced}`
  if (offers.every(({ type }) => type === 'card')) return card
  if (!offers.some(({ type }) => type === 'card')) return `You ${invoiced}`
  return `If you pay by card: ${lowered(card)} If you pay in another way, you ${invoiced}`
}

/** A sentence as the second part of another; a currency code stays as it is. */
const lowered = (text: string): string =>
  /^[A-Z]{3}\s/.test(text) ? text : `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`
