import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker'
import { globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js'
import type { Pool } from 'pg'
import type { Deps } from '../../activities/deps.ts'
import type { ProcessView } from '../../activities/process-view.ts'
import { sandboxExchangeRates } from '../../rails/exchange-rates.ts'
import { createRails } from '../../rails/index.ts'
import type { LineOptions } from '../../rails/line.ts'
import { connectProviders, noProviders, type ProviderAccess } from '../../rails/providers.ts'
import type { SandboxPace } from '../../rails/sandbox/rail-set.ts'
import { createActivities } from '../../activities/index.ts'
import { createWebhookHttp } from '../../activities/webhook/http.ts'
import { createAccessTokens } from '../../api/access/access-token.ts'
import { createHttpServer } from '../../api/http/http-server.ts'
import { createRequestLog } from '../../api/http/request-log.ts'
import { apiVersions } from '../../api/http/versions.ts'
import { type Database, isInTransaction } from '../../db/core/database.ts'
import { patientLimits } from '../../db/core/time-limits.ts'
import { openDatabase } from '../../db/open-database.ts'
import { passwords } from '../../db/access/password.ts'
import { createEncrypter } from '../../db/core/encryption.ts'
import { seedIn } from '../../db/seed.ts'
import { processId, type ProcessName } from '../../domain/processes.ts'
import { type Clock, systemClock } from '../../engine/clock.ts'
import { createEngine } from '../../engine/engine.ts'
import { createLogger } from '../../engine/logger.ts'
import { createMailer } from '../../engine/mailer.ts'
import { firstAttemptBy } from '../../engine/first-attempts.ts'
import { startOutboxRelay } from '../../engine/outbox-relay.ts'
import { createProcessView } from '../../engine/process-view.ts'
import { createWorkers } from '../../engine/workers.ts'
import { searchAttributes } from '../../workflows/search-attributes.ts'
import { EventFeed } from '../../api/webhook/event-feed.ts'
import { createCheckedApp } from './answers.ts'
import { createDatabase } from './database.ts'
import { checkInvariants } from './invariants.ts'
import { createMerchant } from './merchant.ts'
import { until } from './until.ts'

export type StackOptions = {
  /** Skips time: the processes and the API use the clock of the time-skipping server. */
  skipping?: boolean
  /** A separate clock for the API. */
  clock?: Clock
  /** No cache: each task replays its workflow from the start. */
  maxCachedWorkflows?: number
  /** Faster buyers and networks, for tests that would only wait for them. */
  pace?: SandboxPace
  /** The providers of live rails; otherwise there are none. */
  providers?: Partial<ProviderAccess>
  /** How the lines to the providers behave; otherwise as usual. */
  line?: LineOptions
  /** Without workers the API accepts calls, and no process runs. */
  workers?: boolean
  /** How long calls wait for processes, in milliseconds; otherwise as usual. */
  updateTimeoutMs?: number
  /** The changes that processes do not take yet (workflows/versions.ts); otherwise those of this release. */
  dormant?: readonly string[]
  /** Steps with faults, made of the real ones. */
  rig?: (activities: Activities, deps: Deps) => Activities
  /** An existing database, with the secrets it was made with; otherwise a new one is made and dropped. */
  from?: ExistingData
}

type Activities = ReturnType<typeof createActivities>

/** What a stack runs on. `apiKey` belongs to the database's first organization. */
export type ExistingData = {
  url: string
  drop: () => Promise<void>
  keyPepper: Buffer
  encryptionKeys: string
  apiKey: string | null
}

Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
// Workflows run in the thread of the tests, where the SDK would note of each promise where it was made, so that the
// engine's UI can show where a workflow waits. No test asks for that.
globalHandlers['setPromiseHook'] = () => {}

const freshSecrets = () => ({
  keyPepper: randomBytes(32),
  encryptionKeys: `k1:${randomBytes(32).toString('base64')}`,
})

type Time = {
  client: Client
  native: NativeConnection
  clock: Clock
  skip: (ms: number) => Promise<void>
  close: () => Promise<void>
}

const startTriesMax = 6

/** The library gives the server five seconds to start; on a busy machine that may be too short, so it tries again. */
async function startTimeSkipping(path: string, tries = 1): Promise<TestWorkflowEnvironment> {
  try {
    return await TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path } } })
  } catch (error) {
    if (tries === startTriesMax || !String(error).includes('did not start within')) throw error
    return await startTimeSkipping(path, tries + 1)
  }
}

