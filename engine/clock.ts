import type { Clock } from '../domain/clock.ts'

export type { Clock } from '../domain/clock.ts'

/**
 * The clock of this machine, for commands, and for deadlines of calls to the engine, which the client compares with it.
 * No other code reads the system time. The API and the worker go by the database's time (engine/database-clock.ts), as
 * clocks of several machines differ.
 */
export const systemClock = { now: () => Date.now() } satisfies Clock
