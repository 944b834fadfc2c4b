import Big from 'big.js'
import { type Currency, digitsOf } from '../currency.ts'
import { add, type Amount, isLess, isZero, lesser, subtract } from '../money.ts'

/** A platform fee is a transfer of its own kind: a sale makes it, from the seller to the platform. */
export const transferKinds = ['transfer', 'platform_fee'] as const
export type TransferKind = (typeof transferKinds)[number]

/** What has moved, and how much of it has gone back. */
export type Moved = { amount: Amount; reversedAmount: Amount }

export const transferStatuses = ['succeeded', 'partially_reversed', 'reversed'] as const
export const platformFeeStatuses = ['succeeded', 'partially_refunded', 'refunded'] as const

export const transferStatusOf = (moved: Moved): (typeof transferStatuses)[number] =>
  transferStatuses[stepOf(moved)] ?? 'succeeded'
export const platformFeeStatusOf = (moved: Moved): (typeof platformFeeStatuses)[number] =>
  platformFeeStatuses[stepOf(moved)] ?? 'succeeded'

/** How far it has gone back: 0 not at all, 1 in part, 2 all of it. */
function stepOf({ amount, reversedAmount }: Moved): number {
  if (isZero(reversedAmount)) return 0
  return isLess(reversedAmount, amount) ? 1 : 2
}

/** What a sale has passed on. */
export type Share = { amount: Amount; currency: Currency }

/** A part of a sale: a refund returns a part of what settled, a dispute a part of what the buyer paid. */
type PartOfSale = { part: Amount; whole: Amount }

/** The same part of a share as of its sale, rounded half up. */
export const shareOfPart = ({ amount, currency }: Share, { part, whole }: PartOfSale): Amount =>
  new Big(amount).times(part).div(whole).round(digitsOf(currency), Big.roundHalfUp).toFixed()

/**
 * How much of a share has to be back: what calls have reversed, and the same parts as those of the sale that are
 * returned, but never more than the share. Parts of one whole are added before they are rounded. It depends only on
 * what stands now: neither the order of returns matters nor what was undone in between, and of a sale that is returned
 * in full all of the share is back.
 */
export function shareDueBack(share: Share, byCalls: Amount, parts: readonly PartOfSale[]): Amount {
  const sums = new Map<Amount, Amount>()
  for (const { part, whole } of parts) {
    const key = new Big(whole).toFixed()
    sums.set(key, add(sums.get(key) ?? '0', part))
  }
  const due = [...sums].map(([whole, part]) => shareOfPart(share, { part, whole })).reduce(add, byCalls)
  return lesser(due, share.amount)
}

/** What is left of a transfer. */
export const leftOf = ({ amount, reversedAmount }: Moved): Amount => subtract(amount, reversedAmount)
