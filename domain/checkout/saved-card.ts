import type { Corridor } from '../corridor.ts'
import { hasExpired } from './card.ts'
import type { CheckoutStatus } from './checkout.ts'

/** After this many declines a session offers no saved card any more, so that nobody tries out security codes on it. */
export const savedDeclinesMax = 3

type Session = {
  status: CheckoutStatus
  offersSavedCards: boolean
  customerId: string | null
  accountId: string
  environment: string
  declines: number
}

/** A card of the page's list; a year has four digits, a month is 1 to 12. */
type Card = {
  customerId: string | null
  accountId: string
  environment: string
  expYear: number
  expMonth: number
  detachedAt: Date | null
}

/** Whether a session offers the saved cards of its customer at all: the merchant has said so, and it is open. */
export const offersSaved = ({ status, offersSavedCards, customerId, declines }: Session): boolean =>
  offersSavedCards && status === 'open' && customerId !== null && declines < savedDeclinesMax

/**
 * Whether a session may be paid with this saved card now: it is its own customer's, not removed and not expired. `at`
 * is in ms since the epoch.
 */
export const isOffered = (session: Session, card: Card, at: number): boolean =>
  offersSaved(session) &&
  card.customerId === session.customerId &&
  card.accountId === session.accountId &&
  card.environment === session.environment &&
  card.detachedAt === null &&
  !hasExpired(card.expYear, card.expMonth, at)

/**
 * How a subscription is paid that a session has sold by this corridor. A card network may take a payment and not save
 * its card, so what counts is whether one was saved. Null: nothing was paid, as for a free plan.
 */
export const collectionOf = (corridor: Corridor | null, hasSavedCard: boolean): 'automatic' | 'invoice' =>
  corridor === null || hasSavedCard ? 'automatic' : 'invoice'
