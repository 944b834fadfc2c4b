import Type from 'typebox'
import type { Product } from '../../db/catalogue/product.ts'
import { cartSizeMax, type OfferedItem, quantityMax } from '../../domain/checkout/line-item.ts'
import { priceTypes } from '../../domain/catalogue/product.ts'
import { CurrencyCode, idParameter, Money, nullable } from '../common.ts'
import { presentAmounts, ProductRecurring, recurrenceOf } from '../catalogue/product.ts'

const shared = {
  product_id: Type.String(),
  product_name: Type.String(),
  currency: CurrencyCode,
  price_type: Type.Enum([...priceTypes]),
  minimum_amount: nullable(Money),
  maximum_amount: nullable(Money),
}

/** A sold item, as in sessions, payments, invoices and subscriptions. */
export const LineItem = Type.Object(
  { ...shared, quantity: Type.Integer(), unit_amount: Money, line_total: Money },
  { $id: 'LineItem' },
)

/** A product that a buyer may pick. */
export const OfferedProduct = Type.Object(
  {
    ...shared,
    unit_amount: nullable(Money),
    suggested_amount: nullable(Money),
    recurring: Type.Optional(nullable(ProductRecurring)),
  },
  { $id: 'OfferedProduct' },
)

const WantedProduct = Type.Object({
  product_id: idParameter('prod'),
  quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: quantityMax, description: 'Default 1.' })),
  amount: Type.Optional(
    Type.String({ examples: ['25.00'], description: 'For price_type custom: within its minimum and maximum.' }),
  ),
})

/** `product_cart`: the products that are sold together. */
export const ProductCart = Type.Array(WantedProduct, { minItems: 1, maxItems: cartSizeMax })

/** `products` of a buyer who picks. */
export const PickedProducts = Type.Array(WantedProduct, {
  minItems: 1,
  maxItems: 1,
  description: 'For a SELECTION session: one of its products.',
})

/** A product as it is copied into a new sale. */
export function offeredOf(row: Product): OfferedItem {
  const { amount, ...bounds } = presentAmounts(row)
  const { id, name, currency, priceType } = row
  const offered = { product_id: id, product_name: name, currency, price_type: priceType, ...bounds }
  const recurring = recurrenceOf(row)
  return { ...offered, unit_amount: amount, ...(recurring && { recurring }) }
}
