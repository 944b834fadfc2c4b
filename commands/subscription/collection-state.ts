import type { Subscription } from '../../db/subscription/subscription.ts'
import { moveSubscription } from '../../domain/subscription/subscription.ts'

/** Nothing is charged until something else asks for it. A charge that a rail works on is not stopped. */
export function stopCharging(subscription: Subscription): void {
  subscription.chargeDueAt = null
  subscription.nextPaymentAttemptAt = null
  subscription.dunningEndsAt = null
}

/**
 * Has the oldest open invoice charged to the subscription's card, in the next step of its process, because somebody has
 * asked for it or named the card. What the schedule of dunning does next stays as it is (decision 0097).
 */
export function requestCharge(subscription: Subscription, at: number): void {
  subscription.chargeDueAt = new Date(at)
}

/** The attempts that failed do not count for the next invoice. */
export function forgetAttempts(subscription: Subscription): void {
  subscription.attemptCount = 0
  subscription.scheduledAttempts = null
}

/** Nothing is owed any more: the subscription is active, and the attempts that failed do not count for the next one. */
export function settleDebt(subscription: Subscription): void {
  moveSubscription(subscription, 'active')
  stopCharging(subscription)
  subscription.pastDueAt = null
  forgetAttempts(subscription)
}
