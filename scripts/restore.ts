// npm run restore -- engine | engine --older | database [--dry-run]: makes processes and rows match again after one of
// the two stores was lost or restored. docs/operating/data.md says what to do before and after.
import { Client } from '@temporalio/client'
import type { Database } from '../db/core/database.ts'
import { patientLimits } from '../db/core/time-limits.ts'
import { checkSchema } from '../db/migrate.ts'
import { openDatabase } from '../db/open-database.ts'
import { systemClock } from '../engine/clock.ts'
import { loadConfig } from '../engine/config.ts'
import { openEngine } from '../engine/connection.ts'
import { createProcessView } from '../engine/process-view.ts'
import { commandLine } from './infra/command-line.ts'
import { readOptions, runCommand, sayUnavailable } from './infra/run-command.ts'
import { registerSearchAttributes } from './infra/search-attributes.ts'
import { countRunning, endRunning } from './restore/end-running.ts'
import { movedTo, moveSequences } from './restore/move-sequences.ts'
import { countWaitingStarts, restartProcesses } from './restore/restart-processes.ts'

const usage = `Usage: ${commandLine('restore', 'CASE [--dry-run]')}

  engine            the engine's data is lost: starts the process of every open row that has none
  engine --older    the engine was put back from a backup and is older than the database:
                    ends all processes of this deployment, and starts those of all open rows again
  database          Postgres was put back to an earlier moment than the engine: moves the database's
                    sequences on, then does what --older does

  --dry-run         counts, and changes nothing
  --help            shows this

Reads the configuration of a worker. Safe to run twice, and while workers run.`

type Case = { what: 'engine' | 'database'; isOlder: boolean; isDry: boolean }

/** The case of the command line; null if the command line is wrong. */
function readCase(values: { older?: boolean; 'dry-run'?: boolean }, [what, ...more]: string[]): Case | null {
  if ((what !== 'engine' && what !== 'database') || more.length > 0) return null
  if (values.older && what === 'database') return null
  return { what, isOlder: values.older ?? false, isDry: values['dry-run'] ?? false }
}

async function restore({ what, isOlder, isDry }: Case): Promise<void> {
  const config = loadConfig()
  const startedAt = await systemClock.now()
  const connection = await openEngine(config.temporal, isDry ? undefined : sayUnavailable)
  const database = await openDatabase(config.databaseUrl, 4, patientLimits)
  const client = new Client({ connection, namespace: config.temporalNamespace })
  const say = (line: string) => console.log(line)
  try {
    await checkSchema(database)
    if (!isDry) await registerSearchAttributes(connection, config.temporalNamespace)
    const endsAll = what === 'database' || isOlder
    if (what === 'database') await moveOn(database, isDry, say)
    if (endsAll && isDry) say(`Would end ${await countRunning(client, config, startedAt)} running processes.`)
    else if (endsAll) say(`Ended ${await endRunning(client, config, startedAt)} running processes.`)
    say(isDry ? 'Open rows:' : 'Open rows, whose processes are started again:')
    const runs = endsAll ? null : createProcessView(client, config)
    const counts = await restartProcesses(database, { runs, at: startedAt, isDry, report: say })
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
    if (isDry) return say(`Nothing was changed. It would start ${total} processes.`)
    const left = await countWaitingStarts(database.orm.em.fork())
    say(`Put ${total} starts of processes into the outbox; ${left} of them wait there for a worker.`)
    say('The deployment’s own processes are started by its workers within a minute.')
    say('Then check both stores, from a clone of the repository: npm run invariants')
    if (!endsAll) {
      const running = await countRunning(client, config, startedAt)
      if (running > 0)
        say(`${running} processes ran before and were left alone. If the engine came from a backup: engine --older`)
    }
  } finally {
    await database.orm.close()
    await connection.close()
  }
}

async function moveOn(database: Database, isDry: boolean, say: (line: string) => void): Promise<void> {
  say(isDry ? 'Would move the sequences on:' : 'Moved the sequences on:')
  for (const sequence of await moveSequences(database, isDry)) {
    say(`  ${sequence.column.padEnd(20)} ${sequence.last}, next ${movedTo(sequence)}`)
  }
}

const options = { older: { type: 'boolean' }, 'dry-run': { type: 'boolean' } } as const
await runCommand(readOptions(options, readCase), {
  usage,
  run: (requested) => restore(requested).then(() => 0),
  failureCode: 1,
})
