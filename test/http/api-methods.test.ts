import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../api/operations.ts'
import { newId } from '../../domain/id.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { createMerchant, type Reply } from '../support/merchant.ts'
import { openPages } from '../support/pages.ts'
import { addCalls } from '../support/rows.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// What HTTP requires of a server: methods, `Allow`, `HEAD`, and who may call from a browser.
const stack = await useStack({ workers: false })
const api = await useApi(stack)

const call = (method: string, path: string, headers: Record<string, string> = {}) =>
  stack.merchant.call(method, path, undefined, { ...fromAnywhere(), ...headers })
const listed = (value: string | null) => (value ?? '').split(', ').toSorted()

/** The methods that the declarations give a path; another path may be its pattern too (`/payouts/{payout_id}`). */
function methodsOf(path: string): string[] {
  const isIt = (pattern: string) => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)
  const named = operations.filter((operation) => operation.path === path)
  const taking = path.includes('{') ? operations.filter((operation) => isIt(operation.path)) : named
  const methods = taking.map(({ method }) => method.toUpperCase())
  if (methods.includes('GET')) methods.push('HEAD')
  if (taking.some(({ auth }) => auth.includes('clientSecret'))) methods.push('OPTIONS')
  return [...new Set(methods)].toSorted()
}

test('METHOD_NOT_ALLOWED: 405 with Allow for a known path and another method', async () => {
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const methods = methodsOf(path)
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      if (methods.includes(method)) continue
      const reply = await call(method, path)
      const what = `${method} ${path}: ${reply.text}`
      assert.equal(reply.status, 405, what)
      if (method !== 'HEAD') assertError(reply, 405, 'METHOD_NOT_ALLOWED')
      assert.deepEqual(listed(reply.headers.get('allow')), methods, what)
    }
  }
})

test('405 also for paths that are no operation: a page of the docs and the health check', async () => {
  for (const path of ['/openapi.json', '/reference', '/healthz', '/uploads/upl_x']) {
    const reply = await call('POST', path)
    assertError(reply, 405, 'METHOD_NOT_ALLOWED')
    assert.equal(reply.headers.get('allow'), 'GET, HEAD')
  }
})

test('a method that the path does not have is refused alike with and without a credential', async () => {
  const path = `/v1/checkout-sessions/${newId('chk', Date.now())}`
  const [with_, without] = [await call('DELETE', path), await call('DELETE', path, { authorization: '' })]
  assert.deepEqual([with_.status, with_.text], [without.status, without.text])
})

test('HEAD answers like GET, without a body, where GET exists', async () => {
  const { checkout_id } = await stack.merchant.createCheckout()
  const paths = ['/v1/payments', `/v1/checkout-sessions/${checkout_id}`, '/openapi.json', '/healthz', '/v1/payments/no']
  for (const path of paths) {
    const [head, get] = [await call('HEAD', path), await call('GET', path)]
    assert.deepEqual([head.status, head.text], [get.status, ''], path)
    for (const name of ['content-type', 'content-length', 'x-api-version']) {
      assert.equal(head.headers.get(name), get.headers.get(name), `${path} ${name}`)
    }
  }
  const refused = await call('HEAD', '/v1/payments', { authorization: '' })
  assert.deepEqual([refused.status, refused.text], [401, ''])
  assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer /)
})

test('no cache keeps an answer of an operation: it may hold keys, tokens, codes or personal data', async () => {
  const { checkout_id: id, client_secret: secret } = await stack.merchant.createCheckout()
  const answers = [
    await call('GET', '/v1/payments'),
    await call('GET', '/v1/test-helpers/emails'),
    await call('GET', `/v1/checkout-sessions/${id}/public`, bearer(secret)),
    await stack.merchant.call('POST', '/v1/customers', { email: 'ada@example.com' }),
    await call('GET', '/v1/payments/no'),
    await call('GET', '/v1/payments?limit=0'),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 201, 404, 400],
  )
  for (const { method, path } of operations)
    answers.push(await call(method.toUpperCase(), path.replaceAll(/[{}]/g, ''), { authorization: '' }))
  for (const { status, text, headers } of answers)
    assert.equal(headers.get('cache-control'), 'no-store', `${status} ${text}`)
})

// ---- Browser calls: CORS for the client-secret operations only, any origin, no credentials.

const origin = 'https://shop.example'
const corsOf = ({ headers }: Reply) => [...headers.keys()].filter((name) => name.startsWith('access-control-'))
const isForBuyers = ({ path }: { path: string }) =>
  /^\/v1\/checkout-sessions\/\{\w+\}\/(public|pay|confirm)$/.test(path)
