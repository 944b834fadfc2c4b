import type { Database } from '../../db/core/database.ts'
import { runPrepared } from '../../db/core/prepared-statement.ts'
import { isDiskFull } from '../../engine/unavailable.ts'

/** The state of a rate limit in the current minute. `resetAt` is in Unix seconds. */
export type RateLimitState = { limit: number; remaining: number; resetAt: number; allowed: boolean }

const windowMs = 60_000

/**
 * Whether a stored minute is still the current one, or the next one that another process has just begun. A minute that
 * lies further ahead was counted by a clock that was wrong: it must refuse nobody until that minute comes.
 */
const isCounting = `w.window_start between excluded.window_start and excluded.window_start + interval '1 minute'`

const countCalls = `insert into rate_windows as w (subject, window_start, hits)
  select subject, $3::timestamptz, hits from unnest($1::text[], $2::int[]) as called (subject, hits)
  on conflict (subject) do update set
    hits = case when ${isCounting} then w.hits else 0 end + excluded.hits,
    window_start = case when ${isCounting} then w.window_start else excluded.window_start end
  returning subject, hits`

type Waiting = { subject: string; windowStart: number; answer: (hits: number) => void; fail: (error: unknown) => void }

/**
 * Counts calls per subject in fixed minutes. The counts are in the database, so they are exact across all API
 * processes. Calls that arrive while a count is under way are counted together in the next one, so that under load a
 * call costs far less than a round trip. A subject over its limit is refused from memory until its minute ends. While
 * the database's disk is full, each process counts for itself, so that what only reads goes on.
 */
export function createRateLimiter({ orm }: Database) {
  const full = new Map<string, number>()
  const countHere = createOwnCount()
  let batch: Waiting[] = []
  let counting = false

  async function countBatches(): Promise<void> {
    counting = true
    for (let [first] = batch; first; [first] = batch) {
      const { windowStart } = first
      const hits = batch.filter((hit) => hit.windowStart === windowStart) // another minute is counted by itself
      batch = batch.filter((hit) => hit.windowStart !== windowStart)
      try {
        giveOut(hits, await count(hits, windowStart))
      } catch (error) {
        if (isDiskFull(error)) giveOut(hits, countHere(hits, windowStart))
        else for (const hit of hits) hit.fail(error)
      }
    }
    counting = false
  }

  async function count(hits: Waiting[], windowStart: number): Promise<Map<string, number>> {
    const bySubject = Map.groupBy(hits, (hit) => hit.subject)
    const subjects = [...bySubject.keys()].toSorted() // one order for all processes: no deadlock
    const counts = subjects.map((subject) => bySubject.get(subject)?.length ?? 0)
    const rows = await runPrepared<{ subject: string; hits: number }>(orm.em.fork(), countCalls, [
      subjects,
      counts,
      new Date(windowStart),
    ])
    return new Map(rows.map((row) => [row.subject, row.hits]))
  }

  return {
    /** Counts one call of the subject at `now` (ms since the epoch) and says whether it is within `limit` a minute. */
    async hit(subject: string, limit: number, now: number): Promise<RateLimitState> {
      const windowStart = now - (now % windowMs)
      const resetAt = (windowStart + windowMs) / 1000
      if (full.get(subject) === windowStart) return { limit, remaining: 0, resetAt, allowed: false }
      const hits = await new Promise<number>((answer, fail) => {
        batch.push({ subject, windowStart, answer, fail })
        if (!counting) void countBatches()
      })
      if (hits >= limit) {
        if (full.size > 10_000) full.clear()
        full.set(subject, windowStart)
      }
      return { limit, remaining: Math.max(0, limit - hits), resetAt, allowed: hits <= limit }
    },
  }
}

/** Counts the calls of a minute in memory. */
function createOwnCount(): (hits: Waiting[], windowStart: number) => Map<string, number> {
  const totals = new Map<string, number>()
  let minute = 0
  return (hits, windowStart) => {
    if (minute !== windowStart) totals.clear()
    minute = windowStart
    for (const { subject } of hits) totals.set(subject, (totals.get(subject) ?? 0) + 1)
    return totals
  }
}

/** Each call of a batch gets its own place in the count, in the order of arrival. */
function giveOut(hits: Waiting[], totals: Map<string, number>): void {
  const left = new Map(totals)
  for (const hit of hits.toReversed()) {
    const place = left.get(hit.subject) ?? Infinity
    left.set(hit.subject, place - 1)
    hit.answer(place)
  }
}
