import { LockMode } from '@mikro-orm/core'
import type { Payment } from '../../db/checkout/payment.ts'
import { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import { type EntityManager, lock } from '../../db/core/database.ts'
import { signalProcess } from '../../db/core/start-process.ts'
import { readSettings } from '../../db/platform/account-settings.ts'
import { Invoice, openInvoicesOf } from '../../db/subscription/invoice.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import { Refusal } from '../../domain/refusal.ts'
import { aboutSubscription } from '../../domain/subscription/process.ts'
import { refundDuplicate, sendBack } from '../send-back.ts'
import { isPulledLate } from '../settle-payment.ts'
import { forgetAttempts, settleDebt, stopCharging } from './collection-state.ts'
import { recordPaid } from './invoice.ts'
import { mailCustomer, recordSubscription, touchSubscription } from './touch.ts'

/**
 * What becomes of money for an invoice: it pays it; it is a `duplicate` of a payment that has; or it is `late`, and
 * goes back as well.
 */
export type Verdict = 'pays' | 'duplicate' | 'late'

/**
 * Decides what becomes of money that has arrived for an invoice. An invoice is paid once. After the end of its
 * subscription the account's policy decides, and a card that was charged after somebody had ended it is always paid
 * back (decision 0040). Locks the subscription, so that the decision holds until the transaction ends.
 */
export async function judgePayment(em: EntityManager, payment: Payment): Promise<Verdict> {
  const { subscription, invoice } = await lockInvoiced(em, payment)
  if (invoice.status === 'paid') return 'duplicate'
  if (invoice.status === 'void') return 'late'
  if (subscription.status !== 'canceled') return 'pays'
  const wasPulled = payment.checkoutId === null
  if (wasPulled && subscription.cancellation?.by !== 'service') return 'late'
  const { latePaymentPolicy } = await readSettings(em, subscription)
  return latePaymentPolicy === 'accept' ? 'pays' : 'late'
}

/** Whether a payment that succeeded has paid its invoice, which never changes afterwards. */
export async function hasPaidInvoice(em: EntityManager, { id, invoiceId }: Payment): Promise<boolean> {
  return (await em.findOneOrFail(Invoice, { id: invoiceId ?? '' })).paymentId === id
}

/**
 * Refuses with `CONFLICT` to accept a short payment for an invoice that is paid, or that nobody has to pay any more.
 * Locks the subscription, so that this holds until the transaction ends.
 */
export async function assertUnpaid(em: EntityManager, payment: Payment): Promise<void> {
  const { status } = (await lockInvoiced(em, payment)).invoice
  if (status === 'paid' || status === 'void')
    throw new Refusal('CONFLICT', `its invoice is ${status}: this payment can only be refunded`)
}

async function lockInvoiced(em: EntityManager, { invoiceId }: Payment) {
  if (!invoiceId) throw new Error('the payment is for no invoice')
  const { subscriptionId } = await em.findOneOrFail(Invoice, { id: invoiceId })
  const subscription = await lock(em, Subscription, subscriptionId)
  return { subscription, invoice: await lock(em, Invoice, invoiceId) }
}

/**
 * Applies the verdict on a payment that was settled: the invoice is paid, or the money goes back. The subscription's
 * own process applies a paid invoice (`applyPaidInvoices`). Where a session has paid it, that process is signalled.
 */
export async function payInvoice(em: EntityManager, payment: Payment, verdict: Verdict, at: number): Promise<void> {
  if (verdict === 'duplicate') return refundDuplicate(em, payment, at)
  if (verdict === 'late') return sendBack(em, payment, { reason: 'late payment', isFree: isPulledLate(payment) }, at)
  const { subscription, invoice } = await lockInvoiced(em, payment)
  await recordPaid(em, invoice, payment, at)
  mailCustomer(em, subscription, 'receipt', invoice.id, at)
  if (payment.checkoutId === null) return
  signalProcess(em, 'subscription', subscription.id, aboutSubscription(subscription), 'invoicePaid', invoice.id)
}

/**
 * Applies the invoices of a subscription that were paid: its renewal is recorded as an event, the next open invoice is
 * charged, or the subscription is active again. Safe to repeat: each paid invoice is applied once.
 */
export async function applyPaidInvoices(em: EntityManager, subscription: Subscription, at: number): Promise<void> {
  await em.flush() // the query is answered from the database
  const paid = await em.find(
    Invoice,
    { subscriptionId: subscription.id, status: 'paid', appliedAt: null },
    { orderBy: { periodStart: 'asc', createdAt: 'asc', id: 'asc' } },
  )
  for (const invoice of paid) {
    invoice.appliedAt = new Date(at)
    await takeOverMethod(em, subscription, invoice)
    await applyPaidInvoice(em, subscription, invoice, at)
  }
}

/**
 * A card that was saved with the payment of an invoice is charged from now on. Who has no card, and has paid in another
 * way or by a card that was not saved, pays the next invoices themselves.
 */
async function takeOverMethod(em: EntityManager, subscription: Subscription, { paymentId }: Invoice): Promise<void> {
  const [row] = await em.execute<{ checkoutId: string | null; corridor: Payment['corridor'] }[]>(
    'select checkout_id as "checkoutId", corridor from payments where id = ?',
    [paymentId],
  )
  if (!row) return
  subscription.corridor = row.corridor
  // Locked, so that its customer cannot remove it meanwhile.
  const lockMode = LockMode.PESSIMISTIC_WRITE
  const saved = row.checkoutId
    ? await em.findOne(SavedPaymentMethod, { checkoutId: row.checkoutId, detachedAt: null }, { lockMode })
    : null
  if (saved) {
    subscription.paymentMethodId = saved.id
    subscription.collection = 'automatic'
  } else if (row.checkoutId && !(await hasCard(em, subscription))) {
    subscription.collection = 'invoice'
  }
}

/** Whether a subscription names a card that its customer has not removed. */
async function hasCard(em: EntityManager, { paymentMethodId: id }: Subscription): Promise<boolean> {
  return id !== null && (await em.findOne(SavedPaymentMethod, { id, detachedAt: null })) !== null
}

async function applyPaidInvoice(em: EntityManager, subscription: Subscription, invoice: Invoice, at: number) {
  const { status } = subscription
  // By the row and not by the time: a period that begins at this moment is told by the step that begins it.
  const hasBegun = invoice.periodStart < subscription.currentPeriodEnd
  const change = invoice.billingReason === 'subscription_cycle' ? 'renewed' : 'updated'
  if (status === 'canceled') {
    const revives = subscription.cancellation?.by === 'service' && at < invoice.periodEnd.getTime()
    if (!revives) return touchSubscription(subscription, at)
    revive(subscription)
    return recordSubscription(em, subscription, 'customer.subscription.renewed', at)
  }
  const [next] = await openInvoicesOf(em, subscription.id)
  const isNextDue = next !== undefined && next.dueAt.getTime() <= at && status !== 'paused'
  if (status === 'past_due' && !isNextDue) settleDebt(subscription)
  stopCharging(subscription)
  forgetAttempts(subscription)
  if (isNextDue) subscription.chargeDueAt = new Date(at)
  // One that is paid ahead renews at the end of the current period.
  if (hasBegun) await recordSubscription(em, subscription, `customer.subscription.${change}`, at)
  else touchSubscription(subscription, at)
}

/**
 * Continues a subscription that had ended because it was not paid: its period is paid after all. What somebody had
 * asked for the end of this period stands.
 */
function revive(subscription: Subscription): void {
  settleDebt(subscription)
  subscription.endedAt = null
  subscription.cancellation = subscription.cancellation?.asked ?? null
  if (!subscription.cancelAtPeriodEnd) subscription.canceledAt = null
}
