import { type Currency, isCurrency } from '../currency.ts'
import { type Amount, amountError, format, isLess, isZero } from '../money.ts'
import type { FieldError } from '../refusal.ts'

/** `fixed` costs its amount, `free` nothing, `custom` what the buyer decides. */
export const priceTypes = ['fixed', 'free', 'custom'] as const
export type PriceType = (typeof priceTypes)[number]

export const intervals = ['day', 'week', 'month', 'year'] as const
export type Interval = (typeof intervals)[number]
/** How a product is charged again: every `interval_count` intervals, after `trial_days`. */
export type Recurrence = { interval: Interval; interval_count: number; trial_days: number }

/** The most images of a product. */
export const imagesMax = 8
/** The most products of a group. */
export const groupSizeMax = 20

/** Two charges are at most three years apart. */
export const intervalCountMax: Record<Interval, number> = { day: 1095, week: 156, month: 36, year: 3 }

export const amountFields = ['amount', 'minimum_amount', 'maximum_amount', 'suggested_amount'] as const
type AmountField = (typeof amountFields)[number]

/** The amounts of a price as a caller sends them; null is none. */
export type PriceAmounts = Record<AmountField, Amount | null>

/** All field errors of a price. Amounts are checked against the currency where it is known. */
export function validatePrice(priceType: PriceType, currency: string, amounts: PriceAmounts): FieldError[] {
  const known = isCurrency(currency) ? currency : null
  const unreadable = amountFields.flatMap((field) => {
    const text = amounts[field]
    return (text === null ? null : amountError(text, known, field)) ?? []
  })
  const unread = new Set(unreadable.map(({ field }) => field))
  return [...unreadable, ...rules[priceType](amounts).filter(({ field }) => !unread.has(field))]
}

const error = (field: AmountField, message: string, kind = '') => ({ field, message, type: `value_error${kind}` })

const rules: Record<PriceType, (amounts: PriceAmounts) => FieldError[]> = {
  fixed: ({ amount, ...bounds }) => [
    ...(amount === null ? [error('amount', 'is required when price_type is fixed', '.missing')] : []),
    ...(amount !== null && isNought(amount) ? [error('amount', 'must be more than 0; else it is free', '.range')] : []),
    ...boundless(bounds),
  ],
  free: ({ amount, ...bounds }) => [
    ...(amount !== null && !isNought(amount) ? [error('amount', 'must be 0 when price_type is free', '.range')] : []),
    ...boundless(bounds),
  ],
  custom: ({ amount, ...bounds }) => [
    ...(amount === null ? [] : [error('amount', 'is the buyer’s to choose when price_type is custom')]),
    ...outOfOrder(bounds),
  ],
}

type Bounds = Omit<PriceAmounts, 'amount'>
const boundFields = amountFields.filter((field) => field !== 'amount')

const boundless = (bounds: Bounds): FieldError[] =>
  boundFields.filter((field) => bounds[field] !== null).map((field) => error(field, 'is for price_type custom only'))

function outOfOrder({ minimum_amount: low, maximum_amount: high, suggested_amount: middle }: Bounds): FieldError[] {
  const isAbove = (one: Amount | null, other: Amount | null) =>
    one !== null && other !== null && isPlain(one) && isPlain(other) && isLess(other, one)
  return [
    ...(high !== null && isNought(high) ? [error('maximum_amount', 'must be more than 0', '.range')] : []),
    ...(isAbove(low, high) ? [error('maximum_amount', 'must not be less than minimum_amount', '.range')] : []),
    ...(isAbove(low, middle) ? [error('suggested_amount', 'must not be less than minimum_amount', '.range')] : []),
    ...(isAbove(middle, high) ? [error('suggested_amount', 'must not be more than maximum_amount', '.range')] : []),
  ]
}

// An amount that cannot be read already has its own error, and must not reach the decimal library.
const isPlain = (text: string): boolean => amountError(text, null) === null
const isNought = (text: string): boolean => isPlain(text) && isZero(text)

/**
 * A valid price in the form in which it is stored: with all decimals, 0 when free, null only where the buyer decides.
 */
export function keptAmounts(priceType: PriceType, currency: Currency, amounts: PriceAmounts) {
  const kept = (text: Amount | null) => (text === null ? null : format(text, currency))
  return {
    amount: kept(priceType === 'free' ? '0' : amounts.amount),
    minimumAmount: kept(amounts.minimum_amount),
    maximumAmount: kept(amounts.maximum_amount),
    suggestedAmount: kept(amounts.suggested_amount),
  }
}
