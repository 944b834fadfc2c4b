import type { Dispatch } from './engine.ts'

/** A row as a plain object: its entity would keep everything that its transaction has read in memory. */
export type PendingDispatch = Dispatch & { id: bigint; attempts: number }

/** The rows of one commit and ordering key, in their order; at least one. */
export type DispatchBatch = {
  rows: [PendingDispatch, ...PendingDispatch[]]
  /**
   * The queue, and whether the row begins a process or signals one: `main/begin`, `webhooks/go on`. `webhooks/wait`: a
   * delivery whose first attempt has left something to wait for, so that its process begins.
   */
  kind: string
  /** True if a sweep has found the rows, false if this process has committed them. */
  isSwept: boolean
  /** No other relay takes the rows before this time of performance.now(). */
  oursUntil: number
}

/** One merchant's batches of one kind. Those found by a sweep are older than those this process has committed. */
type Turn = { swept: DispatchBatch[]; own: DispatchBatch[] }

/**
 * The rows that wait to be dispatched. Merchants take turns, one row at a time, and each merchant's oldest row is
 * first. Without that order, new commits of this process would always go before rows found by a sweep, which would
 * never go.
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

  /** The first batch of a turn. A batch whose time is over is dropped, as another sweep may have taken it. */
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
    /** The number of rows that wait. */
    count: () => count,
    /** The number of waiting rows of a kind that a sweep has found. */
    swept: (kind: string) => swept.get(kind) ?? 0,
    /** The merchants who have so many batches of a kind, found by a sweep, waiting here. */
    merchantsWith: (kind: string, batches: number): string[] =>
      [...turns.entries()]
        .filter(([key, { swept: found }]) => key.startsWith(`${kind}/`) && found.length >= batches)
        .map(([key]) => key.slice(kind.length + 1)),
    add(batch: DispatchBatch, place: 'first' | 'last' = 'last'): void {
      const key = keyOf(batch)
      const turn = turns.get(key) ?? { swept: [], own: [] }
      listOf(turn, batch)[place === 'first' ? 'unshift' : 'push'](batch)
      turns.set(key, turn)
      tally(batch, 1)
    },
    /** The next batch that may go. Its merchant moves to the end of the turns. */
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
