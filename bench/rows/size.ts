import { readFileSync } from 'node:fs'
import { type Caller, createCaller, load, rounds, type Sample } from '../load.ts'
import { type Figure, median } from '../figure.ts'
import type { Shop, Testbed } from '../testbed.ts'
import { createCheckout, read } from './checkout.ts'

const ROUNDS = 3
export const SMALL = 1_000
const fill = readFileSync(new URL('./fill.sql', import.meta.url), 'utf8')

export type Kind = {
  row: string
  inFlight: number
  calls: number
  call: (caller: Caller, shop: Shop) => Promise<unknown>
}

const readOne = (caller: Caller, shop: Shop) => read(caller, shop, `/v1/checkout-sessions/chk_${'0'.repeat(31)}500`)

const few = { inFlight: 4, calls: 100 }
const customer = `cust_${'0'.repeat(32)}50`

export const get = (path: string, { inFlight, calls } = few): Kind => ({
  row: `GET ${path.replace(customer, '')}`,
  inFlight,
  calls,
  call: (caller, shop) => read(caller, shop, path),
})

/** A page from the middle of a list, by its cursor. */
const deep = (path: string): Kind => {
  const cursors = new Map<Shop, Promise<string>>()
  return {
    row: `GET ${path}, a page from the middle`,
    ...few,
    async call(caller, shop) {
      const cursor = cursors.get(shop) ?? middleOf(caller, shop, path)
      cursors.set(shop, cursor)
      await read(caller, shop, `${path}?cursor=${await cursor}`)
    },
  }
}

async function middleOf(caller: Caller, { apiKey }: Shop, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}` }
  const page = async (query: string) => {
    const text = await caller.call({ path: `${path}?limit=1&${query}`, headers })
    return (JSON.parse(text) as { pagination: { total: number; next_cursor: string } }).pagination
  }
  const { total } = await page('')
  return (await page(`offset=${total >> 1}`)).next_cursor
}

const kinds: Kind[] = [
  { row: 'POST /v1/checkout-sessions', inFlight: 32, calls: 200, call: createCheckout },
  { row: 'GET /v1/checkout-sessions/{id}', inFlight: 32, calls: 1_000, call: readOne },
  get('/v1/checkout-sessions'),
  get('/v1/checkout-sessions?reference=order-500', { inFlight: 4, calls: 300 }),
  get('/v1/payments'),
  get('/v1/payments?reference=order-500', { inFlight: 4, calls: 300 }),
  get(`/v1/payments?customer_id=${customer}`, { inFlight: 4, calls: 300 }),
  get('/v1/payments?status=succeeded'),
  get('/v1/payments?status=failed'),
  deep('/v1/payments'),
  get('/v1/customers'),
  get('/v1/customers?search=zara-'),
  get('/v1/customers?search=xu'),
  get('/v1/balances'),
  get('/v1/balances/transactions'),
  get('/v1/balances/transactions?type=payment'),
  deep('/v1/balances/transactions'),
]

/** Runs a file of statements, in which `:name` stands for the value of that name. */
export async function fillShop({ database }: Shop, text: string, values: Record<string, number>): Promise<void> {
  const em = database.orm.em.fork()
  const filled = Object.entries(values).reduce((all, [name, value]) => all.replaceAll(`:${name}`, String(value)), text)
  for (const statement of filled.split(';')) if (statement.trim() !== '') await em.execute(statement)
}

/** The same calls in a shop with few rows and in one with many. No worker runs, so no process starts. */
export async function measureSize(testbed: Testbed): Promise<Figure[]> {
  const small = await testbed.openShop('small', 'bench-idle')
  const large = await testbed.openShop('large', 'bench-idle')
  // A tenth as many customers as payments.
  await Promise.all([fillShop(small, fill, { payments: SMALL }), fillShop(large, fill, { payments: testbed.size })])
  return compare(testbed, { small, large }, kinds)
}

type Shops = { small: Shop; large: Shop }

/** The figures of calls in two shops: how much longer each takes in the large one. */
export async function compare(testbed: Testbed, { small, large }: Shops, calls: Kind[]): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { row, inFlight, calls: often, call } of calls) {
    const at = async (shop: Shop, count = often): Promise<Sample> => {
      const caller = createCaller(shop.url, inFlight)
      const sample = await load(inFlight, count, async () => void (await call(caller, shop)))
      await caller.close()
      await shop.database.orm.em.fork().execute('delete from outbox') // no worker starts these processes
      return sample
    }
    for (const shop of [small, large]) await at(shop, often / 2)
    const measured = await rounds(
      ROUNDS,
      () => at(small),
      () => at(large),
    )
    figures.push({
      row: `${row}, ${testbed.size.toLocaleString('en')} rows by ${SMALL.toLocaleString('en')}`,
      measure: 'time per call',
      unit: 'ms',
      bar: 1.3,
      goal: 1.1,
      better: 'lower',
      ours: median(measured.map(({ ours }) => 1000 / ours.perSecond)),
      floor: median(measured.map(({ floor }) => 1000 / floor.perSecond)),
      ratio: median(measured.map(({ floor, ours }) => floor.perSecond / ours.perSecond)),
    })
  }
  return figures
}
