/** Waits until something holds, and answers how long that took in ms; throws when the limit is passed. */
export async function until(
  holds: () => Promise<boolean> | boolean,
  what: string,
  { withinMs = 30_000, everyMs = 50 } = {},
): Promise<number> {
  const startedAt = performance.now()
  while (!(await holds())) {
    if (performance.now() - startedAt > withinMs)
      throw new Error(`within ${withinMs / 1000} s it did not come about that ${what}`)
    await pause(everyMs)
  }
  return performance.now() - startedAt
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The value below which a share of the sorted numbers lies: 0.99 for the slowest in a hundred. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}
