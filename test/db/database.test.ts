import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { mock, test } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { Client, type Pool } from 'pg'
import { Account } from '../../db/core/account.ts'
import { afterCommit, type Database, type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { Customer } from '../../db/customer/customer.ts'
import { openDatabase } from '../../db/open-database.ts'
import { insertTogether } from '../../db/core/insert-together.ts'
import { liftTimeLimits, timeLimits } from '../../db/core/time-limits.ts'
import { readRow } from '../../db/core/prepared-statement.ts'
import { isUnavailable } from '../../engine/unavailable.ts'
import { startProxy } from '../proof/proxy.ts'
import { createDatabase } from '../support/database.ts'
import { atEnd } from '../support/use.ts'
import { useDatabase } from '../support/use-database.ts'

const database = await useDatabase({ connections: 10 })

/** Makes an account, and counts it after the commit, outside of the transaction. */
function makeAndCount(id: string, seen: Promise<number>[]) {
  return async (em: EntityManager) => {
    em.create(Account, { id, name: 'A shop', createdAt: new Date(0) })
    afterCommit(em, () => seen.push(database.orm.em.fork().count(Account, { id })))
    return id
  }
}

test('a pool that is closed while a query gets its connection closes after the query', async () => {
  const made = await createDatabase()
  const closing = await openDatabase(made.url)
  const pool = await poolOf(closing)
  const query = closing.orm.em.fork().execute('select 1')
  while (pool.totalCount === 0) await setImmediate()
  assert.equal(
    await Promise.race([closing.orm.close().then(() => 'closed'), setTimeout(5_000, 'still open', { ref: false })]),
    'closed',
  )
  assert.equal((await query).length, 1)
  await made.drop()
})

test('each query gives the driver its callback, and a failed one leads to who has asked', async () => {
  const asked = mock.method(Client.prototype, 'query')
  await inTransaction(database, makeAndCount('acct_callback', []))
  const failed = await database.orm.em
    .fork()
    .execute('select no_such_column')
    .catch((error: Error) => error)
  const { calls } = asked.mock
  mock.restoreAll()
  const isAnswered = (given: unknown) => typeof given === 'function'
  assert.deepEqual(
    calls.filter(({ arguments: given }) => !given.some(isAnswered)).map(({ arguments: [query] }) => query),
    [],
  )
  assert.ok(calls.length >= 4, 'begin, insert, commit and the failed one')
  assert.match(failed instanceof Error ? String(failed.stack) : '', /database\.test\.ts/)
})

test('afterCommit runs its callback after the commit', async () => {
  const seen: Promise<number>[] = []
  await inTransaction(database, makeAndCount('acct_1', seen))
  await insertTogether(database, makeAndCount('acct_2', seen), () => null)
  assert.deepEqual(await Promise.all(seen), [1, 1])
})

test('afterCommit never runs its callback if the transaction fails', async () => {
  const seen: Promise<number>[] = []
  const make = makeAndCount('acct_3', seen)
  const fails = inTransaction(database, async (em) => {
    await make(em)
    throw new Error('no')
  })
  await assert.rejects(fails, /no/)
  await assert.rejects(inTransaction(database, makeAndCount('acct_1', seen)), /acct|unique|duplicate/)
  assert.deepEqual(seen, [])
})

test('afterCommit is refused outside of a transaction', () => {
  assert.throws(() => afterCommit(database.orm.em.fork(), () => undefined), /needs the entity manager of a transaction/)
})

test('a prepared read inside a transaction needs no second connection, and sees its changes', async () => {
  const made = await createDatabase()
  const single = await openDatabase(made.url, 1)
  try {
    const name = await inTransaction(single, async (em) => {
      em.create(Account, { id: 'acct_4', name: 'A shop', createdAt: new Date(0) })
      await em.flush()
      return (await readRow(em, Account, { id: 'acct_4', name: 'A shop' }))?.name
    })
    assert.equal(name, 'A shop')
  } finally {
    await single.orm.close()
    await made.drop()
  }
})

test('every connection ends what takes too long, unless a transaction lifts its limits', async () => {
  const read = async (em: EntityManager) => {
    const shown = await em.execute<{ name: string; setting: string }[]>(
      `select name, setting from pg_settings where name in
         ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout') order by name`,
    )
    return shown.map(({ setting }) => Number(setting))
  }
  const { statementMs, idleMs, transactionMs } = timeLimits
  const atOnce = Array.from({ length: 4 }, () => inTransaction(database, read))
  for (const limits of await Promise.all(atOnce)) assert.deepEqual(limits, [idleMs, statementMs, transactionMs])
  const lifted = await inTransaction(database, async (em) => {
    await liftTimeLimits(em)
    return read(em)
  })
  assert.deepEqual(lifted, [idleMs, 0, 0])
  assert.deepEqual(await read(database.orm.em.fork()), [idleMs, statementMs, transactionMs])
})

const poolOf = async ({ orm }: Database) => (await orm.em.getConnection().getNativeClient()) as Pool

/** A database of one connection, through a proxy that can fall silent. */
async function openThroughProxy(silenceMs: number) {
  const url = new URL(database.url)
  const proxy = await startProxy({ host: url.hostname, port: Number(url.port) })
  Object.assign(url, { hostname: '127.0.0.1', port: String(proxy.port) })
  const single = await openDatabase(url.href, 1, { ...timeLimits, connectMs: 30_000, silenceMs })
  atEnd(() => single.orm.close(true))
  atEnd(() => proxy.shut()) // first, as the pool waits for its connection
  return { proxy, single }
}

/** Whether a transaction has ended as it does where its database is unavailable. */
const isGivenUp = (work: Promise<unknown>) =>
  Promise.race([work.then(() => 'committed', isUnavailable), setTimeout(20_000, 'still waits', { ref: false })])

test('a database that falls silent is given up as unavailable, and a new connection is used', async () => {
  const { proxy, single } = await openThroughProxy(2_000)
  const work = inTransaction(single, async (em) => {
    await em.execute('select 1')
    proxy.hush()
    await em.execute('select 2')
  })
  assert.equal(await isGivenUp(work), true)
  proxy.speak()
  assert.equal((await single.orm.em.fork().execute('select 3')).length, 1)
})

test('a connection that waits for its next statement is kept, and given up if that one has no answer', async () => {
  const { proxy, single } = await openThroughProxy(2_000)
  let isKept = false
  const acquired = once(await poolOf(single), 'acquire')
  const backend = (em: EntityManager) => em.execute('select pg_backend_pid() as pid')
  const work = inTransaction(single, async (em) => {
    const before = await backend(em)
    const [client] = (await acquired) as [{ connection: { stream: Socket } }]
    await once(client.connection.stream, 'timeout')
    // It begins at once, while what listens to the same time-out is still to be done.
    assert.deepEqual(await backend(em), before)
    isKept = true
    proxy.hush()
    await em.execute('select 2')
  })
  assert.equal(await isGivenUp(work), true)
  assert.equal(isKept, true)
  proxy.speak()
})

test('Postgres says that a statement took too long before its connection is given up', () => {
  assert.ok(timeLimits.statementMs < timeLimits.silenceMs && timeLimits.silenceMs < timeLimits.transactionMs)
})

test('a row that a transaction has locked keeps others from changing it, but not from referring to it', async () => {
  const at = new Date(0)
  const moments = { createdAt: at, updatedAt: at }
  const other = database.orm.em.fork()
  const owner = { accountId: 'acct_5', environment: 'sandbox' as const }
  await other.insert(Customer, { id: 'cus_1', ...owner, email: 'a@example.com', metadata: {}, ...moments })
  await other.execute('create table referring (customer_id varchar references customers)')
  await inTransaction(database, async (em) => {
    await lock(em, Customer, 'cus_1')
    const within200ms = (work: (em: EntityManager) => Promise<unknown>) =>
      other.transactional(async (waiting) => {
        await waiting.execute(`set local lock_timeout = '200ms'`)
        await work(waiting)
      })
    await within200ms((waiting) => waiting.execute(`insert into referring values ('cus_1')`))
    await assert.rejects(
      within200ms((waiting) => lock(waiting, Customer, 'cus_1')),
      /lock timeout/,
    )
  })
})
