import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, fetch, FormData, type Response } from 'undici'
import { minuteMs } from '../domain/duration.ts'
import type { FieldError } from '../domain/refusal.ts'
import type { PostedFile } from './arriving-file.ts'

/**
 * The API's answer: a body or a refusal. `version` is the version of the API that has answered; `waitSeconds` is the
 * time to wait before a retry, or null; `detail` what the API says, where it has answered.
 */
export type Answer<T> = { ok: true; body: T; version?: string | null } | { ok: false; refused: Refused }
export type Refused = {
  status: number
  code: string
  errors: FieldError[]
  waitSeconds: number | null
  detail?: string
}

/**
 * Whether a refusal does not say what has become of a form: after an outage the call may have been made, and a limit
 * says nothing about an earlier press of the same button. Then the form keeps its key.
 */
export const isUndecided = ({ status }: Pick<Refused, 'status'>): boolean => status >= 500 || status === 429

/** The refusal of whoever is not signed in, where the API is not asked. */
export const signedOut: Refused = { status: 401, code: 'UNAUTHORIZED', errors: [], waitSeconds: null }

/** A file, with the header that says how a browser treats it. */
export type Download = { bytes: Buffer; disposition: string }

/** A file that somebody has sent with a form. */
export type SentFile = { name: string; bytes: Buffer<ArrayBuffer> }

/**
 * One call: `secret` is its credential, `key` its idempotency key, `headers` name the buyer it is made for. It has a
 * body or a file.
 */
type Call = { secret: string | null; headers: Record<string, string>; body?: object; file?: SentFile; key?: string }

/** An upload: `secret` is its credential. */
type Upload = { secret: string; headers: Record<string, string>; file: PostedFile }

export type Api = ReturnType<typeof createApi>

const triesMax = 8
const timeoutMs = 30_000
/** A file arrives from a phone while it is sent on. The API ends a body that stops arriving. */
const uploadTimeoutMs = 10 * minuteMs

/** A client of the API at `url()`. The credential is a client secret or an access token. It never throws. */
export function createApi(url: () => string) {
  const agent = new Agent() // an agent of our own, so that loopback calls never go through a proxy of the environment

  const send = (method: string, path: string, call: Call) =>
    fetch(url() + path, {
      method,
      dispatcher: agent,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...call.headers,
        ...(call.secret !== null && { authorization: `Bearer ${call.secret}` }),
        ...(call.body && { 'content-type': 'application/json' }),
        ...(call.key && { 'idempotency-key': call.key }),
      },
      ...(call.body && { body: JSON.stringify(call.body) }),
      ...(call.file && { body: formOf(call.file) }),
    })

  async function callOnce<T>(method: string, path: string, call: Call): Promise<Answer<T>> {
    const response = await send(method, path, call)
    if (!response.ok) return refusalIn(response)
    return { ok: true, body: (await response.json()) as T, version: response.headers.get('x-api-version') }
  }

  async function downloadOnce(path: string, call: Call): Promise<Answer<Download>> {
    const response = await send('GET', path, call)
    if (!response.ok) return refusalIn(response)
    const disposition = response.headers.get('content-disposition') ?? 'inline'
    return { ok: true, body: { bytes: Buffer.from(await response.arrayBuffer()), disposition } }
  }

  async function uploadOnce<T>(path: string, { secret, headers, file }: Upload): Promise<Answer<T>> {
    const boundary = randomUUID()
    const response = await fetch(url() + path, {
      method: 'POST',
      dispatcher: agent,
      redirect: 'error',
      duplex: 'half',
      signal: AbortSignal.timeout(uploadTimeoutMs),
      headers: {
        ...headers,
        authorization: `Bearer ${secret}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
      body: multipartOf(file, boundary),
    })
    return response.ok ? { ok: true, body: (await response.json()) as T } : refusalIn(response)
  }

  return {
    /** Sends a file on while it is still arriving. */
    upload: <T>(path: string, call: Upload): Promise<Answer<T>> =>
      uploadOnce<T>(path, call).catch(() => (call.file.isTooLong() ? tooLong : unreachable)),

    /** Reads a file. */
    download: (path: string, call: Call): Promise<Answer<Download>> =>
      downloadOnce(path, call).catch(() => unreachable),

    async call<T>(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, call: Call): Promise<Answer<T>> {
      for (let tries = 1; ; tries++) {
        const answer = await callOnce<T>(method, path, call).catch(() => unreachable)
        // The form was sent twice and the first call is still running: retry, to get the first call's answer.
        if (answer.ok || !isRunning(answer.refused)) return answer
        // What will become of the first call is not known: to every page this is a call that was not answered.
        if (tries === triesMax) return unreachable
        await sleep((answer.refused.waitSeconds ?? 1) * 1000)
      }
    },
  }
}

function formOf({ name, bytes }: SentFile): FormData {
  const form = new FormData()
  form.append('file', new Blob([bytes]), name)
  return form
}

/** A multipart body with one file in its part `file`. It fails where the file is too long. */
async function* multipartOf({ name, bytes, isTooLong }: PostedFile, boundary: string): AsyncIterable<Uint8Array> {
  const quoted = name.replaceAll(/["\r\n]/g, (mark) => encodeURIComponent(mark))
  yield Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted}"\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  )
  for await (const chunk of bytes) yield chunk
  if (isTooLong()) throw new Error('the file is too long')
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}

/** The error object that an answer holds. */
async function refusalIn(response: Response): Promise<Answer<never>> {
  type Body = { error_code: string; errors?: FieldError[]; detail: string }
  const { error_code: code, errors = [], detail } = (await response.json()) as Body
  const waitSeconds = Number(response.headers.get('retry-after')) || null
  return { ok: false, refused: { status: response.status, code, errors, waitSeconds, detail } }
}

const unreachable: Answer<never> = {
  ok: false,
  refused: { status: 503, code: 'SERVICE_UNAVAILABLE', errors: [], waitSeconds: null },
}

const tooLong: Answer<never> = {
  ok: false,
  refused: {
    status: 400,
    code: 'VALIDATION_ERROR',
    errors: [{ field: 'file', message: 'is too long', type: 'value_error.range' }],
    waitSeconds: null,
  },
}

/** Whether the call with this idempotency key was made before, and is still being carried out. */
const isRunning = ({ errors }: Refused): boolean => errors.some((error) => error.code === 'idempotency_key_in_use')
