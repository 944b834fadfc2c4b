import { ActivityFailure, CancellationScope, isCancellation, sleep } from '@temporalio/workflow'
import { minuteMs } from '../domain/duration.ts'

/** Whether a step has ended without an answer: its tries were used up, or it failed with an unexpected error. */
export const isUnanswered = (error: unknown): boolean => error instanceof ActivityFailure && !isCancellation(error)

/**
 * Runs one step at a time while the process waits for something else, so that a rail that is unavailable delays no
 * deadline. The engine tries the step again at least every five minutes, which adds nothing to the history.
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

const restMs = 5 * minuteMs

/** Waits for a while after a step has failed for good with an unexpected error, before the step is made again. */
async function rest(error: unknown): Promise<void> {
  if (isCancellation(error)) throw error
  await sleep(restMs)
}

export type BackgroundStep = {
  isRunning(): boolean
  /** Starts a step. A step that is still under way is cancelled first. */
  start(step: () => Promise<void>): void
  stop(): void
}
