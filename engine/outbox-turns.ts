import type { Queue } from '../db/overloaded-account.ts'
import type { Telling } from './engine.ts'

/** A row without its entity, which would keep all that its transaction has read in memory. */
export type Promised = Telling & { id: bigint; attempts: number }

/** The rows of one commit and lane, in their order. */
export type News = {
  rows: Promised[]
  queue: Queue
  /** The first part of their turn: `main/begin`, `webhooks/go on`. */
  kind: string
  /** How many processes they start. */
  starts: number
  /** Whether a sweep has found them; else they were committed by this process. */
  isSwept: boolean
  /** Until when, by performance.now(), no other relay looks at them. */
  oursUntil: number
}

/** What waits to be told, each merchant's in its order, and merchants in turns. */
export function createTurns() {
  const turns = new Map<string, News[]>()
  const swept = new Map<string, number>()
  let count = 0

  function take(key: string, waiting: News[]): News | undefined {
    const news = waiting.shift()
    if (waiting.length === 0) turns.delete(key)
    if (!news) return undefined
    count -= 1
    if (news.isSwept) swept.set(news.kind, (swept.get(news.kind) ?? 0) - 1)
    return news
  }

  return {
    count: () => count,
    /** How many of a kind a sweep has found. */
    swept: (kind: string) => swept.get(kind) ?? 0,
    add(news: News): void {
      const key = `${news.kind}/${news.rows[0]?.about.accountId}`
      const waiting = turns.get(key) ?? []
      waiting.push(news)
      turns.set(key, waiting)
      count += 1
      if (news.isSwept) swept.set(news.kind, (swept.get(news.kind) ?? 0) + 1)
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
