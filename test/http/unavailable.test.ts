import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test, type TestContext } from 'node:test'
import { Client } from 'pg'
import { openDatabase } from '../../db/open-database.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { buyer, card, cards, createMerchant, type Merchant, type Reply, sale } from '../support/merchant.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

const keyOf = (key: string) => ({ 'idempotency-key': key, ...fromAnywhere() })
const create = (merchant: Merchant, key: string) => merchant.call('POST', '/v1/checkout-sessions', sale, keyOf(key))

function assertUnavailable(reply: Reply): void {
  assertError(reply, 503, 'SERVICE_UNAVAILABLE')
  assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
}

const assertStatus = ({ status, text }: Reply, expected: number) => assert.equal(status, expected, text)

async function countOf(table: string): Promise<number> {
  return (await stack.sql(`select from ${table}`)).length
}

/** Another client of the database; the locks that it holds are released when it disconnects. */
async function connectOther(t: TestContext) {
  const client = new Client({ connectionString: stack.databaseUrl })
  await client.connect()
  let hasLeft = false
  const leave = async () => {
    if (!hasLeft) await client.end()
    hasLeft = true
  }
  t.after(leave)
  return { query: (sql: string) => client.query(sql), leave }
}

/** An API process whose connections are new, so that they have the database's present settings. */
async function newProcess(t: TestContext): Promise<Merchant> {
  const database = await openDatabase(stack.databaseUrl)
  t.after(() => database.orm.close())
  return createMerchant(await api.addProcess({ database }), stack.merchant.apiKey)
}

const nameOf = () => new URL(stack.databaseUrl).pathname.slice(1)

/** Uses a connection of its own: a pooled one that began meanwhile is read-only and cannot reset the setting. */
async function set(setting: string): Promise<void> {
  const client = new Client({ connectionString: stack.databaseUrl, options: '-c default_transaction_read_only=off' })
  await client.connect()
  await client.query(`alter database "${nameOf()}" ${setting}`).finally(() => client.end())
}

test('SERVICE_UNAVAILABLE: a lock time-out leaves nothing half done, and the key can be used again', async (t) => {
  const session = await stack.merchant.createCheckout()
  await stack.dispatched() // otherwise its process may block the lock, or begin under it and pause
  await set(`set lock_timeout = '300ms'`)
  t.after(() => set('reset lock_timeout'))
  const merchant = await newProcess(t)
  const other = await connectOther(t)
  const made = await countOf('checkouts')
  const key = randomUUID()
  const pay = () =>
    merchant.call(
      'POST',
      `/v1/checkout-sessions/${session.checkout_id}/pay`,
      { payment_method: 'USD_CARD', card: card(cards.success), customer_details: buyer, confirm: true },
      { ...keyOf(`pay ${key}`), ...bearer(session.client_secret) },
    )
  const refuse = (reference: string) =>
    merchant.call('POST', '/api/v1/payments/refunds', { charge_id: 'pay_x', reference }, keyOf(`refund ${key}`))
  await other.query('begin; lock table checkouts, payments in access exclusive mode')
  for (const call of [() => create(merchant, key), pay, () => refuse('return-1')]) assertUnavailable(await call())
  await other.leave()
  assertStatus(await create(merchant, key), 201)
  assertStatus(await pay(), 200)
  assertError(await refuse('return-1'), 404, 'NOT_FOUND')
  assert.equal(await countOf('checkouts'), made + 1)
})

test('SERVICE_UNAVAILABLE: a statement is cut off after ten seconds, and the key can be used again', async (t) => {
  const session = await stack.merchant.createCheckout()
  const made = await countOf('checkouts')
  const other = await connectOther(t)
  const key = randomUUID()
  await other.query('begin; lock table checkouts in access exclusive mode')
  const read = stack.merchant.call('GET', `/v1/checkout-sessions/${session.checkout_id}`)
  for (const reply of await Promise.all([create(stack.merchant, key), read])) assertUnavailable(reply)
  await other.leave()
  assertStatus(await create(stack.merchant, key), 201)
  assert.equal(await countOf('checkouts'), made + 1)
})

test('SERVICE_UNAVAILABLE: a call whose connection an administrator ends', async (t) => {
  const other = await connectOther(t)
  const key = randomUUID()
  await other.query('begin; lock table checkouts in access exclusive mode')
  const calling = create(stack.merchant, key)
  const waiting = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => (await other.query(waiting)).rows.length > 0, 'the call waits')
  assertUnavailable(await calling)
  await other.leave()
  assertStatus(await create(stack.merchant, key), 201)
})

test('/readyz reports a read-only database, and no restart is needed once it is writable again', async (t) => {
  const earlier = await stack.merchant.createCheckout()
  await set('set default_transaction_read_only = on')
  t.after(() => set('reset default_transaction_read_only'))
  const merchant = await newProcess(t)
  const key = randomUUID()
  const ready = async () => (await merchant.call('GET', '/readyz')).status
  assert.equal(await ready(), 503)
  assert.equal((await merchant.call('GET', '/healthz')).status, 200)
  const together = Array.from({ length: 5 }, () => create(merchant, randomUUID()))
  for (const reply of await Promise.all([create(merchant, key), ...together])) assertUnavailable(reply)
  await set('reset default_transaction_read_only')
  const answers = []
  while (answers.at(-1) !== 200 && answers.length < 20) answers.push(await ready()) // each call may drop a connection
  assert.ok(answers.length <= 10, answers.join())
  assertStatus(await create(merchant, key), 201)
  // The first API process may have opened a connection while the database was read-only, so the buyer tries again.
  let paid: Reply
  do paid = await stack.merchant.pay(earlier, { payment_method: 'USD_CARD', card: card(cards.success), confirm: true })
  while (paid.status === 503)
  assertStatus(paid, 200)
  assert.equal(paid.body['payment_status'], 'succeeded')
  await dropReadOnly()
})

/** Uses all connections of the first API process, until none is left that was opened while nothing could be written. */
async function dropReadOnly(): Promise<void> {
  const creates = () => Array.from({ length: 10 }, () => create(stack.merchant, randomUUID()))
  while ((await Promise.all(creates())).some(({ status }) => status === 503));
}

test('a call in a deadlock with another transaction is made again and succeeds', async (t) => {
  const charge_id = await stack.merchant.chargeByCard()
  const other = await connectOther(t)
  const key = randomUUID()
  await other.query(`begin; set local deadlock_timeout = '1min'; lock table refunds in access exclusive mode`)
  let isInDeadlock = false
  const refund = async () => {
    const body = { charge_id, reference: 'return-1' }
    for (;;) {
      const answer = await stack.merchant.call('POST', '/api/v1/payments/refunds', body, keyOf(key))
      if (answer.status !== 503 || isInDeadlock) return answer // a busy machine may refuse a call before it waits
    }
  }
  const refunding = refund()
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => (await other.query(waiting)).rows.length > 0, 'the refund waits, and has its charge locked')
  isInDeadlock = true
  await other.query(`select from payments where id = '${charge_id}' for update; commit`) // would wait for the refund
  const reply = await refunding
  assert.equal(reply.status, 201, reply.text)
  const refunds = await stack.sql('select from refunds where charge_id = ?', [charge_id])
  assert.equal(refunds.length, 1)
})
