import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createAccessTokens } from '../../api/access/access-token.ts'
import { processOf } from '../../domain/processes.ts'
import { systemClock } from '../../engine/clock.ts'
import { writeWorkflowBundles } from '../../scripts/infra/bundle.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import type { Merchant } from '../support/merchant.ts'
import { startReceiver } from '../support/receiver.ts'
import { addStaff } from '../support/staff.ts'
import { endWaiting, startWaiting } from '../support/under-way.ts'
import { until } from '../support/until.ts'
import { behaviours } from '../../workflows/behaviours.ts'
import { makeSale, newTally, runMany } from './buyers.ts'
import { deploy, type Deployment } from './deployment.ts'
import { makePayout, preparePayouts } from './payees.ts'
import { failedProcesses, hurryDeliveries, waitUntilIdle } from './rest.ts'
import type { Scenario } from './scenario.ts'

const [older, newer] = ['release-1', 'release-2.0'] as const
const restWithinMs = 120_000
const inFlight = 4

/**
 * `size` is the number of sales; a third as many payouts go on meanwhile. The newer release takes other steps than the
 * older one (test/proof/releases). It becomes the current one under load, is rolled back, and becomes the current one
 * again. Work of every kind begins on each release before a switch and ends after it.
 */
export const sideBySide: Scenario = {
  promise: 'a release is made current under load, rolled back and made current again: no process fails or changes code',
  size: 300,
  async run(size) {
    const folder = mkdtempSync(join(tmpdir(), 'steadypay-releases-'))
    const deployment = await deploy()
    const receiver = await startReceiver([500, 500, 500])
    try {
      const bundles = await bundleReleases(folder)
      const release = releaseCommand(deployment)
      const variables = (build: keyof typeof bundles) => ({ WORKER_BUILD_ID: build, WORKFLOW_BUNDLES: bundles[build] })
      const { merchant } = await deployment.startApi()
      await merchant.setWebhook(receiver.url)
      await deployment.startWorker(['test/proof/releases/older-worker.ts'], variables(older))
      await release('current', older)
      const stack = await withStaff(deployment, merchant)
      const load = await prepareLoad(deployment, merchant, size)
      await load.quarter() // patient: it takes a moment until every part of the engine knows a first release
      const [onOlder] = await Promise.all([
        startWaiting(stack),
        load.quarter(),
        deployment.startWorker(['engine/worker.ts'], variables(newer)),
      ])
      await release('ramp', newer, '50')
      await Promise.all([load.quarter(), release('current', newer)])
      const [onNewer] = await Promise.all([startWaiting(stack), endWaiting(stack, stack.staff, onOlder)])
      await Promise.all([load.quarter(), release('current', older)])
      await endWaiting(stack, stack.staff, onNewer)
      await release('current', newer)
      await hurryDeliveries(deployment, 1) // some of them began on each release
      const { restMs, violations } = await waitUntilIdle(deployment, restWithinMs)
      const { figures, open, violations: found } = await judge(deployment)
      const failed = await failedProcesses(deployment)
      violations.push(...load.errors, ...found, ...failed.map((id) => `the process ${id} has failed`))
      const shown = new RegExp(`^${older} +drain\\w+ +${open} `, 'm')
      const isShown = async () => shown.test(await release('status'))
      await until(isShown, `${open} processes of the older release are open, as the command says`)
      return { figures: { sales: load.made(), ...figures, open, restMs }, violations }
    } finally {
      await deployment.stop()
      await receiver.close()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** The folder of each release's bundles. Webhooks have the same code in both. */
async function bundleReleases(folder: string): Promise<Record<typeof older | typeof newer, string>> {
  const made = { [older]: '', [newer]: '' } as Record<typeof older | typeof newer, string>
  for (const [build, file] of [
    [older, 'test/proof/releases/this-release.ts'],
    [newer, 'test/proof/releases/next-release.ts'],
  ] as const) {
    made[build] = mkdtempSync(join(folder, `${build}-`))
    await writeWorkflowBundles(made[build], { main: file })
    copyFileSync(join(process.env['WORKFLOW_BUNDLES'] ?? '', 'webhooks.js'), join(made[build], 'webhooks.js'))
  }
  return made
}

/** `npm run release` for this deployment: returns what it prints. A release is known a moment after its workers ask. */
function releaseCommand({ env }: Deployment) {
  return async (...args: string[]): Promise<string> => {
    let said = ''
    const isDone = () =>
      promisify(execFile)(process.execPath, ['scripts/release.ts', ...args], { cwd: ROOT, env }).then(
        ({ stdout }) => {
          said = stdout
          return true
        },
        ({ stderr }: { stderr: string }) => {
          if (!stderr.startsWith('Temporal refuses')) throw new Error(stderr)
          return false
        },
      )
    await until(isDone, `npm run release -- ${args.join(' ')}`)
    return said
  }
}

async function withStaff(deployment: Deployment, merchant: Merchant) {
  const { database, encrypter, organizationId } = deployment
  const services = { accessTokens: createAccessTokens(database, encrypter), clock: systemClock }
  const staff = await addStaff({ database, services, merchant, organizationId })
  return { ...deployment, merchant, staff }
}

/** Sales and payouts: `quarter` makes a quarter of them. */
async function prepareLoad(deployment: Deployment, merchant: Merchant, size: number) {
  const tally = newTally()
  const to = await preparePayouts(deployment, `${size * 20}.00`)
  let made = 0
  const makeOne = async () => {
    const n = made++
    await makeSale(merchant, n, tally)
    if (n % 3 > 0) return
    const paid = await makePayout(merchant, n % 2 ? to.completes : to.completesSoon, tally)
    if ('refused' in paid) tally.errors.push(`a payout is refused: ${paid.refused}`)
  }
  return { errors: tally.errors, made: () => made, quarter: () => runMany(Math.ceil(size / 4), inFlight, makeOne) }
}

/** A message came while the process was about to end: the engine has it take the message first. Nothing failed. */
const hasNews = 1 // temporal.api.enums.v1.WorkflowTaskFailedCause: UNHANDLED_COMMAND

/**
 * On which releases each process took its steps, in their order, and what went wrong. `open` are the processes that are
 * pinned to the older release and wait, for late money.
 */
async function judge({ client, taskQueue }: Deployment) {
  const violations: string[] = []
  const begunOn: Record<string, number> = {}
  const moved = { upgraded: 0, rolledBack: 0 }
  let open = 0
  const query = `TaskQueue = '${taskQueue}' OR TaskQueue = '${taskQueue}-webhooks'`
  for await (const { workflowId, runId, status } of client.workflow.list({ query })) {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory()
    const steps: string[] = []
    for (const { workflowTaskFailedEventAttributes: failed, workflowTaskCompletedEventAttributes: done } of events ??
      []) {
      if (failed && failed.cause !== hasNews)
        violations.push(`${workflowId}: a task failed: ${failed.failure?.message}`)
      const build = done?.deploymentVersion?.buildId ?? 'no release'
      if (done && steps.at(-1) !== build) steps.push(build)
    }
    const way = steps.join()
    const process = processOf(workflowId)?.process
    const isPinned = process !== undefined && behaviours[process] === 'PINNED'
    if (isPinned && steps.length > 1) violations.push(`${workflowId} is pinned and went ${way}`)
    if (way.includes('no release')) violations.push(`${workflowId} was carried out without a release`)
    if (isPinned && way !== '') begunOn[way] = (begunOn[way] ?? 0) + 1
    if (isPinned && way === older && status.name === 'RUNNING') open += 1
    if (way.includes(`${older},${newer}`)) moved.upgraded += 1
    if (way.includes(`${newer},${older}`)) moved.rolledBack += 1
  }
  const figures = { pinnedToOlder: begunOn[older] ?? 0, pinnedToNewer: begunOn[newer] ?? 0, ...moved }
  const never = Object.entries(figures).filter(([, count]) => count === 0)
  violations.push(...never.map(([what]) => `none is ${what}`))
  return { figures, open, violations }
}
