// npm run proof [-- <scenario> ...] [--size n]: every fault that the service must survive, at full size, on a real
// Postgres and a real Temporal service. Prints the figures of each scenario. Exits non-zero if a promise is broken.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { scenarios } from '../test/proof/index.ts'
import type { Scenario } from '../test/proof/scenario.ts'
import { writeWorkflowBundles } from './infra/bundle.ts'
import type { Child } from './infra/child.ts'
import { migratedDatabase } from './infra/database.ts'
import { startTestPostgres } from './infra/postgres.ts'
import { allOf, runSession, SetupError, temporaryFolder, type Session } from './infra/session.ts'
import { startTemporal } from './infra/temporal.ts'

await runSession(async (session) => {
  const { chosen, size } = readArguments()
  Object.assign(process.env, await prepare(session))
  const broken = []
  for (const [name, scenario] of chosen) {
    if (!(await holds(name, scenario, size ?? scenario.size))) broken.push(name)
  }
  console.log(broken.length === 0 ? `\nAll ${chosen.length} hold.` : `\nBROKEN: ${broken.join(', ')}`)
  return broken.length === 0 ? 0 : 1
})

function readArguments() {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { size: { type: 'string' } } })
  const unknown = positionals.filter((name) => !(name in scenarios))
  const size = values.size === undefined ? undefined : Number(values.size)
  if (unknown.length > 0) throw new SetupError(`no such scenario; there are ${Object.keys(scenarios).join(', ')}`)
  if (size !== undefined && !(Number.isInteger(size) && size > 0)) throw new SetupError('--size must be a whole number')
  const isChosen = ([name]: [string, Scenario]) => positionals.length === 0 || positionals.includes(name)
  return { chosen: Object.entries(scenarios).filter(isChosen), size }
}

/** Starts what the scenarios share. Returns the environment in which they find it, as `npm test` does. */
async function prepare(session: Session): Promise<NodeJS.ProcessEnv> {
  const folder = temporaryFolder(session)
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
  await migratedDatabase(postgres.url, 'steadypay_template')
  return { TEST_DATABASE_ADMIN_URL: postgres.url('postgres'), TEMPORAL_ADDRESS: temporal.address, WORKFLOW_BUNDLES }
}

async function holds(name: string, { promise, run }: Scenario, size: number): Promise<boolean> {
  console.log(`\n${name} (${size}): ${promise}`)
  const startedAt = performance.now()
  const { figures, violations } = await run(size).catch((error: unknown) => ({
    figures: {},
    violations: [String(error instanceof Error ? error.stack : error)],
  }))
  for (const [what, figure] of Object.entries(figures)) console.log(`  ${what.padEnd(24)} ${figure}`)
  for (const violation of violations) console.log(`  BROKEN ${violation}`)
  console.log(
    `  ${violations.length === 0 ? 'holds' : 'does not hold'}, ${Math.round((performance.now() - startedAt) / 1000)} s`,
  )
  return violations.length === 0
}
