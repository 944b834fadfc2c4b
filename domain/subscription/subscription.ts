import type { Recurrence } from '../catalogue/product.ts'
import type { Currency } from '../currency.ts'
import { type LineItem, totalOf } from '../checkout/line-item.ts'
import { type Amount, format } from '../money.ts'
import { assertMove, type Moves } from '../move.ts'
import type { Rhythm } from './period.ts'

export const subscriptionStatuses = ['trialing', 'active', 'past_due', 'paused', 'canceled'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/**
 * Every legal move of a subscription (docs/contract/subscription.md, "Subscription"). `canceled` is left only where
 * money arrives for a period that still runs, after failed payments had ended the subscription (decision 0040).
 */
export const subscriptionMoves: Moves<SubscriptionStatus> = {
  trialing: ['active', 'past_due', 'paused', 'canceled'],
  active: ['past_due', 'paused', 'canceled'],
  past_due: ['active', 'paused', 'canceled'],
  paused: ['trialing', 'active', 'past_due', 'canceled'],
  canceled: ['active'],
}

/** Moves a subscription on. */
export function moveSubscription(subscription: { status: SubscriptionStatus }, to: SubscriptionStatus): void {
  assertMove('subscription', subscriptionMoves, subscription.status, to)
  subscription.status = to
}

/** How a subscription is paid: its card is charged, or its customer pays an invoice. */
export const collections = ['automatic', 'invoice'] as const
export type Collection = (typeof collections)[number]

/** Who ended a subscription; `service`: its payments had failed for too long. */
export const cancellers = ['merchant', 'customer', 'service'] as const
export type Canceller = (typeof cancellers)[number]
export type Cancellation = { reason: string | null; comment: string | null; by: Canceller }

/**
 * A cancellation as it is stored. `asked`: what somebody had asked for before the service ended the subscription. It
 * stands if late money revives it (decision 0040).
 */
export type StoredCancellation = Cancellation & { asked?: Cancellation | null }

/** What is paid for in each period, and how long a period is. */
export type Plan = { lineItems: LineItem[]; amount: Amount; currency: Currency; rhythm: Rhythm }

/** A plan of these items, which are all paid together. */
export const planOf = (lineItems: LineItem[], currency: Currency, { interval, interval_count }: Recurrence): Plan => ({
  lineItems,
  amount: format(totalOf(lineItems), currency),
  currency,
  rhythm: { interval, interval_count },
})

export const isSameRhythm = (one: Rhythm, other: Rhythm): boolean =>
  one.interval === other.interval && one.interval_count === other.interval_count
