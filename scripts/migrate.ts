// npm run migrate [-- --wait SECONDS]: brings the database of DATABASE_URL to the newest schema. Safe to run again, and
// from several places at once. With --wait it waits for so long for a database that cannot be reached yet.
import { setTimeout as sleep } from 'node:timers/promises'
import { migrate } from '../db/migrate.ts'
import { loadDatabaseUrl } from '../engine/config.ts'
import { isUnavailable } from '../engine/unavailable.ts'
import { commandLine } from './infra/command-line.ts'
import { readOptions, runCommand } from './infra/run-command.ts'

const retryMs = 1_000

const usage = `Usage: ${commandLine('migrate', '[--wait SECONDS]')}
  --wait  how long to wait for a database that cannot be reached yet`

/** How many seconds to wait for a database that cannot be reached; null for arguments that are not understood. */
const readWait = ({ wait = '0' }: { wait?: string }, given: string[]): number | null =>
  /^\d{1,5}$/.test(wait) && given.length === 0 ? Number(wait) : null

async function migrateWithin(waitSeconds: number): Promise<number> {
  console.log(saying(await untilReached(waitSeconds * 1000, () => migrate(loadDatabaseUrl()))))
  return 0
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

const order = readOptions({ wait: { type: 'string' } }, readWait)
await runCommand(order, { usage, run: migrateWithin, failureCode: 1 })
