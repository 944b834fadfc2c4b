import { stopCharging } from '../../commands/subscription/collection-state.ts'
import { collect, endUnpaid } from '../../commands/subscription/dunning.ts'
import { endSubscription } from '../../commands/subscription/end-subscription.ts'
import { findAhead, hasPaidAhead, openInvoice, takeBackAhead } from '../../commands/subscription/invoice.ts'
import { mailCustomer, recordSubscription, touchSubscription } from '../../commands/subscription/touch.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { readSettings } from '../../db/platform/account-settings.ts'
import { type Invoice, openInvoicesOf } from '../../db/subscription/invoice.ts'
import type { Subscription } from '../../db/subscription/subscription.ts'
import type { LineItem } from '../../domain/checkout/line-item.ts'
import { planLine } from '../../domain/subscription/invoice.ts'
import type { SubscriptionStep } from '../../domain/subscription/next-step.ts'
import { boundaryAt, type Period, periodIndexOf, type Rhythm } from '../../domain/subscription/period.ts'
import { isSameRhythm, moveSubscription } from '../../domain/subscription/subscription.ts'

type Step = (em: EntityManager, subscription: Subscription, at: number) => Promise<void>

/** What a subscription does by itself, each in a transaction that has locked it; `at` in ms since the epoch. */
export const steps: Record<SubscriptionStep, Step> = {
  async trial_reminder(em, subscription, at) {
    subscription.remindsAt = null
    // After an outage that has lasted beyond its end, there is nothing left to announce: the charge comes next.
    if (subscription.currentPeriodEnd.getTime() <= at) return touchSubscription(subscription, at)
    await recordSubscription(em, subscription, 'customer.subscription.trial_will_end', at)
    mailCustomer(em, subscription, 'trial_ending', null, at)
  },
  async dunning_end(em, subscription, at) {
    if (!subscription.chargeDueAt && !subscription.paymentId) return endUnpaid(em, subscription, at)
    // A charge that somebody has asked for is not decided yet: it is the last one.
    subscription.dunningEndsAt = null
    subscription.scheduledAttempts = (await readSettings(em, subscription)).dunning.length
    touchSubscription(subscription, at)
  },
  period_end: endPeriod,
  resumption: (em, subscription, at) => resume(em, subscription, at, subscription.resumesAt?.getTime()),
  async invoice_opening(em, subscription, at) {
    const { lineItems } = planAfter(subscription)
    const period = periodAfter(subscription)
    const invoice = await openPeriod(em, subscription, { lineItems, period, dueAt: period.start }, at)
    if (invoice.status === 'open') mailCustomer(em, subscription, 'invoice', invoice.id, at)
    touchSubscription(subscription, at)
  },
  async payment_attempt(em, subscription, at) {
    await collect(em, subscription, at)
    touchSubscription(subscription, at)
  },
}

/** Ends, pauses or renews a subscription at the end of its period, as was asked for. */
async function endPeriod(em: EntityManager, subscription: Subscription, at: number): Promise<void> {
  const boundary = subscription.currentPeriodEnd
  const isPaidAhead = await hasPaidAhead(em, subscription)
  if (subscription.cancelAtPeriodEnd && !isPaidAhead) {
    const cancellation = subscription.cancellation ?? { reason: null, comment: null, by: 'merchant' as const }
    return endSubscription(em, subscription, { cancellation, endedAt: boundary.getTime() }, at)
  }
  if (subscription.pauseAtPeriodEnd && !isPaidAhead) {
    await takeBackAhead(em, subscription, at)
    return pause(em, subscription, at)
  }
  const invoice = await beginPeriod(em, subscription, periodAfter(subscription), at)
  await collectFor(em, subscription, invoice, at)
}

/** Begins a period by the plan that applies then. Returns its invoice, which may have been opened ahead. */
async function beginPeriod(em: EntityManager, subscription: Subscription, period: Period, at: number) {
  const plan = planAfter(subscription)
  const { lineItems, amount, rhythm } = plan
  if (!isSameRhythm(rhythm, rhythmOf(subscription))) subscription.anchor = new Date(period.start)
  Object.assign(subscription, { lineItems, amount, interval: rhythm.interval, intervalCount: rhythm.interval_count })
  subscription.pendingPlan = null
  subscription.currentPeriodStart = new Date(period.start)
  subscription.currentPeriodEnd = new Date(period.end)
  subscription.chargedAmount = amount
  subscription.chargedFrom = subscription.currentPeriodStart
  if (subscription.status === 'trialing') moveSubscription(subscription, 'active')
  const ahead = await findAhead(em, subscription, subscription.currentPeriodStart)
  if (ahead?.status === 'void') subscription.chargedAmount = '0'
  return ahead ?? openPeriod(em, subscription, { lineItems, period, dueAt: period.start }, at)
}

