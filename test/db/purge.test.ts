import assert from 'node:assert/strict'
import { test } from 'node:test'
import { housekeepingActivities } from '../../activities/housekeeping.ts'
import { type Database, inTransaction } from '../../db/core/database.ts'
import { liftTimeLimits } from '../../db/core/time-limits.ts'
import { type Purge, purgeOldest, purges, purgeStatement } from '../../db/core/purge.ts'
import { useDatabase } from '../support/use-database.ts'
import { addRows, contentCountQuery, oldRowTables, tableOf } from '../support/old-rows.ts'

// Old rows are deleted on time, not before, in short transactions that nobody waits for.
const second = 1_000
const hour = 3_600_000
const day = 24 * hour

const database = await useDatabase()

const sql = <T extends object>(text: string, params: unknown[] = []) =>
  database.orm.em.fork().execute<T[]>(text, params)
const purge = (each: Purge, at: number, countMax = 500) =>
  inTransaction(database, (em) => purgeOldest(em, each, at, countMax))
const countOf = async (table: string, mark: string) =>
  (await sql<{ count: number }>(contentCountQuery(table, mark)))[0]?.count ?? 0
const at = (ms: number) => `'${new Date(ms).toISOString()}'::timestamptz`
const nameOf = ({ name, table }: Purge) => name ?? table
const purgeOf = (name: string) => purges.find((each) => nameOf(each) === name) as Purge
/** One step of the housekeeping, which needs only the database and the time; `now` is the real one. */
const purgeOldRows = (of: Database, moment: number, now = moment) => {
  const deps = { database: of, clock: { now: () => now } } as Parameters<typeof housekeepingActivities>[0]
  return housekeepingActivities(deps).purgeOldRows(moment)
}
/** Deletes everything that is due, in as many steps as it takes. */
async function purgeAll(moment: number): Promise<number> {
  for (let step = 1; ; step++) if (!(await purgeOldRows(database, moment))) return step
}
/** Empties a table and the one whose rows are deleted with it. */
const empty = (name: string) => sql(`truncate ${[tableOf(name), companions[name] ?? []].flat().join(', ')} cascade`)
const companions: Record<string, string> = { refresh_tokens: 'login_sessions', deliveries: 'delivery_attempts' }

/** How long rows are kept after the named moment, as docs/operating/data.md promises it. */
const promised: Record<string, [string, number]> = {
  idempotency_records: ['expires_at', 0],
  rate_windows: ['window_start', hour],
  login_challenges: ['expires_at', 0],
  pending_authenticators: ['expires_at', 0],
  login_failures: ['last_at', 6 * hour],
  refresh_tokens: ['expires_at', 0],
  signing_keys: ['retired_at', day],
  kept_mails: ['created_at', 30 * day],
  customer_sessions: ['expires_at', 0],
  onboarding_sessions: ['expires_at', 30 * day],
  team_invitations: ['expires_at', 30 * day],
  'team_invitations.chosen': ['expires_at', 0],
  webhook_endpoints: ['previous_secret_until', 0],
  conversion_quotes: ['expires_at', day],
  payment_requests: ['created_at', 7 * day],
  subscription_changes: ['created_at', 30 * day],
  simulated_codes: ['created_at', day],
  simulated_cards: ['created_at', 30 * day],
  simulated_phones: ['created_at', 30 * day],
  paystack_cards: ['created_at', 30 * day],
  paystack_secrets: ['created_at', day],
  deliveries: ['created_at', 90 * day],
  events: ['created_at', 90 * day + hour],
  webhook_recoveries: ['completed_at', 90 * day],
  request_logs: ['created_at', 7 * day],
}

test('every purged table keeps its rows for the promised time', () => {
  assert.deepEqual(Object.fromEntries(purges.map((each) => [nameOf(each), [each.since, each.keptMs]])), promised)
  assert.deepEqual(oldRowTables.toSorted(), Object.keys(promised).toSorted())
})

