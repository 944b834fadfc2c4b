import { isCurrency } from '../../domain/currency.ts'
import { amountError, isZero } from '../../domain/money.ts'
import type { FieldError } from '../../domain/refusal.ts'

/** The errors in an amount above zero of a body. The amount and its currency are unchecked and may have any type. */
export function amountErrors(field: string, amount: unknown, currency: unknown): FieldError[] {
  if (typeof amount !== 'string') return []
  const error = amountError(amount, typeof currency === 'string' && isCurrency(currency) ? currency : null, field)
  if (error) return [error]
  return isZero(amount) ? [{ field, message: 'must be more than zero', type: 'value_error.range' }] : []
}
