import { createHmac } from 'node:crypto'

type Delivery = {
  eventId: string
  /** 1 for the first attempt. */
  attempt: number
  /** Strictly increasing in the order the events were recorded; gaps are possible. */
  sequence: number | bigint | string
  /** The frozen bytes of the event, exactly as they go over the wire. */
  body: Uint8Array
  /**
   * Newest first; a second one is in its grace period. Empty: the endpoint has no secret and the delivery is not
   * signed.
   */
  secrets: readonly string[]
  /** When this attempt is made, in ms since the epoch. Each attempt is signed afresh. */
  at: number
}

/**
 * The headers that identify a delivery and prove where it comes from: `X-Service-*` (docs/contract/webhook.md,
 * "Signatures") and the three of Standard Webhooks (standardwebhooks.com). Without a secret only the identifying ones.
 *
 * - `X-Service-Signature`: lowercase hex HMAC-SHA256 over `<timestamp>.<raw body>`, always with the newest secret. The
 *   key is the secret's UTF-8 bytes, whatever the secret looks like.
 * - `webhook-signature`: `v1,<base64>` of HMAC-SHA256 over `<id>.<timestamp>.<raw body>`, one for every secret, newest
 *   first, separated by spaces. The key is what follows `whsec_`, decoded from base64; any other secret gives its UTF-8
 *   bytes (what the Standard Webhooks libraries call the `raw` format).
 */
export function signatureHeaders(delivery: Delivery): Record<string, string> {
  const { eventId, attempt, sequence, body, secrets, at } = delivery
  const identity = {
    'X-Service-Event-Id': eventId,
    'X-Service-Attempt': String(attempt),
    'X-Service-Sequence': String(sequence),
  }
  const [newest] = secrets
  if (newest === undefined) return identity

  const timestamp = String(Math.floor(at / 1000))
  const standard = secrets.map(
    (secret) => `v1,${hmac(standardKey(secret), `${eventId}.${timestamp}.`, body, 'base64')}`,
  )
  return {
    ...identity,
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': hmac(newest, `${timestamp}.`, body, 'hex'),
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  }
}

const hmac = (key: string | Uint8Array, prefix: string, body: Uint8Array, encoding: 'hex' | 'base64') =>
  createHmac('sha256', key).update(prefix).update(body).digest(encoding)

const standardPrefix = 'whsec_'

/** Merchants choose their secrets. One that only looks like `whsec_<base64>` must not become a short or empty key. */
function standardKey(secret: string): string | Uint8Array {
  const encoded = secret.startsWith(standardPrefix) ? secret.slice(standardPrefix.length) : ''
  const key = Buffer.from(encoded, 'base64')
  return key.length > 0 && key.toString('base64') === encoded ? key : secret
}
