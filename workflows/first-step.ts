import { workflowInfo } from '@temporalio/workflow'

/** A process begins with its start, a signal or two, and its first task. A prolonged task adds three events. */
const eventsOfProlonged = 6

/**
 * Asks for the first local step of a process, before its handlers are set, if that is necessary. The returned function
 * asks for it otherwise, and gives its result.
 *
 * The worker prolongs the first task while this step runs, such as in an outage of the database. An update may come
 * with the prolonged task, after the step. A replay joins both tasks: it has the update at the beginning, and the
 * handler would answer it before the step is asked for, which is not what has happened.
 */
export function firstStep<Result>(step: () => Promise<Result>): () => Promise<Result> {
  const asked = workflowInfo().historyLength < eventsOfProlonged ? null : step()
  return () => asked ?? step()
}
