import { CancellationScope, isCancellation } from '@temporalio/workflow'

/** Runs one step at a time, which a message can interrupt: what staff order does not wait for a rail that is silent. */
export function createInterruptibleStep() {
  let scope = new CancellationScope()
  let isInterrupted = false
  return {
    interrupt(): void {
      isInterrupted = true
      scope.cancel()
    },
    /** The result of a step; null where it was interrupted. */
    async run<T>(step: () => Promise<T>): Promise<T | null> {
      scope = new CancellationScope()
      isInterrupted = false
      try {
        return await scope.run(step)
      } catch (error) {
        if (isInterrupted && isCancellation(error)) return null
        throw error
      }
    },
  }
}
