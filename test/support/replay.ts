import assert from 'node:assert/strict'
import type { Client } from '@temporalio/client'
import { Worker } from '@temporalio/worker'
import { type Queue, queues } from '../../domain/process-contract.ts'
import { processes, processId, type ProcessName } from '../../domain/processes.ts'
import { untraced } from '../../engine/telemetry/traced.ts'
import { workflowsOf } from '../../engine/workers.ts'
import type { Recorded } from './kept-histories.ts'

const bundles = process.env['WORKFLOW_BUNDLES']

type Bundle = { codePath: string } | { code: string }
type Replayed = Pick<Recorded, 'workflowId' | 'history'>

/** Replays histories in one worker, and returns the error of each that does not replay, in their order. */
export async function replay(
  recorded: readonly Replayed[],
  workflows: { workflowBundle: Bundle } | { workflowsPath: string },
): Promise<(Error | undefined)[]> {
  const errors = []
  const { sinks } = untraced // a process that was traced tells them something
  for await (const { error } of Worker.runReplayHistories({ ...workflows, sinks }, recorded)) errors.push(error)
  if (errors.length !== recorded.length) throw new Error(`${errors.length} of ${recorded.length} were replayed`)
  return errors
}

/** Asserts that the process of a resource replays, as it has to when its worker restarts. */
export async function assertReplays(client: Client, process: ProcessName, id: string): Promise<void> {
  const workflowId = processId(process, id)
  const history = await client.workflow.getHandle(workflowId).fetchHistory()
  const errors = await replay([{ workflowId, history }], workflowsOf(processes[process].queue, bundles))
  assert.deepEqual(errors, [undefined])
}

/** Whose processes are replayed. The task queue of webhooks has this one’s name and an ending. */
type Ran = { client: Client; taskQueue: string }
const ending: Record<Queue, string> = { main: '', webhooks: '-webhooks' }
/** More than this many processes of a queue take longer than they are worth. */
const replayedMax = 1_000

/**
 * The processes that ran there and do not replay: the next restart of a worker would stop them for good. One that was
 * terminated goes on nowhere. In an engine that was put back, workers may have gone on with it from what they had in
 * their caches, until `npm run restore` has terminated it.
 */
export async function findUnreplayable({ client, taskQueue }: Ran): Promise<string[]> {
  const found = []
  for (const queue of queues) {
    const query = `TaskQueue = '${taskQueue}${ending[queue]}' AND ExecutionStatus != 'Terminated'`
    const ran: Replayed[] = []
    for await (const { workflowId, runId } of client.workflow.list({ query })) {
      if (ran.length === replayedMax) break
      ran.push({ workflowId, history: await client.workflow.getHandle(workflowId, runId).fetchHistory() })
    }
    const errors = ran.length === 0 ? [] : await replay(ran, workflowsOf(queue, bundles))
    found.push(
      ...ran.flatMap(({ workflowId }, n) => (errors[n] ? [`${workflowId} does not replay: ${errors[n]}`] : [])),
    )
  }
  return found
}
