import { setTimeout as sleep } from 'node:timers/promises'
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common'
import {
  type Client,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowStartOptions,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client'
import type { OutboxSignal } from '../db/core/outbox.ts'
import type { Queue } from '../domain/process-contract.ts'
import type { About } from '../domain/process-contract.ts'
import { processes, processId, type ProcessName, type UpdateArgs, type UpdateOf } from '../domain/processes.ts'
import { searchAttributes } from '../workflows/search-attributes.ts'
import { systemClock } from './clock.ts'
import { hasGrpcStatus } from './grpc-status.ts'
import { hasJustEnded } from './unavailable.ts'
import type { Config } from './config.ts'

/** One outbox row: the process to start and the signal to send to it, if any. */
export type Dispatch<P extends ProcessName = ProcessName> = {
  process: P
  resourceId: string
  about: About
  /** Dispatches with the same key keep their order; a delivery's key is its endpoint. Left out: no order is needed. */
  orderingKey?: string
  signal: OutboxSignal | null
  /** Starts the process again after an earlier run has completed. Otherwise only a signal does so. */
  anew?: boolean
}

/** The task queue of a process. */
export const queueOf = (process: ProcessName): Queue => processes[process].queue

/** The interface through which the rest of the service talks to processes. */
export type Engine = {
  /** Starts the process, or signals it. Repeating a dispatch is harmless. */
  dispatch(dispatch: Dispatch): Promise<void>
  /** Sends an update to the process, starting it if needed. Returns its answer, or throws its refusal. */
  update<P extends ProcessName, U extends UpdateOf<P>>(
    dispatch: Omit<Dispatch<P>, 'signal'>,
    update: U,
    args: UpdateArgs<P, U>,
    updateId: string,
  ): Promise<void>
}

/** The number of tasks that wait for a free worker slot, and how many the workers take per second. */
export type Backlog = { waiting: number; takenPerSecond: number }

export type Backlogs = {
  /** The engine's figures for a queue, which may be some seconds old; null if it reports none. */
  backlogOf(queue: Queue): Promise<Backlog | null>
}

/** The time-out of a dispatch if the engine does not answer. The outbox dispatches again later. */
const dispatchTimeoutMs = 5_000

const describeTimeoutMs = 2_000
const workflowTasks = 1 // temporal.api.enums.v1.TaskQueueType

/**
 * The engine takes tasks of different fairness keys in turn, if it is configured for that (docs/operating/capacity.md).
 * A key is a merchant, and for deliveries a merchant's receiver. The engine's limit is 64 bytes.
 */
function fairnessKeyOf({ process, resourceId, about, orderingKey }: Omit<Dispatch, 'signal'>): string {
  const receiver = process === 'webhook-delivery' && orderingKey && orderingKey !== processId(process, resourceId)
  return (receiver ? `${about.accountId}/${orderingKey}` : about.accountId).slice(0, 64)
}

/** Until when calls to the engine may go on. */
type Limit = { timeout: AbortSignal; deadline: number }

const limitOf = (ms: number): Limit => ({ timeout: AbortSignal.timeout(ms), deadline: systemClock.now() + ms })

/**
 * Makes calls to the engine within a limit. The signal ends the call that is under way when it fires, and the deadline
 * what the signal does not reach: a call that the connection repeats after a refusal, and one that is begun later.
 */
const within = <T>(client: Client, { timeout, deadline }: Limit, call: () => Promise<T>): Promise<T> =>
  client.withDeadline(deadline, () => client.withAbortSignal(timeout, call))

/**
 * The pause before a message is sent again to a process that was just ending. Many messages at once may each meet
 * another end of it, so each try waits a little longer, up to `updatePauseMaxMs`.
 */
const updatePauseMs = 5
const updatePauseMaxMs = 250

type EngineOptions = {
  /** How long a caller waits for a process that does not answer. */
  updateTimeoutMs?: number
  /** On the connection of workers of this process: they take up what it starts at once, without the engine's queues. */
  eager?: Client
}

export function createEngine(
  client: Client,
  queues: Pick<Config, 'taskQueue' | 'webhookTaskQueue'>,
  { updateTimeoutMs = 12_000, eager }: EngineOptions = {},
): Engine & Backlogs {
  const taskQueues: Record<Queue, string> = { main: queues.taskQueue, webhooks: queues.webhookTaskQueue }
  const options = (dispatch: Omit<Dispatch, 'signal'>) => {
    const { process, resourceId, about } = dispatch
    return {
      taskQueue: taskQueues[queueOf(process)],
      workflowId: processId(process, resourceId),
      priority: { fairnessKey: fairnessKeyOf(dispatch) },
      args: [resourceId] as [string],
      staticSummary: about.summary,
      ...((about.clock ?? about.provider) && {
        memo: {
          ...(about.clock && { clockTime: about.clock.time }),
          ...(about.provider && { provider: about.provider }),
        },
      }),
      typedSearchAttributes: [
        { key: searchAttributes.accountId, value: about.accountId },
        { key: searchAttributes.environment, value: about.environment },
        { key: searchAttributes.resource, value: processes[process].prefix },
        { key: searchAttributes.state, value: about.status },
        { key: searchAttributes.waitingOn, value: about.waitingOn },
      ],
    }
  }
  // A message may start a process that has ended: it reads its row, answers and ends again. A plain start need not.
  const anew = {
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  } satisfies Partial<WorkflowStartOptions>
  const once = {
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  } satisfies Partial<WorkflowStartOptions>

  const starting = eager ?? client

  return {
    async backlogOf(queue) {
      const describe = () =>
        client.workflowService.describeTaskQueue({
          namespace: client.options.namespace,
          taskQueue: { name: taskQueues[queue] },
          taskQueueType: workflowTasks,
          reportStats: true,
        })
      try {
        const { stats } = await within(client, limitOf(describeTimeoutMs), describe)
        if (!stats) return null
        return { waiting: Number(stats.approximateBacklogCount ?? 0), takenPerSecond: stats.tasksDispatchRate ?? 0 }
      } catch (error) {
        if (hasGrpcStatus(error, 'unimplemented')) return null
        throw error
      }
    },
    async dispatch(dispatch) {
      const { process, signal, anew: isAnew } = dispatch
      const send = async (): Promise<unknown> => {
        const start = { ...options(dispatch), ...(isAnew ? anew : once), requestEagerStart: eager !== undefined }
        if (!signal) return starting.workflow.start(process, start)
        const how = { ...options(dispatch), ...anew, signal: signal.name, signalArgs: signal.args }
        return client.workflow.signalWithStart(process, how)
      }
      try {
        await within(signal ? client : starting, limitOf(dispatchTimeoutMs), send)
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
      }
    },
    async update(dispatch, update, args, updateId) {
      const limit = limitOf(updateTimeoutMs) // one for all tries: the caller waits no longer than that
      for (let pauseMs = updatePauseMs; ; pauseMs = Math.min(updatePauseMaxMs, pauseMs * 2)) {
        const startWorkflowOperation = new WithStartWorkflowOperation(dispatch.process, {
          ...options(dispatch),
          ...anew,
        })
        startWorkflowOperation.workflowHandle().catch(() => undefined) // the update's own error is thrown
        try {
          await within(client, limit, () =>
            client.workflow.executeUpdateWithStart(update, { args, updateId, startWorkflowOperation }),
          )
          return
        } catch (error) {
          // The process ended before it handled the message. Started again, it reads its row and answers.
          if (!hasJustEnded(error)) throw error
          await sleep(Math.random() * pauseMs)
          if (limit.timeout.aborted)
            throw new WorkflowUpdateRPCTimeoutOrCancelledError('it ended each time', { cause: error })
        }
      }
    },
  }
}
