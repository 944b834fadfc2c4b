import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startTemporal, type Temporal } from '../../scripts/infra/temporal.ts'
import type { Merchant } from '../support/merchant.ts'
import { create, makeSale, newTally, runMany, type Tally } from './buyers.ts'
import { deploy, type Deployment } from './deployment.ts'
import { type Proxy, startProxy } from './proxy.ts'
import { waitUntilIdle, failedProcesses } from './rest.ts'
import { type Scenario, tooSlow } from './scenario.ts'
import { percentile } from './pace.ts'
import { until } from '../support/until.ts'

const creationsPerSecond = 10
const buyers = 4
const [p99MaxMs, answerMaxMs, drainMaxMs] = [1_000, 15_000, 60_000]

/** `size` is the seconds without an engine: for half of them it is silent, for the other half stopped and restarted. */
export const engineUnavailable: Scenario = {
  promise: 'while the engine is unavailable, creations work as usual, waiting calls get 503, and nothing is lost',
  size: 60,
  async run(size) {
    const folder = mkdtempSync(join(tmpdir(), 'steadypay-proof-engine-'))
    const engine = await startEngine(folder)
    const deployment = await deploy({ temporalAddress: `127.0.0.1:${engine.proxy.port}` })
    try {
      const { merchant } = await deployment.startApi()
      await deployment.startWorker()
      await makeSale(merchant, 0, newTally())
      const [creating, buying] = [newTally(), newTally()]
      const outage = engine.becomeUnavailable(size * 1_000)
      const sales = runMany(buyers, buyers, async (n) => void (await makeSale(merchant, n + 6, buying)))
      const ids = await createSteadily(merchant, size, creating)
      await outage
      const drainMs = await until(() => allStarted(deployment), 'everything is started', { withinMs: 2 * drainMaxMs })
      await sales
      const { restMs, violations } = await waitUntilIdle(deployment, drainMaxMs)
      const p99Ms = percentile(creating.durationsMs, 0.99)
      const slowestAnswerMs = percentile([...buying.refusalsMs, ...buying.durationsMs], 1)
      const creations = ['a creation in a hundred', p99Ms, p99MaxMs] as const
      const starts = ['the start of what had waited', drainMs, drainMaxMs] as const
      const answers = ['the answer to a waiting call', slowestAnswerMs, answerMaxMs] as const
      violations.push(...tooSlow(engineUnavailable, size, [creations, starts, answers]))
      if (buying.refusalsMs.length === 0) violations.push('no call was refused: the engine was not unavailable')
      violations.push(...creating.errors, ...creating.refusalsMs.map(() => 'a creation was refused'), ...buying.errors)
      violations.push(...(await lost(deployment, ids)), ...(await failedProcesses(deployment)))
      const figures = {
        secondsAway: size,
        creations: ids.length,
        p99Ms,
        slowestMs: percentile(creating.durationsMs, 1),
      }
      const more = { drainMs: Math.round(drainMs), refused: buying.refusalsMs.length, slowestAnswerMs, restMs }
      return { figures: { ...figures, ...more }, violations }
    } finally {
      await deployment.stop()
      await engine.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** A separate Temporal service, on a file, behind a proxy that keeps its address when the service gets a new port. */
async function startEngine(folder: string) {
  const files = { databaseFile: join(folder, 'temporal.db'), logFile: join(folder, 'temporal.log') }
  const start = () => startTemporal({ ...files, ui: false, report: () => undefined })
  let service: Temporal = await start()
  const address = () => ({ host: '127.0.0.1', port: Number(service.address.split(':')[1]) })
  const proxy: Proxy = await startProxy(address())
  return {
    proxy,
    async becomeUnavailable(forMs: number) {
      const backAt = performance.now() + forMs
      proxy.hush()
      await pause(forMs / 2)
      await proxy.shut()
      await service.child.stop()
      service = await start()
      await pause(Math.max(0, backAt - performance.now()))
      await proxy.open(address())
    },
    async stop() {
      await proxy.shut()
      await service.child.stop()
    },
  }
}

/** Creates sessions at a fixed rate, whether or not the earlier calls have been answered; returns the ids. */
async function createSteadily(merchant: Merchant, seconds: number, tally: Tally): Promise<string[]> {
  const creating: Promise<{ checkout_id: string }>[] = []
  for (let n = 0; n < seconds * creationsPerSecond; n++) {
    creating.push(create(merchant, tally))
    await pause(1_000 / creationsPerSecond)
  }
  return (await Promise.all(creating)).map(({ checkout_id }) => checkout_id)
}

const allStarted = async (deployment: Deployment) => (await deployment.sql('select from outbox')).length === 0

/** Sessions that were answered with 201 and do not exist. */
async function lost(deployment: Deployment, ids: string[]): Promise<string[]> {
  const rows = await deployment.sql<{ id: string }>('select id from checkouts')
  const there = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !there.has(id)).map((id) => `${id} is lost`)
}
