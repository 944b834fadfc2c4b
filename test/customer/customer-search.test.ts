import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QBFilterQuery } from '@mikro-orm/postgresql'
import { type EntityManager, inTransaction } from '../../db/core/database.ts'
import { Customer, searchFor } from '../../db/customer/customer.ts'
import { planOf } from '../support/plans.ts'
import { useDatabase } from '../support/use-database.ts'
import { randomly } from '../support/story.ts'

// One and two letters have no trigram, so another index finds them; it must find exactly what LIKE finds.
const owner = { accountId: 'acct_search', environment: 'sandbox' as const }

const database = await useDatabase({ connections: 1 }) // so that settings stay

const sql = <T extends object>(text: string, values: unknown[] = []) =>
  database.orm.em.fork().execute<T[]>(text, values)

const insert = `insert into customers (id, account_id, environment, email, name, metadata, created_at, updated_at)`

test('a search for random parts, in any case and with any letters, finds what a plain LIKE finds', async () => {
  const below = randomly(7)
  const pick = <T>(of: readonly T[]): T => of[below(of.length)] as T
  const alphabet = [...'aabBxXuU01 -.%_\\\'"éÉßżŻσςΣİıñÑ中文𝒳😀']
  const text = (length: number) => Array.from({ length }, () => pick(alphabet)).join('')
  const rows = Array.from({ length: 300 }, (_, n) => ({
    n,
    email: `${text(below(5)).replaceAll(/[ İ]/g, '').toLowerCase()}${n}@x.example`,
    name: n % 7 === 0 ? null : text(1 + below(12)),
  }))
  await sql(
    `${insert} select 'cust_' || n, 'acct_search', case when n % 3 = 0 then 'live' else 'sandbox' end, email,
       case when n % 2 = 0 then name else 'Someone Else' end, '{}'::jsonb, now(), now()
     from json_to_recordset(?) as t (n int, email text, name text)`,
    [JSON.stringify(rows)],
  )
  await sql(
    `update customers c set name = t.name from json_to_recordset(?) as t (n int, name text)
     where n % 2 = 1 and c.id = 'cust_' || n`,
    [JSON.stringify(rows)],
  )
  await sql('analyze customers')
  await sql('set enable_seqscan = off') // so few rows would be scanned
  const parts = rows.map(({ name, email }) => {
    const from = [...(name ?? email)]
    const part = from
      .slice(below(from.length))
      .slice(0, 1 + below(4))
      .join('')
    return pick([part, part.toUpperCase(), part.toLowerCase()])
  })
  let found = 0
  for (const term of [...alphabet, ...parts.slice(0, 80), ...Array.from({ length: 40 }, () => text(1 + below(3)))]) {
    const like = `%${term.replaceAll(/[\\%_]/g, '\\$&')}%`
    const plain = await sql<{ id: string }>(
      `select id from customers
     where account_id = ? and environment = ? and (email like ? or lower(name) like lower(?))`,
      [owner.accountId, owner.environment, like.toLowerCase(), like],
    )
    const em = database.orm.em.fork()
    const { where, total } = await searchFor(em, owner, term)
    const rowsFound = await em.find(Customer, where)
    assert.deepEqual(rowsFound.map(({ id }) => id).toSorted(), plain.map(({ id }) => id).toSorted(), term)
    assert.equal(total, plain.length)
    found += plain.length
  }
  assert.ok(found > 500, `${found} found`)
})

