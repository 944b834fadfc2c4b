import { patientLimits } from '../../db/core/time-limits.ts'
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

/** Brings a database to the newest schema. If that is not possible, a `SetupError` says why and what to do. */
export async function migrated(url: string): Promise<void> {
  await migrate(url).catch((error: unknown) => {
    const saysAll = error instanceof SchemaMismatch || error instanceof MigrationFailed
    throw saysAll ? new SetupError(error.message) : error
  })
}
