import { setTimeout as pause } from 'node:timers/promises'
import { Account } from '../../db/core/account.ts'
import { inTransaction } from '../../db/core/database.ts'
import { newId } from '../../domain/id.ts'
import { NODE_FLAGS, NODE_VARIABLES } from '../../scripts/infra/node.ts'
import { deploy, type Deployment } from './deployment.ts'
import { addEndpoint, commitEvents, newSecret } from './endpoints.ts'
import { type ReceivedEvent, startListener } from './listener.ts'
import { waitUntilIdle, failedProcesses } from './rest.ts'
import { type Scenario, tooSlow } from './scenario.ts'
import { percentile } from './pace.ts'
import { until } from '../support/until.ts'

const quietEveryMs = 250
const p95MaxMs = 2_000
/** The share of the backlog that may overtake the quiet merchant's delivery; in order of arrival all of it would. */
const shareMax = 0.4

/** `size` is the number of deliveries in one merchant's backlog, while another has one now and then. */
export const noisyNeighbour: Scenario = {
  promise: 'while one merchant has a backlog of deliveries, another one still gets its events at once',
  size: 10_000,
  async run(size) {
    const deployment = await deploy({ env: NODE_VARIABLES })
    const noisy = await addMerchant(deployment)
    const quiet = await addMerchant(deployment)
    try {
      await commitEvents(deployment, noisy.accountId, size)
      const startWorker = () => deployment.startWorker([...NODE_FLAGS, 'engine/worker.ts'])
      await Promise.all([startWorker(), startWorker()]) // one alone would deliver much of it before the other is there
      await until(() => noisy.received.size >= size / 20, 'the backlog is being delivered', { withinMs: 120_000 })
      const committed: { at: number; noisyBefore: number }[] = []
      // Stop while enough of the backlog is left to tell whether it overtakes these events.
      while (noisy.received.size < size * (1 - shareMax) - 50) {
        committed.push({ at: performance.now(), noisyBefore: noisy.received.size })
        await commitEvents(deployment, quiet.accountId, 1)
        await pause(quietEveryMs)
      }
      const beforeLast = noisy.received.size
      await until(() => quiet.received.size >= committed.length, 'the other merchant has received all its events', {
        withinMs: 900_000,
      })
      const { restMs, violations } = await waitUntilIdle(deployment, 900_000)
      const arrived = [...quiet.received.values()].toSorted((left, right) => left.at - right.at)
      const delays = committed.map(({ at }, n) => (arrived[n]?.at ?? Infinity) - at)
      const overtaken = committed.map(({ noisyBefore }, n) => noisy.countBefore(arrived[n]?.at ?? 0) - noisyBefore)
      const share = percentile(overtaken, 0.5) / size
      if (committed.length === 0) violations.push('the backlog was gone before the other merchant had an event')
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

/** A merchant with its own endpoint, and the events that it has received, each with its first arrival. */
async function addMerchant(deployment: Deployment) {
  const received = new Map<string, { at: number }>()
  const receive = ({ id }: ReceivedEvent) => void (received.has(id) || received.set(id, { at: performance.now() }))
  const { url, close } = await startListener(receive)
  const now = Date.now()
  const accountId = newId('acct', now)
  await inTransaction(deployment.database, async (em) => {
    em.create(Account, { id: accountId, name: 'A merchant', createdAt: new Date(now) })
  })
  await addEndpoint(deployment, url, newSecret(), accountId)
  const countBefore = (moment: number) => [...received.values()].filter(({ at }) => at < moment).length
  return { accountId, received, countBefore, close }
}
