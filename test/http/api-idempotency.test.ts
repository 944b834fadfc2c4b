import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { openDatabase } from '../../db/open-database.ts'
import type { Engine } from '../../engine/engine.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import {
  buyer,
  card,
  cards,
  createMerchant,
  type Merchant,
  type Reply,
  sale,
  transferSale,
} from '../support/merchant.ts'
import { delayCard, endCharge } from '../support/rail-books.ts'
import { addCalls } from '../support/rows.ts'
import { until } from '../support/stack.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { pause } from '../proof/until.ts'

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

const keyOf = (key: string) => ({ 'idempotency-key': key, ...fromAnywhere() })
const create = (key: string, body: unknown = sale, merchant: Merchant = stack.merchant) =>
  merchant.call('POST', '/v1/checkout-sessions', body, keyOf(key))

async function count(sql: string, params: unknown[] = []): Promise<number> {
  const [row] = await stack.sql<{ count: string }>(`select count(*) from ${sql}`, params)
  return Number(row?.count)
}

function assertReplay(first: Reply, again: Reply): void {
  assert.equal(again.status, first.status)
  assert.equal(again.text, first.text)
  assert.equal(first.headers.get('idempotent-replayed'), null)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
}

function assertInUse(reply: Reply): void {
  const [fault] = assertError(reply, 409, 'CONFLICT')
  assert.equal(fault?.code, 'idempotency_key_in_use')
  assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
}

test('a repeated call is answered byte for byte alike and makes nothing', async () => {
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
    const [fault] = assertError(await create(key, body), 409, 'CONFLICT')
    assert.equal(fault?.code, 'idempotency_key_reused')
    assert.equal(fault?.field, 'Idempotency-Key')
  }
})

