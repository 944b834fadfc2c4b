import { Migrator } from '@mikro-orm/migrations'
import { openDatabase } from './database.ts'

/** Brings the database to the newest schema; safe to run again. */
export async function migrate(databaseUrl: string): Promise<void> {
  const { orm } = await openDatabase(databaseUrl, 2)
  try {
    await new Migrator(orm.em).up()
  } finally {
    await orm.close()
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
