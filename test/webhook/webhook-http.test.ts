import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { test, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { setTimeout as sleep } from 'node:timers/promises'
import { createWebhookHttp, type WebhookHttpOptions } from '../../activities/webhook/http.ts'

const body = Buffer.from('{"id":"evt_1"}')

function sender(t: TestContext, options: Partial<WebhookHttpOptions> = {}) {
  const webhooks = createWebhookHttp({ allowLoopback: true, timeoutMs: 5_000, ...options })
  t.after(() => webhooks.close())
  const send = (url: string) => webhooks.send({ url, headers: async () => ({ 'X-Service-Attempt': '1' }), body })
  return { ...webhooks, send }
}

async function listen(t: TestContext, server: net.Server) {
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`, sockets }
}

const receiver = (t: TestContext, answer: http.RequestListener) => listen(t, http.createServer(answer))
const rawReceiver = (t: TestContext, answer: (socket: net.Socket) => void) =>
  listen(
    t,
    net.createServer((socket) => socket.once('data', () => answer(socket))),
  )

/** Sends to a receiver that writes these bytes and closes. */
async function sendToScript(t: TestContext, bytes: string, options: Partial<WebhookHttpOptions> = {}) {
  const { url } = await rawReceiver(t, (socket) => socket.end(bytes))
  return await sender(t, options).send(url)
}

async function eventually(holds: () => boolean) {
  for (let tries = 0; !holds(); tries += 1) {
    assert.ok(tries < 500, 'it did not happen within ten seconds')
    await sleep(20)
  }
}

test('a receiver that answers 200 gets the body byte for byte, with the given headers', async (t) => {
  let seen = ''
  let headers: http.IncomingHttpHeaders = {}
  const { url } = await receiver(t, async (request, response) => {
    headers = request.headers
    seen = `${request.method} ${request.url} `
    for await (const chunk of request) seen += chunk
    response.end('thank you')
  })
  const attempt = await sender(t).send(`${url}/hooks?from=us#top`)
  assert.equal(seen, 'POST /hooks?from=us {"id":"evt_1"}')
  assert.equal(headers['x-service-attempt'], '1')
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['accept-encoding'], 'identity')
  const { durationMs, ...rest } = attempt
  assert.ok(Number.isInteger(durationMs) && durationMs >= 0)
  assert.deepEqual(rest, { responseStatus: 200, responseBody: 'thank you', error: null })
})

test('every 2xx is a success, and no other status is', async (t) => {
  const { url } = await receiver(t, (request, response) => response.writeHead(Number(request.url?.slice(1))).end())
  const { send } = sender(t)
  for (const status of [200, 201, 202, 204, 299]) assert.equal((await send(`${url}/${status}`)).error, null)
  for (const status of [400, 404, 410, 429, 500, 503, 599]) {
    assert.partialDeepStrictEqual(await send(`${url}/${status}`), { responseStatus: status, error: 'bad_status' })
  }
})

test('a failing receiver’s answer is recorded', async (t) => {
  const { url } = await receiver(t, (_, response) => response.writeHead(503).end('later'))
  const expected = { responseStatus: 503, responseBody: 'later', error: 'bad_status' }
  assert.partialDeepStrictEqual(await sender(t).send(url), expected)
})

test('a redirect is a failure and is not followed', async (t) => {
  let followed = 0
  const elsewhere = await receiver(t, (_, response) => response.end(String(++followed)))
  const { url } = await receiver(t, (request, response) =>
    response.writeHead(Number(request.url?.slice(1)), { location: elsewhere.url }).end(),
  )
  const { send } = sender(t)
  for (const status of [301, 302, 303, 307, 308]) {
    assert.partialDeepStrictEqual(await send(`${url}/${status}`), { responseStatus: status, error: 'redirect' })
  }
  assert.equal(followed, 0)
})

