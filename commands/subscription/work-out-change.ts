import type { EntityManager } from '../../db/core/database.ts'
import { openInvoicesOf } from '../../db/subscription/invoice.ts'
import { readPaidBack } from '../../db/subscription/paid-back.ts'
import type { Subscription } from '../../db/subscription/subscription.ts'
import { isZero, lesser, subtract } from '../../domain/money.ts'
import { conflict, Refusal } from '../../domain/refusal.ts'
import {
  type Changed,
  type Changing,
  changePlan,
  dueNow,
  nextPeriodInvoiced,
  pausePlanned,
  type Proration,
} from '../../domain/subscription/plan-change.ts'
import { type Plan, planOf } from '../../domain/subscription/subscription.ts'
import { creditOf, type Standing } from './credit.ts'
import { findAhead } from './invoice.ts'

/**
 * What a change of plan books at a moment, for its preview and for the change itself. `before` is the credit that it
 * starts from, read once: a refund may be committed at any time. Refuses with `CONFLICT` where the subscription's state
 * does not allow the change.
 */
export async function workOutChange(
  em: EntityManager,
  subscription: Subscription,
  { plan, proration }: { plan: Plan; proration: Proration },
  at: number,
): Promise<{ before: Standing; changed: Changed }> {
  await assertPlanMayChange(em, subscription, proration)
  const before = await creditOf(em, subscription)
  const changed = changePlan(await changingOf(em, subscription, before, proration), plan, proration, at)
  assertPauseFits(subscription, changed.period.end)
  if (!isZero(dueNow(changed)) && subscription.collection === 'invoice')
    throw new Refusal('CONFLICT', 'the customer pays invoices themselves: change the plan with next_period or none')
  return { before, changed }
}

async function assertPlanMayChange(em: EntityManager, subscription: Subscription, proration: Proration): Promise<void> {
  assertNotOver(subscription)
  if (await findAhead(em, subscription, subscription.currentPeriodEnd))
    throw conflict(nextPeriodInvoiced, 'the next period is invoiced already: change the plan after it has begun')
  if (proration !== 'prorate') return
  assertNotCharging(subscription)
  const [unpaid] = await openInvoicesOf(em, subscription.id)
  if (unpaid) throw new Refusal('CONFLICT', 'an invoice is open: have it paid before the plan is prorated')
  if (subscription.status === 'paused') throw new Refusal('CONFLICT', 'the subscription is paused: resume it')
}

export function assertNotOver({ status }: Subscription): void {
  if (status === 'canceled') throw new Refusal('CONFLICT', 'the subscription is canceled')
}

/** Whether it is to pause at the end of its period. A cancellation for that moment comes first. */
export const isPausePlanned = ({ pauseAtPeriodEnd, cancelAtPeriodEnd }: Subscription): boolean =>
  pauseAtPeriodEnd && !cancelAtPeriodEnd

/** A period may not be prolonged beyond the moment at which its planned pause is over: the pause would be lost. */
export function assertPauseFits(subscription: Subscription, periodEnd: number): void {
  const { resumesAt, currentPeriodEnd } = subscription
  if (!isPausePlanned(subscription) || !resumesAt || periodEnd <= currentPeriodEnd.getTime()) return
  if (resumesAt.getTime() <= periodEnd)
    throw conflict(pausePlanned, 'the period would end after resumes_at of the planned pause: change the pause first')
}

export function assertNotCharging({ paymentId, chargeDueAt }: Subscription): void {
  if (paymentId || chargeDueAt) throw new Refusal('CONFLICT', 'a payment is being processed')
}

/** The part of a subscription that a change of its plan depends on. What was refunded is not given back once more. */
async function changingOf(
  em: EntityManager,
  row: Subscription,
  { credit, withheld, funding }: Standing,
  proration: Proration,
): Promise<Changing> {
  const { id, status, lineItems, currency, interval, intervalCount, trialDays, chargedFrom, currentPeriodEnd } = row
  const charge = { id, chargedFrom, currentPeriodEnd, withheld, funding }
  const nothing = { paid: [], returned: [], unpaid: '0' }
  const { paid, returned, unpaid } = proration === 'prorate' ? await readPaidBack(em, charge) : nothing
  return {
    status,
    plan: planOf(lineItems, currency, { interval, interval_count: intervalCount, trial_days: trialDays }),
    period: { start: row.currentPeriodStart.getTime(), end: row.currentPeriodEnd.getTime() },
    anchor: row.anchor.getTime(),
    charged: { amount: subtract(row.chargedAmount, lesser(unpaid, row.chargedAmount)), start: chargedFrom.getTime() },
    paid,
    returned,
    credit,
  }
}
