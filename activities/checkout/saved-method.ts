import type { Checkout } from '../../db/checkout/checkout.ts'
import { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { Corridor } from '../../domain/corridor.ts'
import { newId } from '../../domain/id.ts'
import type { SavedCard } from '../../rails/rail.ts'

/** Saves the card of a session for charges without its owner; `customerId` is whose card it is, null: nobody's yet. */
export function saveMethod(
  em: EntityManager,
  { id: checkoutId, accountId, environment }: Checkout,
  { corridor, customerId, saved }: { corridor: Corridor; customerId: string | null; saved: SavedCard },
  at: number,
): void {
  const { brand, last4, exp_month: expMonth, exp_year: expYear, country } = saved.card
  em.create(SavedPaymentMethod, {
    id: newId('pm', at),
    accountId,
    environment,
    corridor,
    checkoutId,
    customerId,
    railToken: saved.token,
    brand,
    last4,
    expMonth,
    expYear,
    country,
    createdAt: new Date(at),
    detachedAt: null,
  })
}
