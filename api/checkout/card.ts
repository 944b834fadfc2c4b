import Type, { type Static } from 'typebox'
import { brandOf, hasExpired, isCardNumber } from '../../domain/checkout/card.ts'
import type { FieldError } from '../../domain/refusal.ts'
import { fieldsOf } from '../../domain/narrow.ts'

/** A card as a buyer types it. It is sent to the rail's vault only. */
export const Card = Type.Object(
  {
    number: Type.String({ maxLength: 30, pattern: '^[0-9 -]{12,30}$', examples: ['4242424242424242'] }),
    exp_month: Type.Integer({ minimum: 1, maximum: 12 }),
    exp_year: Type.Integer({ minimum: 2000, maximum: 2100 }),
    cvc: Type.String({ pattern: '^[0-9]{3,4}$', examples: ['123'] }),
  },
  { $id: 'Card' },
)

/** A card that the rail's own field in the browser has exchanged for a token. Its number never reaches us. */
export const CardToken = Type.Object(
  { token: Type.String({ pattern: '^[A-Za-z0-9_-]{1,255}$', examples: ['tok_success'] }) },
  { $id: 'CardToken' },
)

/**
 * A card that the session's customer has saved. The security code shows that whoever pays has the card: where the
 * buyer types numbers it is `cvc`, where the provider's field takes them it is `cvc_token`.
 */
export const SavedCard = Type.Object(
  {
    payment_method_id: Type.String({ maxLength: 64, examples: ['pm_01jd3v5t2nf3m8q6w0x9y7z4ka'] }),
    cvc: Type.Optional(Type.String({ pattern: '^[0-9]{3,4}$', examples: ['123'] })),
    cvc_token: Type.Optional(
      Type.String({ pattern: '^[A-Za-z0-9_-]{1,255}$', examples: ['cvctok_1NkWsu2eZvKYlo2CFDm6ab7X'] }),
    ),
  },
  { $id: 'SavedCard' },
)

/** A card as it is sent to pay: typed, as a token of the rail's field, or one that was saved. */
export type SentCard = Static<typeof Card> | Static<typeof CardToken> | Static<typeof SavedCard>

/**
 * The errors in a card that can be found without its rail; `now` in ms since the epoch. No error repeats a digit. The
 * value may have any type. A token is not checked here: only its rail can tell whether it is valid.
 */
export function validateCard(card: unknown, now: number): FieldError[] {
  const errors: FieldError[] = []
  const { number: typed, exp_year: year, exp_month: month } = fieldsOf(card)
  if (typeof typed === 'string' && !isCardNumber(digitsOf({ number: typed }))) {
    errors.push({ field: 'card.number', message: 'is not a card number', type: 'value_error.format' })
  }
  if (typeof year === 'number' && typeof month === 'number' && hasExpired(year, month, now)) {
    errors.push({ field: 'card.exp_year', message: 'has passed', type: 'value_error.range' })
  }
  return errors
}

/** The card in the form of the vault: the number is digits only. */
export const toCardNumbers = (card: Static<typeof Card>) => ({ ...card, number: digitsOf(card) })

/** The details of a card that may be shown before it is charged; none for a token. */
export const shownOfCard = (card: Exclude<SentCard, Static<typeof SavedCard>>) =>
  'token' in card ? null : { brand: brandOf(digitsOf(card)), last4: digitsOf(card).slice(-4) }

const digitsOf = ({ number }: Pick<Static<typeof Card>, 'number'>): string => number.replaceAll(/[ -]/g, '')