test('one time-out ends a receiver that hangs before, in or after the head, and closes its connection', async (t) => {
  const drip = (socket: net.Socket, start: string) => {
    socket.write(start)
    const timer = setInterval(() => socket.write('x'), 20)
    socket.on('close', () => clearInterval(timer))
  }
  const { send } = sender(t, { timeoutMs: 300 })
  const answers: [(socket: net.Socket) => void, number | null][] = [
    [() => {}, null],
    [(socket) => drip(socket, 'HTTP/1.1 200 OK\r\nX-Slow: '), null],
    [(socket) => drip(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n'), 200],
  ]
  for (const [answer, responseStatus] of answers) {
    const { url, sockets } = await rawReceiver(t, answer)
    assert.partialDeepStrictEqual(await send(url), { responseStatus, error: 'timeout' })
    await eventually(() => sockets.size === 0)
  }
})

test('the part that was read of an endless body is recorded with the timeout', async (t) => {
  const { url } = await receiver(t, (_, response) => void response.write('working on it'))
  const expected = { responseStatus: 200, responseBody: 'working on it', error: 'timeout' }
  assert.partialDeepStrictEqual(await sender(t, { timeoutMs: 300 }).send(url), expected)
})

test('a receiver that resets, hangs up or does not listen fails with its reason', async (t) => {
  const { send } = sender(t)
  const resetting = await rawReceiver(t, (socket) => socket.resetAndDestroy())
  assert.partialDeepStrictEqual(await send(resetting.url), { responseStatus: null, error: 'reset' })
  assert.equal((await sendToScript(t, '')).error, 'reset')
  const gone = net.createServer()
  await once(gone.listen(0, '127.0.0.1'), 'listening')
  const { port } = gone.address() as net.AddressInfo
  await once(gone.close(), 'close')
  assert.partialDeepStrictEqual(await send(`http://127.0.0.1:${port}`), { error: 'connection_refused' })
})

test('an answer that is not HTTP/1.1 or is cut short is no success', async (t) => {
  assert.equal((await sendToScript(t, 'SSH-2.0-OpenSSH_9.9\r\n')).error, 'bad_response')
  assert.equal((await sendToScript(t, 'HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n')).error, 'bad_response')
  for (const rest of ['Content-Length: 50\r\n\r\nhalf', 'Transfer-Encoding: chunked\r\n\r\n6\r\nhalf']) {
    const attempt = await sendToScript(t, `HTTP/1.1 200 OK\r\n${rest}`)
    assert.partialDeepStrictEqual(attempt, { responseStatus: 200, responseBody: 'half', error: 'reset' })
  }
})

test('an answer before the final one does not count', async (t) => {
  const attempt = await sendToScript(t, 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n')
  assert.partialDeepStrictEqual(attempt, { responseStatus: 500, error: 'bad_status' })
})

test('an endless body is read up to 64 KB: the status counts and the connection is closed', async (t) => {
  const { url, sockets } = await receiver(t, (_, response) => {
    const chunk = Buffer.alloc(16 * 1024, 'a')
    const pump = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', pump)
    pump()
  })
  const attempt = await sender(t).send(url)
  assert.partialDeepStrictEqual(attempt, { responseStatus: 200, responseBody: 'a'.repeat(2048), error: null })
  await eventually(() => sockets.size === 0)
})

test('a compressed body is neither decompressed nor recorded', async (t) => {
  const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024))
  const { url } = await receiver(t, (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))
  const before = process.memoryUsage().arrayBuffers
  const attempt = await sender(t).send(url)
  assert.partialDeepStrictEqual(attempt, { responseStatus: 200, responseBody: null, error: null })
  assert.ok(process.memoryUsage().arrayBuffers - before < 5 * 1024 * 1024)
})

test('a head beyond 16 KB is refused, in one header or in many', async (t) => {
  const many = Array.from({ length: 400 }, (_, i) => `X-Header-${i}: ${'v'.repeat(40)}\r\n`).join('')
  for (const head of [`X-Long: ${'v'.repeat(17_000)}\r\n`, many]) {
    const attempt = await sendToScript(t, `HTTP/1.1 200 OK\r\n${head}\r\n`)
    assert.partialDeepStrictEqual(attempt, { responseStatus: null, error: 'headers_too_large' })
  }
})

test('whatever bytes come back, the recorded body is valid text of at most 2 KB', async (t) => {
  const answers = [
    Buffer.alloc(3000, 0xff),
    Buffer.alloc(3000),
    Buffer.from('é'.repeat(1500)),
    Buffer.from('a\0b\ud800'),
  ]
  answers.push(Buffer.concat([Buffer.from('a'), Buffer.from('🙂'.repeat(900))]))
  const { url } = await receiver(t, (request, response) => response.end(answers[Number(request.url?.slice(1))]))
  const { send } = sender(t)
  for (const index of answers.keys()) {
    const text = (await send(`${url}/${index}`)).responseBody ?? ''
    assert.ok(text.length > 0 && Buffer.byteLength(text) <= 2048 && text.isWellFormed() && !text.includes('\0'))
  }
  assert.equal((await send(`${url}/2`)).responseBody, 'é'.repeat(1024))
  assert.equal((await send(`${url}/4`)).responseBody, `a${'🙂'.repeat(511)}`)
})

test('a proxy in the environment is not used', async (t) => {
  const proxy = await receiver(t, (_, response) => response.end())
  const direct = await receiver(t, (_, response) => response.end('direct'))
  for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY']) {
    const before = process.env[name]
    process.env[name] = proxy.url
    t.after(() => (before === undefined ? delete process.env[name] : (process.env[name] = before)))
  }
  assert.equal((await sender(t).send(direct.url)).responseBody, 'direct')
})

test('an attempt has 10 seconds, unless it is given other ones', { timeout: 20_000 }, async (t) => {
  const webhooks = createWebhookHttp({ allowLoopback: true })
  t.after(() => webhooks.close())
  const asked = Promise.withResolvers<void>()
  const { url } = await receiver(t, () => asked.resolve()) // it never answers
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let ended = false
  const attempt = webhooks.send({ url, headers: async () => ({}), body }).finally(() => (ended = true))
  await asked.promise
  t.mock.timers.tick(9_999)
  await new Promise(setImmediate)
  assert.equal(ended, false)
  t.mock.timers.tick(1)
  const { error } = await attempt
  assert.equal(error, 'timeout')
})
