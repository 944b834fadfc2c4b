import { type Database, openDatabase } from '../db/database.ts'

/** Of a worker's connections, how many the steps of webhooks have: there are many at a time, and none may wait long. */
const webhooksShare = 0.4

/** The two pools of a worker process, together of `max` connections: a hundred webhooks take none from a sale. */
export type Pools = { main: Database; webhooks: Database; close(): Promise<void> }

/** Opens both pools. With `max` of 1 there are two connections all the same. */
export async function openPools(url: string, max: number): Promise<Pools> {
  const webhooksMax = Math.max(1, Math.floor(max * webhooksShare))
  const main = await openDatabase(url, Math.max(1, max - webhooksMax))
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
