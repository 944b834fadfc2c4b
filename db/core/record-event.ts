import { type EventType, testEventId } from '../../domain/webhook/event.ts'
import { idAfter, newId } from '../../domain/id.ts'
import { aboutDelivery } from '../../domain/webhook/process.ts'
import type { DeliveryTrigger } from '../../domain/webhook/delivery.ts'
import { isSubscribed } from '../../domain/webhook/endpoint.ts'
import type { Tenant } from './columns.ts'
import { clockOf, type ClockTime, type EntityManager, writtenAt } from './database.ts'
import { runPrepared } from './prepared-statement.ts'
import { clockTimeOf, type OnClock } from './test-clock.ts'
import { Event } from '../webhook/event.ts'
import { startProcess } from './start-process.ts'
import { Delivery } from '../webhook/endpoint.ts'

/** What happened to which resource; `data` is the event's payload, already in the interface's shape. */
export type NewEvent = { type: EventType; resourceId: string; data: Record<string, unknown> }

/**
 * Records an event in the running transaction: its bytes, which are the same for every attempt; its sequence number;
 * one delivery for each endpoint that receives it; and an outbox row that starts each delivery's process. An endpoint
 * that is switched off gets a skipped delivery, which can be sent later. The event's time is the moment at which it is
 * written: `at`, or later. Events of one commit are listed in the order in which they are recorded. An event about a
 * row on another clock than the commit (`other`) has the time of that clock, and the commit goes on by its own.
 */
export async function recordEvent(
  em: EntityManager,
  owner: Tenant,
  newEvent: NewEvent,
  at: number,
  other: ClockTime | null = null,
): Promise<Event> {
  const { isConnected, listening } = await listenersOf(em, owner, other ?? clockOf(em))
  const before = other ? undefined : newest.get(em)
  const moment = other?.time ?? Math.max(await writtenAt(em, at), before?.createdAt.getTime() ?? 0)
  const id = before?.createdAt.getTime() === moment ? idAfter(before.id) : newId('evt', moment)
  const event = freeze(em, owner, newEvent, { id, at: moment, isConnected, isTest: false })
  if (!other) newest.set(em, event)
  for (const endpoint of listening) {
    const target = { ...endpoint, clockId: endpoint.clockId ?? other?.id ?? null }
    if (isSubscribed(endpoint.events, event.type)) addDelivery(em, event, target, { trigger: 'automatic', at: moment })
  }
  return event
}

/**
 * The last event recorded in a commit. Lists are sorted by time and then by id. Ids are random except within one
 * commit, where each follows the one before.
 */
const newest = new WeakMap<EntityManager, Event>()

/**
 * Records a test event, with which a merchant tries out an endpoint. It goes to this endpoint only, whatever the
 * endpoint's filter says.
 */
export async function recordTestEvent(
  em: EntityManager,
  endpoint: DeliveryTarget & Tenant,
  newEvent: NewEvent,
  at: number,
): Promise<Delivery> {
  const { isConnected } = await listenersOf(em, endpoint, clockOf(em))
  const event = freeze(em, endpoint, newEvent, { id: newId('evt', at), at, isConnected, isTest: true })
  const clockTime = await clockTimeOf(em, endpoint)
  return addDelivery(em, event, endpoint, { trigger: 'test', at: clockTime ?? at })
}

type Freezing = { id: string; at: number; isConnected: boolean; isTest: boolean }

function freeze(em: EntityManager, owner: Tenant, newEvent: NewEvent, freezing: Freezing): Event {
  const { id, at, isConnected, isTest } = freezing
  const { type, resourceId, data } = newEvent
  const { accountId, environment } = owner
  const createdAt = new Date(at)
  const envelope = {
    id: isTest ? testEventId : id,
    type,
    created_at: createdAt.toISOString(),
    ...(isConnected && { account_id: accountId }), // a platform needs to know which connected account it is about
    data,
  }
  const body = JSON.stringify(envelope)
  return em.create(Event, { accountId, environment, id, type, resourceId, body, createdAt, isTest })
}

/**
 * An endpoint that an event may go to: what `addDelivery` needs to know of it. `clockTime` is the time of its test
 * clock.
 */
export type DeliveryTarget = { id: string; accountId: string; enabled: boolean; clockTime?: string | null } & OnClock

/**
 * Adds a delivery of an event to an endpoint and starts its process by way of the outbox. The delivery is skipped when
 * the endpoint is switched off.
 */
export function addDelivery(
  em: EntityManager,
  event: Pick<Event, 'id' | 'environment' | 'type' | 'resourceId'>,
  endpoint: DeliveryTarget,
  { trigger, attemptsMax = 5, at }: { trigger: DeliveryTrigger; attemptsMax?: number; at: number },
): Delivery {
  const { environment, type } = event
  const moment = new Date(endpoint.clockTime ?? at)
  const delivery = em.create(Delivery, {
    accountId: endpoint.accountId,
    environment,
    trigger,
    attemptsMax,
    id: newId('dlv', at),
    eventId: event.id,
    eventType: type,
    clockId: endpoint.clockId ?? null,
    endpointId: endpoint.id,
    status: endpoint.enabled ? 'pending' : 'skipped',
    nextAttemptAt: endpoint.enabled ? moment : null,
    createdAt: moment,
    completedAt: endpoint.enabled ? null : moment,
  })
  if (endpoint.enabled) startProcess(em, 'webhook-delivery', delivery.id, aboutDelivery(event, endpoint), endpoint.id)
  return delivery
}

type Listeners = { isConnected: boolean; listening: (DeliveryTarget & { events: string[] })[] }

const known = new WeakMap<EntityManager, Map<string, Listeners>>()

/**
 * Every endpoint that may receive an account's events: its own, and those of the platform it is connected to. The
 * receiver of a scenario receives only what happens on the scenario's clock.
 */
async function listenersOf(
  em: EntityManager,
  { accountId, environment }: Tenant,
  clock: ClockTime | null,
): Promise<Listeners> {
  const seen = known.get(em) ?? new Map<string, Listeners>() // a commit with several events reads the endpoints once
  known.set(em, seen)
  const place = `${accountId} ${clock?.id ?? ''}`
  const found = seen.get(place)
  if (found) return found
  const rows = await runPrepared<DeliveryTarget & { events: string[]; isConnected: boolean }>(
    em,
    `select a.owner_id is not null as "isConnected", e.id, e.account_id as "accountId",
       e.events, e.clock_id as "clockId",
       (select c.frozen_time from test_clocks c where c.id = e.clock_id) as "clockTime",
       e.enabled and e.url is not null as enabled
     from accounts a left join webhook_endpoints e on e.environment = $2 and (
       (e.account_id = a.id and e.account_scope in ('own', 'all')) or
       (e.account_id = a.owner_id and e.account_scope in ('connected', 'all')))
       and (e.simulated_answers is null or e.clock_id = $3)
     where a.id = $1 order by e.created_at, e.id`,
    [accountId, environment, clock?.id ?? null],
  )
  const listeners = { isConnected: rows[0]?.isConnected ?? false, listening: rows.filter(({ id }) => id !== null) }
  seen.set(place, listeners)
  return listeners
}
