const minute = 60_000

/** A rail that has not answered is asked this long after it was given the order, in milliseconds, and then daily. */
export const firstPollsMs = [5 * minute, 60 * minute]
export const dailyPollMs = 24 * 60 * minute

/**
 * When a rail that has not answered is asked next, in milliseconds since the epoch. It goes by the moment at which the
 * rail was given the order, so that it is the same however often the process starts anew.
 */
export function nextPollAt(orderedAt: number, now: number): number {
  const early = firstPollsMs.map((after) => orderedAt + after).find((moment) => moment > now)
  if (early !== undefined) return early
  const last = orderedAt + Math.max(...firstPollsMs)
  return last + (Math.floor((now - last) / dailyPollMs) + 1) * dailyPollMs
}
