import type Stripe from 'stripe'
import { invalid } from '../../domain/refusal.ts'
import type { RailVault } from '../rail.ts'
import { isPaymentMethod } from './token.ts'
import { ask, orNull, type TroubleKind } from './trouble.ts'

/** Stripe has nothing with this id, or does not take it for one. */
const unknown: TroubleKind[] = ['not_found', 'refused']

/**
 * The vault is Stripe's own: its fields in the buyer's browser make the tokens. A number or a code that is sent to us
 * in their place is refused, and neither stored nor passed on.
 */
export function createVault(api: Stripe, livemode: boolean): RailVault {
  return {
    async keepCard() {
      const message = 'must be the token of the card network’s own field: card numbers are not accepted here'
      throw invalid('card', message, 'value_error')
    },
    /** A card that is saved for somebody is nobody's to pay with: it is charged as a saved card alone. */
    async keepToken(token) {
      if (!isPaymentMethod(token)) return null
      const retrieve = () => ask('retrieving a card', () => api.paymentMethods.retrieve(token))
      const method = await orNull(retrieve, ...unknown)
      const isUsable = method?.type === 'card' && method.customer === null && method.livemode === livemode
      return isUsable ? method.id : null
    },
    async keepPhone() {
      throw invalid('phone_number', 'is not accepted: this payment method has no mobile money', 'value_error')
    },
    async keepCode() {
      throw invalid('code', 'is not accepted: the card’s bank asks for it on its own page', 'value_error')
    },
    async keepSecurityCode(code) {
      const isToken = code.length <= 64 && /^cvctok_\w+$/.test(code)
      const retrieve = () => ask('retrieving a code', () => api.tokens.retrieve(code))
      const token = isToken ? await orNull(retrieve, ...unknown) : null
      if (token?.type === 'cvc_update' && token.livemode === livemode && !token.used) return token.id
      const message = 'must be the token of the card network’s own field for security codes'
      throw invalid('card.cvc_token', message, 'value_error')
    },
  }
}
