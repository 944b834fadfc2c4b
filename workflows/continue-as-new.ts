import { allHandlersFinished, workflowInfo } from '@temporalio/workflow'

/**
 * Whether a process should go on in a new run, as the engine's limits of events and of updates come near. Only while no
 * message is being handled: its sender would not hear how that ended.
 */
export const shouldContinueAsNew = (): boolean => workflowInfo().continueAsNewSuggested && allHandlersFinished()

/** Whether this run goes on from an earlier one, which has left what the engine's list shows as it is. */
export const isContinued = (): boolean => workflowInfo().continuedFromExecutionRunId !== undefined
