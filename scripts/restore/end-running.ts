import { setTimeout } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import { WorkflowNotFoundError } from '@temporalio/client'
import type { Config } from '../../engine/config.ts'
import { queuesFilter } from '../../engine/process-view.ts'

type Queues = Pick<Config, 'taskQueue' | 'webhookTaskQueue'>

const atOnce = 20
const reason = 'npm run restore: its state may differ from the database; it is started again'

/** The deployment's running processes that began before a moment (milliseconds since the epoch). */
async function runningBefore({ workflow }: Client, queues: Queues, before: number) {
  const moment = new Date(before).toISOString()
  const query = `${queuesFilter(queues)} AND ExecutionStatus = 'Running' AND StartTime < '${moment}'`
  const found: { workflowId: string; runId: string }[] = []
  for await (const { workflowId, runId } of workflow.list({ query })) found.push({ workflowId, runId })
  return found
}

/** How many processes of the deployment run. */
export const countRunning = async (client: Client, queues: Queues, before: number): Promise<number> =>
  (await runningBefore(client, queues, before)).length

/**
 * Terminates every process of the deployment that began before a moment, and returns their number. No state is lost: a
 * process has none that its row and the rails do not have.
 */
export async function endRunning(client: Client, queues: Queues, before: number): Promise<number> {
  const ended = new Set<string>()
  // The engine's list is a little late: ended processes stay in it for a while, and new ones are missing.
  for (let quiet = 0; quiet < 2;) {
    const running = await runningBefore(client, queues, before)
    const left = running.filter(({ workflowId, runId }) => !ended.has(`${workflowId} ${runId}`))
    quiet = left.length === 0 ? quiet + 1 : 0
    for (let from = 0; from < left.length; from += atOnce) {
      await Promise.all(left.slice(from, from + atOnce).map((each) => end(client, each)))
    }
    for (const { workflowId, runId } of left) ended.add(`${workflowId} ${runId}`)
    if (quiet === 1) await setTimeout(1_000)
  }
  return ended.size
}

async function end({ workflow }: Client, { workflowId, runId }: { workflowId: string; runId: string }) {
  try {
    await workflow.getHandle(workflowId, runId).terminate(reason)
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error // otherwise it has just ended by itself
  }
}
