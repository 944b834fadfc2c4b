import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { goByClock, inTransaction } from '../../db/core/database.ts'
import { isRefusedForRows } from '../../db/core/insert-queue.ts'
import { insertTogether } from '../../db/core/insert-together.ts'
import type { OutboxRow } from '../../db/core/outbox.ts'
import { openDatabase } from '../../db/open-database.ts'
import { isUnavailable } from '../../engine/unavailable.ts'
import { startProxy } from '../proof/proxy.ts'
import { addShop, key, sell } from '../support/insertion.ts'
import { until } from '../support/until.ts'
import { useDatabase } from '../support/use-database.ts'

// Calls that insert the same kind of rows at the same time share statements.
const database = await useDatabase({ connections: 10 })
let committed: OutboxRow[]
await addShop(database)
beforeEach(async () => {
  committed = []
  database.onCommitted = (rows) => void committed.push(...rows)
  for (const table of ['checkouts', 'outbox', 'idempotency_records', 'row_counts']) await sql(`delete from ${table}`)
})

const sql = <T>(text: string): Promise<T[]> => database.orm.em.fork().execute<T[]>(text)
const idsOf = (count: number) => Array.from({ length: count }, (_, index) => `chk_${String(index).padStart(2, '0')}`)
const idsIn = async (table: string, column = 'id') =>
  (await sql<{ id: string }>(`select ${column} as id from ${table} order by 1`)).map(({ id }) => id)
const insert = (id: string, description?: string, of = id) =>
  insertTogether(
    database,
    (em) => sell(em, id, description),
    () => key(of),
  )
/** Rows of one statement, which is a transaction, have the same `xmin`. */
const statementsOf = async () =>
  Number((await sql<{ n: string }>('select count(distinct xmin::text) as n from checkouts'))[0]?.n)

test('of 40 insertions at once two go at once, and the others share three statements', async () => {
  const ids = idsOf(40)
  assert.deepEqual(await Promise.all(ids.map((id) => insert(id))), ids)
  assert.deepEqual(await idsIn('checkouts'), ids)
  assert.deepEqual(await idsIn('idempotency_records'), ids)
  assert.equal(await statementsOf(), 5)
})

test('one after the other each has a statement of its own', async () => {
  for (const id of idsOf(3)) await insert(id)
  assert.equal(await statementsOf(), 3)
})

test('those that share a statement write the same rows as one by itself', async () => {
  const text = 'It’s “1”, \\u0041 \\ \t\n "x" 🙂 {a,b} ?'
  await Promise.all(idsOf(10).map((id) => insert(id, text)))
  const differing = `(to_jsonb(c) - 'id')::text as row`
  assert.equal(await statementsOf(), 3)
  assert.equal((await sql(`select distinct ${differing} from checkouts c`)).length, 1)
  assert.equal((await sql<{ description: string }>('select description from checkouts'))[9]?.description, text)
  assert.equal((await sql(`select distinct about::text, process, signal, attempts from outbox`)).length, 1)
  const [count] = await sql<{ total: number }>(`select sum(count)::int as total from row_counts`)
  assert.equal(count?.total, 10)
})

test('each call announces its own rows of the outbox, with their ids', async () => {
  await Promise.all(idsOf(20).map((id) => insert(id)))
  const stored = await sql<{ id: string; resource_id: string }>('select id, resource_id from outbox order by id')
  assert.equal(stored.length, 20)
  assert.deepEqual(
    committed.map(({ id, resourceId }) => ({ id: String(id), resource_id: resourceId })).toSorted(bySequence),
    stored.toSorted(bySequence),
  )
})
const bySequence = (left: { id: string }, right: { id: string }) => Number(left.id) - Number(right.id)

test('a call that Postgres refuses takes none of the others with it', async () => {
  const ids = idsOf(20)
  const answers = await Promise.allSettled(ids.map((id) => insert(id, id === 'chk_07' ? 'x'.repeat(501) : 'A sale')))
  const refused = answers.flatMap((answer, index) => (answer.status === 'rejected' ? [ids[index]] : []))
  assert.deepEqual(refused, ['chk_07'])
  const others = ids.filter((id) => id !== 'chk_07')
  assert.deepEqual([await idsIn('checkouts'), await idsIn('outbox', 'resource_id')], [others, others])
  assert.deepEqual(committed.map(({ resourceId }) => resourceId).toSorted(), others)
})

test('what Postgres has refused for its rows is known in any language, and nothing else is sent again', () => {
  for (const severity of ['ERROR', 'FEHLER']) assert.ok(isRefusedForRows({ severity, code: '22001' }))
  // Two that waited for each other: each goes at once by itself.
  for (const code of ['40P01', '40001']) assert.ok(isRefusedForRows({ severity: 'ERROR', code }))
  // Lost connections, a time-out of the statement or of a lock, no room, and a replica.
  const unable = ['08P01', '57P01', '57P02', '57014', '55P03', '53100', '53200', '53300', '25006']
  for (const code of unable) assert.ok(!isRefusedForRows({ severity: 'ERROR', code }), code)
  for (const code of ['EPIPE', 'ECONNRESET']) assert.ok(!isRefusedForRows({ code }))
})

test('all statements take keys in one order, whatever the order of the calls', async () => {
  await Promise.all(
    idsOf(12)
      .toReversed()
      .map((id) => insert(id)),
  )
  const ofOthers = `select id from idempotency_records r where exists (
    select from idempotency_records o where o.xmin = r.xmin and o.id <> r.id) order by ctid`
  const written = (await sql<{ id: string }>(ofOthers)).map(({ id }) => id)
  assert.deepEqual(written, idsOf(10))
})

