import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { ROOT } from '../../scripts/infra/paths.ts'
import { useDatabase } from '../support/use-database.ts'

// What an operator reads when a process does not start.
type Ended = { code: number; stderr: string }

const { url } = await useDatabase()
const env = {
  ...process.env,
  DATABASE_URL: url,
  KEY_PEPPER: Buffer.alloc(32, 1).toString('base64'),
  ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 2).toString('base64')}`,
  PORT: '0',
  METRICS_PORT: '',
}

const start = (entry: string, more: NodeJS.ProcessEnv): Promise<Ended> =>
  promisify(execFile)(process.execPath, [entry], { cwd: ROOT, timeout: 180_000, env: { ...env, ...more } }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    (error: Ended) => error,
  )

test('a process whose port is taken says so in one line, and ends', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const port = String((other.address() as AddressInfo).port)
  const cases = [
    ['api/main.ts', { HOST: '127.0.0.1', PORT: port }, 'PORT'],
    ['api/main.ts', { METRICS_HOST: '127.0.0.1', METRICS_PORT: port }, 'METRICS_PORT'],
    ['engine/worker.ts', { METRICS_HOST: '127.0.0.1', METRICS_PORT: port }, 'METRICS_PORT'],
  ] as const
  for (const [entry, more, variable] of cases) {
    const { code, stderr } = await start(entry, more)
    const says = `The process cannot listen at 127.0.0.1:${port} (${variable}): something listens there already\n`
    assert.deepEqual([code, stderr], [1, says], entry)
  }
})

test('a process with a wrong configuration says what is wrong, each thing once, and ends', async () => {
  for (const entry of ['api/main.ts', 'engine/worker.ts']) {
    const { code, stderr } = await start(entry, { KEY_PEPPER: '', PORT: '-1' })
    assert.equal(code, 1)
    assert.match(stderr, /^The configuration has 2 errors:\n {2}[^\n]+\n {2}[^\n]+\n$/, entry)
  }
})
