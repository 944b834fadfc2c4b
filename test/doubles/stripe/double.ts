import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'
import { createAccount } from './account.ts'
import { ApiError, type CardBehaviour, createBooks, type Entry, type Route } from './books.ts'
import { createDisputes } from './disputes.ts'
import { type Params, readForm } from './form.ts'
import { createKeys } from './keys.ts'
import { createPayments } from './payments.ts'
import { createRefunds } from './refunds.ts'
import { createSaved } from './saved.ts'
import { createSetups } from './setups.ts'

/**
 * What goes wrong with a request:
 *
 * - `lost`: it is carried out, and the connection is cut before the answer.
 * - `torn`: it is carried out, and half of the answer arrives.
 * - `hanging`: it is carried out and never answered.
 * - `silent`: it is carried out, and nothing comes after the head of the answer.
 * - `broken`: it is carried out and answered with 500, which is kept.
 * - `failed`: the same 500, and nothing was carried out.
 * - `cut`: the connection is cut, and nothing was carried out.
 * - `limited`, `conflict`: 429 and 409, and nothing was carried out.
 * - `misplaced`: 400 with an error about the account and not about the order, and nothing was carried out.
 * - `page`: a proxy answers with 502.
 * - `slow`: it takes 300 ms.
 */
export type Fault =
  | 'lost'
  | 'broken'
  | 'failed'
  | 'cut'
  | 'limited'
  | 'conflict'
  | 'hanging'
  | 'silent'
  | 'torn'
  | 'misplaced'
  | 'page'
  | 'slow'

type Request = {
  method: string
  path: string
  /** With its query. */
  url: string
  params: Params
  key: string | null
  contentType: string
  body: string
}
type Tamper = (body: Record<string, unknown>) => void
type Options = { secretKeys: string[]; livemode?: boolean; searchLagMs?: number }

/**
 * Stripe as its public documents describe it, on this machine: an HTTP server with books, idempotency keys, webhook
 * events, and faults on demand (docs.stripe.com/api, "Idempotent requests", "Errors", "Search", "Refunds").
 */
