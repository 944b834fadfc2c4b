/**
 * The processes whose tasks the queue of webhooks has. They are a bundle of their own: each process that a worker keeps
 * holds all code of its bundle, and of these it keeps the most.
 */
export { webhookDelivery as 'webhook-delivery' } from './webhook/delivery.ts'
export { webhookEndpoint as 'webhook-endpoint' } from './webhook/endpoint.ts'
export { webhookRecovery as 'webhook-recovery' } from './webhook/recovery.ts'
