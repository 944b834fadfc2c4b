import { join } from 'node:path'
import type { Scenario } from '../../test/proof/scenario.ts'
import { writeWorkflowBundles } from './bundle.ts'
import type { Child } from './child.ts'
import { migratedDatabase } from './database.ts'
import { type Postgres, startTestPostgres } from './postgres.ts'
import { allOf, temporaryFolder, type Session } from './session.ts'
import { startTemporalCluster } from './temporal-cluster.ts'
import { temporalServer } from './temporal-server.ts'
import { startTemporal, type Temporal } from './temporal.ts'

/**
 * Starts what the scenarios share: with `cluster` a Temporal service of several processes (npm run cluster), else that
 * of development. Returns the environment in which they find it, as `npm test` does.
 */
export async function prepareProof(session: Session, { cluster = false } = {}): Promise<NodeJS.ProcessEnv> {
  const folder = temporaryFolder(session)
  const keep = async <T extends { child: Child }>(starting: Promise<T>): Promise<T> => {
    const started = await starting
    session.atEnd(started.child.stop)
    return started
  }
  const postgres = await keep(startTestPostgres(folder))
  const startEngine = cluster ? () => startCluster(session, folder, postgres.url) : () => keep(startOne(folder))
  const [temporal, WORKFLOW_BUNDLES] = await allOf([startEngine(), writeWorkflowBundles(folder)])
  await migratedDatabase(postgres.url, 'steadypay_template')
  return { TEST_DATABASE_ADMIN_URL: postgres.url('postgres'), TEMPORAL_ADDRESS: temporal.address, WORKFLOW_BUNDLES }
}

const startOne = (folder: string): Promise<Temporal> =>
  startTemporal({
    databaseFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    ui: false,
    report: console.log,
  })

async function startCluster(session: Session, folder: string, urlOf: Postgres['url']): Promise<{ address: string }> {
  const programs = await temporalServer(console.log)
  return await startTemporalCluster({
    programs,
    urlOf,
    folder: join(folder, 'temporal'),
    logFile: (name) => join(folder, `${name}.log`),
    report: console.log,
    keep: (process) => session.atEnd(process.stop),
  })
}

/** Runs a scenario and prints its figures, and whether its promise holds. */
export async function holds(name: string, { promise, run }: Scenario, size: number): Promise<boolean> {
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
