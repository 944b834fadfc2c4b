import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { Client, Connection } from '@temporalio/client'
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { describeReleases, type WorkerRelease } from '../../scripts/infra/worker-releases.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import { until } from '../support/until.ts'
import { use } from '../support/use.ts'

// `npm run release` on the development service, with workers of two releases of one workflow that waits.
Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })

type Said = { code: number; stdout: string; stderr: string }

const address = process.env['TEMPORAL_ADDRESS'] ?? ''
const taskQueue = `releases.${randomBytes(6).toString('hex')}`
const deploymentName = taskQueue.replace('.', '-')

const release = (...args: string[]): Promise<Said> =>
  promisify(execFile)(process.execPath, ['scripts/release.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, TASK_QUEUE: taskQueue },
  }).then(
    (said) => ({ code: 0, ...said }),
    (error: Said) => error,
  )

/** Runs the command until the engine knows the release, a moment after its first worker has asked for tasks. */
async function insist(...args: string[]): Promise<Said> {
  let said = await release(...args)
  await until(async () => said.code === 0 || (said = await release(...args)).code === 0, args.join(' '))
  return said
}

const engine = await use(connect, ({ close }) => close())

async function connect() {
  const connection = await Connection.connect({ address })
  const native = await NativeConnection.connect({ address })
  const workflowsPath = join(ROOT, 'test/support/waiting-workflow.ts')
  const workflowBundle = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') })
  const client = new Client({ connection })
  const stops: (() => Promise<void>)[] = []
  const startWorker = async (buildId: string) => {
    const worker = await Worker.create({
      connection: native,
      taskQueue,
      workflowBundle,
      workerDeploymentOptions: {
        version: { deploymentName, buildId },
        useWorkerVersioning: true,
        defaultVersioningBehavior: 'AUTO_UPGRADE',
      },
    })
    const done = worker.run()
    const stop = async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown()
      await done
    }
    stops.push(stop)
    return stop
  }
  return {
    startWorker,
    /** Starts a process and waits for its first step. Returns its handle and the release that took the step. */
    async begin(workflowId: string) {
      const handle = await client.workflow.start('waiting', { taskQueue, workflowId: `${taskQueue}/${workflowId}` })
      let build: string | null | undefined
      await until(async () => {
        const { events } = await handle.fetchHistory()
        const done = events?.find((event) => event.workflowTaskCompletedEventAttributes)
        build = done?.workflowTaskCompletedEventAttributes?.deploymentVersion?.buildId
        return done !== undefined
      }, `${workflowId} has begun`)
      return { handle, build }
    },
    async close() {
      await Promise.all(stops.map((stop) => stop()))
      await native.close()
      await connection.close()
    },
  }
}

test('arguments that are not understood are answered with the usage, and nothing is changed', async () => {
  const wrong = [
    [],
    ['status', 'one'],
    ['current'],
    ['current', '../one'],
    ['current', 'one', 'two'],
    ['ramp', 'one'],
    ['ramp', 'one', '101'],
    ['ramp', 'one', '-1'],
    ['move', "one' OR '1' = '1"],
    ['forget', 'one'],
  ]
  const said = await Promise.all(wrong.map((args) => release(...args)))
  for (const [n, { code, stderr }] of said.entries())
    assert.deepEqual([code, stderr.startsWith('Usage: npm run release')], [2, true], String(wrong[n]))
})

test('without any worker there is no release, and none can be made current', async () => {
  const { stdout, code } = await release('status')
  assert.deepEqual([code, stdout], [0, 'No worker with a WORKER_BUILD_ID has asked for tasks yet.\n'])
  const refused = await release('current', 'one')
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^Temporal refuses: /)
})

test('a release is made current, ramped, drained and rolled back, and a process ends where it began', async () => {
  const { startWorker, begin } = engine
  const stopOne = await startWorker('one')
  await insist('current', 'one')
  const early = await begin('early')
  const left = await begin('left')
  assert.deepEqual([early.build, left.build], ['one', 'one'])

  await startWorker('two.0')
  const { stdout: ramped } = await insist('ramp', 'two.0', '100')
  assert.match(ramped, /^100 % of new processes begin on two\.0\.\n/)
  assert.match(ramped, /^one +current +2 +1 +0\ntwo\.0 +ramping 100 % +0 +1 +0$/m)
  assert.match(ramped, /^Start workers of one for webhooks: nothing/m, 'no worker of this test works on webhooks')
  assert.equal((await begin('ramped')).build, 'two.0')
  await insist('ramp', 'two.0', '0')
  assert.equal((await begin('not-ramped')).build, 'one')

  await insist('current', 'two.0')
  assert.equal((await begin('late')).build, 'two.0')
  await early.handle.signal('goOn')
  assert.equal(await early.handle.result(), 'over', 'the older release still carries out what began on it')
  const isDraining = async () => /^one +draining +2 +1 +0$/m.test((await release('status')).stdout)
  await until(isDraining, 'two processes are left on the older release')

  await insist('current', 'one')
  assert.equal((await begin('rolled-back')).build, 'one')
  await insist('current', 'two.0')

  await stopOne()
  await left.handle.signal('goOn')
  const { stdout: moved } = await release('move', 'one')
  assert.match(moved, /^3 processes of one are moved\.\n/)
  assert.equal(await left.handle.result(), 'over', 'the newer release goes on with it')
  const isFree = async () => /^one +drain(ing|ed) +0 /m.test((await release('status')).stdout)
  await until(isFree, 'no process needs the older release')
})

test('a release whose processes nothing carries out is shown with what to do, for each kind of workers', () => {
  const [idle, busy] = [
    { pinned: 0, workers: 0 },
    { pinned: 5, workers: 1 },
  ]
  const two = { build: 'two', state: 'current', percent: null, of: { money: busy, webhooks: busy } } as const
  const one = { build: 'one', state: 'draining', percent: null, of: { money: idle, webhooks: idle } } as const
  const hintsFor = (...releases: WorkerRelease[]) =>
    describeReleases(releases)
      .split('\n')
      .slice(1 + releases.length)
  assert.deepEqual(hintsFor(one, two), [])
  const stuck = { pinned: 1, workers: 0 }
  assert.deepEqual(hintsFor({ ...one, of: { money: stuck, webhooks: stuck } }, two), [
    'Start workers of one for money and webhooks, or move its processes: nothing carries them out.',
  ])
  assert.deepEqual(hintsFor({ ...one, of: { money: busy, webhooks: stuck } }, two), [
    'Start workers of one for webhooks, or move its processes: nothing carries them out.',
  ])
  assert.deepEqual(hintsFor(one, { ...two, of: { money: idle, webhooks: busy } }), [
    'Start workers of two for money: nothing carries them out.',
  ])
})
