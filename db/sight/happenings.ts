import type { EntityManager } from '../core/database.ts'
import type { Actor } from '../../domain/sight/timeline.ts'

type Happening = {
  at: Date
  resourceId: string
  status: string
  actor: Actor
  errorCode: string | null
  eventIds: string[]
  ledgerTransactionIds: string[]
}

/**
 * What has happened to the members of a test clock since an item of the timeline, and after a moment: changes of their
 * status, attempts to deliver, deliveries that came to nothing, and what became of failing endpoints. In the order of
 * the clock's time; at one moment by resource, and of one resource as it happened.
 */
export async function readHappenings(
  em: EntityManager,
  clockId: string,
  { afterItem, from, to }: { afterItem: bigint; from: Date; to: Date },
): Promise<Happening[]> {
  const rows = await em.execute<(Omit<Happening, 'at'> & { at: string })[]>(
    `select at, resource_id as "resourceId", status, actor, error_code as "errorCode", event_ids as "eventIds",
       ledger_transaction_ids as "ledgerTransactionIds" from (
       select id as number, at, resource_id, status, actor, error_code, event_ids, ledger_transaction_ids
       from timeline_items where clock_id = ? and id > ?
       union all select a.number, a.at, d.id, 'attempt', 'system', a.error, array[d.event_id], '{}'
       from delivery_attempts a join deliveries d on d.id = a.delivery_id where d.clock_id = ? and a.at between ? and ?
       union all select 6, completed_at, id, status, 'system', null, array[event_id], '{}'
       from deliveries where clock_id = ? and completed_at between ? and ? and status in ('failed', 'skipped')
       union all select 1, warned_at, id, 'warned', 'system', null, '{}', '{}'
       from webhook_endpoints where clock_id = ? and warned_at between ? and ?
       union all select 2, disabled_at, id, 'disabled', 'system', disabled_reason, '{}', '{}'
       from webhook_endpoints where clock_id = ? and disabled_at between ? and ?) happened
     order by at, resource_id, number`,
    [clockId, afterItem, ...Array.from({ length: 4 }, () => [clockId, from, to]).flat()],
  )
  return rows.map((row) => ({ ...row, at: new Date(row.at) }))
}

/** The last item of the timeline, of whatever resource: what comes later has a higher number. */
export async function lastItem(em: EntityManager): Promise<bigint> {
  const [row] = await em.execute<{ id: string }[]>('select coalesce(max(id), 0) as id from timeline_items')
  return BigInt(row?.id ?? 0)
}

/** The ids of a clock's members that the timeline tells of, in the order in which it first does. */
export async function membersInOrder(em: EntityManager, clockId: string): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(
    'select resource_id as id from timeline_items where clock_id = ? group by resource_id order by min(id)',
    [clockId],
  )
  return rows.map(({ id }) => id)
}
