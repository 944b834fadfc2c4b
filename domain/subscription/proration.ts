import Big from 'big.js'
import { type Currency, digitsOf } from '../currency.ts'
import { type Amount, format } from '../money.ts'
import type { Period } from './period.ts'

/**
 * What is paid for the time from `start` to the end of the period: its price, or what the last change has left. It has
 * more decimals than the currency.
 */
export type Charged = { amount: Amount; start: number }

/** What a refund or a dispute, by its id, has returned to the customer of the payment for a time, and as which part. */
export type PaidBack = { id: string; paymentId: string; amount: Amount; part: Amount; period: Period }

/**
 * What is left of a charge, which ends at `end`, after refunds and disputes have returned a part of the payments for
 * its time. Each has returned as much for every second of its period, and only the seconds of this charge count: a
 * change to a shorter rhythm has ended the period of the payment early.
 */
export function chargeLeft({ amount, start }: Charged, end: number, returned: readonly PaidBack[]): Charged {
  const left = returned.reduce((sum, { amount: back, period }) => {
    const seconds = secondsBetween(Math.max(start, period.start), Math.min(end, period.end))
    return sum.minus(worthOf(back, seconds, secondsBetween(period.start, period.end)))
  }, new Big(amount))
  return { amount: exact(left), start }
}

/** A change of what is paid for, in the middle of a period, with the new price of a whole period. */
export type PlanChange = { period: Period; charged: Charged; at: number; price: Amount; currency: Currency }

/** What a change books: `credit`, zero or less, for the time that is not used, and `charge` for the new one. */
export type Prorated = {
  credit: Amount
  charge: Amount
  total: Amount
  /** What is paid then for the time that is left, which is not rounded: the next change starts from it. */
  paid: Amount
}

/**
 * Prorates a change within a period, to the second: the time that is left is credited as it was paid, and charged at
 * the new price. Only the difference is rounded, and up: a charge is at least the difference, and a credit at most.
 * What rounding adds is paid for the time that is left, and the next change counts it. So no time is used unpaid,
 * however often a plan changes, and a change that is taken back at once gives back what it took and no more
 * (docs/decisions/0111-a-change-of-plan-is-rounded-once.md).
 */
export function prorate({ period, charged, at, price, currency }: PlanChange): Prorated {
  const { start, end } = period
  const moment = Math.min(Math.max(at, charged.start), end)
  const left = secondsBetween(moment, end)
  const unused = worthOf(charged.amount, left, secondsBetween(charged.start, end))
  const difference = worthOf(price, left, secondsBetween(start, end)).minus(unused)
  const total = rounded(difference, currency, difference.lt(0) ? Big.roundDown : Big.roundUp)
  const credit = rounded(unused, currency, Big.roundDown).times(-1)
  return {
    credit: format(credit.toFixed(), currency),
    charge: format(total.minus(credit).toFixed(), currency),
    total: format(total.toFixed(), currency),
    paid: exact(unused.plus(total)),
  }
}

/** The worth of the time that is not used, which is not rounded. */
export const unusedOf = ({ paid, total }: Prorated): Big => new Big(paid).minus(total)

/** So many of the seconds of an amount; nothing of no time. */
export const worthOf = (amount: Amount, seconds: number, of: number): Big =>
  of === 0 ? new Big(0) : new Big(amount).times(seconds).div(of)

/** The decimals of an amount that is not rounded to its currency, as the database keeps them. */
const decimals = 18

export const exact = (amount: Big): Amount => (amount.lt(0) ? '0' : amount.round(decimals, Big.roundHalfUp).toFixed())

/** Rounds to the currency. The last decimals are no part of the amount: a division may have left a trifle there. */
export const rounded = (amount: Big, currency: Currency, rounding: typeof Big.roundUp | typeof Big.roundDown): Big =>
  amount.round(12, Big.roundHalfUp).round(digitsOf(currency), rounding)

/** Whole seconds: a second that has begun is used. */
export const secondsBetween = (from: number, to: number): number => Math.floor((to - from) / 1_000)
