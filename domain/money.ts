import Big from 'big.js'
import { type Currency, digitsOf, perUsd } from './currency.ts'
import { type FieldError, invalid } from './refusal.ts'

/** An amount as a decimal string at any scale, as the database and the domain use it; never a float. */
export type Amount = string

const plain = /^(0|[1-9]\d*)(\.\d+)?$/
const significantDigitsMax = 15

/**
 * What is wrong with an amount that a caller sent, or null. The text is checked before any decimal library sees it: no
 * sign, no exponent, no more decimals than the currency has (where it is known), at most 15 significant digits
 * (docs/contract/general.md, "Money").
 */
export function amountError(text: string, currency: Currency | null, field = 'amount'): FieldError | null {
  const error = (message: string, type = 'value_error.format') => ({ field, message, type })
  if (text.length > 40 || !plain.test(text))
    return error(`must be a plain decimal string such as "25.00"${asWritten(text)}`)
  const [whole = '', fraction = ''] = text.split('.')
  if (currency && fraction.length > digitsOf(currency)) {
    return error(tooManyDecimals(currency, digitsOf(currency)))
  }
  if ((whole + fraction).replace(/^0+/, '').length <= significantDigitsMax) return null
  return error(`must have at most ${significantDigitsMax} significant digits`, 'value_error.range')
}

/** The error message for an amount with too many decimals, which names how many are allowed. */
export const tooManyDecimals = (code: string, digits: number): string =>
  digits === 0 ? `${code} has no decimal places: write whole units` : `${code} has ${digits} decimal places`

/** A hint for digits that are written with group separators, another decimal separator, or zeros in front. */
function asWritten(text: string): string {
  if (/^0\d+(\.\d+)?$/.test(text)) return ': without zeros in front'
  if (/^(\d+\.|\.\d+)$/.test(text)) return ': with digits before and after the point'
  return /^[\d.,' ]+$/.test(text) ? ': digits and one point, without commas or spaces' : ''
}

/** Reads an amount that a caller sent, refused as `VALIDATION_ERROR` for what `amountError` finds. */
export function parseAmount(text: string, currency: Currency, field = 'amount'): Amount {
  const error = amountError(text, currency, field)
  if (error) throw invalid(error.field, error.message, error.type)
  return format(text, currency)
}

/** The amount with all of the currency's decimals, rounded half up: the only form that leaves the service. */
export const format = (amount: Amount, currency: Currency): Amount =>
  new Big(amount).toFixed(digitsOf(currency), Big.roundHalfUp)

/** The amount in US dollars, rounded half up to the cent, by the service's reference rate. */
export const inUsd = (amount: Amount, currency: Currency): Amount =>
  new Big(amount).div(perUsd(currency)).toFixed(digitsOf('USD'), Big.roundHalfUp)

/** Half of the amount, rounded down at the currency's precision. */
export const half = (amount: Amount, currency: Currency): Amount =>
  new Big(amount).div(2).toFixed(digitsOf(currency), Big.roundDown)

/** A percentage of an amount, rounded down at the decimals that its text has. */
export const shareOf = (amount: Amount, percent: number): Amount =>
  new Big(amount)
    .times(percent)
    .div(100)
    .toFixed(amount.split('.')[1]?.length ?? 0, Big.roundDown)

export const add = (left: Amount, right: Amount): Amount => new Big(left).plus(right).toFixed()
export const subtract = (left: Amount, right: Amount): Amount => new Big(left).minus(right).toFixed()
export const negate = (amount: Amount): Amount => new Big(amount).times(-1).toFixed()
export const isZero = (amount: Amount): boolean => new Big(amount).eq(0)
export const isLess = (left: Amount, right: Amount): boolean => new Big(left).lt(right)
export const lesser = (left: Amount, right: Amount): Amount => (isLess(right, left) ? right : left)
