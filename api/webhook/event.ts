import Type from 'typebox'
import type { Tenant } from '../../db/core/columns.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { countInRange, type Range } from '../../db/core/counted-hours.ts'
import { countedRows, isCounted } from '../../db/core/row-count.ts'
import { Event } from '../../db/webhook/event.ts'
import { addDelivery } from '../../db/core/record-event.ts'
import { clockTimeOf } from '../../db/core/test-clock.ts'
import { Delivery, WebhookEndpoint } from '../../db/webhook/endpoint.ts'
import { eventTypes } from '../../domain/webhook/event.ts'
import { Refusal } from '../../domain/refusal.ts'
import { shownDeliveriesMax } from '../../domain/webhook/delivery.ts'
import { isSubscribed, coversAccount } from '../../domain/webhook/endpoint.ts'
import { id, idParameter, page, pageQuery } from '../../schemas/common.ts'
import { WebhookDelivery } from '../../schemas/webhook/delivery.ts'
import { eventFields, presentEvent, WebhookEvent } from '../../schemas/webhook/event.ts'
import { createdRange, whereMatching } from '../http/filters.ts'
import { type Caller, operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import { isKept, showDeliveries } from './delivery.ts'
import { assertEnabled, assertNotSimulated, findEndpoint } from './endpoint.ts'

const managed = { tag: 'Webhooks', auth: ['apiKey'] } as const

export const listEvents = operation({
  ...managed,
  method: 'get',
  path: '/v1/webhooks/events',
  summary: 'List events, newest first, also those that were sent to no endpoint',
  scope: 'webhooks:read',
  query: Type.Object({
    ...pageQuery,
    ...createdRange,
    type: Type.Optional(Type.Enum([...eventTypes])),
    resource_id: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  returns: [200, page(WebhookEvent)],
  refuses: [],

  async handle({ query, caller, em, services, now }) {
    const filters = whereMatching(caller, query, { type: 'type', resource_id: 'resourceId' })
    const where = { ...filters, ...unpurged, $and: [{ createdAt: isKept(now) }] }
    const total = totalOfKept(em, filters, now)
    const { rows, pagination } = await listPage({ em, services }, Event, where, query, undefined, total)
    return { items: rows.map(presentEvent), pagination }
  },
})

/** What the indexes and the counts of the list hold. A body is purged an hour after its event has left the list. */
const unpurged = { isTest: false, body: { $ne: '' } }

/**
 * How many events of the list match: those that were counted as they came, less the few that will be purged soon.
 * Undefined with filters whose events have to be counted by reading.
 */
function totalOfKept(em: EntityManager, filters: Tenant & { createdAt?: Range }, now: number) {
  const { accountId, environment, createdAt, ...sent } = filters
  if (createdAt && Object.keys(sent).length === 0) {
    const { $gt: kept } = isKept(now)
    const range = { ...createdAt, $gt: createdAt.$gt && createdAt.$gt > kept ? createdAt.$gt : kept }
    const list = { accountId, environment, tableName: 'events' }
    return countInRange(em, Event, { accountId, environment, ...unpurged }, list, range)
  }
  if (createdAt || !isCounted('events', sent)) return undefined
  const count = async () => {
    const over = await em.count(Event, { ...filters, ...unpurged, $not: { createdAt: isKept(now) } })
    return (await countedRows(em, 'events', { accountId, environment }, sent)) - over
  }
  return count()
}

const EventId = Type.Object({ event_id: idParameter('evt') })

/** An event of the caller's own, or of a connected account if it was sent to an endpoint of the caller's. */
async function findEvent(
  em: EntityManager,
  { accountId, environment }: Caller,
  eventId: string,
  now: number,
): Promise<Event> {
  // On a clock in the past a body is deleted by the real time while its event is still kept by the clock.
  const event = await em.findOne(Event, { id: eventId, environment, ...unpurged, createdAt: isKept(now) })
  const isTheirs = event?.accountId === accountId || (event && (await em.count(Delivery, { eventId, accountId })) > 0)
  if (!event || !isTheirs) throw new Refusal('NOT_FOUND', 'no such event')
  return event
}

export const getEvent = operation({
  ...managed,
  method: 'get',
  path: '/v1/webhooks/events/{event_id}',
  summary: 'Read an event, with its deliveries to your endpoints and their attempts',
  scope: 'webhooks:read',
  params: EventId,
  returns: [
    200,
    Type.Object({ ...eventFields, deliveries: Type.Array(WebhookDelivery) }, { $id: 'WebhookEventWithDeliveries' }),
  ],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller, em, now }) {
    const event = await findEvent(em, caller, params.event_id, now)
    const mine = { eventId: event.id, accountId: caller.accountId }
    const newest = { orderBy: { createdAt: 'desc', id: 'desc' }, limit: shownDeliveriesMax } as const
    const rows = await em.find(Delivery, mine, newest)
    return { ...presentEvent(event), deliveries: await showDeliveries(em, rows.toReversed()) }
  },
})

export const resendEvent = operation({
  ...managed,
  method: 'post',
  path: '/v1/webhooks/events/{event_id}/resend',
  summary: 'Send an event again, to one endpoint or to all whose filter includes it',
  scope: 'webhooks:write',
  params: EventId,
  body: Type.Object(
    {
      endpoint_id: Type.Optional({
        ...idParameter('we'),
        description: 'Sent to this one whatever its filter. Left out: to all enabled ones whose filter includes it.',
      }),
    },
    { $id: 'ResendWebhookEvent' },
  ),
  returns: [
    200,
    Type.Object({ event_id: id('evt'), deliveries: Type.Array(WebhookDelivery) }, { $id: 'ResentWebhookEvent' }),
  ],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, caller, em, now }) {
    const event = await findEvent(em, caller, params.event_id, now)
    const endpoints = await receiversOf(em, caller, event, body.endpoint_id)
    await assertNotHeld(em, event, endpoints)
    const rows = await resend(em, event, endpoints, now)
    return { event_id: event.id, deliveries: await showDeliveries(em, rows) }
  },
})

