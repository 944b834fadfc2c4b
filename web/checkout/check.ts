import { hasExpired, isCardNumber } from '../../domain/checkout/card.ts'
import { validateOfferedPrice } from '../../domain/checkout/line-item.ts'
import { type FieldError, missing } from '../../domain/refusal.ts'
import type { PayBody, TypedCard } from './form.ts'
import type { Session } from './screen.ts'

/**
 * Finds more errors in a refused form. The API checks values only if every field has the right form, but a buyer should
 * see all errors at once.
 */
export function validateFurther(body: PayBody, session: Session): FieldError[] {
  const { products, payment_method: corridor, card, phone_number: phone } = body
  const errors: FieldError[] = []
  if (session.selection && !session.products && !products) errors.push(missing('products'))
  const [wanted] = products ?? []
  const offered = session.selection?.find(({ product_id }) => product_id === wanted?.product_id)
  if (wanted && offered) errors.push(...validateOfferedPrice(offered, wanted, 'products.0.amount'))
  if (card && 'number' in card) errors.push(...validateCard(card, Date.parse(session.as_of)))
  const offer = session.payment_methods.find(({ payment_method }) => payment_method === corridor)
  if (phone !== undefined && offer && !offer.calling_codes.some((code) => phone.startsWith(code))) {
    errors.push({ field: 'phone_number', message: 'is not a number of this country', type: 'value_error.format' })
  }
  return errors
}

function validateCard({ number, exp_month: month, exp_year: year }: TypedCard, now: number) {
  const errors: FieldError[] = []
  if (!isCardNumber(number)) errors.push({ field: 'card.number', message: '', type: 'value_error.format' })
  const isDate = month >= 1 && month <= 12
  if (isDate && hasExpired(year, month, now)) errors.push({ field: 'card.exp_year', message: '', type: 'value_error' })
  return errors
}
