import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction } from '../../db/core/database.ts'
import { purgeOldest, purges } from '../../db/core/purge.ts'
import { addRows, contentCountQuery } from '../support/old-rows.ts'
import { useDatabase } from '../support/use-database.ts'

// Events and deliveries may be divided by months one day (docs/decisions/0083). The purge of this release has to be
// safe then, because its workers still run while the next release divides the tables.
const database = await useDatabase()
const sql = <T extends object>(text: string) => database.orm.em.fork().execute<T[]>(text)
const day = 24 * 3_600_000

/** Makes the table, as it is, the first part of a divided one, which is divided by ids: `left…` is in the second. */
async function divide(table: string): Promise<void> {
  await sql(`alter table ${table} rename to ${table}_before`)
  await sql(`create table ${table} (like ${table}_before including defaults) partition by range (id)`)
  await sql(`alter table ${table} attach partition ${table}_before for values from (minvalue) to ('left')`)
  await sql(`create table ${table}_after partition of ${table} for values from ('left') to (maxvalue)`)
}

for (const table of ['deliveries', 'events']) {
  test(`${table}: divided by ids, only what is due is purged, though rows of each part share places`, async () => {
    const now = Date.now()
    await divide(table)
    const old = `'${new Date(now - 400 * day).toISOString()}'::timestamptz`
    await sql(addRows(table, { mark: 'due', moment: old, count: 20 }))
    await sql(addRows(table, { mark: 'left', moment: 'now()', count: 20 }))
    const places = await sql(`select from ${table} r join ${table} o on r.ctid = o.ctid and r.tableoid <> o.tableoid`)
    assert.equal(places.length, 40, 'each place is of two rows')
    const purge = purges.find((each) => each.table === table)
    assert.ok(purge)
    assert.equal(await inTransaction(database, (em) => purgeOldest(em, purge, now, 500)), 20)
    const counts = await sql<{ count: number }>(
      `${contentCountQuery(table, 'due')} union all ${contentCountQuery(table, 'left')}`,
    )
    assert.deepEqual(counts, [{ count: 0 }, { count: 20 }])
  })
}
