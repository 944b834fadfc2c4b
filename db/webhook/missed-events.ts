import { hourMs, minuteMs } from '../../domain/duration.ts'
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

/** So many of an endpoint’s oldest deliveries with a status are looked through for events that are still missed. */
const lookMax = 1_000
/** An event is not told of in its last hour, so that a recovery can still be ordered from the moment that is told. */
const toldMs = eventsKeptMs - hourMs

/**
 * The time of the oldest event that a delivery with this status has missed, and that was not delivered since. The index
 * `deliveries_unheard` has these deliveries in order; `offset 0` keeps the order in which all this is read. A delivery
 * may be much later than its event, as those of recoveries are, so what is looked through is sorted by event: the id of
 * an event begins with its time.
 *
 * Where there are more deliveries, the answer is no later than the last one that is looked through, and no later than
 * what the recoveries were ordered from that may have made the others: these miss no earlier event. An old event that
 * somebody has sent again by itself is left out if its delivery is behind a thousand others.
 */
const oldestMissed = (status: 'failed' | 'skipped') => `(
  with looked as materialized (
    select event_id, event_type, created_at from deliveries
    where endpoint_id = e.id and status = '${status}' and created_at > a.made_after
    order by created_at, id limit ${lookMax}
  )
  select least(
    (select f.created_at from (select * from looked order by event_id) d cross join lateral (
       select created_at from events
       where id = d.event_id and created_at > a.told_after and not is_test and body <> ''
         and (e.account_scope = 'all' or (e.account_scope = 'own') = (account_id = e.account_id)) offset 0
     ) f
     where (e.events @> '{*}' or d.event_type = any(e.events)) and not exists (
       select from (select endpoint_id, status from deliveries where event_id = d.event_id offset 0) h
       where h.endpoint_id = e.id and h.status in ('pending', 'succeeded')
     ) order by d.event_id limit 1),
    (select least(last.made_at, (
       select min(greatest(since, a.told_after)) from webhook_recoveries
       where endpoint_id = e.id and sent_count > 0 and (completed_at is null or completed_at >= last.made_at)
     )) from (select max(created_at) as made_at from looked having count(*) = ${lookMax}) last)
  ))`

const missedSinceSql = `
  select e.id as "endpointId", least(${oldestMissed('failed')}, ${oldestMissed('skipped')}) as since
  from webhook_endpoints e
  cross join (select ?::timestamptz as made_after, ?::timestamptz as told_after) a where e.id in (?)`

/**
 * Since when endpoints have missed events that a recovery would send: none before that moment is missed. Null: none is.
 * `at` is the time of the endpoints, which is that of their test clock where they are on one, and `now` the caller's.
 */
export async function readMissedSince(
  em: EntityManager,
  endpointIds: string[],
  { at, now }: { at: number; now: number },
): Promise<{ endpointId: string; since: Date | null }[]> {
  if (endpointIds.length === 0) return []
  const [madeAfter, toldAfter] = [new Date(Math.min(at, now) - toldMs), new Date(now - toldMs)]
  const rows = await em.execute<{ endpointId: string; since: string | null }[]>(missedSinceSql, [
    madeAfter,
    toldAfter,
    endpointIds,
  ])
  return rows.map(({ endpointId, since }) => ({ endpointId, since: since === null ? null : new Date(since) }))
}
