import { type Corridor, corridorOf, type FeePreference, type Price, priceOf, priceWith } from '../corridor.ts'
import type { Currency } from '../currency.ts'
import { convert, type Rate } from './exchange.ts'
import { add, type Amount, amountError, format, isZero } from '../money.ts'

/** The part of a sale that its price depends on. */
export type PricedSale = { amount: Amount; currency: Currency; feePreference: FeePreference }

/** The price of a sale in one corridor: its amount in the corridor's currency, and the fee on that. */
export type Quote = Price & {
  corridor: Corridor
  amount: Amount
  currency: Currency
  /** Units of the corridor's currency for one of the sale's; null where they are the same. */
  rate: Rate | null
}

/** The price of a sale in a corridor. The amount is converted once, as a whole. A free sale costs nothing. */
export function quoteOf({ amount: base, feePreference }: PricedSale, corridor: Corridor, rate: Rate | null): Quote {
  const { currency } = corridorOf(corridor)
  const amount = rate === null ? format(base, currency) : convert(base, rate, currency)
  const price = isZero(amount) ? nothing(currency) : priceOf(amount, corridor, feePreference)
  return { corridor, amount, currency, rate, ...price }
}

/** What is stored of a quote with the buyer's choice; null before a choice, and in rows of older releases. */
export type StoredQuote = { rate: Rate | null; quotedAmount: Amount | null; quotedFee: Amount | null }

/** The part of the buyer's quote that is stored, so that a later change of the fee table does not change it. */
export const toStored = ({ rate, amount, fee }: Quote): StoredQuote => ({ rate, quotedAmount: amount, quotedFee: fee })

/**
 * The quote that the buyer was shown, from what was stored of it. Releases before 2026-11-23 stored the rate alone:
 * choices of that time are priced by the current table of fees.
 */
export function storedQuote(sold: PricedSale, corridor: Corridor, stored: StoredQuote): Quote {
  const { rate, quotedAmount, quotedFee } = stored
  if (quotedAmount === null || quotedFee === null) return quoteOf(sold, corridor, rate)
  const { currency } = corridorOf(corridor)
  const amount = format(quotedAmount, currency)
  const price = priceWith(amount, format(quotedFee, currency), currency, sold.feePreference)
  return { corridor, amount, currency, rate, ...price }
}

function nothing(currency: Currency): Price {
  const zero = format('0', currency)
  return { customerPays: zero, settles: zero, fee: zero }
}

/** The fee that the buyer sees: zero where the account bears it. */
export const shownFee = ({ fee, currency }: Quote, { feePreference }: Pick<PricedSale, 'feePreference'>): Amount =>
  feePreference === 'customer_pays' ? fee : format('0', currency)

/** Whether an amount is so high that, with a fee on top that is less than it, it may have too many digits. */
export const mayBeTooHigh = (amount: Amount, currency: Currency): boolean =>
  amountError(format(add(amount, amount), currency), currency) !== null

/** Whether a sale can be paid: its amount is above zero, and the total has no more digits than an amount may have. */
export const canBePaid = ({ customerPays, currency }: Quote): boolean =>
  !isZero(customerPays) && amountError(customerPays, currency) === null
