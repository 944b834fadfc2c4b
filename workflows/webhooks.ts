import { declareBehaviours } from './versions.ts'
import { webhookDelivery } from './webhook/delivery.ts'
import { webhookEndpoint } from './webhook/endpoint.ts'
import { webhookRecovery } from './webhook/recovery.ts'

/**
 * The processes of the webhooks queue. They are a bundle of their own: each process in a worker's cache holds all code
 * of its bundle, and most cached processes are webhook deliveries.
 */
export {
  webhookDelivery as 'webhook-delivery',
  webhookEndpoint as 'webhook-endpoint',
  webhookRecovery as 'webhook-recovery',
}

declareBehaviours({
  'webhook-delivery': webhookDelivery,
  'webhook-endpoint': webhookEndpoint,
  'webhook-recovery': webhookRecovery,
})
