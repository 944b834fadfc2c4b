import { Client } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker'
import type { Deps } from '../../activities/deps.ts'
import { createActivities } from '../../activities/index.ts'
import { createMailer } from '../../engine/mailer.ts'
import { sandboxExchangeRates } from '../../rails/exchange-rates.ts'
import { createRails } from '../../rails/index.ts'
import { createWebhookHttp } from '../../activities/webhook/http.ts'
import { openDatabase } from '../../db/open-database.ts'
import { createEncrypter } from '../../db/core/encryption.ts'
import { systemClock } from '../../engine/clock.ts'
import { loadConfig } from '../../engine/config.ts'
import { connectToEngine } from '../../engine/connection.ts'
import { createEngine } from '../../engine/engine.ts'
import { createLogger } from '../../engine/logger.ts'
import { firstAttemptBy } from '../../engine/first-attempts.ts'
import { startOutboxRelay } from '../../engine/outbox-relay.ts'
import { createProcessView } from '../../engine/process-view.ts'
import { createWorkers } from '../../engine/workers.ts'
import { madeAgain } from '../../workflows/local-steps.ts'

/** The differences from a real worker. */
type Rig = {
  deps?: Deps
  activities?: ReturnType<typeof createActivities>
  activitiesMax?: number
  maxCachedWorkflows?: number
  dormant?: readonly string[]
}

/** Runs a worker process as engine/worker.ts does, with the given differences; it ends only when it is killed. */
export async function runWorker(rig: (deps: Deps) => Rig): Promise<void> {
  const config = loadConfig()
  const logger = createLogger(config, 'worker')
  // Proofs read the lines about repeated steps. Of the rest only errors are logged, as rigged steps fail all the time.
  const toOurs = new DefaultLogger('WARN', ({ level, message, meta }) => {
    const { workflowType, error } = meta ?? {}
    if (level === 'ERROR') logger.error({ workflowType, err: error }, message)
    else if (message === madeAgain) logger.warn({ workflowType }, message)
  })
  Runtime.install({ logger: toOurs, shutdownSignals: [] })
  const database = await openDatabase(config.databaseUrl, config.databasePool)
  const engine = connectToEngine(config.temporal)
  const client = new Client({ connection: engine, namespace: config.temporalNamespace })
  const made = {
    database,
    logger,
    processView: createProcessView(client, config),
    rails: createRails(database),
    rates: sandboxExchangeRates,
    encrypter: createEncrypter(config.encryptionKeys),
    webhooks: createWebhookHttp({ allowLoopback: config.allowLoopbackWebhooks }),
    mailer: createMailer(null, '', logger),
    clock: systemClock,
    riskLimits: config.riskLimits,
  }
  const { deps = made, ...rigged } = rig(made)
  const connection = await NativeConnection.connect(config.temporal)
  const bundles = config.workflowBundles
  const activities = rigged.activities ?? createActivities(deps)
  const workers = await createWorkers(deps, { ...config, connection, logger, bundles, ...rigged, activities })
  const attempt = firstAttemptBy(activities.webhooks)
  const sweeping = { inFlightMax: 16, waitingMax: 20_000, sweepMs: 100, attempt }
  startOutboxRelay(database, createEngine(client, config), logger, sweeping)
  logger.info('worker is running')
  await Promise.all(workers.map((worker) => worker.run()))
}
