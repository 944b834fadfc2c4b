export { checkout } from './checkout.ts'
export { webhookDelivery as 'webhook-delivery' } from './webhook-delivery.ts'
export { webhookEndpoint as 'webhook-endpoint' } from './webhook-endpoint.ts'
export { webhookRecovery as 'webhook-recovery' } from './webhook-recovery.ts'
