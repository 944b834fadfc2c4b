import Type from 'typebox'
import type { Product } from '../../db/catalogue/product.ts'
import type { Recurrence } from '../../domain/catalogue/product.ts'
import { metadataKeysMax } from '../../domain/metadata.ts'
import { fieldsOf } from '../../domain/narrow.ts'
import type { FieldError } from '../../domain/refusal.ts'
import { recurrenceOf } from '../../schemas/catalogue/product.ts'
import { Metadata, nullable } from '../../schemas/common.ts'

/** `subscription_data`: what the subscription gets that a checkout of recurring products begins. */
export const SubscriptionData = Type.Optional(
  nullable(
    Type.Object({
      trial_days: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 730, description: 'In place of the trial of its products.' }),
      ),
      metadata: Type.Optional(Metadata),
    }),
  ),
)

type Wish = { trial_days?: number | undefined } | null | undefined

/** How a sale of products repeats; null for products that are sold once. */
export function recurrenceOfSale(products: readonly Product[], wish: Wish): Recurrence | null {
  const [first] = products
  const found = first ? recurrenceOf(first) : null
  return found && { ...found, trial_days: wish?.trial_days ?? found.trial_days }
}

const describe = ({ interval, interval_count: count }: Recurrence): string =>
  count === 1 ? `every ${interval}` : `every ${count} ${interval}s`

/**
 * Why a product cannot be sold together with the first one: one of them repeats and the other does not, or they repeat
 * in another rhythm. `mayDiffer`: the buyer picks one of them, so that their rhythms may differ.
 */
export function repeatsAnotherWay(
  product: Product,
  first: Product,
  { trial_days: trial, mayDiffer }: { trial_days: number | undefined; mayDiffer: boolean },
): string | null {
  const [own, other] = [recurrenceOf(product), recurrenceOf(first)]
  if (own === null && other === null) return null
  if (own === null) return 'is sold once, and those before it are recurring: sell them in another session'
  if (other === null) return 'is recurring, and those before it are sold once: sell it in another session'
  const isSame = own.interval === other.interval && own.interval_count === other.interval_count
  if (!mayDiffer && !isSame) return `renews ${describe(own)}, and those before it renew ${describe(other)}`
  if (trial === undefined && own.trial_days !== other.trial_days)
    return `has another trial than those before it: send subscription_data.trial_days`
  return null
}

/** The errors in what is sent about the subscription of a sale. A split is of a single payment. */
export function validateRecurring(body: Record<string, unknown>, isRecurring: boolean): FieldError[] {
  const isSent = (field: string) => body[field] !== undefined && body[field] !== null
  const error = (field: string, message: string) => (isSent(field) ? [{ field, message, type: 'value_error' }] : [])
  if (!isRecurring) return error('subscription_data', 'is for recurring products only')
  const message = 'is for a single payment, and these products are recurring'
  return [...error('platform_fee', message), ...error('transfer_data', message), ...validateMetadataOf(body)]
}

/** The subscription has the metadata of both, and one key more: the id of its checkout. */
function validateMetadataOf(body: Record<string, unknown>): FieldError[] {
  const own = fieldsOf(fieldsOf(body['subscription_data'])['metadata'])
  const keys = new Set([...Object.keys(fieldsOf(body['metadata'])), ...Object.keys(own), 'checkout_id'])
  if (keys.size <= metadataKeysMax) return []
  const field = Object.keys(own).length > 0 ? 'subscription_data.metadata' : 'metadata'
  const message = `would give the subscription more than ${metadataKeysMax} keys, with its checkout_id`
  return [{ field, message, type: 'value_error.range' }]
}
