import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client } from '@temporalio/client'
import proto from '@temporalio/proto'
import { type Build, copyOfTree, startBuild, treeOf } from '../build.ts'
import { compared, type Figure, type Pair } from '../figure.ts'
import { runBareSale } from '../floor/engine.ts'
import { createCaller, load } from '../load.ts'
import { processorTimes, type Role, roleNames } from '../processor-time.ts'
import { connect, type Testbed } from '../testbed.ts'
import { createCheckout, read } from './checkout.ts'
import { openSales } from './sale.ts'

/** The build of 2026-11-22, against which the cost of a sale is judged. */
const EARLIER = '4116ae68'
const ROUNDS = 2
const IN_FLIGHT = 10
const [WARM, SALES, CALLS, COUNTED] = [40, 150, 500, 20] as const

type Cost = { perRole: Record<Role, number>; totalMs: number; perSecond: number }
const { EventType } = proto.temporal.api.enums.v1

/** The processor time of each call, by process, while `calls` calls are made and until nothing is left of them. */
async function costOf(
  times: () => Record<Role, number>,
  calls: number,
  call: () => Promise<unknown>,
  quiet: () => Promise<void> = async () => undefined,
): Promise<Cost> {
  const before = times()
  const { perSecond } = await load(IN_FLIGHT, calls, async () => void (await call()))
  await quiet()
  const after = times()
  const perRole = Object.fromEntries(
    roleNames.map((role) => [role, (after[role] - before[role]) / calls]),
  ) as Cost['perRole']
  return { perRole, totalMs: Object.values(perRole).reduce((sum, ms) => sum + ms, 0), perSecond }
}

const shown = ({ perRole, totalMs, perSecond }: Cost) =>
  `${totalMs.toFixed(1)} ms (${roleNames.map((role) => `${role} ${perRole[role].toFixed(1)}`).join(', ')}), ` +
  `${perSecond.toFixed(1)} a second`

/** Waits until a build has nothing left to dispatch or to deliver. */
async function untilQuiet({ query }: Build): Promise<void> {
  const left = `select (select count(*) from outbox) + (select count(*) from deliveries where status = 'pending') as n`
  while (Number((await query<{ n: string }>(left))[0]?.n) > 0) await sleep(50)
}

/** What a sale, a session and a read cost a build. */
async function measureBuild(build: Build): Promise<Record<'sale' | 'create' | 'read', Cost>> {
  const quiet = () => untilQuiet(build)
  const caller = createCaller(build.url, IN_FLIGHT)
  const { checkout_id } = await createCheckout(caller, build)
  const sales = await openSales({ shop: build })
  await load(IN_FLIGHT, WARM, sales.sell)
  await quiet()
  const sale = await costOf(build.processorTimes, SALES, sales.sell, quiet)
  await sales.close()
  const create = await costOf(build.processorTimes, CALLS, () => createCheckout(caller, build), quiet)
  const reading = () => read(caller, build, `/v1/checkout-sessions/${checkout_id}`)
  const reads = await costOf(build.processorTimes, CALLS * 4, reading)
  await caller.close()
  return { sale, create, read: reads }
}

/** Counts what a sale does: history events, actions that a hosted engine would bill, transactions and statements. */
async function countSteps(build: Build, client: Client, logFile: string): Promise<string> {
  const sales = await openSales({ shop: build })
  const commits = async () =>
    Number(
      (
        await build.query<{ n: string }>(
          `select xact_commit as n from pg_stat_database where datname = current_database()`,
        )
      )[0]?.n,
    )
  const logged = () => (readFileSync(logFile, 'utf8').match(/LOG: {2}(execute|statement)/g) ?? []).length
  await build.query(`alter system set log_statement = 'all'`)
  await build.query('select pg_reload_conf()')
  await sleep(500)
  const since = new Date()
  const [commitsBefore, loggedBefore] = [await commits(), logged()]
  for (let sale = 0; sale < COUNTED; sale++) await sales.sell()
  await untilQuiet(build)
  await sleep(1_500) // statistics and the engine's list come a little later
  const [commitsAfter, loggedAfter] = [await commits(), logged()]
  await build.query('alter system reset log_statement')
  await build.query('select pg_reload_conf()')
  await sales.close()
  let [processes, events, actions] = [0, 0, 0]
  for await (const { workflowId, runId } of client.workflow.list({ query: `StartTime >= "${since.toISOString()}"` })) {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory()
    const types = (history.events ?? []).map(({ eventType }) => EventType[eventType ?? 0] ?? '')
    processes += 1
    events += types.length
    actions += types.filter((type) => billed.test(type)).length
  }
  const each = (count: number) => (count / COUNTED).toFixed(1)
  return (
    `${each(processes)} processes, ${each(events)} history events, ${each(actions)} billable actions, ` +
    `${each(commitsAfter - commitsBefore)} transactions, ${each(loggedAfter - loggedBefore)} statements`
  )
}

