import { Refusal } from './refusal.ts'

/** For each status those that it may become. What is not in the table is illegal. */
export type Moves<Status extends string> = Readonly<Record<Status, readonly Status[]>>

/**
 * Throws at a move that is not in the table. It is a programming error that nobody should see: the code checks the
 * status before. It is a `Refusal`, so that no retry policy repeats the step.
 */
export function assertMove<Status extends string>(noun: string, moves: Moves<Status>, from: Status, to: Status): void {
  if (!moves[from].includes(to)) throw new Refusal('CONFLICT', `a ${noun} that is ${from} cannot become ${to}`)
}
