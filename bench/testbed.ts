import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import type { Database } from '../db/core/database.ts'
import { patientLimits } from '../db/core/time-limits.ts'
import { openDatabase } from '../db/open-database.ts'
import { createEncrypter } from '../db/core/encryption.ts'
import { seed } from '../db/seed.ts'
import { writeWorkflowBundles } from '../scripts/infra/bundle.ts'
import { migratedDatabase } from '../scripts/infra/database.ts'
import { NODE_FLAGS, NODE_VARIABLES } from '../scripts/infra/node.ts'
import { freePort } from '../scripts/infra/ports.ts'
import { type Postgres, startPostgres } from '../scripts/infra/postgres.ts'
import { allOf, type Session, temporaryFolder } from '../scripts/infra/session.ts'
import { startTemporal } from '../scripts/infra/temporal.ts'
import { type Measured, startMeasured, untilAnswers } from './process.ts'

export type Report = (line: string) => void
export type Options = { session: Session; report: Report; size: number; profile: string | null }

/** A merchant with its own database, and the API process that serves it. */
export type Shop = {
  url: string
  databaseUrl: string
  database: Database
  apiKey: string
  api: Measured
  /** What its credentials are made with. */
  secrets: { keyPepper: Buffer; encrypter: ReturnType<typeof createEncrypter> }
}

const TASK_QUEUE = 'steadypay'
const keyPepper = randomBytes(32)
const secrets = {
  KEY_PEPPER: keyPepper.toString('base64'),
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
}

/** Starts everything that is measured: a durable Postgres, the tuned Temporal service, one API and one worker. */
export async function startTestbed(options: Options) {
  const { session, report, profile } = options
  const folder = temporaryFolder(session)
  if (profile) mkdirSync(profile, { recursive: true })
  const [postgres, temporal, bundle] = await allOf([
    startOwnPostgres(session, folder),
    startOwnTemporal(session, folder, report),
    writeWorkflowBundles(folder),
  ])
  const client = await connect(session, temporal.address)
  const nodeFlags = [...NODE_FLAGS, ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [])]
  const openShop = createShops({ session, folder, postgres, temporalAddress: temporal.address, nodeFlags })
  const shop = await openShop('shop', TASK_QUEUE)
  const env = { ...environmentOf(shop.databaseUrl, temporal.address, TASK_QUEUE), WORKFLOW_BUNDLES: bundle }
  const startWorker = (name: string) =>
    startMeasured(session, {
      name,
      folder,
      env,
      nodeFlags,
      script: 'engine/worker.ts',
      yields: true,
    })
  const worker = startWorker('worker')
  const floorDatabaseUrl = await migratedDatabase(postgres.url, 'floor')
  startMeasured(session, {
    name: 'floor-worker',
    folder,
    script: 'bench/floor/worker.ts',
    env: { TEMPORAL_ADDRESS: temporal.address },
    yields: true,
  })
  const floorUrl = await startFloorApi(session, folder, floorDatabaseUrl)
  return {
    ...options,
    folder,
    postgres,
    temporal,
    client,
    shop,
    openShop,
    worker,
    startWorker,
    floorUrl,
    untilQuiet: () => untilQuiet(shop, client),
  }
}

export type Testbed = Awaited<ReturnType<typeof startTestbed>>

async function startOwnPostgres(session: Session, folder: string): Promise<Postgres> {
  const password = randomBytes(18).toString('hex')
  const postgres = await startPostgres({
    dataDir: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    password,
  })
  session.atEnd(postgres.child.stop)
  return postgres
}

async function startOwnTemporal(session: Session, folder: string, report: Report) {
  const files = { databaseFile: join(folder, 'temporal.db'), logFile: join(folder, 'temporal.log') }
  const temporal = await startTemporal({ ...files, yields: true, ui: false, report })
  session.atEnd(temporal.child.stop)
  return temporal
}

