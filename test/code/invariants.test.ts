import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { ROOT } from '../../scripts/infra/paths.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { useStack } from '../support/use-stack.ts'

/** More rows than fit into a batch. */
const stranded = 600

const stack = await useStack()

/** `npm run invariants` on the stack's database. */
async function runInvariants() {
  const env = { ...process.env, DATABASE_URL: stack.databaseUrl }
  const child = spawn(process.execPath, ['test/support/invariants.ts'], { cwd: ROOT, env })
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), exited])
  return { out, violations: err.split('\n').filter((line) => line.startsWith('an unfinished row')), code }
}

test('every delivery without a process is found, not only the newest, and the rows looked at are counted', async () => {
  const receiver = await startReceiver([500])
  await stack.merchant.setWebhook(receiver.url)
  await stack.merchant.call('POST', '/api/v1/notifications/webhooks/test', {})
  await stack.dispatched()
  await until(() => receiver.received.length === 1, 'the first attempt was made')
  await until(
    async () => (await stack.sql(`select from deliveries where attempt_count = 1`)).length === 1,
    'the attempt is recorded',
  )
  const healthy = await runInvariants()
  assert.equal(healthy.code, 0)
  const [, count] = /looked at (\d+) unfinished rows/.exec(healthy.out) ?? []
  assert.ok(Number(count) >= 2, healthy.out) // the delivery and its failing endpoint

  await stack.sql(
    `insert into deliveries (id, account_id, environment, event_id, event_type, endpoint_id, status, created_at)
     select 'dlv_lost_' || g, account_id, environment, event_id, event_type, endpoint_id, 'pending',
       now() - g * interval '1 second' from deliveries, generate_series(1, ${stranded}) g`,
  )
  const found = await runInvariants()
  assert.equal(found.code, 1)
  assert.equal(found.violations.length, stranded)
  assert.ok(
    found.violations.some((line) => line.includes(`dlv_lost_${stranded} `)),
    'the oldest is among them',
  )
  assert.match(found.out, new RegExp(`looked at ${Number(count) + stranded} unfinished rows`))
  await receiver.close()
})
