import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { openSidePort } from '../../engine/telemetry/side-port.ts'
import type { Running } from '../proof/deployment.ts'
import { useMeteredDeployment } from '../support/metered-deployment.ts'
import { read, sidePortOf } from '../support/scrape.ts'
import { until } from '../support/until.ts'
import { atEnd } from '../support/use.ts'

// The port of a process for its operators: metrics, and whether it is alive and can work.

const { proxy, deployment, throughProxy } = await useMeteredDeployment()

const readiness = async (base: string) => {
  const { status, text } = await read(`${base}/readyz`)
  return `${status} ${(JSON.parse(text || '{}') as { status?: string }).status ?? ''}`
}

const untilReady = (base: string, expected: string) =>
  until(async () => (await readiness(base)) === expected, `${base}/readyz says ${expected}`, { everyMs: 20 })

/** Sends SIGTERM. Returns what `/readyz` said until the process had ended. */
async function whileItStops(running: Running, base: string): Promise<Set<string>> {
  const said = new Set<string>()
  process.kill(running.pid, 'SIGTERM')
  while (running.isRunning()) said.add(await readiness(base))
  return said
}

test('a worker is alive from its start, and ready once it polls, as long as its database answers', async () => {
  await proxy.shut()
  const worker = deployment.run('worker', ['engine/worker.ts'], throughProxy)
  const base = await sidePortOf(worker)
  assert.equal((await read(`${base}/healthz`)).status, 200, 'a probe of life does not kill what waits for its database')
  assert.equal(await readiness(base), '503 it is starting')
  assert.equal((await read(`${base}/metrics`)).status, 200)
  await proxy.open()
  await untilReady(base, '200 ready')
  await proxy.shut()
  await untilReady(base, '503 the database is unavailable')
  assert.equal((await read(`${base}/healthz`)).status, 200)
  await proxy.open()
  await untilReady(base, '200 ready')
  const said = await whileItStops(worker, base)
  assert.ok(said.has('503 it is stopping'), [...said].join())
})

test('a process of the image ends when it is told so before its database answers, and drains afterwards', async () => {
  await proxy.shut()
  const waiting = deployment.run('worker', ['scripts/image/run.ts', 'worker'], throughProxy)
  await sidePortOf(waiting)
  process.kill(waiting.pid, 'SIGTERM')
  // As the first process of a container it would not end by the signal itself.
  assert.deepEqual(await waiting.exited, { code: 143, signal: null })
  await proxy.open()
  const working = deployment.run('worker', ['scripts/image/run.ts', 'worker'], throughProxy)
  const base = await sidePortOf(working)
  await untilReady(base, '200 ready')
  const said = await whileItStops(working, base)
  assert.ok(said.has('503 it is stopping'), [...said].join())
  assert.deepEqual(await working.exited, { code: 0, signal: null })
})

test('an API is ready once it listens, says that it stops, and shows nothing of this on its public port', async () => {
  const api = await deployment.startApi()
  const base = await sidePortOf(api)
  await untilReady(base, '200 ready')
  const { status, text } = await read(`${base}/metrics`)
  assert.equal(status, 200)
  assert.match(text, /^process_cpu_seconds_total \d/m)
  assert.equal((await read(`http://127.0.0.1:${api.port}/metrics`)).status, 404)
  // A call that is under way keeps the process from ending.
  const slow = connect(api.port, '127.0.0.1')
  const head = `POST /v1/checkout-sessions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.merchant.apiKey}\r\n`
  slow.write(`${head}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{`)
  await Promise.race([once(slow, 'data'), sleep(500)]) // long enough to be under way
  process.kill(api.pid, 'SIGTERM')
  await untilReady(base, '503 it is stopping')
  slow.destroy()
  await api.exited
})

test('without METRICS_PORT a process has no such port', async () => {
  const api = deployment.run('api', ['api/main.ts'], { PORT: '0', METRICS_PORT: '' })
  await until(() => api.log().includes('API is listening'), 'the API listens')
  assert.ok(!api.log().includes('metrics are served'))
})

const hostile = [
  ['GET', '/', 404],
  ['GET', '/metrics/', 404],
  ['GET', '//metrics', 404],
  ['GET', '/__proto__', 404],
  ['GET', '/constructor', 404],
  ['GET', '/metrics/../../etc/passwd', 404],
  ['GET', '/%6detrics', 404],
  ['GET', '/metrics?a=/healthz', 200],
  ['HEAD', '/metrics', 200],
  ['POST', '/metrics', 405],
  ['DELETE', '/readyz', 405],
] as const

test('the port answers GET and HEAD of three paths and nothing else, and shows nothing of an error', async () => {
  const logger = pino({ level: 'silent' })
  const metrics = async () => ({ status: 200, type: 'text/plain', body: 'one 1\n' })
  const problem = async () => Promise.reject(new Error('password=marker'))
  const side = await openSidePort({ host: '127.0.0.1', port: 0, logger, metrics, problem })
  atEnd(() => side.close())
  for (const [method, path, expected] of hostile) {
    const status = await new Promise((resolve, reject) => {
      // Not `fetch`, which would tidy the path.
      const sent = request({ port: side.port, method, path }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      })
      sent.on('error', reject).end(method === 'POST' ? 'x'.repeat(100_000) : undefined)
    })
    assert.equal(status, expected, `${method} ${path}`)
  }
  const failed = await read(`http://127.0.0.1:${side.port}/readyz`)
  assert.equal(failed.status, 500)
  assert.ok(!failed.text.includes('marker'))
})
