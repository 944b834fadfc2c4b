import { passOnSplit } from '../../commands/checkout/split.ts'
import { beginSubscription } from '../../commands/subscription/begin-subscription.ts'
import { judgePayment, payInvoice } from '../../commands/subscription/pay-invoice.ts'
import { refundDuplicate } from '../../commands/send-back.ts'
import { settlePayment } from '../../commands/settle-payment.ts'
import type { Checkout } from '../../db/checkout/checkout.ts'
import { saveCustomer } from '../../db/customer/customer.ts'
import type { EntityManager } from '../../db/core/database.ts'
import type { Payment } from '../../db/checkout/payment.ts'
import { countCompletion } from '../../db/checkout/payment-link.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { otherClockOf } from '../../db/core/test-clock.ts'
import { moveCheckoutPaymentStatus, moveSession } from '../../domain/checkout/checkout.ts'
import { collectionSucceeded } from '../../schemas/checkout/collection-event.ts'
import { checkoutCompleted } from '../../schemas/checkout/event.ts'
import { presentCustomer } from '../../schemas/customer.ts'
import type { Deposit, SavedCard } from '../../rails/rail.ts'
import { endSession, supersede } from './end.ts'
import { saveMethod } from './saved-method.ts'
import { pick } from './session.ts'
import { isPaid, refundLatePayment } from './unwanted-payment.ts'

/** What a rail tells beside the amount: the transfers that have brought it, and the card that was to be saved. */
type Brought = { deposits: readonly Deposit[]; saved?: SavedCard }

/**
 * The full amount has arrived: the money is settled, and an open session completes. If its link is sold out, or its
 * invoice takes no money any more, it ends without a sale instead. Late money and duplicate payments are settled too,
 * and are refunded afterwards where the rules say so. A sale that late money has paid needs no more.
 */
export async function succeedPayment(
  em: EntityManager,
  session: Checkout,
  payment: Payment,
  { deposits, saved }: Brought,
  at: number,
): Promise<void> {
  const moment = new Date(at)
  const verdict = session.invoiceId ? await judgePayment(em, payment) : null
  // Of an invoice the verdict says whether it is paid.
  const isOver =
    session.status === 'completed' || (session.status !== 'open' && !verdict && (await isPaid(em, session)))
  payment.duplicate = isOver || verdict === 'duplicate'
  if (payment.duplicate) payment.late = false // it goes back whatever the account does with late money
  await settlePayment(em, payment, deposits.length > 0, at)
  const wasOpen = session.status === 'open'
  const isWanted = verdict === null || verdict === 'pays'
  const completes = wasOpen && isWanted && (await countCompletion(em, session))
  if (completes) await complete(em, session, { payment, saved }, at)
  else if (wasOpen) await endUnsold(em, session, payment, at)
  const data = collectionSucceeded(payment, moment)
  await recordEvent(em, payment, { type: 'collection.succeeded', resourceId: payment.id, data }, at)
  await passOnSplit(em, payment, { settled: payment.settles, whole: payment.settles }, at)
  if (verdict) await payInvoice(em, payment, verdict, at)
  else if (payment.duplicate) await refundDuplicate(em, payment, at)
  else if (!completes) await refundLatePayment(em, payment, at)
  if (!completes) return
  if (session.recurring) await beginSubscription(em, session, payment, at)
  await recordCompletion(em, session, payment.id, at)
}

type Completing = { payment: Payment; saved: SavedCard | undefined }

/**
 * Completes the session; its card is kept. The customer's record is written first, so that every later event can name
 * the customer.
 */
async function complete(em: EntityManager, session: Checkout, { payment, saved }: Completing, at: number) {
  const { customerId } = session
  if (saved) saveMethod(em, session, { corridor: payment.corridor, customerId, saved }, at)
  // A transfer may arrive for an earlier attempt although the newest one has failed.
  if (session.paymentStatus === 'failed') moveCheckoutPaymentStatus(session, 'requires_payment_method')
  if (session.paymentStatus !== 'processing') moveCheckoutPaymentStatus(session, 'processing')
  moveCheckoutPaymentStatus(session, 'succeeded')
  session.paymentId = payment.id
  session.corridor = payment.corridor
  session.billingCurrency = payment.currency
  session.rate = payment.rate
  session.quotedAmount = payment.feePreference === 'customer_pays' ? payment.settles : payment.amount
  session.quotedFee = payment.fee
  if (session.selection && payment.lineItems) pick(session, payment.lineItems)
  await supersede(em, session, payment.id, at)
  await completeSession(em, session, at)
  payment.customerId = session.customerId
  payment.customerDetails = session.customerDetails
}

/**
 * Ends a session whose payment link sold out while this buyer was paying, or whose invoice is paid or void by then. Its
 * money is treated as late money, unless it goes back as a duplicate.
 */
async function endUnsold(em: EntityManager, session: Checkout, payment: Payment, at: number): Promise<void> {
  await endSession(em, session, 'cancelled', at)
  payment.late = !payment.duplicate
}

/**
 * Ends an open session as completed. A free session has no payment; a session that saves a card always has a customer.
 * Returns whether the customer is known to be the buyer: the merchant named them, or they are new. A customer who was
 * found by the email that the buyer typed may be somebody else, so the session goes on showing only what was typed.
 */
export async function completeSession(em: EntityManager, session: Checkout, at: number): Promise<boolean> {
  moveSession(session, 'completed')
  session.completedAt = session.updatedAt = new Date(at)
  if (session.customerId) return true
  const makesCustomer = session.customerCreation === 'always' || session.setup
  if (!makesCustomer || !session.customerDetails) return false
  const typed = session.customerDetails
  const { customer, change } = await saveCustomer(em, session, typed, 'buyer', at)
  session.customerId = customer.id
  if (customer.name !== typed.name) session.customerDetails = { ...typed, record_name: customer.name }
  if (change) {
    const event = { type: change, resourceId: customer.id, data: presentCustomer(customer) }
    await recordEvent(em, session, event, at, await otherClockOf(em, customer))
  }
  return change === 'customer.created'
}

/** `checkout.completed`, the last event of a sale; `paymentId` is null for a free one. */
export async function recordCompletion(em: EntityManager, session: Checkout, paymentId: string | null, at: number) {
  const data = checkoutCompleted(session, paymentId, new Date(at))
  await recordEvent(em, session, { type: 'checkout.completed', resourceId: session.id, data }, at)
}
