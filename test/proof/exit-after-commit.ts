import type { Merchant } from '../support/merchant.ts'
import { sale } from '../support/merchant.ts'
import { create, newTally, runMany } from './buyers.ts'
import { deploy, type Deployment } from './deployment.ts'
import { type Scenario, tooSlow } from './scenario.ts'
import { until } from '../support/until.ts'

const startWithinMs = 5_000

/** `size` is the number of API processes that die. */
export const exitAfterCommit: Scenario = {
  promise: 'when API processes die between COMMIT and dispatch, a worker starts each committed process once',
  size: 100,
  async run(size) {
    const deployment = await deploy()
    try {
      const violations: string[] = []
      const { merchant } = await deployment.startApi()
      await runMany(size, 2, async (n) => {
        const error = await createAndDie(deployment, `exit-${n}`)
        if (error) violations.push(error)
      })
      const rows = await deployment.sql<{ id: string }>('select id from checkouts')
      const ids = rows.map(({ id }) => id)
      if (ids.length !== size) violations.push(`${ids.length} sessions of ${size} creations`)
      const early = await runsOf(deployment)
      if (early.length > 0) violations.push(`${early.length} processes ran before there was a worker`)

      const repeated = await repeatAll(merchant, size)
      if (new Set([...repeated, ...ids]).size !== size) violations.push('a repeated creation made another session')

      await deployment.startWorker()
      const startedMs = await until(async () => (await runsOf(deployment)).length >= size, 'all processes have started')
      violations.push(...tooSlow(exitAfterCommit, size, [['the start of the processes', startedMs, startWithinMs]]))
      await until(async () => (await deployment.sql('select id from outbox')).length === 0, 'the outbox is empty')
      const runs = await runsOf(deployment)
      const wrong = ids.filter((id) => runs.filter((run) => run === `checkout/${id}`).length !== 1)
      violations.push(...wrong.map((id) => `${id} has not exactly one run`), ...(await deployment.check()))
      return { figures: { exits: size, startedMs: Math.round(startedMs), runs: runs.length }, violations }
    } finally {
      await deployment.stop()
    }
  },
}

/** One creation by an API process that dies after its commit; returns what went wrong, or null. */
async function createAndDie(deployment: Deployment, key: string): Promise<string | null> {
  const api = await deployment.startApi(['test/proof/api-that-exits.ts'])
  const answer = await api.merchant
    .call('POST', '/v1/checkout-sessions', sale, { 'idempotency-key': key })
    .catch(() => null)
  await until(() => !api.isRunning(), 'the API process has died')
  return answer && `a process that had died answered ${answer.status}`
}

/** Repeats the creations that got no answer, and returns the ids that they now get. */
async function repeatAll(merchant: Merchant, size: number): Promise<string[]> {
  const ids: string[] = []
  await runMany(size, 4, async (n) => {
    ids.push((await create(merchant, newTally(), sale, `exit-${n}`)).checkout_id)
  })
  return ids
}

/** The workflow id of each run on the deployment's queue, as the engine lists them. */
async function runsOf({ client, taskQueue }: Deployment): Promise<string[]> {
  const ids = []
  const query = `TaskQueue = '${taskQueue}' AND Resource = 'checkout'`
  for await (const { workflowId } of client.workflow.list({ query })) ids.push(workflowId)
  return ids
}
