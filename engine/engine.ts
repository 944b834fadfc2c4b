import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common'
import {
  type Client,
  isGrpcServiceError,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowStartOptions,
} from '@temporalio/client'
import type { OutboxSignal } from '../db/core/outbox.ts'
import type { Queue } from '../domain/process-contract.ts'
import type { About } from '../domain/process-contract.ts'
import { processes, processId, type ProcessName, type UpdateArgs, type UpdateOf } from '../domain/processes.ts'
import { searchAttributes } from '../workflows/search-attributes.ts'
import { hasJustEnded } from './unavailable.ts'
import type { Config } from './config.ts'

/** One promise of the outbox: which process, and what it is to hear, if anything. */
export type Dispatch<P extends ProcessName = ProcessName> = {
  process: P
  resourceId: string
  about: About
  /** What is dispatched in its order: a delivery's endpoint. Left out where nothing else goes the same way. */
  orderingKey?: string
  signal: OutboxSignal | null
  /** Starts it although an earlier run has completed; without a signal that is otherwise no reason to. */
  anew?: boolean
}

/** The queue from which workers take a process's tasks. */
export const queueOf = (process: ProcessName): Queue => processes[process].queue

/** The ways in which the rest of the service speaks to processes. */
export type Engine = {
  /** Starts the process, or signals it; dispatching it again is harmless. */
  dispatch(dispatch: Dispatch): Promise<void>
  /** Asks the process, starting it should it not have begun, and waits for its answer, or throws its refusal. */
  update<P extends ProcessName, U extends UpdateOf<P>>(
    dispatch: Omit<Dispatch<P>, 'signal'>,
    update: U,
    args: UpdateArgs<P, U>,
    updateId: string,
  ): Promise<void>
}

/** How many tasks wait for a worker that has a place, and how many the workers take in a second. */
export type Backlog = { waiting: number; takenPerSecond: number }

export type Backlogs = {
  /** What the engine says of a queue, perhaps some seconds ago; null where it does not say. */
  backlogOf(queue: Queue): Promise<Backlog | null>
}

/** An engine that is silent holds nobody up for longer: the outbox tells it again. */
const dispatchTimeoutMs = 5_000

const describeTimeoutMs = 2_000
const [workflowTasks, grpcUnimplemented] = [1, 12]

/**
 * Tasks of different keys take turns in the engine, where it is dispatched to be fair (docs/operating.md): merchants,
 * and the receivers of each. The engine takes 64 bytes.
 */
function fairnessKeyOf({ process, resourceId, about, orderingKey }: Omit<Dispatch, 'signal'>): string {
  const receiver = process === 'webhook-delivery' && orderingKey && orderingKey !== processId(process, resourceId)
  return (receiver ? `${about.accountId}/${orderingKey}` : about.accountId).slice(0, 64)
}

/** `updateTimeoutMs`: how long a caller is kept waiting for a process that does not answer. */
export function createEngine(
  client: Client,
  queues: Pick<Config, 'taskQueue' | 'webhookTaskQueue'>,
  updateTimeoutMs = 12_000,
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
      typedSearchAttributes: [
        { key: searchAttributes.accountId, value: about.accountId },
        { key: searchAttributes.environment, value: about.environment },
        { key: searchAttributes.resource, value: processes[process].prefix },
        { key: searchAttributes.state, value: about.status },
        { key: searchAttributes.waitingOn, value: about.waitingOn },
      ],
    }
  }
  // A process that has ended reads its row and ends again, so a message may start it anew; a bare start need not.
  const anew = {
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  } satisfies Partial<WorkflowStartOptions>
  const once = {
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  } satisfies Partial<WorkflowStartOptions>

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
        const { stats } = await client.withAbortSignal(AbortSignal.timeout(describeTimeoutMs), describe)
        if (!stats) return null
        return { waiting: Number(stats.approximateBacklogCount ?? 0), takenPerSecond: stats.tasksDispatchRate ?? 0 }
      } catch (error) {
        if (isGrpcServiceError(error) && error.code === grpcUnimplemented) return null
        throw error
      }
    },
    async dispatch(dispatch) {
      const { process, signal, anew: isAnew } = dispatch
      const send = async (): Promise<unknown> => {
        if (!signal) return client.workflow.start(process, { ...options(dispatch), ...(isAnew ? anew : once) })
        const how = { ...options(dispatch), ...anew, signal: signal.name, signalArgs: signal.args }
        return client.workflow.signalWithStart(process, how)
      }
      try {
        await client.withAbortSignal(AbortSignal.timeout(dispatchTimeoutMs), send)
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
      }
    },
    async update(dispatch, update, args, updateId) {
      for (let tries = 1; ; tries++) {
        const startWorkflowOperation = new WithStartWorkflowOperation(dispatch.process, {
          ...options(dispatch),
          ...anew,
        })
        startWorkflowOperation.workflowHandle().catch(() => undefined) // the update's own error says it all
        try {
          await client.withAbortSignal(AbortSignal.timeout(updateTimeoutMs), () =>
            client.workflow.executeUpdateWithStart(update, { args, updateId, startWorkflowOperation }),
          )
          return
        } catch (error) {
          // The process ended before it took the message up: started anew, it reads its row and answers from that.
          if (!hasJustEnded(error) || tries === 3) throw error
        }
      }
    },
  }
}
