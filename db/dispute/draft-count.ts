import { dayMs } from '../../domain/duration.ts'
import type { Tenant } from '../core/columns.ts'
import type { EntityManager } from '../core/database.ts'

/**
 * Counts a draft of evidence, and returns how many kilobytes the drafts of its account have taken before it in the same
 * day. A day of real time begins with the first draft. The row has the day's end in place of its beginning, so that it
 * is not purged before.
 */
export async function countDraft(
  em: EntityManager,
  { accountId, environment }: Tenant,
  kilobytes: number,
  now: number,
): Promise<number> {
  const [row] = await em.execute<{ hits: number }[]>(
    `insert into rate_windows as w (subject, window_start, hits) values (?, ?, ?)
     on conflict (subject) do update set
       hits = excluded.hits + case when w.window_start > ? then w.hits else 0 end,
       window_start = case when w.window_start > ? then w.window_start else excluded.window_start end
     returning hits`,
    [`drafts:${accountId}:${environment}`, new Date(now + dayMs), kilobytes, new Date(now), new Date(now)],
  )
  return (row?.hits ?? kilobytes) - kilobytes
}
