import { Account } from '../../db/core/account.ts'
import { inTransaction } from '../../db/core/database.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { newId } from '../../domain/id.ts'
import { NODE_FLAGS, NODE_VARIABLES } from '../../scripts/infra/node.ts'
import { deploy, type Deployment } from './deployment.ts'
import { addEndpoint, newSecret } from './endpoints.ts'
import { type Heard, startListener } from './listener.ts'
import { comeToRest, failedProcesses } from './rest.ts'
import { type Scenario, tooSlow } from './scenario.ts'
import { pause, percentile, until } from './until.ts'

const eventsOfCommit = 50
const quietEveryMs = 250
const p95MaxMs = 2_000
/** Of the backlog, by which the quiet merchant's delivery may be overtaken; first come, first served takes it all. */
const shareMax = 0.4

/** `size` is the number of deliveries that one merchant is behind with, while another has one now and then. */
export const noisyNeighbour: Scenario = {
  promise: 'beside a merchant with a backlog of deliveries another one is told of its events at once',
  size: 10_000,
  async run(size) {
    const deployment = await deploy({ env: NODE_VARIABLES })
    const noisy = await addMerchant(deployment)
    const quiet = await addMerchant(deployment)
    try {
      await commitEvents(deployment, noisy.accountId, size)
      await deployment.startWorker([...NODE_FLAGS, 'engine/worker.ts'])
      await deployment.startWorker([...NODE_FLAGS, 'engine/worker.ts'])
      await until(() => noisy.heard.size >= size / 20, 'the backlog is being delivered', { withinMs: 120_000 })
      const committed: { at: number; noisyBefore: number }[] = []
      // Up to where a share of the backlog is left that tells being overtaken from being served at last.
      while (noisy.heard.size < size * (1 - shareMax) - 50) {
        committed.push({ at: performance.now(), noisyBefore: noisy.heard.size })
        await commitEvents(deployment, quiet.accountId, 1)
        await pause(quietEveryMs)
      }
      const beforeLast = noisy.heard.size
      await until(() => quiet.heard.size >= committed.length, 'the other merchant has heard of all', {
        withinMs: 900_000,
      })
      const { restMs, violations } = await comeToRest(deployment, 900_000)
      const arrived = [...quiet.heard.values()].toSorted((left, right) => left.at - right.at)
      const delays = committed.map(({ at }, n) => (arrived[n]?.at ?? Infinity) - at)
      const overtaken = committed.map(({ noisyBefore }, n) => noisy.countBefore(arrived[n]?.at ?? 0) - noisyBefore)
      const share = percentile(overtaken, 0.5) / size
      if (committed.length === 0) violations.push('the backlog was gone before anything came beside it')
      if (share > shareMax) violations.push(`${Math.round(share * 100)} % of the backlog went before an event`)
      const p95 = percentile(delays, 0.95)
      violations.push(...tooSlow(noisyNeighbour, size, [["the other merchant's p95", p95, p95MaxMs]]))
      violations.push(...(await failedProcesses(deployment)))
      const figures = {
        backlog: size,
        events: committed.length,
        p50Ms: percentile(delays, 0.5),
        p95Ms: p95,
        maxMs: percentile(delays, 1),
        overtakenP50: percentile(overtaken, 0.5),
        deliveredMeanwhile: beforeLast,
        restMs,
      }
      return { figures, violations }
    } finally {
      noisy.close()
      quiet.close()
      await deployment.stop()
    }
  },
}

/** A merchant with an endpoint of its own, and what that has heard, each event by its first arrival. */
async function addMerchant(deployment: Deployment) {
  const heard = new Map<string, { at: number }>()
  const hear = ({ id }: Heard) => void (heard.has(id) || heard.set(id, { at: performance.now() }))
  const { url, close } = await startListener(hear)
  const now = Date.now()
  const accountId = newId('acct', now)
  await inTransaction(deployment.database, async (em) => {
    em.create(Account, { id: accountId, name: 'A merchant', createdAt: new Date(now) })
  })
  await addEndpoint(deployment, url, newSecret(), accountId)
  const countBefore = (moment: number) => [...heard.values()].filter(({ at }) => at < moment).length
  return { accountId, heard, countBefore, close }
}

/** Commits events as the API does, which leaves their deliveries to the workers' sweeps. */
async function commitEvents({ database }: Deployment, accountId: string, count: number): Promise<void> {
  const owner = { accountId, environment: 'sandbox' } as const
  for (let left = count; left > 0; left -= eventsOfCommit) {
    await inTransaction(database, async (em) => {
      for (let n = 0; n < Math.min(left, eventsOfCommit); n++) {
        const data = { amount: '25.00', currency: 'USD' }
        await recordEvent(em, owner, { type: 'collection.succeeded', resourceId: `pay_${left}_${n}`, data }, Date.now())
      }
    })
  }
}
