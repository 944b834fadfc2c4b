import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request as send } from 'node:http'
import { connect } from 'node:net'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { makeSale, newTally, runMany } from '../proof/buyers.ts'
import { type Deployment, deploy, type Running } from '../proof/deployment.ts'
import { addEndpoint, newSecret } from '../proof/endpoints.ts'
import { waitUntilIdle } from '../proof/rest.ts'
import { sale } from '../support/merchant.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

// Processes that are told to stop while callers go on: real processes, as a new release replaces them one by one.
type Api = Awaited<ReturnType<Deployment['startApi']>>
const drainSeconds = 2

/** A deployment of one test: sessions that wait for a worker would hold up the sales of the next one. */
async function useDeployment(t: TestContext): Promise<Deployment> {
  const deployment = await deploy({ env: { DRAIN_SECONDS: String(drainSeconds) } })
  t.after(deployment.stop)
  return deployment
}

const stop = (process_: Running) => process.kill(process_.pid, 'SIGTERM')
const codeOf = async ({ exited }: Running) => ((await exited) as { code: number | null }).code
const ready = (port: number) => fetch(`http://127.0.0.1:${port}/readyz`, { headers: { connection: 'close' } })

/** Sends the calls of a load balancer that asks every process every 100 ms whether it is ready. */
function balance(apis: Map<number, Api>) {
  const failures: string[] = []
  const agent = new Agent({ pipelining: 1, connections: 8 })
  const inTurn: number[] = []
  let [calls, isOver] = [0, false]

  async function look(): Promise<void> {
    while (!isOver) {
      for (const [name, { port }] of apis) {
        const isReady = await ready(port).then(
          ({ status }) => status === 200,
          () => false,
        )
        const isIn = inTurn.includes(name)
        if (isReady && !isIn) inTurn.push(name)
        if (!isReady && isIn) inTurn.splice(inTurn.indexOf(name), 1)
      }
      await sleep(100)
    }
  }
  async function call(n: number): Promise<void> {
    const api = apis.get(inTurn[calls++ % inTurn.length] ?? 0)
    if (!api) return void failures.push('no process is ready')
    const { baseUrl, apiKey } = api.merchant
    const how = n % 2 === 0 ? { method: 'POST', body: JSON.stringify(sale) } : { method: 'GET' }
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const path = n % 2 === 0 ? '/v1/checkout-sessions' : n % 4 === 1 ? '/v1/payments' : '/dashboard/login'
    try {
      const answer = await request(baseUrl + path, { dispatcher: agent, headers, ...how } as object)
      await answer.body.text()
      if (answer.statusCode >= 300) failures.push(`${path}: ${answer.statusCode}`)
    } catch (error) {
      failures.push(`${path}: ${String(error)}`)
    }
  }
  const looking = look()
  const callers = until(() => inTurn.length === apis.size, 'all are ready').then(() =>
    Promise.all(
      Array.from({ length: 6 }, async (_, caller) => {
        for (let n = caller; !isOver; n += 1) await call(n)
      }),
    ),
  )
  return {
    failures,
    calls: () => calls,
    isServed: (name: number) => inTurn.includes(name),
    async end() {
      isOver = true
      await Promise.all([looking, callers])
      await agent.close()
    },
  }
}

test('of two API processes each is replaced while callers go on, and no call fails', async (t) => {
  const deployment = await useDeployment(t)
  const apis = new Map([
    [0, await deployment.startApi()],
    [1, await deployment.startApi()],
  ])
  const balancer = balance(apis)
  await until(() => balancer.calls() > 20, 'calls are made')
  for (const name of [0, 1]) {
    const old = apis.get(name) as Api
    const callsBefore = balancer.calls()
    stop(old)
    assert.equal(await codeOf(old), 0, old.log().slice(-500))
    assert.ok(!balancer.isServed(name))
    assert.ok(balancer.calls() > callsBefore + 10, 'callers went on meanwhile')
    assert.doesNotMatch(old.log(), /"level":(50|60)/)
    apis.set(name, await deployment.startApi())
    await until(() => balancer.isServed(name), 'the new process is served')
  }
  await balancer.end()
  assert.deepEqual(balancer.failures, [])
})

/**
 * Begins a call whose body comes in two parts. The service has read its head by then: it has said that it expects the
 * body. `finish` sends the second part, and gives the answer.
 */
async function beginCall(port: number, path: string, headers: Record<string, string>, body: string) {
  const call: ClientRequest = send({ port, path, method: 'POST', host: '127.0.0.1', agent: false, headers })
  call.setHeader('Content-Length', Buffer.byteLength(body))
  call.setHeader('Expect', '100-continue')
  const answered = once(call, 'response') as Promise<[IncomingMessage]>
  answered.catch(() => undefined) // awaited below
  call.flushHeaders()
  await once(call, 'continue')
  call.write(body.slice(0, 5))
  return {
    async finish() {
      call.end(body.slice(5))
      const [answer] = await answered
      let text = ''
      for await (const part of answer) text += String(part)
      return { status: answer.statusCode, connection: answer.headers.connection, text }
    },
  }
}

