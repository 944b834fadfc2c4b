import { type Dispatcher, errors } from 'undici'
import { ConnectFailure, lookUpPublicAddress } from './address-guard.ts'
import type { ConnectError, Lookup } from './address-guard.ts'
import { type UrlError, urlError } from '../../domain/webhook/receiver-url.ts'
import {
  type Connection,
  createBulkheads,
  createConnectionPool,
  type BulkheadOptions,
  rememberResponseTimes,
} from './connections.ts'

/**
 * - a `UrlError`: the receiver may not be reached, nothing was sent
 * - `busy`: too many deliveries of this process wait for this receiver; nothing was sent, so it is no attempt of the
 *   receiver's: the caller comes back later without counting it
 * - `closed`: this process is stopping; whether the receiver got the delivery is not known
 * - a `ConnectError`: no complete answer
 * - `bad_response`, `headers_too_large`: an answer that is not HTTP/1.1, or whose head is beyond 16 KB
 * - `redirect`, `bad_status`: an answer that is not 2xx
 * - `failed`: any other reason, such as an error that we do not know
 */
export type AttemptError =
  | UrlError
  | ConnectError
  | 'busy'
  | 'bad_response'
  | 'headers_too_large'
  | 'redirect'
  | 'bad_status'
  | 'failed'

export type Attempt = {
  /** Null when no head of an answer arrived. */
  responseStatus: number | null
  /** The first 2 KB as text that Postgres takes; null without an answer and for a compressed one, never expanded. */
  responseBody: string | null
  /** From the lookup to the end of the body, on a monotonic clock. */
  durationMs: number
  /** Null exactly when the delivery succeeded: a 2xx whose body ended, or was left at 64 KB, within the clock. */
  error: AttemptError | null
}

export type WebhookRequest = {
  url: string
  /** Called once there is a place and the request goes out, because the signature contains the time of sending. */
  headers: () => Promise<Record<string, string>>
  body: Uint8Array
  /**
   * The name of the bulkhead, such as an endpoint's id: it has its own places and its own queue. The URL's origin when
   * left out.
   */
  bulkhead?: string
  /** A lower limit of places, for a receiver that keeps failing. */
  placesMax?: number
  /** Send only to a receiver that is likely to answer at once, and without waiting for a place; else it is `busy`. */
  atOnce?: boolean
  /** Whether a task of the engine waits for it, which has to be `atOnce`. */
  holdsTask?: boolean
}

export type WebhookHttp = {
  /** One POST, never repeated and never redirected. Whatever the receiver does becomes an `Attempt`. */
  send(request: WebhookRequest): Promise<Attempt>
  /** How many deliveries that hold up a task of the engine wait for their receivers. */
  tasksHeld(): number
  /** What is wrong with this URL before anything is looked up, or null. */
  checkUrl(url: string): UrlError | null
  /** Ends everything in flight with `closed`; for after the worker has drained. */
  close(): Promise<void>
}

export type WebhookHttpOptions = BulkheadOptions & {
  /** Permits 127.0.0.1, localhost and ::1, also over plain http. For development and tests. */
  allowLoopback: boolean
  /** The time limit of lookup, connect, TLS, head and body together. */
  timeoutMs?: number
  /** Connections kept alive between deliveries, over all origins. */
  idleMax?: number
  lookup?: Lookup
  /** A certificate authority trusted instead of the system's, as PEM. */
  ca?: string
}

/** What has arrived of the answer so far. It is kept when the exchange fails. */
type Answer = {
  status: number | null
  isEncoded: boolean
  kept: Buffer[]
  isWhole: boolean
}

const bodyBytesMax = 64 * 1024
const bodyBytesKept = 2 * 1024
const fixedHeaders = {
  'user-agent': 'steadypay-webhooks',
  'content-type': 'application/json',
  'accept-encoding': 'identity',
}

