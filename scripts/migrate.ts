// npm run migrate [-- --wait SECONDS]: brings the database of DATABASE_URL to the newest schema. Safe to run again, and
// from several places at once. With --wait it waits for so long for a database that cannot be reached yet.
import { migrate, MigrationFailed } from '../db/migrate.ts'
import { loadDatabaseUrl } from '../engine/config.ts'
import { isUnavailable } from '../engine/unavailable.ts'
import { commandLine } from './infra/command-line.ts'
import { readOptions, runCommand } from './infra/run-command.ts'
import { untilReached } from './infra/until-reached.ts'

const usage = `Usage: ${commandLine('migrate', '[--wait SECONDS]')}
  --wait  how long to wait for a database that cannot be reached yet`

/** How many seconds to wait for a database that cannot be reached; null for arguments that are not understood. */
const readWait = ({ wait = '0' }: { wait?: string }, given: string[]): number | null =>
  /^\d{1,5}$/.test(wait) && given.length === 0 ? Number(wait) : null

async function migrateWithin(waitSeconds: number): Promise<number> {
  const waiting = {
    waitMs: waitSeconds * 1000,
    // A migration that got no lock would make others wait behind it at each further try.
    isUnavailable: (error: unknown) => !(error instanceof MigrationFailed) && isUnavailable(error),
    says: () => 'The database cannot be reached yet.',
  }
  console.log(saying(await untilReached(() => migrate(loadDatabaseUrl()), waiting)))
  return 0
}

/** The line that is printed at the end. `later` are the migrations of a later release. */
function saying(later: string[]): string {
  if (later.length === 0) return 'The database has the newest schema.'
  return `The database has all migrations of this code, and of a later release: ${later.join(', ')}.`
}

const order = readOptions({ wait: { type: 'string' } }, readWait)
await runCommand(order, { usage, run: migrateWithin, failureCode: 1 })