/** The endpoints to which an event is sent again. */
async function receiversOf(em: EntityManager, caller: Caller, event: Event, endpointId: string | undefined) {
  if (endpointId !== undefined) {
    const named = await findEndpoint(em, caller, endpointId)
    assertEnabled(named)
    assertNotSimulated(named)
    return [named]
  }
  const { accountId, environment } = caller
  const orderBy = { createdAt: 'asc', id: 'asc' } as const
  const where = { accountId, environment, enabled: true, simulatedAnswers: null }
  const enabled = await em.find(WebhookEndpoint, where, { orderBy })
  const isOwn = event.accountId === accountId
  return enabled.filter((row) => isSubscribed(row.events, event.type) && coversAccount(row.accountScope, isOwn))
}

/** Refuses to send an event again where staff hold its delivery: the hold is for the event, whoever sends it. */
async function assertNotHeld(em: EntityManager, event: Event, endpoints: WebhookEndpoint[]): Promise<void> {
  const endpointId = { $in: endpoints.map((endpoint) => endpoint.id) }
  const held = await em.findOne(Delivery, { eventId: event.id, endpointId, onHoldSince: { $ne: null } })
  if (!held) return
  const what = `the delivery ${held.id} of this event to ${held.endpointId}`
  throw new Refusal('CONFLICT', `${what} is on hold by the platform: nothing is sent until it is released`)
}

/** Creates deliveries with a single attempt, made at once. An earlier one that is still retried is not changed. */
async function resend(em: EntityManager, event: Event, endpoints: WebhookEndpoint[], now: number): Promise<Delivery[]> {
  const rows: Delivery[] = []
  for (const endpoint of endpoints) {
    const at = (await clockTimeOf(em, endpoint)) ?? now
    rows.push(addDelivery(em, event, endpoint, { trigger: 'manual', attemptsMax: 1, at }))
  }
  return rows
}
