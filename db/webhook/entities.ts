import { Delivery, DeliveryAttempt, WebhookEndpoint, WebhookRecovery } from './endpoint.ts'
import { Event } from './event.ts'

/** The tables of the area. */
export const webhookEntities = [Delivery, DeliveryAttempt, Event, WebhookEndpoint, WebhookRecovery]
