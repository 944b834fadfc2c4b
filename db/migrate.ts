import { type Database, type EntityManager, inTransaction } from './core/database.ts'
import { liftTimeLimits, patientLimits } from './core/time-limits.ts'
import { currentNames } from './migrations/former-names.ts'
import { type Migration, readMigrations } from './migrations/read-migrations.ts'
import { previousRelease } from './migrations/previous-release.ts'
import { openDatabase } from './open-database.ts'

/** The database's schema does not match this code. The message names the migration and says what to do. */
export class SchemaMismatch extends Error {}

/** A migration that the database has refused or given up, or whose end nobody has seen. The message says which. */
export class MigrationFailed extends Error {
  constructor(name: string, cause: DatabaseProblem, isCommitting = false) {
    // The database itself says that a transaction has failed. Anything else may have happened after its commit.
    const isUnsure = isCommitting && cause.severity !== 'ERROR'
    const what = isUnsure
      ? `The migration ${name} was being committed when the connection was lost. ` +
        'It has changed everything or nothing; run the command again to find out'
      : `The migration ${name} has failed and changed nothing`
    super(`${what}: ${saidBy(cause)}`, { cause })
  }
}

type DatabaseProblem = Error & { code?: string; severity?: string }

/** The code of Postgres for a row that names a parent that does not exist. */
const foreignKeyViolation = '23503'

/** What an error says without the values of rows, which those of class 22 quote in their first line. */
function saidBy({ code = '', message }: DatabaseProblem): string {
  if (code.startsWith('22')) return `a value does not fit (${code}); the log of Postgres says which`
  // The second line names the ids of a broken reference; of other errors it would quote a whole row.
  return message
    .split('\n')
    .slice(0, code === foreignKeyViolation ? 2 : 1)
    .join('')
}

/**
 * Brings the database to the newest schema. Safe to run again, and from several places at once. Throws `SchemaMismatch`
 * and changes nothing where an applied migration has another text, or is one beside which this code cannot run. Returns
 * the applied migrations of the next release, which this code does not know.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const migrations = readMigrations()
  const database = await openDatabase(databaseUrl, 2, patientLimits)
  try {
    return await inTransaction(database, async (em) => {
      // A second run waits until the first one is done, however long that takes.
      await liftTimeLimits(em)
      await em.execute('set local idle_in_transaction_session_timeout = 0')
      await em.execute(`select pg_advisory_xact_lock(hashtext('migrations'))`)
      // This uses a second connection, as each migration commits by itself.
      const applied = await inTransaction(database, (second) => takeOver(second, migrations))
      for (const migration of migrations) if (!applied.has(migration.name)) await apply(database, migration)
      const known = new Set(migrations.map(({ name }) => name))
      return [...applied].filter((name) => !known.has(name))
    })
  } finally {
    await database.orm.close()
  }
}

/**
 * The column `checksum` was added later, at first with a default; then `runs_from`: code that knows this migration runs
 * on the schema that the row's migration has made. Where it is null, only code that knows the migration itself does.
 */
const migrationsTable = `
  create table if not exists migrations (id serial primary key, name varchar(255) not null,
    executed_at timestamptz(6) not null default current_timestamp(6));
  alter table migrations add column if not exists checksum char(64);
  alter table migrations alter column checksum drop default;
  alter table migrations add column if not exists runs_from varchar(255)`

/** Brings the table of applied migrations to its present form and returns their names. */
async function takeOver(em: EntityManager, migrations: Migration[]): Promise<Set<string>> {
  await em.execute(migrationsTable)
  const applied = await readApplied(em)
  refuseOthers(applied, migrations)
  for (const [former, current] of Object.entries(currentNames)) {
    await em.execute('update migrations set name = ? where name = ?', [current, former])
  }
  // These were applied before checksums were stored: from now on the checksums of their current texts are theirs.
  for (const { name, checksum } of migrations) {
    await em.execute('update migrations set checksum = ? where name = ? and checksum is null', [checksum, name])
  }
  return new Set(applied.map(({ name }) => name))
}

/**
 * Applies a migration in a transaction of its own. If a lock is not granted within 5 s the migration fails, so that no
 * other transactions queue behind it; run it again at a quieter moment. It has no other time limit, as a large table
 * takes long.
 */
