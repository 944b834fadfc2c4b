import { FlushMode } from '@mikro-orm/core'
import type { Checkout } from '../../db/checkout/checkout.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { revise } from '../../domain/revision.ts'
import { amountDue, type LineItem, recurrenceOf } from '../../domain/checkout/line-item.ts'

/** Increases the session's revision, so that its process can tell the newer of two snapshots. */
export function touch(session: Checkout, at: number): void {
  revise(session)
  session.updatedAt = new Date(at)
}

/** Sets the line items that the buyer has picked as what the session sells. */
export function pick(session: Checkout, lineItems: LineItem[]): void {
  session.lineItems = lineItems
  session.amount = amountDue(session, lineItems)
  session.recurring = recurrenceOf(session, lineItems)
}

/** Whether the session is open and this is its newest attempt. */
export const isCurrent = (session: Checkout, payment: Payment): boolean =>
  session.status === 'open' && session.paymentId === payment.id

/** Whether this is the newest attempt of an open session and the buyer has not chosen another payment method since. */
export const isChosen = (session: Checkout, payment: Payment): boolean =>
  isCurrent(session, payment) && session.requestId === payment.id

/**
 * The payments that were attempted in a session, including the changes of the running transaction. It does not flush:
 * changed entities are read from memory, so that the commit remains one round of statements.
 */
export async function attemptsOf(em: EntityManager, { id, paymentId, attempts }: Checkout): Promise<Payment[]> {
  const options = { flushMode: FlushMode.COMMIT }
  if (attempts > 1) return em.find(Payment, { checkoutId: id }, options)
  // A first choice makes one attempt at most, and the session names it. By its id it costs no query once it is loaded.
  const only = paymentId === null ? null : await em.findOne(Payment, { id: paymentId }, options)
  return only ? [only] : []
}
