// A worker process with shorter pauses between webhook attempts, and a shorter time-out for each attempt:
// `node test/proof/hurried-worker.ts <times> <timeoutMs> [<cached>]`. The rows are as a real worker writes them. With
// `cached` it keeps at most that many processes in its cache.
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

/** When an attempt ended, in ms since the epoch; read from its row, so that a repeated step gets the same time. */
async function endOf({ orm }: Database, deliveryId: string, attempt: number): Promise<number> {
  const [row] = await orm.em.fork().execute<{ ended: string }[]>(
    `select extract(epoch from at) * 1000 + duration_ms as ended from delivery_attempts
       where delivery_id = ? and number = ?`,
    [deliveryId, attempt],
  )
  return Number(row?.ended)
}
