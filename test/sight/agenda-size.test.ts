import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillDatabase } from '../../bench/size/fill.ts'
import { sumPayments } from '../../db/checkout/summary.ts'
import type { EntityManager } from '../../db/core/database.ts'
import { listWaits, type WaitFilter } from '../../db/sight/agenda.ts'
import { listStuckWaits } from '../../db/sight/stuck.ts'
import { countHours } from '../../db/core/counted-hours.ts'
import { inTransaction } from '../../db/core/database.ts'
import { countDeliveries } from '../../db/webhook/endpoint.ts'
import { readMissedSince } from '../../db/webhook/missed-events.ts'
import { type FedEvent, lastSequence, readEventsInOrder } from '../../db/webhook/event-feed.ts'
import { planOf } from '../support/plans.ts'
import { useDatabase } from '../support/use-database.ts'

// The agenda, what is stuck and the sums of a merchant with 20,000 sales: 500 of them are pending money, 1,000
// subscriptions wait for their next period. What is asked for is none of them.
const database = await useDatabase()
const sql = <T extends object>(text: string) => database.orm.em.fork().execute<T[]>(text)
const owner = { accountId: 'acct_large', environment: 'sandbox' } as const
const at = Date.now()
const READ_MAX = 300

await sql(`insert into accounts (id, name, created_at) values ('acct_large', 'Large', now())`)
const filling = { merchant: owner.accountId, payments: 20_000, accounts: 100, division: 'one merchant' } as const
await fillDatabase(database.url, filling, () => undefined)
// One refund that could not be delivered: its money is pending for a day.
await sql(`do $$ begin
  set local session_replication_role = replica;
  insert into ledger_entries (transaction_id, account_id, environment, book, currency, amount, available_at, created_at)
  values ('txn_back', 'acct_large', 'sandbox', 'merchant', 'USD', 5, now() + interval '1 day', now());
  insert into balance_transactions (id, account_id, environment, ledger_transaction_id, type, currency, amount,
    source_id, available_at, created_at)
  values ('txn_back', 'acct_large', 'sandbox', 'txn_back', 'refund_reversal', 'USD', 5, 'ref_back',
    now() + interval '1 day', now());
end $$`)
await sql('vacuum analyze ledger_entries, balance_transactions')

type Node = { Plans?: Node[] } & Record<string, unknown>
const number = (node: Node, name: string) => Number(node[name] ?? 0)
const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** How many rows of tables and indexes a query reads. */
async function readBy(query: (em: EntityManager) => Promise<unknown>): Promise<number> {
  const plan = JSON.parse(await planOf({ database }, query)) as { 'QUERY PLAN': [{ Plan: Node }] }
  return nodesOf(plan['QUERY PLAN'][0].Plan)
    .filter((node) => node['Relation Name'] !== undefined)
    .reduce(
      (sum, node) =>
        sum + (number(node, 'Actual Rows') + number(node, 'Rows Removed by Filter')) * number(node, 'Actual Loops'),
      0,
    )
}

for (const [what, filter, ids] of [
  ['refunds', { resources: ['refund'] }, ['ref_back']],
  ['conversions', { resources: ['conversion'] }, []],
  ['endpoints', { resources: ['webhook_endpoint'] }, []],
  ['subscriptions that a merchant has paused', { resources: ['subscription'], waitingOn: 'merchant' }, []],
  ['subscriptions in dunning', { resources: ['subscription'], waitingOn: 'buyer' }, []],
] as const satisfies [string, WaitFilter, string[]][]) {
  test(`the agenda of ${what} reads what waits of them, and nothing of all that waits besides`, async () => {
    const found = await listWaits(database.orm.em.fork(), owner, filter, 51, at)
    assert.deepEqual(
      found.map(({ id }) => id),
      ids,
    )
    const read = await readBy((em) => listWaits(em, owner, filter, 51, at))
    assert.ok(read < READ_MAX, `${read} rows were read`)
  })
}

test('a page of all that waits reads a page of each kind', async () => {
  const resources = ['checkout_session', 'payment', 'refund', 'subscription', 'dispute'] as const
  const found = await listWaits(database.orm.em.fork(), owner, { resources }, 51, at)
  assert.equal(found.length, 51)
  const read = await readBy((em) => listWaits(em, owner, { resources }, 51, at))
  assert.ok(read < 4 * READ_MAX, `${read} rows were read`)
})

