import { Client } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { DefaultLogger, makeTelemetryFilterString, NativeConnection, Runtime } from '@temporalio/worker'
import closeWithGrace from 'close-with-grace'
import { createExchangeRates } from '../rails/exchange-rates.ts'
import { createRails } from '../rails/index.ts'
import { connectProviders } from '../rails/providers.ts'
import { createActivities } from '../activities/index.ts'
import { createMailer } from './mailer.ts'
import { createWebhookHttp } from '../activities/webhook/http.ts'
import { createEncrypter } from '../db/core/encryption.ts'
import { loadConfig } from './config.ts'
import { openEngine } from './connection.ts'
import { startDatabaseClock } from './database-clock.ts'
import { databaseProblem } from './database-problem.ts'
import { createEngine } from './engine.ts'
import { keepOwnProcesses } from './own-processes.ts'
import { createLogger } from './logger.ts'
import { firstAttemptBy } from './first-attempts.ts'
import { startOutboxRelay } from './outbox-relay.ts'
import { createProcessView } from './process-view.ts'
import { createRailCallLog } from './rail-call-log.ts'
import { awaitSchema } from './schema.ts'
import { openPools } from './pools.ts'
import { startStep } from './start-step.ts'
import { measuredBy, noteRailCalls } from './telemetry/measured.ts'
import { startMetrics } from './telemetry/metrics.ts'
import { prepareSdkMetrics } from './telemetry/sdk-metrics.ts'
import { starting, stopping } from './telemetry/side-port.ts'
import { startTracing } from './telemetry/tracing.ts'
import { createWorkers, pollsAll } from './workers.ts'

const config = await startStep(loadConfig)
const tracing = await startTracing(config, 'worker')
const logger = createLogger(config, 'worker', tracing.logFields)
const sdk = await prepareSdkMetrics(config)
Runtime.install({
  logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
    const { workflowId, workflowType, activityType, error } = meta ?? {}
    // a refusal is not a fault, and other errors were logged where they happened
    if (error instanceof ApplicationFailure) return
    logger[level === 'ERROR' ? 'error' : 'warn']({ workflowId, workflowType, activityType, err: error }, message)
  }),
  telemetryOptions: {
    logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN' }) },
    ...(sdk && { metrics: sdk.exporter }),
  },
  shutdownSignals: [],
})
let problem = starting
const metrics = await startStep(() => startMetrics({ config, logger, problem: () => problem(), sdk }))
const measured = measuredBy(metrics)
const interceptors = { workflow: tracing.clientInterceptors }

const pools = await openPools(config.databaseUrl, config.databasePool, config.workerQueues)
const database = pools.main
const clock = startDatabaseClock(database, logger)
for (const pool of [pools.main, pools.webhooks]) {
  pool.clock = clock
  pool.publicUrl = config.publicUrl
  await tracing.database(pool)
}
await startStep(() => awaitSchema(database, logger))
await clock.known
metrics?.show({ main: pools.main, webhooks: pools.webhooks }, clock)
const sender = createWebhookHttp({ allowLoopback: config.allowLoopbackWebhooks })
const webhooks = tracing.webhookHttp(measured.webhookHttp(sender))
const mailer = createMailer(config.smtpUrl, config.mailFrom, logger)
const namespace = config.temporalNamespace
const opened = await openEngine(config.temporal).catch((error: unknown) => {
  logger.fatal({ err: error }, 'the worker cannot start without the engine')
  return process.exit(1)
})
const client = new Client({ connection: opened, namespace, interceptors })
const connection = await NativeConnection.connect(config.temporal)
const encrypter = createEncrypter(config.encryptionKeys)
const line = { note: tracing.railCalls(noteRailCalls(createRailCallLog(logger), metrics)) }
const providers = connectProviders(config.providers, { database, encrypter, line })
const deps = {
  database,
  webhooks,
  mailer,
  logger,
  processView: createProcessView(client, config),
  rails: createRails(database, { logger, providers }),
  rates: createExchangeRates(config, logger),
  encrypter,
  clock,
  riskLimits: config.riskLimits,
}
// Its starts are carried out by the workers of this process, without a way through the engine's queues. A worker with a
// release does not: the engine decides which release takes a new process.
const eager = config.workerVersion === null ? new Client({ connection, namespace, interceptors }) : undefined
const engine = tracing.engine(measured.engine(createEngine(client, config, eager && { eager })))
const activities = {
  main: createActivities(deps).main,
  webhooks: measured.webhookSteps(createActivities({ ...deps, database: pools.webhooks }).webhooks),
}
const relay = startOutboxRelay(database, engine, logger, {
  inFlightMax: 16,
  waitingMax: 20_000,
  sweepMs: 100,
  queues: config.workerQueues,
  attempt: tracing.firstAttempt(firstAttemptBy(activities.webhooks)),
})
pools.webhooks.onCommitted = database.onCommitted
pools.webhooks.isDispatchedHere = database.isDispatchedHere
const bundles = config.workflowBundles
const workers = await createWorkers(deps, { ...config, connection, logger, bundles, activities, tracedBy: tracing })
const running = Promise.all(workers.map((worker) => worker.run()))
problem = async () => (pollsAll(workers) ? databaseProblem(database) : 'a task queue is not polled')
const { taskQueue, workerQueues, workerVersion } = config
logger.info({ taskQueue, queues: workerQueues, build: workerVersion?.buildId }, 'worker is running')
const own = keepOwnProcesses(engine, logger, config)

closeWithGrace({ delay: 20_000 }, async ({ err }) => {
  if (err) logger.error({ err }, 'worker stops after an error')
  problem = stopping
  const stopped = own.stop()
  relay.stopAttempts()
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
  await running.catch(() => undefined)
  await Promise.all([stopped, relay.close()])
  await webhooks.close()
  await mailer.close()
  await providers.close()
  await connection.close()
  await client.connection.close()
  await clock.close()
  await pools.close()
  await tracing.close()
  await metrics?.close()
})
await running