/** Events that count as an action: see the vendor's page "Actions". A marker is that of a local activity or a patch. */
const billed = new RegExp(
  '^EVENT_TYPE_(WORKFLOW_EXECUTION_(STARTED|SIGNALED|UPDATE_ACCEPTED|CONTINUED_AS_NEW)|TIMER_STARTED|' +
    'ACTIVITY_TASK_SCHEDULED|MARKER_RECORDED|UPSERT_WORKFLOW_SEARCH_ATTRIBUTES)$',
)

/**
 * The processor time of a sale, a session and a read, all processes together, beside the build of 2026-11-22 in the
 * same run. The bare steps of a sale are measured too.
 */
export async function measureCost(testbed: Testbed): Promise<Figure[]> {
  const { session, folder, report } = testbed
  const ofFloor = () => ({ ...processorTimes(process.pid, /floor\/worker\.ts/), API: 0, Postgres: 0 })
  await load(IN_FLIGHT, WARM, () => runBareSale(testbed.client))
  const floor = await costOf(ofFloor, SALES, () => runBareSale(testbed.client))
  report(`the bare steps of a sale: ${shown(floor)}`)
  const ours = copyOfTree(folder, 'build')
  const builds = {
    earlier: await startBuild(session, 'earlier-build', treeOf(EARLIER), join(folder, 'earlier-build.log')),
    ours: await startBuild(session, 'this-build', ours, join(folder, 'this-build.log')),
  }
  const rounds: Record<'earlier' | 'ours', Awaited<ReturnType<typeof measureBuild>>>[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const measured = { earlier: await measureBuild(builds.earlier), ours: await measureBuild(builds.ours) }
    for (const [name, costs] of Object.entries(measured))
      for (const [what, cost] of Object.entries(costs)) report(`${name}, a ${what}: ${shown(cost)}`)
    rounds.push(measured)
  }
  const client = await connect(session, builds.ours.temporalAddress)
  report(`a sale: ${await countSteps(builds.ours, client, join(ours, '.local/logs/postgres.log'))}`)
  await Promise.all([builds.earlier.stop(), builds.ours.stop()])
  const pairs = (of: (costs: (typeof rounds)[number]['ours']) => number): Pair[] =>
    rounds.map((round) => ({ ours: of(round.ours), floor: of(round.earlier) }))
  const about = { measure: 'processor time, all processes', unit: 'ms', better: 'lower' } as const
  const beside = `beside ${EARLIER}`
  return [
    compared(
      { ...about, row: `a sale ${beside}`, bar: 0.45, goal: 0.35 },
      pairs(({ sale }) => sale.totalMs),
    ),
    compared(
      { ...about, row: `a session ${beside}`, bar: 1, goal: 0.7 },
      pairs(({ create }) => create.totalMs),
    ),
    compared(
      { ...about, row: `a read ${beside}`, bar: 1, goal: 0.7 },
      pairs((costs) => costs.read.totalMs),
    ),
    compared(
      {
        row: `sales, ${IN_FLIGHT} in flight, ${beside}`,
        measure: 'throughput',
        unit: '/s',
        better: 'higher',
        bar: 2,
        goal: 2.5,
      },
      pairs(({ sale }) => sale.perSecond),
    ),
  ]
}
