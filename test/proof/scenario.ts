/** What a scenario saw: figures to read, and every way in which it went wrong; none when all held. */
export type Outcome = { figures: Record<string, number | string>; violations: string[] }

/** A fault, its promise, and its size in full (`npm run proof`); the tests run it smaller. */
export type Scenario = { promise: string; size: number; run(size: number): Promise<Outcome> }
