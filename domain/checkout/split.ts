import Big from 'big.js'
import { convert, type Rate } from '../balance/exchange.ts'
import { type Corridor, corridorOf, type FeePreference, priceOf } from '../corridor.ts'
import { type Currency, digitsOf } from '../currency.ts'
import { type Amount, format, isLess } from '../money.ts'
import type { TransferKind } from '../transfer/transfer.ts'

/** What of a sale belongs to somebody else, in the sale's currency: a platform's fee, a seller's share, or nothing. */
export type Split = { platformFee?: Amount | null | undefined; transferAmount?: Amount | null | undefined }

/** Whether a part of a sale belongs to somebody else. */
export const isSplit = ({ platformFee, transferAmount }: Split): boolean =>
  (platformFee ?? transferAmount ?? null) !== null

/** The amount of a split in the currency of its payment, at the rate of the payment; null where nothing is split. */
export function splitIn({ platformFee, transferAmount }: Split, rate: Rate | null, currency: Currency): Amount | null {
  const part = platformFee ?? transferAmount ?? null
  if (part === null) return null
  return rate === null ? format(part, currency) : convert(part, rate, currency)
}

/**
 * What a part of a sale promises of the whole promise, when only a part of the sale has settled. What rounding leaves
 * over is the platform's: a seller's share is rounded down, and a platform fee up.
 */
export const splitOfPart = (
  promised: Amount,
  kind: TransferKind,
  { part, whole }: { part: Amount; whole: Amount },
  currency: Currency,
): Amount =>
  new Big(promised)
    .times(part)
    .div(whole)
    .toFixed(digitsOf(currency), kind === 'transfer' ? Big.roundDown : Big.roundUp)

/** A sale by what its fee depends on; `corridors` are those that its buyer may pay with. */
type Sold = { amount: Amount; currency: Currency; feePreference: FeePreference; corridors: readonly Corridor[] }

/**
 * The least that settles of a sale in its own currency, whichever way its buyer pays: more than that cannot be promised
 * to anybody. Null where every payment method needs a rate, which is known when the buyer pays.
 */
export function leastSettled({ amount, currency, feePreference, corridors }: Sold): Amount | null {
  const settled = corridors
    .filter((key) => corridorOf(key).currency === currency)
    .map((key) => priceOf(amount, key, feePreference).settles)
  return settled.reduce<Amount | null>((least, each) => (least === null || isLess(each, least) ? each : least), null)
}
