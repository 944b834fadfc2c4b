import Big from 'big.js'
import { type Currency, digitsOf } from '../currency.ts'
import { add, type Amount, format, subtract } from '../money.ts'
import type { Period } from './period.ts'

/**
 * What is paid for the time from `start` to the end of the period: its price, or what the last change has left. It has
 * more decimals than the currency.
 */
export type Charged = { amount: Amount; start: number }

/** What a refund or a dispute, by its id, has returned to the customer of the payment for a time, and as which part. */
export type PaidBack = { id: string; amount: Amount; part: Amount; period: Period }

/**
 * How much less changes of a plan have given back because of each refund and dispute, by its id, and for which part of
 * its payment, by `partKey` of its id. A paid invoice of a period that never began is in it with 0: what is returned of
 * it is taken off nothing.
 */
export type Withheld = Readonly<Record<string, Amount>>

const partKey = (id: string): string => `${id}/part`

/**
 * What is left of a charge, which ends at `end`, after refunds and disputes have returned a part of the payments for
 * its time. Each has returned as much for every second of its period, and only the seconds of this charge count: a
 * change to a shorter rhythm has ended the period of the payment early.
 */
export function chargeLeft({ amount, start }: Charged, end: number, returned: readonly PaidBack[]): Charged {
  const left = returned.reduce((sum, { amount: back, period }) => {
    const seconds = secondsBetween(Math.max(start, period.start), Math.min(end, period.end))
    return sum.minus(new Big(back).times(seconds).div(secondsBetween(period.start, period.end)))
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
  const unused = part(charged.amount, left, secondsBetween(charged.start, end))
  const difference = part(price, left, secondsBetween(start, end)).minus(unused)
  const total = rounded(difference, currency, difference.lt(0) ? Big.roundDown : Big.roundUp)
  const credit = rounded(unused, currency, Big.roundDown).times(-1)
  return {
    credit: format(credit.toFixed(), currency),
    charge: format(total.minus(credit).toFixed(), currency),
    total: format(total.toFixed(), currency),
    paid: exact(unused.plus(total)),
  }
}

/**
 * How much less `prorate` gives back because of each refund and dispute: together, all that it does not give back. With
 * the part of the payment that each has returned.
 */
export function withheldFor(change: PlanChange, returned: readonly PaidBack[]): Withheld {
  const creditAfter = (count: number): Amount => {
    const charged = chargeLeft(change.charged, change.period.end, returned.slice(0, count))
    return prorate({ ...change, charged }).credit
  }
  return Object.fromEntries(
    returned.flatMap(({ id, part: counted }, index) => [
      [id, format(subtract(creditAfter(index + 1), creditAfter(index)), change.currency)],
      [partKey(id), counted],
    ]),
  )
}

/** What is withheld after another change, which may have counted more of a refund or a dispute. */
export const addWithheld = (before: Withheld, more: Withheld): Withheld => ({
  ...before,
  ...Object.fromEntries(Object.entries(more).map(([key, value]) => [key, add(before[key] ?? '0', value)])),
})

/** A refund or a dispute: the part of its payment that it returns, and whether it stands. */
export type Return = { id: string; paymentId: string; part: Amount; stands: boolean }

/** The part of its payment for which a return was counted; from before 2026-11-30 only that it was counted is known. */
const countedOf = (withheld: Withheld, { id, part: whole }: Return): Big =>
  new Big(withheld[partKey(id)] ?? (withheld[id] === undefined ? '0' : whole))

/**
 * What is withheld, and what of it becomes credit, after refunds have failed and disputes were won. What these have not
 * returned after all, other refunds or disputes of the same payment may have: as far as they were not counted yet, so
 * much is withheld because of them instead. What they return beyond that is left for the next change of the plan.
 */
export function settleWithheld(
  withheld: Withheld,
  returns: readonly Return[],
  currency: Currency,
): { credit: Amount; withheld: Withheld } {
  const left: Record<string, Amount> = { ...withheld }
  let credit = new Big(0)
  for (const undone of returns.filter(({ id, stands }) => !stands && id in withheld)) {
    const { id, paymentId } = undone
    const [amount, counted] = [new Big(withheld[id] ?? '0'), countedOf(withheld, undone)]
    let [owed, open] = [amount, counted]
    delete left[id]
    delete left[partKey(id)]
    for (const other of returns.filter((each) => each.stands && each.paymentId === paymentId)) {
      const before = countedOf(left, other)
      const taken = lesser(new Big(other.part).minus(before), open)
      if (taken.lte(0)) continue
      const moved = rounded(amount.times(taken).div(counted), currency, Big.roundDown)
      left[other.id] = format(add(left[other.id] ?? '0', moved.toFixed()), currency)
      left[partKey(other.id)] = exact(before.plus(taken))
      open = open.minus(taken)
      owed = owed.minus(moved)
    }
    credit = credit.plus(owed)
  }
  return { credit: format(credit.toFixed(), currency), withheld: left }
}

const lesser = (one: Big, other: Big): Big => (one.lt(other) ? one : other)

/** So many of the seconds of an amount; nothing of no time. */
const part = (amount: Amount, seconds: number, of: number): Big =>
  of === 0 ? new Big(0) : new Big(amount).times(seconds).div(of)

/** The decimals of an amount that is not rounded to its currency, as the database keeps them. */
const decimals = 18

const exact = (amount: Big): Amount => (amount.lt(0) ? '0' : amount.round(decimals, Big.roundHalfUp).toFixed())

/** Rounds to the currency. The last decimals are no part of the amount: a division may have left a trifle there. */
const rounded = (amount: Big, currency: Currency, rounding: typeof Big.roundUp | typeof Big.roundDown): Big =>
  amount.round(12, Big.roundHalfUp).round(digitsOf(currency), rounding)

/** Whole seconds: a second that has begun is used. */
const secondsBetween = (from: number, to: number): number => Math.floor((to - from) / 1_000)
