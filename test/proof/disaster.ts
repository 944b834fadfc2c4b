import { setTimeout as pause } from 'node:timers/promises'
import { createAccessTokens } from '../../api/access/access-token.ts'
import { inTransaction } from '../../db/core/database.ts'
import { liftTimeLimits, patientLimits } from '../../db/core/time-limits.ts'
import { openDatabase } from '../../db/open-database.ts'
import { openRowsSql, openSources } from '../../commands/open-rows.ts'
import { systemClock } from '../../engine/clock.ts'
import { endow, exchanging } from '../support/conversion.ts'
import { withEndpoints } from '../support/endpoints.ts'
import { type Merchant, sale } from '../support/merchant.ts'
import type { Moved } from '../support/moved-twice.ts'
import { addDestination } from '../support/payout.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { addStaff } from '../support/staff.ts'
import { endWaiting, type UnderWay } from '../support/under-way.ts'
import { insist, makeSale, newTally, runMany, type Tally } from './buyers.ts'
import { deploy, type Running } from './deployment.ts'
import { startOwnEngine } from './own-engine.ts'
import { makePayout, preparePayouts } from './payees.ts'
import { hurryDeliveries, waitUntilIdle, findDuplicates } from './rest.ts'
import { until } from '../support/until.ts'

const restWithinMs = 120_000
const patience = { withinMs: 90_000, everyMs: 250 }

/** Few, because a delivery that fails is sent many times until the end, which takes most of a run. */
const failingTypes = ['payout.paid', 'refund.paid']

export type Cluster = Awaited<ReturnType<typeof startDeployment>>

/**
 * APIs and workers with their own engine, one of each for a few sales and else two, and a merchant with two endpoints:
 * one gets every event, the other one gets a few types and fails at first.
 */
export async function startDeployment(size: number) {
  const engine = await startOwnEngine()
  const deployment = await deploy({ temporalAddress: engine.address })
  const [receiver, failing] = [await startReceiver(), await startReceiver(Array(100_000).fill(500))]
  const processes = Array.from({ length: size < 100 ? 1 : 2 })
  const apis = await Promise.all(processes.map(() => deployment.startApi()))
  let workers: Running[] = []
  const startWorkers = async () => void (workers = await Promise.all(processes.map(() => deployment.startWorker())))
  const killWorkers = async () => void (await Promise.all(workers.map((worker) => worker.kill())))
  await startWorkers()
  const merchant = apis[0]?.merchant as Merchant
  await merchant.setWebhook(receiver.url)
  await withEndpoints(merchant).add({ url: failing.url, events: failingTypes })
  const { database, encrypter, organizationId } = deployment
  const services = () => ({ accessTokens: createAccessTokens(database, encrypter), clock: systemClock })
  const parts = { ...deployment, merchant }
  return {
    ...parts,
    engine,
    receiver,
    failing,
    startWorkers,
    killWorkers,
    /** Logs in a new member of staff, because the key that signs logins may be lost with the database. */
    logIn: () => addStaff({ database, services: services(), merchant, organizationId }),
    merchants: apis.map((api) => api.merchant),
    freeze: () => [...apis, ...workers].forEach((running) => running.freeze()),
    wake: () => [...apis, ...workers].forEach((running) => running.wake()),
    async killAll() {
      await Promise.all([killWorkers(), ...apis.map((api) => api.kill())])
    },
    async startAll() {
      for (const [at, api] of apis.entries()) apis[at] = await deployment.startApi(['api/main.ts'], api.port)
      await startWorkers()
    },
    async stop() {
      await deployment.stop()
      await engine.stop()
      await receiver.close()
      await failing.close()
    },
  }
}