const preflight = (path: string, method: string, headers = 'authorization,content-type,idempotency-key') =>
  call('OPTIONS', path, {
    origin,
    authorization: '',
    'access-control-request-method': method.toUpperCase(),
    'access-control-request-headers': headers,
  })

test('CORS for the client-secret operations only: any origin, no credentials', async () => {
  const open = operations.filter(isForBuyers)
  assert.equal(open.length, 3)
  assert.deepEqual(
    open,
    operations.filter(({ auth }) => auth.includes('clientSecret')),
  )
  for (const { method, path } of open) {
    const { status, text, headers } = await preflight(path, method)
    assert.deepEqual([status, text], [204, ''])
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('access-control-allow-credentials'), null)
    assert.ok(listed(headers.get('access-control-allow-methods')).includes(method.toUpperCase()))
    const allowed = listed(headers.get('access-control-allow-headers')).map((name) => name.toLowerCase())
    for (const name of ['authorization', 'content-type', 'idempotency-key']) assert.ok(allowed.includes(name), name)
  }
})

test('no other path answers preflights', async () => {
  const others = operations.filter((operation) => !isForBuyers(operation))
  const paths = [
    ...new Set(others.map(({ path }) => path)),
    '/openapi.json',
    '/openapi-staff.json',
    '/v1',
    '/checkout/chk_x',
    '/.well-known/x',
  ]
  for (const path of paths) {
    const reply = await preflight(path, 'GET')
    assert.ok(reply.status === 405 || reply.status === 404, `${path} ${reply.status}`)
    assert.deepEqual(corsOf(reply), [], path)
    const plain = await call('GET', path, { origin })
    assert.deepEqual(corsOf(plain), [], path)
  }
})

test('a merchant’s page can read every answer to a buyer, including each kind of refusal', async (t) => {
  const { checkout_id, client_secret } = await stack.merchant.createCheckout()
  const of = (action: string) => `/v1/checkout-sessions/${checkout_id}/${action}`
  const as = { origin, ...bearer(client_secret) }
  const answers = {
    200: await call('GET', of('public'), as),
    400: await call('POST', of('pay'), as),
    401: await call('GET', of('public'), { origin, authorization: '' }),
    404: await call('GET', `/v1/checkout-sessions/${newId('chk', Date.now())}/public`, as),
    405: await call('PUT', of('confirm'), as),
    409: await call('POST', of('confirm'), as),
  }
  for (const [status, reply] of Object.entries(answers)) assert.equal(String(reply.status), status, reply.text)
  const bad = await call('GET', of('public'), { ...as, 'x-api-version': '1999-01-01' })
  assert.equal(bad.status, 400)
  const slash = await call('GET', `${of('PUBLIC')}/`, as)
  assert.equal(slash.status, 200)

  const unavailable = createMerchant(
    await api.addProcess({
      clock: { now: () => Promise.reject(Object.assign(new Error(), { code: 'ECONNREFUSED' })) },
    }),
    stack.merchant.apiKey,
  )
  const gone = await unavailable.call('GET', of('public'), undefined, as)
  assert.equal(gone.status, 503, gone.text)

  const limited = createMerchant(await api.addProcess({ clock: { now: () => 60_000 } }), stack.merchant.apiKey)
  await addCalls(stack, 'ip/192.0.2.1', 60_000, 60)
  t.after(() => stack.sql(`delete from rate_windows where subject = 'ip/192.0.2.1'`))
  const often = await limited.call('POST', of('pay'), {}, { ...as, 'x-forwarded-for': '192.0.2.1' })
  assertError(often, 429, 'TOO_MANY_REQUESTS')

  for (const { status, headers } of [...Object.values(answers), bad, slash, gone, often]) {
    assert.equal(headers.get('access-control-allow-origin'), '*', String(status))
    assert.equal(headers.get('access-control-allow-credentials'), null)
    const exposed = listed(headers.get('access-control-expose-headers'))
    for (const name of ['Retry-After', 'X-RateLimit-Remaining', 'X-Request-Id', 'Idempotent-Replayed']) {
      assert.ok(exposed.includes(name), name)
    }
  }
})

test('the dashboard, the review desk and the hosted checkout cannot be called from another origin', async (t) => {
  const pages = await openPages(stack)
  t.after(pages.stop)
  const { checkout_url } = await stack.merchant.createCheckout()
  for (const address of [pages.addressOf(checkout_url), `${pages.base}/dashboard/login`, `${pages.base}/ops/login`]) {
    for (const method of ['GET', 'OPTIONS']) {
      const reply = await fetch(address, { method, headers: { origin, 'access-control-request-method': 'POST' } })
      await reply.arrayBuffer()
      assert.equal(reply.headers.get('access-control-allow-origin'), null, `${method} ${address}`)
      if (method === 'OPTIONS') assert.equal(reply.status, 405, address)
    }
  }
})
