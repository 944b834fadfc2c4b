import { createHash } from 'node:crypto'
import type { EntityManager } from '../../db/core/database.ts'
import type { FailureCode } from '../../domain/checkout/payment.ts'
import type { SimulatedCard, SimulatedCharge } from './book.ts'
import type { SavedCard } from '../rail.ts'
import { type CardBehaviour, isDisputing, savedBehaviour } from './test-values.ts'

/**
 * Saves a card of the simulated network for charges without its owner. `orderId` is the charge or the setup that saves
 * it: the same one gives the same token, and no other does.
 */
export async function saveCard(em: EntityManager, card: SimulatedCard, orderId: string): Promise<SavedCard> {
  const token = `tok_${createHash('sha256').update(orderId).digest('base64url')}`
  const { brand, lastFour, expMonth, expYear, country } = card
  await em.execute(
    `insert into simulated_cards (token, behaviour, brand, last_four, exp_month, exp_year, country)
     values (?, ?, ?, ?, ?, ?, ?) on conflict (token) do nothing`,
    [token, savedBehaviour(card.behaviour), brand, lastFour, expMonth, expYear, country],
  )
  return { token, card: { brand, last4: lastFour, exp_month: expMonth, exp_year: expYear, country } }
}

/** How a charge begins, and why it fails. */
export type ChargeStatus = readonly [status: SimulatedCharge['status'], failureCode: FailureCode | null]

/** How a charge of a saved card begins, and why it fails, while its owner is not there. */
export function statusWhenAbsent(behaviour: CardBehaviour): ChargeStatus {
  if (behaviour === 'succeeds' || isDisputing(behaviour)) return ['succeeded', null]
  if (behaviour === 'answers_late_later' || behaviour === 'answers_late') return ['processing', null]
  if (behaviour === 'declines_later') return ['failed', 'insufficient_funds']
  if (behaviour === 'expires_later') return ['failed', 'expired_card']
  if (behaviour === 'asks_for_3ds_later' || behaviour === 'asks_for_3ds') return ['failed', 'authentication_failed']
  return ['failed', behaviour]
}

/** The same while its owner is there: a wrong security code is declined, and the owner can be asked for a code. */
export function statusWhenPresent(behaviour: CardBehaviour, isCodeRight: boolean): ChargeStatus {
  if (!isCodeRight) return ['failed', 'card_declined']
  return behaviour === 'asks_for_3ds_later' ? ['requires_action', null] : statusWhenAbsent(behaviour)
}
