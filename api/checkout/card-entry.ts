import type { CardEntry, CardPlaces } from '../../domain/checkout/card-entry.ts'
import { cardCorridors } from '../../domain/corridor.ts'
import { fieldsOf } from '../../domain/narrow.ts'
import { type FieldError, missing } from '../../domain/refusal.ts'
import { validateCard } from './card.ts'

type Sent = Record<string, unknown>

const onPage: FieldError = {
  field: 'card',
  message: 'must be left out: the buyer enters the card on the provider’s page, to which next_action leads',
  type: 'value_error',
}
const noNumbers: FieldError = {
  field: 'card',
  message:
    'must be {"token"} of the provider’s own field (card_field in the public view): card numbers are not accepted here',
  type: 'value_error',
}
const digitsOf = (field: string): FieldError => ({
  field,
  message: 'is not accepted as digits: send the cvc_token that the provider’s own field makes of them',
  type: 'value_error',
})

/**
 * The errors in an unchecked body whose card must not reach us: numbers where the provider's field makes a token of
 * them, and anything where the provider's page takes the card. A body that names no corridor of cards is judged by all
 * of them, so that a number is refused whatever else is wrong. No error repeats a digit.
 */
export function misplacedIn({ payment_method: key, card }: Sent, { cardEntryOf }: CardPlaces): FieldError[] {
  if (card === undefined || card === null) return []
  const named = cardCorridors.filter((corridor) => corridor === key)
  const entries = (named.length > 0 ? named : cardCorridors).map(cardEntryOf)
  if (entries.includes('numbers')) return []
  const { number, cvc, token, payment_method_id: saved, cvc_token: code } = fieldsOf(card)
  const hasNumber = number !== undefined || isDigits(token) || isDigits(card)
  if (named.length === 0 && !hasNumber && cvc === undefined) return []
  if (!entries.includes('field')) return [onPage]
  if (hasNumber) return [noNumbers]
  if (cvc !== undefined) return [saved === undefined ? noNumbers : digitsOf('card.cvc')]
  return isDigits(code) ? [digitsOf('card.cvc_token')] : []
}

/** Whether a value may be typed digits of a card. No token of a provider is digits alone. */
const isDigits = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^[\d\s-]{3,}$/.test(value))

/** The errors in a card, by where it is entered; what must not be there at all is found by `misplacedIn`. */
export function validateCardFor(entry: CardEntry, card: unknown, now: number): FieldError[] {
  if (entry === 'page') return []
  if (card === undefined) return [missing('card')]
  const { payment_method_id: saved, cvc, cvc_token: code } = fieldsOf(card)
  if (saved === undefined) return validateCard(card, now)
  if (entry === 'numbers') return cvc === undefined ? [missing('card.cvc')] : []
  return code === undefined && cvc === undefined ? [missing('card.cvc_token')] : []
}
