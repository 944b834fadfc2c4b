import Type, { type Static } from 'typebox'
import type { EntityManager } from '../db/database.ts'
import { recordTest } from '../db/record-event.ts'
import { startProcess } from '../db/start-process.ts'
import { aboutRecovery, Delivery, DeliveryAttempt, type WebhookEndpoint, WebhookRecovery } from '../db/webhook.ts'
import { eventTypes, testEventId } from '../domain/event.ts'
import { newId } from '../domain/id.ts'
import type { FieldFault } from '../domain/refusal.ts'
import { eventsKeptMs } from '../domain/retention.ts'
import { deliveryStatuses } from '../domain/webhook-delivery.ts'
import { id, iso, Moment, page, pageQuery, Timestamp } from '../schemas/common.ts'
import { presentDelivery, WebhookDelivery } from '../schemas/webhook-delivery.ts'
import { testPayload } from '../schemas/webhook-event.ts'
import { createdRange, matching } from './filters.ts'
import { type Circumstances, operation } from './operation.ts'
import { listPage } from './pagination.ts'
import { assertEnabled, EndpointId, findEndpoint } from './webhook-endpoint.ts'

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
    const where = { ...matching(caller, query, { status: 'status', type: 'eventType' }), endpointId }
    const { rows, pagination } = await listPage({ em, services }, Delivery, where, query)
    return { items: await showDeliveries(em, rows), pagination }
  },
})

export const testEndpoint = operation({
  ...managed,
  method: 'post',
  path: '/v1/webhooks/endpoints/{endpoint_id}/test',
  summary: 'Send a test event to an endpoint, whatever it is filtered by',
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
    const delivery = await recordTest(em, row, { type, resourceId: row.id, data: testPayload(type, now) }, now)
    return { event_id: testEventId, delivery: presentDelivery(delivery, []) }
  },
})

const Recovery = Type.Object(
  { recovery_id: id('rcv'), endpoint_id: id('we'), since: Timestamp, until: Timestamp },
  { $id: 'WebhookRecovery' },
)

export const recoverEndpoint = operation({
  ...managed,
  method: 'post',
  path: '/v1/webhooks/endpoints/{endpoint_id}/recover',
  summary: 'Send everything again that an endpoint has missed in a span of time, oldest first',
  scope: 'webhooks:write',
  params: EndpointId,
  body: Type.Object(
    {
      since: Moment,
      until: Type.Optional({ ...Moment, description: 'Exclusive. Left out, or in the future, it is now.' }),
    },
    { $id: 'RecoverWebhookEndpoint' },
  ),
  faultsIn: spanFaults,
  returns: [200, Recovery],
  refuses: ['NOT_FOUND', 'CONFLICT'],

  async handle({ params, body, caller, em, now }) {
    const span = readSpan(body, now)
    const row = await findEndpoint(em, caller, params.endpoint_id)
    assertEnabled(row)
    const recoveryId = openRecovery(em, row, span, now)
    return { recovery_id: recoveryId, endpoint_id: row.id, since: iso(span.since), until: iso(span.until) }
  },
})

/** Writes an order to recover down, with the promise of the process that works through it; answers its id. */
function openRecovery(em: EntityManager, endpoint: WebhookEndpoint, span: Span, now: number): string {
  const { id: endpointId, accountId, environment } = endpoint
  const recovery = em.create(WebhookRecovery, {
    ...{ accountId, environment, endpointId, ...span },
    id: newId('rcv', now),
    ...{ positionAt: null, positionId: null, completedAt: null },
    createdAt: new Date(now),
  })
  startProcess(em, 'webhook-recovery', recovery.id, aboutRecovery(recovery))
  return recovery.id
}

type Span = { since: Date; until: Date }

/** The span that was asked for; what is still to come cannot have been missed. */
function readSpan(body: { since: string; until?: string }, now: number): Span {
  const since = new Date(body.since)
  const until = new Date(Math.min(body.until === undefined ? now : Date.parse(body.until), now))
  return { since, until }
}

/** What speaks against a span; what is no moment is a fault of its own. */
function spanFaults({ since, until }: Record<string, unknown>, { now }: Circumstances): FieldFault[] {
  const fault = (message: string) => [{ field: 'since', message, type: 'value_error.range' }]
  if (typeof since !== 'string' || Number.isNaN(Date.parse(since))) return []
  if (Date.parse(since) < now - eventsKeptMs) return fault('must be in the last 90 days')
  const end = typeof until === 'string' ? Date.parse(until) : now
  return Date.parse(since) >= Math.min(end, now) ? fault('must be before until, and in the past') : []
}
