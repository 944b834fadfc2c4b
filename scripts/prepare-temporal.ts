// npm run prepare-temporal: makes the namespace of TEMPORAL_NAMESPACE, where there is none, and the search attributes
// that the processes need, at the Temporal service of TEMPORAL_ADDRESS. Waits a while for it. Safe to run again.
import { loadTemporal } from '../engine/config.ts'
import { openEngine } from '../engine/connection.ts'
import type { TemporalAccess } from '../engine/temporal-config.ts'
import { commandLine } from './infra/command-line.ts'
import { readArguments, runCommand } from './infra/run-command.ts'
import { registerNamespace, registerSearchAttributes, RegistrationRefused } from './infra/search-attributes.ts'
import { untilReached } from './infra/until-reached.ts'

/** An engine that is installed with the service may take minutes to begin. */
const waitMs = 300_000

const usage = `Usage: ${commandLine('prepare-temporal')}`

async function prepareWhenReady(): Promise<number> {
  const { temporal, temporalNamespace } = loadTemporal()
  await untilReached(() => prepare(temporal, temporalNamespace), {
    waitMs,
    isUnavailable: (error) => !(error instanceof RegistrationRefused),
    says: (error) => (error as Error).message,
  })
  console.log(`The namespace ${temporalNamespace} has the search attributes.`)
  return 0
}

async function prepare(temporal: TemporalAccess, namespace: string): Promise<void> {
  const connection = await openEngine(temporal)
  try {
    await registerNamespace(connection, namespace)
    await registerSearchAttributes(connection, namespace)
  } finally {
    await connection.close()
  }
}

const order = readArguments((given) => (given.length === 0 ? {} : null))
await runCommand(order, { usage, run: prepareWhenReady, failureCode: 1 })
