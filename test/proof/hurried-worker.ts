// A worker process for which the pauses between webhook attempts pass sooner, and the clock over one attempt runs
// shorter: `node test/proof/hurried-worker.ts <times> <timeoutMs> [<cached>]`. The rows keep what a real worker writes.
// With `cached` it keeps no more processes than that.
import { createActivities } from '../../activities/index.ts'
import { createWebhookHttp } from '../../activities/webhook/http.ts'
import type { Database } from '../../db/core/database.ts'
import { runWorker } from './run-worker.ts'

const [times = 1, timeoutMs = 10_000, cached] = process.argv.slice(2).map(Number)

await runWorker((deps) => {
  const hurried = { ...deps, webhooks: createWebhookHttp({ allowLoopback: true, timeoutMs }) }
  const { main, webhooks } = createActivities(hurried)
  const activities = { main, webhooks: { ...webhooks, attemptDelivery: hurry(webhooks, deps) } }
  return { deps: hurried, activities, ...(cached !== undefined && { maxCachedWorkflows: cached }) }
})

type Steps = Pick<ReturnType<typeof createActivities>['webhooks'], 'attemptDelivery'>

function hurry({ attemptDelivery }: Steps, { database }: { database: Database }): Steps['attemptDelivery'] {
  return async (deliveryId, ...rest) => {
    const progress = await attemptDelivery(deliveryId, ...rest)
    const { nextAttemptAt, attempts } = progress
    if (nextAttemptAt === null || attempts === 0) return progress
    const failedAt = await endOf(database, deliveryId, attempts)
    return { ...progress, nextAttemptAt: Math.round(failedAt + (nextAttemptAt - failedAt) / times) }
  }
}

/** When an attempt ended, in ms since the epoch. From its row, so that a worker who asks again hears the same. */
async function endOf({ orm }: Database, deliveryId: string, attempt: number): Promise<number> {
  const [row] = await orm.em.fork().execute<{ ended: string }[]>(
    `select extract(epoch from at) * 1000 + duration_ms as ended from delivery_attempts
       where delivery_id = ? and number = ?`,
    [deliveryId, attempt],
  )
  return Number(row?.ended)
}
