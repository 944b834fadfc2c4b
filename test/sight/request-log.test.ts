import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import { newId } from '../../domain/id.ts'
import { RequestLog } from '../../schemas/sight/request-log.ts'
import { assertError, assertFieldErrors, bearer, fromAnywhere } from '../support/api.ts'
import { type Merchant, sale } from '../support/merchant.ts'
import { changeKey } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

// The log of calls, as developers read it: every call with its request id, and nothing that was in it.
const stack = await useStack({ workers: false })
const api = await useApi(stack, { limited: true })
stack.services.config.trustedProxyHops = 1

type Call = { [field: string]: unknown } & Record<'request_id' | 'path' | 'request_log_id', string>
type LogPage = { items: Call[]; pagination: { next_cursor: string | null; prev_cursor: string | null } }

async function list(merchant: Merchant, query: Record<string, string> = {}): Promise<LogPage> {
  const { status, text } = await merchant.call('GET', `/v1/request-logs?${new URLSearchParams(query)}`)
  assert.equal(status, 200, text)
  return JSON.parse(text) as LogPage
}
const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id') ?? ''
const rowsOf = (requestId: string) => stack.sql('select * from request_logs where request_id = ?', [requestId])
const isLogged = (requestId: string) =>
  until(async () => (await rowsOf(requestId)).length > 0, 'the call is in the log')
/** Makes a call that is logged, so that everything before it is written too. */
async function flush(merchant: Merchant): Promise<void> {
  await isLogged(idOf(await merchant.call('GET', '/v1/balances')))
}
async function readKept(merchant: Merchant, id: string): Promise<Call> {
  const { status, text } = await merchant.call('GET', `/v1/request-logs/${id}`)
  assert.equal(status, 200, text)
  return JSON.parse(text) as Call
}
/** Reads a call by its request id, once it is written. */
async function read(merchant: Merchant, requestId: string): Promise<Call> {
  await isLogged(requestId)
  return readKept(merchant, requestId)
}

test('a call is in the log by the request id that its caller got, with key, path and answer', async () => {
  const { merchant, id: keyId, key } = await api.addMerchant()
  const made = await merchant.call('POST', '/v1/checkout-sessions', sale)
  const call = await read(merchant, idOf(made))
  assert.ok(Compile(RequestLog).Check(call), JSON.stringify(call))
  const { request_log_id, created_at, duration_ms, ...rest } = call
  assert.ok(Math.abs(Date.parse(String(created_at)) - Date.now()) < 60_000)
  assert.ok(Number(duration_ms) >= 0 && Number(duration_ms) < 30_000)
  assert.deepEqual(rest, {
    request_id: idOf(made),
    method: 'POST',
    route: '/v1/checkout-sessions',
    path: '/v1/checkout-sessions',
    operation: 'checkoutSessions.create',
    status: 201,
    error_code: null,
    doc_url: null,
    error_fields: [],
    api_key: { api_key_id: keyId, last_four: key.slice(-4) },
    user_id: null,
    acting_for: null,
    source: 'api',
    api_version: made.headers.get('x-api-version'),
    idempotent_replayed: false,
  })
  assert.deepEqual(await readKept(merchant, request_log_id), call)
  const seen = await merchant.call('GET', `/v1/checkout-sessions/${made.body['checkout_id']}?secret=marked-query`)
  const shown = await read(merchant, idOf(seen))
  assert.equal(shown.path, `/v1/checkout-sessions/${made.body['checkout_id']}`)
  assert.equal(shown['route'], '/v1/checkout-sessions/{checkout_id}')
})

