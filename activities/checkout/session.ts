import { revise } from '../../domain/revision.ts'
import type { Checkout } from '../../db/checkout/checkout.ts'
import type { Payment } from '../../db/checkout/payment.ts'
import { type LineItem, totalOf } from '../../domain/checkout/line-item.ts'

/** Counts a change of the session, so that its process knows the newer of two snapshots. */
export function touch(session: Checkout, at: number): void {
  revise(session)
  session.updatedAt = new Date(at)
}

/** What a buyer has picked is what the session sells from then on. */
export function pick(session: Checkout, lineItems: LineItem[]): void {
  session.lineItems = lineItems
  session.amount = totalOf(lineItems)
}

/** Whether the session is open and this is its newest attempt. */
export const isCurrent = (session: Checkout, payment: Payment): boolean =>
  session.status === 'open' && session.paymentId === payment.id

/** The same, while the buyer has not chosen another way to pay since. */
export const isChosen = (session: Checkout, payment: Payment): boolean =>
  isCurrent(session, payment) && session.requestId === payment.id
