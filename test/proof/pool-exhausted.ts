import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { ApiKey, newKey } from '../../db/access/api-key.ts'
import { Account } from '../../db/core/account.ts'
import { inTransaction } from '../../db/core/database.ts'
import { scopes } from '../../domain/access/scope.ts'
import { newId } from '../../domain/id.ts'
import { migratedDatabase } from '../../scripts/infra/database.ts'
import { startPostgres } from '../../scripts/infra/postgres.ts'
import { createMerchant, type Merchant, sale } from '../support/merchant.ts'
import { startReceiver } from '../support/receiver.ts'
import { create, makeSale, newTally, runMany } from './buyers.ts'
import { deploy, type Deployment } from './deployment.ts'
import { percentile } from './pace.ts'
import { findDuplicates, waitUntilIdle } from './rest.ts'
import { type Outcome, type Scenario, tooSlow } from './scenario.ts'

/** Fewer than the other clients of the database take. */
const connectionsMax = 50
/** Shorter than a statement may take, so that what holds a connection succeeds in the end. */
const heldMs = 5_000
const [restWithinMs, healthMaxMs] = [120_000, 500]
/** A creation needs three connections one after another (its key, its account, its rows), and waits 2 s for each. */
const refusalMaxMs = 6_000
/** How many calls come at once; a process has 10 connections. */
const crowd = 40