test('50 equal calls at once have one effect; each is answered with it or told that the key is in use', async () => {
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

test('the same path written otherwise is the same scope', async () => {
  const key = randomUUID()
  const first = await create(key)
  const again = await stack.merchant.call('POST', '/v1/checkout-sessions/?x=1', sale, keyOf(key))
  assertReplay(first, again)
})

test('a faulty call is not stored: the mended one may use its key', async () => {
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

test('a call over the limit is not stored', async () => {
  const key = randomUUID()
  const { id, merchant } = await api.addKey({ accountId: await api.addAccount(), rateTier: 'standard' })
  let now = Math.ceil(Date.now() / 60_000) * 60_000
  const process = createMerchant(await api.addProcess({ clock: { now: () => now } }), merchant.apiKey)
  await addCalls(stack, id, now, 100)
  assertError(await create(key, sale, process), 429, 'TOO_MANY_REQUESTS')
  now += 60_000
  assert.equal((await create(key, sale, process)).status, 201)
})

test('a business refusal is stored, also where the process refuses', async () => {
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
  await new Promise((resolve) => setTimeout(resolve, 500))
  assertReplay(processing, await cancel())
})

test('an answer is kept for 24 hours and not longer', async () => {
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

test('a key of more than 255 characters is a fault beside the others', async () => {
  assert.equal((await create('k'.repeat(255))).status, 201)
  const faults = assertError(await create('k'.repeat(256), { ...sale, amount: 5 }), 400, 'VALIDATION_ERROR')
  assert.deepEqual(
    faults.map(({ field, type }) => [field, type]),
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

test('pay, confirm and cancel are repeated with their first answer', async () => {
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

/** An API process whose engine is cut off once: before it is asked, or after it has done what it was asked. */
async function cutOffOnce(when: 'before' | 'after'): Promise<Merchant> {
  const { engine } = stack.services
  let isCut = false
  const flaky: Engine = {
    ...engine,
    async ask(...question) {
      if (isCut) return engine.ask(...question)
      isCut = true
      if (when === 'after') await engine.ask(...question)
      throw Object.assign(new Error('connection lost'), { code: 'ECONNRESET' })
    },
  }
  return createMerchant(await api.addProcess({ engine: flaky }), stack.merchant.apiKey)
}

for (const when of ['before', 'after'] as const) {
  test(`SERVICE_UNAVAILABLE: a payment cut off ${when} the process hears of it is the same when repeated`, async () => {
    const merchant = await cutOffOnce(when)
    const session = await stack.merchant.createCheckout()
    const pay = () =>
      merchant.call(
        'POST',
        `/v1/checkout-sessions/${session.checkout_id}/pay`,
        { payment_method: 'USD_CARD', card: card(cards.success), customer_details: buyer, confirm: true },
        { ...keyOf(`cut ${when}`), ...bearer(session.client_secret) },
      )
    const lost = await pay()
    assertError(lost, 503, 'SERVICE_UNAVAILABLE')
    assert.match(lost.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    const [asked] = await stack.sql<{ id: string }>('select id from payment_requests where checkout_id = ?', [
      session.checkout_id,
    ])
    const { status, body } = await pay()
    assert.equal(status, 200)
    assert.equal(body['payment_status'], 'succeeded')
    assert.equal(body['payment_id'], asked?.id)
    assert.equal(await count('payments where checkout_id = ?', [session.checkout_id]), 1)
    assert.equal(await count('payment_requests where checkout_id = ?', [session.checkout_id]), 1)
  })

  test(`a cancellation cut off ${when} the process has heard of it is the same one when repeated`, async () => {
    const merchant = await cutOffOnce(when)
    const { checkout_id } = await stack.merchant.createCheckout()
    const cancel = () => merchant.call('POST', `/v1/checkout-sessions/${checkout_id}/cancel`, {}, keyOf(`cut ${when}`))
    assertError(await cancel(), 503, 'SERVICE_UNAVAILABLE')
    const { status, body } = await cancel()
    assert.equal(status, 200)
    assert.equal(body['status'], 'cancelled')
  })

  test(`a wrong code cut off ${when} the process hears of it fails once when repeated`, async () => {
    const session = await stack.merchant.createCheckout()
    await stack.merchant.payByCard(session, cards.threeDs)
    const merchant = await cutOffOnce(when)
    const confirm = () =>
      merchant.call(
        'POST',
        `/v1/checkout-sessions/${session.checkout_id}/confirm`,
        { code: '000000' },
        {
          ...keyOf(`cut ${when}`),
          ...bearer(session.client_secret),
        },
      )
    assertError(await confirm(), 503, 'SERVICE_UNAVAILABLE')
    const { status, body } = await confirm()
    assert.equal(status, 200)
    assert.equal(body['payment_status'], 'failed')
    assert.equal(body['failure_code'], 'authentication_failed')
  })

  test(`a simulated sale cut off ${when} the process has heard of it brings its money once when repeated`, async () => {
    const merchant = await cutOffOnce(when)
    const { checkout_id } = await stack.merchant.createCheckout(transferSale)
    const path = `/v1/test-helpers/checkout-sessions/${checkout_id}/pay`
    const body = { payment_method: 'NGN_BANK_TRANSFER', customer_details: buyer }
    const pay = () => merchant.call('POST', path, body, keyOf(`cut ${when}`))
    assertError(await pay(), 503, 'SERVICE_UNAVAILABLE')
    const done = await pay()
    assert.equal(done.body['status'], 'completed', done.text)
    assert.equal(
      await count('simulated_deposits d join payments p on p.id = d.payment_id where checkout_id = ?', [checkout_id]),
      1,
    )
  })
}

/** A payment whose process does not answer for now: its call, and calls that repeat it through other API processes. */
async function stuckPayment(t: TestContext, key: string) {
  const session = await stack.merchant.createCheckout()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  t.after(() => release())
  const { engine } = stack.services
  const stuck: Engine = {
    ...engine,
    async ask(...question) {
      await released
      return engine.ask(...question)
    },
  }
  const own = await openDatabase(stack.databaseUrl, 2)
  t.after(() => own.orm.close())
  const waiting = createMerchant(await api.addProcess({ engine: stuck, database: own }), '')
  const body = { payment_method: 'USD_CARD', card: card(cards.success), customer_details: buyer, confirm: true }
  const pay = (merchant: Merchant) =>
    merchant.call('POST', `/v1/checkout-sessions/${session.checkout_id}/pay`, body, {
      ...keyOf(key),
      ...bearer(session.client_secret),
    })
  const first = pay(waiting)
  await until(async () => (await count('idempotency_records where held_by is not null')) > 0, 'the call holds its key')
  const repeat = () => pay(stack.merchant)
  const payments = () => count('payments where checkout_id = ?', [session.checkout_id])
  return { first, repeat, own, release, payments }
}

/** Repeats once in so many milliseconds until it is answered otherwise than with 409; after how many seconds. */
async function untilFree(repeat: () => Promise<Reply>): Promise<{ reply: Reply; seconds: number }> {
  const startedAt = performance.now()
  for (;;) {
    const reply = await repeat()
    if (reply.status !== 409) return { reply, seconds: (performance.now() - startedAt) / 1_000 }
    assertInUse(reply)
    await pause(200)
  }
}

test('a key stays with its call for as long as that runs, also when its connections are cut', async (t) => {
  const { first, repeat, own, release, payments } = await stuckPayment(t, 'held')
  const [{ pid } = { pid: 0 }] = await own.orm.em.fork().execute<{ pid: number }[]>('select pg_backend_pid() as pid')
  for (let second = 0; second < 9; second++) {
    if (second === 2) await stack.sql('select pg_terminate_backend(?)', [pid])
    assertInUse(await repeat())
    await pause(1_000)
  }
  release()
  assert.equal((await first).status, 200)
  assertReplay(await first, await repeat())
  assert.equal(await payments(), 1)
})

test('a call whose process cannot reach the database gives up before another one takes over', async (t) => {
  const { first, repeat, own, release, payments } = await stuckPayment(t, 'cut off')
  let givenUpAt = 0
  const given = first.then((reply) => ((givenUpAt = performance.now()), reply))
  const connection = own.orm.em.getConnection()
  const reach = connection.getNativeClient
  connection.getNativeClient = () => Promise.reject(new Error('Connection terminated'))
  const { reply, seconds } = await untilFree(repeat)
  const takenAt = performance.now()
  assert.equal(reply.body['payment_status'], 'succeeded')
  assert.ok(seconds < 8, `the key was free after ${seconds} s`)
  assertError(await given, 503, 'SERVICE_UNAVAILABLE')
  connection.getNativeClient = reach
  assert.ok(givenUpAt <= takenAt)
  release() // what it was about goes on by itself, under the same id
  await pause(200)
  assertReplay(reply, await repeat())
  assert.equal(await payments(), 1)
})

test('a deposit repeated under its key is one deposit', async () => {
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