/** Sends webhooks to receivers that are not trusted. One per process. */
export function createWebhookHttp(options: WebhookHttpOptions): WebhookHttp {
  const { allowLoopback, timeoutMs = 10_000, idleMax = 256, ca } = options
  const names = lookUpPublicAddress()
  const bulkheads = createBulkheads(options)
  const paces = rememberResponseTimes()
  const connections = createConnectionPool({ allowLoopback, ca, lookup: options.lookup ?? names.lookup }, idleMax)
  const clocks = new Set<AbortController>()
  const checkUrl = (url: string) => urlError(url, allowLoopback)
  let isClosed = false

  async function attempt(url: URL, headers: Headers, body: Uint8Array): Promise<Attempt> {
    const startedAt = performance.now()
    const clock = new AbortController()
    const timer = setTimeout(() => clock.abort(new ConnectFailure('timeout')), timeoutMs)
    clocks.add(clock)
    const connection = connections.take(url.origin, clock.signal)
    const answer: Answer = { status: null, isEncoded: false, kept: [], isWhole: false }
    let failure: AttemptError | null = null
    try {
      await exchange(connection, { path: url.pathname + url.search, headers, body }, answer)
    } catch (error) {
      failure = reasonOf(clock.signal.aborted ? clock.signal.reason : error)
    } finally {
      clearTimeout(timer)
      clocks.delete(clock)
      connections.giveBack(connection, answer.isWhole)
    }
    return conclude(answer, failure, performance.now() - startedAt)
  }

  return {
    checkUrl,
    tasksHeld: bulkheads.tasksHeld,
    async send({ url, headers, body, bulkhead, placesMax, atOnce = false, holdsTask = false }) {
      const error = checkUrl(url)
      if (error !== null) return unanswered(error)
      if (isClosed) return unanswered('closed')
      const target = new URL(url)
      const place = bulkhead ?? target.origin
      const max = atOnce ? paces.places(place) : placesMax
      const leave = await bulkheads.enter(place, { ...(max !== undefined && { max }), atOnce, holdsTask })
      if (!leave) return unanswered(isClosed ? 'closed' : 'busy')
      try {
        const fields = await fieldsOf(headers)
        if (isClosed) return unanswered('closed') // `close` has ended what was in flight, and would miss this one
        const made = await attempt(target, fields, body)
        paces.took(place, made.durationMs)
        return made
      } finally {
        leave()
      }
    },
    async close() {
      isClosed = true
      bulkheads.close()
      names.cancel()
      for (const clock of clocks) clock.abort(new ConnectFailure('closed'))
      await connections.close()
    },
  }
}

async function fieldsOf(headers: WebhookRequest['headers']): Promise<Headers> {
  const fields = new Headers(fixedHeaders)
  for (const [name, value] of Object.entries(await headers())) fields.set(name, value)
  return fields
}

/** One request over the connection; fills `answer` as it arrives. Rejects when there is no complete answer. */
async function exchange(
  { client, signal }: Connection,
  request: { path: string; headers: Headers; body: Uint8Array },
  answer: Answer,
): Promise<void> {
  // Destroying the client ends every phase, also those in which undici does not look at a signal.
  const stop = () => void client.destroy(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    const response = await client.request({ method: 'POST', headersTimeout: 0, bodyTimeout: 0, ...request })
    readHead(response, answer)
    let size = 0
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      if (size < bodyBytesKept) answer.kept.push(chunk.subarray(0, bodyBytesKept - size))
      size += chunk.length
      if (size > bodyBytesMax) return // leaving the loop closes the connection
    }
    answer.isWhole = true
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function readHead({ statusCode, headers }: Dispatcher.ResponseData, answer: Answer): void {
  answer.status = statusCode
  answer.isEncoded = (headers['content-encoding'] ?? 'identity') !== 'identity'
}

/** An attempt without an answer. */
export const unanswered = (error: AttemptError): Attempt => ({
  responseStatus: null,
  responseBody: null,
  durationMs: 0,
  error,
})

function conclude(answer: Answer, failure: AttemptError | null, durationMs: number): Attempt {
  const { status, isEncoded, kept } = answer
  return {
    responseStatus: status,
    responseBody: status === null || isEncoded ? null : storableText(Buffer.concat(kept)),
    durationMs: Math.round(durationMs),
    error: failure ?? (status === null ? 'failed' : statusError(status)),
  }
}

/** Why this status fails an attempt; null for a success. */
export function statusError(status: number): AttemptError | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect' : 'bad_status'
}

/**
 * Postgres accepts neither NUL in text nor a lone surrogate in jsonb; the decoder makes no lone surrogate. The text is
 * decoded twice, because a replacement character is longer than the byte it replaces: the result stays within 2 KB of
 * UTF-8.
 */
function storableText(bytes: Uint8Array): string {
  const decode = (part: Uint8Array) => new TextDecoder().decode(part, { stream: part.length >= bodyBytesKept })
  const text = decode(bytes).replaceAll('\0', '\uFFFD')
  return decode(Buffer.from(text).subarray(0, bodyBytesKept))
}

/** Codes of undici and of the operating system for errors on an open connection. */
const reasons = new Map<string | undefined, AttemptError>([
  ['ECONNRESET', 'reset'],
  ['EPIPE', 'reset'],
  ['UND_ERR_SOCKET', 'reset'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'reset'],
  ['UND_ERR_HEADERS_OVERFLOW', 'headers_too_large'],
])

function reasonOf(error: unknown): AttemptError {
  if (error instanceof ConnectFailure) return error.reason
  if (error instanceof errors.HTTPParserError) return 'bad_response'
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return reasons.get(code) ?? 'failed'
}