test('a page of pending money reads the next of it, and not all, where many accounts share the tables', async () => {
  const shared = { accountId: 'acct_shared', environment: 'sandbox' } as const
  // One entry in twenty is of this account: they lie on as many pages, and are pending in another order.
  await sql(`do $$ begin
    set local session_replication_role = replica;
    insert into ledger_entries (transaction_id, account_id, environment, book, currency, amount, available_at,
      created_at)
    select 'txn_shared_' || n, case when n % 20 = 0 then 'acct_shared' else 'acct_' || n % 1000 end, 'sandbox',
      'merchant', 'USD', 5, now() + (1 + n * 7919 % 40000) * interval '1 minute', now()
    from generate_series(1, 40000) n;
    insert into balance_transactions (id, account_id, environment, ledger_transaction_id, type, currency, amount,
      source_id, available_at, created_at)
    select transaction_id, account_id, environment, transaction_id, 'payment', 'USD', 5, 'pay_' || transaction_id,
      available_at, created_at from ledger_entries where transaction_id like 'txn_shared_%';
  end $$`)
  await sql('vacuum analyze ledger_entries, balance_transactions')
  const filter = { resources: ['payment'], waitingOn: 'maturity' } as const
  const next = await sql<{ id: string }>(
    `select 'pay_' || transaction_id as id from ledger_entries where account_id = 'acct_shared'
     order by available_at limit 51`,
  )
  const found = await listWaits(database.orm.em.fork(), shared, filter, 51, at)
  assert.deepEqual(
    found.map(({ id }) => id),
    next.map(({ id }) => id),
  )
  const last = found.at(-1)
  const from = { id: last?.id ?? '', reason: 'maturity', wakesAt: last?.wakesAt?.getTime() ?? 0 }
  const back = { ...filter, from, isBackwards: true }
  assert.deepEqual(await listWaits(database.orm.em.fork(), shared, back, 51, at), found.slice(0, -1).toReversed())
  for (const asked of [filter, { ...filter, from }, back]) {
    const read = await readBy((em) => listWaits(em, shared, asked, 51, at))
    assert.ok(read < READ_MAX, `${read} rows were read for ${JSON.stringify(asked)}`)
  }
})

test('stuck subscriptions are found without reading those that wait for their next period', async () => {
  const filter = {
    resource: 'subscription',
    olderThanMs: 3_600_000,
    overdueByMs: 300_000,
    limit: 50,
    offset: 0,
  } as const
  const read = await readBy((em) => listStuckWaits(em, filter, at))
  assert.ok(read < READ_MAX, `${read} rows were read`)
})

test('the summary of a month reads its days, and no payment', async () => {
  const [from, until] = [new Date(at - 30 * 86_400_000), new Date(at + 1)]
  const begin = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate()))
  const read = await readBy((em) => sumPayments(em, owner, { from: begin, until }))
  assert.ok(read < READ_MAX, `${read} rows were read`)
})

type Counted = { endpointId: string; status: string; count: number }

test('the deliveries of a day are counted by their status, however few have each', async () => {
  const [endpoint] = await sql<{ id: string }>(`select id from webhook_endpoints where account_id = 'acct_large'`)
  assert.ok(endpoint)
  await sql(`update deliveries set status = 'pending' where id in (
    select id from deliveries where status = 'succeeded' order by created_at desc limit 3)`)
  const count = (em: EntityManager = database.orm.em.fork(), to = at) =>
    countDeliveries(em, [endpoint.id, 'we_none'], to)
  const isCounted = async (hours: string) => {
    for (const to of [at, at - 36 * 3_600_000, at - 48 * 3_600_000 - 1]) {
      const [from, until] = [new Date(to - 86_400_000).toISOString(), new Date(to).toISOString()]
      const expected: Counted[] = await sql<Counted>(
        `select endpoint_id as "endpointId", status, count(*)::int as count from deliveries
         where endpoint_id = '${endpoint.id}' and created_at > '${from}' and created_at <= '${until}'
         group by 1, 2 order by 2`,
      )
      assert.ok(expected.length >= 2)
      const counted = await count(undefined, to)
      const byStatus = counted.toSorted((left, right) => left.status.localeCompare(right.status))
      assert.deepEqual(byStatus, expected, `${hours}, up to ${until}`)
    }
  }
  await isCounted('without hours')
  const before = await readBy(count)
  await sql(
    `insert into counted_lists (account_id, environment, table_name, facet, since)
     select account_id, environment, 'deliveries', id, now() - interval '1 hour' from webhook_endpoints
     where id = '${endpoint.id}'`,
  )
  while (await inTransaction(database, (em) => countHours(em)));
  await isCounted('with the hours that are over')
  const after = await readBy(count)
  assert.ok(after < before / 2, `${before} rows were read before, and ${after} with hours`)
})

