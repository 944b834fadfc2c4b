import { setTimeout as sleep } from 'node:timers/promises'
import { absolute, type Figure } from '../figure.ts'
import { createCaller } from '../load.ts'
import type { Testbed } from '../testbed.ts'
import { createCheckout } from './checkout.ts'

const MEMBERS = 1_000
const IN_FLIGHT = 32

/** A test clock with a thousand open sessions, advanced by a month: each of them expires at a moment of its own. */
export async function measureClock({ shop, untilQuiet }: Testbed): Promise<Figure[]> {
  const caller = createCaller(shop.url, IN_FLIGHT)
  const post = async <T>(path: string, body: object): Promise<T> => {
    const headers = { authorization: `Bearer ${shop.apiKey}` }
    return JSON.parse(await caller.call({ method: 'POST', path, headers, body })) as T
  }
  const ids: string[] = []
  const create = async () => {
    while (ids.length < MEMBERS) ids.push((await createCheckout(caller, shop)).checkout_id)
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, create))
  await untilQuiet()
  const clocks = '/v1/test-helpers/clocks'
  const { clock_id } = await post<{ clock_id: string }>(clocks, { name: 'Bench' })
  await post(`${clocks}/${clock_id}/attach`, { checkout_id: ids.slice(0, MEMBERS) })
  const begun = performance.now()
  await post(`${clocks}/${clock_id}/advance`, { by: 'P1M' })
  const em = shop.database.orm.em
  const isAdvancing = 'select 1 from test_clocks where id = ? and target is not null'
  while ((await em.fork().execute(isAdvancing, [clock_id])).length > 0) await sleep(50)
  const seconds = (performance.now() - begun) / 1_000
  await caller.close()
  const row = `clock, ${MEMBERS.toLocaleString('en')} members by a month`
  return [absolute({ row, measure: 'time', unit: 's', bar: 120, goal: 60, better: 'lower' }, seconds)]
}