test('refused calls are in the log with their code, and with the names of the faulty fields alone', async () => {
  const { merchant } = await api.addMerchant()
  const bad = await merchant.call('POST', '/v1/customers', { email: 'marked-value', metadata: { 'marked-name': 7 } })
  const call = await read(merchant, idOf(bad))
  assert.deepEqual([call['status'], call['error_code']], [400, 'VALIDATION_ERROR'])
  assert.deepEqual((call['error_fields'] as string[]).toSorted(), ['email', 'metadata.*'])
  assert.equal(call['doc_url'], `${stack.services.config.publicUrl}/docs/errors#VALIDATION_ERROR`)
  const missing = await merchant.call('GET', `/v1/payments/${newId('pay', 0)}`)
  assert.equal((await read(merchant, idOf(missing)))['status'], 404)
  const few = await api.addKey({ accountId: await api.addAccount(), scopes: ['webhooks:read'] })
  const forbidden = await few.merchant.call('POST', '/v1/customers', { email: 'a@example.com' })
  assert.equal((await read(few.merchant, idOf(forbidden)))['error_code'], 'FORBIDDEN')
  const key = { 'idempotency-key': randomUUID() }
  const first = await merchant.call('POST', '/v1/customers', { email: 'one@example.com' }, key)
  const again = await merchant.call('POST', '/v1/customers', { email: 'one@example.com' }, key)
  const conflict = await merchant.call('POST', '/v1/customers', { email: 'two@example.com' }, key)
  for (const [reply, status, replayed] of [
    [first, 201, false],
    [again, 201, true],
    [conflict, 409, false],
  ] as const) {
    const { status: found, idempotent_replayed: was } = await read(merchant, idOf(reply))
    assert.deepEqual([found, was], [status, replayed])
  }
})

test('a log is that of one account and one environment, for keys, people and connected accounts', async () => {
  const accountId = await api.addAccount()
  const own = await api.addKey({ accountId })
  const live = await api.addKey({ accountId, environment: 'live' })
  const other = await api.addMerchant()
  const connectedId = await api.addConnected(accountId)
  const connected = await api.addKey({ accountId: connectedId })
  const calls = await Promise.all(
    [own, live, other, connected].map(async ({ merchant }) => idOf(await merchant.call('GET', '/v1/balances'))),
  )
  const acting = { 'x-account-id': connectedId }
  const forThem = await own.merchant.call('GET', '/v1/balances', undefined, acting)
  const refused = await own.merchant.call('GET', '/v1/balances', undefined, { 'x-account-id': other.accountId })
  for (const id of [...calls, idOf(forThem), idOf(refused)]) await isLogged(id)
  const idsOf = async (merchant: Merchant, headers: Record<string, string> = {}) => {
    const { text } = await merchant.call('GET', '/v1/request-logs', undefined, headers)
    return (JSON.parse(text) as LogPage).items.map((call) => call.request_id).toSorted()
  }
  const [ofOwn, ofLive, ofOther, ofConnected] = calls
  assert.deepEqual(await idsOf(own.merchant), [ofOwn, idOf(forThem), idOf(refused)].toSorted())
  assert.deepEqual(await idsOf(live.merchant), [ofLive])
  assert.deepEqual(await idsOf(other.merchant), [ofOther])
  assert.deepEqual(await idsOf(connected.merchant), [ofConnected])
  assert.deepEqual(await idsOf(own.merchant, acting), [ofConnected])
  assertError(await other.merchant.call('GET', `/v1/request-logs/${ofOwn}`), 404, 'NOT_FOUND')
  assertError(await live.merchant.call('GET', `/v1/request-logs/${ofOwn}`), 404, 'NOT_FOUND')
  const acted = await read(own.merchant, idOf(forThem))
  assert.equal(acted['acting_for'], connectedId)
  // The account that was refused is somebody else’s: it is not named.
  assert.equal((await read(own.merchant, idOf(refused)))['acting_for'], null)
  const { items } = await list(own.merchant, { acting_for: connectedId })
  assert.deepEqual(
    items.map((call) => call.request_id),
    [idOf(forThem)],
  )
})

test('every role reads the log, a call of a person names them, and a key needs webhooks:read', async () => {
  const accountId = await api.addAccount()
  for (const role of ['owner', 'admin', 'developer', 'viewer'] as const) {
    const user = await addUser(stack, { accountId, role })
    const as = { ...fromAnywhere(), ...bearer(await user.token()) }
    const reply = await stack.merchant.call('GET', '/v1/balances', undefined, as)
    await isLogged(idOf(reply))
    const shown = await stack.merchant.call('GET', `/v1/request-logs/${idOf(reply)}`, undefined, as)
    assert.equal(shown.status, 200, shown.text)
    assert.deepEqual([shown.body['user_id'], shown.body['api_key'], shown.body['source']], [user.id, null, 'api'])
  }
  const { merchant } = await api.addKey({ accountId, scopes: ['payments:read'] })
  assertError(await merchant.call('GET', '/v1/request-logs'), 403, 'FORBIDDEN')
})

