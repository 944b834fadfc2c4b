/** The event as it was recorded. The fields of `data` for each type are under `webhooks` in `/openapi.json`. */
export type WebhookEvent = {
  /** `evt_…`, the same on every attempt: remember it, to handle each event once. */
  id: string
  type: string
  /** ISO 8601 in UTC. */
  created_at: string
  data: Record<string, unknown>
}

/**
 * - `missing_header`: neither the two `X-Service-*` headers nor the three of Standard Webhooks are complete
 * - `bad_timestamp`: not in whole Unix seconds
 * - `too_old`, `too_new`: further from `now` than the tolerance
 * - `no_match`: the signature was made with another secret, or over other bytes
 * - `bad_body`: the body is not raw, or it is signed but is not an event
 * - `bad_secret`, `bad_option`: the call is wrong, not the request
 */
export type WebhookErrorCode =
  | 'missing_header'
  | 'bad_timestamp'
  | 'too_old'
  | 'too_new'
  | 'no_match'
  | 'bad_body'
  | 'bad_secret'
  | 'bad_option'

export declare class WebhookVerificationError extends Error {
  constructor(code: WebhookErrorCode, message: string)
  readonly code: WebhookErrorCode
}

/** Node's `request.headers`, a Fetch `Headers`, or a plain object; names in any case. */
export type WebhookHeaders =
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>

export type WebhookVerification = {
  headers: WebhookHeaders
  /** As it came over the wire, before it is parsed. */
  body: string | Uint8Array
  /** The webhook's secret, or several while one replaces the other. Order does not matter, empty ones are ignored. */
  secrets: string | readonly (string | undefined)[]
  /** The seconds by which the signature's time may be before or after `now`. Default: 300. */
  toleranceSeconds?: number | undefined
  /** Unix seconds. Default: the system's clock. */
  now?: number | undefined
}

/**
 * Verifies that the sender knows one of the secrets and has just signed the body, and returns the event. One valid
 * signature is enough, in `X-Service-Signature` or in `webhook-signature`.
 *
 * @throws {WebhookVerificationError} and nothing else, whatever the request holds.
 */
export declare function verifyWebhook(verification: WebhookVerification): WebhookEvent
