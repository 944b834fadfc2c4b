import { setTimeout } from 'node:timers/promises'

/** What `work` gives, or `late` where it has not ended within `ms` milliseconds. It goes on all the same. */
export async function inTime<T, Late>(ms: number, work: Promise<T>, late: Late): Promise<T | Late> {
  const abort = new AbortController()
  const limit = setTimeout(ms, late, { signal: abort.signal }).catch(() => late)
  try {
    return await Promise.race([work, limit])
  } finally {
    abort.abort()
  }
}
