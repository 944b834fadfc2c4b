import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { inTransaction } from '../../db/core/database.ts'
import { insertTogether } from '../../db/core/insert-together.ts'
import { addShop, key, sell } from '../support/insertion.ts'
import { useDatabase } from '../support/use-database.ts'

const database = await useDatabase({ connections: 10 })
let committed: unknown[]
await addShop(database)
beforeEach(async () => {
  committed = []
  database.onCommitted = (rows) => void committed.push(...rows.map(({ id }) => id))
  await sql('delete from checkouts')
  await sql('delete from outbox')
  await sql('delete from idempotency_records')
})

const sql = <T>(text: string): Promise<T[]> => database.orm.em.fork().execute<T[]>(text)

const stored = (table: string) => sql<Record<string, unknown>>(`select to_jsonb(t) as row from ${table} t order by id`)

test('one statement writes the same rows as a transaction', async () => {
  await insertTogether(
    database,
    (em) => sell(em, 'chk_1'),
    () => null,
  )
  const together = [await stored('checkouts'), await sql('select process, resource_id, about, signal from outbox')]
  await sql('delete from checkouts')
  await sql('delete from outbox')
  await inTransaction(database, (em) => sell(em, 'chk_1'))
  assert.deepEqual(together, [
    await stored('checkouts'),
    await sql('select process, resource_id, about, signal from outbox'),
  ])
  const [row] = await sql<{ fee_preference: string }>('select fee_preference from checkouts')
  assert.equal(row?.fee_preference, 'customer_pays')
})

test('onCommitted gets the rows of the outbox, and sweeps leave them alone for 2 seconds', async () => {
  await insertTogether(
    database,
    (em) => sell(em, 'chk_1'),
    () => null,
  )
  const rows = await sql<{ id: string; waits: boolean }>(`select id, retry_at > now() as waits from outbox`)
  assert.deepEqual(
    committed,
    rows.map(({ id }) => BigInt(id)),
  )
  assert.deepEqual(
    rows.map(({ waits }) => waits),
    [true],
  )
})

test('without onCommitted the rows of the outbox are due at once', async () => {
  database.onCommitted = null
  await insertTogether(
    database,
    (em) => sell(em, 'chk_1'),
    () => null,
  )
  await inTransaction(database, (em) => sell(em, 'chk_2'))
  const rows = await sql<{ due: boolean }>(`select retry_at <= now() as due from outbox`)
  assert.deepEqual(
    rows.map(({ due }) => due),
    [true, true],
  )
})

test('if the guard inserts nothing, nothing is inserted', async () => {
  assert.equal(
    await insertTogether(
      database,
      (em) => sell(em, 'chk_1'),
      () => key('k'),
    ),
    'chk_1',
  )
  assert.equal(
    await insertTogether(
      database,
      (em) => sell(em, 'chk_2'),
      () => key('k'),
    ),
    null,
  )
  assert.deepEqual(await sql('select id from checkouts'), [{ id: 'chk_1' }])
  assert.equal((await sql('select id from outbox')).length, 1)
  assert.equal(committed.length, 1)
})

test('of 30 insertions at once with one key exactly one succeeds', async () => {
  const ids = Array.from({ length: 30 }, (_, index) => `chk_${index}`)
  const answers = await Promise.all(
    ids.map((id) =>
      insertTogether(
        database,
        (em) => sell(em, id),
        () => key('k'),
      ),
    ),
  )
  const winners = answers.filter((answer) => answer !== null)
  assert.deepEqual(
    await sql('select id from checkouts'),
    winners.map((id) => ({ id })),
  )
  assert.equal(winners.length, 1)
})

test('a text that is too long is refused, not cut, and nothing is inserted', async () => {
  const tooLong = insertTogether(
    database,
    (em) => sell(em, 'chk_1', 'x'.repeat(501)),
    () => key('k'),
  )
  await assert.rejects(tooLong, /value too long/)
  assert.deepEqual([await stored('checkouts'), await stored('idempotency_records'), committed], [[], [], []])
})

test('insertions and deletions are counted, however a row was inserted', async () => {
  await insertTogether(
    database,
    (em) => sell(em, 'chk_1'),
    () => null,
  )
  await inTransaction(database, (em) => sell(em, 'chk_2'))
  await sql(`delete from checkouts where id = 'chk_1'`)
  const counts = await sql(`select sum(count)::int as total from row_counts where table_name = 'checkouts'`)
  assert.deepEqual(counts, [{ total: 1 }])
})
