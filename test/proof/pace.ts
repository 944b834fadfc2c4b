import { setTimeout as pause } from 'node:timers/promises'

/** Starts `work` for 0 to count - 1 at a steady pace, however long each takes, and waits for all of them. */
export async function atPace(count: number, perSecond: number, work: (n: number) => Promise<void>): Promise<void> {
  const startedAt = performance.now()
  const begun: Promise<void>[] = []
  for (let n = 0; n < count; n++) {
    await pause(Math.max(0, startedAt + (n * 1_000) / perSecond - performance.now()))
    const working = work(n)
    working.catch(() => undefined) // reported below
    begun.push(working)
  }
  await Promise.all(begun)
}

/** The value below which a share of the numbers lies: 0.99 gives the slowest in a hundred. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}
