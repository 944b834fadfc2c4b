import Big from 'big.js'
import { type Currency, digitsOf } from '../../domain/currency.ts'
import { type Amount, format } from '../../domain/money.ts'

/** Stripe writes shillings of Uganda with two decimals, which must be zeros; all else has the digits of ISO 4217. */
const stripeDigitsOf = (currency: Currency): number => (currency === 'UGX' ? 2 : digitsOf(currency))

/**
 * An amount as Stripe counts it, in the currency's smallest unit. Throws for an amount with more decimals than the
 * currency has: it cannot be ordered exactly.
 */
export function toMinor(amount: Amount, currency: Currency): number {
  const exact = new Big(amount)
  if (!exact.eq(exact.round(digitsOf(currency)))) throw new Error(`an amount in ${currency} has too many decimals`)
  const minor = Number(exact.times(new Big(10).pow(stripeDigitsOf(currency))).toFixed(0))
  if (!Number.isSafeInteger(minor) || minor <= 0) throw new Error(`an amount in ${currency} is out of range`)
  return minor
}

/** The amount that Stripe's count of smallest units stands for, with all of the currency's decimals. */
export function fromMinor(minor: number, currency: Currency): Amount {
  if (!Number.isSafeInteger(minor) || minor < 0) throw new Error('Stripe reports an amount that is not a whole number')
  return format(new Big(minor).div(new Big(10).pow(stripeDigitsOf(currency))).toFixed(), currency)
}
