import { setTimeout as sleep } from 'node:timers/promises'

type Patience = {
  limitMs: number
  everyMs?: number
  /** Whether what is awaited can still happen: a process that has ended never gets ready. */
  isPossible?: () => boolean
}

/**
 * Looks until something is so. False if it is not so within the limit, or is no longer possible. It looks once more
 * after the limit, as this process itself may have been held up and had no time to look.
 */
export async function lookUntil(
  isSo: () => Promise<boolean> | boolean,
  { limitMs, everyMs = 50, isPossible = () => true }: Patience,
): Promise<boolean> {
  const limit = performance.now() + limitMs
  while (isPossible()) {
    const isLast = performance.now() > limit
    if (await isSo()) return true
    if (isLast) return false
    await sleep(everyMs)
  }
  return false
}
