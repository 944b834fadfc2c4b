// npm run migrate [-- --wait SECONDS]: brings the database of DATABASE_URL to the newest schema. Safe to run again, and
// from several places at once. With --wait it waits for so long for a database that cannot be reached yet.
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate, SchemaMismatch } from '../db/migrate.ts'
import { ConfigError, loadDatabaseUrl } from '../engine/config.ts'
import { isUnavailable } from '../engine/unavailable.ts'

const retryMs = 1_000

const waitSeconds = readArguments(process.argv.slice(2))

if (waitSeconds !== null) {
  await migrateWithin(waitSeconds * 1000)
} else {
  console.error('Usage: npm run migrate -- [--wait SECONDS]')
  process.exitCode = 2
}

/** How many seconds to wait for a database that cannot be reached; null for arguments that are not understood. */
function readArguments([flag, seconds = '', ...more]: string[]): number | null {
  if (flag === undefined) return 0
  return flag === '--wait' && /^\d{1,5}$/.test(seconds) && more.length === 0 ? Number(seconds) : null
}

async function migrateWithin(waitMs: number): Promise<void> {
  try {
    const later = await untilReached(waitMs, () => migrate(loadDatabaseUrl()))
    console.log(saying(later))
  } catch (error) {
    const saysAll = error instanceof SchemaMismatch || error instanceof ConfigError
    console.error(saysAll ? error.message : error)
    process.exitCode = 1
  }
}

/** Does `work` again every second while the database cannot be reached, for `waitMs` from its first failure on. */
async function untilReached<T>(waitMs: number, work: () => Promise<T>): Promise<T> {
  let limit: number | null = null
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const isFirst = limit === null
      limit ??= performance.now() + waitMs
      if (!isUnavailable(error) || performance.now() >= limit) throw error
      if (isFirst) console.error('The database cannot be reached yet. It is asked again every second.')
      await sleep(retryMs)
    }
  }
}

/** The line that is printed at the end. `later` are the migrations of a later release. */
function saying(later: string[]): string {
  if (later.length === 0) return 'The database has the newest schema.'
  return `The database has all migrations of this code, and of a later release: ${later.join(', ')}.`
}
