/** Where the time comes from: milliseconds since the epoch. Tests of skipped time hand in the skipping server's. */
export type Clock = { now(): number | Promise<number> }
