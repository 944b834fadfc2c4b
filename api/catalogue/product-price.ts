import Type from 'typebox'
import type { Product } from '../../db/catalogue/product.ts'
import {
  amountFields,
  intervalCountMax,
  intervals,
  type PriceAmounts,
  validatePrice,
  priceTypes,
  type Recurrence,
} from '../../domain/catalogue/product.ts'
import type { FieldError } from '../../domain/refusal.ts'
import { nullable } from '../../schemas/common.ts'
import { presentAmounts, recurrenceOf } from '../../schemas/catalogue/product.ts'
import { fieldsOf, isOneOf, recordOf } from '../../domain/narrow.ts'

const Amount = Type.Optional(nullable(Type.String({ examples: ['25.00'] })))

/** The amounts of a price in a body. `validatePrice` checks which of them this price may have. */
export const sentAmounts = {
  amount: Amount,
  minimum_amount: Amount,
  maximum_amount: Amount,
  suggested_amount: Amount,
}

export const SentRecurring = nullable(
  Type.Object({
    interval: Type.Enum([...intervals]),
    interval_count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1095, description: 'Default 1; at most three years.' }),
    ),
    trial_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 730, description: 'Default 0.' })),
  }),
)

type Sent = Record<string, unknown>

/** The amounts of an unchecked body. Values that are not text are left out here; the schema check reports them. */
export const amountsIn = (body: Sent, otherwise?: PriceAmounts): PriceAmounts =>
  recordOf(amountFields, (field) => {
    const value = body[field] === undefined ? (otherwise?.[field] ?? null) : body[field]
    return typeof value === 'string' ? value : null
  })

/** The errors in a price of an unchecked body that the schema cannot find. */
export function validateSentPrice(body: Sent): FieldError[] {
  const { price_type: type, currency } = body
  if (!isOneOf(priceTypes, type)) return []
  // `String()` would throw for `{"toString": 1}`. What is no text counts as an unknown code, which has no precision.
  return validatePrice(type, typeof currency === 'string' ? currency : '', amountsIn(body))
}

/** The errors in a new product's price that the schema cannot find. */
export const validateProduct = (body: Sent): FieldError[] => [
  ...validateSentPrice(body),
  ...validateRecurring(body['recurring']),
]

function validateRecurring(sent: unknown): FieldError[] {
  const { interval, interval_count: count } = fieldsOf(sent)
  if (!isOneOf(intervals, interval)) return []
  const countMax = intervalCountMax[interval]
  if (typeof count !== 'number' || count <= countMax) return []
  const message = `must be at most ${countMax} when interval is ${interval}`
  return [{ field: 'recurring.interval_count', message, type: 'value_error.range' }]
}

export const readRecurring = (sent: Partial<Recurrence> | null | undefined) => ({
  recurringInterval: sent?.interval ?? null,
  intervalCount: sent ? (sent.interval_count ?? 1) : null,
  trialDays: sent ? (sent.trial_days ?? 0) : null,
})

type Fixed = { price_type?: string; currency?: string; recurring?: Partial<Recurrence> | null }

/** The errors in a change: type, currency and interval never change, and the new price must be valid for them. */
export function validateChange(product: Product, body: Fixed & Partial<PriceAmounts>): FieldError[] {
  const { priceType, currency } = product
  const isSame = ({ recurring }: Fixed) => {
    const was = readRecurring(recurrenceOf(product))
    return Object.entries(readRecurring(recurring)).every(([name, value]) => was[name as keyof typeof was] === value)
  }
  const changed = {
    price_type: body.price_type !== undefined && body.price_type !== priceType,
    currency: body.currency !== undefined && body.currency !== currency,
    recurring: body.recurring !== undefined && !isSame(body),
  }
  const fixed = Object.entries(changed).filter(([, isChanged]) => isChanged)
  return [
    ...fixed.map(([field]) => ({ field, message: 'never changes: make another product', type: 'value_error' })),
    ...validatePrice(priceType, currency, amountsIn(body, presentAmounts(product))),
  ]
}
