import { dayMs } from '../../domain/duration.ts'
import type { EntityManager } from './database.ts'

/**
 * Counts something of a subject, and returns how much of it was counted before in the same day. A day of real time
 * begins with the first of it. The row has the day's end in place of its beginning, so that it is not purged before.
 */
export async function countInDay(em: EntityManager, subject: string, amount: number, now: number): Promise<number> {
  const [row] = await em.execute<{ hits: number }[]>(
    `insert into rate_windows as w (subject, window_start, hits) values (?, ?, ?)
     on conflict (subject) do update set
       hits = excluded.hits + case when w.window_start > ? then w.hits else 0 end,
       window_start = case when w.window_start > ? then w.window_start else excluded.window_start end
     returning hits`,
    [subject, new Date(now + dayMs), amount, new Date(now), new Date(now)],
  )
  return (row?.hits ?? amount) - amount
}
