// npm run invariants: checks the rules that the database of DATABASE_URL must satisfy, and, with TEMPORAL_ADDRESS, that
// every unfinished row has its process, and every process its unfinished row. Only reads. Exits with 1 if a rule is
// broken, or if it could not be done.
import { Client } from '@temporalio/client'
import { noTimeLimits } from '../db/core/time-limits.ts'
import { checkSchema } from '../db/migrate.ts'
import { openDatabase } from '../db/open-database.ts'
import { systemClock } from '../engine/clock.ts'
import { loadDatabaseUrl, loadDeployment } from '../engine/config.ts'
import { openEngine } from '../engine/connection.ts'
import { look, ruleCount } from '../test/support/invariants.ts'
import { longHeld } from '../test/support/short-payment-invariants.ts'
import { readArguments, runCommand } from './infra/run-command.ts'

const usage = `Usage: npm run invariants

Reads DATABASE_URL, and TASK_QUEUE and the variables that begin with TEMPORAL_ to look for the processes too.`

async function checkAll(): Promise<number> {
  const { TEMPORAL_ADDRESS, TEMPORAL_ADDRESS_FILE } = process.env
  const engine = TEMPORAL_ADDRESS || TEMPORAL_ADDRESS_FILE ? loadDeployment() : null
  const database = await openDatabase(loadDatabaseUrl(), 2, noTimeLimits, { isReadOnly: true })
  let client: Client | undefined
  try {
    await checkSchema(database)
    if (engine)
      client = new Client({ connection: await openEngine(engine.temporal), namespace: engine.temporalNamespace })
    const running = engine && client ? { client, queues: engine } : undefined
    const { rows, violations } = await look(database, running, await systemClock.now())
    for (const violation of violations) console.error(violation)
    for (const held of await longHeld(database)) console.log(held)
    const looked = `looked at ${rows} unfinished rows and their processes`
    console.log(client ? looked : 'TEMPORAL_ADDRESS is missing: looked at no processes')
    console.log(violations.length === 0 ? `${ruleCount} invariants hold` : `${violations.length} violations`)
    return violations.length === 0 ? 0 : 1
  } finally {
    await database.orm.close()
    await client?.connection.close()
  }
}

const order = readArguments((given) => (given.length === 0 ? {} : null))
await runCommand(order, { usage, run: checkAll, failureCode: 1 })
