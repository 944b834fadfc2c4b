import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import type { ProcessView } from '../activities/process-view.ts'
import type { Config } from './config.ts'

/** The most ids in one query, to keep it short. */
const idsMax = 100

/** A filter for the task queues of this deployment, in the engine's query language: others may share the namespace. */
export const queuesFilter = ({ taskQueue, webhookTaskQueue }: Pick<Config, 'taskQueue' | 'webhookTaskQueue'>): string =>
  `TaskQueue IN (${[taskQueue, webhookTaskQueue].map(quoted).join(', ')})`

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/** Reads the state of processes from the engine's list, and from the process itself where the list may be outdated. */
export function createProcessView(
  { workflow }: Client,
  queues: Pick<Config, 'taskQueue' | 'webhookTaskQueue'>,
): ProcessView {
  return {
    async endedBadly(since, limit) {
      const states = ['Failed', 'TimedOut', 'Terminated', 'Canceled'].map(quoted).join(', ')
      const when = quoted(new Date(since).toISOString())
      const query = `${queuesFilter(queues)} AND ExecutionStatus IN (${states}) AND CloseTime >= ${when}`
      const ids = new Set<string>()
      for await (const { workflowId } of workflow.list({ query })) {
        if (ids.add(workflowId).size === limit) break
      }
      return [...ids]
    },

    async listedRunning(ids) {
      const running = new Set<string>()
      for (let from = 0; from < ids.length; from += idsMax) {
        const some = ids
          .slice(from, from + idsMax)
          .map(quoted)
          .join(', ')
        const query = `WorkflowId IN (${some}) AND ExecutionStatus = 'Running'`
        for await (const { workflowId } of workflow.list({ query })) running.add(workflowId)
      }
      return running
    },

    async isRunning(id) {
      try {
        return (await workflow.getHandle(id).describe()).status.name === 'RUNNING'
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return false
        throw error
      }
    },
  }
}
