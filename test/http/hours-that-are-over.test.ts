import assert from 'node:assert/strict'
import { test } from 'node:test'
import { housekeepingActivities } from '../../activities/housekeeping.ts'
import { inTransaction } from '../../db/core/database.ts'
import { purgeOldest, purges } from '../../db/core/purge.ts'
import { withEndpoints } from '../support/endpoints.ts'
import { rules } from '../support/hour-invariants.ts'
import { fillTable } from '../support/many-rows.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// The total of a list of a time, once its hours are counted. Every fourth of the rows is the account's: one of each
// quarter of an hour, 9 days back.
const ROWS = 3_600
const hourMs = 3_600_000
const dayMs = 24 * hourMs

const stack = await useStack({ workers: false })
await useApi(stack)
const { sql, merchant, organizationId: accountId } = stack
const endpoint = await withEndpoints(merchant).add({ url: 'https://example.com/hooks', event_types: ['*'] })

type List = { path: string; given?: Record<string, string>; only?: string }
const lists: Record<string, List> = {
  balance_transactions: { path: '/v1/balances/transactions' },
  checkouts: { path: '/v1/checkout-sessions' },
  conversions: { path: '/v1/conversions' },
  deliveries: {
    path: `/v1/webhooks/endpoints/${endpoint}/deliveries`,
    given: { endpoint_id: `case when n % 4 = 1 then '${endpoint}' else 'we_other' end`, status: `'failed'` },
    only: `endpoint_id = '${endpoint}'`,
  },
  disputes: { path: '/v1/disputes' },
  events: { path: '/v1/webhooks/events', only: "not is_test and body <> ''" },
  invoices: { path: '/v1/invoices' },
  payments: { path: '/v1/payments' },
  payout_destinations: { path: '/v1/payouts/destinations', only: 'deactivated_at is null' },
  subscriptions: { path: '/v1/subscriptions' },
  transfers: { path: '/v1/transfers', given: { kind: `'transfer'` }, only: "kind = 'transfer'" },
  virtual_accounts: { path: '/v1/virtual-accounts' },
}

for (const [table, { given }] of Object.entries(lists)) {
  const more = { created_at: `now() - n * interval '220 seconds' - interval '1 minute'`, ...given }
  await fillTable(stack, table, { accountId, count: ROWS, given: more })
}
const keys = await sql<{ table: string; name: string }>(
  `select conrelid::regclass::text as table, conname as name from pg_constraint where contype = 'f'`,
)
for (const { table, name } of keys) if (table in lists) await sql(`alter table ${table} drop constraint "${name}"`)
const facetOf = (table: string) => (table === 'deliveries' ? endpoint : table === 'transfers' ? 'transfer' : '')
// As many as a long list has, by what is kept of them.
for (const table of Object.keys(lists)) {
  await sql(
    `insert into row_counts (table_name, account_id, environment, facet, slot, count)
     values (?, '${accountId}', 'sandbox', ?, 0, 10000)`,
    [table, facetOf(table) && `${facetOf(table)}${table === 'deliveries' ? '/failed/payout.paid' : ''}`],
  )
}

const { mergeShards: housekeep } = housekeepingActivities(stack.deps)
const countAll = async () => {
  while (await housekeep(Date.now()));
}
/** As if rows that were being written when a list was found to be long were all committed by now. */
const wait = () => sql(`update counted_lists set since = since - interval '3 minutes'`)

const newest = Date.now()
const oldest = newest - 10 * dayMs
const hourIn = (at: number) => Math.floor(at / hourMs) * hourMs
/** Moments at which a range may begin or end; undefined where it has no such end. */
const moments = [
  undefined,
  oldest - dayMs,
  hourIn(newest - 5 * dayMs),
  hourIn(newest - 5 * dayMs) + 1,
  hourIn(newest - 5 * dayMs) - 1,
  newest - 3 * dayMs + 1_234_567,
  newest - 3 * dayMs + 1_234_999,
  hourIn(newest - 3 * hourMs),
  hourIn(newest - hourMs),
  newest - 30 * 60_000,
  newest + dayMs,
]
const ranges = moments.flatMap((after) => moments.map((before) => ({ after, before }))).slice(1) // without no range

const fewRanges = [
  { after: newest - 5 * dayMs, before: undefined },
  { after: undefined, before: newest - 5 * dayMs },
  { after: newest - 8 * dayMs, before: newest - dayMs },
]

type Range = (typeof ranges)[number]
const queryOf = ({ after, before }: Range) =>
  new URLSearchParams({
    offset: '50000', // behind the last row: these rows could not be shown
    ...(after !== undefined && { created_after: new Date(after).toISOString() }),
    ...(before !== undefined && { created_before: new Date(before).toISOString() }),
  })

async function told(table: string, range: Range): Promise<number> {
  const { status, body, text } = await merchant.call('GET', `${lists[table]?.path}?${queryOf(range)}`)
  assert.equal(status, 200, text)
  return (body as unknown as { pagination: { total: number } }).pagination.total
}

async function read(table: string, { after = 0, before = 1e13 }: Range): Promise<number> {
  const [row] = await sql<{ count: string }>(
    `select count(*) from ${table} where account_id = ? and environment = 'sandbox' and ${lists[table]?.only ?? 'true'}
     and created_at > ? and created_at < ?`,
    [accountId, new Date(after), new Date(before)],
  )
  return Number(row?.count)
}

