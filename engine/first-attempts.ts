import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../db/core/database.ts'
import type { WebhookDeliveryActivities } from '../activities/webhook/delivery.ts'
import type { DispatchBatch, PendingDispatch } from './fair-queue.ts'
import type { Logger } from './logger.ts'
import { keepOutboxRow, postponeOutboxRow } from './outbox-claim.ts'

/**
 * Makes the first attempt of a delivery, if its receiver is likely to answer at once. Returns true when the delivery
 * has ended; false when it has to wait for something, which its process does.
 */
export type FirstAttempt = (deliveryId: string, traceparent?: string) => Promise<boolean>

/**
 * The outcome of a first attempt. `slow`: it still runs. `postponed`: it could not be made, and a sweep takes the row.
 */
type Outcome = 'ended' | 'waits' | 'postponed' | 'slow'

/** How long others wait for the answer to an attempt. */
const slowMs = 250

/** Whether a row is that of a new delivery. A delivery that is begun anew continues in its process instead. */
export const isNewDelivery = ({ process, signal, anew }: PendingDispatch): boolean =>
  process === 'webhook-delivery' && signal === null && !anew

/** First attempts by the step of the delivery's own process, so that both make them in the same way. */
export const firstAttemptBy =
  ({ attemptDelivery }: Pick<WebhookDeliveryActivities, 'attemptDelivery'>): FirstAttempt =>
  async (deliveryId) =>
    (await attemptDelivery(deliveryId, 1, 0, true, false)).status !== 'pending'

type Parts = { database: Database; logger: Logger; attempt: FirstAttempt }

/**
 * First attempts of deliveries, made by the relay itself: a receiver that answers, the common case, costs no process
 * (decision 0080). The outbox row stands until the attempt is recorded, so an attempt that dies with this worker is
 * made again by another one.
 */
export function createFirstAttempts({ database, logger, attempt }: Parts) {
  const slow = new Set<Promise<void>>()

  async function attemptFirst({ rows: [row] }: DispatchBatch): Promise<Exclude<Outcome, 'slow'>> {
    try {
      return (await attempt(row.resourceId, row.about.trace)) ? 'ended' : 'waits'
    } catch (error) {
      logger.warn({ err: error, resourceId: row.resourceId }, 'a first attempt could not be made yet')
      await postponeOutboxRow(database, row, error)
      return 'postponed'
    }
  }

  return {
    /**
     * Makes the attempt of a batch's first row. A slow attempt keeps its row: a batch is ours for longer than the time
     * after which an attempt is slow. `later` then gets the outcome once the attempt has ended.
     */
    async make(batch: DispatchBatch, later: (outcome: Outcome) => Promise<void>): Promise<Outcome> {
      const made = attemptFirst(batch)
      const soon = new AbortController()
      const outcome = await Promise.race([made, pause(slowMs, 'slow' as const, { signal: soon.signal })])
      soon.abort()
      if (outcome !== 'slow') return outcome
      const kept = keepOutboxRow(database, batch.rows[0])
      const ending = kept
        .then(() => made)
        .then(later)
        .finally(() => slow.delete(ending))
      slow.add(ending)
      await kept
      return outcome
    },
    /** Waits for the slow attempts. */
    async finished(): Promise<void> {
      await Promise.all(slow)
    },
  }
}
