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

/** How much of a charge or of credit a part of a payment has paid: `part` of the payment, from 0 to 1. */
export type Share = { paymentId: string; amount: Amount; part: Amount }

/** Credit with the shares of payments in it, and what is withheld because of returns. */
export type Credit = { credit: Amount; withheld: Withheld; shares: Share[] }

/** A refund or a dispute: the part of its payment that it returns, and whether it stands. */
export type Return = { id: string; paymentId: string; part: Amount; stands: boolean }

/** The part of its payment for which a return was counted; from before 2026-11-30 only that it was counted is known. */
export const countedOf = (withheld: Withheld, { id, part: whole }: Return): Big =>
  new Big(withheld[partKey(id)] ?? (withheld[id] === undefined ? '0' : whole))

/**
 * The returns that stand, each with the part that is not counted yet. Of one payment all together are no more than all:
 * a refund is measured by what has settled and a dispute by what was paid, so both can add up to more. What has been
 * counted of any of them counts, as a surplus that arrives later moves the parts of earlier refunds to later ones.
 */
export function uncountedOf(returns: readonly Return[], withheld: Withheld): Return[] {
  const standing = returns.filter(({ stands }) => stands)
  const left = new Map<string, Big>()
  const leftOf = ({ paymentId }: Return): Big => left.get(paymentId) ?? new Big(0)
  for (const each of standing) left.set(each.paymentId, lesser(leftOf(each).plus(each.part), new Big(1)))
  for (const each of standing) left.set(each.paymentId, leftOf(each).minus(countedOf(withheld, each)))
  return standing.flatMap((each) => {
    const part = lesser(new Big(each.part).minus(countedOf(withheld, each)), leftOf(each))
    if (part.lte(0)) return []
    left.set(each.paymentId, leftOf(each).minus(part))
    return [{ ...each, part: exact(part) }]
  })
}

/** What a part of a payment has paid of a charge, in the currency of the charge, and the time for which it has. */
export type PaidPart = { paymentId: string; amount: Amount; part: Amount; period: Period }

/** What is left of what payments have paid, after what is counted as returned already. */
export const afterCounted = (paid: readonly PaidPart[], returns: readonly Return[], withheld: Withheld): PaidPart[] =>
  paid.map(({ paymentId, amount, part, period }) => {
    const counted = returns
      .filter((each) => each.stands && each.paymentId === paymentId)
      .reduce((sum, each) => sum.plus(countedOf(withheld, each)), new Big(0))
    const left = new Big(part).minus(counted)
    return { paymentId, amount: exact(new Big(amount).times(left).div(part)), part: exact(left), period }
  })

/** What returns that are not counted yet have returned of a charge; of each payment no more than the part that paid. */
export function paidBackOf(paid: readonly PaidPart[], uncounted: readonly Return[]): PaidBack[] {
  const left = new Map(paid.map(({ paymentId, part }) => [paymentId, new Big(part)]))
  return uncounted.flatMap(({ id, paymentId, part: returned }) => {
    const [each, open] = [paid.find((one) => one.paymentId === paymentId), left.get(paymentId)]
    if (!each || !open?.gt(0)) return []
    const part = lesser(new Big(returned), open)
    left.set(paymentId, open.minus(part))
    const amount = exact(new Big(each.amount).times(part).div(each.part))
    return [{ id, paymentId, amount, part: exact(part), period: each.period }]
  })
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

/** What is withheld once so much more is because of a return, which is counted for `part` of its payment then. */
export const countMore = (withheld: Withheld, { id }: Return, more: { amount: Amount; part: Big }): Withheld => ({
  ...withheld,
  [id]: add(withheld[id] ?? '0', more.amount),
  [partKey(id)]: exact(more.part),
})

/** What is withheld after another change, which may have counted more of a refund or a dispute. */
export const addWithheld = (before: Withheld, more: Withheld): Withheld => ({
  ...before,
  ...Object.fromEntries(Object.entries(more).map(([key, value]) => [key, add(before[key] ?? '0', value)])),
})

/**
 * What is withheld, and what of it becomes credit, after refunds have failed and disputes were won. What these have not
 * returned after all, other refunds or disputes of the same payment may have: as far as they were not counted yet, so
 * much is withheld because of them instead. What they return beyond that is left for the next change of the plan.
 * `shares`: which payments that credit came from.
 */
export function settleWithheld(withheld: Withheld, returns: readonly Return[], currency: Currency): Credit {
  const left: Record<string, Amount> = { ...withheld }
  const shares: Share[] = []
  let credit = new Big(0)
  for (const undone of returns.filter(({ id, stands }) => !stands && id in withheld)) {
    const { id, paymentId } = undone
    const [amount, counted] = [new Big(withheld[id] ?? '0'), countedOf(withheld, undone)]
    let [owed, open] = [amount, counted]
    delete left[id]
    delete left[partKey(id)]
    const others = returns.filter((each) => each.paymentId === paymentId)
    for (const other of uncountedOf(others, left)) {
      const taken = lesser(new Big(other.part), open)
      if (taken.lte(0)) continue
      const moved = rounded(amount.times(taken).div(counted), currency, Big.roundDown)
      const part = countedOf(left, other).plus(taken)
      left[other.id] = format(add(left[other.id] ?? '0', moved.toFixed()), currency)
      left[partKey(other.id)] = exact(part)
      open = open.minus(taken)
      owed = owed.minus(moved)
    }
    credit = credit.plus(owed)
    if (owed.gt(0) && open.gt(0)) shares.push({ paymentId, amount: owed.toFixed(), part: exact(open) })
  }
  return { credit: format(credit.toFixed(), currency), withheld: left, shares }
}

const lesser = (one: Big, other: Big): Big => (one.lt(other) ? one : other)
