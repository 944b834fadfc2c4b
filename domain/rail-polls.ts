import { dayMs, hourMs, minuteMs } from './duration.ts'

/**
 * The schedule by which every rail that has not answered is asked again, in milliseconds from the order: after 5
 * minutes, after an hour, and then daily.
 */
const firstPollsMs = [5 * minuteMs, hourMs]

/**
 * When a rail is asked next, in milliseconds since the epoch. Payments, card setups, payouts and disputes count from a
 * time in their row, so the schedule stays the same if their process is started again. Refunds, conversions and
 * deposits count from the start of the run of their process.
 */
export function nextPollAt(orderedAt: number, now: number): number {
  const early = firstPollsMs.map((after) => orderedAt + after).find((moment) => moment > now)
  if (early !== undefined) return early
  const last = orderedAt + Math.max(...firstPollsMs)
  return last + (Math.floor((now - last) / dayMs) + 1) * dayMs
}

/** The same of a payout, whose rail may have said when it expects news. */
export const nextPayoutPollAt = (newsDueAt: number | null, orderedAt: number, now: number): number =>
  newsDueAt !== null && newsDueAt > now ? newsDueAt : nextPollAt(orderedAt, now)

/** A resource that waits for its rail: when the rail is asked next, and how often it has been asked so far. */
export type Polled = { nextPollAt?: Date | null | undefined; pollCount: number }

/** Notes that a rail gets an order: until it has answered, a question to it is due. `at` is in ms since the epoch. */
export function noteOrdered(polled: Polled, at: number): void {
  polled.pollCount += 1
  polled.nextPollAt = new Date(at)
}

/** Notes that a rail was asked and has not decided, and when it is asked again, in milliseconds since the epoch. */
export function noteAsked(polled: Polled, next: number): void {
  polled.pollCount += 1
  polled.nextPollAt = new Date(next)
}