for (const [name, [, keptMs]] of Object.entries(promised)) {
  const table = tableOf(name)

  test(`${name}: a row is deleted when it is due, and one that is due a second later stays`, async () => {
    const now = Date.now()
    await sql(addRows(name, { mark: 'due', moment: at(now - keptMs - 1) }))
    await sql(addRows(name, { mark: 'left', moment: at(now - keptMs + second) }))
    await purge(purgeOf(name), now - 5)
    assert.deepEqual([await countOf(name, 'due'), await countOf(name, 'left')], [1, 1], 'a moment before')
    await purge(purgeOf(name), now)
    assert.deepEqual([await countOf(name, 'due'), await countOf(name, 'left')], [0, 1], 'on time')
    await empty(name)
  })

  test(`${name}: rows that are due are found by an index, however many others there are`, async () => {
    const now = Date.now()
    await sql(addRows(name, { mark: 'due', moment: at(now - keptMs - hour), count: 50 }))
    await sql(addRows(name, { mark: 'left', moment: `${at(now)} + n * interval '1 second'`, count: 20_000 }))
    await sql(`analyze ${table}`)
    const { sql: text, params } = purgeStatement(purgeOf(name), now, 500)
    const rows = await sql<{ 'QUERY PLAN': string }>(`explain ${text}`, params)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    const due = plan.slice(plan.indexOf('CTE due'))
    assert.match(due, new RegExp(`Index (Only )?Scan using ${purgeOf(name).index} on ${table}`), plan)
    assert.doesNotMatch(plan, new RegExp(`Seq Scan on ${table}\\b`), plan)
    await empty(name)
  })
}

test('what was asked of a subscription is deleted after its time, also what was refused', async () => {
  const now = Date.now()
  await sql(addRows('subscription_changes', { mark: 'due', moment: at(now - 30 * day - 1) }))
  await sql(addRows('subscription_changes', { mark: 'left', moment: at(now - 30 * day + second) }))
  await sql('update subscription_changes set applied_at = null')
  await purgeAll(now)
  const counts = [await countOf('subscription_changes', 'due'), await countOf('subscription_changes', 'left')]
  assert.deepEqual(counts, [0, 1])
  await empty('subscription_changes')
})

test('a login session is deleted with its last token, and not while one of its tokens is valid', async () => {
  const now = Date.now()
  await sql(addRows('refresh_tokens', { mark: 'gone', moment: at(now - hour), count: 2 }))
  await sql(`insert into refresh_tokens (hash, session_id, created_at, expires_at)
    values ('gone1b', 'gone1', now(), ${at(now + hour)}), ('gone2b', 'gone2', now(), ${at(now - second)})`)
  await purge(purgeOf('refresh_tokens'), now, 2) // the two oldest; gone2 has one left
  assert.deepEqual(await sql('select id from login_sessions order by id'), [{ id: 'gone1' }, { id: 'gone2' }])
  await purge(purgeOf('refresh_tokens'), now, 2)
  assert.deepEqual(await sql('select id from login_sessions'), [{ id: 'gone1' }])
  assert.deepEqual(await sql('select hash from refresh_tokens'), [{ hash: 'gone1b' }])
  await empty('refresh_tokens')
})

test('an engine that is hours ahead has nothing deleted early, such as the answer to an idempotency key', async () => {
  const now = Date.now()
  await sql(addRows('idempotency_records', { mark: 'ahead', moment: at(now + second) }))
  await purgeOldRows(database, now + 2 * hour, now)
  assert.equal(await countOf('idempotency_records', 'ahead'), 1)
  await purgeOldRows(database, now + 2 * hour, now + 2 * second)
  assert.equal(await countOf('idempotency_records', 'ahead'), 0)
})

