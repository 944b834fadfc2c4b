import { setTimeout } from 'node:timers/promises'
import { secondsToWait, SteadypayError } from './error.ts'

/** A function like the global `fetch`. */
export type Fetch = (request: Request) => Promise<Response>
export type Patience = { fetch: Fetch; retriesMax: number; timeoutMs: number }

const firstPauseMs = 500
const longestPauseMs = 8_000
/** A window of the rate limit is a minute. Longer waits are the caller's to plan. */
const longestWaitSeconds = 60
const worthAnotherTry = [429, 500, 502, 503, 504]

/**
 * Sends a request until it is answered, and the same one again where that cannot do anything twice: it reads, or it has
 * an idempotency key, so that the service knows it again.
 */
export function createPatientFetch({ fetch, retriesMax, timeoutMs }: Patience): Fetch {
  return async (request) => {
    const triesMax = mayRepeat(request) ? retriesMax + 1 : 1
    for (let tries = 1; ; tries++) {
      const isLast = tries === triesMax
      const answered = await answerTo(fetch, isLast ? request : request.clone(), timeoutMs).catch((error: unknown) => {
        if (isLast || request.signal.aborted) throw request.signal.aborted ? error : noAnswer(request, error)
        return null
      })
      const pauseMs = answered ? pauseAfter(answered, tries) : backOff(tries)
      if (answered && (isLast || pauseMs === null)) return answered
      const { signal } = request
      await setTimeout(pauseMs ?? 0, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}

const mayRepeat = ({ method, headers }: Request): boolean =>
  method === 'GET' || method === 'HEAD' || headers.has('Idempotency-Key')

/** Reads the body too, so that an answer which is cut counts as none. */
async function answerTo(fetch: Fetch, request: Request, timeoutMs: number): Promise<Response> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)])
  const { status, statusText, headers, body } = await fetch(new Request(request, { signal })).then(readToEnd)
  return new Response(body, { status, statusText, headers })
}

const readToEnd = async (response: Response) => ({
  status: response.status,
  statusText: response.statusText,
  headers: response.headers,
  body: response.body ? await response.arrayBuffer() : null,
})

/** Null if another try would be answered in the same way. */
function pauseAfter({ status, headers }: Response, tries: number): number | null {
  const seconds = secondsToWait(headers)
  // A conflict has this header while an earlier call with the same key is still at work.
  if (!worthAnotherTry.includes(status) && !(status === 409 && seconds !== null)) return null
  if (seconds === null) return backOff(tries)
  return seconds > longestWaitSeconds ? null : seconds * 1_000
}

/** Doubles with each try, less a random part, so that many clients do not come back at the same moment. */
const backOff = (tries: number): number =>
  Math.min(firstPauseMs * 2 ** (tries - 1), longestPauseMs) * (0.5 + Math.random() / 2)

export function noAnswer({ method, url, headers }: Request, cause: unknown): SteadypayError {
  const { origin, pathname } = new URL(url)
  const idempotencyKey = headers.get('Idempotency-Key')
  return new SteadypayError('NO_ANSWER', `no answer from ${origin} to ${method} ${pathname}`, { idempotencyKey, cause })
}
