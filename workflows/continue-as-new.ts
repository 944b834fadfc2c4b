import { allHandlersFinished, workflowInfo } from '@temporalio/workflow'

/**
 * Whether a process should continue in a new run, as it nears the engine's limits of events and updates. Not while a
 * message is being handled: its sender would get no answer.
 */
export const shouldContinueAsNew = (): boolean => workflowInfo().continueAsNewSuggested && allHandlersFinished()

/** Whether this run continues an earlier one. What that run showed in the engine's list is still shown. */
export const isContinued = (): boolean => workflowInfo().continuedFromExecutionRunId !== undefined
