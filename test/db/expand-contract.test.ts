import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSchema, migrate, SchemaMismatch } from '../../db/migrate.ts'
import { previousRelease } from '../../db/migrations/previous-release.ts'
import { readMigrations } from '../../db/migrations/read-migrations.ts'
import { openDatabase } from '../../db/open-database.ts'
import { createDatabase } from '../support/database.ts'
import { breaksPreviousRelease } from '../support/expand-contract.ts'
import { migrationNames } from '../support/migrations.ts'

const knownToIt = migrationNames.slice(0, migrationNames.indexOf(previousRelease.lastMigration) + 1)

test('no migration since the previous release breaks its processes, unless the release before prepared it', () => {
  assert.ok(knownToIt.length > 0, `${previousRelease.lastMigration} is no migration`)
  const later = readMigrations().slice(knownToIt.length)
  const broken = later.flatMap(({ name, text }) => breaksPreviousRelease(text, knownToIt).map((why) => [name, why]))
  assert.deepEqual(broken, [], 'docs/operating/upgrading.md, "Migrations that the previous release can work with"')
})

const refused = {
  'drop table "payouts"': /drops a table/,
  'alter table "payouts" add column "a" text, drop column if exists "b"': /drops a column/,
  'ALTER TABLE "payouts"\n  RENAME COLUMN "a" TO "b"': /renames/,
  'alter table payouts rename to outgoing': /renames/,
  'alter table "payouts" alter column "a" set not null': /NOT NULL/,
  'alter table "payouts" add column "a" text not null': /NOT NULL and has no default/,
  'alter table "payouts" add column "a" text not null, add column "b" int not null default 0': /NOT NULL and has no/,
  [`alter table "payouts" add column "a" text check (a <> 'default') not null`]: /NOT NULL and has no default/,
  'alter table "payouts" alter column "a" type varchar(10)': /changes the type/,
  'alter table "payouts" alter column "a" drop default': /drops a default/,
  [`alter table "payouts" add constraint "short" check (status in ('a', 'b'))`]: /adds a constraint \(check\)/,
  'alter table "payouts" add constraint "owner" foreign key ("a") references "b" ("id") not valid': /foreign key/,
  'create unique index "one_each" on "payouts" ("a")': /unique index/,
  '/* gone; soon */ drop type "kind"': /drops a table, view, type/,
  '-- contract of 9999-never: nobody reads this column\nalter table "a" drop column "b"': /does not know 9999-n/,
  '-- contract of 0001-first-sale\nalter table "a" drop column "b"': /drops a column/,
  '-- wider other: all that was allowed is allowed\nalter table "a" add constraint "c" check (d > 0)': /adds a constr/,
  'create table "new" ("id" text); alter table "old" drop column "a"': /drops a column/,
}

const allowed = [
  'create table "new" ("a" text not null, "b" int check (b > 0)); create unique index "c" on "new" ("a")',
  'create table "new" ("a" text); alter table "new" add constraint "d" check (a is not null)',
  'alter table "payouts" add column "a" text, add column "b" int not null default 0',
  'alter table "payouts" alter column "a" drop not null; create index "b" on "payouts" ("a")',
  'alter table "payouts" drop constraint "short"',
  `alter table "payouts" drop constraint "short";
-- wider short: it allows one status more
alter table "payouts" add constraint "short" check (status in ('a', 'b', 'c'))`,
  '-- contract of 0001-first-sale: nobody reads this column since then\nalter table "a" drop column "b"',
  `insert into "notes" ("text") values ('drop table payouts; alter table x rename to y')`,
  'create function f() returns trigger language plpgsql as $$ begin drop table x; end $$',
  '-- drop table payouts;\nselect 1',
]

test('a migration that the previous release cannot live with is found, whatever its form', () => {
  for (const [text, why] of Object.entries(refused))
    assert.match(breaksPreviousRelease(text, knownToIt).join(), why, text)
  for (const text of allowed) assert.deepEqual(breaksPreviousRelease(text, knownToIt), [], text)
})

test('code starts on the schema of the next release, and on none later than that', async () => {
  const { url, drop } = await createDatabase()
  const database = await openDatabase(url, 1)
  const add = (name: string, from: string | null) =>
    database.orm.em
      .fork()
      .execute(`insert into migrations (name, checksum, runs_from) values (?, repeat('0', 64), ?)`, [name, from])
  try {
    await add('9998-of-the-next-release', migrationNames.at(-1) ?? null)
    await checkSchema(database)
    await migrate(url) // as a rollback does: nothing is left to apply
    await add('9999-of-the-release-after', '9998-of-the-next-release')
    const isUnknown = (error: unknown) => error instanceof SchemaMismatch && /9999-of-the-release/.test(error.message)
    await assert.rejects(checkSchema(database), isUnknown)
    await assert.rejects(migrate(url), isUnknown)
  } finally {
    await database.orm.close()
    await drop()
  }
})

test('a database that the previous release has migrated last is taken over', async () => {
  const { url, drop } = await createDatabase()
  const database = await openDatabase(url, 1)
  try {
    await database.orm.em.fork().execute('alter table migrations drop column runs_from')
    await checkSchema(database)
    await migrate(url)
    const rows = await database.orm.em.fork().execute('select name from migrations where runs_from is not null')
    assert.deepEqual(rows, [], 'it is not known with what code those run that are already applied')
  } finally {
    await database.orm.close()
    await drop()
  }
})
