import { setTimeout as sleep } from 'node:timers/promises'
import { addLongLists, countHours } from '../../db/core/counted-hours.ts'
import { inTransaction } from '../../db/core/database.ts'
import { absolute, type Figure, median } from '../figure.ts'
import { createCaller, load, rounds } from '../load.ts'
import { backgroundReads } from '../size/background.ts'
import { type SizedCall, sizedCalls } from '../size/calls.ts'
import { callOnce, findMiddle, type Read, readOf, readOfBackground, type Side } from '../size/compare.ts'
import { type Division, fillDatabase } from '../size/fill.ts'
import { openMerchant } from '../size/merchant.ts'
import { explaining, notExplaining, readStatements } from '../size/plans.ts'
import type { Shop, Testbed } from '../testbed.ts'
import { createCheckout } from './checkout.ts'

const SMALL = 1_000
const CALLS = 12
const IN_FLIGHT = 4
const ROUNDS = 3
/** A call that seems slower is measured anew in so many turns: of some hundred ratios a few are high by chance. */
const ROUNDS_OF_SECOND_LOOK = 9
const CREATES = { inFlight: 32, calls: 200 }
/** In the divided database one merchant has a tenth of the sales, and each of the others this many. */
const SALES_OF_EACH = 90
/** A few more rows are no growth: a deeper index, a counter of another connection. */
const ROWS_MORE = 100
const PAGES_MORE = 60
/** A call may take so many times as long as in the small database. */
const timeBar = 1.3

type Place = { name: string; shop: Shop; accountId: string }

/**
 * Every read of the API, and what the service reads by itself, in a database with many rows beside one with few. Once
 * all rows are of one merchant, once of many (10,000 for a million payments) and one that has a tenth. No worker runs,
 * so nothing moves.
 */
export async function measureScale(testbed: Testbed): Promise<Figure[]> {
  const small = await open(testbed, 'scale-small', SMALL, 'one merchant')
  const tiny = await open(testbed, 'scale-tiny', SALES_OF_EACH, 'one merchant')
  const one = await open(testbed, 'scale-one', testbed.size, 'one merchant')
  const many = await open(testbed, 'scale-many', testbed.size, 'many merchants')
  const member = { ...many, accountId: `acct_${String(Math.floor(testbed.size / 200)).padStart(34, '0')}` }
  return [
    ...(await compareAll(testbed, 'all of one merchant', small, one)),
    await compareCreates('all of one merchant', small, one),
    ...(await compareAll(testbed, 'a tenth of one merchant', small, many)),
    ...(await compareAll(testbed, `one of ${Math.floor(testbed.size / 100)} merchants`, tiny, member)),
  ]
}

async function open(testbed: Testbed, name: string, payments: number, division: Division): Promise<Place> {
  const shop = await testbed.openShop(name, 'bench-idle')
  const [merchant] = await shop.database.orm.em.fork().execute<{ id: string }[]>('select id from accounts limit 1')
  if (!merchant) throw new Error('the shop has no merchant')
  const accounts = Math.max(payments / 100, payments < SMALL ? 1 : 100)
  await fillDatabase(shop.databaseUrl, { merchant: merchant.id, payments, accounts, division }, testbed.report)
  await countAllHours(shop)
  return { name, shop, accountId: merchant.id }
}

/** Counts the hours that are over, as housekeeping does within its first hour. */
async function countAllHours({ database }: Shop): Promise<void> {
  await inTransaction(database, addLongLists)
  await database.orm.em.fork().execute(`update counted_lists set since = since - interval '3 minutes'`)
  while (await inTransaction(database, countHours));
}

async function compareAll(testbed: Testbed, what: string, few: Place, many: Place): Promise<Figure[]> {
  const sides = [await sideOf(testbed, few), await sideOf(testbed, many)] as const
  const { grown, compared } = await compareReads(testbed, what, sides, [few, many])
  const figures = await compareTimes(testbed, what, sides)
  for (const { caller } of sides) await caller.close()
  const row = `${compared} calls and statements, ${what}`
  const judged = { bar: 0, goal: 0, better: 'lower' } as const
  return [
    absolute({ row, measure: 'read more than in the small database', unit: 'calls', ...judged }, grown),
    ...figures,
  ]
}

async function sideOf(testbed: Testbed, { name, shop, accountId }: Place): Promise<Side> {
  const merchant = await openMerchant(shop.database, accountId, shop.secrets)
  const caller = createCaller(shop.url, IN_FLIGHT)
  return {
    caller,
    database: shop.database,
    merchant,
    statements: readStatements(testbed.postgres.child.logFile, name),
  }
}

/**
 * How many calls read more rows or pages in the large database, of how many that both merchants can make. Each is
 * reported, and so are those that one of them cannot make, as it has no such resource.
 */
