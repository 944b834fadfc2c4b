import Big from 'big.js'
import { type Currency, digitsOf } from '../currency.ts'
import { type Amount, isLess, isZero, subtract } from '../money.ts'

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

/**
 * What goes back of a share when a part of the sale is refunded or disputed: the same proportion of it. Each part is
 * the difference of two rounded sums, so however often a sale is refunded, all parts together are exact.
 */
export function shareOfReturn(
  share: Amount,
  { before, now, whole }: { before: Amount; now: Amount; whole: Amount },
  currency: Currency,
): Amount {
  const upTo = (part: Big): Big => new Big(share).times(part).div(whole).round(digitsOf(currency), Big.roundHalfUp)
  return upTo(new Big(before).plus(now))
    .minus(upTo(new Big(before)))
    .toFixed()
}

/** What is left of a transfer. */
export const leftOf = ({ amount, reversedAmount }: Moved): Amount => subtract(amount, reversedAmount)
