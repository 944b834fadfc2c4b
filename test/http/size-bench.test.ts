import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import type { Pool } from 'pg'
import { operationIdOf } from '../../api/http/operation-id.ts'
import { operations } from '../../api/operations.ts'
import { fillDatabase } from '../../bench/size/fill.ts'
import { backgroundReads } from '../../bench/size/background.ts'
import { filtersOf, leftOut, sizedCalls } from '../../bench/size/calls.ts'
import { readOfBackground, type Side } from '../../bench/size/compare.ts'
import { knownValues, type SizedMerchant } from '../../bench/size/merchant.ts'
import { statementsIn } from '../../bench/size/plans.ts'
import { isRecord } from '../../domain/narrow.ts'
import { checkCounts, checkLedger } from '../support/invariants.ts'
import { useDatabase } from '../support/use-database.ts'

// What `npm run bench -- --only scale` calls, and the database that it fills.

const reads = operations.filter(({ method, returnsStream }) => method === 'get' && !returnsStream)
const ids = reads.map(operationIdOf)

test('the bench of size calls every read of the API, or says why it does not', () => {
  const called = new Set(sizedCalls.map(({ operation }) => operation))
  assert.deepEqual(
    ids.filter((id) => !called.has(id) && !(id in leftOut)),
    [],
  )
  assert.deepEqual(
    ids.filter((id) => called.has(id) && id in leftOut),
    [],
  )
  assert.deepEqual(
    Object.keys(leftOut).filter((id) => !ids.includes(id)),
    [],
    'no such operation',
  )
})

for (const operation of reads.filter((each) => !(operationIdOf(each) in leftOut))) {
  const id = operationIdOf(operation)
  const calls = sizedCalls.filter((call) => call.operation === id)
  test(`${id} is called with each of its filters, and on a page from the middle if it has pages`, () => {
    for (const name of filtersOf(operation)) {
      const isCalled = calls.some(({ filter }) => filter.startsWith(`${name}=`))
      assert.ok(isCalled || withoutValue.has(`${id} ${name}`), `no call with the filter ${name}`)
    }
    const { properties = {} } = isRecord(operation.query) ? (operation.query as { properties?: object }) : {}
    const isPaged = 'cursor' in properties || 'offset' in properties
    assert.equal(
      calls.some(({ filter }) => filter === 'a page from the middle'),
      isPaged,
    )
  })
}
/** Filters that only move the moments of a call without any. */
const withoutValue = new Set(['staff.stuck.list older_than', 'staff.stuck.list overdue_by'])

test('what stands in braces in a path is found out for each merchant', () => {
  const named = new Set(sizedCalls.flatMap(({ path }) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)))
  assert.deepEqual(
    [...named].filter((name) => !knownValues.includes(name)),
    [],
  )
})

const database = await useDatabase()

test('the database of the bench has the ledger and the counts that real sales leave', async () => {
  const em = database.orm.em.fork()
  await em.execute(`insert into accounts (id, name, created_at) values ('acct_platform', 'Platform', now())`)
  const filling = { merchant: 'acct_platform', payments: 1_000, accounts: 10, division: 'many merchants' } as const
  await fillDatabase(database.url, filling, () => undefined)
  assert.deepEqual(await checkLedger(database), [])
  assert.deepEqual(await checkCounts(database), [])
  const apart = await em.execute(
    `select r.id from refunds r join payments p on p.id = r.charge_id where r.account_id <> p.account_id
     union all select p.id from payments p join customers c on c.id = p.customer_id where p.account_id <> c.account_id`,
  )
  assert.deepEqual(apart, [])
  const shares = await em.execute<{ count: number }[]>(
    'select count(*)::int as count from payments group by account_id order by 1 desc',
  )
  assert.deepEqual(
    shares.map(({ count }) => count),
    [100, ...Array.from({ length: 10 }, () => 90)],
  )
})

test('what follows new events is measured: all of its statements count, and none as that of the process', async () => {
  const pool = (await database.orm.em.getConnection().getNativeClient()) as Pool
  const feed = backgroundReads.filter(({ isPrepared }) => isPrepared)
  assert.ok(feed.length > 2)
  for (const background of feed) {
    const query = mock.method(pool, 'query')
    const ran = ({ arguments: [sent] }: { arguments: unknown[] }) => ({
      text: (sent as { text: string }).text,
      rows: 7,
      pages: 3,
      ms: 1,
    })
    const statements = { skip: () => void query.mock.resetCalls(), next: () => query.mock.calls.map(ran) }
    const merchant = { accountId: 'acct_platform' } as SizedMerchant
    const side: Side = { database, statements, merchant, caller: {} as Side['caller'] }
    const read = await readOfBackground(side, background, Date.now())
    const sent = query.mock.callCount()
    query.mock.restore()
    assert.deepEqual([sent > 0, read.rows, read.pages], [true, 7 * sent, 3 * sent], background.name)
  }
})

test('the statements of one database are read from the log, with what they have read', () => {
  const plan = (rows: number) =>
    JSON.stringify({
      'Query Text': 'select 1',
      Plan: {
        'Node Type': 'Limit',
        'Actual Rows': 1,
        'Actual Loops': 1,
        'Shared Hit Blocks': 3,
        'Shared Read Blocks': 4,
        Plans: [
          {
            'Node Type': 'Index Scan',
            'Index Name': 'i',
            'Relation Name': 't',
            'Actual Rows': rows,
            'Actual Loops': 2,
            'Rows Removed by Filter': 5,
          },
        ],
      },
    })
  const line = (name: string, text: string) => `2026-11-26 13:00:00.000 UTC [12] ${name} ${text}\n`
  const log = [
    line('large', `LOG:  duration: 1.500 ms  plan:\n\t${plan(10)}`),
    line('small', `LOG:  duration: 2.000 ms  plan:\n\t${plan(99)}`),
    line('large', 'ERROR:  duration is no number'),
  ].join('')
  assert.deepEqual(statementsIn(log, 'large'), [{ text: 'select 1', rows: 30, pages: 7, ms: 1.5 }])
})
