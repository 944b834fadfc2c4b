import type { Database } from '../db/core/database.ts'
import { openDatabase } from '../db/open-database.ts'

/** Of a worker's connections, how many the steps of webhooks have: there are many at a time, and none may wait long. */
const webhooksShare = 0.4

/** The two pools of a worker process, together of `max` connections: a hundred webhooks take none from a sale. */
export type Pools = { main: Database; webhooks: Database; close(): Promise<void> }

/** Opens both pools; `max` is 2 at least. */
export async function openPools(url: string, max: number): Promise<Pools> {
  const webhooksMax = Math.max(1, Math.floor(max * webhooksShare))
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
