import Big from 'big.js'
import type { Currency } from '../currency.ts'
import { add, type Amount, format, subtract } from '../money.ts'
import type { Period } from './period.ts'
import { chargeLeft, exact, type PaidBack, type PlanChange, prorate, rounded } from './proration.ts'

/**
 * How much less changes of a plan have given back because of each refund and dispute, by its id, and for which part of
 * its payment, by `partKey` of its id. A paid invoice of a period that never began is in it with 0: what is returned of
 * it is taken off nothing.
 */
export type Withheld = Readonly<Record<string, Amount>>

const partKey = (id: string): string => `${id}/part`

/** A refund or a dispute: the part of its payment that it returns, and whether it stands. */
export type Return = { id: string; paymentId: string; part: Amount; stands: boolean }

/** The part of its payment for which a return was counted; from before 2026-11-30 only that it was counted is known. */
const countedOf = (withheld: Withheld, { id, part: whole }: Return): Big =>
  new Big(withheld[partKey(id)] ?? (withheld[id] === undefined ? '0' : whole))

/**
 * The returns that stand, each with the part that is not counted yet. Of one payment all together are no more than all:
 * a refund is measured by what has settled and a dispute by what was paid, so both can add up to more.
 */
export function uncountedOf(returns: readonly Return[], withheld: Withheld): Return[] {
  const standing = returns.filter(({ stands }) => stands)
  const left = new Map(standing.map(({ paymentId }) => [paymentId, new Big(1)]))
  const leftOf = ({ paymentId }: Return): Big => left.get(paymentId) ?? new Big(0)
  for (const each of standing) left.set(each.paymentId, leftOf(each).minus(countedOf(withheld, each)))
  return standing.flatMap((each) => {
    const part = lesser(new Big(each.part).minus(countedOf(withheld, each)), leftOf(each))
    if (part.lte(0)) return []
    left.set(each.paymentId, leftOf(each).minus(part))
    return [{ ...each, part: exact(part) }]
  })
}

/** What a payment has paid of a charge, in the currency of the charge, and the time for which it has. */
export type PaidPart = { paymentId: string; amount: Amount; period: Period }

/** What returns that are not counted yet have returned of a charge. */
export const paidBackOf = (paid: readonly PaidPart[], uncounted: readonly Return[]): PaidBack[] =>
  uncounted.flatMap(({ id, paymentId, part }) =>
    paid
      .filter((each) => each.paymentId === paymentId)
      .map(({ amount, period }) => ({ id, amount: exact(new Big(amount).times(part)), part, period })),
  )

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
