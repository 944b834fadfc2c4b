import type { errorCodes } from './operations.ts'

/** One wrong field, as the API names it. */
export type FieldError = { field: string; message: string; type: string; code?: string }

/**
 * A code of the API, or one of the client:
 * - `NO_ANSWER`: the service could not be reached, or did not answer in time.
 * - `BAD_ANSWER`: something else than the service answered, such as a proxy.
 *
 * With both, and with every status of 500 and above, it is unknown whether the call had an effect. The same call with
 * `idempotencyKey` finds out, and has no second effect, within 24 hours. Afterwards look first what the call has done.
 */
export type ErrorCode = (typeof errorCodes)[number] | 'NO_ANSWER' | 'BAD_ANSWER'

type Details = {
  status?: number | null
  errors?: readonly FieldError[]
  requestId?: string | null
  docUrl?: string | null
  retryAfterSeconds?: number | null
  idempotencyKey?: string | null
  cause?: unknown
}

/** Thrown by every call that is not answered with a success. */
export class SteadypayError extends Error {
  /** Decide by this one. A later version of the API may have further codes. */
  readonly code: ErrorCode
  /** The HTTP status; null without an answer. */
  readonly status: number | null
  /** The wrong fields; empty for most errors. */
  readonly errors: readonly FieldError[]
  /** The id of the call, for the service's support and logs; null without an answer. */
  readonly requestId: string | null
  /** The page that says what the code means and what to do next. */
  readonly docUrl: string | null
  /** The seconds to wait before another try; null if the answer does not say. */
  readonly retryAfterSeconds: number | null
  /** The idempotency key that was sent, also if the client has made it; null if the call had none. */
  readonly idempotencyKey: string | null

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'SteadypayError'
    this.code = code
    this.status = details.status ?? null
    this.errors = details.errors ?? []
    this.requestId = details.requestId ?? null
    this.docUrl = details.docUrl ?? null
    this.retryAfterSeconds = details.retryAfterSeconds ?? null
    this.idempotencyKey = details.idempotencyKey ?? null
  }
}

type ErrorObject = { detail: string; error_code: ErrorCode; doc_url?: string; errors?: FieldError[] }

const isErrorObject = (content: unknown): content is ErrorObject =>
  typeof content === 'object' &&
  content !== null &&
  'detail' in content &&
  typeof content.detail === 'string' &&
  'error_code' in content &&
  typeof content.error_code === 'string'

/** The error that an answer tells of; `content` is its parsed body, `key` the idempotency key of the call. */
export function errorIn(response: Response, content: unknown, key: string | null = null): SteadypayError {
  if (!isErrorObject(content)) return badAnswer(response, key)
  const { detail, error_code, doc_url = null, errors = [] } = content
  const retryAfterSeconds = secondsToWait(response.headers)
  return new SteadypayError(error_code, detail, { ...told(response, key), retryAfterSeconds, docUrl: doc_url, errors })
}

/** The error for an answer that is not the service's. */
export function badAnswer(response: Response, key: string | null, cause?: unknown): SteadypayError {
  const message = `the answer with status ${response.status} is not one of the service`
  return new SteadypayError('BAD_ANSWER', message, { ...told(response, key), cause })
}

const told = ({ status, headers }: Response, idempotencyKey: string | null): Details => ({
  status,
  requestId: headers.get('X-Request-Id'),
  idempotencyKey,
})

/** What `Retry-After` says, in whole seconds; null if it is missing or a date. */
export function secondsToWait(headers: Headers): number | null {
  const text = headers.get('Retry-After') ?? ''
  return /^\d{1,6}$/.test(text) ? Number(text) : null
}
