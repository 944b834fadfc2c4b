import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ROOT } from '../../scripts/infra/paths.ts'
import { freePort } from '../../scripts/infra/ports.ts'
import { inTransaction } from '../../db/core/database.ts'
import { MigrationFailed } from '../../db/migrate.ts'
import { startProxy } from '../proof/proxy.ts'
import { useDatabase } from '../support/use-database.ts'

// npm run migrate as a job of a deployment runs it: several at once, and before the database is there.
type Ran = { code: number; stdout: string; stderr: string }

const migrate = (url: string, ...args: string[]): Promise<Ran> =>
  promisify(execFile)(process.execPath, ['scripts/migrate.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: url },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Ran) => error,
  )

/** Passes on to the database of an address, at a port of its own, each connection after a pause. */
async function proxyTo(url: string, { port = 0, pauseMs = 0 } = {}) {
  const { hostname, port: target } = new URL(url)
  const proxy = createServer(async (socket) => {
    socket.on('error', () => undefined)
    await sleep(pauseMs)
    const upstream = connect(Number(target), hostname)
    upstream.on('error', () => undefined)
    socket.pipe(upstream).pipe(socket)
  }).listen(port, '127.0.0.1')
  await once(proxy, 'listening')
  const address = Object.assign(new URL(url), { port: String((proxy.address() as AddressInfo).port) })
  return { url: address.href, close: () => proxy.close() }
}

test('two that run at once on an empty database both succeed, and each migration was applied once', async () => {
  const { url, orm } = await useDatabase({ template: 'template1' })
  const both = await Promise.all([migrate(url, '--wait', '60'), migrate(url, '--wait', '60')])
  for (const { code, stdout, stderr } of both)
    assert.deepEqual([code, stdout], [0, 'The database has the newest schema.\n'], stderr)
  const rows = await orm.em.fork().execute<{ count: string }[]>('select count(*) from migrations group by name')
  assert.deepEqual(new Set(rows.map(({ count }) => count)), new Set(['1']))
})

test('a database that cannot be reached is an error at once, and with --wait it is waited for', async () => {
  const { url } = await useDatabase()
  const away = new URL(url)
  away.port = String(await freePort())
  const refused = await migrate(away.href)
  assert.equal(refused.code, 1)
  assert.doesNotMatch(refused.stderr, /asked again/)
  const gaveUp = await migrate(away.href, '--wait', '1')
  assert.equal(gaveUp.code, 1)
  assert.match(gaveUp.stderr, /^The database cannot be reached yet\.\nIt is asked again, with a pause of a second\.\n/)

  const waiting = migrate(away.href, '--wait', '60')
  await sleep(3_000)
  const proxy = await proxyTo(url, { port: Number(away.port) })
  const { code, stdout } = await waiting
  proxy.close()
  assert.deepEqual([code, stdout], [0, 'The database has the newest schema.\n'])
})

test('a busy database, which takes seconds to give a connection, is migrated without --wait', async () => {
  const { url } = await useDatabase({ template: 'template1' })
  const busy = await proxyTo(url, { pauseMs: 3_000 })
  const { code, stdout, stderr } = await migrate(busy.url)
  busy.close()
  assert.deepEqual([code, stdout], [0, 'The database has the newest schema.\n'], stderr)
})

test('wrong arguments are refused, and what is wrong with a database is never waited for', async () => {
  for (const wrong of [['--wait'], ['--wait', 'long'], ['--wait', '-1'], ['--watch'], ['--wait', '1', '2']])
    assert.equal((await migrate('postgres://u:p@127.0.0.1:1/x', ...wrong)).code, 2, wrong.join(' '))
  const { url, orm } = await useDatabase()
  await orm.em.fork().execute(`insert into migrations (name, checksum) values ('9999-newer', repeat('0', 64))`)
  const newer = await migrate(url, '--wait', '60')
  assert.equal(newer.code, 1)
  assert.match(newer.stderr, /9999-newer, which this code does not know/)
})

test('a migration that gets no lock ends --wait too, so that no queue stands behind it again and again', async () => {
  const database = await useDatabase()
  const em = database.orm.em.fork()
  await em.execute(`delete from migrations where name = '0095-refunds-of-transfers'`)
  await em.execute('drop index paystack_orders_by_transfer')
  const { code, stderr } = await inTransaction(database, async (holder) => {
    await holder.execute('lock table paystack_orders in row exclusive mode')
    return await migrate(database.url, '--wait', '12')
  })
  assert.equal(code, 1)
  assert.match(stderr, /^The migration 0095-\S+ has failed and changed nothing: .*lock timeout/)
  assert.doesNotMatch(stderr, /asked again/)
  assert.equal((await migrate(database.url)).code, 0)
})

test('on the database of the next release it changes nothing, and says whose migrations are there', async () => {
  const { url, orm } = await useDatabase()
  const em = orm.em.fork()
  const [{ name }] = await em.execute<[{ name: string }]>('select name from migrations order by id desc limit 1')
  const next = `insert into migrations (name, checksum, runs_from) values ('9999-next', repeat('0', 64), ?)`
  await em.execute(next, [name])
  const { code, stdout } = await migrate(url)
  const says = 'The database has all migrations of this code, and of a later release: 9999-next.\n'
  assert.deepEqual([code, stdout], [0, says])
})

test('a migration whose commit is lost may have been applied, as is said and found at the next run', async () => {
  const { url, orm } = await useDatabase({ template: 'template1' })
  const through = new URL(url)
  const proxy = await startProxy({ host: through.hostname, port: Number(through.port) })
  through.port = String(proxy.port)
  let isLast = false
  proxy.inspect((chunk) => {
    isLast ||= chunk.includes('insert into migrations')
    return isLast && /commit/i.test(chunk.toString('latin1')) ? 'forward and cut' : 'forward'
  })
  const lost = await migrate(through.href)
  await proxy.shut()
  assert.equal(lost.code, 1)
  const said =
    /^The migration 0001-\S+ was being committed when the connection was lost\. It has changed everything or nothing/
  assert.match(lost.stderr, said)
  assert.doesNotMatch(lost.stderr, /changed nothing/)
  const again = await migrate(url)
  assert.deepEqual([again.code, again.stdout], [0, 'The database has the newest schema.\n'], again.stderr)
  const [{ count }] = await orm.em.fork().execute<[{ count: number }]>('select count(*)::int as count from migrations')
  assert.ok(count > 1)
})

test('a migration that the database refuses has changed nothing, and no value of a row is told', () => {
  const refusal = (code: string, message: string) => Object.assign(new Error(message), { code, severity: 'ERROR' })
  const quoting = refusal('22P02', 'invalid input syntax for type integer: "ada@example.com"')
  const of = (cause: Error) => new MigrationFailed('0001-first', cause, true).message
  const failed = 'The migration 0001-first has failed and changed nothing: '
  assert.equal(of(quoting), `${failed}a value does not fit (22P02); the log of Postgres says which`)
  assert.equal(
    of(refusal('55P03', 'canceling statement due to lock timeout')),
    `${failed}canceling statement due to lock timeout`,
  )
})
