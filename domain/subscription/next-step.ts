import { dayMs, minuteMs } from '../duration.ts'
import { openedAheadMs } from './invoice.ts'
import type { Collection, SubscriptionStatus } from './subscription.ts'

/**
 * What a subscription does next by itself. `period_end`: it renews, or ends, or pauses, as was asked. `dunning_end`: it
 * ends, as its card was declined for good. Of two that are due at one moment the first of this list is done first: an
 * end comes before a charge.
 */
export const subscriptionSteps = [
  'trial_reminder',
  'dunning_end',
  'period_end',
  'resumption',
  'invoice_opening',
  'payment_attempt',
] as const
export type SubscriptionStep = (typeof subscriptionSteps)[number]

/** What of a subscription decides when it does something next. */
export type SubscriptionTimes = {
  status: SubscriptionStatus
  collection: Collection
  currentPeriodStart: Date
  currentPeriodEnd: Date
  /** When the end of the trial is announced; null once it was, and without a trial. */
  remindsAt: Date | null
  cancelAtPeriodEnd: boolean
  pauseAtPeriodEnd: boolean
  resumesAt: Date | null
  nextPaymentAttemptAt: Date | null
  dunningEndsAt: Date | null
  /** The end of the last period for which there is an invoice, or that needs none. */
  invoicedUntil: Date
}

/** How long before the end of a trial it is announced (docs/contract/subscription.md, "Trials"). */
export const reminderAheadMs = 3 * dayMs

/** What a subscription does next, and when (ms since the epoch); null: nothing, until somebody asks for something. */
export type NextStep = { step: SubscriptionStep; at: number }

/**
 * The next step of a subscription. `spreadMs` delays a renewal that charges a card, so that those of one instant do not
 * all reach the rail at once; the boundaries of periods stay exact.
 */
export function nextStepOf(standing: SubscriptionTimes, spreadMs: number): NextStep | null {
  const moments = momentsOf(standing, spreadMs)
  return subscriptionSteps.reduce<NextStep | null>((first, step) => {
    const at = moments[step]
    return at === null || (first && first.at <= at) ? first : { step, at }
  }, null)
}

function momentsOf(standing: SubscriptionTimes, spreadMs: number): Record<SubscriptionStep, number | null> {
  const { status, collection, currentPeriodStart, currentPeriodEnd, invoicedUntil } = standing
  const end = currentPeriodEnd.getTime()
  const [isPaused, isOver] = [status === 'paused', status === 'canceled']
  const goesOn = !standing.cancelAtPeriodEnd && !standing.pauseAtPeriodEnd
  const runs = !isPaused && !isOver
  const isDunned = status === 'past_due'
  const opensAhead = runs && goesOn && collection === 'invoice' && invoicedUntil.getTime() <= end
  return {
    trial_reminder: status === 'trialing' ? (standing.remindsAt?.getTime() ?? null) : null,
    dunning_end: isDunned ? (standing.dunningEndsAt?.getTime() ?? null) : null,
    period_end: runs ? end + (goesOn ? spreadMs : 0) : null,
    resumption: isPaused ? (standing.resumesAt?.getTime() ?? null) : null,
    invoice_opening: opensAhead ? opensNextAt(currentPeriodStart.getTime(), end) : null,
    payment_attempt: isDunned ? (standing.nextPaymentAttemptAt?.getTime() ?? null) : null,
  }
}

/**
 * When the invoice for the next period is opened: 3 days ahead. From then on the plan cannot be changed, so the first
 * day of the current period is left, or half of it where it is shorter than two days.
 */
const opensNextAt = (start: number, end: number): number =>
  Math.max(end - openedAheadMs, start + Math.min(dayMs, Math.ceil((end - start) / 2)))

/** The length of the span over which the renewals of one instant are spread, in milliseconds. */
const spanMs = minuteMs

/** A delay below a minute, always the same for an id, and spread evenly over the ids. */
export function spreadOf(id: string): number {
  let hash = 0
  for (const letter of id) hash = (Math.imul(hash, 31) + (letter.codePointAt(0) ?? 0)) >>> 0
  return hash % spanMs
}
