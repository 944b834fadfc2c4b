// npm start: a whole development deployment (Postgres, Temporal, worker, API) until Ctrl-C. Data, secrets and logs
// stay in .local, so that a second start goes on where the first one ended.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { loadDeployment } from '../engine/config.ts'
import { writeWorkflowBundles } from './infra/bundle.ts'
import { logTail, startChild, type Child } from './infra/child.ts'
import { migrated, migratedDatabase, refuseForeign } from './infra/database.ts'
import { refuseForeignProcesses } from './infra/foreign-processes.ts'
import { developmentSecrets, lockFolder, type Secrets } from './infra/keep.ts'
import { LOCAL, ROOT } from './infra/paths.ts'
import { serviceCommand } from './infra/node.ts'
import { askedPort, freePort } from './infra/ports.ts'
import { startPostgres } from './infra/postgres.ts'
import { prepareService } from './infra/search-attributes.ts'
import { serviceEnvironment, untilAnswers } from './infra/service.ts'
import { allOf, runSession, temporaryFolder, type Session } from './infra/session.ts'
import { startTemporal } from './infra/temporal.ts'
import { type LastPorts, lastPorts, seedOnce, printWelcome } from './infra/welcome.ts'

const LOGS = join(LOCAL, 'logs')
const log = (name: string) => join(LOGS, `${name}.log`)
const say = (line: string) => console.log(line)

await runSession(async (session) => {
  const startedAt = performance.now()
  lockFolder(session, 'npm start', LOCAL)
  const secrets = developmentSecrets()
  const last = lastPorts()
  const wanted = askedPort('PORT') ?? last.api ?? 3000
  rmSync(LOGS, { recursive: true, force: true })
  const children: Child[] = []
  const keep = (child: Child) => {
    children.push(child)
    session.atEnd(child.stop)
  }
  session.atEnd(() => say('Stopping ...'))

  const database = prepareDatabase(secrets, keep)
  const [databaseUrl, temporal, bundle] = await allOf([
    database,
    prepareTemporal(database, keep, last),
    writeWorkflowBundles(temporaryFolder(session)),
  ])
  const seeded = await seedOnce(databaseUrl, secrets)
  const port = await freePort(wanted)
  const baseUrl = `http://127.0.0.1:${port}`
  const env = { ...serviceEnvironment({ databaseUrl, temporal, bundle, secrets }), PORT: String(port) }
  say('Starting the worker and the API ...')
  keep(
    startChild({
      name: 'the worker',
      command: serviceCommand('engine/worker.ts'),
      cwd: ROOT,
      env: { ...env, METRICS_PORT: nextPort(process.env['METRICS_PORT']) },
      logFile: log('worker'),
      yields: true,
    }),
  )
  keep(startChild({ name: 'the API', command: serviceCommand('api/main.ts'), cwd: ROOT, env, logFile: log('api') }))

  const ended = Promise.race(children.map((child) => child.exited.then(() => child)))
  await Promise.race([untilAnswers('The API', `${baseUrl}/readyz`, log('api')), ended])
  if (children.every((child) => child.isRunning())) {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    printWelcome({ baseUrl, databaseUrl, temporal, seeded, seconds, logs: LOGS })
  }
  return await failWhenOneEnds(ended, session)
})

async function prepareDatabase(secrets: Secrets, keep: (child: Child) => void): Promise<string> {
  const given = process.env['DATABASE_URL']
  if (given) {
    await refuseForeign(given)
    say('Postgres: the one of DATABASE_URL; migrating ...')
    await migrated(given)
    return given
  }
  say('Postgres: starting the one that came with npm ...')
  const dataDir = join(LOCAL, 'postgres')
  const postgres = await startPostgres({ dataDir, logFile: log('postgres'), password: secrets.POSTGRES_PASSWORD })
  keep(postgres.child)
  return await migratedDatabase(postgres.url, 'steadypay')
}

/**
 * `uiUrl` is null if the service is not ours: only its operators know where its UI is. Such a service is left as it is
 * until the database was taken, and until it is known that its processes are of that database.
 */
async function prepareTemporal(
  database: Promise<string>,
  keep: (child: Child) => void,
  last: LastPorts,
): Promise<{ address: string; uiUrl: string | null }> {
  const address = process.env['TEMPORAL_ADDRESS']
  if (address) {
    const service = loadDeployment()
    await refuseForeignProcesses(await database, service)
    say('Temporal: the service of TEMPORAL_ADDRESS.')
    await prepareService(service.temporal, service.temporalNamespace, say)
    return { address, uiUrl: null }
  }
  say('Temporal: starting the development service ...')
  const databaseFile = join(LOCAL, 'temporal.db')
  const temporal = await startTemporal({
    databaseFile,
    logFile: log('temporal'),
    yields: true,
    ui: true,
    report: say,
    last,
  })
  keep(temporal.child)
  return temporal
}

/** The API serves its metrics on METRICS_PORT, and the worker on the port after it. */
function nextPort(port = ''): string {
  return Number(port) > 0 ? String(Number(port) + 1) : port
}

async function failWhenOneEnds(ended: Promise<Child>, session: Session): Promise<number> {
  const child = await ended
  if (session.signal.aborted) return 0 // we stopped it
  const { code, signal } = await child.exited
  say(`\nUnexpected: ${child.name} ended (${signal ?? `code ${code}`}). Its log ${child.logFile} ends:`)
  say(logTail(child.logFile))
  return 1
}
