/**
 * The source of the time, in milliseconds since the epoch. Tests with skipped time pass the clock of the test server.
 */
export type Clock = { now(): number | Promise<number> }
