import { minuteMs } from '../../domain/duration.ts'
import { eventsKeptMs } from '../../domain/retention.ts'
import type { EntityManager } from '../core/database.ts'
import type { WebhookEndpoint, WebhookRecovery } from './endpoint.ts'
import type { Event } from './event.ts'

/** The most events that one look checks. */
const scanMax = 1_000
/** The span of time that is read first. Each further one is longer, as so many have found too little. */
const firstSpanMs = minuteMs
const longerBy = 4

type Scanned = Pick<Event, 'id' | 'environment' | 'type' | 'resourceId'> & { createdAt: string; isMissed: boolean }
export type Missed = { missed: Scanned[]; end: Scanned | undefined; isLast: boolean }
type Place = { at: Date; id: string }
type Receiving = Pick<WebhookEndpoint, 'id' | 'accountId' | 'environment' | 'accountScope' | 'events'>
type Recovering = Pick<WebhookRecovery, 'since' | 'until' | 'positionAt' | 'positionId'>

/**
 * The next events in the recovery's span that were not delivered to the endpoint and are not on their way to it, at
 * most `max` of them, oldest first; `end` is the last event that was checked. The span is read piece by piece, as the
 * events of many accounts would else all be sorted to find the first of them.
 */
export async function findMissed(
  em: EntityManager,
  { positionAt, positionId, until, ...recovery }: Recovering,
  endpoint: Receiving,
  { max, at }: { max: number; at: number },
): Promise<Missed> {
  // a long recovery may reach events that are already deleted
  const since = new Date(Math.max(recovery.since.getTime(), at - eventsKeptMs))
  let after: Place =
    positionAt && positionAt >= since ? { at: positionAt, id: positionId ?? '' } : { at: since, id: '' }
  const rows: Scanned[] = []
  for (let spanMs = firstSpanMs; after.at < until && rows.length < scanMax; spanMs *= longerBy) {
    const to = new Date(Math.min(after.at.getTime() + spanMs, until.getTime()))
    rows.push(...(await scan(em, endpoint, { after, to, count: scanMax - rows.length })))
    const missed = rows.filter(({ isMissed }) => isMissed)
    if (missed.length > max) return { missed: missed.slice(0, max), end: missed[max - 1], isLast: false }
    after = { at: to, id: '' }
  }
  return { missed: rows.filter(({ isMissed }) => isMissed), end: rows.at(-1), isLast: rows.length < scanMax }
}

/** The first events of a span. Of each account no more are read than are wanted, by the index of its events. */
function scan(
  em: EntityManager,
  { id, accountId, environment, accountScope, events }: Receiving,
  { after, to, count }: { after: Place; to: Date; count: number },
): Promise<Scanned[]> {
  return em.execute<Scanned[]>(
    `select f.id, f.environment, f.type, f.resource_id as "resourceId", f.created_at as "createdAt",
       (? or f.type in (?)) and not exists (
         select from deliveries d where d.event_id = f.id and d.endpoint_id = ? and d.status in ('pending', 'succeeded')
       ) as "isMissed"
     from (
       select e.* from accounts a cross join lateral (
         select id, environment, type, resource_id, created_at from events
         where account_id = a.id and environment = ? and not is_test and body <> ''
           and created_at >= ? and (created_at, id) > (?, ?) and created_at < ?
         order by created_at, id limit ?
       ) e where (a.id = ? and ?) or (a.owner_id = ? and ?)
       order by e.created_at, e.id limit ?
     ) f order by f.created_at, f.id`,
    [
      events.includes('*'),
      events,
      id,
      environment,
      after.at,
      after.at,
      after.id,
      to,
      count,
      accountId,
      accountScope !== 'connected',
      accountId,
      accountScope !== 'own',
      count,
    ],
  )
}
