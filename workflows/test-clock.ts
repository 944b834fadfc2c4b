import { defineSignal, setHandler, workflowInfo } from '@temporalio/workflow'

/** The time of the test clock, in milliseconds since the epoch; null: the process goes by the real time. */
let time: number | null = null

export const clockTime = (): number | null => time

const clockMoved = defineSignal<[time: number | null]>('clockMoved')

/**
 * Lets a process go by the test clock of its resource, if it has one. It knows the clock from its start (the time is in
 * its memo), from the clock's signal, or from what its steps have read (`keepTime`).
 */
export function followTestClock(): void {
  const begun = workflowInfo().memo?.['clockTime']
  if (typeof begun === 'number') time = begun
  setHandler(clockMoved, (moved) => void (time = moved))
}

/** Keeps the clock's time that a step has read. A step that began earlier than the last signal may be behind it. */
export function keepTime(read: number | null | undefined): void {
  if (read === undefined) return
  time = read === null || time === null ? read : Math.max(time, read)
}
