import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client } from '@temporalio/client'
import proto from '@temporalio/proto'
import { type Build, copyOfTree, startBuild, treeOf } from '../build.ts'
import { compared, type Figure, type Pair } from '../figure.ts'
import { runBareSale } from '../floor/engine.ts'
import { type Caller, createCaller, load } from '../load.ts'
import { processorTimes, type Role, roleNames } from '../processor-time.ts'
import { connect, type Testbed } from '../testbed.ts'
import { createCheckout, read, sale as saleBody } from './checkout.ts'
import { preparePayouts, requestPayout } from './payout.ts'
import { openSales, setWebhook, startReceiver } from './sale.ts'

/** The build of 2026-11-22, against which the cost of a sale is judged. */
const EARLIER = '4116ae68'
const ROUNDS = 2
const IN_FLIGHT = 10
/** After some hundred sales nearly all code is compiled. Production runs for days, so compiling does not count. */
const WARM = 400
const [SALES, PAYOUTS, DELIVERIES, CALLS, COUNTED] = [200, 60, 100, 500, 20] as const

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

export function shown({ perRole, totalMs, perSecond }: Cost): string {
  const parts = roleNames.filter((role) => perRole[role] >= 0.05).map((role) => `${role} ${perRole[role].toFixed(1)}`)
  return `${totalMs.toFixed(1)} ms (${parts.join(', ')}), ${perSecond.toFixed(1)} a second`
}

/** Waits until a build has nothing left to dispatch, to deliver or to pay out. */
async function untilQuiet({ query }: Build): Promise<void> {
  const left = `select (select count(*) from outbox) + (select count(*) from deliveries where status = 'pending')
    + (select count(*) from payouts where status not in ('completed', 'failed', 'rejected', 'cancelled')) as n`
  while (Number((await query<{ n: string }>(left))[0]?.n) > 0) await sleep(50)
}

/** What a sale costs a build that is warm: paid by card, with its two webhooks taken at the first attempt. */
export async function costOfSales(build: Build): Promise<Cost> {
  const sales = await openSales({ shop: build })
  await load(IN_FLIGHT, WARM, sales.sell)
  await untilQuiet(build)
  const cost = await costOf(build.processorTimes, SALES, sales.sell, () => untilQuiet(build))
  await sales.close()
  return cost
}

const kinds = ['sale', 'session', 'read', 'payout', 'delivery'] as const
type Costs = Record<(typeof kinds)[number], Cost>

/** What each kind of work costs a build. A delivery is that of an event of its own, with the call that causes it. */
async function measureBuild(build: Build): Promise<Costs> {
  const quiet = () => untilQuiet(build)
  const caller = createCaller(build.url, IN_FLIGHT)
  const { checkout_id } = await createCheckout(caller, build)
  const sale = await costOfSales(build)
  const session = await costOf(build.processorTimes, CALLS, () => createCheckout(caller, build), quiet)
  const reading = () => read(caller, build, `/v1/checkout-sessions/${checkout_id}`)
  const reads = await costOf(build.processorTimes, CALLS * 4, reading)
  const payout = await costOfPayouts(build, caller, quiet)
  const delivery = await costOfDeliveries(build, caller, quiet)
  await caller.close()
  return { sale, payout, delivery, session, read: reads }
}

/** Payouts to an approved destination, until the rail has completed them. Nobody gets their events. */
async function costOfPayouts(build: Build, caller: Caller, quiet: () => Promise<void>): Promise<Cost> {
  const destination = await preparePayouts(caller, build.apiKey, build.query)
  await quiet()
  return costOf(build.processorTimes, PAYOUTS, () => requestPayout(caller, build.apiKey, destination), quiet)
}