async function compareReads(
  testbed: Testbed,
  what: string,
  [few, many]: readonly [Side, Side],
  places: Place[],
): Promise<{ grown: number; compared: number }> {
  for (const { name } of places) await setExplaining(testbed, name, explaining(name))
  let grown = 0
  let compared = 0
  const missing: string[] = []
  const judge = (name: string, small: Read | null, large: Read | null) => {
    if (!small || !large) return void missing.push(name)
    compared += 1
    const isMore = large.rows > small.rows * 1.3 + ROWS_MORE || large.pages > small.pages * 1.3 + PAGES_MORE
    if (!isMore) return
    grown += 1
    const change = (unit: string, from: number, to: number) => `${Math.round(from)} → ${Math.round(to)} ${unit}`
    testbed.report(
      `${what}: ${name} reads ${change('rows', small.rows, large.rows)}, ${change('pages', small.pages, large.pages)}`,
    )
  }
  for (const call of sizedCalls) {
    for (const side of [few, many]) await findMiddle(side, call)
    judge(nameOf(call), await readOf(few, call), await readOf(many, call))
  }
  const at = Date.now()
  for (const read of backgroundReads)
    judge(read.name, await readOfBackground(few, read, at), await readOfBackground(many, read, at))
  for (const { name } of places) await setExplaining(testbed, name, notExplaining(name))
  if (missing.length > 0) testbed.report(`${what}: not compared, as one has no such resource: ${missing.join(', ')}`)
  return { grown, compared }
}

/** Settings of a database are for new connections: the present ones are ended. */
async function setExplaining(testbed: Testbed, name: string, settings: string[]): Promise<void> {
  const em = testbed.shop.database.orm.em.fork()
  for (const setting of settings) await em.execute(setting)
  await em.execute('select pg_terminate_backend(pid) from pg_stat_activity where datname = ?', [name])
  await sleep(1_000)
}

const nameOf = ({ operation, filter }: SizedCall): string => (filter ? `${operation} ${filter}` : operation)

/** Of each operation the call that has become slowest, beside the same call in the small database. */
async function compareTimes({ report }: Testbed, what: string, [few, many]: readonly [Side, Side]): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [operation, calls] of Map.groupBy(sizedCalls, (call) => call.operation)) {
    const measured = []
    for (const call of calls) {
      for (const side of [few, many]) await findMiddle(side, call)
      const isThere = (await callOnce(few, call)) !== null && (await callOnce(many, call)) !== null
      if (!isThere) continue
      const asked = await alike(call, few, many)
      const seen = await timesOf(asked, few, many)
      measured.push(seen.ratio > timeBar ? await timesOf(asked, few, many, ROUNDS_OF_SECOND_LOOK) : seen)
    }
    for (const { name, ratio, ours, floor } of measured.filter((each) => each.ratio > timeBar))
      report(`${what}: ${name} takes ${floor.toFixed(1)} → ${ours.toFixed(1)} ms, ${ratio.toFixed(2)} ×`)
    const [slowest] = measured.toSorted((left, right) => right.ratio - left.ratio)
    if (!slowest) continue
    const of = calls.length > 1 ? `, slowest of ${calls.length}` : ''
    figures.push(timeFigure(`${what}: ${slowest.name}${of}`, operation, slowest))
  }
  return figures
}

type Times = Record<'ours' | 'floor' | 'ratio', number>

/** How much longer a call takes in the large database. */
const timeFigure = (row: string, operation: string, { ours, floor, ratio }: Times): Figure => {
  const about = { measure: `time of ${operation}`, unit: 'ms', bar: timeBar, goal: 1.1, better: 'lower' } as const
  return { row, ...about, ours, floor, ratio }
}

/** Creating sessions, in the same way. */
async function compareCreates(what: string, few: Place, many: Place): Promise<Figure> {
  const at = async ({ shop, apiKey }: Place & { apiKey: string }) => {
    const caller = createCaller(shop.url, CREATES.inFlight)
    const create = async () => void (await createCheckout(caller, { apiKey }))
    const { medianMs } = await load(CREATES.inFlight, CREATES.calls, create)
    await caller.close()
    await shop.database.orm.em.fork().execute('delete from outbox') // no worker starts these processes
    return medianMs
  }
  const operation = 'POST /v1/checkout-sessions'
  return timeFigure(
    `${what}: ${operation}, ${CREATES.inFlight} in flight`,
    operation,
    await timesInTurns(at, await withKey(few), await withKey(many)),
  )
}

/** A place with a new key: that with which the shop was opened has ended since. */
async function withKey(place: Place): Promise<Place & { apiKey: string }> {
  const { shop, accountId } = place
  return { ...place, apiKey: (await openMerchant(shop.database, accountId, shop.secrets)).apiKey }
}

/** The call with a page as long as the shorter one of both: a page of fifty rows takes longer than one of five. */
async function alike(call: SizedCall, few: Side, many: Side): Promise<SizedCall> {
  if (!call.hasLimit) return call
  const lengths = []
  for (const side of [few, many]) {
    const { items = [] } = JSON.parse((await callOnce(side, call)) ?? '{}') as { items?: unknown[] }
    lengths.push(items.length)
  }
  const limit = Math.max(1, Math.min(...lengths))
  return { ...call, path: `${call.path}${call.path.includes('?') ? '&' : '?'}limit=${limit}` }
}

async function timesOf(call: SizedCall, few: Side, many: Side, turns = ROUNDS) {
  const at = async (side: Side) => {
    const { medianMs } = await load(IN_FLIGHT, CALLS, async () => void (await callOnce(side, call)))
    return medianMs
  }
  return { name: nameOf(call), ...(await timesInTurns(at, few, many, turns)) }
}

async function timesInTurns<Where>(
  at: (where: Where) => Promise<number>,
  few: Where,
  many: Where,
  turns = ROUNDS,
): Promise<Times> {
  for (const where of [few, many]) await at(where)
  const measured = await rounds(
    turns,
    () => at(few),
    () => at(many),
  )
  return {
    ours: median(measured.map(({ ours }) => ours)),
    floor: median(measured.map(({ floor }) => floor)),
    ratio: median(measured.map(({ ours, floor }) => ours / floor)),
  }
}
