// npm run contract [-- --seconds n]: calls every operation with input that its OpenAPI description allows, and with
// input that it does not allow (schemathesis), for the given seconds a run, on a real API with a real Postgres and a
// real Temporal service. Exits non-zero if an answer is not as described.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { documentPaths } from '../api/reference.ts'
import { deploy } from '../test/proof/deployment.ts'
import { isExcepted } from './contract/exceptions.ts'
import { prepareFixtures } from './contract/fixtures.ts'
import { type Failure, installSchemathesis, runSchemathesis, writeSettings } from './contract/schemathesis.ts'
import { writeWorkflowBundles } from './infra/bundle.ts'
import type { Child } from './infra/child.ts'
import { migratedDatabase } from './infra/database.ts'
import { startTestPostgres } from './infra/postgres.ts'
import { allOf, runSession, temporaryFolder, type Session } from './infra/session.ts'
import { startTemporal } from './infra/temporal.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string' } } })

/** The first run calls with the boundary values of each schema, whatever its seed. The others call at random. */
const { merchants, staff } = documentPaths
const runs = [
  { document: merchants, phases: 'examples,coverage', seed: 1, maxSeconds: 35 },
  { document: merchants, phases: 'fuzzing', seed: 1, maxSeconds: 18 },
  { document: merchants, phases: 'fuzzing', seed: 2, maxSeconds: 18 },
  { document: merchants, phases: 'fuzzing', seed: 3, maxSeconds: 18 },
  { document: staff, phases: 'examples,coverage', seed: 1, maxSeconds: 15 },
  { document: staff, phases: 'fuzzing', seed: 1, maxSeconds: 10 },
]

/** One operation of each kind of credential. Some call of it must succeed, or its checks would prove nothing. */
const mustSucceed = [
  'GET /v1/products',
  'GET /api/v1/auth/api-keys',
  'GET /api/v1/admin/reviews',
  'GET /v1/checkout-sessions/{checkout_id}/public',
  'GET /v1/customer-portal/me',
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
  const fixtures = await prepareFixtures(deployment, api.merchant)
  const what = { library, fixtures, baseUrl: api.merchant.baseUrl, settings: writeSettings(folder, fixtures) }
  const problems: string[] = []
  const accepted = new Set<string>()
  for (const run of runs) {
    const maxSeconds = Number(values.seconds ?? run.maxSeconds)
    const done = await runSchemathesis(session, { ...what, ...run, maxSeconds })
    const { failures, cases, errors } = done
    for (const name of done.accepted) accepted.add(name)
    const counted = failures.filter((failure) => !isExcepted(failure))
    const excepted = failures.length - counted.length
    console.log(`${run.document}, ${run.phases}, seed ${run.seed}: ${cases} calls, ${excepted} excepted failures`)
    problems.push(...errors, ...counted.map(describe))
  }
  for (const name of mustSucceed) if (!accepted.has(name)) problems.push(`${name}: no call was answered with 2xx`)
  problems.push(...unexpectedIn(api.log()))
  for (const error of new Set(problems)) console.log(`\n✖ ${error}`)
  console.log(problems.length === 0 ? 'Every answer was as described.' : `\nFAILED: ${problems.length} errors`)
  return problems.length === 0 ? 0 : 1
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
  const sent = `${request.method} ${request.uri} ${request.body?.toString().slice(0, 1000) ?? ''}`
  const answered = `${response?.status ?? 'no answer'} ${response?.body.slice(0, 1000) ?? ''}`
  return [`${operation}: ${check}: ${message}`, sent, answered].join('\n    ')
}

/** The unexpected errors in the API's log. */
function unexpectedIn(log: string): string[] {
  return log.split('\n').filter((line) => line.includes('"unexpected error"'))
}