/** Has the invoice of a new period paid. One that is paid already, or costs nothing, renews the subscription. */
async function collectFor(em: EntityManager, subscription: Subscription, invoice: Invoice, at: number): Promise<void> {
  if (invoice.status !== 'open') return recordSubscription(em, subscription, 'customer.subscription.renewed', at)
  if (subscription.status !== 'past_due') await collect(em, subscription, at)
  touchSubscription(subscription, at)
}

type Opened = { lineItems: LineItem[]; period: Period; dueAt: number }

async function openPeriod(
  em: EntityManager,
  subscription: Subscription,
  { lineItems, period, dueAt }: Opened,
  at: number,
): Promise<Invoice> {
  const lines = lineItems.map((item) => planLine(item, period))
  const invoice = await openInvoice(em, subscription, { reason: 'subscription_cycle', lines, period, dueAt }, at)
  subscription.invoicedUntil = new Date(period.end)
  return invoice
}

const rhythmOf = ({ interval, intervalCount }: Subscription): Rhythm => ({ interval, interval_count: intervalCount })

/** What the next period costs, and how long it is: the plan that was put off until then, or the same as now. */
function planAfter(subscription: Subscription) {
  const { pendingPlan, lineItems, amount } = subscription
  if (!pendingPlan) return { lineItems, amount, rhythm: rhythmOf(subscription) }
  const { interval, intervalCount } = pendingPlan
  const rhythm = { interval, interval_count: intervalCount }
  return { lineItems: pendingPlan.lineItems, amount: pendingPlan.amount, rhythm }
}

/** The period that follows the current one: another rhythm counts its boundaries from there. */
function periodAfter(subscription: Subscription): Period {
  const start = subscription.currentPeriodEnd.getTime()
  const { rhythm } = planAfter(subscription)
  const anchor = isSameRhythm(rhythm, rhythmOf(subscription)) ? subscription.anchor.getTime() : start
  return { start, end: boundaryAt(anchor, rhythm, periodIndexOf(anchor, rhythm, start) + 1) }
}

/** Pauses a subscription: nothing is charged, and no period begins, until it is resumed. */
export async function pause(em: EntityManager, subscription: Subscription, at: number): Promise<void> {
  moveSubscription(subscription, 'paused')
  stopCharging(subscription)
  subscription.pauseAtPeriodEnd = false
  await recordSubscription(em, subscription, 'customer.subscription.paused', at)
}

/**
 * Resumes a paused subscription. A period that still ran at `from` goes on; otherwise a new one begins then. `from` is
 * earlier than `at` where this is done late, after an outage. What was not paid before is charged.
 */
export async function resume(em: EntityManager, subscription: Subscription, at: number, from = at): Promise<void> {
  const { currentPeriodEnd, trialEnd } = subscription
  const [unpaid] = await openInvoicesOf(em, subscription.id)
  const isRunning = from < currentPeriodEnd.getTime()
  const isTrial = isRunning && trialEnd !== null && trialEnd.getTime() === currentPeriodEnd.getTime()
  subscription.resumesAt = null
  // Past due only if that was told before the pause. Otherwise it is told if the charge of this moment fails.
  if (unpaid && subscription.pastDueAt) moveSubscription(subscription, 'past_due')
  else moveSubscription(subscription, isTrial ? 'trialing' : 'active')
  if (!unpaid) subscription.pastDueAt = null
  // The period that was to follow never begins: what its invoice has used is there again for this one.
  if (!isRunning) await takeBackAhead(em, subscription, at)
  const invoice = isRunning ? null : await beginAnew(em, subscription, from, at)
  await recordSubscription(em, subscription, 'customer.subscription.resumed', at)
  if (invoice) await collectFor(em, subscription, invoice, at)
  if (unpaid) await collect(em, subscription, at)
  touchSubscription(subscription, at)
}

/** Begins a period at `start`, from which the boundaries of the next ones are counted. */
function beginAnew(em: EntityManager, subscription: Subscription, start: number, at: number): Promise<Invoice> {
  const { rhythm } = planAfter(subscription)
  subscription.anchor = new Date(start)
  return beginPeriod(em, subscription, { start, end: boundaryAt(start, rhythm, 1) }, at)
}
