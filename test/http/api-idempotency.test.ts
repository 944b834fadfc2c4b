import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertError, bearer } from '../support/api.ts'
import { endow, exchanging } from '../support/conversion.ts'
import { buyer, card, cards, createMerchant, type Merchant, sale, transferSale } from '../support/merchant.ts'
import { assertInUse, assertReplay, keyOf } from '../support/idempotency.ts'
import { delayCard, endCharge } from '../support/rail-books.ts'
import { addCalls, countRows } from '../support/rows.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

const create = (key: string, body: unknown = sale, merchant: Merchant = stack.merchant) =>
  merchant.call('POST', '/v1/checkout-sessions', body, keyOf(key))

const count = (from: string, params: unknown[] = []) => countRows(stack, from, params)

test('a repeated call gets the same answer byte for byte, and creates nothing', async () => {
  const key = randomUUID()
  const first = await create(key)
  assert.equal(first.status, 201)
  const made = await count('checkouts')
  for (let times = 0; times < 3; times++) assertReplay(first, await create(key))
  assert.equal(await count('checkouts'), made)
})

test('the same key with another body is CONFLICT with the code idempotency_key_reused', async () => {
  const key = randomUUID()
  await create(key)
  for (const body of [{ ...sale, amount: '26.00' }, JSON.stringify(sale).replace(',', ', ')]) {
    const [error] = assertError(await create(key, body), 409, 'CONFLICT')
    assert.equal(error?.code, 'idempotency_key_reused')
    assert.equal(error?.field, 'Idempotency-Key')
  }
})

test('50 equal calls at once have one effect; each gets its answer, or the error that the key is in use', async () => {
  const key = randomUUID()
  const reference = `parallel ${key}`
  const second = createMerchant(await api.addProcess(), stack.merchant.apiKey)
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, index) => create(key, { ...sale, reference }, index % 2 ? second : stack.merchant)),
  )
  const done = replies.filter(({ status }) => status === 201)
  assert.ok(done.length > 0)
  assert.equal(new Set(done.map(({ text }) => text)).size, 1)
  for (const reply of replies.filter(({ status }) => status !== 201)) assertInUse(reply)
  assert.equal(await count('checkouts where reference = ?', [reference]), 1)
})

test('another path, method, account or environment is another scope', async () => {
  const key = randomUUID()
  const first = await create(key)
  const other = await api.addMerchant()
  const live = await api.addKey({ accountId: other.accountId, environment: 'live' })
  const replies = [await create(key, sale, other.merchant), await create(key, { ...sale, amount: '0' }, live.merchant)]
  const { checkout_id } = first.body
  replies.push(await stack.merchant.call('POST', `/v1/checkout-sessions/${checkout_id}/cancel`, sale, keyOf(key)))
  const configuration = { webhook_url: null }
  const path = '/api/v1/notifications/webhooks/configuration'
  replies.push(await stack.merchant.call('PUT', path, configuration, keyOf(key)))
  for (const reply of replies) {
    assert.ok(reply.status < 300, reply.text)
    assert.equal(reply.headers.get('idempotent-replayed'), null)
    assert.notEqual(reply.text, first.text)
  }
})

test('the same path in another spelling is the same scope', async () => {
  const key = randomUUID()
  const first = await create(key)
  const again = await stack.merchant.call('POST', '/v1/checkout-sessions/?x=1', sale, keyOf(key))
  assertReplay(first, again)
})

test('an invalid call is not stored, so the corrected one may use its key', async () => {
  const key = randomUUID()
  assertError(await create(key, { ...sale, amount: '1e3' }), 400, 'VALIDATION_ERROR')
  assert.equal((await create(key)).status, 201)
  const session = await stack.merchant.createCheckout()
  const pay = (number: string) =>
    stack.merchant.call(
      'POST',
      `/v1/checkout-sessions/${session.checkout_id}/pay`,
      { payment_method: 'USD_CARD', card: card(number), customer_details: buyer },
      { ...keyOf(`pay ${key}`), ...bearer(session.client_secret) },
    )
  assertError(await pay('4242424242424241'), 400, 'VALIDATION_ERROR')
  assert.equal((await pay(cards.success)).status, 200)
})

