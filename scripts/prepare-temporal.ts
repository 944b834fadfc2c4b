// npm run prepare-temporal: makes the namespace of TEMPORAL_NAMESPACE, where there is none, and the search attributes
// that the processes need, at the Temporal service of TEMPORAL_ADDRESS. Waits a while for it. Safe to run again.
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError, loadTemporal } from '../engine/config.ts'
import { openEngine } from '../engine/connection.ts'
import type { TemporalAccess } from '../engine/temporal-config.ts'
import { registerNamespace, registerSearchAttributes, RegistrationRefused } from './infra/search-attributes.ts'

const waitMs = 300_000
const retryMs = 2_000

try {
  const { temporal, temporalNamespace } = loadTemporal()
  const limit = performance.now() + waitMs
  for (let tries = 1; ; tries++) {
    try {
      await prepare(temporal, temporalNamespace)
      break
    } catch (error) {
      if (error instanceof RegistrationRefused || performance.now() > limit) throw error
      if (tries === 1) console.error(`Temporal is not ready yet (${(error as Error).message}). It is asked again.`)
      await sleep(retryMs)
    }
  }
  console.log(`The namespace ${temporalNamespace} has the search attributes.`)
} catch (error) {
  const isFinal = error instanceof ConfigError || error instanceof RegistrationRefused
  console.error(isFinal ? error.message : `Temporal is not ready: ${(error as Error).message}`)
  process.exitCode = 1
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
