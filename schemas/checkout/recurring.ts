import Type from 'typebox'
import { intervals } from '../../domain/catalogue/product.ts'
import { id, nullable, Timestamp } from '../common.ts'

/** How a subscription is paid: its card is charged, or its customer pays an invoice. */
export const Collection = Type.Enum(['automatic', 'invoice'])

/**
 * How a sale repeats (docs/contract/subscription.md, "Subscription"); `subscription_id` is null until it is complete.
 */
export const Recurring = Type.Object(
  {
    interval: Type.Enum([...intervals]),
    interval_count: Type.Integer({ minimum: 1 }),
    trial_days: Type.Integer({ minimum: 0 }),
    collection: Collection,
    subscription_id: nullable(id('sub')),
    next_charge_at: nullable(Timestamp),
  },
  { $id: 'Recurring' },
)
