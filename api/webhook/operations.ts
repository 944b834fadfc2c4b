import type { Operation } from '../http/operation.ts'
import * as webhook from './configuration.ts'
import * as delivery from './delivery.ts'
import * as endpoint from './endpoint.ts'
import * as event from './event.ts'
import { streamEvents } from './event-stream.ts'
import * as recovery from './recovery.ts'
import * as secret from './secret.ts'

/** The operations of the area: endpoints, events, deliveries and recoveries. */
export const webhookOperations: readonly Operation[] = [
  webhook.configureWebhook,
  webhook.getWebhookConfiguration,
  webhook.testWebhook,
  endpoint.createEndpoint,
  endpoint.listEndpoints,
  endpoint.getEndpoint,
  endpoint.changeEndpoint,
  endpoint.deleteEndpoint,
  secret.getSecret,
  secret.rotateSecret,
  delivery.testEndpoint,
  delivery.listDeliveries,
  delivery.getDelivery,
  recovery.recoverEndpoint,
  recovery.getRecovery,
  event.listEvents,
  event.getEvent,
  event.resendEvent,
  streamEvents,
]
