import assert from 'node:assert/strict'
import { test } from 'node:test'
import { processId } from '../../domain/processes.ts'
import { housekeeping } from '../../engine/own-processes.ts'
import { addRows, contentCountQuery, oldRowTables, tableOf } from '../support/old-rows.ts'
import { settled } from '../support/settled.ts'
import { useStack } from '../support/use-stack.ts'
import { addImage } from '../support/upload.ts'

// When uploads that nothing uses and old rows are deleted, by the process's clock.
const minute = 60_000
const hour = 60 * minute

const stack = await useStack({ skipping: true, invariants: 'after each test' })
await stack.services.engine.dispatch({ ...housekeeping(stack), signal: null })

const rest = () => settled(stack.client, 'housekeeping', stack.taskQueue)
const describe = () => stack.client.workflow.getHandle(processId('housekeeping', stack.taskQueue)).describe()

/** Moves the clock to a moment, and waits until what was due has been done. */
async function reach(moment: number): Promise<void> {
  await stack.skip(moment - (await stack.clock.now()))
  await rest()
}

/** Moves the clock to just after one of the process's hourly runs; returns when that run was. */
async function reachLook(): Promise<number> {
  await rest()
  const { events } = await stack.client.workflow.getHandle(processId('housekeeping', stack.taskQueue)).fetchHistory()
  const timer = events?.findLast(({ timerStartedEventAttributes: attributes }) => attributes)
  const startedAt = Number(timer?.eventTime?.seconds) * 1000
  await reach(startedAt + hour + minute)
  return startedAt + hour
}

async function upload(): Promise<{ id: string; at: number }> {
  const id = await addImage(stack.merchant)
  const [row] = await stack.sql<{ at: number }>(
    'select (extract(epoch from created_at) * 1000)::float8 as at from uploads where id = ?',
    [id],
  )
  assert.ok(row)
  return { id, at: row.at }
}

const isKept = async (id: string) => (await stack.sql('select from uploads where id = ?', [id])).length === 1
const product = { name: 'A poster', price_type: 'free', currency: 'USD' }

test('an unused upload is kept for 24 hours, and deleted at the first hourly run after that', async () => {
  const look = await reachLook()
  await reach(look + hour - 30_000) // so that a look comes half a minute before it is a day old
  const { id, at } = await upload()
  assert.ok(at < look + hour)
  await reach(at + 24 * hour - minute)
  assert.ok(await isKept(id), 'at 23:59')
  await reach(at + 24 * hour + hour + minute)
  assert.ok(!(await isKept(id)), 'after 24 hours')
  assert.deepEqual(await stack.sql('select from upload_contents'), [])
})

test('an attached upload is kept, and a detached one is deleted a day after it was detached', async () => {
  const [kept, detached] = [await upload(), await upload()]
  const { body } = await stack.merchant.call('POST', '/v1/products', { ...product, images: [kept.id, detached.id] })
  await reach(kept.at + 50 * hour)
  assert.ok((await isKept(kept.id)) && (await isKept(detached.id)))
  const detachedAt = await stack.clock.now()
  await stack.merchant.call('PATCH', `/v1/products/${body['product_id']}`, { images: [kept.id] })
  await reach(detachedAt + 24 * hour - minute)
  assert.ok(await isKept(detached.id))
  await reach(detachedAt + 25 * hour + minute)
  assert.ok(!(await isKept(detached.id)))
  assert.ok(await isKept(kept.id))
})

test('one run deletes all unused uploads that are a day old, even 120', async () => {
  const since = new Date((await stack.clock.now()) - 24 * hour)
  await stack.sql(
    `with made as (
       insert into uploads (id, account_id, environment, file_name, content_type, size, sha256, unattached_since,
         created_at)
       select 'upl_' || g, 'acct_x', 'live', 'a.png', 'image/png', 1, '', ?, now() from generate_series(1, 120) g
       returning id)
     insert into upload_contents select id, 'x' from made`,
    [since],
  )
  await reachLook()
  assert.deepEqual(await stack.sql(`select id from uploads where account_id = 'acct_x'`), [])
})

test('one run deletes every row of every table that is past its time, and keeps the newer ones', async () => {
  const now = await stack.clock.now()
  const [old, recent] = [now - 400 * 24 * hour, now + hour].map((ms) => `'${new Date(ms).toISOString()}'::timestamptz`)
  for (const table of oldRowTables) {
    await stack.sql(addRows(table, { mark: 'old', moment: String(old), count: 1_200 }))
    await stack.sql(addRows(table, { mark: 'recent', moment: String(recent) }))
  }
  await reachLook()
  for (const table of oldRowTables) {
    const counts = await stack.sql<{ count: number }>(
      `${contentCountQuery(table, 'old')} union all ${contentCountQuery(table, 'recent')}`,
    )
    assert.deepEqual(counts, [{ count: 0 }, { count: 1 }], table)
  }
  for (const table of oldRowTables) {
    await stack.sql(`delete from ${tableOf(table)} where true`)
  }
  await stack.sql('delete from delivery_attempts')
})

test('shards of closed connections, and those of past hours, are added up into one row', async () => {
  const over = new Date(Math.floor((await stack.clock.now()) / hour) * hour - 48 * hour)
  await stack.sql(
    `insert into row_counts (table_name, account_id, environment, facet, slot, count)
     select 'customers', 'acct_' || g % 50, 'live', '', -g, 1 - 2 * (g / 50 % 2) from generate_series(1, 5000) g`,
  )
  await stack.sql(
    `insert into ledger_sums
       (account_id, environment, book, minutes, created_from, matures_from, currency, slot, amount)
     select 'acct_x', 'live', 'merchant', 60, ?::timestamptz, ?::timestamptz, 'USD', slot, amount
     from (values (pg_backend_pid(), 7), (-1, -7)) v (slot, amount)`,
    [over, over],
  )
  await reachLook()
  assert.deepEqual(await stack.sql('select slot from row_counts where slot < 0'), [])
  const sums = await stack.sql<{ slot: number; amount: string }>(
    `select slot, amount::int from ledger_sums where account_id = 'acct_x'`,
  )
  assert.deepEqual(sums, [{ slot: 0, amount: 0 }])
})

test('starting housekeeping twice changes nothing; it never ends, and its history stays short', async () => {
  const was = await describe()
  await stack.services.engine.dispatch({ ...housekeeping(stack), signal: null })
  assert.equal((await describe()).runId, was.runId)
  await reach((await stack.clock.now()) + 30 * hour)
  const now = await describe()
  assert.notEqual(now.runId, was.runId, 'it continues in a new run')
  assert.equal(now.status.name, 'RUNNING')
  assert.ok(now.historyLength < 200, `${now.historyLength} events`)
})
