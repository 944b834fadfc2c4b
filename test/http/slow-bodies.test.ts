import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertError } from '../support/api.ts'
import { type Reply, sale } from '../support/merchant.ts'
import { openPages } from '../support/pages.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'
import { boundary, form, formType, png, pngOf, sendBytes } from '../support/upload.ts'

// Slow bodies over real sockets, with the real time-outs. All cases run at once, so the file waits only once.
const stack = await useStack({ workers: false })
const api = await useApi(stack)
const pages = await openPages(stack)
atEnd(() => pages.stop())

type Open = { path: string; key?: string; type: string; length: number; method?: string; base?: string }

/** Opens a connection and sends the head of a call; the caller sends the body. */
function open({ path, key, type, length, method = 'POST', base = stack.baseUrl }: Open): Socket {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  socket.on('error', () => undefined)
  const credential = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`
  const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\n${credential}Content-Type: ${type}\r\n`
  socket.write(`${head}Content-Length: ${length}\r\n\r\n`)
  return socket
}

const uploadOf = (key: string, length = 5_000_000) =>
  open({ path: '/v1/utilities/uploads', key, type: formType, length })
const jsonOf = (path: string, key?: string, length = 90_000) =>
  open({ path, type: 'application/json', length, ...(key && { key }) })

/** All that comes back until the connection is closed, and the seconds until then. */
async function answerOn(socket: Socket): Promise<{ text: string; seconds: number }> {
  const startedAt = performance.now()
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await once(socket, 'close')
  return { text, seconds: (performance.now() - startedAt) / 1000 }
}

/** Sends a body in pieces of `bytes`, one every `everyMs`, until all is sent or the connection is closed. */
async function drip(socket: Socket, body: Buffer, bytes: number, everyMs: number): Promise<void> {
  for (let at = 0; at < body.length && !socket.destroyed; at += bytes) {
    socket.write(body.subarray(at, at + bytes))
    await sleep(everyMs)
  }
}

const longBytes = 950_000

/** Sends twelve long bodies that stop shortly before their end. */
const stopIn = (path: string, key?: string): Socket[] =>
  Array.from({ length: 12 }, () => {
    const socket = jsonOf(path, key, longBytes + 1)
    socket.write(Buffer.alloc(longBytes, ' '))
    return socket
  })

/** Creates a customer with a body of this size, or sends it to another address. */
async function sendLong(key: string, bytes = longBytes, path = '/v1/customers'): Promise<Reply> {
  const body = JSON.stringify({ email: `${randomUUID()}@example.com` }).padEnd(bytes)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(`${stack.baseUrl}${path}`, { method: 'POST', headers, body })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
}

/** Waits until a long body is refused for others that are arriving. Returns that answer. */
async function refusedLong(key: string, path?: string): Promise<Reply> {
  const answers: Reply[] = []
  const isRefused = async () => {
    answers.unshift(await sendLong(key, longBytes, path))
    return /too many long bodies/.test(answers[0]?.text ?? '')
  }
  await until(isRefused, 'a further long body is refused', { withinMs: 20_000, everyMs: 250 })
  return answers[0]!
}

const spaces = Buffer.alloc(90_000, ' ')

/** Asserts that the answer says why, came after some 10 s and not minutes, and closed the connection. */
function assertCut({ text, seconds }: { text: string; seconds: number }, field = 'body'): void {
  assert.match(text, /^HTTP\/1\.1 400 /)
  assert.match(text, /connection: close/i)
  const { error_code, detail } = JSON.parse(text.split('\r\n\r\n')[1] ?? '') as Record<string, string>
  assert.equal(error_code, 'VALIDATION_ERROR')
  assert.match(detail ?? '', new RegExp(`^${field}: arrives too slowly`))
  assert.ok(seconds > 8 && seconds < 25, `${seconds} s`)
}

const concurrently = { concurrency: true }

