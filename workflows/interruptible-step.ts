import { CancellationScope, isCancellation, setCurrentDetails } from '@temporalio/workflow'

/** What operators read while the step runs, which is for days if the rail is unavailable. */
const underWay =
  'If it takes too long, act on it in the review desk (/ops). The rail is being called. While it is unavailable, ' +
  'it is called again at least every 5 minutes.'

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
      setCurrentDetails(underWay)
      try {
        return await scope.run(step)
      } catch (error) {
        if (isInterrupted && isCancellation(error)) return null
        throw error
      }
    },
  }
}
