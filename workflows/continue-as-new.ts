import { allHandlersFinished, makeContinueAsNewFunc, type Workflow, workflowInfo } from '@temporalio/workflow'
import { clockTime } from './test-clock.ts'

/**
 * Whether a process should continue in a new run, as it nears the engine's limits of events and updates. Not while a
 * message is being handled: its sender would get no answer.
 */
export const shouldContinueAsNew = (): boolean => workflowInfo().continueAsNewSuggested && allHandlersFinished()

/** Whether this run continues an earlier one. What that run showed in the engine's list is still shown. */
export const isContinued = (): boolean => workflowInfo().continuedFromExecutionRunId !== undefined

/**
 * Continues in a new run, whose history is empty. It begins at the time by which this run goes now: the memo of the
 * first start may name the time of a test clock that the resource has left since.
 */
export function continueInNewRun<Run extends Workflow>(...args: Parameters<Run>): Promise<never> {
  const { memo } = workflowInfo()
  const isTimed = memo?.['clockTime'] !== undefined || clockTime() !== null
  return makeContinueAsNewFunc<Run>(isTimed ? { memo: { ...memo, clockTime: clockTime() } } : {})(...args)
}
