// npm run migrate: brings the database of DATABASE_URL to the newest schema. Safe to run again, and from several places
// at once.
import { migrate, SchemaMismatch } from '../db/migrate.ts'
import { ConfigError, loadDatabaseUrl } from '../engine/config.ts'

try {
  await migrate(loadDatabaseUrl())
  console.log('The database has the newest schema.')
} catch (error) {
  const saysAll = error instanceof SchemaMismatch || error instanceof ConfigError
  console.error(saysAll ? error.message : error)
  process.exitCode = 1
}
