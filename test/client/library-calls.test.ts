import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import {
  createSteadypay,
  type Steadypay,
  SteadypayError,
  verifyEvent,
  WebhookVerificationError,
} from '../../client/library/index.ts'
import { operations } from '../../api/operations.ts'
import { takesKey } from '../../api/http/operation.ts'
import { comingBack } from '../../client/library/coming-back.ts'
import { takingKeys } from '../../client/library/operations.ts'
import { startFakeApi } from '../support/client.ts'
import { atEnd, use } from '../support/use.ts'

// How the client for TypeScript calls: keys, retries, pages and errors, against a service that answers as told.
type Answer = { status: number; headers?: Record<string, string>; body?: unknown }
const fake = await use(
  () => startFakeApi(({ path }) => answers[path]),
  ({ close }) => close(),
)
let answers: Record<string, Answer> = {}
const refusal = (error_code: string, more = {}) => ({ detail: 'no', error_code, ...more })

/** Makes the service answer a call with these, one after another. Returns a client and the calls that arrive. */
function prepare(first: Answer[], then: Record<string, Answer> = {}, options = {}) {
  fake.errors.splice(0, fake.errors.length, ...first)
  fake.calls.length = 0
  answers = then
  return createSteadypay({ baseUrl: `${fake.baseUrl}/`, apiKey: 'sk_sandbox_test', ...options })
}
const busy: Answer = { status: 503, headers: { 'retry-after': '0' }, body: refusal('SERVICE_UNAVAILABLE') }
const keys = () => fake.calls.map(({ headers }) => headers['idempotency-key'])
const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => assert.fail('the call was answered'),
    (error: unknown) => {
      assert.ok(error instanceof SteadypayError, String(error))
      return error
    },
  )

const customer = { '/v1/customers': { status: 201, body: { customer_id: 'cust_1' } } }
const body = { email: 'ada@example.com' }

test('a write has a new key, which its repetitions have too', async () => {
  const steadypay = prepare([busy, busy], customer)
  assert.equal((await steadypay.POST('/v1/customers', { body })).customer_id, 'cust_1')
  const [first, ...more] = keys()
  assert.match(String(first), /^[0-9a-f-]{36}$/)
  assert.deepEqual(more, [first, first])
  assert.deepEqual(new Set(fake.calls.map((call) => call.body)), new Set([JSON.stringify(body)]))
  await steadypay.POST('/v1/customers', { body })
  assert.notEqual(keys()[3], first)
  assert.equal(fake.calls[0]?.headers['authorization'], 'Bearer sk_sandbox_test')
})

test('a key of the caller is kept', async () => {
  const steadypay = prepare([busy], customer)
  await steadypay.POST('/v1/customers', { body, params: { header: { 'Idempotency-Key': 'order-7' } } })
  assert.deepEqual(keys(), ['order-7', 'order-7'])
})

test('a key in the body is the key of the call, so that the call has one effect however often it is made', async () => {
  const steadypay = prepare([busy], { '/api/v1/payments/refunds': { status: 201, body: { refund_id: 'ref_1' } } })
  const refund = (idempotency_key: string, headers = {}) =>
    steadypay.POST('/api/v1/payments/refunds', {
      body: { charge_id: 'pay_1', reference: 'return-7', idempotency_key },
      headers,
    })
  await refund('return-7')
  await refund('return-7')
  assert.deepEqual(keys(), ['return-7', 'return-7', 'return-7'])
  await refund('return-7', { 'idempotency-key': 'mine' })
  assert.equal(keys()[3], 'mine')
  for (const unfit of ['é', ' spaced ', '', 'x'.repeat(256)]) {
    await refund(unfit)
    assert.equal(keys().at(-1), undefined, `${unfit} is left to the service`)
  }
})

