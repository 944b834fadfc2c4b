import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { migrate } from '../../db/migrate.ts'
import { currentNames } from '../../db/migrations/former-names.ts'
import { MisnumberedMigration, readMigrations } from '../../db/migrations/read-migrations.ts'
import { openDatabase } from '../../db/open-database.ts'
import { createDatabase } from '../support/database.ts'
import { applyAsBefore, migrationNames } from '../support/migrations.ts'

/** Reads the migrations of a folder with these files. */
function read(...files: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  try {
    for (const file of files) writeFileSync(join(folder, file), `select '${file}'`)
    return readMigrations(pathToFileURL(`${folder}/`))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const refusal = (text: RegExp) => (error: unknown) => error instanceof MisnumberedMigration && text.test(error.message)

test('the migrations of a folder are its SQL files, in the order of their numbers', () => {
  const found = read('0002-second.sql', 'checksums.json', '0001-first.sql', 'read-migrations.ts')
  assert.deepEqual(
    found.map(({ name, text }) => [name, text]),
    [
      ['0001-first', `select '0001-first.sql'`],
      ['0002-second', `select '0002-second.sql'`],
    ],
  )
})

test('two migrations with one number are refused by their names', () => {
  assert.throws(
    () => read('0001-first.sql', '0002-mine.sql', '0002-yours.sql', '0003-third.sql'),
    refusal(/^The migrations 0002-mine\.sql and 0002-yours\.sql have the same number/),
  )
})

test('a number that was left out is refused, and the message says which', () => {
  assert.throws(() => read('0001-first.sql', '0003-third.sql'), refusal(/0003-third\.sql .* none with the number 0002/))
  assert.throws(() => read('0002-second.sql'), refusal(/none with the number 0001/))
})

test('a SQL file without a number of four digits is refused', () => {
  for (const file of ['20261231-by-its-day.sql', 'notes.sql', '0002_second.sql', '0002-Second.sql']) {
    assert.throws(() => read('0001-first.sql', file), refusal(/needs a name such as 0002-what-it-adds\.sql/), file)
  }
})

test('a migration has one former name at most, and none that was added later has any', () => {
  assert.deepEqual(Object.values(currentNames), migrationNames.slice(0, 35))
})

test('a database with former names of migrations gets the present ones, and nothing is applied twice', async () => {
  const { url, drop } = await createDatabase('template1')
  const { orm } = await openDatabase(url, 1)
  const sql = <T extends object>(text: string, params: unknown[] = []) => orm.em.fork().execute<T[]>(text, params)
  try {
    await applyAsBefore(sql, migrationNames.slice(0, 35))
    const before = await sql<{ id: number; name: string }>('select id, name from migrations order by id')
    assert.deepEqual(
      before.map(({ name }) => name),
      Object.keys(currentNames),
    )
    await migrate(url)
    const after = await sql<{ id: number; name: string }>('select id, name from migrations order by id')
    assert.deepEqual(
      after.map(({ name }) => name),
      migrationNames,
    )
    assert.deepEqual(
      after.slice(0, 35).map(({ id }) => id),
      before.map(({ id }) => id),
    )
  } finally {
    await orm.close()
    await drop()
  }
})
