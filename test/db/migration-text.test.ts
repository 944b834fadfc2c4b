import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openDatabase } from '../../db/open-database.ts'
import { checkSchema, migrate, SchemaMismatch } from '../../db/migrate.ts'
import { currentNames } from '../../db/migrations/former-names.ts'
import { readMigrations } from '../../db/migrations/read-migrations.ts'
import { createLogger } from '../../engine/logger.ts'
import { awaitSchema } from '../../engine/schema.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import { freePort } from '../../scripts/infra/ports.ts'
import { createDatabase } from '../support/database.ts'
import { applyAsBefore, migrationNames, textToday } from '../support/migrations.ts'
import { readRelease, releaseNames } from '../support/release.ts'
import { describeSchema, differences } from '../support/schema.ts'

const edited = join(ROOT, 'test/edited-migrations')
const migrations = join(ROOT, 'db/migrations')
/** The migrations that existed when some were edited. */
const names = migrationNames
  .slice(0, migrationNames.indexOf('0022-repair'))
  .filter((name) => name !== '0002-first-hour')

type Sql = <T extends object>(sql: string, params?: unknown[]) => Promise<T[]>

/** Works with a new database; an empty one unless a template is named. */
async function withDatabase(work: (url: string, sql: Sql) => Promise<void>, template = 'template1'): Promise<void> {
  const { url, drop } = await createDatabase(template)
  const { orm } = await openDatabase(url, 1)
  try {
    await work(url, (text, params = []) => orm.em.fork().execute(text, params))
  } finally {
    await orm.close()
    await drop()
  }
}

async function withMigrated(work: (url: string, sql: Sql) => Promise<void>): Promise<void> {
  await withDatabase(work, 'steadypay_template')
}

async function check(url: string): Promise<void> {
  const database = await openDatabase(url, 1)
  await checkSchema(database).finally(() => database.orm.close())
}

const linesOf = async (sql: Sql) => (await sql<{ line: string }>(describeSchema)).map(({ line }) => line)

const textThen = (file: string) => readFileSync(join(edited, file), 'utf8')

/** The name of the migration whose earlier text a file of test/edited-migrations is. */
const nameOf = (file: string) => file.replace(/\.\d\.sql$/, '')

test('a committed migration never changes: its text has the checksum that was noted with it', () => {
  const noted = JSON.parse(readFileSync(join(migrations, 'checksums.json'), 'utf8')) as Record<string, string>
  const found = Object.fromEntries(readMigrations().map(({ name, checksum }) => [name, checksum]))
  assert.deepEqual(noted, found, 'write a new migration instead; note the checksum of a new one in checksums.json')
  assert.deepEqual(Object.keys(noted), migrationNames, 'in their order')
})

test('the files still have the texts that recorded releases have applied, except the edited ones', () => {
  const known = new Set(readdirSync(edited).map(nameOf))
  for (const release of releaseNames().map(readRelease)) {
    for (const { name, sql } of release.migrations) {
      const current = currentNames[name] ?? name
      if (sql === textToday(current)) continue
      assert.ok(known.has(current), `${name} of release ${release.name}`)
      assert.ok(
        readdirSync(edited).some((file) => nameOf(file) === current && textThen(file) === sql),
        name,
      )
    }
  }
})

for (const file of readdirSync(edited)) {
  test(`a database that has applied ${file} gets the schema of a new database`, async () => {
    await withMigrated(async (_url, today) => {
      const wanted = await linesOf(today)
      await withDatabase(async (url, sql) => {
        const until = names.slice(0, names.indexOf(nameOf(file)) + 1)
        await applyAsBefore(sql, until, (name) => (name === nameOf(file) ? textThen(file) : textToday(name)))
        await migrate(url)
        assert.deepEqual(differences(await linesOf(sql), wanted), [])
        await check(url)
      })
    })
  })
}

test('a database with the first text of every later migration gets the schema of a new database', async () => {
  await withMigrated(async (_url, today) => {
    const wanted = await linesOf(today)
    await withDatabase(async (url, sql) => {
      const earlier = new Map(
        readdirSync(edited)
          .toReversed()
          .map((file) => [nameOf(file), file]),
      )
      earlier.delete('0001-first-sale') // with it none of the later ones could be applied
      await applyAsBefore(sql, names, (name) =>
        earlier.has(name) ? textThen(earlier.get(name) ?? '') : textToday(name),
      )
      await migrate(url)
      assert.deepEqual(differences(await linesOf(sql), wanted), [])
    })
  })
})

