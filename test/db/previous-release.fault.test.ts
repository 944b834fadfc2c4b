import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrate } from '../../db/migrate.ts'
import { previousRelease } from '../../db/migrations/previous-release.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import { deploy } from '../proof/deployment.ts'
import { preparePayouts } from '../proof/payees.ts'
import { findDuplicates, waitUntilIdle } from '../proof/rest.ts'
import { createDatabase } from '../support/database.ts'
import { createMerchant } from '../support/merchant.ts'
import { migrationNames } from '../support/migrations.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

// The processes of the previous release on the schema of this code, as during every upgrade and after each rollback.
const { commit, lastMigration } = previousRelease
const git = (...args: string[]) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28 })
const isThere = git('cat-file', '-e', `${commit}^{commit}`).status === 0
const skip = !isThere && `the history of git lacks ${commit}: a shallow clone, or none (git fetch --unshallow)`

/** Checks out the code of the previous release, with the packages of today, and bundles its workflows. */
function checkOut(folder: string): { code: string; bundles: string } {
  const archive = join(folder, 'code.tar')
  const [code, bundles] = [join(folder, 'code'), join(folder, 'bundles')]
  assert.equal(git('archive', '--prefix', 'code/', '--output', archive, commit).status, 0)
  execFileSync('tar', ['-xf', archive, '-C', folder])
  symlinkSync(join(ROOT, 'node_modules'), join(code, 'node_modules'))
  execFileSync(process.execPath, ['scripts/image/bundle.ts', bundles], { cwd: code, stdio: 'ignore' })
  return { code, bundles }
}

test(
  'the previous release is a commit of this history, with the migration that is noted as its last one',
  { skip },
  () => {
    assert.equal(git('merge-base', '--is-ancestor', commit, 'HEAD').status, 0, `${commit} is no ancestor of HEAD`)
    const files = git('ls-tree', '--name-only', commit, 'db/migrations/').stdout.match(/\d{4}-[a-z\d-]+(?=\.sql$)/gm)
    assert.equal(files?.at(-1), lastMigration)
  },
)

test('the API and the worker of the previous release do their work on the schema of this one', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'steadypay-previous-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { code, bundles } = checkOut(folder)
  const { url, drop } = await createDatabase('template1')
  t.after(drop)
  execFileSync(process.execPath, ['scripts/migrate.ts'], { cwd: code, env: { ...process.env, DATABASE_URL: url } })
  const deployment = await deploy({ databaseUrl: url, code, env: { WORKFLOW_BUNDLES: bundles } })
  t.after(deployment.stop)
  const receiver = await startReceiver()
  t.after(receiver.close)

  let api = await deployment.startApi()
  const worker = await deployment.startWorker()
  await migrate(url)
  if (migrationNames.at(-1) === lastMigration || startsOnNewer(code)) {
    await Promise.all([api.kill(), worker.kill()])
    api = await deployment.startApi() // as in a rollback
    await deployment.startWorker()
  }
  const merchant = createMerchant(`http://127.0.0.1:${api.port}`, deployment.apiKey, { older: true })
  await merchant.setWebhook(receiver.url)
  const payees = await preparePayouts(deployment, '100.00')
  const charge = await merchant.chargeByCard()
  const { refund_id: refund } = await merchant.refund(charge)
  const payout = await merchant.payOut(payees.completes, { amount: '10.00' })
  const isOver = async () =>
    (await merchant.getRefund(refund))['status'] === 'succeeded' &&
    (await merchant.getPayout(payout.id)).status === 'completed'
  await until(isOver, 'the refund and the payout arrive')
  const types = ['checkout.completed', 'refund.paid', 'payout.paid'] as const
  await until(() => types.every((type) => receiver.types().includes(type)), 'their events arrive')
  const { violations } = await waitUntilIdle(deployment, 60_000)
  // This code also goes on with the processes of the previous release: it replays them.
  assert.deepEqual([...violations, ...(await findDuplicates(deployment, receiver))], [])
})

/** Releases after 2026-11-26 start on the schema of the release after them. Before, only running processes went on. */
const startsOnNewer = (code: string): boolean => existsSync(join(code, 'db/migrations/previous-release.json'))
