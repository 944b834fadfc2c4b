import { Payment } from '../../db/checkout/payment.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { readSettings } from '../../db/platform/account-settings.ts'
import { type Invoice, openInvoicesOf } from '../../db/subscription/invoice.ts'
import type { Subscription } from '../../db/subscription/subscription.ts'
import { type FailureCode, isShortPayment } from '../../domain/checkout/payment.ts'
import { hourMs } from '../../domain/duration.ts'
import { afterFailure } from '../../domain/subscription/dunning.ts'
import { moveSubscription } from '../../domain/subscription/subscription.ts'
import { requestCharge, stopCharging } from './collection-state.ts'
import { endSubscription } from './end-subscription.ts'
import { recordUnpaid, voidInvoice } from './invoice.ts'
import { recordSubscription, touchSubscription } from './touch.ts'

/**
 * Has the oldest open invoice paid: by a charge of the card in the process's next step. A customer who pays invoices
 * themselves is reminded, which counts as an attempt.
 */
export async function collect(em: EntityManager, subscription: Subscription, at: number): Promise<void> {
  stopCharging(subscription)
  const [invoice] = await openInvoicesOf(em, subscription.id)
  if (!invoice) return
  if (subscription.collection === 'automatic') subscription.chargeDueAt = new Date(at)
  else await failCollection(em, subscription, invoice, nothingToCharge, at)
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
  if (hasOtherCard(subscription, methodId)) requestCharge(subscription, at)
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
