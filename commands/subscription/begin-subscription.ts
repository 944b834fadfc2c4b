import type { Checkout } from '../../db/checkout/checkout.ts'
import type { Payment } from '../../db/checkout/payment.ts'
import { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import { clockOf, type EntityManager } from '../../db/core/database.ts'
import { startProcess } from '../../db/core/start-process.ts'
import { Subscription } from '../../db/subscription/subscription.ts'
import type { Recurrence } from '../../domain/catalogue/product.ts'
import type { LineItem } from '../../domain/checkout/line-item.ts'
import { collectionOf } from '../../domain/checkout/saved-card.ts'
import { dayMs } from '../../domain/duration.ts'
import { newId } from '../../domain/id.ts'
import { noFunding } from '../../domain/subscription/funding.ts'
import { planLine } from '../../domain/subscription/invoice.ts'
import { mergeSubscriptionMetadata } from '../../domain/subscription/metadata.ts'
import { reminderAheadMs } from '../../domain/subscription/next-step.ts'
import { boundaryAt } from '../../domain/subscription/period.ts'
import { aboutSubscription } from '../../domain/subscription/process.ts'
import { planOf } from '../../domain/subscription/subscription.ts'
import { openInvoice, recordPaid } from './invoice.ts'
import { mailCustomer, recordSubscription, touchSubscription } from './touch.ts'

/** The times of a new subscription. With a trial the first period is the trial, and it needs no invoice. */
function timesOf(terms: Recurrence, at: number) {
  const start = new Date(at)
  const trialEnd = terms.trial_days > 0 ? new Date(at + terms.trial_days * dayMs) : null
  const end = trialEnd ?? new Date(boundaryAt(at, terms, 1))
  return {
    anchor: trialEnd ?? start,
    currentPeriodStart: start,
    currentPeriodEnd: end,
    trialStart: trialEnd && start,
    trialEnd,
    remindsAt: trialEnd && new Date(Math.max(at, trialEnd.getTime() - reminderAheadMs)),
    chargedFrom: start,
    invoicedUntil: end,
    createdAt: start,
    updatedAt: start,
  }
}

/**
 * Begins the subscription that a completed checkout has sold, in the same commit: with its first invoice, which the
 * checkout's payment has paid, or with a trial. `payment` is null in a trial and where nothing is charged.
 */
export async function beginSubscription(
  em: EntityManager,
  session: Checkout,
  payment: Payment | null,
  at: number,
): Promise<void> {
  const { recurring: terms, lineItems, customerId, corridor, accountId, environment } = session
  if (!terms || !lineItems || !customerId) throw new Error(`${session.id} sells no subscription`)
  const times = timesOf(terms, at)
  const { trialEnd, currentPeriodEnd } = times
  const plan = planOf(lineItems, session.currency, terms)
  const paymentMethodId = await savedBy(em, session)
  const subscription = em.create(Subscription, {
    id: newId('sub', at),
    accountId,
    environment,
    clockId: clockOf(em)?.id ?? null,
    status: trialEnd ? 'trialing' : 'active',
    customerId,
    lineItems: plan.lineItems,
    amount: plan.amount,
    currency: plan.currency,
    interval: terms.interval,
    intervalCount: terms.interval_count,
    trialDays: terms.trial_days,
    collection: collectionOf(corridor, paymentMethodId !== null),
    feePreference: session.feePreference,
    ...times,
    withheld: {},
    funding: noFunding,
    resumesAt: null,
    canceledAt: null,
    endedAt: null,
    cancellation: null,
    pastDueAt: null,
    nextPaymentAttemptAt: null,
    dunningEndsAt: null,
    paymentMethodId,
    corridor,
    pendingPlan: null,
    chargedAmount: trialEnd ? '0' : plan.amount,
    latestInvoiceId: null,
    chargeDueAt: null,
    paymentId: null,
    checkoutId: session.id,
    metadata: mergeSubscriptionMetadata(session.metadata, session.subscriptionMetadata ?? {}, session.id),
    wakesAt: null,
    wakesFor: null,
  })
  session.subscriptionId = subscription.id
  session.nextChargeAt = currentPeriodEnd
  if (payment) payment.subscriptionId = subscription.id
  if (!trialEnd) await openFirstInvoice(em, subscription, lineItems, payment, at)
  touchSubscription(subscription, at)
  startProcess(em, 'subscription', subscription.id, aboutSubscription(subscription))
  await recordSubscription(em, subscription, 'customer.subscription.created', at)
}

async function openFirstInvoice(
  em: EntityManager,
  subscription: Subscription,
  lineItems: LineItem[],
  payment: Payment | null,
  at: number,
): Promise<void> {
  const period = { start: at, end: subscription.currentPeriodEnd.getTime() }
  const lines = lineItems.map((item) => planLine(item, period))
  const invoice = await openInvoice(em, subscription, { reason: 'subscription_create', lines, period, dueAt: at }, at)
  if (!payment) return
  payment.invoiceId = invoice.id
  await recordPaid(em, invoice, payment, at)
  invoice.appliedAt = new Date(at)
  mailCustomer(em, subscription, 'receipt', invoice.id, at)
}

/** The card that a session has saved; null where it has saved none. */
async function savedBy(em: EntityManager, { id }: Checkout): Promise<string | null> {
  return (await em.findOne(SavedPaymentMethod, { checkoutId: id }))?.id ?? null
}
