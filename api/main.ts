import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '@temporalio/client'
import closeWithGrace from 'close-with-grace'
import { openDatabase } from '../db/open-database.ts'
import { passwords } from '../db/access/password.ts'
import { createEncrypter } from '../db/core/encryption.ts'
import { loadConfig } from '../engine/config.ts'
import { askEngine, connectToEngine } from '../engine/connection.ts'
import { startDatabaseClock } from '../engine/database-clock.ts'
import { databaseProblem } from '../engine/database-problem.ts'
import { createEngine } from '../engine/engine.ts'
import { listenAt } from '../engine/listen.ts'
import { createLogger } from '../engine/logger.ts'
import { createMailer } from '../engine/mailer.ts'
import { createExchangeRates } from '../rails/exchange-rates.ts'
import { createRails } from '../rails/index.ts'
import { connectProviders } from '../rails/providers.ts'
import { createRailCallLog } from '../engine/rail-call-log.ts'
import { awaitSchema } from '../engine/schema.ts'
import { startStep } from '../engine/start-step.ts'
import { noteRailCalls } from '../engine/telemetry/measured.ts'
import { startMetrics } from '../engine/telemetry/metrics.ts'
import { starting, stopping } from '../engine/telemetry/side-port.ts'
import { startTracing } from '../engine/telemetry/tracing.ts'
import { createPages } from '../web/pages.ts'
import { createAccessTokens } from './access/access-token.ts'
import { createDraining } from './http/draining.ts'
import { createHttpServer } from './http/http-server.ts'
import { callFor } from './http/caller-address.ts'
import { createRequestLog } from './http/request-log.ts'
import { createApp } from './http/server.ts'
import { apiVersions } from './http/versions.ts'
import { EventFeed } from './webhook/event-feed.ts'

const config = await startStep(loadConfig)
const tracing = await startTracing(config, 'api')
const logger = createLogger(config, 'api', tracing.logFields)
let problem = starting
const metrics = await startStep(() => startMetrics({ config, logger, problem: () => problem() }))
const database = await openDatabase(config.databaseUrl, config.databasePool)
await tracing.database(database)
const clock = startDatabaseClock(database, logger)
metrics?.show({ main: database }, clock)
await startStep(() => awaitSchema(database, logger))
await clock.known
const connection = connectToEngine(config.temporal)
const interceptors = { workflow: tracing.clientInterceptors }
const engine = createEngine(new Client({ connection, namespace: config.temporalNamespace, interceptors }), config)
const encrypter = createEncrypter(config.encryptionKeys)
const mailer = createMailer(config.smtpUrl, config.mailFrom, logger)
const line = { note: tracing.railCalls(noteRailCalls(createRailCallLog(logger), metrics)) }
const providers = connectProviders(config.providers, { database, encrypter, line })
const requestLog = createRequestLog({ database, logger })
const eventFeed = new EventFeed({ database, logger })
const draining = createDraining()
const app = createApp(
  {
    rates: createExchangeRates(config, logger),
    rails: createRails(database, { logger, providers }),
    providers,
    config,
    database,
    engine,
    logger,
    requestLog,
    encrypter,
    passwords,
    mailer,
    eventFeed,
    accessTokens: createAccessTokens(database, encrypter),
    clock,
    versions: apiVersions,
    measureCall: metrics?.countCalls(),
    isStopping: draining.isStopping,
    traceCall: tracing.call,
  },
  createPages({
    address: () => ofPages.address(),
    callFor(ctx) {
      const traceparent = tracing.traceparent()
      return { ...callFor(ctx, config.trustedProxyHops), ...(traceparent && { traceparent }) }
    },
    now: clock.now,
    publicUrl: config.publicUrl,
    temporalUi: config.temporalUiUrl ? { url: config.temporalUiUrl, namespace: config.temporalNamespace } : null,
  }),
)
// The pages call the API here, so that a page under way finds it also when no more calls are taken from outside.
const ofPages = createHttpServer(app, { config, logger }).listen(0, '127.0.0.1')
await once(ofPages, 'listening')
const server = draining.watch(createHttpServer(app, { config, logger }))
await startStep(() => listenAt(server, config.host, config.port, 'PORT'))
problem = () => databaseProblem(database)
logger.info({ host: config.host, port: config.port }, 'API is listening')
// It is ready without the engine. What keeps it from the engine is said once here, as nobody may call for long.
askEngine(connection, config.temporal).catch((error: unknown) =>
  logger.warn({ err: error }, 'the engine is unavailable'),
)

/** How long calls under way may take once no more are taken. Kubernetes has to wait for longer: see the guide. */
const lastCallsMs = 10_000

closeWithGrace({ delay: config.drainMs + 18_000 }, async ({ err }) => {
  if (err) logger.error({ err }, 'API stops after an error')
  problem = stopping
  draining.begin()
  if (!err) await sleep(config.drainMs)
  const ended = draining.end(lastCallsMs)
  await eventFeed.close() // its streams would keep the server open
  await ended
  ofPages.close()
  ofPages.closeAllConnections()
  await requestLog.close()
  await mailer.close()
  await providers.close()
  await connection.close()
  await clock.close()
  await database.orm.close()
  await tracing.close()
  await metrics?.close()
})
