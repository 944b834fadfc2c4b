import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { insertRequestLogs } from '../../db/core/request-log.ts'
import { newId } from '../../domain/id.ts'
import type { LoggedCall } from '../../domain/sight/logged-call.ts'
import { absolute, compared, type Figure } from '../figure.ts'
import { createCaller, load, rounds, type Sample } from '../load.ts'
import type { Shop, Testbed } from '../testbed.ts'
import { createCheckout, read } from './checkout.ts'

const ROUNDS = 5
/** All of them together stay below the 2,000 calls a minute that an account has in the log, so that each is written. */
const kinds = {
  'GET /v1/checkout-sessions': { inFlight: 8, calls: 200 },
  'POST /v1/checkout-sessions': { inFlight: 8, calls: 100 },
}
const ROWS = 20_000
const HELD = 10_000
const BATCH = 1_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** What the log of calls costs: a call with it beside one without it, and a row of it on disk and in memory. */
export async function measureRequestLog(testbed: Testbed): Promise<Figure[]> {
  const on = await testbed.openShop('with-log', 'bench-idle')
  const off = await testbed.openShop('without-log', 'bench-idle', ['--import', without])
  const figures = await measureCalls(on, off)
  return [...figures, ...(await measureRows(on, testbed.size))]
}

const without = new URL('../floor/without-request-log.ts', import.meta.url).href

async function measureCalls(on: Shop, off: Shop): Promise<Figure[]> {
  const figures: Figure[] = []
  let logged = 0
  for (const [row, { inFlight, calls }] of Object.entries(kinds)) {
    const at = async (shop: Shop, count = calls): Promise<Sample> => {
      const caller = createCaller(shop.url, inFlight)
      const isRead = row.startsWith('GET')
      const sample = await load(inFlight, count, async () => {
        await (isRead ? read(caller, shop, '/v1/checkout-sessions') : createCheckout(caller, shop))
      })
      await caller.close()
      await shop.database.orm.em.fork().execute('delete from outbox') // no worker starts these processes
      if (shop === on) logged += count
      return sample
    }
    for (const shop of [on, off]) await at(shop, calls / 2)
    const pairs = await rounds(
      ROUNDS,
      () => at(off),
      () => at(on),
    )
    const about = { row: `${row}, with the log of calls by without`, measure: 'throughput', unit: '/s' } as const
    figures.push(
      compared(
        { ...about, bar: 0.85, goal: 0.95, better: 'higher' },
        pairs.map(({ floor, ours }) => ({ floor: floor.perSecond, ours: ours.perSecond })),
      ),
    )
  }
  await assertLogged(on, logged)
  await assertLogged(off, 0)
  return figures
}

/** What is not in the log was not measured either. */
async function assertLogged({ database }: Shop, calls: number): Promise<void> {
  const count = async () => {
    const [row] = await database.orm.em
      .fork()
      .execute<{ count: string }[]>('select count(*) as count from request_logs')
    return Number(row?.count)
  }
  const until = performance.now() + 10_000
  while ((await count()) < calls && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 100))
  const found = await count()
  if (found !== calls) throw new Error(`the log has ${found} of ${calls} calls`)
}

async function measureRows({ database, url, apiKey }: Shop, size: number): Promise<Figure[]> {
  const em = database.orm.em.fork()
  await em.execute('truncate request_logs')
  const [key] = await em.execute<{ id: string; accountId: string }[]>(
    `select id, account_id as "accountId" from api_keys where environment = 'sandbox' limit 1`,
  )
  if (!key) throw new Error('the shop has no key')
  const bytes = async () => {
    const [row] = await em.execute<{ bytes: string }[]>(`select pg_total_relation_size('request_logs') as bytes`)
    return Number(row?.bytes)
  }
  const before = await bytes()
  const writing = performance.now()
  for (let from = 0; from < ROWS; from += BATCH) {
    await insertRequestLogs(
      em,
      Array.from({ length: BATCH }, (_, index) => callAt(key, from + index)),
    )
  }
  const writeMs = (performance.now() - writing) / ROWS
  const bytesOfRow = ((await bytes()) - before) / ROWS
  await fillUp(database, size)
  const caller = createCaller(url, 1)
  const path = '/v1/request-logs?path=/v1/nothing'
  const { medianMs } = await load(1, 9, async () => {
    await caller.call({ path, headers: { authorization: `Bearer ${apiKey}` } })
  })
  await caller.close()
  const row = 'a row of the log of calls'
  const lower = { better: 'lower' } as const
  return [
    absolute({ row, measure: 'on disk, with its indexes', unit: 'bytes', bar: 1_000, goal: 900, ...lower }, bytesOfRow),
    absolute({ row, measure: 'held in memory', unit: 'bytes', bar: 1_500, goal: 1_200, ...lower }, heldBytes(key)),
    absolute({ row, measure: 'to write, 1,000 at a time', unit: 'ms', bar: 0.5, goal: 0.1, ...lower }, writeMs),
    absolute(
      {
        row: `GET /v1/request-logs?path=…, none of ${size.toLocaleString('en')} calls`,
        measure: 'median latency',
        unit: 'ms',
        bar: 500,
        goal: 200,
        ...lower,
      },
      medianMs,
    ),
  ]
}

type Key = { id: string; accountId: string }

/** A call as a server of a merchant makes it: mostly it reads or creates one resource, and one in twenty is refused. */
function callAt({ id, accountId }: Key, index: number): LoggedCall {
  const at = Date.now() - index
  const isRead = index % 3 !== 0
  const isRefused = index % 20 === 0
  return {
    id: newId('req', at),
    accountId,
    environment: 'sandbox',
    requestId: randomUUID(),
    method: isRead ? 'GET' : 'POST',
    route: isRead ? '/v1/checkout-sessions/{checkout_id}' : '/v1/checkout-sessions',
    path: isRead ? `/v1/checkout-sessions/${newId('chk', at)}` : '/v1/checkout-sessions',
    status: isRefused ? 400 : 200,
    errorCode: isRefused ? 'VALIDATION_ERROR' : null,
    errorFields: isRefused ? ['amount'] : [],
    keyId: id,
    userId: null,
    actingFor: null,
    source: 'api',
    apiVersion: '2026-11-20',
    isReplay: false,
    durationMs: 4,
    at,
  }
}

/** The bytes of the heap that a call takes while it waits to be written. */
function heldBytes(key: Key): number {
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const held = Array.from({ length: HELD }, (_, index) => callAt(key, index))
  collectGarbage()
  return (process.memoryUsage().heapUsed - before) / held.length
}

/** Copies the rows until there are as many as asked for, a week of an account. */
async function fillUp({ orm }: Shop['database'], size: number): Promise<void> {
  const em = orm.em.fork()
  await em.execute('set statement_timeout = 0')
  await em.execute('set transaction_timeout = 0')
  await em.execute(
    `insert into request_logs (id, account_id, environment, request_id, method, route, path, status, error_code,
       error_fields, key_id, source, api_version, is_replay, duration_ms, created_at)
     select 'req_' || lpad(n::text, 34, '0'), account_id, environment, gen_random_uuid(), method, route, path, status,
       error_code, error_fields, key_id, source, api_version, is_replay, duration_ms,
       created_at - n * interval '1 second'
     from (select *, row_number() over () as place from request_logs limit ${ROWS}) made
     join generate_series(1, greatest(${size} - ${ROWS}, 0)) n on n % ${ROWS} = place - 1`,
  )
  await em.execute('analyze request_logs')
}
