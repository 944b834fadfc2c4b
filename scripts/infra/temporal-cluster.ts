import { Connection } from '@temporalio/client'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { hasGrpcStatus } from '../../engine/grpc-status.ts'
import { logTail, type ChildOptions } from './child.ts'
import { ensureDatabase } from './database.ts'
import { keepRunning, type KeptProcess } from './keep-running.ts'
import { writePrivateJson } from './keep.ts'
import { lookUntil } from './look-until.ts'
import { ROOT } from './paths.ts'
import { freePorts } from './ports.ts'
import { registerNamespace, registerSearchAttributes } from './search-attributes.ts'
import { SetupError } from './session.ts'
import type { ServerPrograms } from './temporal-server.ts'

/** Cannot be changed once the databases are made. */
const HISTORY_SHARDS = 16
const NAMESPACE = 'default'
const START_MS = 300_000 // a machine may be busy
const DATABASES = { temporal: 'temporal', visibility: 'temporal_visibility' }
/** 95 connections in all: the database is shared with APIs and workers. */
const CONNECTIONS = { temporal: 14, visibility: 5 }
/** Each is a process. The two of history divide the shards, so that one goes on with all of them if the other dies. */
const ROLES = ['frontend', 'history-1', 'history-2', 'matching', 'worker'] as const
type Role = (typeof ROLES)[number]

export type TemporalCluster = { address: string; processes: KeptProcess[] }
export type ClusterOptions = {
  programs: ServerPrograms
  /** Of our Postgres, by database. */
  urlOf: (database: string) => string
  /** For the configuration, which holds the database's password: only its owner may read it. */
  folder: string
  logFile: (name: string) => string
  report: (line: string) => void
  /** Gets each process as soon as it is started, so that a failed start leaves none behind. */
  keep: (process: KeptProcess) => void
}

/** Starts a Temporal service as it is deployed: a process for each role, on loopback, with its data in Postgres. */
export async function startTemporalCluster(options: ClusterOptions): Promise<TemporalCluster> {
  const { programs, urlOf, folder, logFile, report, keep } = options
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const kind of ['temporal', 'visibility'] as const) await prepareTables(programs.sqlTool, urlOf, kind)
  const ports = await freePorts([...ROLES, ...ROLES.map((role) => `${role} members` as const)])
  const processes = ROLES.map((role) => {
    // A process has to know all services; where there are two processes of its own, its ports are those of this one.
    const known = ROLES.filter((other) => other === role || serviceOf(other) !== serviceOf(role))
    const services = known.map((name) => {
      const rpc = { grpcPort: ports[name], membershipPort: ports[`${name} members`], bindOnLocalHost: true }
      return [serviceOf(name), { rpc }]
    })
    const content = configuration(urlOf(DATABASES.temporal), ports.frontend, Object.fromEntries(services))
    writePrivateJson(join(folder, `${role}.yaml`), content) // JSON is YAML
    const started: ChildOptions = {
      name: `Temporal's ${role}`,
      command: [programs.server, '--root', folder, '--config', '.', '--env', role, ...start(role)],
      cwd: folder,
      logFile: logFile(`temporal-${role}`),
      yields: true,
    }
    const kept = keepRunning(started, report)
    keep(kept)
    return kept
  })
  const address = `127.0.0.1:${ports.frontend}`
  await untilReady(address, logFile('temporal-frontend'), processes)
  return { address, processes }
}

const serviceOf = (role: Role) => role.replace(/-\d$/, '')
const start = (role: Role) => ['--allow-no-auth', 'start', '--service', serviceOf(role)]

/** Makes a database and brings it to the schema that is part of the tool. May be repeated. */
async function prepareTables(sqlTool: string, urlOf: ClusterOptions['urlOf'], kind: keyof typeof DATABASES) {
  await ensureDatabase(urlOf('postgres'), DATABASES[kind])
  const { hostname, port, username, password } = new URL(urlOf(DATABASES[kind]))
  const env = {
    ...process.env,
    SQL_PLUGIN: 'postgres12',
    SQL_HOST: hostname,
    SQL_PORT: port,
    SQL_USER: username,
    SQL_PASSWORD: password,
    SQL_DATABASE: DATABASES[kind],
  }
  await runSqlTool(sqlTool, env, ['setup-schema', '--version', '0.0'])
  await runSqlTool(sqlTool, env, ['update-schema', '--schema-name', `postgresql/v12/${kind}`])
}

async function runSqlTool(sqlTool: string, env: NodeJS.ProcessEnv, args: string[]) {
  const tool = spawn(sqlTool, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [tool.stdout, tool.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-2000)
    })
  }
  const [code] = (await once(tool, 'close')) as [number | null]
  if (code !== 0) throw new SetupError(`Temporal's tables could not be made (${args[0]}): ${output.trim()}`)
}

/** As https://docs.temporal.io/references/configuration describes it. */
function configuration(databaseUrl: string, frontendPort: number, services: Record<string, unknown>) {
  const { host, username, password } = new URL(databaseUrl)
  const store = (kind: keyof typeof DATABASES) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName: DATABASES[kind],
      connectAddr: host,
      connectProtocol: 'tcp',
      user: username,
      password,
      maxConns: CONNECTIONS[kind],
      maxIdleConns: CONNECTIONS[kind],
      maxConnLifetime: '1h',
    },
  })
  const rpcAddress = `127.0.0.1:${frontendPort}`
  return {
    log: { stdout: true, level: process.env['TEMPORAL_LOG_LEVEL'] || 'warn' },
    persistence: {
      defaultStore: 'temporal',
      visibilityStore: 'visibility',
      numHistoryShards: HISTORY_SHARDS,
      datastores: { temporal: store('temporal'), visibility: store('visibility') },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' } },
    services,
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: join(ROOT, 'deploy/temporal/dynamic-config.yaml'), pollInterval: '10s' },
  }
}

/** Until the service has our namespace and search attributes, and each of its roles answers. */
async function untilReady(address: string, logFile: string, processes: KeptProcess[]) {
  let why = ''
  const isPrepared = () =>
    prepareNamespace(address).then(
      () => true,
      (error: unknown) => {
        why = error instanceof Error ? error.message : ''
        return false
      },
    )
  const isPossible = () => processes.every((process) => !process.hasGivenUp())
  if (await lookUntil(isPrepared, { limitMs: START_MS, everyMs: 200, isPossible })) return
  throw new SetupError(`The Temporal cluster did not start: ${why}. The end of ${logFile}:\n${logTail(logFile)}`)
}

async function prepareNamespace(address: string) {
  const connection = await Connection.connect({ address, connectTimeout: 1_000 })
  const { workflowService } = connection
  try {
    await registerNamespace(connection, NAMESPACE)
    await registerSearchAttributes(connection, NAMESPACE)
    // Only now the roles know of them: they read namespaces and search attributes every few seconds.
    await workflowService.countWorkflowExecutions({ namespace: NAMESPACE, query: 'AccountId = "none"' })
    await workflowService.describeTaskQueue({ namespace: NAMESPACE, taskQueue: { name: 'steadypay' } })
    await workflowService
      .describeWorkflowExecution({ namespace: NAMESPACE, execution: { workflowId: 'none' } })
      .catch(ignoreMissing)
  } finally {
    await connection.close()
  }
}

/** History answers that it has no such process: this is what we want to hear from it. */
function ignoreMissing(error: unknown) {
  if (!hasGrpcStatus(error, 'notFound')) throw error
}
