import type { Client } from '@temporalio/client'
import { processId, type ProcessName } from '../../domain/processes.ts'
import { until } from './until.ts'

type Moment = { seconds?: unknown; nanos?: number | null } | null | undefined
const msOf = (moment: Moment) => Number(moment?.seconds ?? 0) * 1_000 + (moment?.nanos ?? 0) / 1_000_000

/**
 * Ends a process as an engine does that has lost its data, while no step of it runs: one that fails must be waiting for
 * its next try. The time-skipping server never skips again after it has ended a process with a running step. (It says
 * that a step which waits for its next try is started.)
 */
export async function loseProcess(client: Client, process: ProcessName, id: string): Promise<void> {
  const handle = client.workflow.getHandle(processId(process, id))
  const isIdle = async () => {
    const { raw } = await handle.describe()
    const areWaiting = (raw.pendingActivities ?? []).every(
      ({ lastAttemptCompleteTime, lastStartedTime }) =>
        lastAttemptCompleteTime && msOf(lastAttemptCompleteTime) >= msOf(lastStartedTime),
    )
    return areWaiting && !raw.pendingWorkflowTask
  }
  await until(isIdle, `no step of ${process}/${id} runs`)
  await handle.terminate('the engine has lost its data')
}
