import { corridorOf, isCorridor } from '../../domain/corridor.ts'
import { addDuration } from '../../domain/duration.ts'
import { isZero } from '../../domain/money.ts'
import { totalOf } from '../../domain/checkout/line-item.ts'
import type { Language } from '../language.ts'
import type { WordKey } from '../words/catalogues.ts'
import type { Screen, Session } from './screen.ts'

type Rhythm = Pick<NonNullable<Session['recurring']>, 'interval' | 'interval_count'>

/** How often something is paid: `each month`, `every 3 months`. */
export const rhythmWords = ({ say }: Language, { interval, interval_count: count }: Rhythm): string =>
  say(`rhythm.${interval}`, { count })

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

/** The terms of a session. What is charged next is counted from its time. */
export function termsOf(session: Session, screen: Screen, language: Language) {
  const { recurring, merchant_name: merchant } = session
  if (!recurring) return null
  const { say, day } = language
  const email = session.merchant.support_email
  const isTrial = recurring.trial_days > 0
  const at = recurring.next_charge_at ?? new Date(nextAt(recurring, Date.parse(session.as_of))).toISOString()
  const price = priceOf(session, screen, language)
  const terms = {
    trial: isTrial ? say('terms.trial.days', { days: recurring.trial_days }) : null,
    isFree: session.products !== null && isZero(totalOf(session.products)),
    // Until a plan is picked, only the end of a trial is known.
    next: session.products === null && !isTrial ? null : day(at),
    isPulled: recurring.collection === 'automatic',
  }
  const sentences = [whatIsCharged(language, { ...terms, price })]
  if (!terms.isFree) sentences.push(language.say(howItIsCharged(session, screen), { merchant }))
  const made: Terms = {
    ...terms,
    price: price ?? say('terms.price.open'),
    sentences,
    stop: email === null ? say('terms.stop.contact', { merchant }) : say('terms.stop.write', { email }),
    button: say(isTrial ? 'button.trial' : 'button.subscribe'),
  }
  return made
}

function nextAt({ interval, interval_count: count, trial_days: days }: Rhythm & { trial_days: number }, now: number) {
  return addDuration(now, days > 0 ? `P${days}D` : `P${count}${units[interval]}`) ?? now
}

/** The price of each period, with what is added to it when it is charged; null until a plan is picked. */
function priceOf(session: Session, screen: Screen, language: Language): string | null {
  const { products, base_currency: base, recurring, fee_preference: preference } = session
  if (!products || !recurring) return null
  const total = totalOf(products)
  const charged = chargedIn(session, screen)
  return language.say('terms.price', {
    price: language.money(total, base),
    rhythm: rhythmWords(language, recurring),
    // The session's own fee does not tell: it is zero before a trial, as nothing is charged yet.
    fee: preference === 'customer_pays' && !isZero(total) ? 'yes' : 'no',
    currency: charged === base ? 'none' : charged,
  })
}

/** The currency of the charges: before a method is chosen, that of all methods if it is one; else the session's. */
function chargedIn({ payment_methods: offers, base_currency: base, currency }: Session, screen: Screen): string {
  if (screen !== 'choose') return currency
  const [first = base, ...others] = new Set(offers.map((offer) => offer.currency))
  return others.length === 0 ? first : base
}

type Charged = Pick<Terms, 'trial' | 'isFree' | 'next'> & { price: string | null }

function whatIsCharged({ say }: Language, { trial, price, isFree, next }: Charged): string {
  if (isFree && price !== null) return say('terms.free', { price })
  if (trial && next) {
    return price === null ? say('terms.trial.open', { trial, next }) : say('terms.trial', { trial, price, next })
  }
  return price === null || next === null ? say('terms.now.open') : say('terms.now', { price, next })
}

function howItIsCharged({ payment_methods: offers, setup, ...session }: Session, screen: Screen): WordKey {
  const corridor = session.payment_method ?? ''
  const isCard = isCorridor(corridor) && corridorOf(corridor).method === 'card'
  if (screen !== 'choose') return isCard || setup ? 'terms.card' : 'terms.invoice'
  if (offers.every(({ type }) => type === 'card')) return 'terms.card'
  return offers.some(({ type }) => type === 'card') ? 'terms.either' : 'terms.invoice'
}
