import { type Dispatcher, request } from 'undici'
import type { Connection } from './connection.ts'
import { Failure, type FieldError } from './failure.ts'
import { isRecord } from '../domain/narrow.ts'

const usualTimeoutMs = 30_000
/** The service says something at least every 15 seconds. */
const silenceMaxMs = 40_000

/**
 * A call of the public API. `as` is the credential of a buyer's page in the place of the caller's own. Null: none, for
 * a login.
 */
export type Call = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  query?: Record<string, string | number | undefined>
  body?: Record<string, unknown>
  as?: string | null
  /** The connected account that a platform's call is about. */
  accountId?: string
  signal?: AbortSignal
  /** How long the answer may take; left out: half a minute. */
  timeoutMs?: number
}
export type Answer = Record<string, unknown>
/** A stream of the public API. Its first bytes have to come within half a minute, and then some every 40 seconds. */
export type StreamCall = {
  path: string
  query?: Record<string, string>
  headers?: Record<string, string>
  signal: AbortSignal
}
export type Api = {
  baseUrl: string
  /** Whether the calls move real money. */
  isLive: boolean
  call: <T = Answer>(call: Call) => Promise<T>
  stream: (call: StreamCall) => Promise<AsyncIterable<Uint8Array>>
}

/** A refusal of the API. */
export class ApiRefusal extends Failure {
  readonly status: number
  /** The time to wait before a retry; null if the answer does not give one. */
  readonly retryAfterMs: number | null

  constructor(status: number, refusal: ErrorObject, retryAfterMs: number | null, requestId: string | null) {
    super(refusal.error_code, refusal.detail, refusal.errors ?? [], refusal.doc_url ?? null, requestId)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** There was no answer at all. */
export class NoAnswer extends Failure {}

/** At least how long to wait before a retry, 0 if the error does not say; null for an error that no wait mends. */
export function leastWaitMs(error: unknown): number | null {
  if (error instanceof Failure && error.code === 'NO_ANSWER') return 0 // also where a login could not be renewed
  const isTemporary = error instanceof ApiRefusal && (error.status === 429 || error.status >= 500)
  return isTemporary ? (error.retryAfterMs ?? 0) : null
}

type ErrorObject = { detail: string; error_code: string; doc_url?: string; errors?: FieldError[] }

/** A client of the public API, for one account. Throws a `Failure` for every answer that is not a success. */
export function connect(connection: Connection): Api {
  const { baseUrl, apiKey, session } = connection
  const send = createSender(connection)
  return {
    baseUrl,
    isLive: session ? session.environment === 'live' : apiKey.startsWith('sk_live_'),
    async call<T>({ method, path, query = {}, body, as, accountId, signal, timeoutMs }: Call): Promise<T> {
      const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]]))
      const search = given.length > 0 ? `?${new URLSearchParams(given)}` : ''
      const sent = {
        method,
        headers: {
          ...(body && { 'content-type': 'application/json' }),
          ...(accountId !== undefined && { 'x-account-id': accountId }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs ?? usualTimeoutMs), ...(signal ? [signal] : [])]),
      }
      const answer = await send(path + search, sent, as)
      const content = await contentOf(answer, baseUrl)
      if (isSuccess(answer) && content !== null) return content as T
      throw refusalIn(answer, content, `${method} ${path}`, as === undefined ? connection : { baseUrl })
    },
    async stream({ path, query = {}, headers = {}, signal }) {
      const times = { headersTimeout: usualTimeoutMs, bodyTimeout: silenceMaxMs }
      const answer = await send(`${path}?${new URLSearchParams(query)}`, { headers, signal, ...times })
      const isStream = String(answer.headers['content-type']).startsWith('text/event-stream')
      if (isSuccess(answer) && isStream) return chunksOf(answer.body, baseUrl)
      throw refusalIn(answer, await contentOf(answer, baseUrl), `GET ${path}`, connection)
    },
  }
}

type Sent = Omit<NonNullable<Parameters<typeof request>[1]>, 'headers'> & { headers?: Record<string, string> }

