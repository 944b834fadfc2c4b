import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLoadLimits, type Needs, type WaitsOn } from '../../api/http/load-limits.ts'
import { inTransaction } from '../../db/core/database.ts'
import { readOverloaded } from '../../db/core/overloaded-account.ts'
import { signalProcess, startProcess } from '../../db/core/start-process.ts'
import type { ProviderName } from '../../domain/rail-provider.ts'
import { Refusal } from '../../domain/refusal.ts'
import { createLogger } from '../../engine/logger.ts'
import { watchOverload } from '../../engine/overload.ts'
import { openPools } from '../../engine/pools.ts'
import { until } from '../support/until.ts'
import { useDatabase } from '../support/use-database.ts'

const about = { environment: 'sandbox', status: 'pending', waitingOn: 'receiver', summary: 'one' }
const logger = createLogger({ logLevel: 'silent' }, 'test')

const database = await useDatabase()
beforeEach(async () => {
  await sql('delete from outbox')
  await sql('delete from overloaded_accounts')
})

const sql = (text: string) => database.orm.em.fork().execute(text)

/** Calls that wait until the test ends them; `refused` holds the refusals of those that were not let in. */
function createCalls(limits: ReturnType<typeof createLoadLimits>) {
  const open: { accountId: string; end: (error?: Error) => void }[] = []
  const refused: Refusal[] = []
  return {
    open,
    refused,
    wait(accountId: string, count = 1, provider: ProviderName | null = null) {
      for (let n = 0; n < count; n++) {
        const ended = Promise.withResolvers<void>()
        const work = (waitsOn: WaitsOn) => {
          waitsOn(provider)
          open.push({ accountId, end: (error) => (error ? ended.reject(error) : ended.resolve()) })
          return ended.promise
        }
        limits.run('waits', accountId, work).catch((error: unknown) => {
          if (error instanceof Refusal) refused.push(error)
        })
      }
    },
    async end(count: number, error?: Error) {
      for (const call of open.splice(0, count)) call.end(error)
      await sleep(0)
    },
  }
}

const mayBegin = (limits: ReturnType<typeof createLoadLimits>, accountId: string, needs: Needs = 'begins') =>
  limits.run(needs, accountId, async () => 'begun').catch(({ code }: Refusal) => code)

test('calls that wait for a slow provider refuse those that need it, and nobody else', async () => {
  let now = 0
  const limits = createLoadLimits(database, () => now)
  const calls = createCalls(limits)
  calls.wait('acct_a', 12, 'stripe')
  await sleep(0)
  assert.equal(calls.open.length, 12)
  now = 7_500 // all of them are late
  calls.wait('acct_a', 1, 'stripe')
  await sleep(0)
  assert.deepEqual(
    calls.refused.map(({ code, retryAfter }) => [code, retryAfter]),
    [['SERVICE_UNAVAILABLE', 2]],
  )
  assert.match(calls.refused[0]?.message ?? '', /provider is slow/)
  calls.wait('acct_a', 1, 'paystack')
  calls.wait('acct_a', 1)
  await sleep(0)
  assert.equal(calls.open.length, 14)
  assert.equal(calls.refused.length, 1)
  await calls.end(14)
  assert.equal(await mayBegin(limits, 'acct_a'), 'begun')
})

test('while all that wait do so for too long, at the engine or at each provider, nothing more is begun', async () => {
  let now = 0
  const limits = createLoadLimits(database, () => now)
  const calls = createCalls(limits)
  calls.wait('acct_a', 13, 'stripe')
  await sleep(0)
  now = 7_500
  assert.equal(await mayBegin(limits, 'acct_a'), 'begun', 'nothing says that the engine is available')
  await calls.end(1)
  assert.equal(await mayBegin(limits, 'acct_a'), 'SERVICE_UNAVAILABLE', 'it answers, and all are late')
  calls.wait('acct_a', 1, 'paystack')
  await sleep(0)
  assert.equal(await mayBegin(limits, 'acct_a'), 'begun', 'the other provider is in time')
  await calls.end(13)
  assert.equal(await mayBegin(limits, 'acct_a'), 'begun')
})

test('at most 64 calls wait for processes, and some places are kept for accounts with few calls', async () => {
  const limits = createLoadLimits(database, () => 0)
  const calls = createCalls(limits)
  calls.wait('acct_busy', 70)
  await sleep(0)
  assert.equal(calls.open.length, 64)
  assert.deepEqual(
    [...new Set(calls.refused.map(({ code, retryAfter }) => `${code} ${retryAfter}`))],
    ['SERVICE_UNAVAILABLE 2'],
  )
  calls.wait('acct_quiet', 20)
  await sleep(0)
  assert.equal(calls.open.filter(({ accountId }) => accountId === 'acct_quiet').length, 16)
  await calls.end(64)
  calls.wait('acct_busy')
  await sleep(0)
  assert.equal(calls.open.at(-1)?.accountId, 'acct_busy', 'a refused account gets a place again')
})

