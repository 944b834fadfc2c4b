import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idPrefixes } from '../../domain/id.ts'
import { describeMetrics } from '../../engine/telemetry/counters.ts'
import { card, cards, sale } from '../support/merchant.ts'
import { useMeteredDeployment } from '../support/metered-deployment.ts'
import { type Scrape, scrape, sidePortOf } from '../support/scrape.ts'
import { until } from '../support/until.ts'
import { expressions, metricsIn } from '../support/watched.ts'
import { useReceiver } from '../support/use-stack.ts'

// What Prometheus reads from the processes as they are deployed.

const { proxy, deployment, throughProxy } = await useMeteredDeployment()
const receiver = await useReceiver()
const worker = await deployment.startWorker(['engine/worker.ts'], throughProxy)
const api = await deployment.startApi()
const [ofWorker, ofApi] = [await sidePortOf(worker), await sidePortOf(api)]
await api.merchant.setWebhook(receiver.url)

const marker = 'marker-4f1d'

/** Sells something to somebody whose details hold the marker, and waits until the end of the sale is delivered. */
async function sell() {
  const session = await api.merchant.createCheckout({ ...sale, metadata: { order: marker } })
  const details = { name: `Ada ${marker}`, email: `${marker}@example.com` }
  const attempt = { payment_method: 'USD_CARD', card: card(cards.success), confirm: true, customer_details: details }
  assert.equal((await api.merchant.pay(session, attempt)).status, 200)
  const isTold = () => receiver.received.some(({ body }) => body.includes(session.checkout_id))
  await until(isTold, 'the sale is delivered')
  return session
}

/** By how much a series has grown; one that was not there began at 0. */
const grown = (from: Scrape, to: Scrape, name: string, labels: Record<string, string>) =>
  (to.sum(name, labels) ?? 0) - (from.sum(name, labels) ?? 0)

test('a sale is counted where it happens: its calls, dispatches, deliveries and the steps of its process', async () => {
  const before = [await scrape(ofApi), await scrape(ofWorker)] as const
  await sell()
  const ended = async () => grown(before[1], await scrape(ofWorker), 'steadypay_deliveries_ended_total', {}) >= 1
  await until(ended, 'a delivery is counted as ended')
  const after = [await scrape(ofApi), await scrape(ofWorker)] as const
  const inApi = (name: string, labels: Record<string, string>) => grown(before[0], after[0], name, labels)
  const inWorker = (name: string, labels: Record<string, string>) => grown(before[1], after[1], name, labels)

  const created = { method: 'POST', route: '/v1/checkout-sessions' }
  assert.equal(inApi('steadypay_http_requests_total', { ...created, status: '201' }), 1)
  assert.equal(inApi('steadypay_http_request_duration_seconds_count', created), 1)
  assert.ok(inApi('steadypay_http_request_duration_seconds_sum', created) > 0)
  assert.equal(inWorker('steadypay_dispatches_total', { process: 'checkout', kind: 'start', outcome: 'done' }), 1)
  assert.ok(inWorker('steadypay_webhook_attempts_total', { outcome: 'delivered' }) >= 1)
  assert.ok(inWorker('steadypay_webhook_attempt_duration_seconds_count', {}) >= 1)
  assert.ok(inWorker('steadypay_deliveries_ended_total', { outcome: 'succeeded' }) >= 1)
  assert.ok(inWorker('temporal_workflow_task_execution_latency_seconds_count', { workflow_type: 'checkout' }) >= 1)
  for (const pool of ['main', 'webhooks'])
    assert.ok((after[1].sum('steadypay_database_connections_max', { pool }) ?? 0) > 0)
  assert.ok((after[0].sum('steadypay_database_connections', { pool: 'main' }) ?? 0) >= 1)
  for (const told of after) {
    assert.equal(told.sum('steadypay_database_up'), 1)
    assert.notEqual(told.sum('steadypay_outbox_rows', { queue: 'main' }), null)
    assert.notEqual(told.sum('steadypay_outbox_oldest_seconds', { queue: 'webhooks' }), null)
    assert.notEqual(told.sum('steadypay_ledger_unfolded_entries'), null)
    assert.ok((told.sum('process_cpu_seconds_total') ?? 0) > 0)
  }
})

test('no label and no value tells an id, personal data, a key or a secret', async () => {
  const session = await sell()
  await fetch(`${api.merchant.baseUrl}/v1/${marker}?secret=${marker}`)
  await fetch(`${api.merchant.baseUrl}/v1/checkout-sessions/${marker}`, { method: 'PURGE' })
  await api.merchant.call('GET', `/v1/checkout-sessions/${session.checkout_id}`)
  const secrets = [marker, api.merchant.apiKey, session.client_secret, card(cards.success).number, 'password']
  const values = [...secrets, ...Object.values(deployment.env).filter((value = '') => value.length > 30)]
  for (const base of [ofApi, ofWorker]) {
    const { text } = await scrape(base)
    for (const value of values) assert.ok(!text.includes(String(value)), `${base} tells ${value}`)
    assert.doesNotMatch(text, new RegExp(`\\b(${Object.keys(idPrefixes).join('|')})_[0-9a-hjkmnp-tv-z]{20}`))
  }
})

test('every metric that dashboards and alerts ask for is told by a process', async () => {
  // A process that nobody knows: its tasks fail, which is told only once it has happened.
  const strange = { taskQueue: deployment.taskQueue, workflowId: 'strange', args: [] }
  const handle = await deployment.client.workflow.start('strange', strange)
  const fails = async () => (await scrape(ofWorker)).sum('temporal_workflow_task_execution_failed_total') !== null
  await until(fails, 'a failed task is told')
  await handle.terminate()
  const told = new Set([...(await scrape(ofApi)).names(), ...(await scrape(ofWorker)).names()])
  for (const { at, expr } of expressions)
    for (const name of metricsIn(expr)) assert.ok(told.has(name), `${at}: no process tells ${name}`)
  assert.deepEqual(
    describeMetrics().filter(({ name }) => !told.has(name)),
    [],
    'the reference names them',
  )
})

test('while the database is away a scrape is answered without its figures, and with them once it is back', async () => {
  const up = async (expected: number) =>
    until(async () => (await scrape(ofWorker)).sum('steadypay_database_up') === expected, `up is ${expected}`, {
      everyMs: 200,
    })
  await proxy.shut()
  await up(0)
  const begun = performance.now()
  const away = await scrape(ofWorker)
  assert.ok(performance.now() - begun < 5_000, 'it comes within the time that Prometheus waits')
  assert.equal(away.sum('steadypay_outbox_rows'), null)
  assert.equal(away.sum('steadypay_deliveries_pending'), null)
  assert.ok((away.sum('steadypay_webhook_attempts_total') ?? 0) >= 1, 'what the process has counted is still told')
  await proxy.open()
  await up(1)
  assert.notEqual((await scrape(ofWorker)).sum('steadypay_outbox_rows'), null)
})
