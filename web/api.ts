import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import type { FieldError } from '../domain/refusal.ts'

/** The API's answer: a body or a refusal. `waitSeconds` is the time to wait before a retry, or null. */
export type Answer<T> = { ok: true; body: T } | { ok: false; refused: Refused }
export type Refused = { status: number; code: string; errors: FieldError[]; waitSeconds: number | null }

/** One call: `secret` is its credential, `key` its idempotency key, `headers` name the buyer it is made for. */
type Call = { secret: string | null; headers: Record<string, string>; body?: object; key?: string }

export type Api = ReturnType<typeof createApi>

const triesMax = 8
const timeoutMs = 30_000

/** A client of the API at `url()`. The credential is a client secret or an access token. It never throws. */
export function createApi(url: () => string) {
  const agent = new Agent() // an agent of our own, so that loopback calls never go through a proxy of the environment

  async function callOnce<T>(method: string, path: string, call: Call): Promise<Answer<T>> {
    const response = await fetch(url() + path, {
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
    })
    const body: unknown = await response.json()
    if (response.ok) return { ok: true, body: body as T }
    const { error_code: code, errors = [] } = body as { error_code: string; errors?: FieldError[] }
    const waitSeconds = Number(response.headers.get('retry-after')) || null
    return { ok: false, refused: { status: response.status, code, errors, waitSeconds } }
  }

  return {
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

const unreachable: Answer<never> = {
  ok: false,
  refused: { status: 503, code: 'SERVICE_UNAVAILABLE', errors: [], waitSeconds: null },
}

const isRunning = ({ errors }: Refused): boolean => errors.some((error) => error.code === 'idempotency_key_in_use')