/** Sends calls with the caller's credential. An access token that has expired is renewed, and the call sent again. */
function createSender({ baseUrl, apiKey, session }: Connection) {
  let key = apiKey
  const sendWith = (path: string, { headers = {}, ...sent }: Sent, as: string | null | undefined) => {
    const bearer = as === undefined ? key : as
    const own = {
      ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
      ...(session && as === undefined && { 'x-environment': session.environment }),
    }
    return request(baseUrl + path, { ...sent, headers: { ...own, ...headers } }).catch((error: unknown) => {
      throw noAnswer(baseUrl, error)
    })
  }
  return async (path: string, sent: Sent, as?: string | null) => {
    const refused = key
    const answer = await sendWith(path, sent, as)
    if (answer.statusCode !== 401 || !session || as !== undefined) return answer
    await answer.body.dump()
    const next = await session.renew(refused)
    if (next === null) throw new Failure('LOGGED_OUT', 'Your login has ended. Run steadypay logout, and log in again.')
    key = next
    return sendWith(path, sent, as)
  }
}

async function contentOf({ body }: Dispatcher.ResponseData<unknown>, baseUrl: string): Promise<Answer | null> {
  const text = await body.text().catch((error: unknown) => {
    throw noAnswer(baseUrl, error)
  })
  return parse(text)
}

async function* chunksOf(body: AsyncIterable<Uint8Array>, baseUrl: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    throw new NoAnswer('NO_ANSWER', `The connection to ${baseUrl} is lost (${reasonOf(error)}).`)
  }
}

/** The refusal in an answer. `keySource` says where the key was read that it may be about. */
function refusalIn(
  { statusCode: status, headers }: Dispatcher.ResponseData<unknown>,
  content: Answer | null,
  call: string,
  { baseUrl, keySource }: { baseUrl: string; keySource?: string },
): ApiRefusal {
  if (!isErrorObject(content)) return notOurs(baseUrl, call, status)
  const isKey = status === 401 && keySource !== undefined
  const refusal = isKey ? { ...content, detail: unknownKey(content.detail, keySource) } : content
  const { 'retry-after': seconds, 'x-request-id': requestId } = headers
  return new ApiRefusal(status, refusal, millisecondsOf(seconds), typeof requestId === 'string' ? requestId : null)
}

const isSuccess = ({ statusCode }: Dispatcher.ResponseData<unknown>): boolean => statusCode >= 200 && statusCode < 300

/** Encodes an id for a path, so that what the user typed cannot lead to another path. */
export const pathSegment = (id: string): string => encodeURIComponent(id)

function noAnswer(baseUrl: string, error: unknown): NoAnswer {
  const start = 'Run npm start, or set another address with --base-url or STEADYPAY_BASE_URL.'
  return new NoAnswer('NO_ANSWER', `Nothing answers at ${baseUrl} (${reasonOf(error)}). ${start}`)
}

/** Why there was no answer, in a word. */
export function reasonOf(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string }
  if (code === 'ECONNREFUSED') return 'connection refused'
  if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') return 'connection closed'
  if (code === 'UND_ERR_BODY_TIMEOUT') return `nothing came for ${silenceMaxMs / 1000} seconds`
  if (name === 'TimeoutError') return 'timeout'
  return code ?? (error instanceof Error ? error.message : String(error))
}

const notOurs = (baseUrl: string, call: string, status: number) =>
  new ApiRefusal(
    status,
    { error_code: 'BAD_ANSWER', detail: `${call} was answered with ${status} and no JSON: is ${baseUrl} the service?` },
    null,
    null,
  )

const unknownKey = (detail: string, keySource: string): string => `The API key of ${keySource} was refused: ${detail}`

function parse(text: string): Answer | null {
  try {
    return JSON.parse(text) as Answer
  } catch {
    return null
  }
}

const isErrorObject = (content: unknown): content is ErrorObject =>
  isRecord(content) && typeof content['detail'] === 'string' && typeof content['error_code'] === 'string'

const millisecondsOf = (seconds: string | string[] | undefined): number | null =>
  typeof seconds === 'string' && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : null
