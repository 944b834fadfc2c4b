/** Who has changed a resource. `rail`: its answer; `system`: our own rules and their deadlines. */
export const actors = ['merchant', 'buyer', 'rail', 'system', 'reviewer', 'operator'] as const
export type Actor = (typeof actors)[number]

/** How a step of a timeline stands. */
export const stepStatuses = ['done', 'running', 'failed', 'skipped'] as const
export type StepStatus = (typeof stepStatuses)[number]

/** A status that a resource has taken, by whom, and what the same commit has recorded and posted about it. */
export type Change = {
  resourceId: string
  status: string
  at: Date
  actor: Actor
  userId: string | null
  errorCode: string | null
  /** How often the resource's rail had been asked by then. */
  pollCount: number
  eventIds: string[]
  ledgerTransactionIds: string[]
}

/** A step of a resource: from the moment at which it took a status to the moment at which it left that status. */
export type Step = Omit<Change, 'status' | 'pollCount' | 'errorCode'> & {
  step: string
  status: StepStatus
  /** The same as `at` for an end, which takes no time; null while the step is running. */
  endedAt: Date | null
  /** How often the rail was asked in this step. */
  attempts: number
  lastError: string | null
}

/** What is to be known of a resource beside its changes. */
export type Progress = {
  /** The statuses after which nothing is awaited. */
  ends: readonly string[]
  /** How often the rail has been asked until now. */
  pollCount: number
}

const failures = ['failed', 'rejected']

/**
 * The steps of a resource, from its changes, oldest first. A step that ends in a failure has failed, and so has the end
 * itself.
 */
export function stepsOf(changes: readonly Change[], { ends, pollCount }: Progress): Step[] {
  return changes.map(({ status: step, pollCount: before, errorCode, ...change }, index): Step => {
    const next = changes[index + 1]
    const isEnd = ends.includes(step)
    const error = next && failures.includes(next.status) ? next.errorCode : errorCode
    const hasFailed = failures.includes(step) || (next !== undefined && failures.includes(next.status))
    const status = hasFailed ? 'failed' : next || isEnd ? 'done' : 'running'
    return {
      ...change,
      step,
      status,
      endedAt: isEnd ? change.at : (next?.at ?? null),
      attempts: (next?.pollCount ?? pollCount) - before,
      lastError: hasFailed ? error : null,
    }
  })
}
