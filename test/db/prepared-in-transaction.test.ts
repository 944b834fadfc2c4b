import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Account } from '../../db/core/account.ts'
import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { runOneOfMany, runPrepared } from '../../db/core/prepared-statement.ts'
import { openDatabase } from '../../db/open-database.ts'
import { createDatabase } from '../support/database.ts'
import { atEnd } from '../support/use.ts'

const made = await createDatabase()
const database = await openDatabase(made.url, 1)
atEnd(async () => {
  await database.orm.close()
  await made.drop()
})

type Prepared = { statement: string; runs: number }

/** The statements that the connection has prepared whose text has a part, and how often each has run. */
const preparedWith = (em: EntityManager, part: string) =>
  em.execute<Prepared[]>(
    `select statement, (generic_plans + custom_plans)::int as runs from pg_prepared_statements
     where position(? in statement) > 0 order by prepare_time`,
    [part],
  )

const newAccount = (em: EntityManager, id: string) => em.create(Account, { id, name: id, createdAt: new Date(1_234) })

test('a prepared statement is planned once per connection, in transactions and outside of them', async () => {
  const text = 'select $1::int as planned_once'
  assert.deepEqual({ ...(await runPrepared(database.orm.em.fork(), text, [1]))[0] }, { planned_once: 1 })
  for (const n of [2, 3]) {
    const [row] = await inTransaction(database, (em) => runPrepared(em, text, [n]))
    assert.deepEqual({ ...row }, { planned_once: n })
  }
  const failing = inTransaction(database, async (em) => {
    await runPrepared(em, 'select 1 / $1::int as first_in_failed', [1])
    return runPrepared(em, 'select 1 / $1::int as first_in_failed', [0])
  })
  await assert.rejects(failing, /division by zero/)
  await inTransaction(database, (em) => runPrepared(em, 'select 1 / $1::int as first_in_failed', [1]))
  const em = database.orm.em.fork()
  assert.deepEqual(await preparedWith(em, 'as planned_once'), [{ statement: text, runs: 3 }])
  assert.equal((await preparedWith(em, 'as first_in_failed')).length, 1)
})

test('what commits often insert, or change by its id, is prepared with all its values', async () => {
  const days = Array.from({ length: 8 }, (_, index) => new Date(Date.UTC(2026, 1, 20 + index, 23, 59, 59, 999 - index)))
  for (const [index, createdAt] of days.entries()) {
    const id = `acct_often${index}`
    await inTransaction(database, async (em) => {
      em.create(Account, { id, name: 'A shop', createdAt, paymentsEnabled: index % 2 === 1 })
    })
    await inTransaction(database, async (em) => {
      Object.assign(await lock(em, Account, id), {
        name: `It’s “${index}” ? ?? $1`,
        createdAt,
        paymentsEnabled: index % 2 === 0,
      })
    })
    const read = await database.orm.em.fork().findOneOrFail(Account, { id })
    assert.deepEqual([read.name, read.createdAt], [`It’s “${index}” ? ?? $1`, createdAt])
    assert.equal(read.paymentsEnabled, index % 2 === 0)
  }
  const em = database.orm.em.fork()
  for (const part of ['insert into "accounts"', 'update "accounts" set']) {
    const [statement, ...others] = await preparedWith(em, part)
    assert.equal(others.length, 0, part)
    assert.ok((statement?.runs ?? 0) >= 4, part)
    assert.doesNotMatch(statement?.statement ?? '', /2026|true|false/, 'no moment or boolean is in the statement')
  }
})

test('what is changed by more than its id, or read, gets no plan that is kept', async () => {
  for (let index = 0; index < 8; index++)
    await inTransaction(database, async (em) => {
      newAccount(em, `acct_apart${index}`)
      await em.flush()
      await em.nativeUpdate(Account, { id: `acct_apart${index}`, name: { $ne: 'x' } }, { name: 'Another' })
      await em.findOne(Account, { name: `no ${index}` })
    })
  const em = database.orm.em.fork()
  assert.deepEqual(await preparedWith(em, '"name" !='), [])
  assert.deepEqual(await preparedWith(em, 'limit 1'), [])
})

test('a locked row is managed: its change is saved, and one made before the lock stays', async () => {
  await inTransaction(database, async (em) => {
    newAccount(em, 'acct_locked')
  })
  await inTransaction(database, async (em) => {
    const row = await lock(em, Account, 'acct_locked')
    assert.ok(row instanceof Account)
    assert.deepEqual(row.createdAt, new Date(1_234))
    row.name = 'By lock'
    assert.equal((await lock(em, Account, 'acct_locked')).name, 'By lock', 'locked again before it is saved')
    assert.equal(await em.findOne(Account, { id: 'acct_locked' }), row)
  })
  await inTransaction(database, async (em) => {
    const row = await em.findOneOrFail(Account, { id: 'acct_locked' })
    assert.equal(row.name, 'By lock')
    row.name = 'Before the lock'
    assert.equal(await lock(em, Account, 'acct_locked'), row)
    assert.equal(row.name, 'Before the lock')
  })
  const em = database.orm.em.fork()
  assert.equal((await em.findOneOrFail(Account, { id: 'acct_locked' })).name, 'Before the lock')
  await assert.rejects(
    inTransaction(database, (inside) => lock(inside, Account, 'acct_none')),
    /no such resource/,
  )
  await assert.rejects(lock(em, Account, 'acct_locked'), /transaction/)
})

test('a row is locked whose enum has a value that only a newer release knows', async () => {
  await inTransaction(database, async (em) => {
    newAccount(em, 'acct_newer')
  })
  const em = database.orm.em.fork()
  const [check] = await em.execute<{ name: string }[]>(
    `select conname as name from pg_constraint where conrelid = 'accounts'::regclass
       and pg_get_constraintdef(oid) like '%fee_preference%'`,
  )
  await em.execute(`alter table accounts drop constraint "${check?.name}"`)
  await em.execute(`update accounts set fee_preference = 'somebody_pays' where id = 'acct_newer'`)
  await inTransaction(database, async (inside) => {
    const row = await lock(inside, Account, 'acct_newer')
    assert.equal(String(row.feePreference), 'somebody_pays')
  })
})

test('of very many statements only some hundreds are prepared', async () => {
  for (let turn = 0; turn < 5; turn++)
    await inTransaction(database, async (em) => {
      for (let n = 0; n < 400; n++) await runOneOfMany(em, `select $1::int as one_of_many_${n}`, [n])
    })
  const prepared = await preparedWith(database.orm.em.fork(), 'one_of_many_')
  assert.ok(prepared.length > 200 && prepared.length <= 300, `${prepared.length} are prepared`)
})
