import { LockMode } from '@mikro-orm/core'
import { Payment } from '../../db/checkout/payment.ts'
import { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import { type EntityManager, lock } from '../../db/core/database.ts'
import { signalProcess } from '../../db/core/start-process.ts'
import { readSettings } from '../../db/platform/account-settings.ts'
import { Invoice, openInvoicesOf } from '../../db/subscription/invoice.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import { type FailureCode, isShortPayment } from '../../domain/checkout/payment.ts'
import { corridorOf } from '../../domain/corridor.ts'
import { hourMs } from '../../domain/duration.ts'
import { afterFailure } from '../../domain/subscription/dunning.ts'
import { Refusal } from '../../domain/refusal.ts'
import { aboutSubscription } from '../../domain/subscription/process.ts'
import { moveSubscription } from '../../domain/subscription/subscription.ts'
import { refundDuplicate, sendBack } from '../send-back.ts'
import { isPulledLate } from '../settle-payment.ts'
import { chargeNow, forgetAttempts, settleDebt, stopCharging } from './charging.ts'
import { endSubscription } from './end-subscription.ts'
import { recordPaid, recordUnpaid, voidInvoice } from './invoice.ts'
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
 * A card that was saved with the payment of an invoice is charged from now on. Who has paid in another way, and has no
 * card, pays the next invoices themselves.
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
  } else if (corridorOf(row.corridor).method !== 'card' && !(await hasCard(em, subscription))) {
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

/** Why an invoice could not be collected, and by which saved card; both are null where there was nothing to charge. */
export type FailedCollection = { failureCode: FailureCode | null; methodId: string | null }

export const nothingToCharge: FailedCollection = { failureCode: null, methodId: null }

/**
 * Records that an invoice could not be collected: it is tried again later, or the subscription ends. A card that was
 * named while another one was being charged is charged at once (docs/contract/subscription.md, "Dunning").
 */
export async function failCollection(
  em: EntityManager,
  subscription: Subscription,
  invoice: Invoice,
  { failureCode, methodId }: FailedCollection,
  at: number,
): Promise<void> {
  // It may have been paid or voided while its charge was under way: then a charge that is due is that of another one.
  if (subscription.status === 'canceled' || invoice.status !== 'open') return touchSubscription(subscription, at)
  subscription.chargeDueAt = null
  if (invoice.dueAt.getTime() > at) return failAhead(em, subscription, invoice, at)
  const isPaused = subscription.status === 'paused'
  const isOver = await scheduleNext(em, subscription, failureCode, at)
  await recordUnpaid(em, subscription, invoice, at)
  if (isPaused) return touchSubscription(subscription, at)
  const wasPastDue = subscription.status === 'past_due'
  if (!wasPastDue) {
    moveSubscription(subscription, 'past_due')
    subscription.pastDueAt = new Date(at)
  }
  if (hasOtherCard(subscription, methodId)) chargeNow(subscription, at)
  else if (isOver) return endUnpaid(em, subscription, at)
  if (wasPastDue) touchSubscription(subscription, at)
  else await recordSubscription(em, subscription, 'customer.subscription.past_due', at)
}

/** Records a failed charge of an invoice that is not due yet: nothing is owed, and it is charged once it is due. */
async function failAhead(em: EntityManager, subscription: Subscription, invoice: Invoice, at: number): Promise<void> {
  await recordUnpaid(em, subscription, invoice, at)
  touchSubscription(subscription, at)
}

/**
 * Counts a failed attempt, and works out what the schedule does next; nothing during a pause. Returns whether there is
 * no further attempt.
 */
async function scheduleNext(
  em: EntityManager,
  subscription: Subscription,
  failureCode: FailureCode | null,
  at: number,
): Promise<boolean> {
  const { dunning: pauses } = await readSettings(em, subscription)
  const { status, attemptCount, scheduledAttempts, nextPaymentAttemptAt, dunningEndsAt } = subscription
  const before = {
    attempts: scheduledAttempts ?? attemptCount,
    nextAttemptAt: nextPaymentAttemptAt?.getTime() ?? null,
    endsAt: dunningEndsAt?.getTime() ?? null,
  }
  const { attempts, nextAttemptAt, endsAt } = afterFailure(before, { failedAt: at, failureCode }, pauses)
  const isPaused = status === 'paused'
  subscription.attemptCount += 1
  subscription.scheduledAttempts = attempts
  subscription.nextPaymentAttemptAt = nextAttemptAt === null || isPaused ? null : new Date(nextAttemptAt)
  subscription.dunningEndsAt = endsAt === null || isPaused ? null : new Date(endsAt)
  return nextAttemptAt === null && endsAt === null
}

/** Whether another card was named while this one was being charged. */
const hasOtherCard = ({ paymentMethodId: named }: Subscription, charged: string | null): boolean =>
  named !== null && charged !== null && named !== charged

/** Ends a subscription whose invoices were not paid. */
export async function endUnpaid(em: EntityManager, subscription: Subscription, at: number): Promise<void> {
  await voidJustBegun(em, subscription, at)
  const asked = subscription.cancelAtPeriodEnd ? subscription.cancellation : null
  const cancellation = { reason: 'payment_failed', comment: null, by: 'service' as const, ...(asked && { asked }) }
  return endSubscription(em, subscription, { cancellation, endedAt: at }, at)
}

/**
 * Voids the invoice of a period that ends as it begins. The pauses between attempts are whole days, and so are many
 * periods: the last attempt is then due just after a period has begun, and after the time that earlier attempts took.
 * One that somebody is paying at the moment stays: its money would go back, less the fee of a refund.
 */
async function voidJustBegun(em: EntityManager, subscription: Subscription, at: number): Promise<void> {
  const { id, currentPeriodStart: start } = subscription
  if (at - start.getTime() > hourMs) return
  for (const invoice of await openInvoicesOf(em, id)) {
    const isOfIt = invoice.billingReason === 'subscription_cycle' && invoice.periodStart.getTime() === start.getTime()
    if (isOfIt && !(await isBeingPaid(em, invoice))) voidInvoice(subscription, invoice, at)
  }
}

async function isBeingPaid(em: EntityManager, { id: invoiceId }: Invoice): Promise<boolean> {
  await em.flush() // the payment that has just failed is one of them
  const status = { $in: ['processing', 'requires_action', 'underpaid'] as const }
  const payments = await em.find(Payment, { invoiceId, status })
  // A short payment whose money went back stays `underpaid`, and pays nothing any more.
  return payments.some((payment) => payment.status !== 'underpaid' || isShortPayment(payment))
}
