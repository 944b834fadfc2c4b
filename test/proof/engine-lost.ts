import { startWaiting } from '../support/under-way.ts'
import { askedOfRails, nothingLost } from './backup.ts'
import { finishAll, makeBusy, makeUnsent, neverSent, restore, startDeployment } from './disaster.ts'
import type { Scenario } from './scenario.ts'
import { until } from '../support/until.ts'

/** `size` is the number of sales; half as many payouts and refunds run beside them. */
export const engineLost: Scenario = {
  promise: 'after the engine’s data is lost under load, the restore command lets all end, and nothing happens twice',
  size: 300,
  async run(size) {
    const cluster = await startDeployment(size)
    try {
      const waiting = await startWaiting(cluster)
      const busy = await makeBusy(cluster, size)
      await until(() => busy.begun() > size / 2, 'half of the sales have begun', { withinMs: 300_000 })
      const unsent = await makeUnsent(cluster)
      await cluster.engine.lose()
      await cluster.startWorkers()
      const { violations, begun } = await restore(cluster, ['engine'])
      violations.push(...(await neverSent(cluster, unsent)), ...(await busy.done))
      const end = await finishAll(cluster, [waiting])
      const [events] = await cluster.sql<{ count: string }>('select count(*) from events')
      const asked = { 'begun anew': begun, ...(await askedOfRails(cluster, nothingLost)) }
      const figures = { sales: size, events: events?.count ?? '', restMs: end.restMs, ...asked }
      return { figures, violations: [...violations, ...end.violations] }
    } finally {
      await cluster.stop()
    }
  },
}
