import type { Clock } from '../domain/clock.ts'

export type { Clock } from '../domain/clock.ts'

/** The one clock of the API and of the worker. */
export const systemClock: Clock = { now: () => Date.now() }
