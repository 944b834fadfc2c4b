import { setTimeout as pause } from 'node:timers/promises'
import { startReceiver } from '../support/receiver.ts'
import { kindOf, makeSale, newTally, runMany } from './buyers.ts'
import { deploy, type Deployment } from './deployment.ts'
import { waitUntilIdle, findDuplicates } from './rest.ts'
import { type Scenario, tooSlow } from './scenario.ts'
import { percentile } from './pace.ts'

const salesPerKill = 10
const restWithinMs = 120_000

/** `size` is the number of sales. They come in waves of ten, and each wave loses its worker within half a second. */
export const killedWorker: Scenario = {
  promise: 'while workers are killed again and again, each sale ends once, is paid once and has its events delivered',
  size: 200,
  async run(size) {
    const deployment = await deploy()
    const receiver = await startReceiver()
    try {
      const { merchant } = await deployment.startApi()
      await merchant.setWebhook(receiver.url)
      const kills = Math.ceil(size / salesPerKill)
      const tally = newTally()
      const startedAt = performance.now()
      const ids: string[] = []
      const buying: Promise<void>[] = []
      for (let n = 0; n < size; n += salesPerKill) {
        const worker = await deployment.startWorker()
        const wave = Math.min(salesPerKill, size - n)
        const sold = runMany(wave, wave, async (nth) => void (ids[n + nth] = await makeSale(merchant, n + nth, tally)))
        sold.catch(() => undefined) // heard below: until then it must not end the process, with all other proofs
        buying.push(sold)
        await pause(Math.random() * 600) // somewhere in the middle of the sales
        await worker.kill()
      }
      const lastKillAt = performance.now()
      await deployment.startWorker()
      await Promise.all(buying)
      const { restMs, violations } = await waitUntilIdle(deployment, restWithinMs)
      const cleanAfterLastKillMs = Math.round(performance.now() - lastKillAt)
      violations.push(...tally.errors, ...(await findWrongEnds(deployment, ids)))
      violations.push(...(await findDuplicates(deployment, receiver)))
      const figures = {
        sales: size,
        kills,
        repeatedCalls: tally.repeats,
        received: receiver.received.length,
        slowestCallMs: percentile([...tally.durationsMs, ...tally.refusalsMs], 1),
        cleanAfterLastKillMs,
        restMs,
        totalSeconds: Math.round((performance.now() - startedAt) / 1000),
      }
      violations.push(...tooSlow(killedWorker, size, [['coming to rest', figures.cleanAfterLastKillMs, restWithinMs]]))
      return { figures, violations }
    } finally {
      await receiver.close()
      await deployment.stop()
    }
  },
}

/** Sessions with another end than their buyer caused. */
async function findWrongEnds(deployment: Deployment, ids: string[]): Promise<string[]> {
  const rows = await deployment.sql<{ id: string; status: string }>('select id, status from checkouts')
  const found = new Map(rows.map(({ id, status }) => [id, status]))
  const wrong = ids.flatMap((id, n) => {
    const expected = kindOf(n) === 'cancelled' ? 'cancelled' : 'completed'
    return found.get(id) === expected ? [] : [`${id} (${kindOf(n)}) is ${found.get(id)}`]
  })
  return rows.length === ids.length ? wrong : [...wrong, `${rows.length} sessions for ${ids.length} sales`]
}
