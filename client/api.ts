import { request } from 'undici'
import type { Connection } from './connection.ts'
import { Failure, type FieldError } from './failure.ts'
import { isRecord } from '../domain/narrow.ts'

const usualTimeoutMs = 30_000

/** A call of the public API. `as` is the credential of a buyer's page in the place of the API key. */
export type Call = {
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  query?: Record<string, string | number | undefined>
  body?: Record<string, unknown>
  as?: string
  signal?: AbortSignal
  /** How long the answer may take; left out: half a minute. */
  timeoutMs?: number
}
export type Answer = Record<string, unknown>
export type Api = { baseUrl: string; call: <T = Answer>(call: Call) => Promise<T> }

/** A refusal of the API. */
export class ApiRefusal extends Failure {
  readonly status: number
  /** The time to wait before a retry; null if the answer does not give one. */
  readonly retryAfterMs: number | null

  constructor(status: number, refusal: ErrorObject, retryAfterMs: number | null) {
    super(refusal.error_code, refusal.detail, refusal.errors ?? [], refusal.doc_url ?? null)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

/** There was no answer at all. */
export class NoAnswer extends Failure {}

type ErrorObject = { detail: string; error_code: string; doc_url?: string; errors?: FieldError[] }

/** A client of the public API, for one account. Throws a `Failure` for every answer that is not a success. */
export function connect({ baseUrl, apiKey, keySource }: Connection): Api {
  return {
    baseUrl,
    async call<T>({ method, path, query = {}, body, as, signal, timeoutMs = usualTimeoutMs }: Call): Promise<T> {
      const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]]))
      const search = given.length > 0 ? `?${new URLSearchParams(given)}` : ''
      const answer = await request(baseUrl + path + search, {
        method,
        headers: { authorization: `Bearer ${as ?? apiKey}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
      }).catch((error: unknown) => {
        throw noAnswer(baseUrl, error)
      })
      const text = await answer.body.text().catch((error: unknown) => {
        throw noAnswer(baseUrl, error)
      })
      const content = parse(text)
      const { statusCode: status, headers } = answer
      if (status >= 200 && status < 300 && content !== null) return content as T
      if (!isErrorObject(content)) throw notOurs(baseUrl, `${method} ${path}`, status)
      const refusal = status === 401 ? { ...content, detail: unknownKey(content.detail, keySource, as) } : content
      throw new ApiRefusal(status, refusal, millisecondsOf(headers['retry-after']))
    },
  }
}

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
  if (name === 'TimeoutError') return 'timeout'
  return code ?? (error instanceof Error ? error.message : String(error))
}

const notOurs = (baseUrl: string, call: string, status: number) =>
  new ApiRefusal(
    status,
    { error_code: 'BAD_ANSWER', detail: `${call} was answered with ${status} and no JSON: is ${baseUrl} the service?` },
    null,
  )

const unknownKey = (detail: string, keySource: string, as: string | undefined): string =>
  as ? detail : `The API key of ${keySource} was refused: ${detail}`

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
