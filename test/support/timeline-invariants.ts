import { trackedResources } from '../../db/sight/tracked.ts'

const items = `(select resource_id, id, from_status, status, lag(status) over each as previous,
    row_number() over each as number, row_number() over (partition by resource_id order by id desc) as from_last
  from timeline_items window each as (partition by resource_id order by id)) i`

const rows = trackedResources
  .map(
    ({ table, initial, initialSql = `'${initial}'`, statusSql, creatorOf }) =>
      `select id, ${statusSql} as status, ${initialSql} as initial, ${creatorOf === null} as begins from ${table}`,
  )
  .join(' union all ')

/** What must hold for the timeline in any database. */
export const rules: Record<string, string> = {
  'every change of a status has exactly one item in the timeline': `
    select i.resource_id, i.from_status, i.status, i.previous, r.status as now from ${items}
    left join (${rows}) r on r.id = i.resource_id
    where r.id is null
      or (i.number = 1 and r.begins and (i.from_status is not null or i.status <> r.initial))
      or (i.number = 1 and not r.begins and i.from_status is distinct from r.initial)
      or (i.number > 1 and i.from_status is distinct from i.previous)
      or (i.from_last = 1 and i.status <> r.status)`,
  'a resource whose status has changed has a timeline': `
    select r.id, r.status from (${rows}) r
    where (r.begins or r.status <> r.initial)
      and not exists (select from timeline_items i where i.resource_id = r.id)`,
}
