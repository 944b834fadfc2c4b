import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'
import { processId, type ProcessName } from '../../domain/processes.ts'
import { until } from './until.ts'

const { EventType } = proto.temporal.api.enums.v1

/** Waits until a process has nothing to do but wait: none of its tasks and steps runs or is scheduled. */
export async function settled(client: Client, process: ProcessName, id: string): Promise<void> {
  const handle = client.workflow.getHandle(processId(process, id))
  const isSettled = async () => {
    const { events } = await handle.fetchHistory()
    const types = (events ?? []).map(({ eventType }) => EventType[eventType ?? 0] ?? '')
    const count = (pattern: RegExp) => types.filter((type) => pattern.test(type)).length
    const underWay = count(/ACTIVITY_TASK_SCHEDULED$/) - count(/ACTIVITY_TASK_(COMPLETED|FAILED|TIMED_OUT|CANCELED)$/)
    return underWay === 0 && types.findLast((type) => type.includes('WORKFLOW_TASK'))?.endsWith('COMPLETED') === true
  }
  await until(isSettled, `${process}/${id} only waits`, { withinMs: 60_000 })
}
