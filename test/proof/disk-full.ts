import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import type { Merchant } from '../support/merchant.ts'
import { startReceiver } from '../support/receiver.ts'
import { create, makeSale, newTally, runMany } from './buyers.ts'
import { deploy, type Deployment } from './deployment.ts'
import { type Disk, mountDisk } from './full-disk.ts'
import { type MovingPostgres, startMovingPostgres } from './moving-postgres.ts'
import { percentile } from './pace.ts'
import { makePayout, type Payees, preparePayouts } from './payees.ts'
import { findDuplicates, waitUntilIdle } from './rest.ts'
import { type Outcome, type Scenario, tooSlow } from './scenario.ts'

const megabytes = 300
/** Little room for the write-ahead log, so that it needs more of the disk soon. */
const settings = ['max_wal_size=48MB', 'min_wal_size=32MB', 'synchronous_commit=on', 'full_page_writes=on']
const [fullMs, restWithinMs, refusalMaxMs, lanes] = [8_000, 120_000, 2_000, 4]

/** `size` is how often the disk of Postgres becomes full, for 8 s each time. */
export const diskFull: Scenario = {
  promise:
    'while the disk of Postgres is full, calls that write get 503 and others are answered; nothing is lost or half ' +
    'done, and once there is room all goes on by itself',
  size: 10,
  async run(size) {
    const folder = mkdtempSync(join(tmpdir(), 'steadypay-proof-disk-'))
    const disk = mountDisk(join(folder, 'disk'), megabytes)
    try {
      if (typeof disk === 'string') return { figures: { skipped: disk }, violations: [] }
      return await runOn(folder, disk, size)
    } finally {
      if (typeof disk !== 'string') disk.unmount()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function runOn(folder: string, disk: Disk, size: number): Promise<Outcome> {
  const postgres = await startMovingPostgres(folder, { dataDir: join(disk.folder, 'postgres'), settings })
  const deployment = await deploy({ databaseUrl: postgres.url })
  const receiver = await startReceiver()
  try {
    const { merchant } = await deployment.startApi()
    await deployment.startWorker()
    await merchant.setWebhook(receiver.url)
    const to = await preparePayouts(deployment, '1000000.00')
    await countCalls(deployment)
    const load = startLoad(merchant, to)
    const seen: Seen = { reads: 0, unread: [], crashes: 0 }
    for (let round = 0; round < size; round++) {
      await pause(1_500)
      await fillAndFree(disk, merchant, postgres, seen)
    }
    await pause(1_000)
    const { made, ids, creating, others } = await load.stop()
    const { restMs, violations } = await waitUntilIdle(deployment, restWithinMs)
    const slowestRefusalMs = percentile(creating.refusalsMs, 1)
    violations.push(...tooSlow(diskFull, size, [['the refusal of a creation', slowestRefusalMs, refusalMaxMs]]))
    violations.push(
      ...creating.errors,
      ...others.errors,
      ...seen.unread,
      ...(await findDuplicates(deployment, receiver)),
    )
    const rows = (await deployment.sql('select from checkouts')).length
    if (rows !== made || ids.size !== made) violations.push(`${rows} sessions, ${ids.size} ids, ${made} creations`)
    if (creating.refusalsMs.length === 0) violations.push('no call was refused: this run proves nothing')
    if (seen.crashes === 0) violations.push('Postgres has never ended for its log: this run proves less than it says')
    const refused = creating.refusalsMs.length + others.refusalsMs.length
    const figures = { timesFull: size, creations: made, refused, slowestRefusalMs, restMs }
    return { figures: { ...figures, readsWhileFull: seen.reads, crashes: seen.crashes }, violations }
  } finally {
    await deployment.stop()
    await receiver.close()
    await postgres.stop()
  }
}

/** Gives the merchant's key a limit, as most have: to count a call is to write. */
const countCalls = ({ sql }: Deployment) => sql(`update api_keys set rate_tier = 'platform'`)

function startLoad(merchant: Merchant, to: Payees) {
  const [creating, others] = [newTally(), newTally()]
  const ids = new Set<string>()
  let [made, isOver] = [0, false]
  const repeat = (lanesMax: number, work: (n: number) => Promise<void>) =>
    runMany(Infinity, lanesMax, async (n) => {
      if (isOver) return 'enough'
      await work(n)
      return 'more'
    })
  const works = [
    repeat(lanes, async (n) => {
      made += 1
      ids.add((await create(merchant, creating, undefined, `creation-${n}`)).checkout_id)
      await pause(200)
    }),
    repeat(lanes, async (n) => {
      made += 1
      ids.add(await makeSale(merchant, n, others))
    }),
    repeat(1, async () => {
      const paid = await makePayout(merchant, to.completes, others)
      if ('refused' in paid) others.errors.push(`a payout is refused: ${paid.refused}`)
      await pause(500)
    }),
  ]
  const all = Promise.all(works)
  all.catch(() => undefined) // `stop` reports it
  return {
    async stop() {
      isOver = true
      await all
      return { made, ids, creating, others }
    },
  }
}

type Seen = { reads: number; unread: string[]; crashes: number }

/**
 * Fills the disk, reads meanwhile, and makes room again. Half of the time tables have no room; then the write-ahead log
 * has none either, for which Postgres ends. It is started again, as an operator or a service manager does, once there
 * is room. Until it ends it can be read.
 */
async function fillAndFree(disk: Disk, merchant: Merchant, postgres: MovingPostgres, seen: Seen): Promise<void> {
  const crashesBefore = crashesIn(postgres)
  let isFull = true
  const filling = disk.keepFull(fullMs).finally(() => (isFull = false))
  const startedAt = performance.now()
  let usesLog = false
  while (isFull) {
    const reply = await merchant.call('GET', '/v1/payments?limit=5').catch(() => null)
    const isUp = postgres.isRunning() && crashesIn(postgres) === crashesBefore
    if (reply?.status === 200) seen.reads += 1
    else if (isUp) seen.unread.push(`a read is answered with ${reply?.status} ${reply?.text}`)
    await pause(100)
    if (usesLog || performance.now() - startedAt < fullMs / 2) continue
    usesLog = true
    await useUpLog(postgres)
  }
  await filling
  disk.empty()
  seen.crashes += crashesIn(postgres) > crashesBefore ? 1 : 0
  await pause(500)
  if (!postgres.isRunning()) await postgres.restart()
}

/** Uses up the parts of the write-ahead log that have their room already, as hours of work would. */
async function useUpLog({ url }: MovingPostgres): Promise<void> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  const use = async () => {
    await client.connect()
    for (let parts = 0; parts < 8; parts++) {
      await client.query(`select pg_logical_emit_message(true, 'proof', 'a message')`)
      await client.query('select pg_switch_wal()')
    }
  }
  await use().catch(() => undefined) // until Postgres has ended
  await client.end().catch(() => undefined)
}

const crashesIn = (postgres: MovingPostgres) => postgres.log().split('PANIC:').length - 1
