import Type, { type Static } from 'typebox'
import type { Product as ProductRow } from '../../db/catalogue/product.ts'
import { format } from '../../domain/money.ts'
import { intervals, priceTypes, type Recurrence } from '../../domain/catalogue/product.ts'
import { CurrencyCode, id, iso, Metadata, Money, nullable, Timestamp } from '../common.ts'

/** The billing interval of a recurring product. */
export const ProductRecurring = Type.Object(
  {
    interval: Type.Enum([...intervals]),
    interval_count: Type.Integer({ minimum: 1 }),
    trial_days: Type.Integer({ minimum: 0 }),
  },
  { $id: 'ProductRecurring' },
)

export const Product = Type.Object(
  {
    product_id: id('prod'),
    name: Type.String(),
    description: nullable(Type.String()),
    active: Type.Boolean({ description: 'False once it is archived.' }),
    price_type: Type.Enum([...priceTypes]),
    amount: nullable(Money),
    currency: CurrencyCode,
    minimum_amount: nullable(Money),
    maximum_amount: nullable(Money),
    suggested_amount: nullable(Money),
    recurring: nullable(ProductRecurring),
    images: Type.Array(Type.Object({ upload_id: id('upl'), url: Type.String() })),
    category: nullable(Type.String()),
    metadata: Metadata,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'Product' },
)

/** `publicUrl` is the address at which the images are served. */
export const presentProduct = (row: ProductRow, publicUrl: string): Static<typeof Product> => ({
  product_id: row.id,
  name: row.name,
  description: row.description,
  active: row.active,
  price_type: row.priceType,
  currency: row.currency,
  ...presentAmounts(row),
  recurring: recurrenceOf(row),
  images: row.imageIds.map((upload_id) => ({ upload_id, url: `${publicUrl}/uploads/${upload_id}` })),
  category: row.category,
  metadata: row.metadata,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
})

/** The amounts of a product's price; `amount` is `0.00` when it is free and null when the buyer decides. */
export function presentAmounts({ currency, ...row }: ProductRow) {
  const shown = (amount: string | null) => (amount === null ? null : format(amount, currency))
  return {
    amount: shown(row.amount),
    minimum_amount: shown(row.minimumAmount),
    maximum_amount: shown(row.maximumAmount),
    suggested_amount: shown(row.suggestedAmount),
  }
}

export const recurrenceOf = ({ recurringInterval, intervalCount, trialDays }: ProductRow): Recurrence | null =>
  recurringInterval && {
    interval: recurringInterval,
    interval_count: intervalCount ?? 1,
    trial_days: trialDays ?? 0,
  }
