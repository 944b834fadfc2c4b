import Big from 'big.js'
import { type Currency, digitsOf } from '../currency.ts'
import { add, type Amount, format, negate, subtract } from '../money.ts'
import type { Period } from './period.ts'

/** What was charged for the time from `start` to the end of the period: its price, or the charge of the last change. */
export type Charged = { amount: Amount; start: number }

/** What a refund or a dispute, by its id, has returned to the customer of the payment for a time. */
export type PaidBack = { id: string; amount: Amount; period: Period }

/** How much less changes of a plan have given back because of each refund and dispute, by its id. */
export type Withheld = Readonly<Record<string, Amount>>

/**
 * What is left of a charge after refunds and disputes have returned a part of the payments for its time. Each has
 * returned as much for every second of its period, and only the seconds of this charge count.
 */
export function chargeLeft({ amount, start }: Charged, returned: readonly PaidBack[], currency: Currency): Charged {
  const left = returned.reduce((sum, { amount: back, period }) => {
    const seconds = secondsBetween(Math.max(start, period.start), period.end)
    return sum.minus(new Big(back).times(seconds).div(secondsBetween(period.start, period.end)))
  }, new Big(amount))
  return { amount: left.lt(0) ? format('0', currency) : left.toFixed(digitsOf(currency), Big.roundUp), start }
}

/** A change of what is paid for, in the middle of a period, with the new price of a whole period. */
export type PlanChange = { period: Period; charged: Charged; at: number; price: Amount; currency: Currency }

/** What a change books: `credit`, zero or less, for the time that is not used, and `charge` for the new one. */
export type Prorated = { credit: Amount; charge: Amount; total: Amount }

/**
 * Prorates a change within a period, to the second: the time that is left is credited as it was charged, and charged at
 * the new price. What rounding leaves over is the platform's: a credit is rounded up and a charge down. So the lines of
 * a period are never more than the price of its dearest plan, and a change that is taken back at once gives back what
 * it took and no more.
 */
export function prorate({ period, charged, at, price, currency }: PlanChange): Prorated {
  const { start, end } = period
  const moment = Math.min(Math.max(at, charged.start), end)
  const left = secondsBetween(moment, end)
  const unused = part(charged.amount, left, secondsBetween(charged.start, end), currency, Big.roundUp)
  const charge = part(price, left, secondsBetween(start, end), currency, Big.roundDown)
  const credit = format(negate(unused), currency)
  return { credit, charge, total: format(add(credit, charge), currency) }
}

/** How much less `prorate` gives back because of each refund and dispute: together, all that it does not give back. */
export function withheldFor(change: PlanChange, returned: readonly PaidBack[]): Withheld {
  const creditAfter = (count: number): Amount => {
    const charged = chargeLeft(change.charged, returned.slice(0, count), change.currency)
    return prorate({ ...change, charged }).credit
  }
  return Object.fromEntries(
    returned.map(({ id }, index) => [
      id,
      format(subtract(creditAfter(index + 1), creditAfter(index)), change.currency),
    ]),
  )
}

type Rounding = typeof Big.roundUp | typeof Big.roundDown

/** So many of the seconds of an amount; nothing of no time. */
const part = (amount: Amount, seconds: number, of: number, currency: Currency, rounding: Rounding): Amount =>
  of === 0 ? format('0', currency) : new Big(amount).times(seconds).div(of).toFixed(digitsOf(currency), rounding)

/** Whole seconds: a second that has begun is used. */
const secondsBetween = (from: number, to: number): number => Math.floor((to - from) / 1_000)
