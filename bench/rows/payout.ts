import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { compared, type Figure } from '../figure.ts'
import { runThreeSteps } from '../floor/engine.ts'
import { type Caller, createCaller, rounds, sustain } from '../load.ts'
import type { Shop, Testbed } from '../testbed.ts'

const ROUNDS = 2
const IN_FLIGHT = 50
const TIMES = { warmMs: 4_000, countMs: 8_000 }
const account = { type: 'bank_account', currency: 'NGN', bank_code: '058', account_number: '0123450001' }
const sale = { amount: '90000000.00', currency: 'NGN', description: 'Funds', success_url: 'https://example.com/' }
const transfer = { payment_method: 'NGN_BANK_TRANSFER', customer_details: { email: 'ada@example.com' } }

type Query = (sql: string) => Promise<unknown[]>

/** Makes an available balance in naira, and a destination that the sandbox has approved. Returns the destination. */
export async function preparePayouts(caller: Caller, apiKey: string, query: Query): Promise<string> {
  const post = async <T>(path: string, body: object, secret = apiKey): Promise<T> => {
    const headers = { authorization: `Bearer ${secret}` }
    return JSON.parse(await caller.call({ method: 'POST', path, headers, body })) as T
  }
  const session = await post<{ checkout_id: string; client_secret: string }>('/v1/checkout-sessions', sale)
  const payPath = `/v1/checkout-sessions/${session.checkout_id}/pay`
  const { payment_id } = await post<{ payment_id: string }>(payPath, transfer, session.client_secret)
  await post(`/v1/test-helpers/payments/${payment_id}/deposit`, {})
  const { id } = await post<{ id: string }>('/v1/payouts/destinations', { name: 'Bench', ...account })
  const ready = `select 1 from payments p, payout_destinations d
    where p.id = '${payment_id}' and p.status = 'succeeded' and d.id = '${id}' and d.status = 'approved'`
  while ((await query(ready)).length === 0) await sleep(100)
  return id
}

/** Requests a payout to a destination; returns its id. */
export async function requestPayout(caller: Caller, apiKey: string, destination: string): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}`, 'idempotency-key': randomUUID() }
  const body = { destination, amount: '100.00' }
  const answer = await caller.call({ method: 'POST', path: '/v1/payouts', headers, body })
  return (JSON.parse(answer) as { id: string }).id
}

/** Reports the end of each payout. Every 25 ms it reads all payouts with one query. */
function watchEnds({ database }: Shop) {
  const waiting = new Map<string, () => void>()
  let isOpen = true
  const ended = `select id, status from payouts where id = any(?) and status in ('completed', 'failed', 'rejected')`
  const watching = (async () => {
    while (isOpen) {
      await sleep(25)
      if (waiting.size === 0) continue
      const ids = `{${[...waiting.keys()].join(',')}}`
      for (const { id, status } of await database.orm.em
        .fork()
        .execute<{ id: string; status: string }[]>(ended, [ids])) {
        if (status !== 'completed') throw new Error(`the payout ${id} is ${status}`)
        waiting.get(id)?.()
        waiting.delete(id)
      }
    }
  })()
  return {
    completed: (id: string) => Promise.race([new Promise<void>((resolve) => waiting.set(id, resolve)), watching]),
    close: async () => {
      isOpen = false
      await watching
    },
  }
}

/** Payouts, from the accepted call to the commit that completes them. No endpoint receives their events. */
export async function measurePayout(testbed: Testbed): Promise<Figure[]> {
  const { shop, client } = testbed
  const caller = createCaller(shop.url, IN_FLIGHT)
  const query = (sql: string) => shop.database.orm.em.fork().execute<unknown[]>(sql)
  const destination = await preparePayouts(caller, shop.apiKey, query)
  const ends = watchEnds(shop)
  const payOut = async () => ends.completed(await requestPayout(caller, shop.apiKey, destination))
  const pairs = await rounds(
    ROUNDS,
    () => sustain(IN_FLIGHT, TIMES, () => runThreeSteps(client)),
    async () => {
      const perSecond = await sustain(IN_FLIGHT, TIMES, payOut)
      await testbed.untilQuiet()
      return perSecond
    },
  )
  await ends.close()
  await caller.close()
  const row = `payout accepted → completed, ${IN_FLIGHT} in flight`
  return [compared({ row, measure: 'throughput', unit: '/s', bar: 0.6, goal: 0.9, better: 'higher' }, pairs)]
}
