import type { Clock } from '../domain/clock.ts'

export type { Clock } from '../domain/clock.ts'

/** The clock of the API and the worker. No other code reads the system time. */
export const systemClock: Clock = { now: () => Date.now() }
