import type { Database } from '../db/core/database.ts'
import { type Queue, queues as allQueues } from '../domain/process-contract.ts'
import { openDatabase } from '../db/open-database.ts'

/**
 * The share of a worker's connections for webhook activities, which are many at a time and must not wait long. The
 * relay needs the others also where no other activities run.
 */
const webhooksShare = (queues: readonly Queue[]) =>
  queues.includes('webhooks') ? (queues.includes('main') ? 0.4 : 0.6) : 0

/** The two pools of a worker process, `max` connections together. Webhooks cannot use the connections of sales. */
export type Pools = { main: Database; webhooks: Database; close(): Promise<void> }

/** Opens both pools for a worker of these queues; `max` is at least 2. */
export async function openPools(url: string, max: number, queues: readonly Queue[] = allQueues): Promise<Pools> {
  const webhooksMax = Math.max(1, Math.floor(max * webhooksShare(queues)))
  const main = await openDatabase(url, max - webhooksMax)
  const webhooks = await openDatabase(url, webhooksMax)
  return {
    main,
    webhooks,
    async close() {
      await main.orm.close()
      await webhooks.orm.close()
    },
  }
}
