import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { pino } from 'pino'
import { backlogSources, queueSources } from '../../db/sight/figures.ts'
import { systemClock } from '../../engine/clock.ts'
import { inTransaction } from '../../db/core/database.ts'
import { startMetrics } from '../../engine/telemetry/metrics.ts'
import { prepareSdkMetrics } from '../../engine/telemetry/sdk-metrics.ts'
import { fromAnywhere } from '../support/api.ts'
import { type Scrape, scrape } from '../support/scrape.ts'
import { until } from '../support/until.ts'
import { atEnd } from '../support/use.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ workers: false })
const api = await useApi(stack)
const own = {
  config: { metrics: { host: '127.0.0.1', port: 0 } },
  logger: pino({ level: 'silent' }),
  problem: async () => null,
}
const metrics = await startMetrics(own)
assert.ok(metrics)
atEnd(() => metrics.close())
const base = `http://127.0.0.1:${metrics.port}`
const url = await api.addProcess({ measureCall: metrics.countCalls() })
const [railCall, webhooks] = [metrics.countRailCalls(), metrics.countWebhooks()]
metrics.show({ main: stack.database }, systemClock)

const ours = ({ series }: Scrape) => [...series.keys()].filter((key) => key.startsWith('steadypay_')).toSorted()

test('a thousand random ids, paths, methods and queries make no series of their own', async () => {
  const call = (method: string, path: string) =>
    fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${stack.merchant.apiKey}`, 'idempotency-key': randomUUID(), ...fromAnywhere() },
      ...(method === 'POST' && { body: '{}' }),
    }).then((answer) => answer.arrayBuffer())
  const eachKind = (id: string) => [
    call('GET', `/v1/checkout-sessions/${id}`),
    call('POST', `/v1/payouts/${id}/cancel?at=${id}`),
    call('GET', `/${id}`),
    call(['PROPFIND', 'REPORT', 'LOCK'][id.charCodeAt(0) % 3] ?? '', `/v1/payments/${id}`),
  ]
  await Promise.all(['a', 'b', 'c'].flatMap(eachKind))
  const first = ours(await scrape(base))
  assert.ok(first.length > 20)
  for (let n = 0; n < 25; n++)
    await Promise.all(Array.from({ length: 10 }, () => eachKind(randomBytes(12).toString('hex'))).flat())
  const last = await scrape(base)
  assert.deepEqual(ours(last), first)
})

test('the SDK’s metrics take no port that the system may give to a connection meanwhile', async () => {
  const sdk = await prepareSdkMetrics(own.config)
  const address = sdk?.exporter.prometheus.bindAddress ?? ''
  assert.match(address, /^127\.0\.0\.1:\d{5}$/)
  assert.ok(Number(address.split(':')[1]) < 32_768, address) // Linux gives those from 32768 on
})

test('the probes of a load balancer are no calls: neither counted nor timed', async () => {
  const counted = async () => (await scrape(base)).sum('steadypay_http_requests_total') ?? 0
  const before = await counted()
  for (const path of ['/readyz', '/healthz']) {
    for (const method of ['GET', 'HEAD']) assert.equal((await fetch(url + path, { method })).status, 200)
  }
  assert.equal((await fetch(`${url}/v1/payments`)).status, 401)
  const told = await scrape(base)
  assert.equal(await counted(), before + 1, 'only the call')
  assert.deepEqual(
    ours(told).filter((key) => /readyz|healthz/.test(key)),
    [],
  )
})

test('calls of providers and attempts at receivers are counted by how they have ended', async () => {
  railCall({ provider: 'stripe', call: 'POST /v1/payment_intents', status: 200, ms: 120 })
  railCall({ provider: 'stripe', call: 'POST /v1/payment_intents', status: 503, ms: 80 })
  railCall({ provider: 'stripe', call: 'POST /v1/payment_intents', status: 429, ms: 0 })
  railCall({ provider: 'paystack', call: 'GET /transaction', status: 'no answer', ms: 15_000 })
  railCall({ provider: 'paystack', call: 'GET /transaction', status: 'not sent', ms: 0 })
  const attempt = { responseBody: null, retryAfter: null }
  webhooks.attempt({ ...attempt, responseStatus: 200, durationMs: 30, error: null })
  webhooks.attempt({ ...attempt, responseStatus: 500, durationMs: 30, error: 'bad_status' })
  webhooks.attempt({ ...attempt, responseStatus: null, durationMs: 0, error: 'busy' })
  for (const status of ['pending', 'succeeded', 'failed', 'skipped'] as const) webhooks.delivery(status)
  const told = await scrape(base)
  const calls = (provider: string, outcome: string) => told.sum('steadypay_rail_calls_total', { provider, outcome })
  assert.deepEqual(
    [
      calls('stripe', '2xx'),
      calls('stripe', '5xx'),
      calls('stripe', 'limited'),
      calls('paystack', 'no_answer'),
      calls('paystack', 'not_sent'),
    ],
    [1, 1, 1, 1, 1],
  )
  assert.equal(told.sum('steadypay_rail_call_duration_seconds_count', { provider: 'paystack' }), 1)
  assert.equal(told.sum('steadypay_rail_call_duration_seconds_sum', { provider: 'stripe' }), 0.2)
  assert.equal(told.sum('steadypay_webhook_attempts_total', { outcome: 'delivered' }), 1)
  assert.equal(told.sum('steadypay_webhook_attempts_total', { outcome: 'busy' }), 1)
  assert.equal(told.sum('steadypay_webhook_attempt_duration_seconds_count'), 2)
  assert.equal(told.sum('steadypay_deliveries_ended_total'), 3)
})

const em = () => stack.database.orm.em.fork()
const figure = async (name: string, labels: Record<string, string> = {}) => {
  const sources = Object.values({ ...queueSources, ...backlogSources })
  const all = (await Promise.all(sources.map((read) => read(em(), Date.now(), 2_000)))).flat()
  const wanted = (told: Record<string, string>) =>
    Object.entries(labels).every(([label, value]) => told[label] === value)
  return all.filter((one) => one.name === name && wanted(one.labels)).reduce((sum, { value }) => sum + value, 0)
}

test('the outbox is told with how much waits and how long, of each queue', async () => {
  // Rows that no sweep takes meanwhile, and without what was there since the database was made, which may be long ago.
  await stack.sql('delete from outbox')
  await stack.sql(
    `insert into outbox (process, resource_id, about, created_at, retry_at)
     select process, process, '{}', now() - make_interval(secs => seconds), now() + interval '1 hour'
     from (values ('checkout', 90), ('checkout', 5), ('payout', 1), ('webhook-delivery', 200)) rows (process, seconds)`,
  )
  assert.equal(await figure('outbox_rows', { queue: 'main' }), 3)
  assert.equal(await figure('outbox_rows', { queue: 'webhooks' }), 1)
  const seconds = await figure('outbox_oldest_seconds', { queue: 'main' })
  assert.ok(seconds >= 90 && seconds < 200, String(seconds))
  await stack.sql('delete from outbox')
  assert.equal(await figure('outbox_rows'), 0)
  assert.equal(await figure('outbox_oldest_seconds'), 0)
})

test('what is overdue is told as the list of what is stuck tells it, apart for sandbox and live', async () => {
  assert.equal(await figure('stuck_waits'), 0)
  const { checkout_id } = await stack.merchant.createCheckout()
  const long = `now() - interval '2 hours'`
  await stack.sql(`update checkouts set created_at = ${long}, expires_at = now() - interval '6 minutes' where id = ?`, [
    checkout_id,
  ])
  const kind = { resource: 'checkout_session', waiting_on: 'buyer', environment: 'sandbox' }
  assert.equal(await figure('stuck_waits', kind), 1)
  assert.equal(await figure('stuck_waits'), 1)
})

/** A process that has read nothing yet. Returns its address. */
async function startAnew(): Promise<string> {
  const another = await startMetrics(own)
  assert.ok(another)
  atEnd(() => another.close())
  another.show({ main: stack.database }, systemClock)
  return `http://127.0.0.1:${another.port}`
}

test('figures that cannot be read in time are told to be missing, and all others are told', async () => {
  const address = await startAnew()
  const away = ['overloaded_accounts', 'ledger_entries']
  await inTransaction(stack.database, async (locking) => {
    for (const table of away) await locking.execute(`lock table ${table} in access exclusive mode`)
    const told = await scrape(address)
    assert.equal(told.sum('steadypay_database_up'), 1)
    for (const name of ['outbox_rows', 'endpoints_failing', 'deliveries_pending'])
      assert.notEqual(told.sum(`steadypay_${name}`), null, name)
    for (const name of ['overloaded_accounts', 'ledger_unfolded_entries', 'ledger_unfolded_entries_max'])
      assert.equal(told.sum(`steadypay_${name}`), null, name)
    const isMissing = (figures: string) => told.sum('steadypay_figures_missing', { figures })
    assert.deepEqual(['overloaded', 'ledger'].map(isMissing), [1, 1])
    assert.deepEqual(['outbox', 'endpoints', 'deliveries', 'restarts', 'stuck'].map(isMissing), [0, 0, 0, 0, 0])
  })
})

test('however many figures are slow at once, each of the others is told, and the database is up', async () => {
  const tables = { outbox: 'outbox', overloaded: 'overloaded_accounts', deliveries: 'deliveries' }
  const others = ['endpoints', 'restarts', 'ledger']
  // A busy machine may be slow with others too, so several are asked until one tells them.
  const processes = await Promise.all(Array.from({ length: 5 }, startAnew))
  await inTransaction(stack.database, async (locking) => {
    for (const table of Object.values(tables)) await locking.execute(`lock table ${table} in access exclusive mode`)
    const toldAll = async () => {
      const told = await scrape(processes.pop() ?? assert.fail('each of them was slow'))
      const isMissing = (figures: string) => told.sum('steadypay_figures_missing', { figures }) === 1
      const isUp = told.sum('steadypay_database_up') === 1
      return isUp && Object.keys(tables).every(isMissing) && !others.some(isMissing)
    }
    await until(toldAll, 'the three slow ones are missing, and no other')
  })
})

test('entries that no debit has rolled up are told: all of them, and those of the balance that has most', async () => {
  assert.equal(await figure('ledger_unfolded_entries'), 0)
  const add = (currency: string, count: number, availableAt: string) =>
    stack.sql(
      `with moved as (insert into ledger_transactions (id, kind, source_id, created_at)
         select md5(random()::text), 'deposit', md5(random()::text), now() from generate_series(1, ?) returning id)
       insert into ledger_entries
         (transaction_id, account_id, environment, book, currency, amount, available_at, created_at)
       select id, ?, 'sandbox', book, ?, case book when 'rail' then -1 else 1 end, ${availableAt}, now()
       from moved, unnest(array['rail', 'merchant']) book`,
      [count, stack.organizationId, currency],
    )
  await add('USD', 5, `now() - interval '1 minute'`)
  assert.equal(await figure('ledger_unfolded_entries'), 0, 'of an account with few balance transactions none is read')
  await stack.sql(
    `insert into counted_lists (account_id, environment, table_name) values (?, 'sandbox', 'balance_transactions')`,
    [stack.organizationId],
  )
  await add('NGN', 7, `now() - interval '1 minute'`)
  await add('NGN', 4, `now() + interval '1 day'`)
  assert.equal(await figure('ledger_unfolded_entries'), 12)
  assert.equal(await figure('ledger_unfolded_entries_max'), 7)
})

test('endpoints that fail, deliveries that wait and processes that were restarted are told', async () => {
  await stack.merchant.setWebhook('http://127.0.0.1:9/none')
  await stack.merchant.call('POST', '/v1/customers', { email: 'ada@example.com' })
  assert.equal(await figure('deliveries_pending'), 1)
  assert.equal(await figure('endpoints_failing'), 0)
  await stack.sql('update webhook_endpoints set failing_since = now()')
  assert.equal(await figure('endpoints_failing', { environment: 'sandbox' }), 1)
  await stack.sql(
    `insert into process_restarts (process, resource_id, restarts, restarted_at, not_before) values
     ('payout', 'a', 1, now(), now()), ('payout', 'b', 3, now() - interval '2 hours', now())`,
  )
  assert.equal(await figure('processes_restarted', { process: 'payout' }), 1)
  await stack.sql(
    `insert into overloaded_accounts (account_id, queue, until) values (?, 'main', now() + interval '1 hour')`,
    [stack.organizationId],
  )
  assert.equal(await figure('overloaded_accounts', { queue: 'main' }), 1)
})