test('rows that are still needed stay, however old they are', async () => {
  const now = Date.now()
  const old = at(now - 400 * day)
  for (const table of oldRowTables) await sql(addRows(table, { mark: 'old', moment: old }))
  await sql(`update conversion_quotes set used_at = expires_at - interval '1 second'`)
  await sql('update signing_keys set retired_at = null')
  await sql('update webhook_recoveries set completed_at = null')
  await sql(`update deliveries set status = 'pending', event_id = 'old1'`)
  await sql(`insert into customers (id, account_id, environment, email, metadata, created_at, updated_at)
    values ('cust_1', 'acct_1', 'sandbox', 'a@example.com', '{}', ${old}, ${old})`)
  await sql(`insert into checkouts (id, account_id, environment, source_type, amount, currency,
      fee_preference, success_url,
      metadata, client_secret_hash, created_at, updated_at, expires_at)
    select id, 'acct_1', 'sandbox', 'API', 1, 'USD', 'org_pays', 'https://example.com', '{}', 'x',
      ${old}, ${old}, ${old}
    from unnest(array['chk_1', 'chk_gone']) as id`)
  await sql(`insert into saved_payment_methods (id, account_id, environment, customer_id, corridor, rail_token,
      brand, last4,
      exp_month, exp_year, country, checkout_id, created_at)
    values ('pm_1', 'acct_1', 'sandbox', 'cust_1', 'USD_CARD', 'old1', 'visa', '4242', 12, 2040, 'US', 'chk_1',
      ${old})`)
  await purgeAll(now)
  const needed = [
    'conversion_quotes',
    'signing_keys',
    'webhook_recoveries',
    'deliveries',
    'events',
    'simulated_cards',
    'paystack_cards',
  ]
  for (const table of [...needed, 'payment_requests']) assert.equal(await countOf(table, 'old'), 1, table)
  await sql(`update checkouts set status = 'expired', listens_until = ${at(now + hour)}`)
  await purgeAll(now)
  assert.equal(await countOf('payment_requests', 'old'), 1, 'late money may arrive')
  await purgeAll(now + 2 * hour)
  assert.equal(await countOf('payment_requests', 'old'), 0)
  await sql(`update deliveries set status = 'succeeded'`)
  await purgeAll(now)
  assert.deepEqual([await countOf('deliveries', 'old'), await countOf('events', 'old')], [0, 0], 'once delivered')
  assert.deepEqual(await sql(`select type, resource_id, body from events where id = 'old1'`), [
    { type: 'refund.paid', resource_id: 'ref_1', body: '' },
  ])
  assert.deepEqual(await sql('select from delivery_attempts'), [], 'attempts are deleted with their delivery')
  for (const table of [...oldRowTables, 'saved_payment_methods', 'checkouts']) await empty(table)
})

test('a saved card is looked at once: purges do not read the saved ones again, however many they are', async () => {
  const now = Date.now()
  await sql(`insert into customers (id, account_id, environment, email, metadata, created_at, updated_at)
    values ('cust_saved', 'acct_1', 'live', 'a@example.com', '{}', now(), now())`)
  for (const table of ['simulated_cards', 'paystack_cards']) {
    await sql(addRows(table, { mark: 'saved', moment: at(now - 60 * day), count: 40 }))
    await sql(addRows(table, { mark: 'due', moment: at(now - 40 * day), count: 5 }))
    await sql(`insert into checkouts (id, account_id, environment, source_type, amount, currency, fee_preference,
        success_url, metadata, client_secret_hash, created_at, updated_at, expires_at)
      select 'chk_' || n, 'acct_1', 'live', 'API', 1, 'USD', 'org_pays', 'https://example.com', '{}', 'x',
        now(), now(), now() from generate_series(1, 40) n`)
    await sql(`insert into saved_payment_methods (id, account_id, environment, customer_id, corridor, rail_token, brand,
        last4, exp_month, exp_year, country, checkout_id, created_at)
      select 'pm_' || n, 'acct_1', 'live', 'cust_saved', 'USD_CARD', 'saved' || n, 'visa', '4242', 12, 2040, 'US',
        'chk_' || n, now() from generate_series(1, 40) n`)
    for (let step = 0; (await purge(purgeOf(table), now, 20)) > 0; step++) assert.ok(step < 4, 'it goes on for ever')
    assert.deepEqual([await countOf(table, 'saved'), await countOf(table, 'due')], [40, 0], table)
    const { sql: text, params } = purgeStatement(purgeOf(table), now, 20)
    const plan = await sql<{ 'QUERY PLAN': string }>(`explain (analyze, costs off) ${text}`, params)
    const scan = plan.map((row) => row['QUERY PLAN']).find((line) => line.includes(`${table} r`))
    assert.match(String(scan), /rows=0\.00/, 'the saved cards are not read again')
    for (const each of [table, 'saved_payment_methods', 'checkouts']) await empty(each)
  }
  await empty('customers')
})

