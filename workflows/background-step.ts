import { ActivityFailure, CancellationScope, isCancellation, sleep } from '@temporalio/workflow'

/** Whether a step has ended without an answer: its tries were used up, or it failed in a way that nobody foresaw. */
export const isUnanswered = (error: unknown): boolean => error instanceof ActivityFailure && !isCancellation(error)

/**
 * One step at a time that goes on beside whatever the process waits for, so that a rail that is unavailable stops no
 * clock. The engine tries it again at least every five minutes, which adds nothing to the history.
 */
export function createBackgroundStep(): BackgroundStep {
  let running: CancellationScope | null = null
  return {
    isRunning: () => running !== null,
    start(step) {
      running?.cancel()
      const scope = new CancellationScope()
      running = scope
      const end = () => {
        if (running === scope) running = null
      }
      scope.run(() => step().catch(rest)).then(end, end)
    },
    stop() {
      running?.cancel()
      running = null
    },
  }
}

const restMs = 5 * 60_000

/** A step that has failed for good, in a way that nobody foresaw, is left alone for a while before it is made anew. */
async function rest(error: unknown): Promise<void> {
  if (isCancellation(error)) throw error
  await sleep(restMs)
}

export type BackgroundStep = {
  isRunning(): boolean
  /** Starts a step; one that is still under way is given up for it. */
  start(step: () => Promise<void>): void
  stop(): void
}