export async function startStripeDouble({ secretKeys, livemode = true, searchLagMs = 30_000 }: Options) {
  const books = createBooks(livemode)
  const keys = createKeys(books.nowMs)
  const payments = createPayments(books, { searchLagMs })
  const refunds = createRefunds(books)
  const saved = createSaved(books)
  const setups = createSetups(books)
  const disputes = createDisputes(books)
  const account = createAccount(books)
  const forbidden = new Set<string>()
  const accepted = new Set(secretKeys)
  const faults: { at: string; fault: Fault }[] = []
  const tampers: { at: string; tamper: Tamper }[] = []
  const requests: Request[] = []
  /** While it is away every connection is cut before anything is carried out. */
  const state = { isAway: false }

  const routes: Route[] = [
    [/^POST \/v1\/payment_intents$/, (params) => payments.create(params)],
    [/^GET \/v1\/payment_intents\/search$/, (params) => payments.search(params)],
    [/^GET \/v1\/payment_intents\/(\w+)$/, (params, id) => payments.retrieve(id, params)],
    [/^POST \/v1\/payment_intents\/(\w+)\/cancel$/, (params, id) => payments.cancel(id, params)],
    [/^POST \/v1\/refunds$/, (params) => refunds.create(params)],
    [/^GET \/v1\/refunds$/, (params) => refunds.list(params)],
    [/^GET \/v1\/refunds\/(\w+)$/, (_params, id) => refunds.retrieve(id)],
    ...saved.routes,
    ...setups.routes,
    ...disputes.routes,
    ...account.routes,
  ]

  function carryOut({ method, path, params }: Request): unknown {
    for (const [pattern, act] of routes) {
      const found = pattern.exec(`${method} ${path}`)
      if (found) return act(params, found[1] ?? '')
    }
    throw new ApiError(404, { type: 'invalid_request_error', message: `Unrecognized request URL (${method}: ${path})` })
  }

  /** What Stripe does with a request, and the answer that it would give. */
  async function answer(request: Request, fault: Fault | null) {
    if (fault === 'cut' || fault === 'page') return { status: 502, body: {} }
    if (fault === 'misplaced') return refusal(400, { type: 'invalid_request_error', code: 'livemode_mismatch' })
    if (fault === 'limited') return refusal(429, { type: 'invalid_request_error', code: 'lock_timeout' })
    if (fault === 'conflict') return refusal(409, { type: 'invalid_request_error', code: 'idempotency_key_in_use' })
    if (forbidden.has(`${request.method} ${request.path}`)) return notPermitted
    const key = request.method === 'POST' ? request.key : null
    try {
      const kept = key === null ? null : keys.take(key, `${request.path} ${JSON.stringify(request.params)}`)
      if (kept) return kept
    } catch (error) {
      return refusalOf(error as ApiError)
    }
    if (fault === 'slow') await sleep(300)
    const { isEarly, ...given } = outcome(request, fault)
    if (key !== null && isEarly) keys.release(key)
    if (key !== null && !isEarly) keys.keep(key, given)
    return given
  }

  function outcome(request: Request, fault: Fault | null) {
    const broken = refusal(500, { type: 'api_error', message: 'An unknown error occurred' })
    if (fault === 'failed') return { ...broken, isEarly: false }
    try {
      const body = structuredClone(carryOut(request))
      return fault === 'broken' ? { ...broken, isEarly: false } : { status: 200, body, isEarly: false }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { ...(fault === 'broken' ? broken : refusalOf(error)), isEarly: error.isEarly }
    }
  }

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(message)
    const { method = '' } = message
    const { url = '' } = message
    const contentType = message.headers['content-type'] ?? ''
    const { pathname: path, searchParams } = new URL(url, 'http://double')
    const key = message.headers['idempotency-key']
    // The boundary of a multipart body is no parameter, and another one each time.
    const [, boundary] = /^multipart\/form-data; boundary=(.+)$/.exec(contentType) ?? []
    const params = boundary
      ? { multipart: body.replaceAll(boundary, '') }
      : readForm(method === 'GET' ? searchParams.toString() : body)
    const request = { method, path, url, params, contentType, body, key: typeof key === 'string' ? key : null }
    requests.push(request)
    const secretKey = /^Bearer (.+)$/.exec(message.headers.authorization ?? '')?.[1] ?? ''
    const fault = state.isAway ? 'cut' : (takeFirst(faults, `${method} ${path}`)?.fault ?? null)
    const given = accepted.has(secretKey) ? await answer(request, fault) : unauthorized(secretKey)
    const tampered = structuredClone(given.body) as Record<string, unknown>
    if (given.status === 200) takeFirst(tampers, `${method} ${path}`)?.tamper(tampered)
    send(message, response, fault, { status: given.status, body: tampered })
  }

  const server = createServer((message, response) => {
    serve(message, response).catch((error: unknown) => response.destroy(error as Error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    books,
    payments,
    refunds,
    saved,
    setups,
    disputes,
    requests,
    /** What goes wrong with the next requests that begin like this, such as `POST /v1/refunds`, one for each. */
    fail: (at: string, ...next: Fault[]) => void faults.push(...next.map((fault) => ({ at, fault }))),
    /** Nothing goes wrong with further requests. */
    worksAgain: () => void faults.splice(0),
    setAway: (isAway: boolean) => void (state.isAway = isAway),
    /** Changes the next answer to such a request. */
    tamper: (at: string, tamper: Tamper) => void tampers.push({ at, tamper }),
    /** An event as Stripe sends it, its bytes and its header; `at`: the time in milliseconds since the epoch. */
    signed(event: Entry, secret: string, at: number) {
      const payload = JSON.stringify(event)
      const header = { payload, secret, timestamp: Math.floor(at / 1000) }
      return { bytes: Buffer.from(payload), signature: Stripe.webhooks.generateTestHeaderString(header) }
    },
    account: account.state,
    /** Calls that the key may not make, such as `GET /v1/account`. */
    forbid: (...calls: string[]) => void calls.forEach((call) => forbidden.add(call)),
    /** Every call may be made again, and nothing is planned to go wrong. */
    allowAll(): void {
      forbidden.clear()
      faults.length = 0
    },
    /** Lets time pass at Stripe. */
    pass: (ms: number) => void (books.clock.aheadMs += ms),
    /** A card that Stripe's field in a browser has taken. Returns its token. */
    addCard: (behaviour: CardBehaviour = {}) => saved.addCard(behaviour),
    /** The keys that the account has now. */
    setKeys(...now: string[]): void {
      accepted.clear()
      for (const one of now) accepted.add(one)
    },
    /** The entries of a kind that were made for one of our ids. */
    madeFor: (object: string, ourId: string): Entry[] =>
      books.all(object).filter(({ metadata }) => (metadata as Params)['steadypay_id'] === ourId),
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const refusal = (status: number, error: Record<string, unknown>) => ({ status, body: { error } })
const refusalOf = ({ status, error }: ApiError) => refusal(status, error)
/** As Stripe answers a restricted key that lacks a permission; it names the key, which is not repeated here. */
const notPermitted = refusal(403, {
  type: 'invalid_request_error',
  message: 'The provided key does not have the required permissions for this endpoint.',
})
const unauthorized = (key: string) =>
  refusal(401, { type: 'invalid_request_error', message: `Invalid API Key provided: ${key}` })

function takeFirst<T extends { at: string }>(list: T[], what: string): T | undefined {
  const index = list.findIndex(({ at }) => what.startsWith(at))
  return index < 0 ? undefined : list.splice(index, 1)[0]
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function send(
  message: IncomingMessage,
  response: ServerResponse,
  fault: Fault | null,
  { status, body }: { status: number; body: unknown },
): void {
  if (fault === 'hanging') return
  if (fault === 'lost' || fault === 'cut') return void message.socket.destroy()
  const text = fault === 'page' ? '<html>Bad gateway</html>' : JSON.stringify(body)
  response.writeHead(status, {
    'content-type': fault === 'page' ? 'text/html' : 'application/json',
    'content-length': Buffer.byteLength(text),
    'request-id': 'req_double',
    ...(fault === 'limited' && { 'retry-after': '1' }),
  })
  if (fault === 'silent') return void response.flushHeaders()
  if (fault !== 'torn') return void response.end(text)
  response.write(text.slice(0, text.length / 2))
  setImmediate(() => message.socket.destroy())
}
