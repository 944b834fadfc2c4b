import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startReceiver } from '../support/receiver.ts'
import { create, makeSale, newTally, runMany } from './buyers.ts'
import { type Committing, createCommitReader } from './commits.ts'
import { deploy, type Deployment } from './deployment.ts'
import { type MovingPostgres, startMovingPostgres } from './moving-postgres.ts'
import type { Inspect } from './proxy.ts'
import { waitUntilIdle, findDuplicates } from './rest.ts'
import { type Scenario, tooSlow } from './scenario.ts'
import { percentile } from './pace.ts'

const creationsPerSecond = 5
const [lanes, refusalMaxMs] = [6, 2_000]

/** `size` is the number of rounds: in each, Postgres restarts, its backends are killed, and commits are cut for 2 s. */
export const databaseFaults: Scenario = {
  promise: 'when Postgres restarts or drops connections, calls get 503 at once, and a repeated call has one effect',
  size: 10,
  async run(size) {
    const folder = mkdtempSync(join(tmpdir(), 'steadypay-proof-database-'))
    const postgres = await startMovingPostgres(folder)
    const deployment = await deploy({ databaseUrl: postgres.url })
    const receiver = await startReceiver()
    try {
      const { merchant } = await deployment.startApi()
      await deployment.startWorker()
      await merchant.setWebhook(receiver.url)
      const [creating, buying] = [newTally(), newTally()]
      let over = false
      let made = 0
      const ids = new Set<string>()
      const creations = runMany(Infinity, lanes, async (n) => {
        if (over) return 'enough'
        made += 1
        ids.add((await create(merchant, creating, undefined, `creation-${n}`)).checkout_id)
        await pause((1_000 * lanes) / creationsPerSecond)
        return 'more'
      })
      const sales = runMany(Infinity, lanes, async (n) => {
        if (over) return 'enough'
        made += 1
        ids.add(await makeSale(merchant, n, buying))
        return 'more'
      })
      const cuts = await causeFaults(size, deployment, postgres)
      over = true
      await Promise.all([creations, sales])
      const { restMs, violations } = await waitUntilIdle(deployment, 120_000)
      const slowestRefusalMs = percentile(creating.refusalsMs, 1)
      violations.push(...tooSlow(databaseFaults, size, [['the refusal of a creation', slowestRefusalMs, refusalMaxMs]]))
      violations.push(...creating.errors, ...buying.errors, ...(await findDuplicates(deployment, receiver)))
      for (const [kind, count] of Object.entries(cuts))
        if (count === 0) violations.push(`no ${kind} lost its answer: this run proves nothing of it`)
      const rows = (await deployment.sql('select from checkouts')).length
      if (rows !== made || ids.size !== made) violations.push(`${rows} sessions, ${ids.size} ids, ${made} creations`)
      const refused = creating.refusalsMs.length + buying.refusalsMs.length
      const figures = {
        restarts: size,
        commitsCut: cuts.transaction,
        creationsCut: cuts.creation,
        creations: made,
        refused,
        repeated: creating.repeats + buying.repeats,
      }
      return { figures: { ...figures, slowestRefusalMs, restMs }, violations }
    } finally {
      await deployment.stop()
      await receiver.close()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

type Cuts = Record<Committing, number>

/** Restarts, kills and cuts, in turn; returns how many commits of each kind were cut: every third one that came. */
async function causeFaults(rounds: number, { sql }: Deployment, postgres: MovingPostgres): Promise<Cuts> {
  const [seen, cuts]: [Cuts, Cuts] = [
    { transaction: 0, creation: 0 },
    { transaction: 0, creation: 0 },
  ]
  let cutting = false
  const committed = createCommitReader()
  const cutSome: Inspect = (chunk, connection) => {
    const kind = committed(chunk, connection)
    if (!cutting || !kind || seen[kind]++ % 3 > 0) return 'forward'
    cuts[kind] += 1
    return cuts[kind] % 3 === 0 ? 'cut' : 'forward and cut'
  }
  postgres.proxy.inspect(cutSome)
  for (let round = 0; round < rounds; round++) {
    await pause(1_000)
    await postgres.restart()
    await pause(1_500)
    for (let kills = 0; kills < 3; kills++) {
      await sql(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'steadypay'
                 and pid <> pg_backend_pid()`).catch(() => undefined)
      await pause(400)
    }
    cutting = true
    await pause(2_000)
    cutting = false
  }
  return cuts
}
