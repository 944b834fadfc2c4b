import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, fetch, FormData, type Response } from 'undici'
import type { FieldError } from '../domain/refusal.ts'

/** The API's answer: a body or a refusal. `waitSeconds` is the time to wait before a retry, or null. */
export type Answer<T> = { ok: true; body: T } | { ok: false; refused: Refused }
export type Refused = { status: number; code: string; errors: FieldError[]; waitSeconds: number | null }

/** A file, with the header that says how a browser treats it. */
export type Download = { bytes: Buffer; disposition: string }

/** A file that somebody has sent with a form. */
export type SentFile = { name: string; bytes: Buffer<ArrayBuffer> }

/**
 * One call: `secret` is its credential, `key` its idempotency key, `headers` name the buyer it is made for. It has a
 * body or a file.
 */
type Call = { secret: string | null; headers: Record<string, string>; body?: object; file?: SentFile; key?: string }

export type Api = ReturnType<typeof createApi>

const triesMax = 8
const timeoutMs = 30_000

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
    return response.ok ? { ok: true, body: (await response.json()) as T } : refusalIn(response)
  }

  async function downloadOnce(path: string, call: Call): Promise<Answer<Download>> {
    const response = await send('GET', path, call)
    if (!response.ok) return refusalIn(response)
    const disposition = response.headers.get('content-disposition') ?? 'inline'
    return { ok: true, body: { bytes: Buffer.from(await response.arrayBuffer()), disposition } }
  }

  return {
    /** Reads a file. */
    download: (path: string, call: Call): Promise<Answer<Download>> =>
      downloadOnce(path, call).catch(() => unreachable),

    async call<T>(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, call: Call): Promise<Answer<T>> {
      for (let tries = 1; ; tries++) {
        const answer = await callOnce<T>(method, path, call).catch(() => unreachable)
        // The form was sent twice and the first call is still running: retry, to get the first call's answer.
        if (answer.ok || tries === triesMax || !isRunning(answer.refused)) return answer
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

/** The error object that an answer holds. */
async function refusalIn(response: Response): Promise<Answer<never>> {
  const { error_code: code, errors = [] } = (await response.json()) as { error_code: string; errors?: FieldError[] }
  const waitSeconds = Number(response.headers.get('retry-after')) || null
  return { ok: false, refused: { status: response.status, code, errors, waitSeconds } }
}

const unreachable: Answer<never> = {
  ok: false,
  refused: { status: 503, code: 'SERVICE_UNAVAILABLE', errors: [], waitSeconds: null },
}

const isRunning = ({ errors }: Refused): boolean => errors.some((error) => error.code === 'idempotency_key_in_use')
