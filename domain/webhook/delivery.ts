/**
 * Milliseconds after each failure until the next attempt (docs/contract/webhook.md, "Retries"): attempts 2, 3, 4 and 5.
 */
export const retryDelaysMs = [60_000, 300_000, 900_000, 3_600_000] as const

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'skipped'] as const
/** Why a delivery was made: the event itself, a merchant's resend, a recovery, or a test event. */
export const deliveryTriggers = ['automatic', 'manual', 'recovery', 'test'] as const
export type DeliveryTrigger = (typeof deliveryTriggers)[number]

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

const retryAfterMaxMs = 24 * 3_600_000

/** The three forms of a date that HTTP knows (RFC 9110, 5.6.7); the last one has no zone, and all of them mean UTC. */
const httpDates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

/**
 * How long a receiver's `Retry-After` asks to wait, in milliseconds from `at`. It is either a number of seconds or a
 * date by the sender's clock. Null for anything else; negative for a date in the past.
 */
export function retryAfterMs(retryAfter: string | null, at: number): number | null {
  if (retryAfter === null) return null
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1000
  if (!httpDates.some((form) => form.test(retryAfter))) return null
  const moment = Date.parse(retryAfter.endsWith('GMT') ? retryAfter : `${retryAfter} GMT`)
  return Number.isNaN(moment) ? null : moment - at
}

/**
 * Milliseconds from the failure of an attempt (1..5) to the next one, or null when there are no more attempts. It is
 * the interface's delay and up to a tenth more, by `chance` (0..1), so that deliveries that failed together are not
 * repeated together. It is longer where the receiver asks for that, up to a day.
 */
export function delayAfterAttempt(attempt: number, chance: number, requestedMs: number | null): number | null {
  const delay = retryDelaysMs[attempt - 1]
  if (delay === undefined) return null
  return Math.max(Math.round(delay * (1 + chance / 10)), Math.min(requestedMs ?? 0, retryAfterMaxMs))
}
