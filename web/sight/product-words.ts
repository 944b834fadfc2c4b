import type { Static } from 'typebox'
import type { Product } from '../../schemas/catalogue/product.ts'
import { money } from '../words.ts'
import { isolated } from '../isolated.ts'

export type ShownProduct = Static<typeof Product>

type Price = Pick<ShownProduct, 'price_type' | 'amount' | 'currency' | 'minimum_amount' | 'maximum_amount'>

/** A price in a few words, such as `USD 25.00`. */
export function priceWords({ price_type: type, amount, currency, ...bounds }: Price): string {
  if (type === 'free') return 'Free'
  if (amount !== null) return money(amount, currency)
  const { minimum_amount: low, maximum_amount: high } = bounds
  const limits = [low && `from ${money(low, currency)}`, high && `up to ${money(high, currency)}`].filter(Boolean)
  return limits.length > 0 ? `The buyer decides, ${limits.join(', ')}` : `The buyer decides, in ${currency}`
}

/** The price of a product, with its rhythm: `USD 25.00 each month`. */
export function priceOf(product: ShownProduct): string {
  const { recurring } = product
  if (!recurring) return priceWords(product)
  const { interval, interval_count: count } = recurring
  return `${priceWords(product)} ${count === 1 ? `each ${interval}` : `every ${count} ${interval}s`}`
}

/** A product where one is chosen from a list: its name and its price. */
export const productWords = (product: ShownProduct): string => `${isolated(product.name)} (${priceOf(product)})`
