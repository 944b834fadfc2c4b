import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '../../db/open-database.ts'
import type { Engine } from '../../engine/engine.ts'
import { assertError, bearer } from '../support/api.ts'
import { buyer, card, cards, createMerchant, type Merchant, type Reply, transferSale } from '../support/merchant.ts'
import { assertInUse, assertReplay, cutOffAt, keyOf } from '../support/idempotency.ts'
import { countRows } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Calls with a key while the engine or the database cannot be reached.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

const count = (from: string, params: unknown[] = []) => countRows(stack, from, params)

const cutOffOnce = (when: 'before' | 'after') => cutOffAt(stack, api, when)

for (const when of ['before', 'after'] as const) {
  test(`SERVICE_UNAVAILABLE: a payment cut off ${when} it reaches its process is one when repeated`, async () => {
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
    const [request] = await stack.sql<{ id: string }>('select id from payment_requests where checkout_id = ?', [
      session.checkout_id,
    ])
    const { status, body } = await pay()
    assert.equal(status, 200)
    assert.equal(body['payment_status'], 'succeeded')
    assert.equal(body['payment_id'], request?.id)
    assert.equal(await count('payments where checkout_id = ?', [session.checkout_id]), 1)
    assert.equal(await count('payment_requests where checkout_id = ?', [session.checkout_id]), 1)
  })

  test(`a cancellation cut off ${when} it reaches its process is the same one when repeated`, async () => {
    const merchant = await cutOffOnce(when)
    const { checkout_id } = await stack.merchant.createCheckout()
    const cancel = () => merchant.call('POST', `/v1/checkout-sessions/${checkout_id}/cancel`, {}, keyOf(`cut ${when}`))
    assertError(await cancel(), 503, 'SERVICE_UNAVAILABLE')
    const { status, body } = await cancel()
    assert.equal(status, 200)
    assert.equal(body['status'], 'cancelled')
  })

  test(`a wrong code cut off ${when} it reaches its process counts once when repeated`, async () => {
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

  test(`a simulated sale cut off ${when} it reaches its process is paid once when repeated`, async () => {
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

/** A payment whose process does not answer yet: its call, and calls that repeat it through other API processes. */
async function stuckPayment(t: TestContext, key: string) {
  const session = await stack.merchant.createCheckout()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  t.after(() => release())
  const { engine } = stack.services
  const stuck: Engine = {
    ...engine,
    async update(...args) {
      await released
      return engine.update(...args)
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

/** Repeats the call every 200 ms until the answer is no 409; returns the answer and the seconds it took. */
async function untilFree(repeat: () => Promise<Reply>): Promise<{ reply: Reply; seconds: number }> {
  const startedAt = performance.now()
  for (;;) {
    const reply = await repeat()
    if (reply.status !== 409) return { reply, seconds: (performance.now() - startedAt) / 1_000 }
    assertInUse(reply)
    await pause(200)
  }
}

test('a call holds its key for as long as it runs, also when its connections are cut', async (t) => {
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

test('a call whose API process cannot reach the database gives up before another call takes over', async (t) => {
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
  release() // the payment then continues by itself, under the same id
  await pause(200)
  assertReplay(reply, await repeat())
  assert.equal(await payments(), 1)
})
