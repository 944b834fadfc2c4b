import { hasExpired, isCardNumber } from '../../domain/checkout/card.ts'
import { type Corridor, corridorOf, isCorridor } from '../../domain/corridor.ts'
import { faultsInPrice } from '../../domain/checkout/line-item.ts'
import { isNumberIn } from '../../domain/checkout/mobile-money.ts'
import type { FieldFault } from '../../domain/refusal.ts'
import type { PayBody } from './form.ts'
import type { Session } from './screen.ts'

/**
 * What else is wrong with a form that was refused. The API looks at values only once every field has its form; a buyer
 * is told everything at once. `now` in ms since the epoch.
 */
export function furtherFaults(body: PayBody, session: Session, now: number): FieldFault[] {
  const { products, payment_method: corridor, card, phone_number: phone } = body
  const faults: FieldFault[] = []
  if (session.selection && !session.products && !products) faults.push(missing('products'))
  const [wanted] = products ?? []
  const offered = session.selection?.find(({ product_id }) => product_id === wanted?.product_id)
  if (wanted && offered) faults.push(...faultsInPrice(offered, wanted, 'products.0.amount'))
  if (card) faults.push(...faultsInCard(card, now))
  if (phone !== undefined && corridor && isCorridor(corridor) && !isOf(corridor, phone)) {
    faults.push({ field: 'phone_number', message: 'is not a number of this country', type: 'value_error.format' })
  }
  return faults
}

function faultsInCard({ number, exp_month: month, exp_year: year }: NonNullable<PayBody['card']>, now: number) {
  const faults: FieldFault[] = []
  if (!isCardNumber(number)) faults.push({ field: 'card.number', message: '', type: 'value_error.format' })
  const isDate = month >= 1 && month <= 12
  if (isDate && hasExpired(year, month, now)) faults.push({ field: 'card.exp_year', message: '', type: 'value_error' })
  return faults
}

const isOf = (corridor: Corridor, phone: string) => isNumberIn(corridorOf(corridor).currency, phone)

const missing = (field: string): FieldFault => ({ field, message: 'is required', type: 'value_error.missing' })
