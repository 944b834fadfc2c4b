import { hourMs, minuteMs } from '../duration.ts'

/**
 * Milliseconds after each failure until the next attempt (docs/contract/webhook.md, "Retries"): attempts 2, 3, 4 and 5.
 */
export const retryDelaysMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs] as const

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'skipped'] as const
/** Why a delivery was made: the event itself, a merchant's resend, a recovery, or a test event. */
export const deliveryTriggers = ['automatic', 'manual', 'recovery', 'test'] as const
export type DeliveryTrigger = (typeof deliveryTriggers)[number]

/** So many of its newest deliveries are shown with an event, as it may be sent again any number of times. */
export const shownDeliveriesMax = 100

export type DeliveryStatus = (typeof deliveryStatuses)[number]

type Ending = {
  status: DeliveryStatus
  nextAttemptAt: Date | null
  completedAt: Date | null
  onHoldSince?: Date | null | undefined
}

/** Ends a delivery. What has ended has no next attempt and is not on hold. `at` is in milliseconds since the epoch. */
export function endDelivery(delivery: Ending, status: Exclude<DeliveryStatus, 'pending'>, at: number): void {
  Object.assign(delivery, { status, nextAttemptAt: null, completedAt: new Date(at), onHoldSince: null })
}

/**
 * Milliseconds from the failure of an attempt (1..5) to the next one, or null when there are no more attempts. It is
 * the interface's delay and up to a tenth more, by `chance` (0..1), so that deliveries that failed together are not
 * repeated together. A receiver cannot lengthen it: the interface fixes it.
 */
export function delayAfterAttempt(attempt: number, chance: number): number | null {
  const delay = retryDelaysMs[attempt - 1]
  return delay === undefined ? null : Math.round(delay * (1 + chance / 10))
}
