import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Client } from 'pg'
import { createRequestLog } from '../../api/http/request-log.ts'
import { openDatabase } from '../../db/open-database.ts'
import { newId } from '../../domain/id.ts'
import type { LoggedCall } from '../../domain/sight/logged-call.ts'
import { deploy } from '../proof/deployment.ts'
import { bearer } from '../support/api.ts'
import { startLog } from '../support/log.ts'
import { until } from '../support/until.ts'
import { useDatabase } from '../support/use-database.ts'
import { atEnd } from '../support/use.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// How calls get into the log: beside the answers, together, in bounded memory, and without anything secret.
const stack = await useStack({ workers: false })
const api = await useApi(stack)

const rowsOf = (requestId: string) => stack.sql('select * from request_logs where request_id = ?', [requestId])
const isLogged = (requestId: string) =>
  until(async () => (await rowsOf(requestId)).length > 0, 'the call is in the log')

/** Keeps everybody from writing the log until it is let go. */
async function lockTable(databaseUrl: string) {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin; lock table request_logs in access exclusive mode')
  return () => client.end()
}

/** How many calls a process has said that it has left out. */
const omittedIn = (lines: string[]) => lines.flatMap((line) => (JSON.parse(line) as { omitted?: number }).omitted ?? [])

const callOf = (accountId: string, at = Date.now()): LoggedCall => ({
  id: newId('req', at),
  accountId,
  environment: 'sandbox',
  requestId: randomUUID(),
  method: 'GET',
  route: '/v1/payments',
  path: '/v1/payments',
  status: 200,
  errorCode: null,
  errorFields: [],
  keyId: newId('key', at),
  userId: null,
  actingFor: null,
  source: 'api',
  apiVersion: null,
  isReplay: false,
  durationMs: 3,
  at,
})

test('nothing that a caller sends can be read in the log, whatever part of the call it is in', async () => {
  const mark = 'MarkedSecret9'
  const { merchant, accountId } = await api.addMerchant()
  const session = await merchant.createCheckout()
  const hidden = [
    ['GET', `/v1/payments/${mark}`],
    ['GET', `/v1/payments/sk_sandbox_${mark}`],
    ['GET', `/v1/payments/${session.client_secret}`],
    ['GET', `/v1/payments/pay_${mark}`],
    ['GET', `/v1/payments/${newId('pay', 0)}${mark}`],
    ['GET', `/v1/payments?reference=${mark}&${mark}=1`],
    ['GET', `/v1/accounts/${newId('acct', 0)}/capabilities/${mark}`],
    ['POST', '/v1/customers', { email: mark, [mark]: mark, metadata: { [mark]: 7, [`${mark}.name`]: {} } }],
    ['POST', '/v1/checkout-sessions', { amount: mark, description: mark, success_url: `https://x/?${mark}` }],
    ['POST', '/v1/customers', `{"email": "${mark}`],
  ] as const
  const headers = { 'user-agent': mark, 'idempotency-key': mark, 'x-forwarded-for': '203.0.113.77', cookie: mark }
  const ids = await Promise.all(
    hidden.map(async ([method, path, body]) => {
      const reply = await merchant.call(method, path, body, headers)
      return reply.headers.get('x-request-id') ?? ''
    }),
  )
  const named = await merchant.call('GET', '/v1/balances', undefined, { 'x-account-id': mark, 'x-api-version': mark })
  for (const id of ids) await isLogged(id)
  const rows = JSON.stringify(await stack.sql('select * from request_logs where account_id = ?', [accountId]))
  assert.doesNotMatch(rows, new RegExp(mark, 'i'))
  const secret = session.client_secret.split('_secret_')[1] ?? ''
  for (const text of [secret, merchant.apiKey, '203.0.113.77']) assert.ok(!rows.includes(text), text)
  assert.match(rows, /"\/v1\/payments\/\{payment_id\}"/)
  assert.equal(named.status, 400)
})

test('while the log cannot be written, calls are answered as ever, and they are in the log afterwards', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const letGo = await lockTable(stack.databaseUrl)
  const startedAt = performance.now()
  const ids: string[] = []
  for (let count = 0; count < 20; count++) {
    const reply = await merchant.call('POST', '/v1/customers', { email: `a${count}@example.com` })
    assert.equal(reply.status, 201, reply.text)
    ids.push(reply.headers.get('x-request-id') ?? '')
  }
  assert.ok(performance.now() - startedAt < 8_000, 'a statement of the log would be cut off after ten seconds')
  await letGo()
  for (const id of ids) await isLogged(id)
  const rows = await stack.sql('select from request_logs where account_id = ?', [accountId])
  assert.equal(rows.length, ids.length, 'each of them once')
})

