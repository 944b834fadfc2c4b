import { checkDrift } from '../db/migrate.ts'
import { migratedDatabase } from './infra/database.ts'
import { startTestPostgres } from './infra/postgres.ts'
import { temporaryFolder, type Session } from './infra/session.ts'

/** Null if the migrations make the database that the entities describe, else the missing SQL. */
export async function findDrift(session: Session): Promise<string | null> {
  const postgres = await startTestPostgres(temporaryFolder(session))
  session.atEnd(postgres.child.stop)
  const url = await migratedDatabase(postgres.url, 'drift')
  const sql = await checkDrift(url)
  return sql === '' ? null : `The migrations lack this SQL for the entities:\n${sql}`
}
