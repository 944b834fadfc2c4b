import type { BillingAddress } from '../../db/customer.ts'
import { type Currency, symbolOf } from '../../domain/currency.ts'
import { type Amount, format, isLess, negate } from '../../domain/money.ts'

/** An amount as people write it, such as `₦5,000.00`, `KSh 10.00` or `−$2.50`. */
export function amountText(amount: Amount, currency: Currency): string {
  const isNegative = isLess(amount, '0')
  const [whole = '', fraction] = format(isNegative ? negate(amount) : amount, currency).split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  const symbol = symbolOf(currency)
  const gap = /[A-Za-z]$/.test(symbol) ? '\u00a0' : ''
  return `${isNegative ? '−' : ''}${symbol}${gap}${grouped}${fraction ? `.${fraction}` : ''}`
}

/** The currency by its code and its symbol, such as `GHS (GH₵)`. */
export const currencyText = (currency: Currency): string => `${currency} (${symbolOf(currency)})`

/** A day in plain words, in UTC: nobody mistakes the month for the day. */
export const dayText = (moment: Date): string =>
  moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** A span of days. */
export const spanText = (start: Date, end: Date): string => `${dayText(start)} to ${dayText(end)}`

/** The lines of an address, without those that are empty. */
export function addressLines(address: BillingAddress | null): string[] {
  if (!address) return []
  const { line1, line2, city, state, postal_code: code, country } = address
  const place = [city, state, code].filter((part) => part !== null && part !== '').join(', ')
  return [line1, line2, place, country].flatMap((line) => line || [])
}
