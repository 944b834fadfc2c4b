import assert from 'node:assert/strict'
import { test } from 'node:test'
import { housekeepingActivities } from '../../activities/housekeeping.ts'
import { type Database, inTransaction } from '../../db/core/database.ts'
import { liftTimeLimits } from '../../db/core/time-limits.ts'
import { type Purge, purgeOldest, purges, purgeStatement } from '../../db/core/purge.ts'
import { useDatabase } from '../support/use-database.ts'
import { addRows, countRows, oldRowTables } from '../support/old-rows.ts'

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
  (await sql<{ count: number }>(countRows(table, mark)))[0]?.count ?? 0
const at = (ms: number) => `'${new Date(ms).toISOString()}'::timestamptz`
const purgeOf = (table: string) => purges.find((each) => each.table === table) as Purge
/** One step of the housekeeping, which needs only the database. */
const purgeOldRows = (of: Database, moment: number) =>
  housekeepingActivities({ database: of } as Parameters<typeof housekeepingActivities>[0]).purgeOldRows(moment)
/** Deletes everything that is due, in as many steps as it takes. */
async function purgeAll(moment: number): Promise<number> {
  for (let step = 1; ; step++) if (!(await purgeOldRows(database, moment))) return step
}
/** Empties a table and the one whose rows are deleted with it. */
const empty = (table: string) => sql(`truncate ${[table, companions[table] ?? []].flat().join(', ')} cascade`)
const companions: Record<string, string> = { refresh_tokens: 'login_sessions', deliveries: 'delivery_attempts' }

/** How long rows are kept after the named moment, as docs/operating.md promises it. */
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
  assert.deepEqual(Object.fromEntries(purges.map(({ table, since, keptMs }) => [table, [since, keptMs]])), promised)
  assert.deepEqual(oldRowTables.toSorted(), Object.keys(promised).toSorted())
})

for (const [table, [, keptMs]] of Object.entries(promised)) {
  test(`${table}: a row is deleted when it is due, and one that is due a second later stays`, async () => {
    const now = Date.now()
    await sql(addRows(table, { mark: 'due', moment: at(now - keptMs - 1) }))
    await sql(addRows(table, { mark: 'left', moment: at(now - keptMs + second) }))
    await purge(purgeOf(table), now - 5)
    assert.deepEqual([await countOf(table, 'due'), await countOf(table, 'left')], [1, 1], 'a moment before')
    await purge(purgeOf(table), now)
    assert.deepEqual([await countOf(table, 'due'), await countOf(table, 'left')], [0, 1], 'on time')
    await empty(table)
  })

  test(`${table}: rows that are due are found by an index, however many others there are`, async () => {
    const now = Date.now()
    await sql(addRows(table, { mark: 'due', moment: at(now - keptMs - hour), count: 50 }))
    await sql(addRows(table, { mark: 'left', moment: `${at(now)} + n * interval '1 second'`, count: 20_000 }))
    await sql(`analyze ${table}`)
    const { sql: text, params } = purgeStatement(purgeOf(table), now, 500)
    const rows = await sql<{ 'QUERY PLAN': string }>(`explain ${text}`, params)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    const due = plan.slice(plan.indexOf('CTE due'))
    assert.match(due, new RegExp(`Index (Only )?Scan using ${purgeOf(table).index} on ${table}`), plan)
    assert.doesNotMatch(plan, new RegExp(`Seq Scan on ${table}\\b`), plan)
    await empty(table)
  })
}

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

test('rows that are still needed stay, however old they are', async () => {
  const now = Date.now()
  const old = at(now - 400 * day)
  for (const table of oldRowTables) await sql(addRows(table, { mark: 'old', moment: old }))
  await sql(`update conversion_quotes set used_at = expires_at - interval '1 second'`)
  await sql('update signing_keys set retired_at = null')
  await sql('update webhook_recoveries set completed_at = null')
  await sql('update subscription_changes set applied_at = null')
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
  for (const table of [...needed, 'payment_requests', 'subscription_changes'])
    assert.equal(await countOf(table, 'old'), 1, table)
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
    const keys = {
      rate_windows: 'subject',
      login_failures: 'email_hash',
      pending_authenticators: 'user_id',
      refresh_tokens: 'hash',
      paystack_cards: 'token',
      paystack_secrets: 'token',
    }
    const key = keys[table as keyof typeof keys] ?? (table.startsWith('simulated_') ? 'token' : 'id')
    await inTransaction(database, async (em) => {
      await em.execute(`select from ${table} where ${key} in ('due1', 'due2') for update`)
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
