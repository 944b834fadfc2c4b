import { endWaiting, startWaiting } from '../support/under-way.ts'
import { comeToAnEnd, makeBusy, restore, type Ruin, startDeployment } from './disaster.ts'
import type { Scenario } from './scenario.ts'
import { until } from './until.ts'

/**
 * `size` is the number of sales. The engine is backed up in the middle of them and put back after their end: it then
 * knows processes that have ended, waits for what was decided long ago, and has never heard of what came later.
 */
export const engineOlder: Scenario = {
  promise: 'the engine is put back to an earlier moment: after the restore command all comes to its end, nothing twice',
  size: 300,
  async run(size) {
    const ruin = await startDeployment()
    try {
      const [untouched, ended, decided] = [await startWaiting(ruin), await startWaiting(ruin), await startWaiting(ruin)]
      const busy = await makeBusy(ruin, size)
      await until(() => busy.begun() > size / 2, 'half of the sales have begun', { withinMs: 300_000 })
      await ruin.engine.backUp()
      const violations = await busy.done
      await endWaiting(ruin, await ruin.logIn(), ended)
      await approve(ruin, decided.processes.heldPayout.replace('payout/', ''))
      const later = await startWaiting(ruin)
      await ruin.engine.putBack()
      violations.push(...(await restore(ruin, ['engine', '--older'])))
      const again = await makeBusy(ruin, 4)
      violations.push(...(await again.done))
      const end = await comeToAnEnd(ruin, [untouched, decided, later])
      const [events] = await ruin.sql<{ count: string }>('select count(*) from events')
      const figures = { sales: size, events: events?.count ?? '', restMs: end.restMs }
      return { figures, violations: [...violations, ...end.violations] }
    } finally {
      await ruin.stop()
    }
  },
}

/** The engine that is put back still waits for this decision, and the rail does not answer by itself. */
async function approve({ logIn, merchant }: Ruin, id: string): Promise<void> {
  const staff = await logIn()
  await staff.onPayout(id, 'review', { decision: 'approve' })
  const isSent = async () => (await merchant.getPayout(id)).status === 'processing'
  await until(isSent, `${id} is with its rail`)
}
