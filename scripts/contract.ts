// npm run contract [-- --seconds n]: calls every operation as its OpenAPI description says, and as it does not
// (schemathesis), for so many seconds a run, on a real API with a real Postgres and a real Temporal
// service. Exits non-zero when an answer is not what is described.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { deploy } from '../test/proof/deployment.ts'
import { isExcepted } from './contract/exceptions.ts'
import { prepareGround } from './contract/ground.ts'
import { type Failure, installSchemathesis, runSchemathesis, writeSettings } from './contract/schemathesis.ts'
import { writeWorkflowBundles } from './infra/bundle.ts'
import type { Child } from './infra/child.ts'
import { migratedDatabase } from './infra/database.ts'
import { startTestPostgres } from './infra/postgres.ts'
import { allOf, runSession, temporaryFolder, type Session } from './infra/session.ts'
import { startTemporal } from './infra/temporal.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string' } } })

/** The first run calls with each value that a schema has a bound at, whatever its seed; the others call at random. */
const runs = [
  { phases: 'examples,coverage', seed: 1, maxSeconds: 35 },
  { phases: 'fuzzing', seed: 1, maxSeconds: 18 },
  { phases: 'fuzzing', seed: 2, maxSeconds: 18 },
  { phases: 'fuzzing', seed: 3, maxSeconds: 18 },
]

/** One operation of each credential: where it lets nobody in, all its checks would hold and say nothing. */
const letIn = [
  'GET /v1/products',
  'GET /api/v1/auth/api-keys',
  'GET /api/v1/admin/reviews',
  'GET /v1/checkout-sessions/{checkout_id}/public',
]

await runSession(async (session) => {
  const folder = temporaryFolder(session)
  const [library, { databaseUrl, temporalAddress, env }] = await allOf([
    installSchemathesis(),
    prepare(session, folder),
  ])
  const deployment = await deploy({ databaseUrl, temporalAddress, env })
  session.atEnd(deployment.stop)
  await deployment.startWorker()
  const api = await deployment.startApi()
  const ground = await prepareGround(deployment, api.merchant)
  const what = { library, ground, baseUrl: api.merchant.baseUrl, settings: writeSettings(folder, ground) }
  const fieldErrors: string[] = []
  const accepted = new Set<string>()
  for (const run of runs) {
    const maxSeconds = Number(values.seconds ?? run.maxSeconds)
    const done = await runSchemathesis(session, { ...what, ...run, maxSeconds })
    const { failures, cases, errors } = done
    for (const name of done.accepted) accepted.add(name)
    const counted = failures.filter((failure) => !isExcepted(failure))
    console.log(
      `${run.phases}, seed ${run.seed}: ${cases} calls, ${failures.length - counted.length} excepted failures`,
    )
    fieldErrors.push(...errors, ...counted.map(describe))
  }
  for (const name of letIn) if (!accepted.has(name)) fieldErrors.push(`${name}: no call was answered with 2xx`)
  fieldErrors.push(...unexpectedIn(api.log()))
  for (const error of new Set(fieldErrors)) console.log(`\n✖ ${error}`)
  console.log(
    fieldErrors.length === 0 ? 'Every answer was as it is described.' : `\nFAILED: ${fieldErrors.length} faults`,
  )
  return fieldErrors.length === 0 ? 0 : 1
})

async function prepare(session: Session, folder: string) {
  const files = { databaseFile: join(folder, 'temporal.db'), logFile: join(folder, 'temporal.log') }
  const keep = async <T extends { child: Child }>(starting: Promise<T>): Promise<T> => {
    const started = await starting
    session.atEnd(started.child.stop)
    return started
  }
  const [postgres, temporal, WORKFLOW_BUNDLES] = await allOf([
    keep(startTestPostgres(folder)),
    keep(startTemporal({ ...files, ui: false, report: console.log })),
    writeWorkflowBundles(folder),
  ])
  const databaseUrl = await migratedDatabase(postgres.url, 'steadypay')
  return { databaseUrl, temporalAddress: temporal.address, env: { WORKFLOW_BUNDLES } }
}

function describe({ operation, check, message, request, response }: Failure): string {
  const asked = `${request.method} ${request.uri} ${request.body?.toString().slice(0, 1000) ?? ''}`
  const answered = `${response?.status ?? 'no answer'} ${response?.body.slice(0, 1000) ?? ''}`
  return [`${operation}: ${check}: ${message}`, asked, answered].join('\n    ')
}

/** What went wrong on our side, as the API's log tells it. */
function unexpectedIn(log: string): string[] {
  return log.split('\n').filter((line) => line.includes('"unexpected error"'))
}