test('the more calls are answered, the more may wait', async () => {
  let now = 0
  const limits = createLoadLimits(database, () => now)
  const calls = createCalls(limits)
  for (let n = 0; n < 20; n++) {
    calls.wait('acct_1', 10)
    await sleep(0)
    now += 100
    await calls.end(10)
  }
  calls.wait('acct_1', 300)
  await sleep(0)
  assert.equal(calls.open.length, 200)
})

test('once calls wait for too long, new ones are refused', async () => {
  let now = 0
  const limits = createLoadLimits(database, () => now)
  const calls = createCalls(limits)
  calls.wait('acct_1', 10)
  now = 7_000
  calls.wait('acct_1')
  await sleep(0)
  assert.equal(calls.refused.length, 1)
  await calls.end(1)
  calls.wait('acct_1')
  await sleep(0)
  assert.equal(calls.refused.length, 1)
})

test('an account whose calls are refused begins nothing; while the engine is unavailable all is accepted', async () => {
  let now = 0
  const limits = createLoadLimits(database, () => now)
  const calls = createCalls(limits)
  calls.wait('acct_1', 64)
  await sleep(0)
  assert.equal(await mayBegin(limits, 'acct_1'), 'begun', 'nothing has been answered: the engine may be unavailable')
  await calls.end(1)
  calls.wait('acct_1')
  assert.equal(await mayBegin(limits, 'acct_1'), 'SERVICE_UNAVAILABLE')
  assert.equal(await mayBegin(limits, 'acct_2'), 'begun', 'another merchant has room')
  now += 3_001
  assert.equal(await mayBegin(limits, 'acct_1'), 'begun', 'the engine no longer answers')
  const unavailable = Object.assign(new Error('connection lost'), { code: 'ECONNREFUSED' })
  await calls.end(1, unavailable)
  calls.wait('acct_1')
  assert.equal(await mayBegin(limits, 'acct_1'), 'begun', 'a failure does not count as an answer')
})

/** An outbox row that was committed that many seconds ago. */
async function addRow(accountId: string, kind: 'sale' | 'delivery' | 'signal', secondsAgo: number) {
  await inTransaction(database, async (em) => {
    const whose = { ...about, accountId }
    if (kind === 'sale') startProcess(em, 'checkout', `chk_${accountId}`, whose)
    if (kind === 'delivery') startProcess(em, 'webhook-delivery', `dlv_${accountId}`, whose)
    if (kind === 'signal') signalProcess(em, 'payout', `pay_${accountId}`, whose, 'railAnswered')
  })
  await sql(`update outbox set created_at = now() - interval '${secondsAgo} seconds'
    where about ->> 'accountId' = '${accountId}'`)
}

/**
 * The accounts that a worker marks as overloaded when its engine has been answering for that long. What it notes is
 * valid for two seconds; here it is for an hour longer, however late a busy machine reads it.
 */
async function overloadedAfter(answersForMs: number) {
  const [begun] = (await sql(`select now()::text as at`)) as { at: string }[]
  const watch = watchOverload(database, { answersForMs: () => answersForMs }, logger)
  await watch.stop() // after its first look, which it begins at once
  await sql(`update overloaded_accounts set until = until + interval '1 hour'
    where until > '${begun?.at}'::timestamptz + interval '2 seconds'`)
  const { main, webhooks } = await readOverloaded(database.orm.em.fork())
  return { main: [...main.keys()].toSorted(), webhooks: [...webhooks.keys()].toSorted() }
}

/** Sets how late the deliveries of an account are: the noted time has grown while this machine was busy. */
const setBehind = (accountId: string, ms: number) =>
  sql(`update overloaded_accounts set behind_ms = ${ms} where account_id = '${accountId}'`)

/** Limits that have read which accounts are overloaded, and do not read it again. This one is refused by then. */
async function limitsThatKnow(refused: string) {
  const limits = createLoadLimits(database, () => 0)
  await until(async () => (await mayBegin(limits, refused)) === 'SERVICE_UNAVAILABLE', 'the accounts are read')
  return limits
}

test('an account is overloaded when its dispatches wait for long although the engine answers', async () => {
  await addRow('acct_sells', 'sale', 21)
  await addRow('acct_bursts', 'sale', 15)
  await addRow('acct_tells', 'delivery', 11)
  await addRow('acct_calls', 'delivery', 3)
  await addRow('acct_hears', 'signal', 60)
  await addRow('acct_failing', 'sale', 60)
  await addRow('acct_ahead', 'sale', 60)
  await sql(`update outbox set last_error = 'not now' where resource_id = 'chk_acct_failing'`)
  await sql(`update outbox set process = 'of-tomorrow' where resource_id = 'chk_acct_ahead'`)
  assert.deepEqual(await overloadedAfter(19_000), { main: [], webhooks: [] }, 'the engine has just come back')
  assert.deepEqual(await overloadedAfter(60_000), {
    main: ['acct_sells'],
    webhooks: ['acct_calls', 'acct_tells'],
  })

  await setBehind('acct_calls', 3_000)
  const limits = await limitsThatKnow('acct_sells')
  const accounts = ['acct_sells', 'acct_tells', 'acct_calls', 'acct_bursts']
  const sales = await Promise.all(accounts.map((id) => mayBegin(limits, id, 'sells')))
  assert.deepEqual(sales, ['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE', 'begun', 'begun'])
  const refunds = await Promise.all(accounts.map((id) => mayBegin(limits, id)))
  assert.deepEqual(refunds, ['SERVICE_UNAVAILABLE', 'begun', 'begun', 'begun'], 'late deliveries stop no refund')
  const paying = await limits.run('waits', 'acct_sells', async () => 'paid')
  assert.equal(paying, 'paid', 'what has begun continues')
  await sql('delete from outbox')
  await sql(`update overloaded_accounts set until = until - interval '1 hour'`)
  await sleep(2_100)
  assert.deepEqual(await overloadedAfter(60_000), { main: [], webhooks: [] })
})

