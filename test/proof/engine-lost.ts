import { startWaiting } from '../support/under-way.ts'
import { comeToAnEnd, makeBusy, makeUnsent, neverSent, restore, startDeployment } from './disaster.ts'
import type { Scenario } from './scenario.ts'
import { until } from './until.ts'

/** `size` is the number of sales; half as many payouts and refunds go on beside them. */
export const engineLost: Scenario = {
  promise: 'the engine’s data is lost under load: after the restore command all comes to its end, and nothing twice',
  size: 300,
  async run(size) {
    const ruin = await startDeployment()
    try {
      const waiting = await startWaiting(ruin)
      const busy = await makeBusy(ruin, size)
      await until(() => busy.begun() > size / 2, 'half of the sales have begun', { withinMs: 300_000 })
      const unsent = await makeUnsent(ruin)
      await ruin.engine.lose()
      await ruin.startWorkers()
      const violations = await restore(ruin, ['engine'])
      violations.push(...(await neverSent(ruin, unsent)), ...(await busy.done))
      const end = await comeToAnEnd(ruin, [waiting])
      const [events] = await ruin.sql<{ count: string }>('select count(*) from events')
      const figures = { sales: size, events: events?.count ?? '', restMs: end.restMs }
      return { figures, violations: [...violations, ...end.violations] }
    } finally {
      await ruin.stop()
    }
  },
}
