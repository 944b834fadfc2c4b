import { Refusal } from './refusal.ts'

/** For each status those that it may become. What is not in the table is illegal. */
export type Moves<Status extends string> = Readonly<Record<Status, readonly Status[]>>

/** Throws at a move that is not in the table: it is a programming error, which no retry mends. */
export function assertMove<Status extends string>(noun: string, moves: Moves<Status>, from: Status, to: Status): void {
  if (!moves[from].includes(to)) throw new Refusal('CONFLICT', `a ${noun} that is ${from} cannot become ${to}`)
}