async function startFloorApi(session: Session, folder: string, databaseUrl: string): Promise<string> {
  const port = await freePort()
  const env = { DATABASE_URL: databaseUrl, PORT: String(port), NODE_ENV: 'production' }
  const floor = startMeasured(session, { name: 'floor-api', folder, script: 'bench/floor/http.ts', env })
  await untilAnswers(`http://127.0.0.1:${port}/`, floor)
  return `http://127.0.0.1:${port}`
}

/** A client of a Temporal service, closed at the end. */
export async function connect(session: Session, address: string): Promise<Client> {
  const connection = await Connection.connect({ address })
  session.atEnd(() => connection.close())
  return new Client({ connection })
}

/** The environment of the API and the worker. One proxy is trusted, so that each buyer has their own address. */
const environmentOf = (databaseUrl: string, temporalAddress: string, taskQueue: string): NodeJS.ProcessEnv => ({
  ...secrets,
  ...NODE_VARIABLES,
  DATABASE_URL: databaseUrl,
  TEMPORAL_ADDRESS: temporalAddress,
  TASK_QUEUE: taskQueue,
  ALLOW_LOOPBACK_WEBHOOKS: '1',
  TRUSTED_PROXY_HOPS: '1',
  HOST: '127.0.0.1',
})

type ShopsOn = {
  session: Session
  folder: string
  postgres: Postgres
  temporalAddress: string
  nodeFlags: string[]
}

/** Opens shops: each is a migrated database, a merchant without a rate limit, and an API process. */
function createShops({ session, folder, postgres, temporalAddress, nodeFlags }: ShopsOn) {
  return async (name: string, taskQueue: string, moreFlags: string[] = []): Promise<Shop> => {
    const databaseUrl = await migratedDatabase(postgres.url, name)
    const encrypter = createEncrypter(secrets.ENCRYPTION_KEYS)
    const { apiKey } = await seed(databaseUrl, { keyPepper, encrypter, now: Date.now() })
    const database = await openDatabase(databaseUrl, 4, patientLimits)
    session.atEnd(() => database.orm.close())
    await database.orm.em.fork().execute(`update api_keys set rate_tier = 'unlimited'`)
    const port = await freePort()
    const env = {
      ...environmentOf(databaseUrl, temporalAddress, taskQueue),
      PORT: String(port),
      NODE_ENV: 'production',
    }
    const api = startMeasured(session, {
      name: `api-${name}`,
      folder,
      script: 'api/main.ts',
      env,
      nodeFlags: [...nodeFlags, ...moreFlags],
    })
    const url = `http://127.0.0.1:${port}`
    await untilAnswers(`${url}/readyz`, api)
    return { url, databaseUrl, database, apiKey: apiKey ?? '', api, secrets: { keyPepper, encrypter } }
  }
}

/** Waits until all dispatches and deliveries are made, so that the work of one round does not slow down the next. */
async function untilQuiet({ database }: Shop, client: Client): Promise<void> {
  for (let calm = 0; calm < 2;) {
    calm = (await isQuiet(database, client)) ? calm + 1 : 0
    await sleep(150)
  }
}

/** The number of dispatches and deliveries of a database that are still to be made. */
async function countPending({ orm }: Database): Promise<number> {
  const [row] = await orm.em.fork().execute<{ left: string }[]>(`select (select count(*) from outbox)
      + (select count(*) from deliveries where status = 'pending') as left`)
  return Number(row?.left ?? 0)
}

async function isQuiet(database: Database, client: Client): Promise<boolean> {
  if ((await countPending(database)) > 0) return false
  for (const taskQueue of [TASK_QUEUE, `${TASK_QUEUE}-webhooks`]) {
    const { stats } = await client.workflowService.describeTaskQueue({
      namespace: 'default',
      taskQueue: { name: taskQueue },
      taskQueueType: 1, // workflow tasks
      reportStats: true,
    })
    if (Number(stats?.approximateBacklogCount ?? 0) > 0) return false
  }
  return true
}
