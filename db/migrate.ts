import { Migrator } from '@mikro-orm/migrations'
import { type Database, inTransaction } from './core/database.ts'
import { openDatabase } from './open-database.ts'
import { migrationFile, migrationNames } from './migrations/index.ts'
import { checksumDefault, checksumOf } from './migrations/sql-file.ts'

/** The database is not what this code was made for. The message names the migration and the way out. */
export class SchemaMismatch extends Error {}

/**
 * Brings the database to the newest schema; safe to run again, and from several places at once. Throws `SchemaMismatch`
 * and changes nothing where the database has applied another text of a migration, or one that this code does not know.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const database = await openDatabase(databaseUrl, 2)
  try {
    await inTransaction(database, async (em) => {
      // Whoever comes second waits until the first is done, however long that takes.
      await em.execute('set local statement_timeout = 0')
      await em.execute('set local idle_in_transaction_session_timeout = 0')
      await em.execute(`select pg_advisory_xact_lock(hashtext('migrations'))`)
      await apply(database)
    })
  } finally {
    await database.orm.close()
  }
}

/** Over a connection of its own, as each migration commits by itself. */
async function apply({ orm }: Database): Promise<void> {
  const migrator = new Migrator(orm.em)
  await migrator.getExecuted() // makes the table where there is none
  const em = orm.em.fork()
  await em.execute(`alter table migrations add column if not exists checksum char(64) default ${checksumDefault}`)
  const applied = await em.execute<Applied[]>('select name, checksum from migrations')
  const fault = applied.map(faultOf).find((found) => found !== null)
  if (fault) throw new SchemaMismatch(fault)
  // Applied before checksums were kept: the texts of today are theirs from now on.
  for (const { name } of applied.filter(({ checksum }) => checksum === null)) {
    await em.execute('update migrations set checksum = ? where name = ?', [checksumOf(migrationFile(name)), name])
  }
  await migrator.up()
}

/** Throws `SchemaMismatch` unless the database has applied exactly the migrations of this code. */
export async function checkSchema({ orm }: Database): Promise<void> {
  const em = orm.em.fork()
  const [found] = await em.execute<{ count: string }[]>(
    `select count(*) from information_schema.columns
     where table_schema = current_schema() and table_name = 'migrations' and column_name = 'checksum'`,
  )
  const applied = Number(found?.count) > 0 ? await em.execute<Applied[]>('select name, checksum from migrations') : []
  const fault = applied.map(faultOf).find((text) => text !== null)
  if (fault) throw new SchemaMismatch(fault)
  const kept = new Set(applied.filter(({ checksum }) => checksum !== null).map(({ name }) => name))
  const missing = migrationNames.find((name) => !kept.has(name))
  if (missing) {
    throw new SchemaMismatch(`The database has not applied the migration ${missing}: run \`npm run migrate\` first.`)
  }
}

/** `checksum` is null where it was applied before checksums were kept. */
type Applied = { name: string; checksum: string | null }

/** Why this code cannot work on a database that has applied this; null where it can. */
function faultOf({ name, checksum }: Applied): string | null {
  if (!migrationNames.includes(name)) {
    return (
      `The database has applied the migration ${name}, which this code does not know: newer code has migrated it. ` +
      'Run that code or newer code, or restore a backup from before that migration.'
    )
  }
  const current = checksumOf(migrationFile(name))
  if (checksum === null || checksum === current) return null
  return (
    `db/migrations/${name}.sql was changed after the database applied it: its checksum there is ${checksum}, that of ` +
    `the file is ${current}. Bring the file back as it was released, and put the change into a new migration.`
  )
}

/** What the entities say and the migrated database does not: empty when both agree. SQL statements. */
export async function checkDrift(databaseUrl: string): Promise<string> {
  const { orm } = await openDatabase(databaseUrl, 2)
  try {
    const sql = await orm.schema.getUpdateSchemaSQL({ wrap: false })
    // Triggers are the migrations' own: entities do not know them, so their absence there is no drift.
    return sql.replace(/^drop (trigger|function) .*$/gm, '').trim()
  } finally {
    await orm.close()
  }
}
