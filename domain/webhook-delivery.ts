/** Milliseconds after each failure until the next attempt (interface, "Events"): attempts 2, 3, 4 and 5. */
export const retryDelaysMs = [60_000, 300_000, 900_000, 3_600_000] as const

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'skipped'] as const
/** Why it was made: the event itself, a merchant's resend, a recovery, or a test event. */
export const deliveryTriggers = ['automatic', 'manual', 'recovery', 'test'] as const
export type DeliveryTrigger = (typeof deliveryTriggers)[number]

export type DeliveryStatus = (typeof deliveryStatuses)[number]

const retryAfterMaxMs = 24 * 3_600_000

/**
 * Milliseconds from the failure of an attempt (1..5) to the next one, or null when delivery has stopped for good:
 * the interface's delay and up to a tenth more, by `chance` (0..1), so that what failed together does not come back
 * together; longer where the receiver asked for that, though never beyond a day.
 */
export function delayAfterAttempt(attempt: number, chance: number, retryAfterSeconds: number | null): number | null {
  const delay = retryDelaysMs[attempt - 1]
  if (delay === undefined) return null
  const asked = Math.min((retryAfterSeconds ?? 0) * 1000, retryAfterMaxMs)
  return Math.max(Math.round(delay * (1 + chance / 10)), asked)
}
