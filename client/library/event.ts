import { verifyWebhook } from '../verify-webhook.js'
import type { WebhookVerification } from '../verify-webhook.d.ts'
import type { webhooks } from './openapi.ts'

export type EventType = keyof webhooks

/** The event of one type: `EventOf<'payout.paid'>`. */
export type EventOf<Type extends EventType> = webhooks[Type]['post']['requestBody']['content']['application/json']

/**
 * Any event; its `type` decides which fields `data` has. The service may send types that this version of the client
 * does not know: answer them with 200 and do nothing.
 */
export type SteadypayEvent = { [Type in EventType]: EventOf<Type> }[EventType]

/**
 * Like `verifyWebhook`, and returns the event with the fields of its type.
 *
 * @throws {WebhookVerificationError} and nothing else, whatever the request holds.
 */
export const verifyEvent = (verification: WebhookVerification): SteadypayEvent =>
  verifyWebhook(verification) as SteadypayEvent
