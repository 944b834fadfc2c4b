import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { openPortal, portalCalls } from '../support/portal.ts'
import { make } from '../support/resource.ts'
import { writeSubscription } from '../support/resources/subscription.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Sessions of customers: who may open one, what its token opens, and when it ends.
const time = { now: Date.now() }
const stack = await useStack({ workers: false, clock: { now: () => time.now } })
const api = await useApi(stack)
const { merchant } = stack
const hour = 3_600_000
const returnUrl = 'https://example.com/account'

const newCustomer = (of = merchant) =>
  make(of, '/v1/customers', { email: `${randomUUID()}@example.com` }, 'customer_id')
const create = (body: object, of = merchant) => of.call('POST', '/v1/customer-sessions', body)
const me = (token: string) => portalCalls(merchant, token)('GET', 'me')

test('a session has a token for an hour, its page, and what it is for', async () => {
  const customer = await newCustomer()
  const { body, status } = await create({ customer_id: customer, return_url: returnUrl })
  assert.equal(status, 201)
  const { customer_session_id: id, token, ...shown } = body as Record<string, unknown>
  assert.match(String(id), /^cs_/)
  assert.match(String(token), new RegExp(`^${String(id)}_secret_[\\w-]{32}$`))
  assert.deepEqual(shown, {
    customer_id: customer,
    url: `${stack.baseUrl}/portal/${String(token)}`,
    return_url: returnUrl,
    flow: null,
    created_at: new Date(time.now).toISOString(),
    expires_at: new Date(time.now + hour).toISOString(),
  })
  const own = await me(String(token))
  assert.equal(own.status, 200)
  assert.deepEqual([own.body['customer_id'], own.body['return_url']], [customer, returnUrl])
})

test('the token is shown once: only its hash is stored, and no call reads a session', async () => {
  const { token, customer_session_id: id } = await openPortal(merchant, await newCustomer())
  const [row] = await stack.sql('select * from customer_sessions where id = ?', [id])
  assert.ok(row && !JSON.stringify(row).includes(token.split('_secret_')[1] ?? token))
  assertError(await merchant.call('GET', `/v1/customer-sessions/${id}`), 404, 'NOT_FOUND')
})

test('two sessions of a customer work at once, and a repeated call under a key is the same session', async () => {
  const customer = await newCustomer()
  const [one, other] = [await openPortal(merchant, customer), await openPortal(merchant, customer)]
  assert.notEqual(one.token, other.token)
  for (const { token } of [one, other, one]) assert.equal((await me(token)).status, 200)
  const body = { customer_id: customer, return_url: returnUrl }
  const keyed = () => merchant.call('POST', '/v1/customer-sessions', body, { 'idempotency-key': customer })
  assert.equal((await keyed()).text, (await keyed()).text)
})

test('UNAUTHORIZED: a token ends after its hour, not before', async () => {
  const { token } = await openPortal(merchant, await newCustomer())
  time.now += hour - 1
  assert.equal((await me(token)).status, 200)
  time.now += 1
  const expired = await me(token)
  assertError(expired, 401, 'UNAUTHORIZED')
  assert.match(String(expired.headers.get('www-authenticate')), /error="invalid_token"/)
  const unknown = await me(token.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x')))
  assert.deepEqual(unknown.body, expired.body, 'an expired token and an unknown one look alike')
})

test('on an account’s test clock a token ends by the real time', async () => {
  const { merchant: other, accountId } = await api.addMerchant()
  const clock = await other.call('POST', '/v1/test-helpers/clocks', {
    name: 'A year',
    frozen_time: '2030-01-01T00:00:00Z',
  })
  const clockId = String(clock.body['clock_id'])
  await stack.sql('update accounts set clock_id = ? where id = ?', [clockId, accountId])
  const { token, expires_at: end } = await openPortal(other, await newCustomer(other))
  assert.equal(end, new Date(time.now + hour).toISOString())
  assert.equal((await me(token)).status, 200)
})

test('NOT_FOUND: another account’s customer, subscription or group, and another customer’s subscription', async () => {
  const owner = { accountId: stack.organizationId }
  const foreign = await api.addMerchant()
  const rows = await writeSubscription(stack, owner, 'sandbox')
  const theirs = await writeSubscription(stack, { accountId: foreign.accountId }, 'sandbox')
  const neighbours = await writeSubscription(stack, owner, 'sandbox')
  const live = await writeSubscription(stack, owner, 'live')
  const ask = (customer_id: string, flow: object | null = null) => create({ customer_id, return_url: returnUrl, flow })
  for (const { customer } of [theirs, live]) assertError(await ask(customer), 404, 'NOT_FOUND')
  for (const { subscription } of [theirs, neighbours, live]) {
    const flow = { type: 'subscription_cancel', subscription_id: subscription }
    assertError(await ask(rows.customer, flow), 404, 'NOT_FOUND')
  }
  const product = { name: 'Plan', price_type: 'fixed', amount: '5.00', currency: 'USD' }
  const productId = await make(foreign.merchant, '/v1/products', product, 'product_id')
  const group = { name: 'Plans', products: [productId] }
  const groupId = await make(foreign.merchant, '/v1/product-groups', group, 'product_group_id')
  const flow = { type: 'subscription_update', product_group_id: groupId }
  assertError(await ask(rows.customer, flow), 404, 'NOT_FOUND')
  for (const empty of [{ subscription_id: '' }, { product_group_id: '' }]) {
    assertError(await ask(rows.customer, { type: 'subscription_update', ...empty }), 404, 'NOT_FOUND')
  }
  const own = { type: 'subscription_update', subscription_id: rows.subscription }
  const opened = await ask(rows.customer, own)
  assert.deepEqual(opened.body['flow'], { ...own, product_group_id: null })
})

test('the input is checked', async () => {
  const customer = await newCustomer()
  assertFieldErrors(await create({}), { customer_id: 'value_error.missing', return_url: 'value_error.missing' })
  for (const address of ['javascript:alert(1)', '/account', 'ftp://example.com', '']) {
    const reply = await create({ customer_id: customer, return_url: address })
    assert.deepEqual(
      assertError(reply, 400, 'VALIDATION_ERROR').map(({ field }) => field),
      ['return_url'],
      address,
    )
  }
  const body = { customer_id: customer, return_url: returnUrl }
  assertFieldErrors(await create({ ...body, flow: { type: 'everything' } }), { 'flow.type': 'value_error.enum' })
  assertFieldErrors(await create({ ...body, flow: { type: 'subscription_cancel', product_group_id: 'pg_x' } }), {
    'flow.product_group_id': 'value_error',
  })
})

test('a token is counted by itself while it reads, and tells its limit', async () => {
  const { token } = await openPortal(merchant, await newCustomer())
  const { headers } = await me(token)
  assert.equal(headers.get('x-ratelimit-limit'), '120')
  assert.equal((await me(token)).headers.get('x-ratelimit-remaining'), '118')
})
