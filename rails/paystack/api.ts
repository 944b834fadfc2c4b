import { Pool } from 'undici'
import { parseOrNull } from '../../domain/exact-json.ts'
import { fieldsOf, isRecord } from '../../domain/narrow.ts'
import { createLine, type LineOptions, NotSent } from '../line.ts'
import { readBounded } from '../read-bounded.ts'
import { noAnswer, secondsToMs, type Unanswered } from '../unanswered.ts'

/** An answer of Paystack's API. Its numbers are texts with all their digits. */
export type Reply = {
  status: number
  /** Whether Paystack says that it has carried out the request. How a payment stands is only in `data`. */
  isDone: boolean
  /** Paystack's name for an error, and its kind; null where it gives none. */
  code: string | null
  type: string | null
  /** Its words about an error. They may repeat what was sent, so they go into no error and no log of ours. */
  message: string
  data: unknown
}

/** Paystack's word for a mode is `domain`. */
export type PaystackMode = 'live' | 'test'

export type PaystackOptions = {
  /** `sk_live_…`, or `sk_test_…` if `livemode` is false. It is in no error. */
  secretKey: string
  /** Whether the key is of Paystack's live mode. All that Paystack answers has to be of the same mode. */
  livemode?: boolean
  /** The address of the API; another one only in tests. */
  url?: string | undefined
  /** One clock over connect, head and body, in milliseconds. */
  timeoutMs?: number
  line?: LineOptions
}

export type PaystackApi = {
  mode: PaystackMode
  /** Whether nothing is sent at the moment, because Paystack has failed several times in a row. */
  isDown(): boolean
  get(path: string, timeoutMs?: number): Promise<Reply>
  send(method: 'POST' | 'PUT', path: string, body: Record<string, unknown>, timeoutMs?: number): Promise<Reply>
  close(): Promise<void>
}

/**
 * Paystack has not answered, or not in a way that says anything about the order: the outcome is unknown. The message
 * names the path without its ids, and nothing that was sent.
 */
export class PaystackUnclear extends Error {
  override readonly name = 'PaystackUnclear'
  readonly code = 'PAYSTACK_UNCLEAR'
  readonly unanswered: Unanswered
  /** Whether the request may have left. */
  readonly isSent: boolean

  constructor(message: string, unanswered: Unanswered = noAnswer, isSent = true) {
    super(message)
    this.unanswered = unanswered
    this.isSent = isSent
  }
}

const apiUrl = 'https://api.paystack.co'
const usualTimeoutMs = 15_000
const connectTimeoutMs = 3_000
const connectionsMax = 16
const bytesMax = 1024 * 1024

/**
 * Calls of Paystack's API over a pool of their own. An answer of 401, 403, 429 or 5xx, one that is no JSON or too
 * large, and no answer at all are a `PaystackUnclear`: about our key, our rate or Paystack's state, and not about the
 * order.
 */
export function createPaystackApi({
  secretKey,
  livemode = true,
  url = apiUrl,
  timeoutMs = usualTimeoutMs,
  line: options,
}: PaystackOptions): PaystackApi {
  const mode = livemode ? 'live' : 'test'
  if (!secretKey.startsWith(`sk_${mode}_`)) throw new Error(`the secret key of Paystack is not one of its ${mode} mode`)
  const line = createLine('paystack', options)
  const pool = new Pool(url, { connections: connectionsMax, connect: { timeout: connectTimeoutMs } })

  async function call(method: 'GET' | 'POST' | 'PUT', path: string, body: string | null, clockMs: number) {
    const headers = {
      authorization: `Bearer ${secretKey}`,
      accept: 'application/json',
      ...(body !== null && { 'content-type': 'application/json' }),
    }
    const about = `${method} ${withoutIds(path)}`
    try {
      const signal = AbortSignal.timeout(clockMs)
      const { status, answered, text } = await line.send(about, async () => {
        // A redirect is not followed, so that the key is sent to no other address.
        const response = await pool.request({ method, path, headers, body, signal })
        const bounded = await readBounded(response.body, bytesMax)
        return { status: response.statusCode, answered: response.headers, text: bounded }
      })
      if (text === null) throw new PaystackUnclear('Paystack answers with too much')
      const retryAfterMs = secondsToMs(answered['x-ratelimit-reset'] ?? answered['retry-after'])
      return readReply(about, { status, isLate: false, retryAfterMs }, text)
    } catch (error) {
      if (error instanceof PaystackUnclear) throw error
      // Errors of the connection may hold what was sent or received, so only their code is passed on.
      const { code, name } = error as { code?: unknown; name?: unknown }
      const late = { ...noAnswer, isLate: name === 'TimeoutError' }
      const isSent = !(error instanceof NotSent)
      throw new PaystackUnclear(`Paystack does not answer ${about} (${String(code ?? name)})`, late, isSent)
    }
  }

  return {
    mode,
    isDown: line.isDown,
    get: (path, clockMs = timeoutMs) => call('GET', path, null, clockMs),
    send: (method, path, body, clockMs = timeoutMs) => call(method, path, JSON.stringify(body), clockMs),
    close: () => pool.close(),
  }
}

/** The path with each part that is an id or a reference, and the query, left out. */
const withoutIds = (path: string): string => path.split('?', 1)[0]!.replace(/\/[^/]*[\d%=.-][^/]*/g, '/…')

/** Statuses that say something about our key, our rate or Paystack itself, and nothing about the order. */
const saysNothing = (status: number) => status === 401 || status === 403 || status === 408 || status === 429

function readReply(about: string, answered: Unanswered & { status: number }, text: string): Reply {
  const { status } = answered
  if (status < 200 || status >= 500 || saysNothing(status) || (status >= 300 && status < 400))
    throw new PaystackUnclear(`Paystack answers ${about} with ${status}`, answered)
  const read = parseOrNull(text)
  if (!isRecord(read)) throw new PaystackUnclear(`Paystack answers ${about} with ${status} and no JSON`)
  const { code, type, message, data } = read
  return {
    status,
    isDone: status < 300 && read['status'] === true,
    code: word(code),
    type: word(type),
    message: typeof message === 'string' ? message : '',
    data: data ?? null,
  }
}

const word = (value: unknown): string | null =>
  typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : null

/** Whether a request has not left, because Paystack is down. */
export const isNotSent = (error: unknown): boolean => error instanceof PaystackUnclear && !error.isSent

/** What an error may say about a reply: no text that Paystack chose freely. */
export const unclear = (what: string, { status, code }: Reply): PaystackUnclear => {
  const named = code === null ? '' : ` (${code})`
  return new PaystackUnclear(`Paystack answers ${what} with ${status}${named}`, { ...noAnswer, status })
}

/** The fields of a reply's data; none where it has none. */
export const dataOf = ({ data }: Reply): Record<string, unknown> => fieldsOf(data)
