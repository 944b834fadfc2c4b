// npm test [-- files and flags of node --test]: prepares a real Postgres, a real Temporal service and the
// time-skipping server, runs every test, and stops what it started.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { join, relative } from 'node:path'
import { writeWorkflowBundles } from './infra/bundle.ts'
import { migratedDatabase } from './infra/database.ts'
import { ROOT } from './infra/paths.ts'
import { startTestPostgres } from './infra/postgres.ts'
import { allOf, runSession, SetupError, temporaryFolder, type Session } from './infra/session.ts'
import { startTemporal } from './infra/temporal.ts'
import { timeSkippingServer } from './infra/time-skipping.ts'

/** These own the clock, kill processes or drive a browser: one after another. */
const ALONE = /\.(process|fault|browser)\.test\.ts$/
const TEST_LIMIT_MS = 300_000 // a test or file that hangs fails, instead of holding up everything
const TEMPLATE = 'steadypay_template'

await runSession(async (session) => {
  const { files, flags } = readArguments(process.argv.slice(2))
  const startedAt = performance.now()
  const env = { ...process.env, ...(await prepare(session)) }
  console.log(`Prepared in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
  const together = files.filter((file) => !ALONE.test(file))
  const alone = files.filter((file) => ALONE.test(file))
  const passed = [
    await runFiles('tests', together, 2, flags, env, session),
    await runFiles('tests of processes, faults and pages', alone, 1, flags, env, session),
  ]
  return passed.every(Boolean) ? 0 : 1
})

function readArguments(args: string[]) {
  const flags = args.filter((arg) => arg.startsWith('-'))
  const named = args.filter((arg) => !arg.startsWith('-')).map((file) => relative(ROOT, join(ROOT, file)))
  const missing = named.filter((file) => !existsSync(join(ROOT, file)))
  if (missing.length > 0) throw new SetupError(`no such test file: ${missing.join(', ')}`)
  const files = named.length > 0 ? named : globSync('test/**/*.test.ts', { cwd: ROOT }).toSorted()
  return { files, flags }
}

/** Starts what the tests need; answers the environment in which they find it. */
async function prepare(session: Session): Promise<NodeJS.ProcessEnv> {
  const folder = temporaryFolder(session)
  const [databases, TEMPORAL_ADDRESS, TIME_SKIPPING_SERVER, WORKFLOW_BUNDLES] = await allOf([
    prepareDatabase(session, folder),
    prepareTemporal(session, folder),
    timeSkippingServer(console.log),
    writeWorkflowBundles(folder),
  ])
  return { ...databases, TEMPORAL_ADDRESS, TIME_SKIPPING_SERVER, WORKFLOW_BUNDLES }
}

/** Where the tests make their databases, and what their Postgres logs. A given Postgres comes with both. */
async function prepareDatabase(session: Session, folder: string): Promise<NodeJS.ProcessEnv> {
  if (process.env['TEST_DATABASE_ADMIN_URL']) return {}
  const postgres = await startTestPostgres(folder)
  session.atEnd(postgres.child.stop)
  await migratedDatabase(postgres.url, TEMPLATE)
  return { TEST_DATABASE_ADMIN_URL: postgres.url('postgres'), TEST_POSTGRES_LOG: postgres.child.logFile }
}

async function prepareTemporal(session: Session, folder: string): Promise<string> {
  const given = process.env['TEMPORAL_ADDRESS']
  if (given) return given
  const files = { databaseFile: join(folder, 'temporal.db'), logFile: join(folder, 'temporal.log') }
  const temporal = await startTemporal({ ...files, ui: false, report: console.log })
  session.atEnd(temporal.child.stop)
  return temporal.address
}

async function runFiles(
  what: string,
  files: string[],
  concurrency: number,
  flags: string[],
  env: NodeJS.ProcessEnv,
  session: Session,
): Promise<boolean> {
  if (files.length === 0 || session.signal.aborted) return true
  console.log(
    `\n${files.length} files of ${what}, ${concurrency === 1 ? 'one after another' : `${concurrency} at a time`}`,
  )
  const options = [
    ...[`--test-concurrency=${concurrency}`, `--test-timeout=${TEST_LIMIT_MS}`],
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...['--test-reporter=./scripts/infra/slowest-files.ts', '--test-reporter-destination=stdout'],
  ]
  const runner = spawn(process.execPath, ['--test', ...options, ...flags, ...files], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
  })
  session.atEnd(() => void runner.kill())
  const [code] = (await once(runner, 'exit')) as [number | null]
  console.log(`${what}: ${code === 0 ? 'passed' : 'FAILED'}`)
  return code === 0
}