/** Sales of every kind, payouts, refunds and conversions, through both APIs; `begun` counts the sales. */
export async function makeBusy(cluster: Cluster, size: number) {
  const { merchants, organizationId, database } = cluster
  const tally = newTally()
  const to = await preparePayouts(cluster, `${size * 30}.00`)
  await endow({ database, clock: systemClock }, organizationId, `${size * 200}.00`, 'USD')
  const merchantOf = (n: number) => merchants[n % merchants.length] as Merchant
  let begun = 0
  const sales = runMany(size, 6, async (n) => {
    begun += 1
    await makeSale(merchantOf(n), n, tally)
  })
  const others = runMany(size / 2, 3, async (n) => {
    await makePayout(merchantOf(n), n % 4 === 3 ? to.fails : to.completesSoon, tally)
    const charge = await makeCharge(cluster, merchantOf(n + 1), n, tally)
    const refund = { charge_id: charge, amount: 5, reference: `return-${n}` }
    await expect(merchantOf(n), tally, '/api/v1/payments/refunds', refund)
  })
  const all = Promise.all([sales, others])
  all.catch(() => undefined) // `done` reports it
  return { begun: () => begun, done: all.then(() => tally.errors) }
}

async function expect(merchant: Merchant, tally: Tally, path: string, body: object) {
  const reply = await insist(merchant, { path, body }, tally)
  if (reply.status >= 300) tally.errors.push(`${path}: ${reply.status} ${reply.text}`)
  return reply.body
}

/** Makes a sale that is paid by card, and returns the payment's id once it has succeeded. */
async function makeCharge({ sql }: Cluster, merchant: Merchant, n: number, tally: Tally): Promise<string> {
  const id = await makeSale(merchant, 100_000 + n, tally, 'card')
  const paid = `select payment_id as id from checkouts where id = ? and status = 'completed'`
  const find = () => sql<{ id: string }>(paid, [id]).catch(() => [])
  await until(async () => (await find()).length > 0, `${id} is paid`, patience)
  return (await find())[0]?.id ?? ''
}

/** Committed orders that never reached their rail. */
export type Unsent = { payment: string; payout: string; refund: string; conversion: string }

/**
 * Makes one order of each kind that never reaches its rail: the workers die between the commit and the call. The
 * simulators' tables are locked meanwhile, and no call is repeated, like that of a buyer who has closed the page.
 */
export async function makeUnsent(cluster: Cluster): Promise<Unsent> {
  const { merchant, organizationId, sql } = cluster
  const session = await merchant.createCheckout(sale)
  const charge = await makeCharge(cluster, merchant, 1, newTally())
  const owner = { accountId: organizationId, environment: 'sandbox' as const }
  const destination = await addDestination(cluster, owner, { currency: 'USD', scheme: 'ach' })
  const books = await lockSimulators(cluster.databaseUrl)
  void merchant.payByCard(session).catch(() => undefined)
  const payout = await merchant.payOut(destination, { amount: '7.00' })
  const { refund_id: refund } = await merchant.refund(charge, { amount: 3, reference: 'unsent' })
  const { conversion_id: conversion } = await exchanging(merchant).convert()
  const begun = `select p.id from payments p, payouts o, refunds r, conversions c where p.checkout_id = ?
    and o.id = ? and r.id = ? and c.id = ? and p.status = 'processing' and o.status = 'processing'
    and r.status = 'processing' and c.status = 'processing'`
  const find = () => sql<{ id: string }>(begun, [session.checkout_id, payout.id, refund, conversion])
  await until(async () => (await find()).length > 0, 'each order is on its way to its rail', patience)
  const [paid] = await find()
  await cluster.killWorkers()
  await books.open()
  return { payment: paid?.id ?? '', payout: payout.id, refund, conversion }
}

const books = 'simulated_charges, simulated_payouts, simulated_refunds, simulated_conversions'

