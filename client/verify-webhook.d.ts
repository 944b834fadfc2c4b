/** The event as it was recorded. The fields of `data` for each type are under `webhooks` in `/openapi.json`. */
export type WebhookEvent = {
  /** `evt_…`, the same on every attempt: what to remember in order to handle each event once. */
  id: string
  type: string
  /** ISO 8601 in UTC. */
  created_at: string
  data: Record<string, unknown>
}

/**
 * - `missing_header`: neither the two of `X-Service-*` nor the three of Standard Webhooks are complete
 * - `bad_timestamp`: not in whole Unix seconds
 * - `too_old`, `too_new`: further from `now` than the tolerance
 * - `no_match`: the signature is by none of the secrets, or over other bytes
 * - `bad_body`: a body that is not raw, or that is signed but no event
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
  /** The webhook's secret, or several while one replaces the other, in whatever order. Empty ones are left out. */
  secrets: string | readonly (string | undefined)[]
  /** How far the signature's time may be from `now`, either way, in seconds. 300 unless given. */
  toleranceSeconds?: number | undefined
  /** Unix seconds. The system's clock unless given. */
  now?: number | undefined
}

/**
 * The event, once it is proved that whoever sent it knows one of the secrets and signed it just now. Takes
 * `X-Service-Signature`, else `webhook-signature`.
 *
 * @throws {WebhookVerificationError} and nothing else, whatever the request holds.
 */
export declare function verifyWebhook(verification: WebhookVerification): WebhookEvent
