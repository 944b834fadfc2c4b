import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client, Connection } from '@temporalio/client'
import { patientLimits } from '../../db/core/time-limits.ts'
import { openDatabase } from '../../db/open-database.ts'
import { createEncrypter } from '../../db/core/encryption.ts'
import { type seed, seedIn } from '../../db/seed.ts'
import { startChild } from '../../scripts/infra/child.ts'
import { ROOT } from '../../scripts/infra/paths.ts'
import { freePort } from '../../scripts/infra/ports.ts'
import { createDatabase } from '../support/database.ts'
import { checkInvariants } from '../support/invariants.ts'
import { createMerchant } from '../support/merchant.ts'
import { until } from '../support/until.ts'

type Options = {
  /** A migrated database, if the scenario has its own Postgres; otherwise a new one is made and dropped. */
  databaseUrl?: string
  /** The scenario's own Temporal service; otherwise that of TEMPORAL_ADDRESS. */
  temporalAddress?: string
  /** Variables that override the others, such as the address of a proxy. */
  env?: NodeJS.ProcessEnv
  /** The folder of other code, whose processes are started and which seeds the database; otherwise that of this one. */
  code?: string
}

/** A started process that can be killed, frozen and woken. */
export type Running = {
  name: string
  pid: number
  kill(): Promise<void>
  freeze(): void
  wake(): void
  isRunning(): boolean
  exited: Promise<unknown>
  log(): string
}

/**
 * API and worker processes as they are deployed, on a database and task queues of their own; all are ended by `stop`.
 */
export async function deploy({ databaseUrl, temporalAddress, env: overrides = {}, code = ROOT }: Options = {}) {
  const address = temporalAddress ?? process.env['TEMPORAL_ADDRESS'] ?? ''
  const made = databaseUrl ? { url: databaseUrl, drop: async () => undefined } : await createDatabase()
  const keyPepper = randomBytes(32)
  const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`
  const encrypter = createEncrypter(encryptionKeys)
  const database = await openDatabase(made.url, 4, patientLimits)
  const { apiKey, organizationId, people } =
    code === ROOT
      ? await seedIn(database, { keyPepper, encrypter, now: Date.now() })
      : await seedBy(code, made.url, { keyPepper, encryptionKeys })
  await database.orm.em.fork().execute(`update api_keys set rate_tier = 'unlimited'`)
  const connection = Connection.lazy({ address })
  const client = new Client({ connection })
  const taskQueue = `proof-${randomBytes(6).toString('hex')}`
  const folder = mkdtempSync(join(tmpdir(), 'steadypay-proof-'))
  const env = {
    ...process.env,
    DATABASE_URL: made.url,
    TEMPORAL_ADDRESS: address,
    TASK_QUEUE: taskQueue,
    KEY_PEPPER: keyPepper.toString('base64'),
    ENCRYPTION_KEYS: encryptionKeys,
    ALLOW_LOOPBACK_WEBHOOKS: '1',
    TRUSTED_PROXY_HOPS: '1', // so that each buyer can have a different address
    DEPLOYMENT: 'sandbox',
    ...overrides,
  }
  const started: Running[] = []
  const run = (name: string, entry: string[], more: NodeJS.ProcessEnv = {}): Running => {
    const logFile = join(folder, `${name}-${started.length}.log`)
    const running = launch(name, entry, { ...env, ...more }, logFile, code)
    started.push(running)
    return running
  }

  return {
    client,
    taskQueue,
    database,
    encrypter,
    apiKey: apiKey ?? '',
    databaseUrl: made.url,
    env,
    run,
    organizationId,
    people,
    sql: <T extends object>(sql: string, params: unknown[] = []) => database.orm.em.fork().execute<T[]>(sql, params),
    check: () =>
      checkInvariants(database, { client, queues: { taskQueue, webhookTaskQueue: `${taskQueue}-webhooks` } }),
    /** Starts a worker process and waits until it polls; `entry` is the program to run, `more` are its variables. */
    async startWorker(entry: string[] = ['engine/worker.ts'], more: NodeJS.ProcessEnv = {}): Promise<Running> {
      return ready(run('worker', entry, more), 'worker is running')
    },
    /** Starts an API process, at the port `at` if given. Its merchant calls with the demo organization's key. */
    async startApi(entry: string[] = ['api/main.ts'], at?: number, more: NodeJS.ProcessEnv = {}) {
      const port = at ?? (await freePort())
      const api = await ready(run('api', entry, { ...more, PORT: String(port) }), 'API is listening')
      return { ...api, port, merchant: createMerchant(`http://127.0.0.1:${port}`, apiKey ?? '') }
    },
    async stop() {
      await Promise.all(started.map((running) => running.kill()))
      await database.orm.close()
      await connection.close()
      await made.drop()
      if (!process.env['PROOF_LOGS']) rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type Deployment = Awaited<ReturnType<typeof deploy>>

async function ready(running: Running, says: string): Promise<Running> {
  await until(() => running.log().includes(says) || !running.isRunning(), `"${says}" is logged`)
  if (!running.isRunning()) throw new Error(`the ${running.name} has ended: ${running.log().slice(-1000)}`)
  return running
}

type Secrets = { keyPepper: Buffer; encryptionKeys: string }

/** Other code seeds the database by itself: it may not have the tables and columns of this one. */
async function seedBy(cwd: string, url: string, { keyPepper, encryptionKeys }: Secrets): ReturnType<typeof seed> {
  const script = `
    import { createEncrypter } from './db/core/encryption.ts'
    import { seed } from './db/seed.ts'
    const [url, pepper, keys] = process.argv.slice(1)
    const secrets = { keyPepper: Buffer.from(pepper, 'base64'), encrypter: createEncrypter(keys), now: Date.now() }
    console.log(JSON.stringify(await seed(url, secrets)))`
  const args = ['--input-type=module', '--eval', script, url, keyPepper.toString('base64'), encryptionKeys]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd })
  return JSON.parse(stdout) as Awaited<ReturnType<typeof seed>>
}

function launch(name: string, entry: string[], env: NodeJS.ProcessEnv, logFile: string, cwd: string): Running {
  const command = [process.execPath, ...entry]
  const child = startChild({ name, command, cwd, env, logFile, stopSignal: 'SIGKILL' })
  const { pid, isRunning, exited } = child
  if (pid === undefined) throw new Error(`${name} could not be started`)
  const signal = (what: NodeJS.Signals) => void (isRunning() && process.kill(pid, what))
  return {
    name,
    pid,
    isRunning,
    exited,
    kill: child.stop,
    freeze: () => signal('SIGSTOP'),
    wake: () => signal('SIGCONT'),
    log: () => readFileSync(logFile, 'utf8'),
  }
}
