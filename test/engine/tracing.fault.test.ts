import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { processId } from '../../domain/processes.ts'
import { describeStatement } from '../../engine/telemetry/trace-sql.ts'
import { deploy } from '../proof/deployment.ts'
import { buyer, card, cards, sale } from '../support/merchant.ts'
import { attributeOf, type SentSpan, startTraceReceiver } from '../support/trace-receiver.ts'
import { findUnreplayable } from '../support/replay.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'
import { useReceiver } from '../support/use-stack.ts'

// What a collector of traces gets from the processes as they are deployed.

const collector = await use(
  () => startTraceReceiver(),
  (started) => started.close(),
)
const deployment = await use(
  () =>
    deploy({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a-key,authorization=Bearer%20a-key%2C+',
      },
    }),
  (started) => started.stop(),
)
const receiver = await useReceiver()
const worker = await deployment.startWorker()
const api = await deployment.startApi()
await api.merchant.setWebhook(receiver.url)

const marker = 'marker-7c20'

/** A new trace, as a caller that traces sends it. */
const newTrace = (flags = '01') => {
  const traceId = randomBytes(16).toString('hex')
  return { traceId, headers: { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}` } }
}

const details = { ...buyer, name: `Ada ${marker}`, email: `${marker}@example.com` }

/** Pays for a new session, the creation and the payment each within a trace of its own. */
async function sell() {
  const [created, paid] = [newTrace(), newTrace()]
  const { merchant } = api
  const body = { ...sale, metadata: { order: marker } }
  const session = (await merchant.call('POST', '/v1/checkout-sessions', body, created.headers)).body
  const path = `/v1/checkout-sessions/${session['checkout_id']}/pay`
  // A payment that comes before the relay has started the process would start it, in its own trace.
  const process = deployment.client.workflow.getHandle(processId('checkout', String(session['checkout_id'])))
  const isStarted = () => process.describe().then(Boolean, () => false)
  await until(isStarted, 'the process of the session is started')
  const method = { payment_method: 'USD_CARD', card: card(cards.success), confirm: true, customer_details: details }
  const asBuyer = { authorization: `Bearer ${session['client_secret']}`, ...paid.headers }
  assert.equal((await merchant.call('POST', path, method, asBuyer)).status, 200)
  return { created: created.traceId, paid: paid.traceId, session }
}

/** The sessions whose processes have ended. */
async function ended(): Promise<{ workflowId: string }[]> {
  const query = `TaskQueue = '${deployment.taskQueue}' AND WorkflowType = 'checkout' AND ExecutionStatus = 'Completed'`
  const found: { workflowId: string }[] = []
  const list = async () => {
    for await (const { workflowId } of deployment.client.workflow.list({ query })) found.push({ workflowId })
    return found.length > 0
  }
  await until(list, 'a session has ended')
  return found
}

const isSql = (span: SentSpan) => attributeOf(span, 'db.system') === 'postgresql'
const isNamed = (pattern: RegExp, service?: string) => (span: SentSpan) =>
  pattern.test(span.name) && (service === undefined || span.service === service)

const sold = await sell()

test('one trace joins the call, the process, its steps, their statements and the webhook', async () => {
  const kinds = {
    'the call': isNamed(/^POST \/v1\/checkout-sessions\/:checkout_id\/pay$/, 'steadypay-api'),
    'its message to the process': isNamed(/^WorkflowUpdateWithStart:pay|UpdateWithStart/, 'steadypay-api'),
    'the message in the process': isNamed(/^update pay$/, 'steadypay-worker'),
    'a step': isNamed(/^RunActivity:attemptPayment$/, 'steadypay-worker'),
    'a statement of the call': (span: SentSpan) => isSql(span) && span.service === 'steadypay-api',
    'a statement of a step': (span: SentSpan) => isSql(span) && span.service === 'steadypay-worker',
    'the webhook': isNamed(/^send webhook$/, 'steadypay-worker'),
  }
  const missing = () => Object.entries(kinds).flatMap(([kind, is]) => (collector.of(sold.paid).some(is) ? [] : [kind]))
  await until(() => missing().length === 0, `not in the trace: ${missing().join(', ')}`).catch((error: unknown) => {
    const names = collector.of(sold.paid).map(({ name, service }) => `${service} ${name}`)
    throw new Error(`missing: ${missing().join(', ')}; in it: ${names.join(', ')}`, { cause: error })
  })
  const statement = collector.of(sold.paid).find((span) => kinds['a statement of a step'](span))
  assert.ok(statement && attributeOf(statement, 'db.operation.name'))
})

test('the start of a process is in the trace of the call that has promised it', async () => {
  const names = () => collector.of(sold.created).map(({ name }) => name)
  await until(() => names().includes('process checkout'), 'the process has ended and is told')
  assert.ok(names().includes('StartWorkflow:checkout'), names().join())
  assert.ok(names().includes('RunActivity:readCheckout'), names().join())
})

test('each span of a trace hangs on another one, up to the span that the caller has sent', async () => {
  for (const traceId of [sold.created, sold.paid]) {
    const loose = () => {
      const ids = new Set(collector.of(traceId).map(({ spanId }) => spanId))
      const spans = collector.of(traceId).filter(({ parentSpanId }) => !parentSpanId || !ids.has(parentSpanId))
      return spans.map(({ name, service }) => `${service} ${name.split(' ')[0]}`).join()
    }
    // Each process sends its spans every few seconds, and a span may come before the one that it hangs on.
    await until(() => loose() === 'steadypay-api POST', 'all spans hang together').catch(() => undefined)
    assert.equal(loose(), 'steadypay-api POST')
    const ids = collector.of(traceId).map(({ spanId }) => spanId)
    assert.equal(new Set(ids).size, ids.length, 'no id is given twice')
  }
})

test('the line that an API logs about a call names the trace of the call', () => {
  type Line = { msg: string; route: string; traceId?: string }
  const lines = api
    .log()
    .split('\n')
    .flatMap((line) => (line.includes(sold.paid) ? [JSON.parse(line) as Line] : []))
  const routes = lines.filter(({ msg, traceId }) => msg === 'call' && traceId === sold.paid).map(({ route }) => route)
  assert.deepEqual(routes, ['/v1/checkout-sessions/:checkout_id/pay'])
})

test('a page and the calls that it makes for the buyer are one trace', async () => {
  const { traceId, headers } = newTrace()
  const session = await api.merchant.createCheckout()
  const page = await fetch(`${api.merchant.baseUrl}/checkout/${session.client_secret}`, { headers })
  assert.equal(page.status, 200, await page.text())
  const calls = () => collector.of(traceId).filter(({ kind }) => kind === 2)
  await until(() => calls().length > 1, 'the page and its call are told')
  const routes = calls().map((span) => attributeOf(span, 'http.route'))
  assert.ok(
    routes.includes('/checkout/:secret') && routes.some((route) => String(route).startsWith('/v1/')),
    routes.join(),
  )
  assert.ok(!collector.bodies.join().includes(session.client_secret))
})

test('only calls begin traces, and not their callers decide which of them are recorded', async () => {
  const { headers, traceId } = newTrace('00')
  await api.merchant.call('GET', '/v1/balances', undefined, { ...headers, tracestate: `vendor=${marker}` })
  await until(() => collector.of(traceId).length > 0, 'a call that its caller does not record is recorded here')
  const forged = await api.merchant.call('GET', '/v1/balances', undefined, { traceparent: `00-${marker}-x-01` })
  assert.equal(forged.status, 200)
  const others = () => {
    const ofCalls = new Set(collector.spans.filter(({ kind }) => kind === 2).map((span) => span.traceId))
    return collector.spans.filter((span) => !ofCalls.has(span.traceId)).map(({ name }) => name)
  }
  await until(() => others().length === 0, 'every trace has its call').catch(() => undefined)
  assert.deepEqual(others(), [], 'what the service does by itself is in no trace')
})

test('no span tells personal data, a secret, a statement or a value, and the receiver learns of no trace', async () => {
  await until(() => receiver.received.length > 0, 'a webhook has arrived')
  const sent = collector.bodies.join('\n')
  const secrets = [marker, cards.success, api.merchant.apiKey, String(sold.session['client_secret']), 'example.com']
  const ofConfig = [deployment.env['KEY_PEPPER'], deployment.env['ENCRYPTION_KEYS'], deployment.databaseUrl, 'a-key']
  for (const value of [...secrets, ...ofConfig, receiver.url]) assert.ok(!sent.includes(String(value)), String(value))
  assert.doesNotMatch(sent, /select "|insert into|where /i)
  for (const { headers } of receiver.received)
    for (const name of ['traceparent', 'tracestate', 'baggage']) assert.ok(!(name in headers), name)
  assert.ok(collector.headers.every((headers) => headers['x-key'] === 'a-key'))
  assert.ok(collector.headers.every(({ authorization }) => authorization === 'Bearer a-key,+'))
})

test('a process that was traced replays, so that tracing can be switched on and off while it runs', async () => {
  const [{ workflowId } = { workflowId: '' }] = await ended()
  const { events = [] } = await deployment.client.workflow.getHandle(workflowId).fetchHistory()
  const started = events?.[0]?.workflowExecutionStartedEventAttributes
  assert.ok(started?.header?.fields?.['_tracer-data'], 'its history has the header of a trace')
  assert.deepEqual(await findUnreplayable(deployment), [])
})

test('a collector that is away costs no call and no sale', async () => {
  collector.close()
  await api.merchant.createCheckout()
  const before = receiver.received.length
  await sell()
  await until(() => receiver.received.length > before, 'the sale is delivered')
  assert.ok(worker.isRunning() && api.isRunning())
})

test('a statement is told by its first word and its first table', () => {
  const told = (text: string) => Object.values(describeStatement(text)).filter(Boolean).join(' ')
  assert.equal(told(`select "c0".* from "checkouts" as "c0" where id = 'secret from elsewhere'`), 'select checkouts')
  assert.equal(told('with row0 as (insert into "outbox" ("a") select $1) select 1 as done'), 'insert outbox')
  assert.equal(told('update outbox set retry_at = now()'), 'update outbox')
  assert.equal(told('begin'), 'begin')
  assert.equal(told('vacuum'), 'statement')
})
