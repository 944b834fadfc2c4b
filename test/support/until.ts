import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits until something holds, and returns the milliseconds that took. Throws if it does not hold when it is asked for
 * after `withinMs` of real time. So a busy machine, whose answers come late, fails no test: what was promised for
 * that time holds whenever it is asked for later. Without `everyMs` it asks less and less often, as asking takes
 * processor time from what is awaited.
 */
export async function until(
  holds: () => Promise<boolean> | boolean,
  what: string,
  { withinMs = 120_000, everyMs }: { withinMs?: number; everyMs?: number } = {},
): Promise<number> {
  const startedAt = performance.now()
  const waitedMs = () => performance.now() - startedAt
  for (let askedMs = 0; !(await holds()); askedMs = waitedMs()) {
    if (askedMs > withinMs) throw new Error(`within ${withinMs / 1000} s this did not happen: ${what}`)
    await sleep(everyMs ?? Math.min(250, Math.max(10, waitedMs() / 8)))
  }
  return waitedMs()
}
