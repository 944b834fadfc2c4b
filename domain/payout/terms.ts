import { isAsset, formatCoins, parseCoins } from '../checkout/crypto.ts'
import { type Currency, isCurrency } from '../currency.ts'
import { add, type Amount, amountError, format, isLess, isZero, parseAmount, subtract } from '../money.ts'
import { arrivalOf, feeOf, minimumOf } from './fee.ts'
import type { DestinationType, PayoutCurrency } from './destination.ts'
import { invalid, Refusal } from '../refusal.ts'
import { isStablecoin } from './routing.ts'

/** The part of a destination that the terms of a payout depend on. */
export type Target = { type: DestinationType; currency: PayoutCurrency; scheme: string | null }

/**
 * The part of a quote that a payout needs. `fromAmount` is the whole amount debited, `fee` the part of it that is the
 * fee.
 */
export type Exchange = Record<'fromAmount' | 'toAmount' | 'fee', Amount> &
  Record<'fromCurrency' | 'toCurrency', Currency>

/** What the caller asks for: an amount that arrives, or an exchange that was quoted; never both. */
export type PayoutRequest = { amount: string | null; quote: Exchange | null; sourceCurrency: string | null }

/**
 * What a payout moves: `amount` arrives in the destination's currency; the balance gives `sourceAmount` for it and
 * `fee` beside it. Of the source amount `quoteFee` is the price of the exchange.
 */
export type PayoutTerms = {
  amount: Amount
  currency: PayoutCurrency
  sourceAmount: Amount
  sourceCurrency: Currency
  fee: Amount
  quoteFee: Amount
}

/**
 * The one balance that pays a destination without an exchange. A stablecoin is a dollar: it is paid out of the USD
 * balance, one for one, half up to the balance’s whole cents.
 */
const ownBalanceOf = (currency: PayoutCurrency): Currency => (isStablecoin(currency) ? 'USD' : currency)

/** The amount with all decimals of a currency or of a coin: the only form that leaves the service. */
export const formatPaid = (amount: Amount, currency: PayoutCurrency): Amount =>
  isAsset(currency) ? formatCoins(amount, currency) : format(amount, currency)

/** The terms of a payout, or a refusal that says why there can be none (decision 0022). */
export function termsOf(target: Target, wish: PayoutRequest): PayoutTerms {
  const terms = wish.quote ? exchanged(target, wish.quote, wish.sourceCurrency) : direct(target, wish)
  const minimum = minimumOf(target)
  if (isLess(terms.amount, minimum)) {
    const least = `${formatPaid(minimum, target.currency)} ${target.currency}`
    throw new Refusal('AMOUNT_BELOW_MINIMUM', `a payout to this destination is at least ${least}`)
  }
  const price = { ...target, sourceCurrency: terms.sourceCurrency }
  return { ...terms, currency: target.currency, fee: feeOf(price, terms.amount) }
}

type Amounts = Omit<PayoutTerms, 'currency' | 'fee'>

function direct({ currency }: Target, { amount, sourceCurrency }: PayoutRequest): Amounts {
  const own = ownBalanceOf(currency)
  // International routes debit the USD balance, unless another one is named.
  const source = sourceCurrency ?? (own === 'NGN' ? own : 'USD')
  if (source !== own) throw source === 'USD' ? quoteRequired(currency) : notFrom(source)
  const sent = isAsset(currency) ? parseCoins(amount ?? '', currency) : parseAmount(amount ?? '', own)
  return { amount: sent, sourceAmount: format(sent, own), sourceCurrency: own, quoteFee: '0' }
}

function exchanged({ currency }: Target, quote: Exchange, sourceCurrency: string | null): Amounts {
  const { fromCurrency, toCurrency } = quote
  if (toCurrency !== currency) {
    throw invalid('quote_id', `the destination takes ${currency}, the quote is for ${toCurrency}`, 'value_error')
  }
  if (sourceCurrency && sourceCurrency !== fromCurrency) {
    throw invalid('source_currency', `the quote is for money in ${fromCurrency}`, 'value_error')
  }
  if (fromCurrency !== 'USD') throw notFrom(fromCurrency)
  return { amount: quote.toAmount, sourceAmount: quote.fromAmount, sourceCurrency: fromCurrency, quoteFee: quote.fee }
}

const quoteRequired = (currency: string) =>
  new Refusal(
    'QUOTE_REQUIRED',
    `a payout in ${currency} from the USD balance needs a quote: create one from USD to ${currency} by ` +
      'POST /v1/conversions/quotes, and send its quote_id without amount',
  )

function notFrom(source: string): Refusal {
  const why = isCurrency(source) ? 'only the USD balance pays in another currency' : 'there is no such balance'
  return new Refusal('CURRENCY_NOT_SUPPORTED', `this destination cannot be paid in ${source}: ${why}`)
}

/**
 * The field errors of a payout's amount that do not depend on its currency. The destination decides how many decimals
 * it may have.
 */
export function validatePayoutRequest({ amount, quote_id: quoteId }: Record<string, unknown>) {
  if ((amount === undefined) === (quoteId === undefined)) {
    return [{ field: 'amount', message: 'send either amount or quote_id', type: 'value_error' }]
  }
  if (typeof amount !== 'string') return []
  const error = amountError(amount, null)
  return error ? [error] : []
}

/** Whether a payout could be accepted for this destination on the terms that were agreed. */
export function keepsTerms(target: Target, { amount, currency, sourceCurrency, fee }: Agreed): boolean {
  if (target.currency !== currency || isLess(amount, minimumOf(target))) return false
  return isZero(subtract(fee, feeOf({ ...target, sourceCurrency }, amount)))
}

type Agreed = Record<'amount' | 'fee', Amount> & { currency: PayoutCurrency; sourceCurrency: Currency }

/** The total debit of a payout from its balance. */
export const totalDebitOf = ({ sourceAmount, fee }: Pick<PayoutTerms, 'sourceAmount' | 'fee'>): Amount =>
  add(sourceAmount, fee)

/** When a payout that is not held should arrive, if it is accepted at `at`. */
export function arrivalAt(target: Target, sourceCurrency: Currency, at: number): { from: Date; by: Date } {
  const { fromMs, byMs } = arrivalOf({ ...target, sourceCurrency })
  return { from: new Date(at + fromMs), by: new Date(at + byMs) }
}
