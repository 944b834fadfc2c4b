import { defineEntity, p } from '@mikro-orm/core'
import { deliveryStatuses } from '../domain/webhook-delivery.ts'
import { moment, tenant } from './columns.ts'

const endpointSchema = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoints',
  properties: {
    id: p.string().primary(),
    ...tenant,
    // Null while the single-URL configuration is switched off.
    url: p.string().length(2048).strictNullable(),
    sealedSecret: p.text().strictNullable(),
    // The one endpoint that the single-URL configuration reads and writes.
    isConfiguration: p.boolean().default(false),
    enabled: p.boolean().default(true),
    createdAt: moment(),
    updatedAt: moment(),
  },
  uniques: [
    { name: 'webhook_endpoints_configuration', properties: ['accountId', 'environment'], where: 'is_configuration' },
  ],
})
/** Where a merchant wants to be told; its secret is stored encrypted. */
export class WebhookEndpoint extends endpointSchema.class {}
endpointSchema.setClass(WebhookEndpoint)

const deliverySchema = defineEntity({
  name: 'Delivery',
  tableName: 'deliveries',
  properties: {
    id: p.string().primary(),
    ...tenant,
    eventId: p.string().index('deliveries_by_event'),
    endpointId: p.string(),
    status: p.enum(deliveryStatuses).default('pending'),
    trigger: p.enum(['automatic', 'manual', 'recovery', 'test']).default('automatic'),
    attemptCount: p.smallint().default(0).check('attempt_count >= 0 and attempt_count <= 5'),
    nextAttemptAt: moment().strictNullable(),
    createdAt: moment(),
    completedAt: moment().strictNullable(),
  },
  indexes: [
    { name: 'deliveries_by_endpoint', properties: ['endpointId', 'createdAt'] },
    { name: 'deliveries_pending', properties: ['createdAt'], where: "status = 'pending'" },
  ],
})
/** One event on its way to one endpoint. */
export class Delivery extends deliverySchema.class {}
deliverySchema.setClass(Delivery)

const attemptSchema = defineEntity({
  name: 'DeliveryAttempt',
  tableName: 'delivery_attempts',
  properties: {
    deliveryId: p.string().primary(),
    number: p.smallint().primary(),
    at: moment(),
    responseStatus: p.smallint().strictNullable(),
    responseBody: p.text().strictNullable(),
    durationMs: p.integer(),
    error: p.string().length(64).strictNullable(),
  },
})
/** One try of a delivery and what the receiver answered; the body is cut to its first 2 KB. */
export class DeliveryAttempt extends attemptSchema.class {}
attemptSchema.setClass(DeliveryAttempt)
