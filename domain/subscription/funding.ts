import Big from 'big.js'
import type { Currency } from '../currency.ts'
import { add, type Amount, format, subtract } from '../money.ts'
import type { Period } from './period.ts'
import { type Charged, exact, type PaidBack, rounded, secondsBetween, worthOf } from './proration.ts'
import { countedOf, countMore, type Credit, type PaidPart, type Return, type Share, uncountedOf } from './returns.ts'

/**
 * Which payments have paid what a subscription has (docs/decisions/0122-credit-of-what-was-returned.md). `charges`:
 * what earlier payments have paid of the charge that begins at `from` (ISO 8601), by time that was exchanged or by
 * credit; what its own invoices have cost, they say. `credit`: where the credit came from, as far as it is known, the
 * oldest first.
 */
export type Funding = { charges: { from: string; shares: Share[] }[]; credit: Share[] }

export const noFunding: Funding = { charges: [], credit: [] }

/** What earlier payments have paid of the charge that begins at a moment; null: it was not noted. */
export const sharesOf = ({ charges }: Funding, from: Date): Share[] | null =>
  charges.find((each) => each.from === from.toISOString())?.shares ?? null

/** Notes what earlier payments have paid of the charge that begins at `from`. Charges before `since` are over. */
export function noteCharge({ charges, credit }: Funding, from: Date, shares: Share[], since: Date): Funding {
  const [key, first] = [from.toISOString(), since.toISOString()]
  const others = charges.filter((each) => each.from !== key && each.from >= first)
  return { charges: [...others, { from: key, shares }], credit }
}

/** Shares of credit that an invoice for a charge from `from` on has used: what is left of the credit is `left`. */
export function useCredit(funding: Funding, left: Amount, from: Date, since: Date): Funding {
  const credit = sharesWithin(funding.credit, left)
  const used = funding.credit.flatMap(({ paymentId, amount, part }) => {
    const kept = credit.find((share) => share.paymentId === paymentId) ?? { amount: '0', part: '0' }
    const share = { paymentId, amount: subtract(amount, kept.amount), part: subtract(part, kept.part) }
    return isWorthSomething(share) ? [share] : []
  })
  return noteCharge({ ...funding, credit }, from, addShares(sharesOf(funding, from) ?? [], used), since)
}

/** The shares of the credit that the invoice of a period has used are credit again. `left`: the credit then. */
export function giveBackShares(funding: Funding, left: Amount, from: Date, since: Date): Funding {
  const credit = addCredit(funding.credit, sharesOf(funding, from) ?? [], left)
  return noteCharge({ ...funding, credit }, from, [], since)
}

/** The shares of the credit after some were added; `left`: the credit then. */
export const addCredit = (before: readonly Share[], more: readonly Share[], left: Amount): Share[] =>
  sharesWithin(addShares(before, more), left)

/** The shares of earlier payments in the new charge and in the credit. */
export type Divided = { charge: Share[]; credit: Share[] }

/**
 * How a change of plan divides what has paid the unused time. `unused` is its worth, not rounded, and `given` what of
 * it becomes credit; the rest pays the new charge. A payment of which nothing is left stays in `charge` with 0.
 */
export function divideFunding(
  { charged, end, at }: { charged: Charged; end: number; at: number },
  { paid, returned }: { paid: readonly PaidPart[]; returned: readonly PaidBack[] },
  { unused, given }: { unused: Big; given: Amount },
): Divided {
  const from = Math.max(at, charged.start)
  const live = paid.map(({ paymentId, amount, part, period }) => {
    const seconds = Math.max(0, secondsBetween(Math.max(from, period.start), Math.min(end, period.end)))
    const back = returned.filter((each) => each.paymentId === paymentId)
    const left = back.reduce((rest, each) => rest.minus(each.part), new Big(part))
    const worth = left.lte(0) ? new Big(0) : worthOf(amount, seconds, secondsOf(period)).times(left).div(part)
    return { paymentId, amount: worth, part: left.lt(0) ? new Big(0) : left }
  })
  const sum = live.reduce((total, { amount }) => total.plus(amount), new Big(0))
  const scale = sum.gt(unused) ? unused.div(sum) : new Big(1)
  const toCredit = unused.lte(0) ? new Big(0) : lesser(new Big(given).div(unused), new Big(1))
  const portion = (of: Big): Share[] =>
    live.map(({ paymentId, amount, part }) => ({
      paymentId,
      amount: exact(amount.times(scale).times(of)),
      part: exact(part.times(of)),
    }))
  return { charge: portion(new Big(1).minus(toCredit)), credit: portion(toCredit).filter(isWorthSomething) }
}

/** The shares of credit from before and those that were added, one for each payment. */
export function addShares(before: readonly Share[], more: readonly Share[]): Share[] {
  const shares = new Map(before.map((share) => [share.paymentId, share]))
  for (const { paymentId, amount, part } of more) {
    const known = shares.get(paymentId) ?? { amount: '0', part: '0' }
    shares.set(paymentId, { paymentId, amount: add(known.amount, amount), part: add(known.part, part) })
  }
  return [...shares.values()]
}

/** The shares of credit that is left of more: the oldest was used first. */
export function sharesWithin(shares: readonly Share[], credit: Amount): Share[] {
  let open = new Big(credit)
  const kept = shares.toReversed().flatMap((share) => {
    const amount = lesser(new Big(share.amount), open)
    open = open.minus(amount)
    // What is left after rounding may be too little for any part of the payment.
    return amount.lte(0) ? [] : [shrunk(share, amount)].filter(isWorthSomething)
  })
  return kept.toReversed()
}

/**
 * Takes off credit what returns that are not counted yet have returned of the payments that it came from: rounded up to
 * the smallest unit, and never more than there is. It is withheld because of them, so that it is credit again if one of
 * them is undone.
 */
export function takeReturned(from: Credit, returns: readonly Return[], currency: Currency): Credit {
  let { credit, withheld, shares } = from
  for (const one of uncountedOf(returns, withheld)) {
    const share = shares.find(({ paymentId }) => paymentId === one.paymentId)
    if (!share || !isWorthSomething(share)) continue
    const part = lesser(new Big(one.part), new Big(share.part))
    const worth = new Big(share.amount).times(part).div(share.part)
    const taken = lesser(rounded(worth, currency, Big.roundUp), new Big(credit))
    withheld = countMore(withheld, one, {
      amount: format(taken.toFixed(), currency),
      part: countedOf(withheld, one).plus(part),
    })
    credit = format(new Big(credit).minus(taken).toFixed(), currency)
    const left = shrunk(share, new Big(share.amount).minus(worth))
    shares = shares.flatMap((each) => (each !== share ? [each] : isWorthSomething(left) ? [left] : []))
  }
  return { credit, withheld, shares }
}

const isWorthSomething = ({ amount, part }: Share): boolean => new Big(amount).gt(0) && new Big(part).gt(0)

/** A share of which this amount is left. */
const shrunk = ({ paymentId, amount, part }: Share, left: Big): Share => ({
  paymentId,
  amount: exact(left),
  part: exact(new Big(part).times(left).div(amount)),
})

const lesser = (one: Big, other: Big): Big => (one.lt(other) ? one : other)

const secondsOf = ({ start, end }: Period): number => secondsBetween(start, end)
