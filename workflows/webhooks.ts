/**
 * The processes of the webhooks queue. They are a bundle of their own: each process in a worker's cache holds all code
 * of its bundle, and most cached processes are webhook deliveries.
 */
export { webhookDelivery as 'webhook-delivery' } from './webhook/delivery.ts'
export { webhookEndpoint as 'webhook-endpoint' } from './webhook/endpoint.ts'
export { webhookRecovery as 'webhook-recovery' } from './webhook/recovery.ts'