/** A session whose start has waited in the outbox, and what has become of the session since. */
async function addSession(accountId: string, since: { status?: string; paymentId?: string } = {}): Promise<void> {
  await database.orm.em.fork().execute(
    `insert into checkouts (id, account_id, environment, status, payment_id, amount, currency, source_type,
       fee_preference, success_url, metadata, client_secret_hash, created_at, updated_at, expires_at)
     values (?, ?, 'sandbox', ?, ?, 10, 'USD', 'API', 'org_pays', 'https://example.com', '{}', '', now(), now(),
       now())`,
    [`chk_${accountId}`, accountId, since.status ?? 'open', since.paymentId ?? null],
  )
}

test('a session that is paid before a worker has started its process overloads nobody', async () => {
  await addSession('acct_paying', { paymentId: 'pay_1' })
  await addSession('acct_sold', { status: 'completed', paymentId: 'pay_2' })
  await addSession('acct_waits')
  await addSession('acct_again', { status: 'completed', paymentId: 'pay_3' })
  await addSession('acct_now', { paymentId: 'pay_4' })
  for (const id of ['acct_paying', 'acct_sold', 'acct_waits', 'acct_again']) await addRow(id, 'sale', 21)
  await addRow('acct_now', 'sale', -60) // never 2 s old, however long this machine takes
  await addRow('acct_calls', 'delivery', 21)
  await sql(`update outbox set anew = true where resource_id = 'chk_acct_again'`)
  assert.deepEqual((await overloadedAfter(60_000)).main, ['acct_again', 'acct_waits'])
  const left = await sql(`select resource_id as id from outbox order by id`)
  const expected = ['chk_acct_again', 'chk_acct_now', 'chk_acct_waits', 'dlv_acct_calls']
  assert.deepEqual((left as { id: string }[]).map(({ id }) => id).toSorted(), expected)
  await sql('delete from checkouts')
})

test('accounts are noted as overloaded also while starts that nobody needs cannot be dropped', async (t) => {
  await addRow('acct_sells', 'sale', 21)
  await sql('alter table checkouts rename to checkouts_away')
  t.after(() => sql('alter table checkouts_away rename to checkouts'))
  assert.deepEqual((await overloadedAfter(60_000)).main, ['acct_sells'])
})

test('late deliveries limit how many calls of an account run at once; the others wait in order', async () => {
  await addRow('acct_late', 'delivery', 3)
  await addRow('acct_sells', 'sale', 21)
  await overloadedAfter(60_000)
  await setBehind('acct_late', 3_000) // half as many as at 1.5 s
  const limits = await limitsThatKnow('acct_sells')
  const calls = createCalls(limits)
  calls.wait('acct_late', 20)
  calls.wait('acct_calm', 20)
  await sleep(0)
  const underWay = (accountId: string) => calls.open.filter((call) => call.accountId === accountId).length
  assert.deepEqual([underWay('acct_late'), underWay('acct_calm')], [6, 20])
  await calls.end(3, new Error('a call that fails frees its place too'))
  assert.equal(underWay('acct_late'), 6)
  for (let n = 0; n < 20; n++) await calls.end(3)
  assert.equal(underWay('acct_late'), 0, 'all calls have run')
  assert.equal(calls.refused.length, 0)
})

test('webhooks that use up their connections take none from payments, and the total has a limit', async () => {
  const pools = await openPools(database.url, 10)
  try {
    const slow = Array.from({ length: 100 }, () =>
      pools.webhooks.orm.em
        .fork()
        .execute('select pg_sleep(0.05)')
        .catch(() => undefined),
    )
    const startedAt = performance.now()
    await pools.main.orm.em.fork().execute('select 1')
    const tookMs = performance.now() - startedAt
    await Promise.all(slow)
    assert.ok(tookMs < 1_000, `a sale's step waited for ${tookMs} ms`)
    await Promise.all(Array.from({ length: 30 }, () => pools.main.orm.em.fork().execute('select pg_sleep(0.01)')))
    const [row] = await database.orm.em
      .fork()
      .execute(`select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`)
    assert.ok(Number(row?.['count']) <= 10 + 4, `${row?.['count']} connections`)
  } finally {
    await pools.close()
  }
})