/** `size` is how often the pools are exhausted in each of the three ways, for 5 s each time. */
export const poolExhausted: Scenario = {
  promise:
    'while statements of others hold all connections, or other clients leave none, calls get 503 in time, a process ' +
    'says that it lives and is not ready, and one merchant’s slow lists stop no sale of another',
  size: 5,
  async run(size) {
    const folder = mkdtempSync(join(tmpdir(), 'steadypay-proof-pool-'))
    chmodSync(folder, 0o711) // run as root, Postgres belongs to another user, who must enter the folder
    const files = { dataDir: join(folder, 'postgres'), logFile: join(folder, 'postgres.log') }
    const settings = [`max_connections=${connectionsMax}`]
    const postgres = await startPostgres({ ...files, password: 'proof', careless: true, settings })
    try {
      return await runOn(await migratedDatabase(postgres.url, 'proof'), size)
    } finally {
      await postgres.child.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function runOn(databaseUrl: string, size: number): Promise<Outcome> {
  const deployment = await deploy({ databaseUrl })
  const receiver = await startReceiver()
  try {
    const { merchant } = await deployment.startApi()
    await deployment.startWorker()
    await merchant.setWebhook(receiver.url)
    const greedy = await addMerchant(deployment, merchant.baseUrl)
    const load = startLoad(merchant, await newCustomer(merchant))
    const seen: Seen = { healthMs: [], wasUnready: 0, violations: [] }
    let besideSlowLists = 0
    for (let round = 0; round < size; round++) {
      await pause(1_000)
      await whileLocked(databaseUrl, 'checkouts', () => watchHealth(merchant, seen, 'its statements wait'))
      await pause(1_000)
      await withoutConnections(databaseUrl, () => watchHealth(merchant, seen, 'others have all connections'))
      await untilReady(merchant)
      load.rest(true)
      const lists = startLists(greedy)
      await whileLocked(databaseUrl, 'request_logs', async () => void (besideSlowLists += await sell(load, seen)))
      seen.violations.push(...(await lists.stop()))
      load.rest(false)
    }
    const { ids, made, creating, buying } = await load.stop()
    const { restMs, violations } = await waitUntilIdle(deployment, restWithinMs)
    const [slowestRefusalMs, healthMs] = [percentile(creating.refusalsMs, 1), percentile(seen.healthMs, 0.95)]
    const timed = [
      ['the refusal of a creation', slowestRefusalMs, refusalMaxMs],
      ['/healthz', healthMs, healthMaxMs],
    ] as const
    violations.push(...tooSlow(poolExhausted, size, timed), ...seen.violations, ...creating.errors, ...buying.errors)
    violations.push(...(await findDuplicates(deployment, receiver)))
    const rows = (await deployment.sql('select from checkouts')).length
    if (rows !== made() || ids.size !== made())
      violations.push(`${rows} sessions, ${ids.size} ids, ${made()} creations`)
    if (creating.refusalsMs.length === 0) violations.push('no call was refused: this run proves nothing')
    const figures = { rounds: size, creations: made(), refused: creating.refusalsMs.length, slowestRefusalMs, healthMs }
    return { figures: { ...figures, timesUnready: seen.wasUnready, besideSlowLists, restMs }, violations }
  } finally {
    await deployment.stop()
    await receiver.close()
  }
}

/** A merchant of another organization, whose key has no limit of calls. */
async function addMerchant({ database, env }: Deployment, baseUrl: string): Promise<Merchant> {
  const now = Date.now()
  const pepper = Buffer.from(env['KEY_PEPPER'] ?? '', 'base64')
  const accountId = newId('acct', now)
  const { key, row } = newKey(pepper, { accountId, environment: 'sandbox', name: 'Greedy', scopes }, now)
  await inTransaction(database, async (em) => {
    em.create(Account, { id: accountId, name: 'Greedy', createdAt: new Date(now) })
    await em.flush()
    em.create(ApiKey, { ...row, rateTier: 'unlimited' })
  })
  return createMerchant(baseUrl, key)
}

async function newCustomer(merchant: Merchant): Promise<string> {
  const { body } = await merchant.call('POST', '/v1/customers', { email: 'ada@example.com', name: 'Ada' })
  return String(body['customer_id'])
}

/** The sessions are a known customer's: creations that only insert would share connections, and hold few. */
function startLoad(merchant: Merchant, customerId: string) {
  const session = { ...sale, customer: { id: customerId } }
  const [creating, buying] = [newTally(), newTally()]
  const ids = new Set<string>()
  let [made, isOver, isResting] = [0, false, false]
  const repeat = (lanes: number, work: (n: number) => Promise<string>) =>
    runMany(Infinity, lanes, async (n) => {
      while (isResting && !isOver) await pause(50)
      if (isOver) return 'enough'
      made += 1
      ids.add(await work(n))
      return 'more'
    })
  const all = Promise.all([
    repeat(crowd, async (n) => {
      const { checkout_id } = await create(merchant, creating, session, `creation-${n}`)
      await pause(2_000)
      return checkout_id
    }),
    repeat(3, (n) => makeSale(merchant, n, buying)),
  ])
  all.catch(() => undefined) // `stop` reports it
  return {
    /** One more session, by a single call. */
    async createOnce() {
      const reply = await merchant.call('POST', '/v1/checkout-sessions', sale)
      if (reply.status === 201) ids.add(String(reply.body['checkout_id']))
      if (reply.status === 201) made += 1
      return reply
    },
    rest: (rests: boolean) => void (isResting = rests),
    async stop() {
      isOver = true
      await all
      return { ids, creating, buying, made: () => made }
    },
  }
}

type Seen = { healthMs: number[]; wasUnready: number; violations: string[] }

/** Locks a table from outside, as a migration or a person can, for as long as `watch` takes. */
async function whileLocked(databaseUrl: string, table: string, watch: () => Promise<void>): Promise<void> {
  const locker = new Client({ connectionString: databaseUrl })
  await locker.connect()
  try {
    await locker.query(`begin; lock table "${table}" in access exclusive mode`)
    await watch()
    await locker.query('commit')
  } finally {
    await locker.end()
  }
}

/** Other clients take every connection, also those that the service had, for as long as `watch` takes. */
async function withoutConnections(databaseUrl: string, watch: () => Promise<void>): Promise<void> {
  const others: Client[] = []
  const takeAll = async () => {
    for (;;) {
      const other = new Client({ connectionString: databaseUrl })
      other.on('error', () => undefined)
      try {
        await other.connect()
        others.push(other)
      } catch {
        return
      }
    }
  }
  /** Ends the connections of the service, and takes their places before it can open new ones. */
  const seize = async () => {
    const ended = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'steadypay'`
    await others[0]?.query(ended)
    await Promise.all(Array.from({ length: 10 }, takeAll))
  }
  let isOver = false
  try {
    await takeAll()
    const seizing = (async () => {
      for (; !isOver; await pause(100)) await seize()
    })()
    await watch().finally(() => (isOver = true))
    await seizing
  } finally {
    await Promise.all(others.map((other) => other.end().catch(() => undefined)))
  }
}

/** Asks for five seconds whether the process lives, which it must say at once, and whether it is ready. */
async function watchHealth({ baseUrl }: Merchant, seen: Seen, why: string): Promise<void> {
  let wasUnready = false
  for (const until = performance.now() + heldMs; performance.now() < until; await pause(200)) {
    const startedAt = performance.now()
    const [health] = await Promise.all([
      fetch(`${baseUrl}/healthz`).then((answer) => {
        seen.healthMs.push(performance.now() - startedAt)
        return answer.status
      }),
      fetch(`${baseUrl}/readyz`).then(({ status }) => (wasUnready ||= status === 503)),
    ])
    if (health !== 200) seen.violations.push(`/healthz says ${health} while ${why}`)
  }
  if (wasUnready) seen.wasUnready += 1
  else seen.violations.push(`/readyz never told that ${why}`)
}

async function untilReady({ baseUrl }: Merchant): Promise<void> {
  for (;;) if ((await fetch(`${baseUrl}/readyz`)).ok) return
}

/** One merchant's lists, 40 at a time, one after another until `stop`, which tells what was wrong. */
function startLists(greedy: Merchant) {
  const violations: string[] = []
  let isOver = false
  const listing = runMany(Infinity, crowd, async () => {
    if (isOver) return 'enough'
    const { status } = await greedy.call('GET', '/v1/request-logs')
    if (status !== 200 && status !== 503) violations.push(`a slow list is answered with ${status}`)
    return 'more'
  })
  listing.catch(() => undefined) // `stop` reports it
  return {
    async stop(): Promise<string[]> {
      isOver = true
      await listing
      return violations
    },
  }
}

/** Creates sessions one by one for five seconds: each is accepted at once. Returns how many there were. */
async function sell(load: ReturnType<typeof startLoad>, seen: Seen): Promise<number> {
  let made = 0
  await pause(500) // until lists hold as many connections as they can
  for (const until = performance.now() + heldMs; performance.now() < until; await pause(100)) {
    const reply = await load.createOnce()
    if (reply.status === 201) made += 1
    else seen.violations.push(`a sale beside slow lists is answered with ${reply.status} ${reply.text}`)
  }
  return made
}
