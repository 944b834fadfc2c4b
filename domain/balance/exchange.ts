import Big from 'big.js'
import { type Currency, digitsOf } from '../currency.ts'
import type { Amount } from '../money.ts'

/** How many units of another currency one unit buys, as a decimal string at any scale. */
export type Rate = string

/** The significant digits of a rate: more than any source has, and few enough for a column of 18 decimals. */
const significantDigits = 14

/** Converts an amount to the currency `to`, rounded half up at its precision. Only this file converts money. */
export const convert = (amount: Amount, rate: Rate, to: Currency): Amount =>
  new Big(amount).times(rate).toFixed(digitsOf(to), Big.roundHalfUp)

/** The largest amount of the currency `to` that is worth no more than this one: the same, rounded down. */
export const worthOf = (amount: Amount, rate: Rate, to: Currency): Amount =>
  new Big(amount).times(rate).toFixed(digitsOf(to), Big.roundDown)

/** A rate without the zeros that a column adds. */
export const formatRate = (rate: Rate): Rate => new Big(rate).toFixed()

/** The digits of a rate that people compare: a hundredth of a percent and less makes no difference to them. */
const readableDigits = 6

/** A rate rounded half up to six digits, or to whole units where it has more, and whether it is still the same. */
export function readableRate(rate: Rate): { rate: Rate; isExact: boolean } {
  const whole = new Big(rate)
  const short = whole.round(Math.max(0, readableDigits - 1 - whole.e), Big.roundHalfUp)
  return { rate: short.toFixed(), isExact: short.eq(whole) }
}

/** The rate between two currencies, from the units of each that one US dollar buys. */
export const crossRate = (fromPerUsd: Rate, toPerUsd: Rate): Rate =>
  new Big(new Big(toPerUsd).div(fromPerUsd).toPrecision(significantDigits, Big.roundHalfUp)).toFixed()
