import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { ROOT } from '../../scripts/infra/paths.ts'
import { startTestPostgres } from '../../scripts/infra/postgres.ts'
import { SetupError } from '../../scripts/infra/session.ts'
import { startTemporal } from '../../scripts/infra/temporal.ts'
import { temporalBinary } from '../../scripts/infra/temporal-binary.ts'
import { until } from '../support/until.ts'

// How the service is started that tests, proofs and `npm start` share: a start that fails by chance fails nothing.
const real = await temporalBinary(console.log)
const folder = mkdtempSync(join(tmpdir(), 'engine-start-'))
const path = process.env['PATH']
const starts = join(folder, 'starts')
after(() => {
  process.env['PATH'] = path
  rmSync(folder, { recursive: true, force: true })
})

/** Puts a service on PATH that ends at once so many times, as one does that finds a port taken. */
function failing(times: number) {
  writeFileSync(starts, '')
  const binary = join(folder, 'temporal')
  const script = `#!/bin/sh
echo start >> "${starts}"
if [ "$(wc -l < "${starts}")" -le ${times} ]; then echo "panic: no port for $*" >&2; exit 2; fi
exec "${real}" "$@"
`
  writeFileSync(binary, script)
  chmodSync(binary, 0o755)
  process.env['PATH'] = `${folder}${delimiter}${path}`
}
const start = (ui = false) =>
  startTemporal({
    databaseFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    ui,
    report: console.log,
  })
const countStarts = () => readFileSync(starts, 'utf8').trim().split('\n').length

test('a service that ends as it starts is started again', async () => {
  failing(2)
  const { child, address } = await start()
  assert.match(address, /^127\.0\.0\.1:\d+$/)
  assert.ok(child.isRunning())
  assert.equal(countStarts(), 3)
  await child.stop()
})

test('a service that never starts is told with the end of its log, after three tries', async () => {
  failing(9)
  await assert.rejects(start(), (error) => error instanceof SetupError && error.message.includes('panic: no port'))
  assert.equal(countStarts(), 3)
})

/** Starts a Postgres in a new folder, and kills the start as soon as it makes its data folder. */
async function killedStart(t: TestContext): Promise<string> {
  const place = mkdtempSync(join(tmpdir(), 'postgres-start-'))
  t.after(() => rmSync(place, { recursive: true, maxRetries: 20 }))
  const code = `
    const { startTestPostgres } = await import('${join(ROOT, 'scripts/infra/postgres.ts')}')
    await startTestPostgres('${place}')`
  const first = spawn(process.execPath, ['--input-type=module', '-e', code], { detached: true, stdio: 'ignore' })
  const exited = once(first, 'exit')
  const isBegun = () => readdirSync(place).some((name) => existsSync(join(place, name, 'PG_VERSION')))
  await until(isBegun, 'its data folder is begun', { everyMs: 5 })
  process.kill(-(first.pid ?? 0), 'SIGKILL') // initdb too
  await exited
  return place
}

const isFinished = (place: string): boolean => existsSync(join(place, 'postgres'))

test('a start of Postgres that is killed while it makes its data folder does not stop the next one', async (t) => {
  // On a busy machine a start may have finished its folder before we see it; its Postgres ends with it.
  let place = await killedStart(t)
  for (let tries = 1; isFinished(place) && tries < 10; tries++) place = await killedStart(t)
  assert.ok(!isFinished(place), 'no start was killed in time')
  const { child, isNew } = await startTestPostgres(place)
  await child.stop()
  assert.ok(isNew)
  assert.deepEqual(readdirSync(place).toSorted(), ['postgres', 'postgres.log'], 'nothing of the first start is left')
})

test('TEMPORAL_UI_PORT switches the UI off, and what is no port is told before anything starts', async (t) => {
  t.after(() => delete process.env['TEMPORAL_UI_PORT'])
  failing(9)
  process.env['TEMPORAL_UI_PORT'] = 'off'
  await assert.rejects(start(true), (error) => error instanceof SetupError && error.message.includes(' --headless '))
  failing(9)
  process.env['TEMPORAL_UI_PORT'] = 'abc'
  await assert.rejects(
    start(true),
    (error) => error instanceof SetupError && error.message.startsWith('TEMPORAL_UI_PORT must be a port'),
  )
  assert.equal(readFileSync(starts, 'utf8'), '')
})

test('a wrong configuration is told without a stack by what npm start and the tests run in', async () => {
  const script = `
    import { ConfigError } from './engine/config.ts'
    import { runSession } from './scripts/infra/session.ts'
    await runSession(async () => { throw new ConfigError(['TEMPORAL_ADDRESS must be host:port']) })`
  const ran = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT }).catch(
    (error: { code: number; stderr: string }) => error,
  )
  assert.ok('code' in ran)
  const { code, stderr } = ran
  assert.deepEqual([code, stderr], [1, '\nThe configuration has 1 error:\n  TEMPORAL_ADDRESS must be host:port\n'])
})
