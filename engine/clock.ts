/** The one clock of the API: milliseconds since the epoch. Tests of skipped time hand in the skipping server's. */
export type Clock = { now(): number | Promise<number> }

export const systemClock: Clock = { now: () => Date.now() }
