// npm run migrate [-- --wait SECONDS]: brings the database of DATABASE_URL to the newest schema. Safe to run again, and
// from several places at once. With --wait it waits for so long for a database that cannot be reached yet.
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate, SchemaMismatch } from '../db/migrate.ts'
import { ConfigError, loadDatabaseUrl } from '../engine/config.ts'
import { isUnavailable } from '../engine/unavailable.ts'

const retryMs = 1_000

const [flag = '--wait', given = process.argv.length > 2 ? '' : '0', ...more] = process.argv.slice(2)

if (flag === '--wait' && /^\d{1,5}$/.test(given) && more.length === 0) {
  await migrateWithin(Number(given) * 1000)
} else {
  console.error('Usage: npm run migrate -- [--wait SECONDS]')
  process.exitCode = 2
}

async function migrateWithin(waitMs: number): Promise<void> {
  let limit: number | null = null
  try {
    for (let tries = 1; ; tries++) {
      const done = await migrate(loadDatabaseUrl()).catch((error: unknown) => {
        limit ??= performance.now() + waitMs // from the first failure, as that may take a while
        if (!isUnavailable(error) || performance.now() >= limit) throw error
        return error
      })
      if (Array.isArray(done)) {
        console.log(saying(done))
        return
      }
      if (tries === 1) console.error('The database cannot be reached yet. It is asked again every second.')
      await sleep(retryMs)
    }
  } catch (error) {
    const saysAll = error instanceof SchemaMismatch || error instanceof ConfigError
    console.error(saysAll ? error.message : error)
    process.exitCode = 1
  }
}

function saying(later: string[]): string {
  if (later.length === 0) return 'The database has the newest schema.'
  return `The database has all migrations of this code, and of a later release: ${later.join(', ')}.`
}
