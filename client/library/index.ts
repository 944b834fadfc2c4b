// The typed client that merchants install as `steadypay`: what the package exports.
import type { components } from './openapi.ts'

export { createSteadypay, type Steadypay, type SteadypayOptions } from './client.ts'
export type { StreamedEvent, StreamOptions } from './follow-events.ts'
export { type ErrorCode, type FieldError, SteadypayError } from './error.ts'
export { type EventOf, type EventType, type SteadypayEvent, verifyEvent } from './event.ts'
export type { AnswerOf, ItemOf, ListPath } from './answer.ts'
export type { operations, paths } from './openapi.ts'
export { WebhookVerificationError } from '../verify-webhook.js'

/** The shapes of the API by their names: `Schemas['Payment']`. */
export type Schemas = components['schemas']
