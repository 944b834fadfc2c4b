import Big from 'big.js'
import { type Currency, digitsOf } from '../currency.ts'
import { convert, type Rate, worthOf } from './exchange.ts'
import { type Amount, amountError, format, isLess, isZero, lesser, subtract } from '../money.ts'
import { invalid, Refusal } from '../refusal.ts'
import { minuteMs } from '../duration.ts'

/** How long a quote holds (docs/contract/balance.md, "Quote"). */
export const quoteLifeMs = 5 * minuteMs

/** The platform's fee of an exchange: a percentage of the amount sold, in its currency, rounded half up. */
export const conversionFee = { percent: '1' }

export const quoteStatuses = ['active', 'used', 'expired'] as const
export type QuoteStatus = (typeof quoteStatuses)[number]

/**
 * The status of a quote at a moment (ms since the epoch). It expires by the clock alone, and nothing is written then.
 */
export function quoteStatusAt(
  { usedAt, expiresAt }: { usedAt: Date | null; expiresAt: Date },
  at: number,
): QuoteStatus {
  if (usedAt) return 'used'
  return at < expiresAt.getTime() ? 'active' : 'expired'
}

/** What is sold for what, and the price. */
export type QuotedPair = { from: Currency; to: Currency; rate: Rate }

/** The amount that the merchant names: how much to sell, or how much to buy. */
export type QuoteWish = { fromAmount: Amount } | { toAmount: Amount }

/** `fromAmount` is the whole amount debited, the fee included; `toAmount` is the whole amount credited. */
export type QuoteTerms = { fromAmount: Amount; toAmount: Amount; fee: Amount }

/**
 * The amounts of a quote: the amount bought is (sold − fee) × rate, rounded half up, and never worth more than all that
 * is sold. Where the merchant names the amount to buy, exactly that is credited, for the smallest amount that yields
 * it. The platform keeps what rounding leaves over.
 */
export function quoteTermsOf(wanted: QuoteWish, pair: QuotedPair): QuoteTerms {
  const { from, to } = pair
  const fromAmount = 'fromAmount' in wanted ? format(wanted.fromAmount, from) : smallestFor(wanted.toAmount, pair)
  const toAmount = 'toAmount' in wanted ? format(wanted.toAmount, to) : yieldOf(fromAmount, pair)
  if (isZero(toAmount))
    throw new Refusal('AMOUNT_BELOW_MINIMUM', `the amount is worth less than the smallest amount of ${to}`)
  for (const [field, amount, currency] of [
    ['from_amount', toAmount, to],
    ['to_amount', fromAmount, from],
  ] as const) {
    if (amountError(amount, currency)) throw invalid(field, 'is too much to be exchanged', 'value_error.range')
  }
  return { fromAmount, toAmount, fee: feeOf(fromAmount, from) }
}

const feeOf = (fromAmount: Amount, from: Currency): Amount =>
  format(new Big(fromAmount).times(conversionFee.percent).div(100).toFixed(), from)

/**
 * What an amount yields. The fee of a few of the smallest units is rounded to nothing, and half up may then give more
 * than they are worth: 19 UGX would buy 0.01 USD, which buys 37 UGX. So whoever exchanged to and fro would make money.
 */
const yieldOf = (fromAmount: Amount, { from, to, rate }: QuotedPair): Amount =>
  lesser(convert(subtract(fromAmount, feeOf(fromAmount, from)), rate, to), worthOf(fromAmount, rate, to))

/**
 * The smallest amount to sell that yields `toAmount`. The yield never falls as more is sold. So the search starts just
 * below what is enough after the fee, or below what is worth as much, and takes the first amount that is enough.
 */
function smallestFor(toAmount: Amount, pair: QuotedPair): Amount {
  const unit = (currency: Currency) => new Big(10).pow(-digitsOf(currency))
  const step = unit(pair.from)
  const sold = new Big(toAmount).minus(unit(pair.to).div(2)).div(pair.rate)
  const enough = sold.times(100).div(new Big(100).minus(conversionFee.percent))
  const worth = new Big(toAmount).div(pair.rate)
  const below = (enough.lt(worth) ? worth : enough).minus(step.times(2))
  let amount = below.lt(step) ? step : below.round(digitsOf(pair.from), Big.roundDown)
  while (isLess(yieldOf(amount.toFixed(), pair), toAmount)) amount = amount.plus(step)
  return format(amount.toFixed(), pair.from)
}
