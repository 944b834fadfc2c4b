import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits until something holds, and returns the milliseconds that took. Throws after `withinMs` of real time. By default
 * that is long, so that a busy machine fails no test. Without `everyMs` it asks less and less often, as asking takes
 * processor time from what is awaited.
 */
export async function until(
  holds: () => Promise<boolean> | boolean,
  what: string,
  { withinMs = 120_000, everyMs }: { withinMs?: number; everyMs?: number } = {},
): Promise<number> {
  const startedAt = performance.now()
  const waitedMs = () => performance.now() - startedAt
  while (!(await holds())) {
    if (waitedMs() > withinMs) throw new Error(`within ${withinMs / 1000} s this did not happen: ${what}`)
    await sleep(everyMs ?? Math.min(250, Math.max(10, waitedMs() / 8)))
  }
  return waitedMs()
}
