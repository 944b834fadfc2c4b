// A workflow for tests of the engine: it waits until it is told to go on, and ends on the release on which it began.
import { condition, defineSignal, setHandler, setWorkflowOptions } from '@temporalio/workflow'

export async function waiting(): Promise<string> {
  let isOver = false
  setHandler(defineSignal('goOn'), () => void (isOver = true))
  await condition(() => isOver)
  return 'over'
}

setWorkflowOptions({ versioningBehavior: 'PINNED' }, waiting)
