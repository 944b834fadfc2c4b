import { cutText } from '../characters.ts'
import type { Currency } from '../currency.ts'
import { randomText } from '../id.ts'
import type { PickedProduct } from './line-item.ts'
import { metadataKeysMax } from '../metadata.ts'
import type { Amount } from '../money.ts'
import type { PriceType } from '../catalogue/product.ts'

/** An `open` link sells; the other states say why a link no longer does. */
export const linkStates = ['open', 'inactive', 'expired', 'completed'] as const
export type LinkState = (typeof linkStates)[number]

/** The entry code of a refusal: the link's last sale is made, or another buyer is paying for it. */
export const linkSoldOut = 'payment_link_sold_out'

/** The highest limit of sales that a link may have. */
export const completionsMax = 1_000_000

/** What a link without products sells for. */
export type LinkPrice = {
  price_type: PriceType
  /** Null when the buyer decides. */
  amount: Amount | null
  minimum_amount: Amount | null
  maximum_amount: Amount | null
  currency: Currency
}

/** The last part of a link's address: 80 random bits, so that links cannot be guessed. */
export const newSlug = (): string => randomText(16)

type Link = { active: boolean; expiresAt: Date | null; maxCompletions: number | null; completedCount: number }

/** The state of a link at `now`, in milliseconds since the epoch. */
export function stateOf({ active, expiresAt, maxCompletions, completedCount }: Link, now: number): LinkState {
  if (!active) return 'inactive'
  if (expiresAt && expiresAt.getTime() <= now) return 'expired'
  return maxCompletions !== null && completedCount >= maxCompletions ? 'completed' : 'open'
}

/** What a link sells: a cart, a group or a price; `openLine` is the line of the cart whose price the buyer decides. */
export type LinkSale = {
  name: string
  productCart: PickedProduct[] | null
  openLine: number | null
  productGroupId: string | null
  price: LinkPrice | null
}

/** The sale of one session, in the form in which sessions are created; `amount` counts where the buyer decides. */
export function saleOf({ name, productCart, openLine, productGroupId, price }: LinkSale, amount: Amount | undefined) {
  if (productGroupId !== null) return { product_group_id: productGroupId }
  if (price) return { amount: price.amount ?? amount ?? '0', currency: price.currency, description: name }
  const cart = (productCart ?? []).map((wanted, index) =>
    index === openLine && amount !== undefined ? { ...wanted, amount } : wanted,
  )
  return { product_cart: cart }
}

const campaignName = /^utm_[a-z0-9_]{1,36}$/
const valueLengthMax = 500

/**
 * A session's metadata: the link's own, and the campaign that the buyer came from, as far as there is room. Anybody can
 * write the campaign's names and values, so they never replace the merchant's, and too long values are cut.
 */
export function sessionMetadata(own: Record<string, string>, campaign: Record<string, string>): Record<string, string> {
  const usable = Object.entries(campaign).filter(
    ([name, value]) => campaignName.test(name) && value !== '' && !Object.hasOwn(own, name),
  )
  const kept = usable.slice(0, Math.max(0, metadataKeysMax - Object.keys(own).length))
  return { ...Object.fromEntries(kept.map(([name, value]) => [name, cutText(value, valueLengthMax)])), ...own }
}
