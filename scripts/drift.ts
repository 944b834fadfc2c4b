import { checkDrift } from '../db/migrate.ts'
import { migratedDatabase } from './infra/database.ts'
import { startTestPostgres } from './infra/postgres.ts'
import { temporaryFolder, type Session } from './infra/session.ts'

/** Null when a database made by the migrations is what the entities say, else the SQL that is missing. */
export async function findDrift(session: Session): Promise<string | null> {
  const postgres = await startTestPostgres(temporaryFolder(session))
  session.atEnd(postgres.child.stop)
  const url = await migratedDatabase(postgres.url, 'drift')
  const sql = await checkDrift(url)
  return sql === '' ? null : `The migrations lack what the entities say:\n${sql}`
}
