import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addImage, boundary, formType, png, showPublicly } from '../support/upload.ts'

// A caller who hangs up is no error of the service, so the log shows no warning that staff would have to look at.
type Line = { level: number; msg: string; status?: number; route?: string }
const warning = 40

const stack = await useStack({ workers: false })
const api = await useApi(stack)
let lines: Line[] = []
// A process of its own, with a log of its own.
const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line) as Line) })
const url = await api.addProcess({ logger })

/**
 * Sends the head and the beginning of a body, and hangs up: with a FIN, or with a reset. The service has read the head
 * by then, as it says that it expects a body.
 */
async function hangUp(method: string, path: string, type: string, sent: string, how: 'end' | 'reset'): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${stack.merchant.apiKey}\r\n`
  socket.write(`${head}Content-Type: ${type}\r\nContent-Length: 5000\r\nExpect: 100-continue\r\n\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  assert.match(String(answer), /^HTTP\/1\.1 100 /)
  socket.write(sent)
  await sleep(150)
  if (how === 'reset') socket.resetAndDestroy()
  else socket.destroy()
}

for (const [what, method, path, type, sent] of [
  ['a JSON body', 'POST', '/v1/checkout-sessions', 'application/json', '{"amount":'],
  ['a JSON body, before its first byte', 'PATCH', '/v1/customers/cust_x', 'application/json', ''],
  [
    'an upload',
    'POST',
    '/v1/utilities/uploads',
    formType,
    `--${boundary}\r\nContent-Disposition: form-data; name="file"`,
  ],
  ['a login', 'POST', '/api/v1/auth/login', 'application/json', '{'],
] as const) {
  for (const how of ['end', 'reset'] as const) {
    test(`${what} that breaks off (${how}) is logged as a 400, without a warning`, async () => {
      lines = []
      await hangUp(method, path, type, sent, how)
      await until(() => lines.some(({ msg }) => msg === 'call'), 'the call is in the log')
      await sleep(100)
      assert.deepEqual(
        lines.filter(({ level, status }) => level >= warning || (status ?? 0) >= 500),
        [],
      )
      assert.equal(lines.find(({ msg }) => msg === 'call')?.status, 400)
    })
  }
}

test('a caller who hangs up during a download causes no warning in the log', async () => {
  const id = await addImage(stack.merchant, Buffer.concat([png, Buffer.alloc(9_000_000)]))
  await showPublicly(stack, id)
  lines = []
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(`GET /uploads/${id} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await new Promise((resolve) => socket.once('data', resolve))
  socket.resetAndDestroy()
  await until(() => lines.some(({ msg }) => msg === 'answer not sent'), 'the log has it as a debug line')
  assert.deepEqual(
    lines.filter(({ level }) => level >= warning),
    [],
  )
})

/** A socket that has got the beginning of an answer, and takes no more of it. */
async function beginToRead(base: string, path: string): Promise<Socket> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  const [begun] = (await once(socket, 'data')) as [Buffer]
  socket.pause()
  assert.match(begun.toString(), /^HTTP\/1\.1 200 /)
  return socket
}

test('a caller who takes nothing of a download is cut off, without a warning in the log', async () => {
  const id = await addImage(stack.merchant, Buffer.concat([png, Buffer.alloc(9_000_000)]))
  await showPublicly(stack, id)
  const impatient = await api.addProcess({ logger, stuckMs: 200 })
  lines = []
  const socket = await beginToRead(impatient, `/uploads/${id}`)
  await until(() => lines.some(({ msg }) => msg === 'answer not sent'), 'it is cut off', { withinMs: 20_000 })
  socket.destroy()
  assert.deepEqual(
    lines.filter(({ level }) => level >= warning),
    [],
  )
})

test('an answer that has nothing to send for longer than a caller may take nothing goes on', async () => {
  async function* linesFor({ socket }: IncomingMessage) {
    yield 'before,'
    await once(socket, 'timeout')
    yield 'after'
  }
  const impatient = await api.addProcess({ stuckMs: 200 }, (router) => {
    router.get('/lines', (ctx) => void (ctx.body = Readable.from(linesFor(ctx.req))))
  })
  assert.equal(await (await fetch(`${impatient}/lines`)).text(), 'before,after')
})

test('callers who take nothing of the script of the reference page cost no copy of it each', async () => {
  const path = '/reference/standalone.js'
  const whole = Buffer.byteLength(await (await fetch(url + path)).text())
  const before = process.memoryUsage().arrayBuffers
  const sockets = await Promise.all(Array.from({ length: 20 }, () => beginToRead(url, path)))
  const grown = process.memoryUsage().arrayBuffers - before
  for (const socket of sockets) socket.destroy()
  assert.ok(grown < 10 * whole, `${grown} bytes more for 20 callers of ${whole}`)
})

test('an idle connection is kept for longer than the minute after which proxies close theirs', async () => {
  const { headers } = await fetch(`${url}/healthz`)
  assert.equal(headers.get('keep-alive'), 'timeout=65')
})
