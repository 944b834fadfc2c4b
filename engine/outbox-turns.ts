import type { Telling } from './engine.ts'

/** A row without its entity, which would keep all that its transaction has read in memory. */
export type Promised = Telling & { id: bigint; attempts: number }

/** The rows of one commit and lane, in their order; never none. */
export type News = {
  rows: [Promised, ...Promised[]]
  /** The first part of their turn: `main/begin`, `webhooks/go on`. */
  kind: string
  /** Whether a sweep has found them; else they were committed by this process. */
  isSwept: boolean
  /** Until when, by performance.now(), no other relay looks at them. */
  oursUntil: number
}

/** What waits to be told, each merchant's in its order, and merchants in turns, a row of each at a time. */
export function createTurns() {
  const turns = new Map<string, News[]>()
  const swept = new Map<string, number>()
  let count = 0

  const keyOf = ({ kind, rows }: News) => `${kind}/${rows[0].about.accountId}`

  function tally({ rows, isSwept, kind }: News, sign: 1 | -1): void {
    count += sign * rows.length
    if (isSwept) swept.set(kind, (swept.get(kind) ?? 0) + sign * rows.length)
  }

  function take(key: string, waiting: News[]): News | undefined {
    const news = waiting.shift()
    if (news) tally(news, -1)
    if (waiting.length === 0) turns.delete(key)
    return news
  }

  return {
    /** How many rows wait. */
    count: () => count,
    /** How many rows of a kind a sweep has found. */
    swept: (kind: string) => swept.get(kind) ?? 0,
    add(news: News, place: 'first' | 'last' = 'last'): void {
      const key = keyOf(news)
      const waiting = turns.get(key) ?? []
      if (place === 'first') waiting.unshift(news)
      else waiting.push(news)
      turns.set(key, waiting)
      tally(news, 1)
    },
    /** The next one that may go; whoever it belongs to is the last in turn from then on. What is too old is dropped. */
    next(mayGo: (news: News) => boolean): News | undefined {
      for (const [key, waiting] of turns) {
        while (waiting[0] && waiting[0].oursUntil < performance.now()) take(key, waiting) // a sweep has it by now
        if (!waiting[0] || !mayGo(waiting[0])) continue
        const news = take(key, waiting)
        if (turns.delete(key)) turns.set(key, waiting)
        return news
      }
      return undefined
    },
  }
}