/** Events that a call causes, each taken by one receiver at the first attempt. */
async function costOfDeliveries(build: Build, caller: Caller, quiet: () => Promise<void>): Promise<Cost> {
  const receiver = await startReceiver(() => undefined)
  await setWebhook(caller, build, receiver.url)
  const headers = { authorization: `Bearer ${build.apiKey}` }
  const path = '/v1/test-helpers/events/trigger'
  const trigger = () => caller.call({ method: 'POST', path, headers, body: { type: 'collection.succeeded' } })
  const cost = await costOf(build.processorTimes, DELIVERIES, trigger, quiet)
  await setWebhook(caller, build, null)
  receiver.close()
  return cost
}

/** The same steps without our code: those of a sale on the engine, a call that writes and one that reads. */
async function reportFloor({ client, floorUrl, report }: Testbed): Promise<void> {
  const times = () => processorTimes(process.pid, { API: /floor\/http\.ts/, worker: /floor\/worker\.ts/ })
  const caller = createCaller(floorUrl, IN_FLIGHT)
  await load(IN_FLIGHT, SALES, () => runBareSale(client))
  report(`a bare sale: ${shown(await costOf(times, SALES, () => runBareSale(client)))}`)
  const writing = () => caller.call({ method: 'POST', path: '/', body: saleBody })
  report(`a bare session: ${shown(await costOf(times, CALLS, writing))}`)
  report(`a bare read: ${shown(await costOf(times, CALLS * 4, () => caller.call({ path: '/' })))}`)
  await caller.close()
}

/** Counts what a sale does: history events, actions that a hosted engine would bill, transactions and statements. */
async function countSteps(build: Build, client: Client, logFile: string): Promise<string> {
  const sales = await openSales({ shop: build })
  const commits = async () => {
    const committed = 'select xact_commit as n from pg_stat_database where datname = current_database()'
    const [row] = await build.query<{ n: string }>(committed)
    return Number(row?.n)
  }
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
 * The processor time of each kind of work, all processes together, beside the build of 2026-11-22 in the same run. What
 * the same steps cost without our code is reported too.
 */
export async function measureCost(testbed: Testbed): Promise<Figure[]> {
  const { session, folder, report } = testbed
  await reportFloor(testbed)
  const ours = copyOfTree(folder, 'build')
  const builds = {
    earlier: await startBuild(session, 'earlier-build', treeOf(EARLIER), join(folder, 'earlier-build.log')),
    ours: await startBuild(session, 'this-build', ours, join(folder, 'this-build.log')),
  }
  const rounds: Record<'earlier' | 'ours', Costs>[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const measured = { earlier: await measureBuild(builds.earlier), ours: await measureBuild(builds.ours) }
    for (const [name, costs] of Object.entries(measured))
      for (const kind of kinds) report(`${name}, a ${kind}: ${shown(costs[kind])}`)
    rounds.push(measured)
  }
  const client = await connect(session, builds.ours.temporalAddress)
  report(`a sale: ${await countSteps(builds.ours, client, join(ours, '.local/logs/postgres.log'))}`)
  await Promise.all([builds.earlier.stop(), builds.ours.stop()])
  const pairs = (of: (costs: Costs) => number): Pair[] =>
    rounds.map((round) => ({ ours: of(round.ours), floor: of(round.earlier) }))
  const about = { measure: 'processor time, all processes', unit: 'ms', better: 'lower' } as const
  const marks = (kind: keyof Costs) => (kind === 'sale' ? { bar: 0.45, goal: 0.35 } : { bar: 1, goal: 0.7 })
  const beside = `beside ${EARLIER}`
  const perSecond = { measure: 'throughput', unit: '/s', better: 'higher', bar: 2, goal: 2.5 } as const
  return [
    ...kinds.map((kind) =>
      compared(
        { ...about, row: `a ${kind} ${beside}`, ...marks(kind) },
        pairs((costs) => costs[kind].totalMs),
      ),
    ),
    compared(
      { ...perSecond, row: `sales, ${IN_FLIGHT} in flight, ${beside}` },
      pairs(({ sale }) => sale.perSecond),
    ),
  ]
}