test('a database that is away costs bounded memory: the rest is counted, and what fits is written later', async () => {
  const own = await useDatabase({ connections: 2 })
  const sql = (text: string) => own.orm.em.fork().execute<Record<string, number>[]>(text)
  await sql(`alter database "${new URL(own.url).pathname.slice(1)}" set lock_timeout = '300ms'`)
  const database = await openDatabase(own.url, 2) // its connections give up
  atEnd(() => database.orm.close())
  const { lines, logger } = startLog()
  const log = createRequestLog({ database, logger })
  const letGo = await lockTable(own.url)
  const accounts = Array.from({ length: 12 }, () => newId('acct', Date.now()))
  for (const accountId of accounts) for (let count = 0; count < 1_000; count++) log.add(callOf(accountId))
  await until(async () => (await sql('select from pg_locks where not granted')).length > 0, 'the log is being written')
  await until(async () => (await sql('select from pg_locks where not granted')).length === 0, 'it has given up')
  await letGo()
  const count = async () => Number((await sql('select count(*)::int as count from request_logs'))[0]?.['count'])
  await until(async () => (await count()) === 10_000, 'all that has fitted is written')
  await log.close()
  assert.equal(await count(), 10_000)
  assert.deepEqual(omittedIn(lines), [2_000])
})

test('without a database a process is stopped within seconds, and says how many calls it has lost', async () => {
  const database = await openDatabase('postgres://nobody@127.0.0.1:9/none', 1)
  atEnd(() => database.orm.close())
  const { lines, logger } = startLog()
  const log = createRequestLog({ database, logger })
  for (let count = 0; count < 100; count++) log.add(callOf(newId('acct', 0)))
  const startedAt = performance.now()
  await log.close()
  assert.ok(performance.now() - startedAt < 6_000)
  assert.deepEqual(omittedIn(lines), [100])
})

test('one account cannot fill the log: 2,000 calls a minute, and 10 that were not let in', async () => {
  const database = await useDatabase({ connections: 2 })
  const { lines, logger } = startLog()
  const log = createRequestLog({ database, logger })
  const minute = Math.floor(Date.now() / 60_000) * 60_000
  const [busy, calm] = [newId('acct', 0), newId('acct', 1)]
  for (const at of [minute, minute + 60_000]) {
    for (let count = 0; count < 2_500; count++) log.add(callOf(busy, at))
    for (let count = 0; count < 500; count++) log.add({ ...callOf(busy, at), status: count % 2 ? 429 : 401 })
    log.add(callOf(calm, at))
  }
  await log.close()
  const rows = await database.orm.em.fork().execute(
    `select account_id = ? as busy, status in (401, 429) as turned_away, count(*)::int as count
       from request_logs group by 1, 2 order by 1, 2`,
    [busy],
  )
  assert.deepEqual(rows, [
    { busy: false, turned_away: false, count: 2 },
    { busy: true, turned_away: false, count: 4_000 },
    { busy: true, turned_away: true, count: 20 },
  ])
  assert.deepEqual(omittedIn(lines), [1_980])
})

test('a call that is written twice, as its answer got lost, is in the log once', async () => {
  const database = await useDatabase({ connections: 2 })
  const { logger } = startLog()
  const call = callOf(newId('acct', 0))
  for (let each = 0; each < 2; each++) {
    const log = createRequestLog({ database, logger })
    log.add(call)
    await log.close()
  }
  assert.equal((await database.orm.em.fork().execute('select from request_logs')).length, 1)
})

test('an API process that is stopped writes what it holds first', async (t) => {
  const deployment = await deploy()
  t.after(() => deployment.stop())
  const { merchant, pid, exited } = await deployment.startApi()
  const headers = bearer(merchant.apiKey)
  const ids = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const reply = await merchant.call('GET', '/v1/balances', undefined, headers)
      return reply.headers.get('x-request-id') ?? ''
    }),
  )
  process.kill(pid, 'SIGTERM')
  await exited
  const rows = await deployment.sql<{ request_id: string }>('select request_id from request_logs')
  assert.deepEqual(rows.map((row) => row.request_id).toSorted(), ids.toSorted())
})
