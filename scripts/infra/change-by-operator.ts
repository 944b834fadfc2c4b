import { type EntityManager, inTransaction } from '../../db/core/database.ts'
import { checkSchema, SchemaMismatch } from '../../db/migrate.ts'
import { openDatabase } from '../../db/open-database.ts'
import { Refusal } from '../../domain/refusal.ts'
import { systemClock } from '../../engine/clock.ts'
import { ConfigError, loadDatabaseUrl } from '../../engine/config.ts'

type Change = (em: EntityManager, by: { userId: null; address: string }, now: number) => Promise<string>

/** Changes the database of `DATABASE_URL` in one transaction and prints what `change` says. A refusal exits with 1. */
export async function changeByOperator(change: Change): Promise<void> {
  try {
    console.log(await changed(change))
  } catch (error) {
    const saysAll = [Refusal, ConfigError, SchemaMismatch].some((kind) => error instanceof kind)
    console.error(saysAll ? (error as Error).message : error)
    process.exitCode = 1
  }
}

async function changed(change: Change): Promise<string> {
  const database = await openDatabase(loadDatabaseUrl(), 1)
  try {
    await checkSchema(database)
    const now = await systemClock.now()
    return await inTransaction(database, (em) => change(em, { userId: null, address: 'command line' }, now))
  } finally {
    await database.orm.close()
  }
}