test('reading the log is not in it, and neither are buyers, staff and calls of nobody', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const session = await merchant.createCheckout()
  const staff = await addUser(stack, { accountId: null, role: 'reviewer' })
  const buyer = bearer(session.client_secret)
  const replies = await Promise.all([
    merchant.call('GET', '/v1/request-logs'),
    merchant.call('GET', `/v1/checkout-sessions/${session.checkout_id}/public`, undefined, buyer),
    merchant.call('GET', '/api/v1/admin/reviews', undefined, bearer(await staff.token())),
    merchant.call('GET', '/v1/balances', undefined, bearer(await staff.token())),
    merchant.call(
      'GET',
      '/v1/balances',
      undefined,
      bearer(merchant.apiKey.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'))),
    ),
    merchant.call('GET', '/v1/payment-methods'),
    merchant.call('GET', '/healthz').catch(() => ({ headers: new Headers({ 'x-request-id': 'none' }) })),
  ])
  await flush(merchant)
  for (const reply of replies) assert.deepEqual(await rowsOf(idOf(reply)), [])
  assert.equal((await stack.sql('select from request_logs where account_id = ?', [accountId])).length, 2)
})

test('calls with a revoked or expired key are in the log of its organization, a few each minute', async () => {
  for (const change of [{ isActive: false }, { expiresAt: new Date(0) }]) {
    const accountId = await api.addAccount()
    const old = await api.addKey({ accountId })
    await changeKey(stack, { id: old.id }, change)
    const refused = []
    for (let count = 0; count < 25; count++)
      refused.push(await old.merchant.call('GET', '/v1/balances', undefined, fromAnywhere()))
    for (const reply of refused) assertError(reply, 401, 'UNAUTHORIZED')
    await changeKey(stack, { id: old.id }, { isActive: false })
    const { merchant } = await api.addKey({ accountId })
    const call = await read(merchant, idOf(refused[0] as (typeof refused)[0]))
    assert.deepEqual([call['status'], (call['api_key'] as Record<string, string>)['api_key_id']], [401, old.id])
    await flush(merchant)
    const { items } = await list(merchant, { status: '401' })
    assert.ok(items.length >= 10 && items.length <= 20, `${items.length} of 25, as a minute may begin meanwhile`)
  }
})

test('TOO_MANY_REQUESTS: a storm of refused calls leaves a few lines beside the calls that were let in', async () => {
  const { merchant, accountId } = await api.addKey({ accountId: await api.addAccount(), rateTier: 'standard' })
  const replies = await Promise.all(Array.from({ length: 300 }, () => merchant.call('GET', '/v1/balances')))
  const letIn = replies.filter(({ status }) => status === 200)
  const counts = async () =>
    stack.sql<{ status: number; count: number }>(
      'select status, count(*)::int as count from request_logs where account_id = ? group by status order by status',
      [accountId],
    )
  await flush((await api.addMerchant()).merchant)
  assert.deepEqual((await counts())[0], { status: 200, count: letIn.length })
  const refused = (await counts()).find(({ status }) => status === 429)
  assert.ok(replies.length - letIn.length > 0)
  assert.ok(refused && refused.count >= 1 && refused.count <= 20, JSON.stringify(refused))
})

