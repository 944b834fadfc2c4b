import type { Dispatch } from './engine.ts'

/** A row without its entity, which would keep all that its transaction has read in memory. */
export type PendingDispatch = Dispatch & { id: bigint; attempts: number }

/** The rows of one commit and ordering key, in their order; never none. */
export type DispatchBatch = {
  rows: [PendingDispatch, ...PendingDispatch[]]
  /** The first part of their turn: `main/begin`, `webhooks/go on`. */
  kind: string
  /** Whether a sweep has found them; else they were committed by this process. */
  isSwept: boolean
  /** Until when, by performance.now(), no other relay looks at them. */
  oursUntil: number
}

/** One merchant's news of one kind: what a sweep has found is older than what this process has committed since. */
type Turn = { swept: DispatchBatch[]; own: DispatchBatch[] }

/**
 * What waits to be dispatched: merchants in turns, a row of each at a time, and each merchant's oldest first. Else what
 * is committed here would always be dispatched before what had to wait for a sweep, which then waits for ever.
 */
export function createFairQueue() {
  const turns = new Map<string, Turn>()
  const swept = new Map<string, number>()
  let count = 0

  const keyOf = ({ kind, rows }: DispatchBatch) => `${kind}/${rows[0].about.accountId}`
  const listOf = (turn: Turn, { isSwept }: DispatchBatch) => (isSwept ? turn.swept : turn.own)

  function tally({ rows, isSwept, kind }: DispatchBatch, sign: 1 | -1): void {
    count += sign * rows.length
    if (isSwept) swept.set(kind, (swept.get(kind) ?? 0) + sign * rows.length)
  }

  /** The first of a turn; what is too old is dropped, as a sweep has it by now. */
  function firstOf(turn: Turn): DispatchBatch | undefined {
    for (const list of [turn.swept, turn.own]) {
      while (list[0] && list[0].oursUntil < performance.now()) drop(list)
      if (list[0]) return list[0]
    }
    return undefined
  }

  function drop(list: DispatchBatch[]): void {
    const batch = list.shift()
    if (batch) tally(batch, -1)
  }

  return {
    /** How many rows wait. */
    count: () => count,
    /** How many rows of a kind a sweep has found. */
    swept: (kind: string) => swept.get(kind) ?? 0,
    add(batch: DispatchBatch, place: 'first' | 'last' = 'last'): void {
      const key = keyOf(batch)
      const turn = turns.get(key) ?? { swept: [], own: [] }
      listOf(turn, batch)[place === 'first' ? 'unshift' : 'push'](batch)
      turns.set(key, turn)
      tally(batch, 1)
    },
    /** The next one that may go; whoever it belongs to is the last in turn from then on. */
    next(mayGo: (batch: DispatchBatch) => boolean): DispatchBatch | undefined {
      for (const [key, turn] of turns) {
        const batch = firstOf(turn)
        if (batch && !mayGo(batch)) continue
        if (batch) drop(listOf(turn, batch))
        turns.delete(key)
        if (turn.swept.length + turn.own.length > 0) turns.set(key, turn)
        if (batch) return batch
      }
      return undefined
    },
  }
}
