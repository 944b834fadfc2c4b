import { type Database, type EntityManager, inTransaction } from './core/database.ts'
import { currentNames } from './migrations/former-names.ts'
import { type Migration, readMigrations } from './migrations/read-migrations.ts'
import { openDatabase } from './open-database.ts'

/** The database is not what this code was made for. The message names the migration and the way out. */
export class SchemaMismatch extends Error {}

/**
 * Brings the database to the newest schema; safe to run again, and from several places at once. Throws `SchemaMismatch`
 * and changes nothing where the database has applied another text of a migration, or one that this code does not know.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  const migrations = readMigrations()
  const database = await openDatabase(databaseUrl, 2)
  try {
    await inTransaction(database, async (em) => {
      // Whoever comes second waits until the first is done, however long that takes.
      await em.execute('set local statement_timeout = 0')
      await em.execute('set local idle_in_transaction_session_timeout = 0')
      await em.execute(`select pg_advisory_xact_lock(hashtext('migrations'))`)
      // Over a second connection, as each migration commits by itself.
      const applied = await inTransaction(database, (second) => takeOver(second, migrations))
      for (const migration of migrations) if (!applied.has(migration.name)) await apply(database, migration)
    })
  } finally {
    await database.orm.close()
  }
}

/** `checksum` was added later, and first with a default. */
const migrationsTable = `
  create table if not exists migrations (id serial primary key, name varchar(255) not null,
    executed_at timestamptz(6) not null default current_timestamp(6));
  alter table migrations add column if not exists checksum char(64);
  alter table migrations alter column checksum drop default`

/** Brings the table of the applied migrations to its present form and answers their names. */
async function takeOver(em: EntityManager, migrations: Migration[]): Promise<Set<string>> {
  await em.execute(migrationsTable)
  const applied = await readApplied(em)
  refuseOthers(applied, migrations)
  for (const [former, current] of Object.entries(currentNames)) {
    await em.execute('update migrations set name = ? where name = ?', [current, former])
  }
  // Applied before checksums were kept: the texts of today are theirs from now on.
  for (const { name, checksum } of migrations) {
    await em.execute('update migrations set checksum = ? where name = ? and checksum is null', [checksum, name])
  }
  return new Set(applied.map(({ name }) => name))
}

/**
 * Applies a migration in a transaction of its own. A lock that is not granted within 5 s fails it instead of queueing
 * every other transaction behind it; run it again at a quieter moment. A statement may take as long as its table is
 * large.
 */
const apply = (database: Database, { name, text, checksum }: Migration) =>
  inTransaction(database, async (em) => {
    await em.execute("set local lock_timeout = '5s'")
    await em.execute('set local statement_timeout = 0')
    await em.execute(text)
    await em.execute('insert into migrations (name, checksum) values (?, ?)', [name, checksum])
  })

/** Throws `SchemaMismatch` unless the database has applied exactly the migrations of this code. */
export async function checkSchema({ orm }: Database): Promise<void> {
  const em = orm.em.fork()
  const migrations = readMigrations()
  const [found] = await em.execute<{ count: string }[]>(
    `select count(*) from information_schema.columns
     where table_schema = current_schema() and table_name = 'migrations' and column_name = 'checksum'`,
  )
  const applied = Number(found?.count) > 0 ? await readApplied(em) : []
  refuseOthers(applied, migrations)
  const kept = new Set(applied.filter(({ checksum }) => checksum !== null).map(({ name }) => name))
  const missing = migrations.find(({ name }) => !kept.has(name))
  if (missing) {
    throw new SchemaMismatch(
      `The database has not applied the migration ${missing.name}: run \`npm run migrate\` first.`,
    )
  }
}

/** `checksum` is null where it was applied before checksums were kept. */
type Applied = { name: string; checksum: string | null }

/** What the database has applied, by the names of today. */
async function readApplied(em: EntityManager): Promise<Applied[]> {
  const rows = await em.execute<Applied[]>('select name, checksum from migrations')
  return rows.map(({ name, checksum }) => ({ name: currentNames[name] ?? name, checksum }))
}

/** Throws `SchemaMismatch` where this code cannot work on a database that has applied this. */
function refuseOthers(applied: Applied[], migrations: Migration[]): void {
  const current = new Map(migrations.map(({ name, checksum }) => [name, checksum]))
  for (const { name, checksum } of applied) {
    const wanted = current.get(name)
    if (wanted === undefined) {
      throw new SchemaMismatch(
        `The database has applied the migration ${name}, which this code does not know: newer code has migrated it. ` +
          'Run that code or newer code, or restore a backup from before that migration.',
      )
    }
    if (checksum !== null && checksum !== wanted) {
      throw new SchemaMismatch(
        `db/migrations/${name}.sql was changed after the database applied it: its checksum there is ${checksum}, ` +
          `that of the file is ${wanted}. Bring the file back as it was released, and put the change into a new migration.`,
      )
    }
  }
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