async function skippingTime(): Promise<Time> {
  const path = process.env['TIME_SKIPPING_SERVER']
  if (!path) throw new Error('TIME_SKIPPING_SERVER is missing: run the tests with npm test')
  const env = await startTimeSkipping(path)
  // The time-skipping server cannot list them; 2 is INDEXED_VALUE_TYPE_KEYWORD.
  const keywords = Object.fromEntries(Object.values(searchAttributes).map(({ name }) => [name, 2]))
  await env.connection.operatorService.addSearchAttributes({ namespace: 'default', searchAttributes: keywords })
  return {
    // Not the environment's own client: that one lets time run while it waits for a result.
    client: new Client({ connection: env.connection }),
    native: env.nativeConnection,
    clock: { now: () => env.currentTimeMs() },
    skip: (ms) => within(env.sleep(ms), 'the time is skipped'),
    close: () => env.teardown(),
  }
}

async function realTime(): Promise<Time> {
  const address = process.env['TEMPORAL_ADDRESS']
  if (!address) throw new Error('TEMPORAL_ADDRESS is missing: run the tests with npm test')
  const connection = await Connection.connect({ address })
  const native = await NativeConnection.connect({ address })
  return {
    client: new Client({ connection }),
    native,
    clock: systemClock,
    skip: (ms) => sleep(ms),
    async close() {
      await connection.close()
      await native.close()
    },
  }
}

/** The time-skipping server has no list of processes, so each is described separately, and no other is found. */
function describingEach(client: Client): ProcessView {
  const view = createProcessView(client, { taskQueue: '', webhookTaskQueue: '' })
  return {
    ...view,
    endedBadly: async () => [],
    async listedRunning(ids) {
      const running = new Set<string>()
      for (const id of ids) if (await view.isRunning(id)) running.add(id)
      return running
    },
  }
}

/**
 * Makes code fail that takes a second connection inside a transaction. With few calls it would only cost one connection
 * more; with as many calls as connections all of them would wait for each other.
 */
async function refuseSecondConnections({ orm }: Database): Promise<void> {
  const pool = (await orm.em.getConnection().getNativeClient()) as Pool
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown
  const guarded = (...args: unknown[]) => {
    if (isInTransaction()) throw new Error('a transaction has requested a second connection')
    return connect(...args)
  }
  Object.assign(pool, { connect: guarded })
}