async function apply(database: Database, { name, text, checksum }: Migration): Promise<void> {
  let isCommitting = false
  await inTransaction(database, async (em) => {
    await em.execute("set local lock_timeout = '5s'")
    await liftTimeLimits(em)
    await em.execute(text)
    const applied = [name, checksum, previousRelease.lastMigration]
    await em.execute('insert into migrations (name, checksum, runs_from) values (?, ?, ?)', applied)
    isCommitting = true
  }).catch((error: unknown) => {
    throw error instanceof Error ? new MigrationFailed(name, error, isCommitting) : error
  })
}

/**
 * Throws `SchemaMismatch` unless the database has applied the migrations of this code, and beside them only those of
 * the next release, which this code runs with, and lets its user read the tables.
 */
export async function checkSchema(database: Database): Promise<void> {
  const em = database.orm.em.fork()
  const migrations = readMigrations()
  await refuseUnreadable(database, em)
  // Not from information_schema, which leaves out what the user has no rights to.
  const [found] = await em.execute<{ count: string }[]>(
    `select count(*) from pg_attribute where attname = 'checksum' and attrelid = to_regclass('migrations')`,
  )
  const applied = Number(found?.count) > 0 ? await readApplied(em) : []
  refuseOthers(applied, migrations)
  const kept = new Set(applied.filter(({ checksum }) => checksum !== null).map(({ name }) => name))
  const missing = migrations.find(({ name }) => !kept.has(name))
  if (missing) {
    throw new SchemaMismatch(
      `The database has not applied the migration ${missing.name}: run the command \`migrate\` first.`,
    )
  }
}

/** A user without rights in the schema has no current schema. */
const unreadableTables = `
  select relname as "table", current_user as "user" from pg_class c join pg_namespace n on n.oid = relnamespace
  where nspname = coalesce(current_schema(), 'public') and relkind in ('r', 'p')
    and relname in (select jsonb_array_elements_text(?))
    and not (has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select'))
  order by relname limit 1`

/** Throws `SchemaMismatch` where a table of ours is there and the user of this connection may not read it. */
async function refuseUnreadable({ orm }: Database, em: EntityManager): Promise<void> {
  const ours = [
    'migrations',
    ...orm
      .getMetadata()
      .getAll()
      .values()
      .map(({ tableName }) => tableName),
  ]
  const [found] = await em.execute<{ table: string; user: string }[]>(unreadableTables, [JSON.stringify(ours)])
  if (!found) return
  throw new SchemaMismatch(
    `The database has the table ${found.table}, but its user ${found.user} may not read it: ` +
      'give the user the rights in docs/guides/production.md, "Another database user for the migrations".',
  )
}

/** `checksum` is null where the migration was applied before checksums were stored. */
type Applied = { name: string; checksum: string | null; runsFrom: string | null }

/** The applied migrations, by their current names. */
async function readApplied(em: EntityManager): Promise<Applied[]> {
  // An older release has made the table without the newest column.
  const rows = await em.execute<Applied[]>(
    `select name, checksum, to_jsonb(m) ->> 'runs_from' as "runsFrom" from migrations m`,
  )
  return rows.map((row) => ({ ...row, name: currentNames[row.name] ?? row.name }))
}

/** Throws `SchemaMismatch` where this code cannot work on a database with these applied migrations. */
function refuseOthers(applied: Applied[], migrations: Migration[]): void {
  const current = new Map(migrations.map(({ name, checksum }) => [name, checksum]))
  for (const { name, checksum, runsFrom } of applied) {
    const wanted = current.get(name)
    if (wanted === undefined) {
      if (runsFrom !== null && current.has(runsFrom)) continue // of the next release: nothing that we use has changed
      throw new SchemaMismatch(
        `The database has applied the migration ${name}, which this code does not know: newer code has migrated it. ` +
          'Run that code or newer code, or restore a backup from before that migration.',
      )
    }
    if (checksum !== null && checksum !== wanted) {
      throw new SchemaMismatch(
        `db/migrations/${name}.sql was changed after the database applied it: its checksum there is ${checksum}, ` +
          `that of the file is ${wanted}. Bring the file back as it was released, ` +
          'and put the change into a new migration.',
      )
    }
  }
}

/** The SQL statements that would bring the migrated database to what the entities declare; empty when both agree. */
export async function checkDrift(databaseUrl: string): Promise<string> {
  const { orm } = await openDatabase(databaseUrl, 2, patientLimits)
  try {
    const sql = await orm.schema.getUpdateSchemaSQL({ wrap: false })
    // Triggers exist in migrations only. The entities cannot declare them, so they are no drift.
    return sql.replace(/^drop (trigger|function) .*$/gm, '').trim()
  } finally {
    await orm.close()
  }
}