async function compare(table: string, some = ranges): Promise<void> {
  const wrong: string[] = []
  for (const range of some) {
    const [is, must] = [await told(table, range), await read(table, range)]
    if (is !== must) wrong.push(`${queryOf(range).toString()}: ${is}, and ${must} rows`)
  }
  assert.deepEqual(wrong, [], table)
}

/** Copies a row of the account to another moment, with other values of what is unique. */
const copySql = (table: string) => `insert into ${table} overriding system value
  select (jsonb_populate_record(t, jsonb_build_object('id', c.id, 'payment_id', c.id, 'checkout_id', c.id,
    'number', c.id, 'page_key', c.id, 'sequence', -c.n, 'reference', c.id, 'quote_id', c.id, 'network_id', c.id,
    'customer_id', c.id, 'account_number', lpad(c.n::text, 10, '0'),
    'created_at', date_trunc('milliseconds', now() - c.ago::interval)))).*
  from ${table} t, (values (?, ?::bigint, ?)) c (id, n, ago)
  where t.account_id = ? and ${lists[table]?.only ?? 'true'} limit 1`
let copies = 0
function newCopy(ago: string) {
  copies += 1
  const id = `copy_${copies}`
  return { id, params: [id, copies, ago, accountId] }
}

async function addAt(table: string, ago: string): Promise<string> {
  const { id, params } = newCopy(ago)
  await sql(copySql(table), params)
  return id
}

test('a list that has just become long is not counted yet: a row may be on its way', async () => {
  await countAll()
  await countAll()
  assert.deepEqual(await sql('select from counted_hours'), [])
  const found = await sql<{ name: string }>(
    'select table_name as name from counted_lists where account_id = ? order by table_name',
    [accountId],
  )
  assert.deepEqual(
    found.map(({ name }) => name),
    Object.keys(lists),
  )
  for (const table of Object.keys(lists)) await compare(table, fewRanges)
  await wait()
  await countAll()
  assert.ok((await sql('select from counted_hours')).length > 12 * 200)
})

for (const table of Object.keys(lists)) {
  test(`${table}: with its hours counted, a range has the total of its rows, wherever it begins and ends`, async () => {
    await compare(table)
  })
}

test('hours are what the total is made of: one more in an hour is one more in the total', async () => {
  const range = { after: newest - 5 * dayMs, before: undefined }
  const before = await told('payments', range)
  const change = (by: number) =>
    sql(
      `update counted_hours set count = count + ? where table_name = 'payments' and account_id = ?
       and hour = date_trunc('hour', now() - interval '2 days', 'UTC')`,
      [by, accountId],
    )
  await change(1)
  assert.equal(await told('payments', range), before + 1)
  await change(-1)
})

for (const table of Object.keys(lists)) {
  test(`${table}: a row that comes late, or goes, is counted, outside the hours too`, async () => {
    const ids: string[] = []
    for (const ago of ['30 days', '7 days', '6 days', '10 minutes', '3 hours']) ids.push(await addAt(table, ago))
    await compare(table, fewRanges)
    await countAll()
    await compare(table, fewRanges)
    if (table === 'balance_transactions') return // the ledger is append-only
    await sql(`delete from ${table} where id in (${ids.map(() => '?').join(', ')})`, ids)
    await compare(table, fewRanges)
  })
}

test('an event whose body is purged leaves its hour', async () => {
  const purge = purges.find(({ table }) => table === 'events')
  assert.ok(purge)
  const purged = await inTransaction(stack.database, (em) =>
    purgeOldest(em, purge, newest + purge.keptMs - 6 * dayMs, 5_000),
  )
  assert.ok(purged > 100, `${purged}`)
  await compare('events', fewRanges)
})

test('a destination that is deactivated leaves its hour', async () => {
  const id = await addAt('payout_destinations', '5 days')
  const range = { after: newest - 8 * dayMs, before: newest - dayMs }
  const before = await told('payout_destinations', range)
  await sql('update payout_destinations set deactivated_at = now() where id = ?', [id])
  assert.equal(await told('payout_destinations', range), before - 1)
  await compare('payout_destinations', fewRanges)
})

test('a row that is being written while an hour is counted is waited for, and counted once', async () => {
  await sql(
    `update counted_lists set counted_until = counted_until - interval '30 hours' where table_name = 'invoices'`,
  )
  await sql(
    `delete from counted_hours h using counted_lists l where h.table_name = 'invoices' and l.table_name = 'invoices'
     and h.account_id = l.account_id and h.hour >= l.counted_until`,
  )
  const { id, params } = newCopy('20 hours')
  await stack.database.orm.em.transactional(async (em) => {
    await em.execute(copySql('invoices'), params)
    await countAll()
    const [mine] = await sql<{ at: string }>(
      `select counted_until as at from counted_lists where table_name = 'invoices' and account_id = ?`,
      [accountId],
    )
    assert.ok(mine && Date.parse(mine.at) < newest - 20 * hourMs, 'the list of the account is left to the next time')
  })
  await countAll()
  await compare('invoices', fewRanges)
  await sql(`delete from invoices where id = ?`, [id])
  await compare('invoices', fewRanges)
})

test('after all this each counted hour has as many rows as it says, by an invariant of all tests', async () => {
  const [rule = ''] = Object.values(rules)
  assert.deepEqual(await sql(rule), [])
  await sql(`update counted_hours set count = count + 1 where table_name = 'events' and count > 0`)
  assert.ok((await sql(rule)).length > 100)
})
