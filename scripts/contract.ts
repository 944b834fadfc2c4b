// npm run contract [-- --seconds n]: calls the operations with input that their OpenAPI description allows, and with
// input that it does not allow (schemathesis), for the given seconds a run, on a real API with a real Postgres and a
// real Temporal service. Exits non-zero if an answer is not as described.
// npm run fuzz [-- --path text]: the same for as many calls as it takes, so that every operation is called in each run;
// with --path only the operations whose path holds the text.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { operations } from '../api/operations.ts'
import { documentPaths } from '../api/reference.ts'
import { deploy } from '../test/proof/deployment.ts'
import { isExcepted, rulesOf } from './contract/exceptions.ts'
import { prepareFixtures } from './contract/fixtures.ts'
import { nameOf } from './contract/name.ts'
import {
  type Failure,
  installSchemathesis,
  type RunOptions,
  runSchemathesis,
  writeSettings,
} from './contract/schemathesis.ts'
import { writeWorkflowBundles } from './infra/bundle.ts'
import type { Child } from './infra/child.ts'
import { migratedDatabase } from './infra/database.ts'
import { startTestPostgres } from './infra/postgres.ts'
import { allOf, runSession, temporaryFolder, type Session } from './infra/session.ts'
import { startTemporal } from './infra/temporal.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string' }, long: { type: 'boolean', default: false }, path: { type: 'string' } },
})

type Wanted = Pick<RunOptions, 'document' | 'phases' | 'seed' | 'maxSeconds' | 'examples'>

/** The first run calls with the boundary values of each schema, whatever its seed. The others call at random. */
const { merchants, staff } = documentPaths
const shortRuns: Omit<Wanted, 'examples'>[] = [
  { document: merchants, phases: 'examples,coverage', seed: 1, maxSeconds: 35 },
  { document: merchants, phases: 'fuzzing', seed: 1, maxSeconds: 15 },
  { document: merchants, phases: 'fuzzing', seed: 2, maxSeconds: 15 },
  { document: merchants, phases: 'fuzzing', seed: 3, maxSeconds: 15 },
  { document: staff, phases: 'examples,coverage', seed: 1, maxSeconds: 15 },
  { document: staff, phases: 'fuzzing', seed: 1, maxSeconds: 10 },
]

/** The time is a bound. It is a little less than the 15 minutes for which a run's access tokens of people are valid. */
const longRuns: Omit<Wanted, 'examples'>[] = [merchants, staff].flatMap((document) => [
  { document, phases: 'examples,coverage', seed: 1, maxSeconds: 840 },
  ...[1, 2, 3].map((seed) => ({ document, phases: 'fuzzing', seed, maxSeconds: 840 })),
])

const runs: Wanted[] = values.long
  ? longRuns.map((run) => ({ ...run, examples: 40 }))
  : shortRuns.map((run) => ({ ...run, examples: 25 }))

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
  const startedAt = performance.now()
  const fixtures = await prepareFixtures(deployment, api.merchant)
  console.log(
    `Made ${Object.keys(fixtures.plan).length} fixtures in ${Math.round((performance.now() - startedAt) / 1000)} s.`,
  )
  const problems: string[] = []
  const [called, accepted] = [new Set<string>(), new Set<string>()]
  const allExcepted: Failure[] = []
  const what = { library, baseUrl: api.merchant.baseUrl, path: values.path }
  const carryOut = async (run: Wanted & Pick<RunOptions, 'path'>) => {
    const settings = writeSettings(folder, fixtures, await fixtures.logIn())
    const done = await runSchemathesis(session, { ...what, ...run, settings })
    const { failures, cases, errors } = done
    for (const name of done.called) called.add(name)
    for (const name of done.accepted) accepted.add(name)
    const { excepted = [], counted = [] } = Object.groupBy(failures, (failure) =>
      isExcepted(failure) ? 'excepted' : 'counted',
    )
    allExcepted.push(...excepted)
    const calls = `${cases} calls of ${done.called.size} operations (${done.accepted.size} with success)`
    console.log(`${run.document}, ${run.phases}, seed ${run.seed}: ${calls}, ${excepted.length} excepted failures`)
    problems.push(...errors, ...counted.map(describe))
  }
  for (const run of runs) await carryOut({ ...run, maxSeconds: Number(values.seconds ?? run.maxSeconds) })
  if (!values.path) for (const name of unansweredOf(accepted)) await carryOut(patientRunOf(name))
  if (!values.path) problems.push(...notReached(called, accepted))
  problems.push(...unexpectedIn(api.log()))
  console.log(['Refused by rules that no schema can say:', ...rulesOf(allExcepted)].join('\n  '))
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

function unansweredOf(accepted: Set<string>): string[] {
  return mustSucceed.filter((name) => !accepted.has(name))
}

/**
 * Calls of one operation, and of those whose paths hold its path, for ten minutes at most: on a slow machine the runs
 * may end before they come to it.
 */
function patientRunOf(name: string): Wanted & Pick<RunOptions, 'path'> {
  const document = name.includes('/admin/') ? staff : merchants
  const [, path] = name.split(' ')
  return { document, path, phases: 'coverage', seed: 1, maxSeconds: 600, examples: 25 }
}

/** The operations that were not called enough: a check of no call proves nothing. */
function notReached(called: Set<string>, accepted: Set<string>): string[] {
  const unanswered = unansweredOf(accepted)
  const uncalled = values.long ? operations.map(nameOf).filter((name) => !called.has(name)) : []
  const refused = [...called].filter((name) => !accepted.has(name))
  if (values.long) console.log(`Called, but never with success: ${refused.toSorted().join(', ') || 'none'}`)
  return [
    ...unanswered.map((name) => `${name}: no call was answered with 2xx`),
    ...uncalled.map((name) => `${name}: was not called`),
  ]
}

function describe({ operation, check, message, request, response }: Failure): string {
  const sent = asCurl(request)
  const answered = `${response?.status ?? 'no answer'} ${response?.body.slice(0, 1000) ?? ''}`
  return [`${operation}: ${check}: ${message}`, sent, answered].join('\n    ')
}

/** The command that repeats a call; its credential is left out. */
function asCurl({ method, uri, headers, body }: Failure['request']): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const shown = headers.map(
    ([name, value]) => ` -H ${quoted(`${name}: ${/^authorization$/i.test(name) ? '…' : value}`)}`,
  )
  const data = body ? ` --data-binary ${quoted(body.toString().slice(0, 4000))}` : ''
  return `curl -X ${method} ${quoted(uri)}${shown.join('')}${data}`
}

/** The unexpected errors in the API's log. */
function unexpectedIn(log: string): string[] {
  return log.split('\n').filter((line) => line.includes('"unexpected error"'))
}