/** Locks the simulators' tables against writes; connections that wait for them when they are opened are cut off. */
async function lockSimulators(databaseUrl: string): Promise<{ open(): Promise<void> }> {
  const database = await openDatabase(databaseUrl, 2, patientLimits)
  const [locked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = inTransaction(database, async (em) => {
    await liftTimeLimits(em)
    await em.execute('set local idle_in_transaction_session_timeout = 0')
    await em.execute(`lock table ${books} in exclusive mode`)
    locked.resolve()
    await free.promise
  })
  await Promise.race([locked.promise, holding])
  return {
    async open() {
      await database.orm.em.fork().execute(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
      )
      free.resolve()
      await holding
      await database.orm.close()
    },
  }
}

/** Orders that still were not sent although their process was started again. */
export async function neverSent({ sql }: Cluster, unsent: Unsent): Promise<string[]> {
  const ends = async () =>
    sql<{ id: string; status: string }>(
      `select id, status from payments where id = ? and status <> 'succeeded'
       union all select id, status from payouts where id = ? and status <> 'completed'
       union all select id, status from refunds where id = ? and status <> 'succeeded'
       union all select id, status from conversions where id = ? and status <> 'completed'`,
      [unsent.payment, unsent.payout, unsent.refund, unsent.conversion],
    )
  await until(async () => (await ends()).length === 0, 'all orders are sent', { withinMs: 30_000 }).catch(() => 0)
  return (await ends()).map(({ id, status }) => `the order of ${id} had not reached its rail and is still ${status}`)
}

/** What went wrong, and which processes the first run has begun anew, for people to read. */
type Restored = { violations: string[]; begun: string }

/** Runs the restore command twice, as operators may; `meanwhile` runs once it has begun. */
export async function restore(cluster: Cluster, args: string[], meanwhile?: () => Promise<void>): Promise<Restored> {
  const violations: string[] = []
  let begun: string | null = null
  for (const act of [meanwhile, undefined]) {
    const running = cluster.run('restore', ['scripts/restore.ts', ...args])
    if (act) {
      await until(() => running.log().includes('Open rows') || !running.isRunning(), 'the restore has begun', patience)
      await act()
    }
    const { code } = (await running.exited) as { code: number | null }
    if (code !== 0) violations.push(`restore ${args.join(' ')} ended with ${code}: ${running.log().slice(-2_000)}`)
    begun ??= [...running.log().matchAll(/^ {2}(\S+) +\d+ open, starts ([1-9]\d*)$/gm)]
      .map(([, process, count]) => `${process} ${count}`)
      .join(', ')
  }
  return { violations, begun: begun || 'nothing: the supervisor had done so' }
}

/**
 * Finishes everything that waits, and returns what was left open, lost or done twice. `before` is what money had moved
 * for before rows were lost.
 */
export async function finishAll(cluster: Cluster, waiting: UnderWay[], before?: Moved) {
  const staff = await cluster.logIn()
  for (const each of waiting) await endWaiting(cluster, staff, each)
  cluster.failing.answers([])
  const hurry = await keepHurrying(cluster)
  const { restMs, violations } = await waitUntilIdle(cluster, restWithinMs)
  hurry.stop()
  violations.push(...(await leftOpen(cluster)), ...(await doneTwice(cluster, before)))
  return { restMs, violations }
}

/** Makes deliveries try again at once, not in minutes, until it is stopped. */
async function keepHurrying(cluster: Cluster) {
  let over = false
  const loop = async () => {
    while (!over) {
      await hurryDeliveries(cluster)
      await pause(1_000)
    }
  }
  const running = loop()
  return { stop: () => void ((over = true), running) }
}

/** Rows that are still open, except sessions that have ended and only wait for late money. */
async function leftOpen({ sql }: Cluster): Promise<string[]> {
  const found = []
  for (const source of openSources.filter(({ rows }) => !rows.includes('listens_until'))) {
    const rows = await sql<{ id: string }>(openRowsSql(source, Date.now()))
    found.push(...rows.map(({ id }) => `the row of ${source.process} ${id} is still open`))
  }
  return found
}

/** What money has moved for twice, and sequence numbers that a receiver got with two events. */
async function doneTwice(cluster: Cluster, before?: Moved): Promise<string[]> {
  const ofDisaster = (violation: string) => !violation.startsWith('the process ') // those were ended on purpose
  const violations = (await findDuplicates(cluster, cluster.receiver, before)).filter(ofDisaster)
  return [...violations, ...sharedNumbers(cluster.receiver)]
}

function sharedNumbers({ received }: Receiver): string[] {
  const byNumber = Map.groupBy(received, ({ headers }) => headers['x-service-sequence'])
  return [...byNumber].flatMap(([number, deliveries]) => {
    const events = new Set(deliveries.map(({ event }) => event.id))
    return events.size === 1 ? [] : [`number ${number} was given to ${[...events].join(' and ')}`]
  })
}
