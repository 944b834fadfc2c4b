import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common'
import {
  type Client,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowStartOptions,
} from '@temporalio/client'
import type { OutboxSignal } from '../db/outbox.ts'
import { type About, processes, processId, type ProcessName } from '../db/start-process.ts'
import { searchAttributes } from '../workflows/search-attributes.ts'
import { hasJustEnded } from './away.ts'
import type { Config } from './config.ts'

/** One promise of the outbox: which process, and what it is to hear, if anything. */
export type Telling = {
  process: ProcessName
  resourceId: string
  about: About
  signal: OutboxSignal | null
  /** Starts it although an earlier run has completed; without a signal that is otherwise no reason to. */
  anew?: boolean
}

/** The ways in which the rest of the service speaks to processes. */
export type Engine = {
  /** Starts the process, or signals it; telling it again is harmless. */
  tell(telling: Telling): Promise<void>
  /** Asks the process, starting it should it not have begun, and waits for its answer, or throws its refusal. */
  ask(telling: Omit<Telling, 'signal'>, update: string, args: unknown[], updateId: string): Promise<void>
}

/** An engine that is silent holds nobody up for longer: the outbox tells it again. */
const tellTimeoutMs = 5_000

/** `askTimeoutMs`: how long a caller is kept waiting for a process that does not answer. */
export function createEngine(
  client: Client,
  queues: Pick<Config, 'taskQueue' | 'webhookTaskQueue'>,
  askTimeoutMs = 12_000,
): Engine {
  const options = ({ process, resourceId, about }: Omit<Telling, 'signal'>) => ({
    taskQueue: process.startsWith('webhook-') ? queues.webhookTaskQueue : queues.taskQueue,
    workflowId: processId(process, resourceId),
    args: [resourceId] as [string],
    staticSummary: about.summary,
    typedSearchAttributes: [
      { key: searchAttributes.accountId, value: about.accountId },
      { key: searchAttributes.environment, value: about.environment },
      { key: searchAttributes.resource, value: processes[process] },
      { key: searchAttributes.status, value: about.status },
      { key: searchAttributes.waitingOn, value: about.waitingOn },
    ],
  })
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
    async tell(telling) {
      const { process, signal, anew: isAnew } = telling
      const send = async (): Promise<unknown> => {
        if (!signal) return client.workflow.start(process, { ...options(telling), ...(isAnew ? anew : once) })
        const how = { ...options(telling), ...anew, signal: signal.name, signalArgs: signal.args }
        return client.workflow.signalWithStart(process, how)
      }
      try {
        await client.withAbortSignal(AbortSignal.timeout(tellTimeoutMs), send)
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
      }
    },
    async ask(telling, update, args, updateId) {
      for (let tries = 1; ; tries++) {
        const startWorkflowOperation = new WithStartWorkflowOperation(telling.process, { ...options(telling), ...anew })
        startWorkflowOperation.workflowHandle().catch(() => undefined) // the update's own error says it all
        try {
          await client.withAbortSignal(AbortSignal.timeout(askTimeoutMs), () =>
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
