import { setCurrentDetails, type WorkflowInterceptorsFactory } from '@temporalio/workflow'

// Says in the engine's UI that a process has ended. It is loaded with every process. Otherwise the page of the process
// would go on saying what was awaited last. It waits for nothing and takes no step, so every history replays.

/** An end that somebody has to look at. Its process says why. */
const contradicted = 'contradicted'

export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: [
    {
      execute(input, next) {
        const running = next(input)
        running.then(
          (end) => void (end !== contradicted && setCurrentDetails(`Closed: ${String(end)}. No action needed.`)),
          () => undefined, // it goes on in a new run, or has failed
        )
        return running
      },
    },
  ],
})
