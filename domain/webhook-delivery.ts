/** Milliseconds after each failure until the next attempt (interface, "Events"): attempts 2, 3, 4 and 5. */
export const retryDelaysMs = [60_000, 300_000, 900_000, 3_600_000] as const

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'skipped'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** Milliseconds until the attempt after the given one (1..5), or null when delivery has stopped for good. */
export const delayAfterAttempt = (attempt: number): number | null => retryDelaysMs[attempt - 1] ?? null