test('slow bodies', concurrently, async (t) => {
  const cases = [
    t.test('sixteen slow uploads of one organization delay no other, and the ninth is TOO_MANY_REQUESTS', async () => {
      const slow = await api.addMerchant()
      const sockets = Array.from({ length: 16 }, () => uploadOf(slow.key))
      const ends = sockets.map(answerOn)
      const drips = sockets.map((socket) => drip(socket, Buffer.from(`--${boundary}\r\n`), 1, 300))
      await until(
        async () => (await sendBytes(slow.merchant, form([{ bytes: png }]))).status === 429,
        'eight uploads are open',
      )
      const refused = await sendBytes(slow.merchant, form([{ bytes: png }]))
      assertError(refused, 429, 'TOO_MANY_REQUESTS')
      assert.equal(refused.headers.get('retry-after'), '1')
      const other = await api.addMerchant()
      for (let round = 0; round < 5; round++) {
        const startedAt = performance.now()
        assert.equal((await sendBytes(other.merchant, form([{ bytes: png }]))).status, 201)
        assert.ok(performance.now() - startedAt < 3_000)
      }
      const answers = await Promise.all(ends)
      await Promise.all(drips)
      const cut = answers.filter(({ text }) => text.startsWith('HTTP/1.1 400 '))
      assert.equal(cut.length, 8)
      cut.forEach((answer) => assertCut(answer))
      assert.equal(answers.filter(({ text }) => text.startsWith('HTTP/1.1 429 ')).length, 8)
      assert.equal((await sendBytes(slow.merchant, form([{ bytes: png }]))).status, 201)
    }),

    t.test('an upload that stops after its first megabytes is cut off', async () => {
      const { key } = await api.addMerchant()
      const socket = uploadOf(key)
      const whole = form([{ bytes: pngOf(4_000_000) }])
      const startedAt = performance.now()
      socket.write(whole.subarray(0, 3_000_000))
      const { text } = await answerOn(socket)
      assert.match(text, /^HTTP\/1\.1 400 [\s\S]*arrives too slowly/)
      assert.ok(performance.now() - startedAt < 50_000)
    }),

    t.test('many long bodies that stop leave room for usual calls, and the further long ones are refused', async () => {
      const fillers = await Promise.all(Array.from({ length: 4 }, () => api.addMerchant()))
      const [{ key }, { key: first }] = [await api.addMerchant(), await api.addMerchant()]
      assert.equal((await sendLong(key)).status, 201)
      const callbacks = '/rails/stripe/callbacks'
      const stopped = stopIn(callbacks)
      assertError(await refusedLong('', callbacks), 429, 'TOO_MANY_REQUESTS')
      assert.equal((await sendLong(key)).status, 201)
      stopped.push(...stopIn('/v1/customers', first))
      const tooMany = await refusedLong(first)
      assertError(tooMany, 429, 'TOO_MANY_REQUESTS')
      assert.equal(tooMany.headers.get('retry-after'), '1')
      assert.equal((await sendLong(key)).status, 201)
      stopped.push(...fillers.flatMap((filler) => stopIn('/v1/customers', filler.key)))
      const refused = await refusedLong(key)
      assertError(refused, 503, 'SERVICE_UNAVAILABLE')
      assert.ok(refused.headers.get('retry-after'))
      for (const each of [key, first]) assert.equal((await sendLong(each, 90_000)).status, 201)
      for (const socket of stopped) socket.destroy()
      const isFree = async (each: string) => (await sendLong(each)).status === 201
      await until(async () => (await isFree(key)) && (await isFree(first)), 'there is room again')
    }),

    t.test('a JSON body that drips is cut off', async () => {
      const { key } = await api.addMerchant()
      const socket = jsonOf('/v1/checkout-sessions', key)
      const [answer] = await Promise.all([answerOn(socket), drip(socket, spaces, 100, 200)])
      assertCut(answer)
    }),

    t.test('a JSON body that stops is cut off', async () => {
      const { key } = await api.addMerchant()
      assertCut(await answerOn(jsonOf('/v1/checkout-sessions', key)))
    }),

    t.test('a body that arrives over a slow line is accepted, long after the grace period', async () => {
      const { key } = await api.addMerchant()
      const body = Buffer.from(JSON.stringify({ ...sale, filler: 'x'.repeat(80_000) }))
      const socket = jsonOf('/v1/checkout-sessions', key, body.length)
      const [answer] = await Promise.all([
        answerOn(socket),
        drip(socket, body, 2_500, 500).then(() => sleep(1_000).then(() => socket.end())),
      ])
      assert.match(answer.text, /^HTTP\/1\.1 201 /)
      assert.ok(answer.seconds > 14)
    }),

    t.test('an upload over a slow line is accepted, even with a pause in it', async () => {
      const { key } = await api.addMerchant()
      const body = form([{ bytes: pngOf(150_000) }])
      const socket = uploadOf(key, body.length)
      const [answer] = await Promise.all([
        answerOn(socket),
        drip(socket, body.subarray(0, 100_000), 5_000, 500)
          .then(() => sleep(8_000))
          .then(() => drip(socket, body.subarray(100_000), 5_000, 500))
          .then(() => sleep(1_000))
          .then(() => socket.end()),
      ])
      assert.match(answer.text, /^HTTP\/1\.1 201 /)
    }),

    t.test('a call without a credential is answered before its body has arrived', async () => {
      for (const [path, type] of [
        ['/v1/checkout-sessions', 'application/json'],
        ['/v1/utilities/uploads', formType],
        ['/no/such/path', 'application/json'],
      ] as const) {
        const { text, seconds } = await answerOn(open({ path, type, length: 90_000 }))
        assert.match(text, /^HTTP\/1\.1 (401|404) /)
        assert.match(text, /connection: close/i)
        assert.ok(seconds < 5, `${path}: ${seconds} s`)
      }
    }),

    t.test('a body that no operation reads keeps no connection open', async () => {
      for (const path of ['/healthz', '/openapi.json', '/v1/payment-methods']) {
        const { text, seconds } = await answerOn(open({ path, type: 'text/plain', length: 90_000, method: 'GET' }))
        assert.match(text, /^HTTP\/1\.1 200 /)
        assert.ok(seconds < 5, `${path}: ${seconds} s`)
      }
    }),

    t.test('a caller who has sent the whole body keeps the connection', async () => {
      for (const [path, method, body] of [
        ['/healthz', 'GET', ''],
        ['/v1/payment-methods', 'GET', ''],
        ['/v1/checkout-sessions', 'POST', JSON.stringify(sale)],
        ['/v1/checkout-sessions', 'POST', '{"amount": 1}'],
      ] as const) {
        const key = stack.merchant.apiKey
        const socket = open({ path, type: 'application/json', length: body.length, method, key })
        let text = ''
        socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
        socket.write(body)
        await until(() => text.includes('\r\n\r\n'), 'it is answered')
        assert.match(text, /^connection: keep-alive/im, path)
        socket.destroy()
      }
    }),

    t.test('a body that drips is cut off also where no credential is needed', async () => {
      const socket = jsonOf('/api/v1/auth/login')
      const [answer] = await Promise.all([answerOn(socket), drip(socket, spaces, 100, 200)])
      assertCut(answer)
    }),

    t.test('a form of the hosted pages that drips is cut off', async () => {
      const type = 'application/x-www-form-urlencoded'
      const { checkout_url: address } = await stack.merchant.createCheckout()
      for (const path of [new URL(address).pathname, '/dashboard/login']) {
        const socket = open({ path, type, length: 10_000, base: pages.base })
        const [answer] = await Promise.all([answerOn(socket), drip(socket, Buffer.from('a'.repeat(10_000)), 10, 200)])
        assertCut(answer)
      }
    }),

    t.test('headers that drip are answered with the error object, and the connection is closed', async () => {
      const socket = connect(Number(new URL(stack.baseUrl).port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write('GET /v1/payments HTTP/1.1\r\nHost: x\r\n')
      const dripped = drip(socket, Buffer.from('X'.repeat(400)), 1, 200)
      const [{ text, seconds }] = await Promise.all([answerOn(socket), dripped])
      assert.match(text, /^HTTP\/1\.1 400 [\s\S]*"error_code":"VALIDATION_ERROR"/)
      assert.ok(seconds < 35, `${seconds} s`)
    }),
  ]
  await Promise.all(cases)
})
