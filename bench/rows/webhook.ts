import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '../../db/core/database.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { compared, type Figure } from '../figure.ts'
import { runOneStep } from '../floor/engine.ts'
import { createCaller, load, rounds } from '../load.ts'
import type { Shop, Testbed } from '../testbed.ts'
import { setWebhook, startReceiver } from './sale.ts'

const ROUNDS = 2
const EVENTS = 1_000
const EVENTS_A_COMMIT = 2 // as a sale has
const IN_FLIGHT = 50

/** Commits events whose deliveries wait until they are released. */
async function commitEvents({ database }: Shop, events: number): Promise<void> {
  const [account] = await database.orm.em.fork().execute<{ id: string }[]>('select id from accounts')
  const owner = { accountId: account?.id ?? '', environment: 'sandbox' } as const
  for (let made = 0; made < events; made += EVENTS_A_COMMIT) {
    await inTransaction(database, async (em) => {
      for (let index = 0; index < EVENTS_A_COMMIT; index++) {
        const data = { checkout_id: null, amount: '25.00', currency: 'USD' }
        const happening = {
          type: 'collection.succeeded',
          resourceId: `bench-${made + index}`,
          data,
        } as const
        await recordEvent(em, owner, happening, Date.now())
      }
      await em.flush()
      await em.execute(
        `update outbox set retry_at = now() + interval '1 hour' where retry_at < now() + interval '1 minute'`,
      )
    })
  }
}

/**
 * Webhooks to a fast receiver. `deliver` returns the deliveries a second, from their release until the last one has
 * arrived.
 */
export async function openDeliveries({ shop }: Pick<Testbed, 'shop'>) {
  let arrived = 0
  const receiver = await startReceiver(() => void (arrived += 1))
  const caller = createCaller(shop.url, 1)
  await setWebhook(caller, shop, receiver.url)
  return {
    prepare: () => commitEvents(shop, EVENTS),
    async deliver(): Promise<number> {
      arrived = 0
      const startedAt = performance.now()
      await shop.database.orm.em.fork().execute('update outbox set retry_at = now()')
      while (arrived < EVENTS) await sleep(5)
      return (EVENTS * 1000) / (performance.now() - startedAt)
    },
    async close() {
      await setWebhook(caller, shop, null)
      await caller.close()
      receiver.close()
    },
  }
}

export async function measureWebhooks(testbed: Testbed): Promise<Figure[]> {
  const { prepare, deliver, close } = await openDeliveries(testbed)
  const pairs = await rounds(
    ROUNDS,
    async () => (await load(IN_FLIGHT, EVENTS / 2, () => runOneStep(testbed.client))).perSecond,
    async () => {
      await prepare()
      const perSecond = await deliver()
      await testbed.untilQuiet()
      return perSecond
    },
  )
  await close()
  const row = 'webhook deliveries to a fast receiver'
  return [compared({ row, measure: 'throughput', unit: '/s', bar: 0.8, goal: 1.5, better: 'higher' }, pairs)]
}
