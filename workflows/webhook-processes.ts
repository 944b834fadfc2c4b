// The processes of the webhooks queue, by the names of their contracts.

export { webhookDelivery as 'webhook-delivery' } from './webhook/delivery.ts'
export { webhookEndpoint as 'webhook-endpoint' } from './webhook/endpoint.ts'
export { webhookRecovery as 'webhook-recovery' } from './webhook/recovery.ts'
