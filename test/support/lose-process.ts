import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import { processId, type ProcessName } from '../../domain/processes.ts'
import { until } from './until.ts'

type Moment = { seconds?: unknown; nanos?: number | null } | null | undefined
const msOf = (moment: Moment) => Number(moment?.seconds ?? 0) * 1_000 + (moment?.nanos ?? 0) / 1_000_000

/**
 * Waits until a process has begun and no step of it runs: one that fails must be waiting for its next try. (The
 * time-skipping server says that a step which waits for its next try is started.)
 */
export async function untilIdle(client: Client, process: ProcessName, id: string): Promise<void> {
  const handle = client.workflow.getHandle(processId(process, id))
  const isIdle = async () => {
    const description = await handle.describe().catch((error: unknown) => {
      if (error instanceof WorkflowNotFoundError) return null
      throw error
    })
    if (!description) return false
    const { raw } = description
    const areWaiting = (raw.pendingActivities ?? []).every(
      ({ lastAttemptCompleteTime, lastStartedTime }) =>
        lastAttemptCompleteTime && msOf(lastAttemptCompleteTime) >= msOf(lastStartedTime),
    )
    return areWaiting && !raw.pendingWorkflowTask
  }
  await until(isIdle, `no step of ${process}/${id} runs`)
}

/**
 * Ends a process as an engine does that has lost its data, while no step of it runs. The time-skipping server never
 * skips again after it has ended a process with a running step.
 */
export async function loseProcess(client: Client, process: ProcessName, id: string): Promise<void> {
  await untilIdle(client, process, id)
  await client.workflow.getHandle(processId(process, id)).terminate('the engine has lost its data')
}
