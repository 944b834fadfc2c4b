import Type, { type Static } from 'typebox'
import type { FieldFault } from '../domain/refusal.ts'

/** A card as a buyer types it. It goes to the rail's vault and nowhere else. */
export const Card = Type.Object(
  {
    number: Type.String({ maxLength: 30, pattern: '^[0-9 -]{12,30}$' }),
    exp_month: Type.Integer({ minimum: 1, maximum: 12 }),
    exp_year: Type.Integer({ minimum: 2000, maximum: 2100 }),
    cvc: Type.String({ pattern: '^[0-9]{3,4}$' }),
  },
  { $id: 'Card' },
)

/** The same once the rail's own field in the browser has taken it: its numbers never reach us. */
export const CardToken = Type.Object(
  { token: Type.String({ pattern: '^[A-Za-z0-9_-]{1,255}$', examples: ['tok_success'] }) },
  { $id: 'CardToken' },
)

/**
 * What speaks against a card before its rail is asked; `now` in ms since the epoch. No fault repeats a digit. It trusts
 * no type, and of a token nothing can be seen here: its rail knows it or not.
 */
export function cardFaults(card: unknown, now: number): FieldFault[] {
  const faults: FieldFault[] = []
  const { number: typed, exp_year: year, exp_month: month } = (card ?? {}) as Record<string, unknown>
  const number = typeof typed === 'string' ? digitsOf({ number: typed }) : null
  if (number !== null && (number.length < 12 || number.length > 19 || !passesLuhn(number))) {
    faults.push({ field: 'card.number', message: 'is not a card number', type: 'value_error.format' })
  }
  if (typeof year === 'number' && typeof month === 'number' && Date.UTC(year, month, 1) <= now) {
    faults.push({ field: 'card.exp_year', message: 'has passed', type: 'value_error.range' })
  }
  return faults
}

/** The card as a vault takes it: its number is digits alone. */
export const toCardNumbers = (card: Static<typeof Card>) => ({ ...card, number: digitsOf(card) })

const digitsOf = ({ number }: Pick<Static<typeof Card>, 'number'>): string => number.replaceAll(/[ -]/g, '')

/** The check digit of ISO/IEC 7812-1, annex B. */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
