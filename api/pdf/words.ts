import type { PostalAddress } from '../../domain/postal-address.ts'
import { type Currency, symbolOf } from '../../domain/currency.ts'

/** The currency by its code and its symbol, such as `GHS (GH₵)`. */
export const currencyText = (currency: Currency): string => `${currency} (${symbolOf(currency)})`

/** The lines of an address, without those that are empty. */
export function addressLines(address: PostalAddress | null): string[] {
  if (!address) return []
  const { line1, line2, city, state, postal_code: code, country } = address
  const place = [city, state, code].filter((part) => part !== null && part !== '').join(', ')
  return [line1, line2, place, country].flatMap((line) => line || [])
}