test('a delivery is deleted only after its event is erased: a readable event still has all deliveries', async () => {
  const now = Date.now()
  const old = at(now - 90 * day - hour / 2)
  await sql(addRows('events', { mark: 'evt_', moment: old }))
  await sql(addRows('deliveries', { mark: 'dlv', moment: old }))
  await purgeAll(now)
  assert.deepEqual([await countOf('events', 'evt'), await countOf('deliveries', 'dlv')], [1, 1])
  await purgeAll(now + hour)
  assert.deepEqual([await countOf('events', 'evt'), await countOf('deliveries', 'dlv')], [0, 0])
  await empty('events')
})

test('deliveries that wait for their events are not read for nothing, nor all events for some deliveries', async () => {
  const now = Date.now()
  const rows = { moment: `${at(now - 100 * day)} + n * interval '1 second'`, count: 6_000 }
  await sql(addRows('events', { mark: 'evt_', ...rows }))
  await sql(addRows('deliveries', { mark: 'dlv', ...rows }))
  // One is to be sent still. Its event stays, and keeps nothing else.
  await sql(`update deliveries set status = 'pending' where event_id = 'evt_5'`)
  await sql('analyze events, deliveries')
  assert.equal(await purge(purgeOf('events'), now, 50), 50)
  for (const countMax of [30, 500]) {
    const { sql: text, params } = purgeStatement(purgeOf('deliveries'), now, countMax)
    const plan = await sql<{ 'QUERY PLAN': string }>(`explain (analyze, costs off) ${text}`, params)
    const lines = plan.map((row) => row['QUERY PLAN']).filter((line) => !line.includes('delivery_attempts'))
    const read = lines.flatMap((line) => /(?:rows=|by Filter: )(\d+)/.exec(line)?.[1] ?? [])
    assert.ok(Math.max(...read.map(Number)) <= 60, lines.join('\n'))
  }
  assert.equal(await countOf('deliveries', 'dlv'), 5_950, 'those of the fifty events are deleted')
  await purgeAll(now)
  assert.deepEqual([await countOf('events', 'evt'), await countOf('deliveries', 'dlv')], [1, 1])
  await empty('events')
  await empty('deliveries')
})

test('an event can only be erased whole, and not changed', async () => {
  await sql(addRows('events', { mark: 'evt', moment: 'now()' }))
  await assert.rejects(sql(`update events set body = '{"a":2}'`), /frozen/)
  await assert.rejects(sql(`update events set body = '', sequence = sequence + 1`), /frozen/)
  await sql(`update events set body = ''`)
  await assert.rejects(sql(`update events set body = '{"a":1}'`), /frozen/)
  await empty('events')
})

test('a purge waits for nobody: it leaves locked rows for the next time', async () => {
  const now = Date.now()
  for (const table of oldRowTables) {
    await sql(addRows(table, { mark: 'due', moment: at(now - 400 * day), count: 30 }))
    await inTransaction(database, async (em) => {
      await em.execute(`select from ${tableOf(table)} limit 2 for update`)
      const startedAt = performance.now()
      assert.equal(await purge(purgeOf(table), now, 500), 28, table)
      assert.ok(performance.now() - startedAt < second, `${table} waited`)
    })
    assert.equal(await countOf(table, 'due'), 2, table)
    assert.equal(await purge(purgeOf(table), now, 500), 2, table)
    await empty(table)
  }
})

test('a million old rows are deleted some at a time, in short transactions', async () => {
  const now = Date.now()
  const rows = { mark: 'old', moment: `${at(now - day)} - n * interval '1 second'`, count: 1_000_000 }
  await inTransaction(database, async (em) => {
    await liftTimeLimits(em)
    await em.execute(addRows('idempotency_records', rows))
  })
  const took = []
  for (let step = 0; step < 40; step++) {
    const startedAt = performance.now()
    assert.equal(await purge(purgeOf('idempotency_records'), now), 500)
    took.push(performance.now() - startedAt)
  }
  const typical = took.toSorted((one, two) => one - two)[20] ?? Infinity
  assert.ok(typical < 200, `${typical} ms`)
  assert.equal(await purgeOldRows(database, now), true, 'there are more')
  assert.equal(await countOf('idempotency_records', 'old'), 1_000_000 - 41 * 500)
  await empty('idempotency_records')
})