test('calls on a test clock go by themselves', async () => {
  const onClock = (id: string) =>
    insertTogether(
      database,
      (em) => {
        goByClock(em, { id: 'clk_1', time: 0 })
        return sell(em, id)
      },
      () => key(id),
    )
  await Promise.all(idsOf(6).map(onClock))
  assert.equal(await statementsOf(), 6)
})

test('of calls with one key one inserts its rows, among many with keys of their own', async () => {
  const ids = idsOf(30)
  const answers = await Promise.all(ids.map((id, index) => insert(id, 'A sale', index % 3 === 0 ? 'the same' : id)))
  const inserted = answers.filter((answer) => answer !== null)
  assert.deepEqual(await idsIn('checkouts'), inserted.toSorted())
  assert.equal(inserted.length, 21)
  assert.equal(committed.length, 21)
  assert.equal(await insert('chk_late', 'A sale', 'the same'), null)
})

test('a text that JSON of Postgres refuses goes by itself', async () => {
  const loneHalf = '\uD83D half of a sign'
  await Promise.all(idsOf(10).map((id, index) => insert(id, index === 6 ? loneHalf : 'A sale')))
  const [row] = await sql<{ description: string }>(`select description from checkouts where id = 'chk_06'`)
  assert.equal(row?.description, '\uFFFD half of a sign')
  assert.equal((await idsIn('checkouts')).length, 10)
  assert.equal(await statementsOf(), 4)
})

test('statements that wait for the key of a call under way do not keep the others waiting', async () => {
  const waiting = await inTransaction(database, async (em) => {
    await em.execute(`insert into idempotency_records (id, body_hash, expires_at)
      select id, id, now() from unnest(array['a', 'b']) id`)
    const held = ['a', 'b'].map((id) => insert(`chk_${id}`, 'A sale', id))
    const ids = idsOf(20)
    assert.deepEqual(await Promise.all(ids.map((id) => insert(id))), ids)
    assert.deepEqual(await idsIn('checkouts'), ids)
    return held
  })
  assert.deepEqual(await Promise.all(waiting), [null, null])
})

test('calls whose statement takes too long are not sent again, one by one, to take as long', async () => {
  const ids = idsOf(20)
  const answers = await inTransaction(database, async (em) => {
    await em.execute('lock table checkouts in share mode')
    let heard = 0
    const calls = ids.map((id) => insert(id).finally(() => (heard += 1)))
    const all = Promise.allSettled(calls)
    const waits = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await until(async () => (await sql(waits)).length >= 4, 'all statements wait for the table')
    await sql(`select pg_cancel_backend(pid) from (${waits}) waiting`)
    await until(async () => heard === 20 || (await sql(waits)).length > 4, 'all have heard of it, or wait again')
    assert.equal(heard, 20)
    return all
  })
  const codes = answers.map((answer) => (answer.status === 'rejected' ? String(answer.reason.code) : 'inserted'))
  assert.deepEqual([...new Set(codes)], ['57014'])
  assert.deepEqual(await idsIn('checkouts'), [])
})

test('calls whose statement loses the database hear of it, insert nothing, and may be made again', async () => {
  const ids = idsOf(20)
  const answers = await inTransaction(database, async (em) => {
    await em.execute('lock table checkouts in share mode')
    const calls = Promise.allSettled(ids.map((id) => insert(id)))
    const waits = `select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    await until(async () => (await sql(waits)).length >= 4, 'all statements wait for the table')
    await sql(`select pg_terminate_backend(pid) from (${waits}) waiting`)
    return calls
  })
  const reasons = answers.map((answer) => (answer.status === 'rejected' ? String(answer.reason) : 'inserted'))
  for (const reason of reasons) assert.match(reason, /terminat/)
  assert.deepEqual([await idsIn('checkouts'), await idsIn('idempotency_records'), committed], [[], [], []])
  assert.deepEqual(await Promise.all(ids.map((id) => insert(id))), ids)
})

test('calls whose statement commits and loses its answer hear of it, and find their rows when made again', async () => {
  const url = new URL(database.url)
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) })
  Object.assign(url, { hostname: '127.0.0.1', port: String(proxy.port) })
  const proxied = await openDatabase(url.href, 10)
  let cuts = 0
  proxy.inspect((chunk) => {
    if (!chunk.includes('with calls as materialized')) return 'forward' // a connection's first statement for several
    cuts += 1
    return 'forward and cut'
  })
  const ids = idsOf(20)
  const make = (id: string) =>
    insertTogether(
      proxied,
      (em) => sell(em, id),
      () => key(id),
    )
  const outcome = (call: PromiseSettledResult<string | null>) =>
    call.status === 'fulfilled' ? call.value : isUnavailable(call.reason)
  const answers = (await Promise.allSettled(ids.map(make))).map(outcome)
  assert.deepEqual(answers, [...ids.slice(0, 2), ...Array.from({ length: 18 }, () => true)])
  assert.equal(cuts, 2)
  await until(async () => (await idsIn('checkouts')).length === 20, 'all have committed')
  proxy.inspect()
  assert.deepEqual(await Promise.all(ids.map(make)), Array(20).fill(null)) // their keys have been used
  assert.deepEqual([await idsIn('checkouts'), await idsIn('idempotency_records')], [ids, ids])
  assert.deepEqual(await idsIn('outbox', 'resource_id'), ids)
  await proxied.orm.close(true)
  await proxy.shut()
})
