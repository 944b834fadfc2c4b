import Type, { type Static } from 'typebox'
import type { EntityManager } from '../../db/core/database.ts'
import { recordTestEvent } from '../../db/core/record-event.ts'
import { Delivery, DeliveryAttempt } from '../../db/webhook/endpoint.ts'
import { Event } from '../../db/webhook/event.ts'
import { eventTypes, testEventId } from '../../domain/webhook/event.ts'
import { Refusal } from '../../domain/refusal.ts'
import { eventsKeptMs } from '../../domain/retention.ts'
import { deliveryStatuses } from '../../domain/webhook/delivery.ts'
import { idParameter, page, pageQuery } from '../../schemas/common.ts'
import {
  presentDelivery,
  presentDeliveryWithBody,
  WebhookDeliveryWithBody,
  WebhookDelivery,
} from '../../schemas/webhook/delivery.ts'
import { testPayload } from '../../schemas/webhook/event.ts'
import type { Tenant } from '../../db/core/columns.ts'
import { countInRange, hasCountedHours, type Range } from '../../db/core/counted-hours.ts'
import { createdRange, whereMatching } from '../http/filters.ts'
import { operation } from '../http/operation.ts'
import { listPage } from '../http/pagination.ts'
import { assertEnabled, EndpointId, findEndpoint } from './endpoint.ts'

const managed = { tag: 'Webhooks', auth: ['apiKey'] } as const

/** Deliveries with their attempts. */
export async function showDeliveries(em: EntityManager, rows: Delivery[]): Promise<Static<typeof WebhookDelivery>[]> {
  const deliveryId = { $in: rows.map((row) => row.id) }
  const attempts = await em.find(DeliveryAttempt, { deliveryId }, { orderBy: { number: 'asc' } })
  const byDelivery = Map.groupBy(attempts, (attempt) => attempt.deliveryId)
  return rows.map((row) => presentDelivery(row, byDelivery.get(row.id) ?? []))
}

export const listDeliveries = operation({
  ...managed,
  method: 'get',
  path: '/v1/webhooks/endpoints/{endpoint_id}/deliveries',
  summary: 'List the deliveries to an endpoint with their attempts, newest first',
  scope: 'webhooks:read',
  params: EndpointId,
  query: Type.Object({
    ...pageQuery,
    status: Type.Optional(Type.Enum([...deliveryStatuses])),
    type: Type.Optional(Type.Enum([...eventTypes])),
    ...createdRange,
  }),
  returns: [200, page(WebhookDelivery)],
  refuses: ['NOT_FOUND'],

  async handle({ params, query, caller, em, services }) {
    const { id: endpointId } = await findEndpoint(em, caller, params.endpoint_id)
    const where = { ...whereMatching(caller, query, { status: 'status', type: 'eventType' }), endpointId }
    const total = totalOfTime(em, endpointId, where)
    const { rows, pagination } = await listPage({ em, services }, Delivery, where, query, undefined, total)
    return { items: await showDeliveries(em, rows), pagination }
  },
})

/**
 * How many deliveries of an endpoint match, if a time is asked for. They are counted by the endpoint, whose index has
 * all that is counted; the account, which is the endpoint's, is not in it.
 */
function totalOfTime(em: EntityManager, endpointId: string, where: Tenant & { createdAt?: Range }) {
  const { accountId, environment, createdAt, ...ofEndpoint } = where
  if (!createdAt) return undefined
  const list = { accountId, environment, tableName: 'deliveries', facet: endpointId }
  return hasCountedHours('deliveries', ofEndpoint)
    ? countInRange(em.fork(), Delivery, ofEndpoint, list, createdAt)
    : em.fork().count(Delivery, { ...ofEndpoint, createdAt })
}

/** Events are kept for 90 days. An older one is refused like one that does not exist. */
export const isKept = (now: number) => ({ $gt: new Date(now - eventsKeptMs) })

export const getDelivery = operation({
  ...managed,
  method: 'get',
  path: '/v1/webhooks/deliveries/{delivery_id}',
  summary: 'Read a delivery with its attempts and the body that it sends, also if its endpoint was deleted since',
  scope: 'webhooks:read',
  params: Type.Object({ delivery_id: idParameter('dlv') }),
  returns: [200, WebhookDeliveryWithBody],
  refuses: ['NOT_FOUND'],

  async handle({ params, caller: { accountId, environment }, em, now }) {
    const row = await em.findOne(Delivery, { id: params.delivery_id, accountId, environment })
    if (!row) throw new Refusal('NOT_FOUND', 'no such webhook delivery')
    const attempts = await em.find(DeliveryAttempt, { deliveryId: row.id }, { orderBy: { number: 'asc' } })
    return presentDeliveryWithBody(row, attempts, await em.findOne(Event, { id: row.eventId, createdAt: isKept(now) }))
  },
})

export const testEndpoint = operation({
  ...managed,
  method: 'post',
  path: '/v1/webhooks/endpoints/{endpoint_id}/test',
  summary: 'Send a test event to an endpoint, whatever its filter',
  scope: 'webhooks:write',
  params: EndpointId,
  body: Type.Object(
    { type: Type.Optional(Type.Enum([...eventTypes], { default: 'collection.succeeded' })) },
    { $id: 'TestWebhookEndpoint' },
  ),
  returns: [
    200,
    Type.Object({ event_id: Type.Literal(testEventId), delivery: WebhookDelivery }, { $id: 'TestedWebhookEndpoint' }),
  ],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, body: { type = 'collection.succeeded' }, caller, em, now }) {
    const row = await findEndpoint(em, caller, params.endpoint_id)
    assertEnabled(row)
    const delivery = await recordTestEvent(em, row, { type, resourceId: row.id, data: testPayload(type, now) }, now)
    return { event_id: testEventId, delivery: presentDelivery(delivery, []) }
  },
})
