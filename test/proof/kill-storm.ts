import { makeSale, newTally, runMany } from './buyers.ts'
import { deploy, type Deployment, type Running } from './deployment.ts'
import { makePayout, preparePayouts } from './payees.ts'
import { waitUntilIdle, findDuplicates } from './rest.ts'
import { type Scenario, tooSlow } from './scenario.ts'
import { percentile } from './pace.ts'
import { until } from '../support/until.ts'

const killsMax = 20
const payoutsPerKill = 100
/** How much runs at a time, so that a slow machine gets less work between two kills and has as many kills. */
const payoutsInFlight = 40
const salesInFlight = 20
const restWithinMs = 120_000
const patience = { withinMs: 150_000, everyMs: 500 }

type Api = Awaited<ReturnType<Deployment['startApi']>>

/**
 * `size` is the number of payouts; half as many sales run meanwhile. Of two APIs and two workers one at random is
 * killed after every hundred payouts, 20 times in all at full size, and started again at once. No endpoint gets the
 * events: killed-worker and killed-between-attempts prove deliveries under kills, and here they would only take time.
 */
export const killStorm: Scenario = {
  promise: 'while APIs and workers are killed again and again, payouts and sales all end, and nothing happens twice',
  size: 2_000,
  async run(size) {
    const deployment = await deploy()
    try {
      const fleet = await startFleet(deployment)
      const tally = newTally()
      const to = await preparePayouts(deployment, `${size * 20}.00`)
      const startedAt = performance.now()
      const kills = Math.min(killsMax, Math.max(2, Math.ceil(size / payoutsPerKill)))
      const destinationOf = (n: number) => (n % 10 === 3 ? to.fails : n % 3 === 0 ? to.completesSoon : to.completes)
      const ids: string[] = []
      const paying = runMany(size, payoutsInFlight, async (n) => {
        const made = await makePayout(fleet.merchant(n), destinationOf(n), tally)
        if ('refused' in made) return void tally.errors.push(`a payout is refused: ${made.refused}`)
        ids.push(made.id)
        await until(() => hasEnded(deployment, made.id), `${made.id} ends`, patience)
      })
      const selling = runMany(size / 2, salesInFlight, async (n) => void (await makeSale(fleet.merchant(n), n, tally)))
      const all = Promise.all([paying, selling])
      all.catch(() => undefined) // awaited below
      for (let n = 0; n < kills; n++) {
        const isTime = () => ids.length > ((n + 0.5) * size) / kills
        await Promise.race([until(isTime, 'payouts continue', patience), all])
        await fleet.killOne()
      }
      const lastKillAt = performance.now()
      await all
      const { restMs, violations } = await waitUntilIdle(deployment, restWithinMs)
      const cleanAfterLastKillMs = Math.round(performance.now() - lastKillAt)
      violations.push(...tally.errors, ...(await findWrongEnds(deployment, ids, to.fails)))
      violations.push(...(await findDuplicates(deployment)))
      violations.push(...tooSlow(killStorm, size, [['coming to rest', cleanAfterLastKillMs, restWithinMs]]))
      const figures = {
        payouts: size,
        sales: size / 2,
        kills,
        repeatedCalls: tally.repeats,
        cleanAfterLastKillMs,
        restMs,
        slowestCallMs: percentile(tally.durationsMs, 1),
        medianCallMs: percentile(tally.durationsMs, 0.5),
        totalSeconds: Math.round((performance.now() - startedAt) / 1000),
      }
      return { figures, violations }
    } finally {
      await deployment.stop()
    }
  },
}

/** Two APIs and two workers; a killed one is started again, an API at its old port. */
async function startFleet(deployment: Deployment) {
  const apis: Api[] = [await deployment.startApi(), await deployment.startApi()]
  const workers: Running[] = [await deployment.startWorker(), await deployment.startWorker()]
  const replaceApi = async (at: number) => {
    const { kill, port } = apis[at] as Api
    await kill()
    apis[at] = await deployment.startApi(['api/main.ts'], port)
  }
  const replaceWorker = async (at: number) => {
    await workers[at]?.kill()
    workers[at] = await deployment.startWorker()
  }
  return {
    merchant: (n: number) => (apis[n % apis.length] as Api).merchant,
    async killOne() {
      const which = Math.floor(Math.random() * 4)
      await (which < 2 ? replaceApi(which) : replaceWorker(which - 2))
    },
  }
}

async function hasEnded({ sql }: Deployment, id: string): Promise<boolean> {
  const ended = `select from payouts where id = ? and status in ('completed', 'failed')`
  return (await sql(ended, [id])).length > 0
}

/** Payouts with another end than their destination causes, accepted ones that are missing, and ones without a call. */
async function findWrongEnds(deployment: Deployment, ids: string[], failing: string): Promise<string[]> {
  const rows = await deployment.sql<{ id: string; status: string; destination: string }>(
    'select id, status, destination_id as destination from payouts',
  )
  const accepted = new Set(ids)
  const wrong = rows.flatMap(({ id, status, destination }) => {
    if (!accepted.has(id)) return [`${id} exists and no call was answered with it`]
    const expected = destination === failing ? 'failed' : 'completed'
    return status === expected ? [] : [`${id} is ${status}, not ${expected}`]
  })
  return rows.length === ids.length ? wrong : [...wrong, `${rows.length} payouts for ${ids.length} accepted calls`]
}
