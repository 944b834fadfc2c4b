// npm test [-- files and flags of node --test]: prepares a real Postgres, a real Temporal service, the
// time-skipping server and a browser, runs every test, and stops what it started.
import { existsSync, globSync } from 'node:fs'
import { join, relative } from 'node:path'
import { browserBinary } from './infra/browser-binary.ts'
import { writeWorkflowBundles } from './infra/bundle.ts'
import { migratedDatabase } from './infra/database.ts'
import { NODE_VARIABLES } from './infra/node.ts'
import { ROOT } from './infra/paths.ts'
import { startTestPostgres } from './infra/postgres.ts'
import { allOf, folderInMemory, runSession, SetupError, temporaryFolder, type Session } from './infra/session.ts'
import { startTemporal } from './infra/temporal.ts'
import { runTestFiles } from './infra/test-files.ts'
import { timeSkippingServer } from './infra/time-skipping.ts'

const TEMPLATE = 'steadypay_template'
/** Processes continue in a new run after a quarter of the usual events, so that tests of long ones take less. */
const EVENTS_OF_RUN = 1_000
/** More bytes than the databases of the test files that run at a time ever take, with Postgres' own files. */
const DATABASES_MAX = 4 * 1024 ** 3

/** What `npm run check` runs: it reads sources alone, and `.ci/run` calls both. */
const RUN_BY_CHECK = 'test/code/tidy.test.ts'

await runSession(async (session) => {
  const { files, flags } = readArguments(process.argv.slice(2))
  const startedAt = performance.now()
  const env = { ...process.env, ...(await prepare(session)) }
  console.log(`Prepared in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`)
  const isPassed = await runTestFiles(files, { env, flags, signal: session.signal })
  console.log(isPassed ? 'All passed.' : 'FAILED')
  return isPassed ? 0 : 1
})

function readArguments(args: string[]) {
  const flags = args.filter((arg) => arg.startsWith('-'))
  const named = args.filter((arg) => !arg.startsWith('-')).map((file) => relative(ROOT, join(ROOT, file)))
  const missing = named.filter((file) => !existsSync(join(ROOT, file)))
  if (missing.length > 0) throw new SetupError(`no such test file: ${missing.join(', ')}`)
  const all = globSync('test/**/*.test.ts', { cwd: ROOT, exclude: [RUN_BY_CHECK] }).toSorted()
  const files = named.length > 0 ? named : all
  return { files, flags }
}

/** Starts what the tests need. Returns the environment in which they find it. */
async function prepare(session: Session): Promise<NodeJS.ProcessEnv> {
  const folder = temporaryFolder(session)
  const [databases, TEMPORAL_ADDRESS, TIME_SKIPPING_SERVER, CHROMIUM] = await allOf([
    prepareDatabase(session),
    prepareTemporal(session, folder),
    timeSkippingServer(console.log),
    browserBinary(),
  ])
  const WORKFLOW_BUNDLES = await writeWorkflowBundles(folder) // alone, as it blocks this process
  const { NODE_COMPILE_CACHE } = NODE_VARIABLES // every test file and process starts faster with it
  const engines = { TEMPORAL_ADDRESS, TIME_SKIPPING_SERVER, WORKFLOW_BUNDLES, CHROMIUM }
  return { ...databases, ...engines, NODE_COMPILE_CACHE }
}

/**
 * Where the tests make their databases, and the log of their Postgres. For a given Postgres the caller sets both. Its
 * files are in memory: ext4 looks for a new file's place among all that were deleted in the last minutes, and each
 * database is 400 files, which took nine tenths of Postgres' processor time at the start of a test file.
 */
async function prepareDatabase(session: Session): Promise<NodeJS.ProcessEnv> {
  if (process.env['TEST_DATABASE_ADMIN_URL']) return {}
  const postgres = await startTestPostgres(folderInMemory(session, DATABASES_MAX))
  session.atEnd(postgres.child.stop)
  await migratedDatabase(postgres.url, TEMPLATE)
  return { TEST_DATABASE_ADMIN_URL: postgres.url('postgres'), TEST_POSTGRES_LOG: postgres.child.logFile }
}

async function prepareTemporal(session: Session, folder: string): Promise<string> {
  const given = process.env['TEMPORAL_ADDRESS']
  if (given) return given
  const files = { databaseFile: join(folder, 'temporal.db'), logFile: join(folder, 'temporal.log') }
  const temporal = await startTemporal({ ...files, ui: false, report: console.log, eventsOfRun: EVENTS_OF_RUN })
  session.atEnd(temporal.child.stop)
  return temporal.address
}
