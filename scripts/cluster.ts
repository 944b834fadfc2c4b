// npm run cluster [-- --data <folder>]: a deployment of several processes on this machine, until Ctrl-C: a Temporal
// service with a process for each role, two APIs behind a load balancer, and three workers. Each process that ends is
// started again. Data, secrets and logs stay in the folder (.local/cluster), apart from those of npm start.
// npm run cluster -- --prepare only looks for what it needs, and builds Temporal's server.
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { writeWorkflowBundles } from './infra/bundle.ts'
import { migratedDatabase } from './infra/database.ts'
import { keepRunning, type KeptProcess } from './infra/keep-running.ts'
import { developmentSecrets, lockFolder } from './infra/keep.ts'
import { haproxy, loadBalancer, noHaproxy, noticedAfterSeconds } from './infra/load-balancer.ts'
import { serviceCommand } from './infra/node.ts'
import { LOCAL, ROOT } from './infra/paths.ts'
import { askedPort, freePort, freePorts } from './infra/ports.ts'
import { startPostgres } from './infra/postgres.ts'
import { serviceEnvironment, untilAnswers } from './infra/service.ts'
import { runSession, SetupError, temporaryFolder, type Session } from './infra/session.ts'
import { startTemporalCluster } from './infra/temporal-cluster.ts'
import { temporalServer } from './infra/temporal-server.ts'
import { credentials, firstCheckout, keepAddresses, lastPorts, seedOnce, type Addresses } from './infra/welcome.ts'

const APIS = ['api-1', 'api-2'] as const
const WORKERS = { 'money-1': 'money', 'money-2': 'money', 'webhooks-1': 'webhooks' } as const
const workers = Object.keys(WORKERS) as (keyof typeof WORKERS)[]

const { folder, onlyPrepare } = readOptions()
const LOGS = join(folder, 'logs')
const ADDRESSES = join(folder, 'dev.json')
const log = (name: string) => join(LOGS, `${name}.log`)
const say = (line: string) => console.log(line)

await runSession(async (session) => {
  const startedAt = performance.now()
  const balancer = haproxy()
  if (balancer === null) throw new SetupError(noHaproxy)
  const programs = await temporalServer(say)
  if (onlyPrepare) return 0
  lockFolder(session, 'npm run cluster', folder)
  const secrets = developmentSecrets(folder)
  rmSync(LOGS, { recursive: true, force: true })
  session.atEnd(() => say('Stopping ...'))
  const fleet = startFleet(session)

  say('Postgres: starting the one that came with npm ...')
  const files = { dataDir: join(folder, 'postgres'), logFile: log('postgres') }
  const postgres = await startPostgres({ ...files, password: secrets.POSTGRES_PASSWORD })
  session.atEnd(postgres.child.stop)
  // One after another: bundling keeps this thread busy, and a connection that is opened meanwhile would time out.
  const databaseUrl = await migratedDatabase(postgres.url, 'steadypay')
  say('Temporal: starting the service, a process for each role ...')
  const keep = fleet.group()
  const temporal = await startTemporalCluster({
    programs,
    urlOf: postgres.url,
    folder: join(folder, 'temporal'),
    logFile: log,
    report: say,
    keep,
  })
  const bundle = await writeWorkflowBundles(temporaryFolder(session))
  const seeded = await seedOnce(databaseUrl, secrets, ADDRESSES)
  const port = await freePort(askedPort('PORT') ?? lastPorts(ADDRESSES).api ?? 3000)
  const addresses = {
    baseUrl: `http://127.0.0.1:${port}`,
    databaseUrl,
    temporal: { address: temporal.address, uiUrl: null },
    seeded,
  }
  say('Starting the workers, the APIs and the load balancer ...')
  const env = serviceEnvironment({ ...addresses, bundle, secrets })
  const ports = await startServices(fleet, env, port, balancer)

  keepAddresses(addresses, ADDRESSES)
  printCluster(addresses, ports, fleet.processes, Math.round((performance.now() - startedAt) / 1000))
  const ended = [...fleet.processes.map((process) => process.ended), postgres.child.exited]
  await Promise.race(ended)
  if (!session.signal.aborted) say('\nUnexpected: a process is given up, or Postgres has ended.')
  return 1
})

