import { revise } from '../../domain/revision.ts'
import type { Checkout } from '../../db/checkout/checkout.ts'
import type { Payment } from '../../db/checkout/payment.ts'
import { type LineItem, totalOf } from '../../domain/checkout/line-item.ts'

/** Increases the session's revision, so that its process can tell the newer of two snapshots. */
export function touch(session: Checkout, at: number): void {
  revise(session)
  session.updatedAt = new Date(at)
}

/** Sets the line items that the buyer has picked as what the session sells. */
export function pick(session: Checkout, lineItems: LineItem[]): void {
  session.lineItems = lineItems
  // A card is saved for what is charged later.
  if (!session.setup) session.amount = totalOf(lineItems)
  const picked = session.selection?.find(({ product_id }) => product_id === lineItems[0]?.product_id)
  if (!session.recurring || !picked?.recurring) return
  session.recurring = { ...picked.recurring, trial_days: session.recurring.trial_days }
}

/** Whether the session is open and this is its newest attempt. */
export const isCurrent = (session: Checkout, payment: Payment): boolean =>
  session.status === 'open' && session.paymentId === payment.id

/** Whether this is the newest attempt of an open session and the buyer has not chosen another way to pay since. */
export const isChosen = (session: Checkout, payment: Payment): boolean =>
  isCurrent(session, payment) && session.requestId === payment.id
