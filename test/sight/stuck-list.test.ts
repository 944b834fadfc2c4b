import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { listStuckWaits } from '../../db/sight/stuck.ts'
import { planOf } from '../support/plans.ts'
import { assertError, assertFieldErrors, bearer, fromAnywhere } from '../support/api.ts'
import { addStaff } from '../support/staff.ts'
import { addUser } from '../support/user.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// The list of what is stuck: its order, its pages and its filters, over rows that no process works for.
const [minute, hour] = [60_000, 3_600_000]
const stack = await useStack({ workers: false })
const api = await useApi(stack)
const ada = await addStaff(stack)
const other = await api.addAccount()

type Page = { total: number; items: Record<'id' | 'resource' | 'reason' | 'since', string>[] }

async function list(query = ''): Promise<Page> {
  const { status, body, text } = await ada.call('GET', `/api/v1/admin/stuck?${query}`)
  assert.equal(status, 200, text)
  return body as unknown as Page
}

const keysOf = ({ items }: Page) => items.map(({ id, reason }) => `${id} ${reason}`)

type Made = { accountId?: string; createdAt: number; dueAt: number; count: number; clock?: string }

/** Open sessions that expire at a moment. */
const addSessions = ({ accountId = stack.organizationId, createdAt, dueAt, count, clock }: Made) =>
  stack.sql(
    `insert into checkouts (id, account_id, environment, clock_id, source_type, amount, currency, fee_preference,
       success_url, metadata, client_secret_hash, created_at, updated_at, expires_at)
     select 'chk_' || gen_random_uuid(), ?, 'sandbox', ?, 'API', 1, 'USD', 'org_pays', 'https://example.com', '{}', '',
       ?, ?, ? from generate_series(1, ?) n`,
    [accountId, clock ?? null, new Date(createdAt), new Date(createdAt), new Date(dueAt), count],
  )

/** Pending deliveries whose next attempt is due at a moment. */
const addDeliveries = ({ accountId = stack.organizationId, createdAt, dueAt, count }: Made) =>
  stack.sql(
    `insert into deliveries (id, account_id, environment, event_id, event_type, endpoint_id, next_attempt_at,
       created_at)
     select 'dlv_' || gen_random_uuid(), ?, 'sandbox', 'evt_' || n, 'payout.paid', 'we_x', ?, ?
     from generate_series(1, ?) n`,
    [accountId, new Date(dueAt), new Date(createdAt), count],
  )

/** Failing endpoints; the owner should have been mailed a day after `createdAt`. */
const addEndpoints = ({ createdAt, count }: Made) =>
  stack.sql(
    `insert into webhook_endpoints (id, account_id, environment, url, events, failing_since, created_at, updated_at)
     select 'we_' || gen_random_uuid(), ?, 'sandbox', 'https://example.com', '{*}', ?, ?, ?
     from generate_series(1, ?) n`,
    [stack.organizationId, new Date(createdAt), new Date(createdAt), new Date(createdAt), count],
  )

afterEach(async () => {
  for (const table of ['checkouts', 'deliveries', 'webhook_endpoints']) await stack.sql(`delete from ${table}`)
})

test('pages over several kinds with equal moments have each item once, in one order', async () => {
  const createdAt = (await stack.clock.now()) - 48 * hour
  const made = { createdAt, dueAt: createdAt + hour, count: 7 }
  await addSessions(made)
  await addDeliveries(made)
  await addEndpoints(made)
  const all = await list()
  assert.equal(all.total, 21)
  assert.equal(new Set(all.items.map(({ since }) => since)).size, 1)
  const paged: string[] = []
  for (let offset = 0; offset < 21; offset += 4) {
    const page = await list(`limit=4&offset=${offset}`)
    assert.equal(page.total, 21)
    paged.push(...keysOf(page))
  }
  assert.deepEqual(paged, keysOf(all))
  assert.equal(new Set(paged).size, 21)
  assert.deepEqual(await list('limit=4&offset=21'), { total: 21, items: [] })
  for (const kind of ['checkout_session', 'webhook_delivery', 'webhook_endpoint']) {
    const { total, items } = await list(`resource=${kind}`)
    assert.deepEqual([total, [...new Set(items.map(({ resource }) => resource))]], [7, [kind]])
  }
  for (const kind of ['payout', 'deposit', 'payment']) assert.equal((await list(`resource=${kind}`)).total, 0)
})

