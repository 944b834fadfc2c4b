import assert from 'node:assert/strict'
import type { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { Client, type Pool } from 'pg'
import { Account } from '../../db/core/account.ts'
import { readRow, runPrepared } from '../../db/core/prepared-statement.ts'
import { openDatabase } from '../../db/open-database.ts'
import { createDatabase } from '../support/database.ts'

/** A database with one connection at a time, and how often Postgres has described the columns of a statement on it. */
async function openCounted() {
  const made = await createDatabase()
  const database = await openDatabase(made.url, 1)
  const pool = (await database.orm.em.getConnection().getNativeClient()) as Pool
  const counted = { described: 0 }
  pool.on('connect', (client) => {
    const { connection } = client as unknown as { connection: EventEmitter }
    connection.on('rowDescription', () => (counted.described += 1))
  })
  const end = async () => {
    await database.orm.close()
    await made.drop()
  }
  return { em: database.orm.em.fork(), url: made.url, counted, end }
}

test('a prepared statement is described once per connection, and reads every row as the first', async () => {
  const { em, counted, end } = await openCounted()
  try {
    for (const n of [1, 2, 3]) em.create(Account, { id: `acct_${n}`, name: `Shop ${n}`, createdAt: new Date(n) })
    await em.flush()
    const before = counted.described
    for (const n of [1, 2, 3]) {
      const row = await readRow(em, Account, { id: `acct_${n}` })
      assert.deepEqual([row?.name, row?.createdAt, row?.ownerId], [`Shop ${n}`, new Date(n), null])
    }
    assert.equal(await readRow(em, Account, { id: 'acct_4' }), null, 'no row')
    assert.equal(counted.described, before + 1)
    const both = await Promise.all([1, 2].map((n) => readRow(em, Account, { id: `acct_${n}` })))
    assert.deepEqual(
      both.map((row) => row?.name),
      ['Shop 1', 'Shop 2'],
      'waiting for one connection',
    )
  } finally {
    await end()
  }
})

test('statements with other columns, without rows, and that fail stay apart', async () => {
  const { em, end } = await openCounted()
  const typed = 'select $1::int as n, null as nothing, true as yes, array[$2::text] as list'
  const divided = 'select 10 / $1::int as n'
  try {
    for (const n of [1, 2]) {
      assert.deepEqual(
        { ...(await runPrepared(em, typed, [n, `${n}`]))[0] },
        { n, nothing: null, yes: true, list: [`${n}`] },
      )
      await assert.rejects(runPrepared(em, divided, [0]), /division by zero/)
      assert.deepEqual({ ...(await runPrepared(em, divided, [n * 5]))[0] }, { n: 2 / n })
      assert.deepEqual(await runPrepared(em, 'update accounts set name = $1 where false', ['x']), [])
      const renamed = 'update accounts set name = $1 where false returning id'
      assert.deepEqual(await runPrepared(em, renamed, ['x']), [])
      await assert.rejects(runPrepared(em, typed, ['no number', '']), /invalid input syntax/)
    }
  } finally {
    await end()
  }
})

test('after a connection is lost, the statement runs over the next one', async () => {
  const { em, url, end } = await openCounted()
  const text = 'select pg_backend_pid() as pid, $1::text as said'
  const other = new Client({ connectionString: url })
  try {
    await other.connect()
    const [first] = await runPrepared(em, text, ['one'])
    await other.query('select pg_terminate_backend($1, 5000)', [first?.['pid']])
    await runPrepared(em, text, ['lost']).catch(() => undefined) // fails unless the pool has noticed already
    const [second] = await runPrepared(em, text, ['two'])
    assert.notEqual(second?.['pid'], first?.['pid'])
    assert.equal(second?.['said'], 'two')
  } finally {
    await other.end()
    await end()
  }
})