test('among 30,000 customers a page is found by an index, wherever in the list its matches are', async () => {
  await sql('set enable_seqscan = on')
  await sql('set statement_timeout = 0')
  await sql('set transaction_timeout = 0')
  // Of the other account all are found by two letters. `Early` are the oldest thousand, which a list shows last.
  await sql(
    `${insert} select 'cust_many_' || n, case when n % 6 = 0 then 'acct_other' else 'acct_search' end, 'sandbox',
       'b' || n || '@example.com', case when n % 6 = 0 or n % 2999 = 7 then 'Xu Wei ' when n <= 1200 then 'Early '
       else 'Buyer ' end || n, '{}'::jsonb, now() + n * interval '1 s', now()
     from generate_series(1, 30000) n`,
  )
  await sql('vacuum analyze customers')
  const plan = async (term: string) => {
    const finding = await planOf({ database }, (em) => searchFor(em, owner, term))
    const em = database.orm.em.fork()
    const { where } = await searchFor(em, owner, term)
    const query = em
      .createQueryBuilder(Customer)
      .where(where as QBFilterQuery<Customer>)
      .orderBy({ createdAt: 'desc', id: 'desc' })
      .limit(51)
    const rows = await sql<Record<'QUERY PLAN', string>>(`explain (analyze) ${query.getFormattedQuery()}`)
    return { finding, paging: rows.map((row) => row['QUERY PLAN']).join('\n') }
  }
  const readsOthers = /Seq Scan|Rows Removed by Filter"?: \d{3}/
  for (const term of ['xu', 'XU', 'W', 'xu ', 'u w']) {
    const { finding, paging } = await plan(term)
    assert.match(finding, /customers_short_parts/, term)
    assert.doesNotMatch(finding, readsOthers, 'nor are another account’s rows read')
    assert.doesNotMatch(paging, readsOthers)
  }
  const { finding: findingEarly, paging: pagingEarly } = await plan('early')
  for (const early of [findingEarly, pagingEarly]) assert.doesNotMatch(early, readsOthers)
  assert.doesNotMatch(pagingEarly, /customers_newest/)
  for (const term of ['bu', 'B', '.c', 'buyer']) {
    const { paging } = await plan(term)
    assert.match(paging, /Index Scan Backward using customers_newest/, term)
    assert.doesNotMatch(paging, /Sort|Rows Removed by Filter: \d{3}/, term)
  }
})

test('a search with few matches looks for them once, and then reads a page of them by their ids', async () => {
  const { read, matches } = await inTransaction(database, async (em) => {
    const before = await fetchedSoFar(em)
    const { where, total } = await searchFor(em, owner, 'xu')
    const page = await em.find(Customer, where, { orderBy: { createdAt: 'desc', id: 'desc' }, limit: 51 })
    assert.equal(page.length, total)
    return { read: (await fetchedSoFar(em)) - before, matches: total }
  })
  assert.ok(matches >= 9)
  assert.equal(read, 2 * matches, 'each match is read when it is found and when it is shown')
})

for (const [what, matches] of [
  ['with ids', 500],
  ['without', 501],
  ['as many as are kept', 2_000],
  ['more', 2_001],
] as const) {
  test(`all of ${matches} matches are found and counted (${what})`, async () => {
    await sql(
      `${insert} select 'cust_' || ? || '_' || n, 'acct_some', 'sandbox', ? || n || '@example.com', null, '{}'::jsonb,
         now() + n * interval '1 s', now() from generate_series(1, ?::int) n`,
      [matches, `of-${matches}-`, matches],
    )
    const em = database.orm.em.fork()
    const { where, total } = await searchFor(em, { ...owner, accountId: 'acct_some' }, `of-${matches}-`)
    assert.equal(total, matches)
    const last = await em.find(Customer, where, { orderBy: { createdAt: 'desc', id: 'desc' }, limit: 2 })
    assert.deepEqual(
      last.map(({ id }) => id),
      [`cust_${matches}_${matches}`, `cust_${matches}_${matches - 1}`],
    )
    assert.equal(await em.count(Customer, where), matches)
  })
}

/** How many customers a transaction has read so far. */
async function fetchedSoFar(em: EntityManager): Promise<number> {
  const [row] = await em.execute<{ read: string }[]>(
    `select idx_tup_fetch + seq_tup_read as read from pg_stat_xact_user_tables where relname = 'customers'`,
  )
  return Number(row?.read)
}