test('each migration is stored with its checksum, also one that was applied before checksums were stored', async () => {
  const wanted = readMigrations().map(({ name, checksum }) => ({ name, checksum }))
  const read = (sql: Sql) => sql<object>('select name, checksum from migrations order by id')
  await withDatabase(async (url, sql) => {
    await migrate(url)
    assert.deepEqual(await read(sql), wanted)
    await migrate(url)
    assert.deepEqual(await read(sql), wanted, 'once more')
  })
  await withDatabase(async (url, sql) => {
    await applyAsBefore(sql, names)
    await migrate(url)
    const found = (await read(sql)) as typeof wanted
    assert.deepEqual(
      found.toSorted((one, two) => one.name.localeCompare(two.name)),
      wanted.toSorted((one, two) => one.name.localeCompare(two.name)),
    )
  })
})

test('parallel migrations of an empty database apply each migration once', async () => {
  await withDatabase(async (url, sql) => {
    await Promise.all([migrate(url), migrate(url), migrate(url)])
    const [row] = await sql<{ count: string }>('select count(*) from migrations')
    assert.equal(Number(row?.count), migrationNames.length)
  })
})

const changed = `update migrations set checksum = repeat('0', 64) where name = '0014-balances'`
const unknown = `insert into migrations (name, checksum) values ('20991231-tomorrow', repeat('0', 64))`
const isProblem = (text: RegExp) => (error: unknown) => error instanceof SchemaMismatch && text.test(error.message)

test('a database that has applied another text of a migration is refused, with the file and the remedy', async () => {
  await withMigrated(async (url, sql) => {
    await sql(changed)
    const expected = isProblem(/db\/migrations\/0014-balances\.sql was changed .* Bring the file back/)
    await assert.rejects(migrate(url), expected)
    await assert.rejects(check(url), expected)
  })
})

test('a database of newer code is refused, and nothing is applied to it', async () => {
  await withMigrated(async (url, sql) => {
    await sql(unknown)
    await sql(`delete from migrations where name = '0022-repair'`)
    const expected = isProblem(/20991231-tomorrow, which this code does not know.* Run that code/)
    await assert.rejects(migrate(url), expected)
    await assert.rejects(check(url), expected)
    assert.deepEqual(await sql(`select from migrations where name = '0022-repair'`), [])
  })
})

test('a database that lacks migrations or their checksums is refused until it is migrated', async () => {
  const expected = isProblem(/has not applied the migration .*: run the command `migrate` first/)
  await withMigrated(async (url, sql) => {
    await sql(`delete from migrations where name = '0022-repair'`)
    await assert.rejects(check(url), expected)
    await migrate(url)
    await check(url)
    await sql('alter table migrations drop column checksum')
    await assert.rejects(check(url), expected)
    await migrate(url)
    await check(url)
  })
  await withDatabase(async (url) => assert.rejects(check(url), expected))
})

const start = (entry: string, url: string) =>
  spawnSync(process.execPath, [entry], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 60_000,
    env: {
      ...process.env,
      DATABASE_URL: url,
      PORT: '0',
      KEY_PEPPER: Buffer.alloc(32, 1).toString('base64'),
      ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 2).toString('base64')}`,
    },
  })

for (const entry of ['api/main.ts', 'engine/worker.ts', 'scripts/migrate.ts']) {
  test(`${entry} does not start on a database that has applied another text of a migration`, async () => {
    await withMigrated(async (url, sql) => {
      await sql(changed)
      const { status, stderr } = start(entry, url)
      assert.equal(status, 1)
      assert.match(stderr, /0014-balances\.sql was changed after the database applied it/)
      assert.doesNotMatch(stderr, /^ +at /m, 'no stack')
    })
  })
}

test('a process that starts while the database is unavailable waits, and then checks its migrations', async () => {
  await withMigrated(async (url, sql) => {
    const { hostname, port } = new URL(url)
    const proxyUrl = new URL(url)
    proxyUrl.port = String(await freePort())
    const database = await openDatabase(proxyUrl.href, 1)
    const waiting = awaitSchema(database, createLogger({ logLevel: 'silent' }, 'test'))
    const isWaiting = Symbol('still waiting')
    assert.equal(await Promise.race([waiting, setTimeout(1_500, isWaiting)]), isWaiting)
    await sql(changed)
    const proxy = createServer((socket) => {
      const upstream = connect(Number(port), hostname)
      socket.pipe(upstream).pipe(socket)
      for (const end of [socket, upstream]) end.on('error', () => undefined)
    }).listen(Number(proxyUrl.port), '127.0.0.1')
    await assert.rejects(waiting, SchemaMismatch)
    await database.orm.close()
    proxy.close()
  })
})

test('npm run migrate makes a database with which the code starts, and reports it', async () => {
  await withDatabase(async (url) => {
    const { status, stdout } = start('scripts/migrate.ts', url)
    assert.deepEqual([status, stdout], [0, 'The database has the newest schema.\n'])
    await check(url)
  })
  const { status, stderr } = start('scripts/migrate.ts', '')
  assert.equal(status, 1)
  assert.match(stderr, /DATABASE_URL is missing/)
})
