import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { newTally } from './buyers.ts'
import { deploy, type Deployment, type Running } from './deployment.ts'
import { addEndpoint, newSecret } from './endpoints.ts'
import { startMixedLoad } from './mixed-load.ts'
import { startReceivers } from './receivers.ts'
import { waitUntilIdle, findDuplicates } from './rest.ts'
import type { Scenario } from './scenario.ts'
import { until } from '../support/until.ts'
import { madeAgain } from '../../workflows/local-steps.ts'

const lockMs = 8_000
const pauseMs = 2_000
const restWithinMs = 180_000
/**
 * A worker's cache holds so few processes that nearly every waiting one has to leave it, and it has so few connections
 * that steps fail and wait for their next try while a table is locked. Such steps are then cancelled.
 */
const cached = 4
const connections = { DATABASE_POOL: '3' }
/** The pauses between webhook attempts are this many times shorter: the second attempt comes after three seconds. */
const hurry = 20
/** The tables that most processes write to come first, so that a small run locks them too. */
const busiest = ['deliveries', 'events', 'ledger_entries', 'checkouts', 'payments', 'payouts', 'refunds', 'outbox']

/** `size` is the number of tables that are locked, one after another, each for 8 seconds. */
export const tableLocks: Scenario = {
  promise:
    'while each table in turn is locked for 8 s under load of every kind, no process fails, and all rows are finished',
  size: 200,
  async run(size) {
    const deployment = await deploy()
    const secrets = { healthy: newSecret(), secondTime: newSecret() }
    const receivers = await startReceivers(secrets)
    const worker = ['test/proof/hurried-worker.ts', String(hurry), '10000', String(cached)]
    try {
      const { merchant } = await deployment.startApi()
      const workers = [
        await deployment.startWorker(worker, connections),
        await deployment.startWorker(worker, connections),
      ]
      const endpointId = await addEndpoint(deployment, receivers.urls.healthy, secrets.healthy)
      await addEndpoint(deployment, receivers.urls.secondTime, secrets.secondTime)
      await receivers.misbehave()
      const tally = newTally()
      const load = await startMixedLoad(deployment, merchant, endpointId, tally)
      await pause(pauseMs)
      // On a busy machine a few tables may pass before a step is cancelled, which is what this run is about.
      const isEnough = (locked: number) => locked >= size && Object.keys(countMadeAgain(workers)).length > 0
      const tables = await lockEach((await tablesOf(deployment)).slice(0, 3 * size), deployment, isEnough)
      const made = await load.stop()
      const { restMs, violations } = await waitUntilIdle(deployment, restWithinMs)
      await until(() => isAllDone(deployment), 'all is done', { withinMs: 30_000 }).catch((error: unknown) => {
        violations.push(String(error))
      })
      violations.push(...tally.errors, ...(await findDuplicates(deployment)))
      const again = countMadeAgain(workers)
      if (Object.keys(again).length === 0) violations.push('no step was ever cancelled: this run proves nothing')
      const figures = { ...made, repeatedCalls: tally.repeats, restMs, tables, ...again }
      return { figures, violations }
    } finally {
      await receivers.close()
      await deployment.stop()
    }
  },
}

async function tablesOf({ sql }: Deployment): Promise<string[]> {
  const rows = await sql<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename not like '%migrations'
     order by 1`,
  )
  const names = rows.map(({ name }) => name)
  return [...busiest, ...names.filter((name) => !busiest.includes(name))]
}

/** Locks one table after another until they are enough. Returns how many it locked. */
async function lockEach(
  tables: string[],
  { databaseUrl }: Deployment,
  isEnough: (locked: number) => boolean,
): Promise<number> {
  let locked = 0
  const locker = new Client({ connectionString: databaseUrl })
  await locker.connect()
  try {
    for (const table of tables) {
      await locker.query(`begin; lock table "${table}" in access exclusive mode`)
      await pause(lockMs)
      await locker.query('commit')
      await pause(pauseMs)
      if (isEnough((locked += 1))) break
    }
    return locked
  } finally {
    await locker.end()
  }
}

/** Whether the work is done that `waitUntilIdle` does not wait for. */
async function isAllDone({ sql }: Deployment): Promise<boolean> {
  const [left] = await sql<{ count: string }>(
    `select (select count(*) from refunds where status in ('pending', 'processing'))
          + (select count(*) from conversions where status in ('pending', 'processing'))
          + (select count(*) from payout_destinations where status = 'pending_review')
          + (select count(*) from webhook_recoveries where completed_at is null)
          + (select count(*) from webhook_endpoints where failing_since is not null) as count`,
  )
  return left?.count === '0'
}

/** How often a cancelled step was made again by the workers' logs, for each kind of process. */
function countMadeAgain(workers: Running[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const line of workers.flatMap((worker) => worker.log().split('\n'))) {
    if (!line.includes(madeAgain)) continue
    const { workflowType } = JSON.parse(line) as { workflowType?: string }
    const name = `${workflowType} made again`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