test('filters by status, method, path, code, key, request id and time narrow the log, alone and together', async () => {
  const { merchant, id: keyId } = await api.addMerchant()
  const from = new Date(Date.now() - 1).toISOString()
  await merchant.call('POST', '/v1/customers', { email: 'ada@example.com' })
  await merchant.call('POST', '/v1/customers', { email: 'nothing' })
  await merchant.call('GET', '/v1/customers')
  await merchant.call('GET', `/v1/payments/${newId('pay', 0)}`)
  const own = { 'x-request-id': `twice-${randomUUID()}` }
  for (let each = 0; each < 2; each++) await merchant.call('GET', '/v1/products', undefined, own)
  await flush(merchant)
  const count = async (query: Record<string, string>) => (await list(merchant, query)).items.length
  assert.equal(await count({}), 7)
  for (const [query, expected] of [
    [{ status: '4xx' }, 2],
    [{ status: '404' }, 1],
    [{ status: '2xx', method: 'POST' }, 1],
    [{ status: '5xx' }, 0],
    [{ method: 'GET' }, 5],
    [{ path: '/v1/customers' }, 3],
    [{ path: '/v1/payments/{payment_id}' }, 1],
    [{ path: '/v1/pay%' }, 0],
    [{ path: '/v1/customers', error_code: 'VALIDATION_ERROR' }, 1],
    [{ error_code: 'NOT_FOUND' }, 1],
    [{ api_key_id: keyId }, 7],
    [{ api_key_id: newId('key', 0) }, 0],
    [{ request_id: own['x-request-id'] }, 2],
    [{ created_after: from }, 7],
    [{ created_before: from }, 0],
  ] as const)
    assert.equal(await count(query), expected, JSON.stringify(query))
  const twice = await list(merchant, { request_id: own['x-request-id'] })
  const newest = await read(merchant, own['x-request-id'])
  assert.equal(newest.request_log_id, twice.items[0]?.request_log_id)
  const [, older] = twice.items
  assert.deepEqual(await readKept(merchant, older?.request_log_id ?? ''), older)
})

test('VALIDATION_ERROR: a status, a method, a path and a cursor that are none', async () => {
  const { merchant } = await api.addMerchant()
  const wrong = async (query: string) => merchant.call('GET', `/v1/request-logs?${query}`)
  assertFieldErrors(await wrong('status=9xx'), { status: 'value_error.format' })
  assertFieldErrors(await wrong('method=TRACE'), { method: 'value_error.enum' })
  assertFieldErrors(await wrong('path=v1'), { path: 'value_error.format' })
  assertFieldErrors(await wrong('cursor=x.y'), { cursor: 'value_error.format' })
})

test('the log is read page by page and back, each call once, although all are of one millisecond', async () => {
  const { merchant, accountId } = await api.addMerchant()
  await addCalls(accountId, 25)
  const seen: string[] = []
  let page = await list(merchant, { limit: '10' })
  for (;;) {
    seen.push(...page.items.map((call) => call.request_id))
    if (page.pagination.next_cursor === null) break
    page = await list(merchant, { limit: '10', cursor: page.pagination.next_cursor })
  }
  assert.deepEqual([seen.length, new Set(seen).size], [25, 25])
  const back = await list(merchant, { limit: '10', cursor: page.pagination.prev_cursor ?? '' })
  assert.deepEqual(
    back.items.map((call) => call.request_id),
    seen.slice(10, 20),
  )
})

test('a call of more than 7 days ago is in no list and cannot be read, whenever it is deleted', async () => {
  const { merchant, accountId } = await api.addMerchant()
  await addCalls(accountId, 1, "interval '7 days 1 second'")
  await addCalls(accountId, 1, "interval '6 days 23 hours'")
  const { items } = await list(merchant)
  assert.equal(items.length, 1)
  const [old] = await stack.sql<{ id: string }>(
    `select id from request_logs where account_id = ? and created_at < now() - interval '7 days'`,
    [accountId],
  )
  assertError(await merchant.call('GET', `/v1/request-logs/${old?.id}`), 404, 'NOT_FOUND')
})

/** Calls of an account, all of one moment. */
const addCalls = (accountId: string, count: number, ago = "interval '0'") =>
  stack.sql(
    `insert into request_logs (id, account_id, environment, request_id, method, route, path, status, error_fields,
       source, is_replay, duration_ms, created_at)
     select ? || lpad(n::text, 6, '0'), ?, 'sandbox', 'r' || n, 'GET', '/v1/payments', '/v1/payments', 200, '{}', 'api',
       false, 5, now() - ${ago} from generate_series(1, ${count}) n`,
    [newId('req', Date.now()).slice(0, -6), accountId],
  )
