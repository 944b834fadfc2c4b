import { defineEntity, p } from '@mikro-orm/core'
import { imagesMax, intervals, priceTypes } from '../../domain/catalogue/product.ts'
import { currencyCode, moment, money, tenant } from '../core/columns.ts'

const schema = defineEntity({
  name: 'Product',
  tableName: 'products',
  properties: {
    id: p.string().primary(),
    ...tenant,
    name: p.string().length(255),
    description: p.text().strictNullable(),
    // False once it is archived: it can still be read, but not be sold.
    active: p.boolean().default(true),
    priceType: p.enum(priceTypes),
    currency: currencyCode().check("currency ~ '^[A-Z]{3}$'"),
    // 0 when it is free, null when the buyer decides.
    amount: money().strictNullable().check("amount >= 0 and amount <> 'NaN'"),
    minimumAmount: money().strictNullable().check("minimum_amount >= 0 and minimum_amount <> 'NaN'"),
    maximumAmount: money().strictNullable().check("maximum_amount > 0 and maximum_amount <> 'NaN'"),
    suggestedAmount: money().strictNullable().check("suggested_amount >= 0 and suggested_amount <> 'NaN'"),
    // All three or none: null is a one-time product.
    recurringInterval: p.enum(intervals).strictNullable(),
    intervalCount: p.smallint().strictNullable().check('interval_count >= 1'),
    trialDays: p.smallint().strictNullable().check('trial_days >= 0'),
    // Uploads, in the order in which they are shown.
    imageIds: p.array().check(`cardinality(image_ids) <= ${imagesMax}`),
    category: p.string().length(64).strictNullable(),
    metadata: p.json<Record<string, string>>(),
    createdAt: moment(),
    updatedAt: moment(),
  },
  // A comparison with null is null, which a check lets pass.
  checks: [
    { name: 'products_custom_check', expression: `(price_type = 'custom') = (amount is null)` },
    { name: 'products_free_check', expression: `(price_type = 'free') = (amount = 0)` },
    {
      name: 'products_bounds_check',
      expression: `price_type = 'custom' or num_nonnulls(minimum_amount, maximum_amount, suggested_amount) = 0`,
    },
    {
      name: 'products_bounds_order_check',
      expression: `minimum_amount <= maximum_amount and minimum_amount <= suggested_amount
        and suggested_amount <= maximum_amount`,
    },
    {
      name: 'products_recurring_check',
      expression:
        '(recurring_interval is null) = (interval_count is null) and (interval_count is null) = (trial_days is null)',
    },
  ],
  indexes: [{ name: 'products_newest', properties: ['accountId', 'environment', 'createdAt', 'id'] }],
})
/** Something that is sold. Its price is copied into each sale, so that a new price applies to new sales only. */
export class Product extends schema.class {}
schema.setClass(Product)
