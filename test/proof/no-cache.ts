import { startReceiver } from '../support/receiver.ts'
import { findUnreplayable } from '../support/replay.ts'
import { startStack } from '../support/stack.ts'
import { until as soon } from '../support/until.ts'
import { makeSale, newTally, runMany } from './buyers.ts'
import type { Scenario } from './scenario.ts'

/** `size` is the number of sales, of every kind. */
export const noCache: Scenario = {
  promise: 'without a cache each task replays its process from the start, and every step is as it was the first time',
  size: 20,
  async run(size) {
    const stack = await startStack({ maxCachedWorkflows: 0 })
    const receiver = await startReceiver([500]) // so one delivery has a second attempt ahead
    try {
      await stack.merchant.setWebhook(receiver.url)
      const tally = newTally()
      await runMany(size, 4, async (n) => void (await makeSale(stack.merchant, n, tally)))
      await stack.dispatched()
      const waiting = `select id from deliveries where status = 'pending' and attempt_count = 0`
      await soon(async () => (await stack.sql(waiting)).length === 0, 'each delivery was tried')
      const ids = await stack.sql<{ id: string }>(
        `select 'checkout/' || id as id from checkouts union all select 'delivery/' || id from deliveries`,
      )
      const violations = [...tally.errors]
      let tasks = 0
      for (const { id } of ids) {
        const { events } = await stack.client.workflow.getHandle(id).fetchHistory()
        const failed = events?.filter((event) => event.workflowTaskFailedEventAttributes) ?? []
        tasks += events?.filter((event) => event.workflowTaskCompletedEventAttributes).length ?? 0
        violations.push(...failed.map((event) => `${id}: ${event.workflowTaskFailedEventAttributes?.failure?.message}`))
      }
      if (tasks <= ids.length) violations.push('no process was ever replayed')
      return {
        figures: { sales: size, processes: ids.length, tasks },
        violations: [...violations, ...(await findUnreplayable(stack)), ...(await stack.check())],
      }
    } finally {
      await stack.stop()
      await receiver.close()
    }
  },
}
