import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type net from 'node:net'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createWebhookHttp, type WebhookHttpOptions, type WebhookRequest } from '../../activities/webhook/http.ts'

function sender(t: TestContext, options: Partial<WebhookHttpOptions> = {}) {
  const webhooks = createWebhookHttp({ allowLoopback: true, timeoutMs: 5_000, ...options })
  t.after(() => webhooks.close())
  const send = (url: string, how: Partial<WebhookRequest> = {}) =>
    webhooks.send({ url, headers: async () => ({}), body: Buffer.from('{}'), ...how })
  return { ...webhooks, send }
}

async function receiver(t: TestContext, answer: http.RequestListener) {
  const server = http.createServer(answer)
  const counts = { connections: 0, open: 0, requests: 0 }
  server.on('request', () => (counts.requests += 1))
  server.on('connection', (socket) => {
    counts.connections += 1
    counts.open += 1
    socket.on('close', () => (counts.open -= 1))
  })
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`, counts }
}

const silence: http.RequestListener = () => {}
const thanks: http.RequestListener = (_, response) => void response.end('thanks')

async function eventually(holds: () => boolean) {
  for (let tries = 0; !holds(); tries += 1) {
    assert.ok(tries < 500, 'it did not happen within ten seconds')
    await sleep(20)
  }
}

test('deliveries one after another use the same connection', async (t) => {
  const { url, counts } = await receiver(t, thanks)
  const { send } = sender(t)
  for (let i = 0; i < 5; i += 1) assert.equal((await send(url)).error, null)
  assert.deepEqual([counts.connections, counts.requests], [1, 5])
})

test('a connection that the receiver closes is replaced, not reported', async (t) => {
  const { url, counts } = await receiver(t, (_, response) => response.writeHead(200, { connection: 'close' }).end())
  const { send } = sender(t)
  for (let i = 0; i < 5; i += 1) assert.equal((await send(url)).error, null)
  assert.deepEqual([counts.connections, counts.requests], [5, 5])
})

test('a thousand deliveries to a fast receiver all arrive over the few connections that it may have', async (t) => {
  const { url, counts } = await receiver(t, thanks)
  const { send } = sender(t, { perEndpointMax: 4, waitingMax: 1_000 })
  const attempts = await Promise.all(Array.from({ length: 1_000 }, () => send(url)))
  assert.ok(attempts.every((attempt) => attempt.error === null))
  assert.deepEqual([counts.connections, counts.requests], [4, 1_000])
})

test('a receiver that hangs uses up only its own places', async (t) => {
  const hanging = await receiver(t, silence)
  const healthy = await receiver(t, thanks)
  const { send } = sender(t, { timeoutMs: 1_000, waitMs: 100, perEndpointMax: 2, waitingMax: 2 })
  const stuck = Promise.all(Array.from({ length: 6 }, () => send(hanging.url)))
  assert.equal((await send(healthy.url)).error, null)
  const errors = (await stuck).map((attempt) => attempt.error)
  assert.deepEqual(errors, ['timeout', 'timeout', 'busy', 'busy', 'busy', 'busy'])
  assert.equal(hanging.counts.requests, 2)
  await eventually(() => hanging.counts.open === 0)
})

test('headers contain the time of sending, so they are made only once the delivery has a place', async (t) => {
  const { url, counts } = await receiver(t, (_, response) => void setTimeout(() => response.end('slow'), 300))
  const { send } = sender(t, { perEndpointMax: 1, waitingMax: 1 })
  const madeAfter: number[] = []
  const headers = async () => {
    madeAfter.push(counts.requests)
    return {}
  }
  const attempts = await Promise.all([send(url, { headers }), send(url, { headers }), send(url, { headers })])
  assert.deepEqual(
    attempts.map(({ error }) => error),
    [null, null, 'busy'],
  )
  assert.deepEqual(madeAfter, [0, 1], 'for the second after the first request, for the third never')
})

test('a limited number of deliveries may wait for a receiver, and the next one is refused at once', async (t) => {
  const { url } = await receiver(t, silence)
  const { send, close } = sender(t, { timeoutMs: 60_000, waitMs: 60_000, perEndpointMax: 1, waitingMax: 1 })
  const held = [send(url), send(url)]
  assert.deepEqual(await send(url), {
    responseStatus: null,
    responseBody: null,
    durationMs: 0,
    error: 'busy',
  })
  await close()
  assert.deepEqual(
    (await Promise.all(held)).map(({ error }) => error),
    ['closed', 'closed'],
  )
})

test('endpoints on one host each have their own places', async (t) => {
  const { url } = await receiver(t, (request, response) => void (request.url === '/quick' && response.end()))
  const { send } = sender(t, { timeoutMs: 500, perEndpointMax: 1, waitingMax: 0 })
  const stuck = send(`${url}/hangs`, { bulkhead: 'we_hangs' })
  assert.equal((await send(`${url}/quick`, { bulkhead: 'we_quick' })).error, null)
  assert.equal((await stuck).error, 'timeout')
})

test('an unknown receiver may hold up one task of the engine, a fast one many, a slow one none', async (t) => {
  let pauseMs = 0
  const { url } = await receiver(t, (_, response) => void setTimeout(() => response.end(), pauseMs))
  const { send } = sender(t)
  const atOnce = async (count: number) =>
    (await Promise.all(Array.from({ length: count }, () => send(url, { atOnce: true })))).filter(({ error }) => !error)
  assert.equal((await atOnce(5)).length, 1)
  assert.equal((await atOnce(20)).length, 20)
  pauseMs = 1_100
  assert.equal((await send(url)).error, null)
  assert.equal((await atOnce(5)).length, 0)
  pauseMs = 0
  assert.equal((await send(url)).error, null)
  assert.equal((await atOnce(5)).length, 5)
})

test('an attempt counts as a task that is held up while it is under way, where a task waits for it', async (t) => {
  const { url } = await receiver(t, thanks)
  const { send, tasksHeld } = sender(t)
  const heldBy = async (how: Partial<WebhookRequest>) => {
    const held = Promise.withResolvers<number>()
    await send(url, { ...how, headers: async () => (held.resolve(tasksHeld()), {}) })
    return held.promise
  }
  assert.equal(await heldBy({ atOnce: true, holdsTask: true }), 1)
  assert.equal(await heldBy({ atOnce: true }), 0)
  assert.equal(await heldBy({}), 0)
  assert.equal(tasksHeld(), 0)
})

test('a receiver that keeps failing gets fewer places', async (t) => {
  const { url } = await receiver(t, silence)
  const { send } = sender(t, { timeoutMs: 300, waitingMax: 0 })
  const errors = (await Promise.all(Array.from({ length: 6 }, () => send(url, { placesMax: 4 })))).map(
    ({ error }) => error,
  )
  assert.deepEqual(errors, ['timeout', 'timeout', 'timeout', 'timeout', 'busy', 'busy'])
})

test('on a reused connection the time-out is that of the present delivery', async (t) => {
  let requests = 0
  const { url, counts } = await receiver(t, (_, response) => void (++requests === 1 && response.end()))
  const { send } = sender(t, { timeoutMs: 300 })
  assert.equal((await send(url)).error, null)
  assert.equal((await send(url)).error, 'timeout')
  assert.deepEqual([counts.connections, counts.requests], [1, 2])
  await eventually(() => counts.open === 0)
})

test('a delivery that had to wait still has the whole time-out', async (t) => {
  const first: http.ServerResponse[] = []
  const { url } = await receiver(t, (_, response) =>
    first.length === 0 ? first.push(response) : response.end('served'),
  )
  const { send } = sender(t, { timeoutMs: 400, waitMs: 5_000, perEndpointMax: 1 })
  const [stuck, next] = await Promise.all([send(url), send(url)])
  assert.equal(stuck.error, 'timeout')
  assert.equal(next.responseBody, 'served')
  assert.ok(next.durationMs < 400)
})

test('all receivers together never have more than the total of connections', async (t) => {
  const receivers = await Promise.all(Array.from({ length: 4 }, () => receiver(t, silence)))
  const { send } = sender(t, { timeoutMs: 300, sendingMax: 3 })
  const errors = (await Promise.all(receivers.map(({ url }) => send(url)))).map((attempt) => attempt.error)
  assert.deepEqual(errors, ['timeout', 'timeout', 'timeout', 'busy'])
})

test('of many idle connections only a limited number stays open, the latest ones', async (t) => {
  const receivers = await Promise.all(Array.from({ length: 6 }, () => receiver(t, thanks)))
  const { send } = sender(t, { idleMax: 2 })
  for (const { url } of receivers) assert.equal((await send(url)).error, null)
  await eventually(() => receivers.slice(0, 4).every(({ counts }) => counts.open === 0))
  assert.deepEqual(
    receivers.map(({ counts }) => counts.open),
    [0, 0, 0, 0, 1, 1],
  )
})

test('closing ends running and waiting deliveries, and nothing is sent afterwards', async (t) => {
  const { url, counts } = await receiver(t, silence)
  const { send, close } = sender(t, { perEndpointMax: 1 })
  const sending = [send(url), send(url)]
  await eventually(() => counts.requests === 1)
  await close()
  const errors = (await Promise.all([...sending, send(url)])).map((attempt) => attempt.error)
  assert.deepEqual(errors, ['closed', 'closed', 'closed'])
  assert.equal(counts.requests, 1)
  await eventually(() => counts.open === 0)
})