test('an error names the key of the call, with which the same call has no second effect', async () => {
  const steadypay = prepare([busy, busy, busy, busy])
  const failed = await errorOf(steadypay.POST('/v1/customers', { body }))
  assert.deepEqual([failed.status, failed.idempotencyKey], [503, keys()[0]])
  assert.match(String(failed.idempotencyKey), /^[0-9a-f-]{36}$/)
  const { port, keysSeen } = await serve((response, before) => {
    if (before === 0) return response.destroy()
    return response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>bad gateway</h1>')
  })
  const cut = createSteadypay({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k', retriesMax: 0 })
  const noAnswer = await errorOf(cut.POST('/v1/customers', { body }))
  assert.deepEqual([noAnswer.code, noAnswer.idempotencyKey], ['NO_ANSWER', keysSeen[0]])
  const badAnswer = await errorOf(cut.POST('/v1/customers', { body }))
  assert.deepEqual([badAnswer.code, badAnswer.idempotencyKey], ['BAD_ANSWER', keysSeen[1]])
  assert.equal((await errorOf(cut.GET('/v1/balances'))).idempotencyKey, null)
})

test('only the operations that take a key get one', () => {
  const known = operations.filter(({ forStaff }) => forStaff !== true)
  const keyed = known.filter(takesKey).map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  assert.deepEqual([...takingKeys].toSorted(), keyed.toSorted())
  assert.ok(!takingKeys.has('POST /api/v1/auth/login'))
})

test('what takes no key is sent once, also if there is no answer', async () => {
  const steadypay = prepare([busy, busy])
  const login = { email: 'ada@example.com', password: 'correct horse', login_token: 'a-token' }
  assert.equal((await errorOf(steadypay.POST('/api/v1/auth/login', { body: login }))).code, 'SERVICE_UNAVAILABLE')
  assert.deepEqual(keys(), [undefined])
  const path = { product_id: 'prod_1' }
  assert.equal((await errorOf(steadypay.DELETE('/v1/products/{product_id}', { params: { path } }))).status, 503)
  assert.equal(fake.calls.length, 2)
  for (const keyed of [
    { headers: { 'idempotency-key': 'mine' } },
    { params: { header: { 'Idempotency-Key': 'mine' } } },
  ]) {
    prepare([busy, busy])
    const failed = await errorOf(
      steadypay.POST('/api/v1/auth/login', { body: login, ...keyed } as { body: typeof login }),
    )
    assert.deepEqual([failed.code, failed.idempotencyKey, keys()], ['SERVICE_UNAVAILABLE', null, [undefined]])
  }
  const away = createSteadypay({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k' })
  assert.equal((await errorOf(away.DELETE('/v1/products/{product_id}', { params: { path } }))).code, 'NO_ANSWER')
})

test('a call waits as long as Retry-After says, and gives up where that is longer than a minute', async () => {
  const slow = { status: 429, headers: { 'retry-after': '1' }, body: refusal('TOO_MANY_REQUESTS') }
  const steadypay = prepare([slow], { '/v1/balances': { status: 200, body: { items: [] } } })
  await steadypay.GET('/v1/balances')
  const [first, second] = fake.calls
  assert.ok((second?.at ?? 0) - (first?.at ?? 0) >= 990)
  prepare([{ ...slow, headers: { 'retry-after': '3600' } }])
  const error = await errorOf(steadypay.GET('/v1/balances'))
  assert.deepEqual([error.code, error.retryAfterSeconds, fake.calls.length], ['TOO_MANY_REQUESTS', 3600, 1])
})

test('a call is given up after the fourth try, or as often as the caller says', async () => {
  const steadypay = prepare(Array.from({ length: 9 }, () => busy))
  assert.equal((await errorOf(steadypay.GET('/v1/balances'))).status, 503)
  assert.equal(fake.calls.length, 4)
  const hasty = prepare([busy, busy], {}, { retriesMax: 0 })
  assert.equal((await errorOf(hasty.GET('/v1/balances'))).status, 503)
  assert.equal(fake.calls.length, 1)
})

test('a conflict is repeated only while an earlier call with its key is at work', async () => {
  const inUse = { status: 409, headers: { 'retry-after': '0' }, body: refusal('CONFLICT') }
  const steadypay = prepare([inUse], customer)
  assert.equal((await steadypay.POST('/v1/customers', { body })).customer_id, 'cust_1')
  prepare([{ status: 409, body: refusal('CONFLICT') }], customer)
  assert.equal((await errorOf(steadypay.POST('/v1/customers', { body }))).code, 'CONFLICT')
  assert.equal(fake.calls.length, 1)
})

test('an error has the code, the status, the fields, the id of the call and the page of the answer', async () => {
  const errors = [{ field: 'email', message: 'is no address', type: 'value_error.format' }]
  const doc_url = 'https://pay.example/docs/errors#VALIDATION_ERROR'
  const wrong = {
    status: 400,
    headers: { 'x-request-id': 'call-1' },
    body: refusal('VALIDATION_ERROR', { errors, doc_url }),
  }
  const steadypay = prepare([wrong])
  const error = await errorOf(steadypay.POST('/v1/customers', { body: { email: 'ada' } }))
  const { code, status, requestId, docUrl, message, name } = error
  assert.deepEqual(
    { code, status, errors: error.errors, requestId, docUrl, message, name },
    {
      code: 'VALIDATION_ERROR',
      status: 400,
      errors,
      requestId: 'call-1',
      docUrl: doc_url,
      message: 'no',
      name: 'SteadypayError',
    },
  )
  assert.equal(fake.calls.length, 1)
})

test('what is not the service’s answer is BAD_ANSWER, and shows neither key nor body', async () => {
  for (const status of [200, 404]) {
    const { port, close } = await serve((response) => response.writeHead(status, json).end('<h1>sk_sandbox_test</h1>'))
    const steadypay = createSteadypay({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'sk_sandbox_test' })
    const error = await errorOf(steadypay.GET('/v1/balances'))
    assert.deepEqual([error.code, error.status], ['BAD_ANSWER', status])
    assert.doesNotMatch(`${error.message} ${error.stack}`, /sk_sandbox/)
    await close()
  }
})

test('an answer of another type than the operation’s is BAD_ANSWER, also with status 200', async () => {
  const answered = await serve((response, before) => {
    const isFile = before === 2
    response.writeHead(200, { 'content-type': isFile ? 'application/pdf' : 'text/html' }).end('a page')
  })
  const steadypay = createSteadypay({ baseUrl: `http://127.0.0.1:${answered.port}`, apiKey: 'k' })
  const receipt = () =>
    steadypay.GET('/v1/payments/{payment_id}/receipt', { params: { path: { payment_id: 'pay_1' } } })
  for (const call of [() => steadypay.POST('/v1/customers', { body }), receipt]) {
    const { code, status } = await errorOf(call())
    assert.deepEqual([code, status], ['BAD_ANSWER', 200])
  }
  const file = await receipt()
  assert.deepEqual([file instanceof Blob, await file.text()], [true, 'a page'])
})

const json = { 'content-type': 'application/json' }

/** A server that answers each call in its own way, by how many there were before. */
async function serve(answer: (response: ServerResponse, before: number) => unknown) {
  const keysSeen: unknown[] = []
  const server = createServer((request, response) => {
    keysSeen.push(request.headers['idempotency-key'])
    request.resume()
    request.on('end', () => answer(response, keysSeen.length - 1))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  atEnd(close)
  return { port: (server.address() as AddressInfo).port, keysSeen, close }
}

test('an answer that is cut, or does not come in time, is asked for again with the same key', async () => {
  const { port, keysSeen } = await serve((response, before) => {
    if (before === 0)
      return response.writeHead(201, { ...json, 'content-length': '99' }).write('{"cust', () => response.destroy())
    if (before === 1) return undefined // never
    return response.writeHead(201, json).end('{"customer_id":"cust_1"}')
  })
  const steadypay = createSteadypay({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k', timeoutMs: 300 })
  assert.equal((await steadypay.POST('/v1/customers', { body })).customer_id, 'cust_1')
  assert.deepEqual([keysSeen.length, new Set(keysSeen).size], [3, 1])
})

test('an advance of a test clock and a scenario have the time that the service lets them take', async (t) => {
  const late = AbortSignal.abort(new Error('the answer comes after 70 s'))
  t.mock.method(AbortSignal, 'timeout', (ms: number) => (ms < 70_000 ? late : new AbortController().signal))
  const done = {
    '/v1/test-helpers/clocks/clk_1/advance': { status: 200, body: { status: 'ready' } },
    '/v1/test-helpers/scenarios': { status: 200, body: { clock_id: 'clk_1' } },
    ...customer,
  }
  const advance = (steadypay: Steadypay) =>
    steadypay.POST('/v1/test-helpers/clocks/{clock_id}/advance', {
      params: { path: { clock_id: 'clk_1' } },
      body: { by: 'P1Y' },
    })
  const steadypay = prepare([], done, { retriesMax: 0 })
  assert.equal((await advance(steadypay)).status, 'ready')
  const ran = await steadypay.POST('/v1/test-helpers/scenarios', { body: { steps: [{ wait: 'P1D' }] } })
  assert.equal(ran.clock_id, 'clk_1')
  assert.equal((await errorOf(steadypay.POST('/v1/customers', { body }))).code, 'NO_ANSWER')
  const hasty = prepare([], done, { retriesMax: 0, timeoutMs: 30_000 })
  assert.equal((await errorOf(advance(hasty))).code, 'NO_ANSWER', 'the time that the caller has set')
})

test('the key is not sent on to another address', async () => {
  const other = await serve((response) => response.writeHead(200, json).end('{}'))
  const { port } = await serve((response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${other.port}/` }).end(),
  )
  const steadypay = createSteadypay({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k', retriesMax: 0 })
  assert.equal((await errorOf(steadypay.GET('/v1/balances'))).code, 'NO_ANSWER')
  assert.equal(other.keysSeen.length, 0)
})

test('a call that its caller aborts ends at once, with the caller’s reason, also between two tries', async () => {
  const stopped = new AbortController()
  const steadypay = prepare([{ ...busy, headers: { 'retry-after': '30' } }], customer)
  const call = steadypay.POST('/v1/customers', { body, signal: stopped.signal })
  setTimeout(() => stopped.abort(new Error('no longer needed')), 200)
  await assert.rejects(call, { message: 'no longer needed' })
  assert.equal(fake.calls.length, 1)
})

test('a list is read page by page, and only as far as its items are needed', async () => {
  const pages = ['a', 'b', 'c'].map((id, index) => ({
    status: 200,
    body: { items: [{ payment_id: id }], pagination: { next_cursor: index < 2 ? `cursor-${index}` : null } },
  }))
  const steadypay = prepare(pages)
  const query = { status: 'succeeded', offset: 0 } as const
  const ids = []
  for await (const { payment_id } of steadypay.list('/v1/payments', { params: { query } })) ids.push(payment_id)
  assert.deepEqual(ids, ['a', 'b', 'c'])
  const asked = fake.calls.map((call) => Object.fromEntries(call.query))
  const filter = { status: 'succeeded', limit: '100' }
  const [first, ...more] = asked
  assert.deepEqual(first, { ...filter, offset: '0' })
  assert.deepEqual(more, [
    { ...filter, cursor: 'cursor-0' },
    { ...filter, cursor: 'cursor-1' },
  ])
  prepare(pages)
  for await (const _ of steadypay.list('/v1/payments')) break
  assert.equal(fake.calls.length, 1)
})

test('a list that goes on by an offset shows no row twice, though new ones move the others', async () => {
  const page = (total: number, ...ids: string[]) => ({
    status: 200,
    body: { total, items: ids.map((refund_id) => ({ refund_id })) },
  })
  const steadypay = prepare([page(4, 'r4', 'r3'), page(5, 'r3', 'r2'), page(5, 'r1'), page(5)])
  const ids = []
  const query = { limit: 2 }
  for await (const { refund_id } of steadypay.list('/api/v1/payments/refunds', { params: { query } }))
    ids.push(refund_id)
  assert.deepEqual(ids, ['r4', 'r3', 'r2', 'r1'])
  assert.deepEqual(
    fake.calls.map((call) => call.query.get('offset')),
    [null, '2', '4'],
  )
})

test('the waits of a stream grow while each attempt to connect hangs, as none of them has worked', async (t) => {
  let now = 0
  let opened = 0
  t.mock.method(performance, 'now', () => now)
  t.mock.method(Math, 'random', () => 0)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  syncBuiltinESMExports()
  const open = async () => {
    opened++
    now += 30_000
    throw new Error('no answer')
  }
  const stop = new AbortController()
  const frames = comingBack({ open, retryAfterMs: () => 0, retriesMax: 9, signal: stop.signal })
  const ended = frames.next().catch(() => null)
  const after = async (ms: number) => {
    await new Promise((resolve) => setImmediate(resolve)) // until it waits
    t.mock.timers.tick(ms)
    await new Promise((resolve) => setImmediate(resolve))
    return opened
  }
  try {
    assert.deepEqual([await after(499), await after(1)], [1, 2])
    assert.deepEqual([await after(999), await after(1)], [2, 3])
    assert.deepEqual([await after(1_999), await after(1)], [3, 4])
  } finally {
    stop.abort()
    await ended
    t.mock.reset()
    syncBuiltinESMExports()
  }
})

test('an event that is genuine has the fields of its type, and any other is refused', () => {
  const event = { id: 'evt_1', type: 'payout.paid', created_at: '2026-01-01T00:00:00Z', data: { payout_id: 'pay_1' } }
  const text = JSON.stringify(event)
  const now = 1_780_000_000
  const signature = createHmac('sha256', 'a-secret-of-ours').update(`${now}.${text}`).digest('hex')
  const headers = { 'X-Service-Timestamp': `${now}`, 'X-Service-Signature': signature }
  const read = verifyEvent({ headers, body: text, secrets: 'a-secret-of-ours', now })
  assert.equal(read.type === 'payout.paid' && read.data.payout_id, 'pay_1')
  const other = { headers, body: text.replace('pay_1', 'pay_2'), secrets: 'a-secret-of-ours', now }
  assert.throws(() => verifyEvent(other), WebhookVerificationError)
})
