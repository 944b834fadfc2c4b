import Type, { type Static } from 'typebox'
import type { Delivery as DeliveryRow, DeliveryAttempt } from '../../db/webhook/endpoint.ts'
import type { Event } from '../../db/webhook/event.ts'
import { eventTypes, testEventId } from '../../domain/webhook/event.ts'
import { deliveryStatuses, deliveryTriggers } from '../../domain/webhook/delivery.ts'
import { id, iso, isoOrNull, nullable, Timestamp } from '../common.ts'

const Attempt = Type.Object({
  number: Type.Integer(),
  at: Timestamp,
  response_status: nullable(Type.Integer()),
  response_body: nullable(
    Type.String({ description: 'The first 2 KB of the receiver’s answer; null without one, or if it was compressed.' }),
  ),
  duration_ms: Type.Integer(),
  error: nullable(Type.String({ description: 'Why the attempt failed; null if it was delivered.' })),
})

export const WebhookDelivery = Type.Object(
  {
    delivery_id: id('dlv'),
    event_id: Type.String({ description: `Of a test event always \`${testEventId}\`.` }),
    event_type: Type.Enum([...eventTypes]),
    endpoint_id: id('we'),
    status: Type.Enum([...deliveryStatuses]),
    trigger: Type.Enum([...deliveryTriggers]),
    next_attempt_at: nullable(Timestamp),
    attempts: Type.Array(Attempt),
    created_at: Timestamp,
    completed_at: nullable(Timestamp),
  },
  { $id: 'WebhookDelivery' },
)

/** One delivery, with what it sends. */
export const WebhookDeliveryWithBody = Type.Object(
  {
    ...WebhookDelivery.properties,
    request_body: nullable(
      Type.String({ description: 'The body of each attempt, byte for byte; null once its event is no longer kept.' }),
    ),
  },
  { $id: 'WebhookDeliveryWithBody' },
)

/** A delivery with its attempts, in order. */
export const presentDelivery = (row: DeliveryRow, attempts: DeliveryAttempt[]): Static<typeof WebhookDelivery> => ({
  delivery_id: row.id,
  event_id: row.trigger === 'test' ? testEventId : row.eventId,
  event_type: row.eventType,
  endpoint_id: row.endpointId,
  status: row.status,
  trigger: row.trigger,
  next_attempt_at: isoOrNull(row.nextAttemptAt),
  attempts: attempts.map(presentAttempt),
  created_at: iso(row.createdAt),
  completed_at: isoOrNull(row.completedAt),
})

/** A delivery with its attempts, in order, and its event; null if that is no longer kept. */
export const presentDeliveryWithBody = (
  row: DeliveryRow,
  attempts: DeliveryAttempt[],
  event: Event | null,
): Static<typeof WebhookDeliveryWithBody> => ({ ...presentDelivery(row, attempts), request_body: event?.body || null })

const presentAttempt = (attempt: DeliveryAttempt): Static<typeof Attempt> => ({
  number: attempt.number,
  at: iso(attempt.at),
  response_status: attempt.responseStatus,
  response_body: attempt.responseBody,
  duration_ms: attempt.durationMs,
  error: attempt.error,
})
