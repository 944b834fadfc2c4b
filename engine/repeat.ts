import { setTimeout } from 'node:timers/promises'
import type { Logger } from './logger.ts'

/** Does something again and again, with a pause after each time; a failure is logged as `failed` and no end. */
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
