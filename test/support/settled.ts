import type { Client } from '@temporalio/client'
import { tsToMs } from '@temporalio/common/lib/time.js'
import proto from '@temporalio/proto'
import { processId, type ProcessName } from '../../domain/processes.ts'
import { until } from './until.ts'

const { EventType } = proto.temporal.api.enums.v1
type Event = proto.temporal.api.history.v1.IHistoryEvent

/**
 * Waits until a process has nothing to do but wait: none of its tasks and steps runs or is scheduled, and no timer of
 * a moment that has already passed is about to fire.
 */
export async function settled(client: Client, process: ProcessName, id: string): Promise<void> {
  const handle = client.workflow.getHandle(processId(process, id))
  const isSettled = async () => {
    const events = (await handle.fetchHistory()).events ?? []
    const types = events.map(({ eventType }) => EventType[eventType ?? 0] ?? '')
    const count = (pattern: RegExp) => types.filter((type) => pattern.test(type)).length
    const underWay = count(/ACTIVITY_TASK_SCHEDULED$/) - count(/ACTIVITY_TASK_(COMPLETED|FAILED|TIMED_OUT|CANCELED)$/)
    const isIdle = types.findLast((type) => type.includes('WORKFLOW_TASK'))?.endsWith('COMPLETED') === true
    return underWay === 0 && isIdle && !isTimerAboutToFire(events)
  }
  await until(isSettled, `${process}/${id} only waits`)
}

/** For a moment that has passed a process starts a timer of one millisecond. */
function isTimerAboutToFire(events: Event[]): boolean {
  const over = events.map(
    ({ timerFiredEventAttributes: fired, timerCanceledEventAttributes: canceled }) => (fired ?? canceled)?.timerId,
  )
  return events.some(({ timerStartedEventAttributes: timer }) => {
    const isShort = timer?.startToFireTimeout && tsToMs(timer.startToFireTimeout) < 1_000
    return isShort && !over.includes(timer.timerId)
  })
}
