// For merchants' servers: proves that a webhook comes from the service. One file of plain JavaScript for Node 20 and
// later, without dependencies, so it may also be copied. Its types are in verify-webhook.d.ts.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** @import { WebhookErrorCode } from './verify-webhook.d.ts' */

/**
 * The proof of a delivery, read from its headers: the time of the signature, the text that is signed before the body,
 * the signatures, and how a secret signs.
 * @typedef {object} Claim
 * @property {string} timestamp
 * @property {string} prefix
 * @property {string[]} signatures
 * @property {(secret: string, signed: { prefix: string, body: string | Uint8Array }) => string} sign
 */

export class WebhookVerificationError extends Error {
  /**
   * @param {WebhookErrorCode} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message)
    this.name = 'WebhookVerificationError'
    this.code = code
  }
}

/**
 * Either set of headers is enough. `X-Service-Signature` is made with the newest secret only, `webhook-signature` also
 * with the previous one, until its grace ends. Until then a receiver that knows only the old secret can verify.
 * @type {typeof import('./verify-webhook.d.ts').verifyWebhook}
 */
export function verifyWebhook(options) {
  const { headers, body, secrets, toleranceSeconds = 300, now = systemSeconds() } = options ?? {}
  if (!(typeof toleranceSeconds === 'number' && toleranceSeconds >= 0) || !Number.isFinite(now)) {
    throw new WebhookVerificationError('bad_option', 'toleranceSeconds and now are numbers of seconds')
  }
  const raw = rawBody(body)
  const known = knownSecrets(secrets)
  const claims = readClaims(headers)

  let refused
  for (const claim of claims) {
    const error = timeError(claim.timestamp, now, toleranceSeconds) ?? signatureError(claim, raw, known)
    if (error === null) return parseEvent(raw)
    refused ??= error
  }
  throw refused ?? new WebhookVerificationError('missing_header', 'no complete set of signature headers')
}

/** @returns {number} */
function systemSeconds() {
  return Math.floor(Date.now() / 1000)
}

/**
 * A parsed body cannot be verified: the signature covers its bytes, and writing the object out again gives other bytes
 * if a space, an escape or the form of a number differs.
 * @param {unknown} body
 * @returns {string | Uint8Array}
 */
function rawBody(body) {
  // isView instead of instanceof: test runners such as Jest bring a Uint8Array of their own.
  if (typeof body === 'string' || ArrayBuffer.isView(body)) return /** @type {string | Uint8Array} */ (body)
  throw new WebhookVerificationError(
    'bad_body',
    'body must be the raw bytes of the request (string or Uint8Array): a parsed body no longer has the signed bytes',
  )
}

/**
 * Empty entries are ignored, as in `[process.env.NEW, process.env.OLD]`. An empty secret must never be used: anyone can
 * sign with it.
 * @param {unknown} secrets
 * @returns {string[]}
 */
function knownSecrets(secrets) {
  const given = [secrets].flat().filter((secret) => secret != null && secret !== '')
  if (given.length > 0 && given.every((secret) => typeof secret === 'string')) return given
  throw new WebhookVerificationError('bad_secret', 'secrets must be a non-empty string, or several')
}

/**
 * @param {unknown} headers
 * @returns {Claim[]}
 */
function readClaims(headers) {
  const texts = headerTexts(headers)
  const text = (/** @type {string} */ name) => texts.get(name) ?? ''
  const id = text('webhook-id')
  /** @type {Claim} */
  const service = {
    timestamp: text('x-service-timestamp'),
    prefix: `${text('x-service-timestamp')}.`,
    signatures: [text('x-service-signature')],
    sign: (secret, signed) => hmac(secret, signed, 'hex'),
  }
  /** @type {Claim} */
  const standard = {
    timestamp: text('webhook-timestamp'),
    prefix: `${id}.${text('webhook-timestamp')}.`,
    signatures: text('webhook-signature').split(' '),
    sign: (secret, signed) => `v1,${hmac(standardKey(secret), signed, 'base64')}`,
  }
  const isThere = (/** @type {Claim} */ { timestamp, signatures }) => timestamp !== '' && signatures.join('') !== ''
  // With a dot in the id, `<id>.<timestamp>.<body>` could be cut in another place: part of a signed body, which may
  // hold a customer's words, would pass as timestamp and body.
  return [service, standard].filter((claim) => isThere(claim) && (claim === service || /^[\w-]+$/.test(id)))
}

/**
 * The headers by their lowercase names, from Node, Fetch or a framework. A value that is not text counts as absent.
 * Several values of one name are joined as HTTP says, and then match no signature.
 * @param {unknown} headers
 * @returns {Map<string, string>}
 */
function headerTexts(headers) {
  /** @type {Map<string, string>} */
  const texts = new Map()
  for (const entry of headerEntries(headers)) {
    if (!Array.isArray(entry) || typeof entry[0] !== 'string') continue
    const name = entry[0].toLowerCase()
    const values = [texts.get(name), entry[1]].flat().filter((value) => typeof value === 'string')
    if (values.length > 0) texts.set(name, values.join(', '))
  }
  return texts
}

/**
 * @param {unknown} headers
 * @returns {unknown[]}
 */
function headerEntries(headers) {
  if (typeof headers !== 'object' || headers === null) return []
  try {
    return Symbol.iterator in headers ? [.../** @type {Iterable<unknown>} */ (headers)] : Object.entries(headers)
  } catch {
    return [] // a getter or an iterator that throws
  }
}

/**
 * Allows digits only, which also keeps the two forms of signed text apart: the other one begins with an id.
 * @param {string} timestamp
 * @param {number} now
 * @param {number} tolerance
 */
function timeError(timestamp, now, tolerance) {
  if (!/^\d{1,12}$/.test(timestamp)) {
    return new WebhookVerificationError('bad_timestamp', 'the timestamp is not in whole Unix seconds')
  }
  const age = now - Number(timestamp)
  if (age > tolerance) return new WebhookVerificationError('too_old', `signed more than ${tolerance} s ago`)
  if (age < -tolerance) return new WebhookVerificationError('too_new', `signed more than ${tolerance} s ahead of us`)
  return null
}

/**
 * @param {Claim} claim
 * @param {string | Uint8Array} body
 * @param {string[]} secrets
 */
function signatureError({ prefix, signatures, sign }, body, secrets) {
  const expected = secrets.map((secret) => sign(secret, { prefix, body }))
  if (expected.some((good) => signatures.some((given) => isSame(good, given)))) return null
  return new WebhookVerificationError('no_match', 'no signature matches any of the secrets')
}

/**
 * Compares the text, so that only one form of a signature is valid: lowercase hex, or padded base64 after `v1,`.
 * @param {string} expected
 * @param {string} given
 */
function isSame(expected, given) {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/**
 * @param {string | Uint8Array} key
 * @param {{ prefix: string, body: string | Uint8Array }} signed
 * @param {'hex' | 'base64'} encoding
 */
const hmac = (key, { prefix, body }, encoding) => createHmac('sha256', key).update(prefix).update(body).digest(encoding)

/**
 * The key of a secret: what follows `whsec_`, decoded from base64. Without `whsec_` or valid base64 the whole text is
 * the key.
 * @param {string} secret
 */
function standardKey(secret) {
  const encoded = secret.startsWith('whsec_') ? secret.slice('whsec_'.length) : ''
  const key = Buffer.from(encoded, 'base64')
  return key.length > 0 && key.toString('base64') === encoded ? key : secret
}

/**
 * @param {string | Uint8Array} body
 * @returns {import('./verify-webhook.d.ts').WebhookEvent}
 */
function parseEvent(body) {
  const event = parseJson(body)
  const isEvent = [event?.id, event?.type, event?.created_at].every((value) => typeof value === 'string')
  if (isEvent && typeof event.data === 'object' && event.data !== null) return event
  throw new WebhookVerificationError('bad_body', 'the body is signed, but it is not an event')
}

/** @param {string | Uint8Array} body */
function parseJson(body) {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return null
  }
}
