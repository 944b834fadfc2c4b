import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { test } from 'node:test'
import { ROOT } from '../../scripts/infra/paths.ts'
import { freePort } from '../../scripts/infra/ports.ts'
import { makeSale, newTally } from '../proof/buyers.ts'
import { deploy } from '../proof/deployment.ts'
import { diskFull } from '../proof/disk-full.ts'
import { waitUntilIdle } from '../proof/rest.ts'
import { createMerchant } from '../support/merchant.ts'
import { until } from '../support/until.ts'

test(diskFull.promise, async (t) => {
  const { figures, violations } = await diskFull.run(1)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
  if ('skipped' in figures) t.skip(String(figures['skipped']))
})

/** Every write to it fails as on a full disk. */
const full = '/dev/full'
const skip = existsSync(full) ? false : 'this system has no /dev/full'

test('an API and a worker whose log cannot be written, as on a full disk, go on', { skip }, async () => {
  const deployment = await deploy()
  const output = openSync(full, 'w')
  const port = await freePort()
  const start = (entry: string, more = {}) =>
    spawn(process.execPath, [entry], {
      cwd: ROOT,
      env: { ...deployment.env, ...more },
      stdio: ['ignore', output, output],
    })
  const children = [start('api/main.ts', { PORT: String(port) }), start('engine/worker.ts')]
  try {
    const url = `http://127.0.0.1:${port}`
    const isReady = () =>
      fetch(`${url}/readyz`)
        .then(({ status }) => status === 200)
        .catch(() => false)
    await until(isReady, 'the API is ready')
    const { merchant } = await deployment.startApi() // for its key
    const tally = newTally()
    for (let n = 0; n < 10; n++) await makeSale(createMerchant(url, merchant.apiKey), n, tally)
    assert.deepEqual(tally.errors, [])
    const { violations } = await waitUntilIdle(deployment, 60_000)
    assert.deepEqual(violations, [])
    for (const child of children) assert.equal(child.exitCode, null)
  } finally {
    for (const child of children) child.kill('SIGKILL')
    closeSync(output)
    await deployment.stop()
  }
})
