import { readFileSync } from 'node:fs'
import { type Caller, createCaller, load, rounds, type Sample } from '../load.ts'
import { type Figure, median } from '../figure.ts'
import type { Shop, Stand } from '../stand.ts'
import { createCheckout, read } from './checkout.ts'

const ROUNDS = 3
const SMALL = 1_000
const fill = readFileSync(new URL('./fill.sql', import.meta.url), 'utf8')

type Kind = { row: string; inFlight: number; calls: number; call: (caller: Caller, shop: Shop) => Promise<unknown> }

const readOne = (caller: Caller, shop: Shop) => read(caller, shop, `/v1/checkout-sessions/chk_${'0'.repeat(31)}500`)

const kinds: Kind[] = [
  { row: 'POST /v1/checkout-sessions', inFlight: 32, calls: 200, call: createCheckout },
  { row: 'GET /v1/checkout-sessions/{id}', inFlight: 32, calls: 1_000, call: readOne },
  {
    row: 'GET /v1/checkout-sessions',
    inFlight: 4,
    calls: 100,
    call: (caller, shop) => read(caller, shop, '/v1/checkout-sessions'),
  },
  { row: 'GET /v1/payments', inFlight: 4, calls: 100, call: (caller, shop) => read(caller, shop, '/v1/payments') },
  {
    row: 'GET /v1/payments?reference=',
    inFlight: 4,
    calls: 300,
    call: (caller, shop) => read(caller, shop, '/v1/payments?reference=order-500'),
  },
]

/** One merchant's tables with so many payments; a tenth of them as many customers. */
async function fillShop({ database }: Shop, payments: number): Promise<void> {
  const em = database.orm.em.fork()
  for (const statement of fill.replaceAll(':payments', String(payments)).split(';')) {
    if (statement.trim() !== '') await em.execute(statement)
  }
}

/** The same calls in a shop with few rows and in one with many. No worker runs: no process starts. */
export async function measureSize(stand: Stand): Promise<Figure[]> {
  const small = await stand.openShop('small', 'bench-idle')
  const large = await stand.openShop('large', 'bench-idle')
  await Promise.all([fillShop(small, SMALL), fillShop(large, stand.size)])
  const figures: Figure[] = []
  for (const { row, inFlight, calls, call } of kinds) {
    const at = async (shop: Shop, count = calls): Promise<Sample> => {
      const caller = createCaller(shop.url, inFlight)
      const sample = await load(inFlight, count, async () => void (await call(caller, shop)))
      await caller.close()
      await shop.database.orm.em.fork().execute('delete from outbox') // nobody starts these processes
      return sample
    }
    for (const shop of [small, large]) await at(shop, calls / 2)
    const measured = await rounds(
      ROUNDS,
      () => at(small),
      () => at(large),
    )
    figures.push({
      row: `${row}, ${stand.size.toLocaleString('en')} rows by ${SMALL.toLocaleString('en')}`,
      ...{ measure: 'time per call', unit: 'ms', bar: 1.3, goal: 1.1, better: 'lower' },
      ours: median(measured.map(({ ours }) => 1000 / ours.perSecond)),
      floor: median(measured.map(({ floor }) => 1000 / floor.perSecond)),
      ratio: median(measured.map(({ floor, ours }) => floor.perSecond / ours.perSecond)),
    })
  }
  return figures
}
