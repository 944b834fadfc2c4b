export { checkout } from './checkout.ts'
export { webhookDelivery as 'webhook-delivery' } from './webhook-delivery.ts'
