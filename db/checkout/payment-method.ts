import { defineEntity, p } from '@mikro-orm/core'
import { isOffered, offersSaved } from '../../domain/checkout/saved-card.ts'
import type { Corridor } from '../../domain/corridor.ts'
import { corridorKey, moment, tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'
import { readRow } from '../core/prepared-statement.ts'
import type { Checkout } from './checkout.ts'

/** What may be shown of a card: never its number. */
export type CardDetails = { brand: string; last4: string; exp_month: number; exp_year: number; country: string }

const schema = defineEntity({
  name: 'SavedPaymentMethod',
  tableName: 'saved_payment_methods',
  properties: {
    id: p.string().primary(),
    ...tenant,
    // The customer of the card. Null where a buyer only typed the email of an existing customer, until the merchant
    // assigns the card.
    customerId: p.string().strictNullable(),
    // The corridor whose rail knows the token.
    corridor: corridorKey(),
    // The rail's token for the card, valid for charges without its owner. It is given to the rail only.
    railToken: p.string().length(64).index('saved_payment_methods_by_token'),
    brand: p.string().length(20),
    last4: p.string().length(4),
    expMonth: p.smallint(),
    expYear: p.smallint(),
    country: p.string().length(2),
    // The session that saved it. Each session saves one card, which the database enforces too.
    checkoutId: p.string().unique('saved_payment_methods_once'),
    createdAt: moment(),
    // When its customer removed it. It is not shown or charged any more, and stays for the payments that name it.
    detachedAt: moment().strictNullable(),
  },
  indexes: [{ name: 'saved_payment_methods_of_customer', properties: ['customerId', 'createdAt', 'id'] }],
})
/**
 * A card that a customer has saved for later. `railToken` was verified with the card's owner present and is meant for
 * charges in their absence: a subscription renews by a `SavedChargeOrder` with it as `token`, which
 * `CardSetups.chargeSaved` sends.
 */
export class SavedPaymentMethod extends schema.class {}
schema.setClass(SavedPaymentMethod)

/** Whether a session may have saved a card: it saves one alone, or has begun a subscription. */
export const maySaveCard = ({ setup, recurring, status }: Checkout): boolean =>
  setup || (Boolean(recurring) && status === 'completed')

/** The card that such a session has saved; null where it has saved none. */
export const readSavedBy = async (em: EntityManager, session: Checkout): Promise<SavedPaymentMethod | null> =>
  maySaveCard(session) ? readRow(em, SavedPaymentMethod, { checkoutId: session.id }) : null

/** The most saved cards that a page lists. */
const listedMax = 10
/** The most rows that are read for them: a card that was saved several times has several. */
const readMax = 100

/**
 * The saved cards that a session offers for these corridors now, newest first; `at` in ms since the epoch. A card that
 * was saved several times is listed once.
 */
export async function readOfferedCards(
  em: EntityManager,
  session: Checkout,
  corridors: readonly Corridor[],
  at: number,
): Promise<SavedPaymentMethod[]> {
  if (!offersSaved(session) || session.customerId === null) return []
  const { accountId, environment, customerId } = session
  const where = { accountId, environment, customerId, detachedAt: null, corridor: { $in: [...corridors] } }
  const found = await em.find(SavedPaymentMethod, where, { orderBy: { createdAt: 'desc', id: 'desc' }, limit: readMax })
  const offered = found.filter((card) => isOffered(session, card, at))
  const shown = ({ corridor, brand, last4, expMonth, expYear }: SavedPaymentMethod) =>
    [corridor, brand, last4, expMonth, expYear].join()
  const once = new Map(offered.toReversed().map((card) => [shown(card), card]))
  return offered.filter((card) => once.get(shown(card)) === card).slice(0, listedMax)
}
