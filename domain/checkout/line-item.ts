import Big from 'big.js'
import type { Currency } from '../currency.ts'
import { type Amount, amountError, format, isLess, isZero } from '../money.ts'
import type { PriceType, Recurrence } from '../catalogue/product.ts'
import type { FieldError } from '../refusal.ts'

/** The highest quantity of a product in one sale. */
export const quantityMax = 999
/** The most lines of a cart. */
export const cartSizeMax = 100

/** A product as a sale offers it: copied when the session is made, so that a new price touches new sales only. */
export type OfferedItem = {
  product_id: string
  product_name: string
  /** Null when the buyer decides. */
  unit_amount: Amount | null
  currency: Currency
  price_type: PriceType
  minimum_amount: Amount | null
  maximum_amount: Amount | null
  suggested_amount: Amount | null
  /** How it repeats; null or missing for a product that is sold once. */
  recurring?: Recurrence | null
}

/** What was sold, in the form in which sessions, payments and events show it. */
export type LineItem = Omit<OfferedItem, 'unit_amount' | 'suggested_amount' | 'recurring'> & {
  quantity: number
  unit_amount: Amount
  line_total: Amount
}

/** A product that is put into a sale; `amount` is for a product whose price the buyer decides. */
export type PickedProduct = { product_id: string; quantity?: number; amount?: string }

type Priced = Pick<OfferedItem, 'price_type' | 'currency' | 'minimum_amount' | 'maximum_amount'>

/** The field errors of selling this product at the price that was sent. */
export function validateOfferedPrice(offered: Priced, { amount }: Partial<PickedProduct>, field: string): FieldError[] {
  if (offered.price_type !== 'custom') {
    return amount === undefined ? [] : [{ field, message: 'is for price_type custom only', type: 'value_error' }]
  }
  if (amount === undefined) {
    return [{ field, message: 'is required when price_type is custom', type: 'value_error.missing' }]
  }
  const unreadable = amountError(amount, offered.currency, field)
  if (unreadable) return [unreadable]
  const { minimum_amount: low, maximum_amount: high } = offered
  const outside = (message: string) => [{ field, message, type: 'value_error.range' }]
  if (low !== null && isLess(amount, low)) return outside(`must be at least ${low}`)
  if (high !== null && isLess(high, amount)) return outside(`must be at most ${high}`)
  return []
}

/** The line of a sale. */
export function lineItemOf(offered: OfferedItem, { quantity = 1, amount }: PickedProduct): LineItem {
  const { suggested_amount: _suggested, recurring: _recurring, unit_amount, ...kept } = offered
  const currency = offered.currency
  const each = format(unit_amount ?? amount ?? '0', currency)
  return { ...kept, quantity, unit_amount: each, line_total: format(new Big(each).times(quantity).toFixed(), currency) }
}

export const totalOf = (items: readonly LineItem[]): Amount =>
  items.reduce((sum, { line_total }) => sum.plus(line_total), new Big(0)).toFixed()

/** The lowest price of these products. */
export const cheapestOf = (offered: readonly OfferedItem[]): Amount =>
  offered.map(leastPrice).reduce((least, price) => (isLess(price, least) ? price : least))

const leastPrice = ({ unit_amount, minimum_amount }: OfferedItem): Amount => unit_amount ?? minimum_amount ?? '0'

/** Whether every one of these products is free, so that the sale needs no corridor to pay with. */
export const areFree = (offered: readonly OfferedItem[]): boolean =>
  offered.every(({ unit_amount }) => unit_amount !== null && isZero(unit_amount))

type Sold = { setup: boolean; amount: Amount; lineItems: LineItem[] | null }

/**
 * Whether a sale costs nothing, neither now nor later, so that its buyer needs no payment method. A trial has the
 * amount zero as well, but saves a card for what is charged after it; of a free product nothing is.
 */
export const isFreeSale = ({ setup, amount, lineItems }: Sold): boolean =>
  setup ? lineItems !== null && isZero(totalOf(lineItems)) : isZero(amount)

/** What a sale of these lines charges when it completes: nothing where a card is saved for what is charged later. */
export const amountDue = ({ setup, amount }: Pick<Sold, 'setup' | 'amount'>, lineItems: LineItem[]): Amount =>
  setup ? amount : totalOf(lineItems)

type Session = { sessionMode: string; lineItems: LineItem[] | null }

/** Whether the buyer still has to pick a product: until then the amount is unknown. */
export const awaitsPick = ({ sessionMode, lineItems }: Session): boolean =>
  sessionMode === 'SELECTION' && lineItems === null

type Offered = { selection: OfferedItem[] | null; recurring?: Recurrence | null | undefined }

/** How a sale repeats once its buyer has picked these lines: as the picked product does, with the trial of the sale. */
export function recurrenceOf({ selection, recurring = null }: Offered, lineItems: LineItem[] | null) {
  const picked = selection?.find(({ product_id }) => product_id === lineItems?.[0]?.product_id)
  return recurring && picked?.recurring ? { ...picked.recurring, trial_days: recurring.trial_days } : recurring
}