test('since when an endpoint has missed events is read past none of those that were delivered', async () => {
  const [endpoint] = await sql<{ id: string }>(`select id from webhook_endpoints where account_id = 'acct_large'`)
  assert.ok(endpoint)
  const read = (em: EntityManager) => readMissedSince(em, [endpoint.id], { at, now: at })
  const missed = `from deliveries where endpoint_id = '${endpoint.id}' and status in ('failed', 'skipped')`
  const [oldest] = await sql<{ at: string; count: string }>(`select min(created_at) as at, count(*) ${missed}`)
  const since = async () => (await read(database.orm.em.fork()))[0]?.since?.toISOString()
  assert.equal(await since(), new Date(oldest?.at ?? '').toISOString())
  const before = await readBy(read)
  assert.ok(before < READ_MAX, `${before} rows were read`)
  await sql(`insert into deliveries (id, account_id, environment, event_id, event_type, endpoint_id, status, trigger,
      created_at, completed_at)
    select 'again_' || id, account_id, environment, event_id, event_type, endpoint_id, 'succeeded', 'recovery', now(),
      now() ${missed}`)
  assert.equal(await since(), undefined)
  // A delivery, those of its event, and the event.
  const after = await readBy(read)
  assert.ok(after < 6 * Number(oldest?.count), `${after} rows were read, of ${oldest?.count} deliveries`)
  await sql(`insert into deliveries (id, account_id, environment, event_id, event_type, endpoint_id, status, trigger,
      created_at, completed_at)
    select 'many_' || n || id, account_id, environment, event_id, event_type, endpoint_id, status, 'automatic',
      created_at + n * interval '1 second', now() from generate_series(1, 30) n, (select * ${missed}) d`)
  const many = await sql<{ at: string }>(`select created_at as at ${missed} order by created_at`)
  const least = await since()
  assert.ok(least && least > new Date(many[100]?.at ?? '').toISOString(), 'none of the first is missed')
  const [ofMany, most] = [await readBy(read), 2 * 4 * 1_000]
  assert.ok(many.length > 2_000 && ofMany < most, `${ofMany} rows were read, of ${many.length} deliveries`)
  // Of the recoveries, those count that may have made deliveries behind the ones that are looked through.
  for (const [from, completedAt] of [
    [many[40]?.at, new Date(Date.parse(least) - 1).toISOString()],
    [many[50]?.at, new Date(at).toISOString()],
  ])
    await sql(`insert into webhook_recoveries (id, account_id, environment, endpoint_id, since, until, sent_count,
        created_at, completed_at)
      values ('rcv_' || '${from}', 'acct_large', 'sandbox', '${endpoint.id}', '${from}', now(), 1, now(),
        '${completedAt}')`)
  assert.equal(await since(), new Date(many[50]?.at ?? '').toISOString())
})

test('a stream of one rare type reads the events of this type, and not the 60,000 that came between', async () => {
  // Where a merchant has few types, Postgres takes each for a large part of the events, also a rare one.
  await sql('alter table events alter column type set (n_distinct = 1)')
  await sql('analyze events')
  const em = database.orm.em.fork()
  const upTo = await lastSequence(em)
  const expected = await sql<{ sequence: string }>(
    `select sequence from events where type = 'payout.failed' and sequence > 2000 order by sequence`,
  )
  const wanted = { ...owner, types: ['payout.failed', 'payout.failed'] as const, upTo, createdAfter: 0, limit: 100 }
  const found: FedEvent[] = []
  for (let after = 2000, isFull = true; isFull;) {
    const page = await readEventsInOrder(em, { ...wanted, after })
    found.push(...page)
    after = page.at(-1)?.sequence ?? after
    isFull = page.length === wanted.limit
  }
  assert.deepEqual(
    found.map(({ sequence }) => String(sequence)),
    expected.map(({ sequence }) => sequence),
  )
  assert.ok(found.length > 200 && found.every(({ type, body }) => type === 'payout.failed' && body !== ''))
  const read = await inTransaction(database, async (reader) => {
    await reader.execute('set local plan_cache_mode = force_generic_plan') // as from the sixth run of a connection on
    // In a table of 3,000,000 events a bitmap of all of a type, or sorting them, is dearer than reading the table.
    await reader.execute('set local enable_bitmapscan = off')
    await reader.execute('set local enable_sort = off')
    const before = await fetchedSoFar(reader)
    await readEventsInOrder(reader, { ...wanted, after: 2000 })
    return (await fetchedSoFar(reader)) - before
  })
  assert.ok(read < 2 * READ_MAX, `${read} rows were read`)
})

/** How many events a transaction has read so far. */
async function fetchedSoFar(em: EntityManager): Promise<number> {
  const [row] = await em.execute<{ read: string }[]>(
    `select idx_tup_fetch + seq_tup_read as read from pg_stat_xact_user_tables where relname = 'events'`,
  )
  return Number(row?.read)
}