test('what is overdue is listed from the given minute on, whatever the wait for an answer may be', async () => {
  const now = await stack.clock.now()
  await addSessions({ createdAt: now - hour, dueAt: now - 4 * minute, count: 1 })
  await addSessions({ createdAt: now - hour, dueAt: now - 6 * minute, count: 2 })
  await addSessions({ createdAt: now - hour, dueAt: now + minute, count: 4 })
  // Made two minutes ago with a moment in the past: it has not waited for long.
  await addDeliveries({ createdAt: now - 2 * minute, dueAt: now - hour, count: 8 })
  assert.equal((await list()).total, 2)
  assert.equal((await list('older_than=525600')).total, 2)
  assert.equal((await list('overdue_by=3')).total, 3)
  assert.equal((await list('overdue_by=1')).total, 11)
  assert.equal((await list('overdue_by=0')).total, 11)
  assert.equal((await list('overdue_by=10&older_than=1')).total, 0)
})

test('an account and an environment narrow the list, also together with a kind', async () => {
  const now = await stack.clock.now()
  const made = { createdAt: now - 3 * hour, dueAt: now - hour }
  await addSessions({ ...made, count: 1 })
  await addSessions({ ...made, accountId: other, count: 2 })
  await addDeliveries({ ...made, accountId: other, count: 4 })
  assert.equal((await list()).total, 7)
  assert.equal((await list(`account_id=${other}`)).total, 6)
  assert.equal((await list(`account_id=${other}&resource=webhook_delivery&environment=sandbox`)).total, 4)
  assert.equal((await list(`account_id=${other}&environment=live`)).total, 0)
})

test('on a clock far in the past or the future, only the time of the clock counts', async () => {
  const now = await stack.clock.now()
  for (const [id, at] of Object.entries({ clk_past: now - 10_000 * hour, clk_future: now + 10_000 * hour })) {
    await stack.sql(
      `insert into test_clocks (id, account_id, environment, name, frozen_time, created_at, updated_at)
       values (?, ?, 'sandbox', 'A clock', ?, now(), now())`,
      [id, stack.organizationId, new Date(at)],
    )
    await addSessions({ createdAt: at - hour, dueAt: at + hour, count: 3, clock: id })
  }
  assert.deepEqual(await list(), { total: 0, items: [] })
  await stack.sql(`update test_clocks set frozen_time = frozen_time + interval '2 hours' where id = 'clk_future'`)
  assert.equal((await list()).total, 3)
})

test('VALIDATION_ERROR: minutes that are none, and a kind that does not exist', async () => {
  const fields = { overdue_by: 'value_error.range', older_than: 'value_error.range', resource: 'value_error.enum' }
  assertFieldErrors(await ada.call('GET', '/api/v1/admin/stuck?overdue_by=-1&older_than=0&resource=card'), fields)
})

test('FORBIDDEN: the list is the platform staff’s alone', async () => {
  const owner = await addUser(stack, { accountId: stack.organizationId, role: 'owner' })
  const headers = { ...fromAnywhere(), ...bearer(await owner.token()) }
  assertError(await stack.merchant.call('GET', '/api/v1/admin/stuck', undefined, headers), 403, 'FORBIDDEN')
})

test('of many open sessions only those are read that are overdue, once for the page and the number', async () => {
  const now = await stack.clock.now()
  await addSessions({ createdAt: now - hour, dueAt: now + hour, count: 20_000 })
  await addSessions({ createdAt: now - hour, dueAt: now - hour, count: 10 })
  await stack.sql('analyze checkouts')
  const filter = { olderThanMs: hour, overdueByMs: 5 * minute, limit: 5, offset: 0 }
  const plan = await planOf(stack, (em) => listStuckWaits(em, filter, now))
  assert.match(plan, /checkouts_open/)
  const rows = [...plan.matchAll(/"Actual Rows":(\d+)/g)].map(([, count]) => Number(count))
  assert.ok(Math.max(...rows) <= 10, `${Math.max(...rows)} rows are read in one place`)
  assert.equal([...plan.matchAll(/"Index Name":"checkouts_open"/g)].length, 1)
})