/** The whole service in one process, with its own database, task queues and (if time is skipped) engine. */
export async function startStack(options: StackOptions = {}) {
  const { skipping = false, maxCachedWorkflows, workers = true, clock } = options
  const data = options.from ?? { ...(await createDatabase()), ...freshSecrets(), apiKey: null }
  const { url: databaseUrl, drop, keyPepper } = data
  const time = await (skipping ? skippingTime() : realTime())
  const database = await openDatabase(databaseUrl, 10, patientLimits) // else a busy machine would answer 503
  database.clock = time.clock
  await refuseSecondConnections(database)
  const encrypter = createEncrypter(data.encryptionKeys)
  const seeded = await seedIn(database, { keyPepper, encrypter, now: await time.clock.now() })
  const taskQueue = `test-${randomBytes(6).toString('hex')}`
  const queues = { taskQueue, webhookTaskQueue: `${taskQueue}-webhooks`, temporalNamespace: 'default' }
  const logger = createLogger({ logLevel: (process.env['TEST_LOG'] ?? 'silent') as 'silent' }, 'test')
  const { updateTimeoutMs } = options
  const engine = createEngine(time.client, queues, updateTimeoutMs ? { updateTimeoutMs } : {})
  const access = { ...noProviders, ...options.providers }
  const providers = connectProviders(access, { database, encrypter, ...(options.line && { line: options.line }) })
  const rails = createRails(database, { logger, providers, pace: options.pace })
  const rates = { ...sandboxExchangeRates }
  const webhooks = createWebhookHttp({ allowLoopback: true })
  const mailer = createMailer(null, '', logger)
  const bundles = process.env['WORKFLOW_BUNDLES']
  const cache = maxCachedWorkflows === undefined ? {} : { maxCachedWorkflows }
  const processView = skipping ? describingEach(time.client) : createProcessView(time.client, queues)
  const riskLimits = { amountUsd: '10000', firstToDestinationUsd: '2000', withinAnHour: 20 }
  const own = { database, clock: time.clock, logger, processView, riskLimits }
  const deps = { ...own, rails, rates, encrypter, webhooks, mailer }
  const made = createActivities(deps)
  const activities = options.rig?.(made, deps) ?? made
  const attempt = firstAttemptBy(activities.webhooks)
  const relay = startOutboxRelay(database, engine, logger, {
    inFlightMax: 16,
    waitingMax: 10_000,
    sweepMs: 200,
    attempt,
  })
  if (!workers) relay.stopAttempts() // without workers nothing is carried out
  const dormant = options.dormant === undefined ? {} : { dormant: options.dormant }
  const ofWorkers = {
    ...queues,
    ...cache,
    ...dormant,
    connection: time.native,
    bundles,
    logger,
    activities,
    inThisThread: true,
  }
  const running = workers ? await createWorkers(deps, ofWorkers) : []
  const done = running.map((worker) => worker.run())
  const config = {
    publicUrl: '',
    keyPepper,
    trustedProxyHops: 0,
    allowLoopbackWebhooks: true,
    deployment: 'sandbox' as const,
    temporalNamespace: 'default',
    temporalUiUrl: 'https://temporal.example.com',
    secondApprovalAboveUsd: '1000',
  }
  const services = {
    config,
    versions: apiVersions,
    // As in a separate API process: sweeps dispatch what is committed, and the time is that of each call.
    database: { ...database, onCommitted: null, clock: null },
    engine,
    rails,
    providers,
    rates,
    encrypter,
    passwords,
    accessTokens: createAccessTokens(database, encrypter),
    mailer,
    eventFeed: new EventFeed({ database, logger }),
    clock: clock ?? time.clock,
    logger,
    requestLog: createRequestLog({ database, logger }),
  }
  const server: Server = createHttpServer(createCheckedApp(services), services).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  config.publicUrl = database.publicUrl = services.database.publicUrl = baseUrl

  return {
    baseUrl,
    databaseUrl,
    taskQueue,
    services,
    deps,
    client: time.client,
    clock: time.clock,
    skip: time.skip,
    // Tests choose the time of their own writes.
    database: { ...database, clock: null } as Database,
    organizationId: seeded.organizationId,
    people: seeded.people,
    merchant: createMerchant(baseUrl, seeded.apiKey ?? data.apiKey ?? ''),
    /** Waits until every dispatch of the outbox is made. */
    dispatched: () =>
      until(async () => (await count(database, 'select count(*) from outbox')) === 0, 'the outbox is empty'),
    /** Waits until the process of a resource has ended, skipping time if the server does, and returns its result. */
    async finished(process: ProcessName, id: string): Promise<unknown> {
      const handle = time.client.workflow.getHandle(processId(process, id))
      for (let step = 0; skipping && step < 120; step++) {
        if ((await handle.describe()).status.name !== 'RUNNING') break
        await time.skip(step < 6 ? 10_000 : 3_600_000)
      }
      return within(handle.result(), `${process}/${id} ends`)
    },
    /** The number of events in the history of a resource's process. */
    async historyLength(process: ProcessName, id: string) {
      return (await time.client.workflow.getHandle(processId(process, id)).describe()).historyLength
    },
    sql: <T extends object>(sql: string, params: unknown[] = []) => database.orm.em.fork().execute<T[]>(sql, params),
    check: async () => checkInvariants(database, { client: time.client }, await time.clock.now()),
    async stop() {
      server.closeAllConnections()
      await services.eventFeed.close()
      server.close()
      relay.stopAttempts()
      for (const worker of running) worker.shutdown()
      await Promise.all(done)
      await relay.close()
      await webhooks.close()
      await providers.close()
      await services.requestLog.close()
      await database.orm.close()
      await time.close()
      await drop()
    },
  }
}

export type Stack = Awaited<ReturnType<typeof startStack>>

async function count(database: Database, sql: string): Promise<number> {
  const [row] = await database.orm.em.fork().execute<{ count: string }[]>(sql)
  return Number(row?.count ?? 0)
}

/** The result of a promise within 5 minutes of real time; a broken process would never answer. */
const within = <T>(promise: Promise<T>, what: string): Promise<T> =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(`this did not happen within 5 minutes: ${what}`)), 300_000).unref()
    }),
  ])