test('a call over the rate limit is not stored', async () => {
  const key = randomUUID()
  const { id, merchant } = await api.addKey({ accountId: await api.addAccount(), rateTier: 'standard' })
  let now = Math.ceil(Date.now() / 60_000) * 60_000
  const process = createMerchant(await api.addProcess({ clock: { now: () => now } }), merchant.apiKey)
  await addCalls(stack, id, now, 100)
  assertError(await create(key, sale, process), 429, 'TOO_MANY_REQUESTS')
  now += 60_000
  assert.equal((await create(key, sale, process)).status, 201)
})

test('a business refusal is stored, also one by the process', async () => {
  const key = randomUUID()
  const refused = await create(key, { ...sale, currency: 'XTS' })
  assertError(refused, 400, 'CURRENCY_NOT_SUPPORTED')
  assertReplay(refused, await create(key, { ...sale, currency: 'XTS' }))

  const session = await stack.merchant.createCheckout()
  await stack.merchant.pay(session, { payment_method: 'USD_CARD', card: card(cards.success) })
  await delayCard(stack, session.checkout_id)
  const { body } = await stack.merchant.confirm(session)
  const cancel = () =>
    stack.merchant.call('POST', `/v1/checkout-sessions/${session.checkout_id}/cancel`, {}, keyOf(`cancel ${key}`))
  const processing = await cancel()
  assertError(processing, 409, 'CONFLICT')
  await endCharge(stack, String(body['payment_id']), 'failed', 'card_declined')
  await stack.client.workflow.getHandle(`checkout/${session.checkout_id}`).signal('railAnswered', body['payment_id'])
  await sleep(500)
  assertReplay(processing, await cancel())
})

test('a refusal for lack of money stays the answer of its key when the money is there; a new key works', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const { quote_id } = await exchanging(merchant).quote()
  const convert = (key: string) => merchant.call('POST', '/v1/conversions', { quote_id }, keyOf(key))
  const key = randomUUID()
  const refused = await convert(key)
  assertError(refused, 400, 'INSUFFICIENT_BALANCE')
  await endow(stack, accountId)
  assertReplay(refused, await convert(key))
  assert.equal((await convert(randomUUID())).status, 201)
})

test('an answer is kept for exactly 24 hours', async () => {
  const key = randomUUID()
  let now = Date.now()
  const process = createMerchant(await api.addProcess({ clock: { now: () => now } }), stack.merchant.apiKey)
  const first = await create(key, sale, process)
  now += 24 * 3_600_000 - 1
  assertReplay(first, await create(key, sale, process))
  now += 1
  const fresh = await create(key, { ...sale, amount: '30.00' }, process)
  assert.equal(fresh.status, 201)
  assert.notEqual(fresh.body['checkout_id'], first.body['checkout_id'])
  now += 1_000
  assertReplay(fresh, await create(key, { ...sale, amount: '30.00' }, process))
})

test('a repeated call gets its answer also when its moments are over or too old by then', async () => {
  let now = Date.now()
  const at = (ms: number) => new Date(now + ms).toISOString()
  const process = createMerchant(await api.addProcess({ clock: { now: () => now } }), stack.merchant.apiKey)
  const address = { url: 'https://example.com/recovered' }
  const endpoint = await process.call('POST', '/v1/webhooks/endpoints', address, keyOf(randomUUID()))
  const price = { price_type: 'fixed', currency: 'USD', amount: '10.00' }
  const link = { name: 'Soon over', price, success_url: 'https://example.com/', expires_at: at(600_000) }
  const span = { since: at(600_000 - 90 * 24 * 3_600_000) }
  const calls = [
    { path: '/v1/payment-links', body: link, status: 201, field: 'expires_at' },
    { path: `/v1/webhooks/endpoints/${endpoint.body['endpoint_id']}/recover`, body: span, status: 200, field: 'since' },
  ]
  const made = []
  for (const call of calls) {
    const key = randomUUID()
    const first = await process.call('POST', call.path, call.body, keyOf(key))
    assert.equal(first.status, call.status, first.text)
    made.push({ ...call, key, first })
  }
  now += 15 * 60_000
  for (const { path, body, key, first, field } of made) {
    assertReplay(first, await process.call('POST', path, body, keyOf(key)))
    const fresh = await process.call('POST', path, body, keyOf(randomUUID()))
    assert.deepEqual(
      assertError(fresh, 400, 'VALIDATION_ERROR').map((error) => error.field),
      [field],
    )
  }
})

