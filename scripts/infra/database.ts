import { patientLimits } from '../../db/core/time-limits.ts'
import { demoEmail } from '../../db/seed.ts'
import { openDatabase } from '../../db/open-database.ts'
import { migrate, MigrationFailed, SchemaMismatch } from '../../db/migrate.ts'
import { SetupError } from './session.ts'

/** Creates a database unless it exists. `name` comes from our code, never from input. */
export async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  const { orm } = await openDatabase(adminUrl, 1, patientLimits)
  try {
    const connection = orm.em.getConnection()
    const found = await connection.execute('select 1 from pg_database where datname = ?', [name])
    if (found.length === 0) await connection.execute(`create database "${name}"`)
  } finally {
    await orm.close()
  }
}

/** Creates a database unless it exists, brings it to the newest schema, and returns its address. */
export async function migratedDatabase(urlOf: (database: string) => string, name: string): Promise<string> {
  await ensureDatabase(urlOf('postgres'), name)
  await migrated(urlOf(name))
  return urlOf(name)
}

/** The live accounts, unless a start has made the first one, with the owner of this address. */
const foreignAccounts = `
  select count(*)::int as count from accounts a
  where (to_jsonb(a) ->> 'payments_enabled')::boolean and not exists (
    select from users where email = ? and account_id = (select id from accounts order by created_at, id limit 1))`

/**
 * Refuses, with a `SetupError`, a database with accounts that take real money and that `npm start` has not made. Reads
 * any schema, and changes nothing.
 */
export async function refuseForeign(url: string): Promise<void> {
  const { orm } = await openDatabase(url, 1, patientLimits)
  try {
    const connection = orm.em.getConnection()
    const found = `select where to_regclass('accounts') is not null and to_regclass('users') is not null`
    if ((await connection.execute(found)).length === 0) return
    const [{ count }] = await connection.execute<[{ count: number }]>(foreignAccounts, [demoEmail('owner')])
    if (count === 0) return
    throw new SetupError(
      `DATABASE_URL names a database with ${count} live account${count === 1 ? '' : 's'} that npm start has not ` +
        'made. npm start is for development: it would migrate this database, and its worker would carry out what ' +
        'waits there.\nNothing was changed. Run npm start without DATABASE_URL, or name an empty database there.',
    )
  } finally {
    await orm.close()
  }
}

/** Brings a database to the newest schema. If that is not possible, a `SetupError` says why and what to do. */
export async function migrated(url: string): Promise<void> {
  await migrate(url).catch((error: unknown) => {
    const saysAll = error instanceof SchemaMismatch || error instanceof MigrationFailed
    throw saysAll ? new SetupError(error.message) : error
  })
}
