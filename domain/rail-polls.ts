const minute = 60_000

/**
 * The schedule by which every rail that has not answered is asked again, in milliseconds: after 5 minutes, after an
 * hour, and then daily. Sales, refunds, conversions and deposits count each pause from the question before it
 * (`railPolls`). Payouts count from the order (`nextPollAt`), because staff read when a payout counts as stuck.
 */
export const firstPollsMs = [5 * minute, 60 * minute]
export const dailyPollMs = 24 * 60 * minute

/**
 * When a rail is asked next, in milliseconds since the epoch. The result is the same however often the process is
 * started again.
 */
export function nextPollAt(orderedAt: number, now: number): number {
  const early = firstPollsMs.map((after) => orderedAt + after).find((moment) => moment > now)
  if (early !== undefined) return early
  const last = orderedAt + Math.max(...firstPollsMs)
  return last + (Math.floor((now - last) / dailyPollMs) + 1) * dailyPollMs
}
