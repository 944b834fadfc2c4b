// npm run bench [-- --only create,read] [--json] [--strict] [--size 1000000] [--profile folder]: measures the service
// beside the floor of each kind of work, both in the same run. Prints the bars that are missed; with --strict a missed
// bar also makes the exit code non-zero.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { runSession, SetupError, type Session } from '../scripts/infra/session.ts'
import { checkInvariants } from '../test/support/invariants.ts'
import { type Figure, table, verdictOf } from './figure.ts'
import { measureClock } from './rows/clock.ts'
import { measureCluster } from './rows/cluster.ts'
import { measureCreate, measureRead } from './rows/checkout.ts'
import { measureCost } from './rows/cost.ts'
import { measureEngine } from './rows/engine.ts'
import { measureMemory } from './rows/memory.ts'
import { measureOldObjects } from './rows/old-objects.ts'
import { measurePayout } from './rows/payout.ts'
import { measureRequestLog } from './rows/request-log.ts'
import { measureSale } from './rows/sale.ts'
import { measureScale } from './rows/scale.ts'
import { measureStart } from './rows/start.ts'
import { measureWebhooks } from './rows/webhook.ts'
import { measureWebhookWorkers } from './rows/webhook-workers.ts'
import { type Testbed, startTestbed } from './testbed.ts'

/** In this order: memory is read after the loads, and the big tables come last, as they may slow down other rows. */
const rows: Record<string, (testbed: Testbed) => Promise<Figure[]>> = {
  create: measureCreate,
  read: measureRead,
  sale: measureSale,
  payout: measurePayout,
  webhooks: measureWebhooks,
  clock: measureClock,
  memory: measureMemory,
  'old-objects': measureOldObjects,
  'webhook-workers': measureWebhookWorkers,
  engine: measureEngine,
  start: measureStart,
  scale: measureScale,
  'request-log': measureRequestLog,
  cost: measureCost,
  cluster: measureCluster,
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(rows).join(',') },
    json: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    size: { type: 'string', default: '100000' },
    profile: { type: 'string' },
  },
})
const report = (line: string) => console.error(line) // stdout is for the figures

await runSession(async (session) => {
  const names = values.only.split(',')
  const unknown = names.filter((name) => !(name in rows))
  if (unknown.length > 0)
    throw new SetupError(`no such row: ${unknown.join(', ')}. Rows: ${Object.keys(rows).join(', ')}`)
  const { figures, broken } = await measure(session, names)
  const judged = figures.map((figure) => ({ ...figure, verdict: verdictOf(figure) }))
  console.log(values.json ? JSON.stringify(judged, null, 2) : table(figures))
  const missed = judged.filter(({ verdict }) => verdict === 'MISS').length
  report(missed === 0 ? 'No bar is missed.' : `MISSED: ${missed} of ${figures.length} bars.`)
  for (const error of broken) report(`BROKEN: ${error}`)
  return broken.length > 0 || (missed > 0 && values.strict) ? 1 : 0
})

/** Measures the rows. If one fails, the figures of the others are kept. */
async function measure(session: Session, names: string[]): Promise<{ figures: Figure[]; broken: string[] }> {
  const profile = values.profile ? resolve(values.profile) : null
  const testbed = await startTestbed({ session, report, size: Number(values.size), profile })
  const figures: Figure[] = []
  const broken: string[] = []
  for (const [name, row] of Object.entries(rows).filter(([each]) => names.includes(each))) {
    const startedAt = performance.now()
    try {
      const measured = await row(testbed)
      figures.push(...measured)
      report(table(measured))
    } catch (error) {
      broken.push(`${name}: ${error instanceof Error ? error.stack : String(error)}`)
    }
    report(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  }
  await testbed.untilQuiet()
  const violations = await checkInvariants(testbed.shop.database, { client: testbed.client })
  broken.push(...violations.map((violation) => `after the load an invariant does not hold: ${violation}`))
  return { figures, broken }
}
