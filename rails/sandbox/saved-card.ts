import { createHash } from 'node:crypto'
import type { EntityManager } from '../../db/core/database.ts'
import { SimulatedCard } from './book.ts'
import type { SavedCard } from '../rail.ts'
import { savedBehaviour } from './test-values.ts'

/**
 * Saves a card of the simulated network for charges without its owner. `orderId` is the charge or the setup that saves
 * it: the same one gives the same token, and no other does.
 */
export async function saveCard(em: EntityManager, cardToken: string, orderId: string): Promise<SavedCard> {
  const card = await em.findOneOrFail(SimulatedCard, { token: cardToken })
  const token = `tok_${createHash('sha256').update(orderId).digest('base64url')}`
  const { brand, lastFour, expMonth, expYear, country } = card
  await em.execute(
    `insert into simulated_cards (token, behaviour, brand, last_four, exp_month, exp_year, country)
     values (?, ?, ?, ?, ?, ?, ?) on conflict (token) do nothing`,
    [token, savedBehaviour(card.behaviour), brand, lastFour, expMonth, expYear, country],
  )
  return { token, card: { brand, last4: lastFour, exp_month: expMonth, exp_year: expYear, country } }
}
