import { endWaiting, startWaiting } from '../support/under-way.ts'
import { finishAll, makeBusy, restore, type Cluster, startDeployment } from './disaster.ts'
import type { Scenario } from './scenario.ts'
import { until } from '../support/until.ts'

/**
 * `size` is the number of sales. The engine is backed up in the middle of them and restored after their end: then it
 * runs processes that have ended, waits for decisions that were made long ago, and lacks all later processes.
 */
export const engineOlder: Scenario = {
  promise: 'with the engine set back to an earlier moment, the restore command lets all end, and nothing happens twice',
  size: 300,
  async run(size) {
    const cluster = await startDeployment(size)
    try {
      const [untouched, ended, decided] = [
        await startWaiting(cluster),
        await startWaiting(cluster),
        await startWaiting(cluster),
      ]
      const busy = await makeBusy(cluster, size)
      await until(() => busy.begun() > size / 2, 'half of the sales have begun', { withinMs: 300_000 })
      await cluster.engine.backUp()
      const violations = await busy.done
      await endWaiting(cluster, await cluster.logIn(), ended)
      await approve(cluster, decided.processes.heldPayout.replace('payout/', ''))
      const later = await startWaiting(cluster)
      await cluster.engine.putBack()
      violations.push(...(await restore(cluster, ['engine', '--older'])).violations)
      const again = await makeBusy(cluster, 4)
      violations.push(...(await again.done))
      const end = await finishAll(cluster, [untouched, decided, later])
      const [events] = await cluster.sql<{ count: string }>('select count(*) from events')
      const figures = { sales: size, events: events?.count ?? '', restMs: end.restMs }
      return { figures, violations: [...violations, ...end.violations] }
    } finally {
      await cluster.stop()
    }
  },
}

/** Approves a payout. The restored engine still waits for this decision, and the rail does not answer by itself. */
async function approve({ logIn, merchant }: Cluster, id: string): Promise<void> {
  const staff = await logIn()
  await staff.onPayout(id, 'review', { decision: 'approve' })
  const isSent = async () => (await merchant.getPayout(id)).status === 'processing'
  await until(isSent, `${id} is with its rail`)
}
