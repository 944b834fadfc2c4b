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
import { movePaymentStatus, moveSession } from '../../domain/checkout/checkout.ts'
import { collectionSucceeded } from '../../schemas/checkout/collection-event.ts'
import { checkoutCompleted } from '../../schemas/checkout/event.ts'
import { presentCustomer } from '../../schemas/customer.ts'
import { endSession, supersede } from './end.ts'
import { pick } from './session.ts'
import { isPaid, refundLatePayment } from './unwanted-payment.ts'

/**
 * The full amount has arrived: the money is settled, and an open session completes. Late money and duplicate payments
 * are settled too, and are refunded afterwards where the rules say so. A sale that late money has paid needs no more.
 */
export async function succeedPayment(
  em: EntityManager,
  session: Checkout,
  payment: Payment,
  deposited: boolean,
  at: number,
): Promise<void> {
  const moment = new Date(at)
  const verdict = session.invoiceId ? await judgePayment(em, payment) : null
  // Of an invoice the verdict says whether it is paid.
  const isOver =
    session.status === 'completed' || (session.status !== 'open' && !verdict && (await isPaid(em, session)))
  payment.duplicate = isOver || verdict === 'duplicate'
  if (payment.duplicate) payment.late = false // it goes back whatever the account does with late money
  await settlePayment(em, payment, deposited, at)
  const wasOpen = session.status === 'open'
  const completes = wasOpen && (await countCompletion(em, session))
  if (completes) await complete(em, session, payment, at)
  else if (wasOpen) await endSoldOut(em, session, payment, at)
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

/** Completes the session. The customer's record is written first, so that every later event can name the customer. */
async function complete(em: EntityManager, session: Checkout, payment: Payment, at: number): Promise<void> {
  // A transfer may arrive for an earlier attempt although the newest one has failed.
  if (session.paymentStatus === 'failed') movePaymentStatus(session, 'requires_payment_method')
  if (session.paymentStatus !== 'processing') movePaymentStatus(session, 'processing')
  movePaymentStatus(session, 'succeeded')
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

/** Ends a session whose payment link sold out while this buyer was paying. Its money is treated as late money. */
async function endSoldOut(em: EntityManager, session: Checkout, payment: Payment, at: number): Promise<void> {
  await endSession(em, session, 'cancelled', at)
  payment.late = true
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
  if (change)
    await recordEvent(em, session, { type: change, resourceId: customer.id, data: presentCustomer(customer) }, at)
  return change === 'customer.created'
}

/** `checkout.completed`, the last event of a sale; `paymentId` is null for a free one. */
export async function recordCompletion(em: EntityManager, session: Checkout, paymentId: string | null, at: number) {
  const data = checkoutCompleted(session, paymentId, new Date(at))
  await recordEvent(em, session, { type: 'checkout.completed', resourceId: session.id, data }, at)
}
