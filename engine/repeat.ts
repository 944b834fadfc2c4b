import { setTimeout } from 'node:timers/promises'
import type { Logger } from './logger.ts'

/**
 * Runs something repeatedly, with a pause after each run. An error is logged with the message `failed`, and ends
 * nothing.
 */
export function repeatEvery(
  pauseMs: number,
  work: () => Promise<void>,
  { logger, failed }: { logger: Logger; failed: string },
): { stop(): Promise<void> } {
  const stopped = new AbortController()
  const loop = (async () => {
    while (!stopped.signal.aborted) {
      await work().catch((error: unknown) => logger.warn({ err: error }, failed))
      await setTimeout(pauseMs, undefined, { signal: stopped.signal }).catch(() => undefined)
    }
  })()
  return {
    async stop() {
      stopped.abort()
      await loop
    },
  }
}