function readOptions() {
  const { values } = parseArgs({ options: { data: { type: 'string' }, prepare: { type: 'boolean', default: false } } })
  const kept = values.data === undefined ? join(LOCAL, 'cluster') : resolve(values.data)
  return { folder: kept, onlyPrepare: values.prepare }
}

/** All processes but Postgres. Those of a group are stopped together, and the last group first. */
function startFleet(session: Session) {
  const processes: KeptProcess[] = []
  return {
    processes,
    group() {
      const own: KeptProcess[] = []
      session.atEnd(async () => void (await Promise.all(own.map((process) => process.stop()))))
      return (process: KeptProcess) => void (own.push(process), processes.push(process))
    },
  }
}

type Fleet = ReturnType<typeof startFleet>
type Ports = Record<(typeof APIS)[number] | keyof typeof WORKERS, number>

/** Returns the ports of the APIs, and those on which the workers say whether they are ready, with their metrics. */
async function startServices(fleet: Fleet, env: NodeJS.ProcessEnv, port: number, balancer: string): Promise<Ports> {
  const ports = await freePorts([...APIS, ...workers])
  const keepWorker = fleet.group()
  for (const name of workers) {
    const own = { WORKER_QUEUES: WORKERS[name], METRICS_PORT: String(ports[name]) }
    const command = serviceCommand('engine/worker.ts')
    const options = { name, command, cwd: ROOT, env: { ...env, ...own }, logFile: log(name), yields: true }
    keepWorker(keepRunning(options, say))
  }
  const keepApi = fleet.group()
  for (const name of APIS) {
    const own = {
      PORT: String(ports[name]),
      METRICS_PORT: '',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      TRUSTED_PROXY_HOPS: String(1 + Number(process.env['TRUSTED_PROXY_HOPS'] || 0)), // ours, and those before it
      DRAIN_SECONDS: String(noticedAfterSeconds),
    }
    const options = { name, command: serviceCommand('api/main.ts'), cwd: ROOT, logFile: log(name) }
    keepApi(keepRunning({ ...options, env: { ...env, ...own } }, say))
  }
  const names = [...APIS, ...workers]
  await Promise.all(names.map((name) => untilAnswers(name, `http://127.0.0.1:${ports[name]}/readyz`, log(name))))
  const file = join(folder, 'haproxy.cfg')
  const apis = APIS.map((name) => ports[name])
  fleet.group()(keepRunning(loadBalancer(balancer, { port, apis, file, logFile: log('haproxy') }), say))
  await untilAnswers('the load balancer', `http://127.0.0.1:${port}/readyz`, log('haproxy'))
  return ports
}

function printCluster(
  { baseUrl, temporal, seeded }: Addresses,
  ports: Ports,
  processes: KeptProcess[],
  seconds: number,
) {
  const at = (name: keyof Ports) => `http://127.0.0.1:${ports[name]}`
  const lines = processes.map(({ name, pid }) => `    ${String(pid()).padEnd(8)} ${name}`)
  console.log(`
Ready after ${seconds} s.

  API              ${baseUrl}   (the load balancer; ${APIS.map(at).join(' and ')} behind it)
  Dashboard        ${baseUrl}/dashboard   (log in as the owner)
  Review desk      ${baseUrl}/ops   (log in as the reviewer)
  Temporal         ${temporal.address}
  Workers          ${workers.map((name) => `${name} ${at(name)}/metrics`).join('\n                   ')}
  Sandbox key      ${seeded.apiKey ?? `made at the first start of this database, and not kept in ${ADDRESSES}`}
  Owner            ${credentials(seeded.owner)}
  Reviewer         ${credentials(seeded.reviewer)}
  Logs             ${LOGS}

Kill any of these (kill -9 ...): it is started again, and nothing is lost.
${lines.join('\n')}

${firstCheckout(baseUrl, seeded.apiKey)}

Ctrl-C stops everything; the data stays in ${folder}.`)
}
