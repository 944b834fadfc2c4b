/** The result of a scenario: figures to read, and everything that went wrong; none if its promise held. */
export type Outcome = { figures: Record<string, number | string>; violations: string[] }

/** What was timed, how long it took, and how long it may take, in milliseconds. */
type Timed = readonly [what: string, tookMs: number, maxMs: number]

/**
 * Whether time and memory are judged: only at full size, when the machine has nothing else to do. A smaller run beside
 * other tests proves what happens, not how fast.
 */
export const isFull = (scenario: Scenario, size: number): boolean => size >= scenario.size

/** What took too long in a run of full size. */
export const tooSlow = (scenario: Scenario, size: number, timed: readonly Timed[]): string[] =>
  timed.flatMap(([what, tookMs, maxMs]) =>
    isFull(scenario, size) && tookMs > maxMs ? [`${what} took ${Math.round(tookMs)} ms`] : [],
  )

/** A fault, the promise that holds in spite of it, and its full size (`npm run proof`); the tests run it smaller. */
export type Scenario = { promise: string; size: number; run(size: number): Promise<Outcome> }
