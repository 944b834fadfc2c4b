/** What a scenario saw: figures to read, and every way in which it went wrong; none when all held. */
export type Outcome = { figures: Record<string, number | string>; violations: string[] }

/** What took how long, and how long it may, in milliseconds. */
type Timed = readonly [what: string, tookMs: number, maxMs: number]

/**
 * Whether time and memory are judged: at full size alone, where the machine has nothing else to do. A test beside
 * others proves what happens, not how fast.
 */
export const isFull = (scenario: Scenario, size: number): boolean => size >= scenario.size

/** What took longer than it may, in a run of full size. */
export const tooSlow = (scenario: Scenario, size: number, timed: readonly Timed[]): string[] =>
  timed.flatMap(([what, tookMs, maxMs]) =>
    isFull(scenario, size) && tookMs > maxMs ? [`${what} took ${Math.round(tookMs)} ms`] : [],
  )

/** A fault, its promise, and its size in full (`npm run proof`); the tests run it smaller. */
export type Scenario = { promise: string; size: number; run(size: number): Promise<Outcome> }