test('an API that is told to stop says so, answers what has begun, and ends although others hold on', async (t) => {
  const deployment = await useDeployment(t)
  const api = await deployment.startApi()
  const { port } = api
  const json = { authorization: `Bearer ${api.merchant.apiKey}`, 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: `http://127.0.0.1:${port}` }
  const call = await beginCall(port, '/v1/checkout-sessions', json, JSON.stringify(sale))
  const page = await beginCall(port, '/dashboard/login', form, 'email=nobody%40example.com&password=a-wrong-password')
  await beginCall(port, '/v1/checkout-sessions', json, JSON.stringify(sale))
  const half = connect(port, '127.0.0.1')
  half.on('error', () => undefined).write('GET /healthz HT')
  const silent = connect(port, '127.0.0.1').on('error', () => undefined)
  await once(silent, 'connect')

  const stoppedAt = performance.now()
  stop(api)
  await until(async () => (await ready(port)).status === 503, '/readyz says so', { withinMs: 1_000 })
  const during = await fetch(`http://127.0.0.1:${port}/readyz`)
  assert.deepEqual(await during.json(), { status: 'it is stopping' })
  const created = await fetch(`http://127.0.0.1:${port}/v1/checkout-sessions`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(sale),
  })
  assert.deepEqual([created.status, created.headers.get('connection')], [201, 'close'], 'calls are still taken')

  const isClosed = () =>
    ready(port).then(
      () => false,
      () => true,
    )
  await until(isClosed, 'no more connections are taken', { withinMs: 10_000 })
  assert.ok(performance.now() - stoppedAt >= drainSeconds * 1000)
  const made = await call.finish()
  assert.deepEqual([made.status, made.connection], [201, 'close'], made.text)
  const shown = await page.finish()
  assert.equal(shown.status, 401, shown.text)
  assert.match(shown.text, /password/)
  assert.equal(await codeOf(api), 0)
  assert.ok(performance.now() - stoppedAt < (drainSeconds + 14) * 1000)
})

/** The workers that have asked a task queue for work of late. */
async function pollersOf({ client }: Deployment, name: string): Promise<number> {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: 'default',
    taskQueue: { name },
    taskQueueType: 1,
  })
  return pollers?.length ?? 0
}

test('workers of money and of webhooks are replaced in the middle of sales, which all end', async (t) => {
  const deployment = await useDeployment(t)
  const api = await deployment.startApi()
  const startOf = (queues: string) => deployment.startWorker(undefined, { WORKER_QUEUES: queues })
  const money = await startOf('money')
  const { taskQueue } = deployment
  const polled = async () => [
    await pollersOf(deployment, taskQueue),
    await pollersOf(deployment, `${taskQueue}-webhooks`),
  ]
  /** The engine knows of a worker a moment after it has asked for work. */
  const arePolled = (...counts: number[]) =>
    until(async () => (await polled()).join() === counts.join(), `${counts.join(' and ')} workers ask for work`)
  await arePolled(1, 0)
  const webhooks = await startOf('webhooks')
  await arePolled(1, 1)

  const receiver = await startReceiver()
  t.after(receiver.close)
  await addEndpoint(deployment, receiver.url, newSecret())
  const tally = newTally()
  let [sold, isOver] = [0, false]
  const selling = runMany(1_000, 3, async (n) => {
    await makeSale(api.merchant, n, tally, 'card')
    sold += 1
    return isOver ? 'enough' : 'more'
  })
  selling.catch(() => undefined) // awaited below
  for (const [old, queues] of [
    [money, 'money'],
    [webhooks, 'webhooks'],
  ] as const) {
    await startOf(queues)
    const soldBefore = sold
    await until(() => sold > soldBefore + 2, 'sales go on')
    const stoppedAt = performance.now()
    stop(old)
    assert.equal(await codeOf(old), 0, old.log().slice(-500))
    const stopMs = Math.round(performance.now() - stoppedAt)
    t.diagnostic(`${queues}: ended in ${stopMs} ms, ${sold} sales made`)
    assert.ok(stopMs < 20_000)
    assert.doesNotMatch(old.log(), /"level":(50|60)/)
  }
  isOver = true
  await selling
  assert.deepEqual(tally.errors, [])
  const { restMs, violations } = await waitUntilIdle(deployment, 60_000)
  t.diagnostic(`idle after ${restMs} ms`)
  assert.deepEqual(violations, [])
  const [failed] = await deployment.sql(`select count(*) from deliveries where status <> 'succeeded'`)
  assert.deepEqual(failed, { count: '0' })
  assert.ok(receiver.received.length >= sold)
})
