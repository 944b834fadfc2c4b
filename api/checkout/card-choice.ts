import type { Static } from 'typebox'
import type { EntityManager } from '../../db/core/database.ts'
import { timeOf } from '../../db/core/test-clock.ts'
import type { Checkout } from '../../db/checkout/checkout.ts'
import type { PaymentRequest } from '../../db/checkout/payment.ts'
import { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import { isOffered } from '../../domain/checkout/saved-card.ts'
import type { Corridor } from '../../domain/corridor.ts'
import { invalid } from '../../domain/refusal.ts'
import type { RailVault } from '../../rails/rail.ts'
import { type SavedCard, type SentCard, shownOfCard, toCardNumbers } from './card.ts'

type ChosenCard = { row: Checkout; card: SentCard; corridor: Corridor | null; now: number }

/** What is stored of a card that the buyer has typed or chosen: tokens of the rail's vault, and what may be shown. */
export async function readCard(
  em: EntityManager,
  vault: RailVault,
  { card, ...chosen }: ChosenCard,
): Promise<Partial<PaymentRequest>> {
  if (!('payment_method_id' in card))
    return { methodDetails: shownOfCard(card), railToken: await keepCard(vault, card) }
  const { id: savedMethodId, brand, last4 } = await findSaved(em, card.payment_method_id, chosen)
  const securityCodeToken = await vault.keepSecurityCode(card.cvc ?? card.cvc_token ?? '')
  return { methodDetails: { brand, last4 }, savedMethodId, securityCodeToken }
}

/**
 * The saved card that the buyer has chosen. One of somebody else, one that was removed and one that never was are
 * refused in the same words, so that nobody learns which ids exist.
 */
async function findSaved(em: EntityManager, id: string, { row, corridor, now }: Omit<ChosenCard, 'card'>) {
  const saved = await em.findOne(SavedPaymentMethod, { id })
  const at = await timeOf(em, row, now)
  if (saved && saved.corridor === corridor && isOffered(row, saved, at)) return saved
  throw invalid('card.payment_method_id', 'must be a saved card that this session offers', 'value_error')
}

/** The vault's token for a card. The card is sent as its number, or as the token that the rail's field has made. */
async function keepCard(vault: RailVault, card: Exclude<SentCard, Static<typeof SavedCard>>): Promise<string> {
  if (!('token' in card)) return vault.keepCard(toCardNumbers(card))
  const kept = await vault.keepToken(card.token)
  if (kept === null) throw invalid('card.token', 'is not known to the card network', 'value_error')
  return kept
}