test('a key of more than 255 characters is listed among the other errors', async () => {
  assert.equal((await create('k'.repeat(255))).status, 201)
  const errors = assertError(await create('k'.repeat(256), { ...sale, amount: 5 }), 400, 'VALIDATION_ERROR')
  assert.deepEqual(
    errors.map(({ field, type }) => [field, type]),
    [
      ['Idempotency-Key', 'value_error.range'],
      ['amount', 'value_error.type'],
    ],
  )
})

test('stored answers are encrypted', async () => {
  const { body } = await create(randomUUID(), { ...sale, customer: buyer })
  const [{ dump } = { dump: '' }] = await stack.sql<{ dump: string }>(
    'select json_agg(r)::text as dump from idempotency_records r',
  )
  for (const clear of [
    String(body['client_secret']).split('_secret_')[1] ?? '',
    buyer.email,
    'requires_payment_method',
  ]) {
    assert.ok(!dump.includes(clear) && !dump.includes(Buffer.from(clear).toString('base64')), clear)
  }
})

test('repeated calls to pay, confirm and cancel get the first answer', async () => {
  const paid = await stack.merchant.createCheckout()
  const post = (action: string, body: unknown, key: string) => {
    const headers = { ...keyOf(key), ...bearer(paid.client_secret) }
    return stack.merchant.call('POST', `/v1/checkout-sessions/${paid.checkout_id}/${action}`, body, headers)
  }
  const choice = { payment_method: 'USD_CARD', card: card(cards.success), customer_details: buyer }
  const chosen = await post('pay', choice, 'pay')
  assert.equal(chosen.body['payment_status'], 'requires_confirmation')
  const confirmed = await post('confirm', {}, 'confirm')
  assert.equal(confirmed.body['payment_status'], 'succeeded')
  assertReplay(chosen, await post('pay', choice, 'pay'))
  assertReplay(confirmed, await post('confirm', {}, 'confirm'))
  assert.equal(await count('payments where checkout_id = ?', [paid.checkout_id]), 1)

  const { checkout_id } = await stack.merchant.createCheckout()
  const cancel = () => stack.merchant.call('POST', `/v1/checkout-sessions/${checkout_id}/cancel`, {}, keyOf('cancel'))
  const cancelled = await cancel()
  assert.equal(cancelled.body['status'], 'cancelled')
  assertReplay(cancelled, await cancel())
})

test('20 equal payments at once are one payment', async () => {
  const session = await stack.merchant.createCheckout()
  const body = { payment_method: 'USD_CARD', card: card(cards.success), customer_details: buyer, confirm: true }
  const replies = await Promise.all(
    Array.from({ length: 20 }, () =>
      stack.merchant.call('POST', `/v1/checkout-sessions/${session.checkout_id}/pay`, body, {
        ...keyOf('pay at once'),
        ...bearer(session.client_secret),
      }),
    ),
  )
  const done = replies.filter(({ status }) => status === 200)
  assert.ok(done.length > 0)
  assert.equal(new Set(done.map(({ text }) => text)).size, 1)
  for (const reply of replies.filter(({ status }) => status !== 200)) assertInUse(reply)
  assert.equal(await count('payments where checkout_id = ?', [session.checkout_id]), 1)
})

test('a deposit that is repeated with its key is one deposit', async () => {
  const session = await stack.merchant.createCheckout(transferSale)
  const { payment_id } = await stack.merchant.payByTransfer(session)
  const path = `/v1/test-helpers/payments/${payment_id}/deposit`
  const deposit = () => stack.merchant.call('POST', path, { amount: '1000.00' }, keyOf('deposit'))
  const first = await deposit()
  assert.equal(first.body['amount_received'], '1000.00')
  assertReplay(first, await deposit())
  assert.equal(await count('simulated_deposits where payment_id = ?', [payment_id]), 1)
})

test('parallel creations make one new customer, and parallel first configurations one endpoint', async () => {
  const customer = { email: `${randomUUID()}@example.com`, name: 'New Customer' }
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) => create(`customer ${index}`, { ...sale, customer })),
  )
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
  assert.equal(await count('customers where email = ?', [customer.email]), 1)
  const { merchant } = await api.addMerchant()
  const configured = await Promise.all(
    Array.from({ length: 10 }, () =>
      merchant.call('PUT', '/api/v1/notifications/webhooks/configuration', { webhook_url: 'https://example.com/' }),
    ),
  )
  assert.deepEqual(new Set(configured.map(({ status }) => status)), new Set([200]))
})
