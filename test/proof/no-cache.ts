import { WorkflowNotFoundError } from '@temporalio/client'
import { startReceiver } from '../support/receiver.ts'
import { findUnreplayable } from '../support/replay.ts'
import { startStack } from '../support/stack.ts'
import { until as soon } from '../support/until.ts'
import { makeSale, newTally, runMany } from './buyers.ts'
import { liveWithoutCache } from './lives-without-cache.ts'
import type { Scenario } from './scenario.ts'

/** `size` is the number of sales, of every kind. At full size all scripted lives follow, else some of each process. */
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
      const isOver = async () => (await stack.sql(`select id from checkouts where status = 'open'`)).length === 0
      await soon(isOver, 'each sale has ended, also that of the last transfer')
      await stack.dispatched()
      const waiting = `select id from deliveries where status = 'pending' and attempt_count = 0`
      await soon(async () => (await stack.sql(waiting)).length === 0, 'each delivery was tried')
      // A delivery that has ended at its first attempt may have no process.
      const rows = await stack.sql<{ id: string; atOnce: boolean }>(
        `select 'checkout/' || id as id, false as "atOnce" from checkouts
         union all select 'delivery/' || id, status = 'succeeded' and attempt_count = 1 from deliveries`,
      )
      const violations = [...tally.errors]
      let [processes, tasks] = [0, 0]
      for (const { id, atOnce } of rows) {
        const handle = stack.client.workflow.getHandle(id)
        const isFound = await handle.describe().then(
          () => true,
          (error: unknown) => {
            if (error instanceof WorkflowNotFoundError && atOnce) return false
            throw error
          },
        )
        if (!isFound) continue
        const { events } = await handle.fetchHistory()
        processes += 1
        const failed = events?.filter((event) => event.workflowTaskFailedEventAttributes) ?? []
        tasks += events?.filter((event) => event.workflowTaskCompletedEventAttributes).length ?? 0
        violations.push(...failed.map((event) => `${id}: ${event.workflowTaskFailedEventAttributes?.failure?.message}`))
      }
      if (tasks <= processes) violations.push('no process was ever replayed')
      violations.push(...(await findUnreplayable(stack)), ...(await stack.check()))
      const others = await liveWithoutCache({ all: size >= noCache.size })
      return {
        figures: { sales: size, processes, tasks, ...others.figures },
        violations: [...violations, ...others.violations],
      }
    } finally {
      await stack.stop()
      await receiver.close()
    }
  },
}
