import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Client, type Pool } from 'pg'
import { EventFeed } from '../../api/webhook/event-feed.ts'
import { inTransaction } from '../../db/core/database.ts'
import { timeLimits } from '../../db/core/time-limits.ts'
import { openDatabase } from '../../db/open-database.ts'
import { newId } from '../../domain/id.ts'
import { isUnavailable } from '../../engine/unavailable.ts'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import { openStream, type Stream, streamPath } from '../support/event-stream.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ workers: false })
const api = await useApi(stack)
type Key = Awaited<ReturnType<typeof api.addMerchant>>
let shop: Key
const streams: Stream[] = []
beforeEach(async () => void (shop = await api.addMerchant()))
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})

async function follow(opening: Partial<Parameters<typeof openStream>[1]> = {}, isPaused = false, at = stack.baseUrl) {
  const stream = await openStream(at, { key: shop.key, ...opening }, isPaused)
  streams.push(stream)
  assert.equal(stream.status, 200)
  if (!isPaused) await until(() => stream.frames.length > 0, 'the stream has begun')
  return stream
}

const insert = `insert into events (id, account_id, environment, type, resource_id, body, created_at)
  select id, $2, $3, $4::text, 'ref_1', json_build_object('id', id, 'type', $4::text, 'created_at', now(),
    'data', json_build_object('text', $5::text)), now() from unnest($1::text[]) id returning sequence`

type Happening = { count?: number; accountId?: string; environment?: string; type?: string; text?: string }

/** Records events as a transaction of the service does, in the middle of it if one is given. */
async function happen({ count = 1, text = 'x', type = 'refund.paid', ...owner }: Happening = {}, on?: Client) {
  const { accountId = shop.accountId, environment = 'sandbox' } = owner
  const ids = Array.from({ length: count }, () => newId('evt', Date.now()))
  const client = on ?? (await connected())
  const { rows } = await client.query<{ sequence: string }>(insert, [ids, accountId, environment, type, text])
  if (!on) await client.end()
  return rows.map(({ sequence }) => Number(sequence))
}

async function connected(): Promise<Client> {
  const client = new Client({ connectionString: stack.databaseUrl })
  await client.connect()
  return client
}

async function begun(): Promise<Client> {
  const client = await connected()
  await client.query('begin')
  return client
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const quiet = (ms = 700) => new Promise((resolve) => setTimeout(resolve, ms))

test('an event arrives as the list gives it, with its sequence and type; an earlier one does not arrive', async () => {
  await happen()
  const stream = await follow()
  assert.match(String(stream.headers['content-type']), /^text\/event-stream/)
  assert.equal(stream.headers['cache-control'], 'no-store')
  const [sequence] = await happen({ text: 'two\nlines — Adé' })
  await stream.has(1)
  const [event] = stream.events()
  const { items } = pageOf(await shop.merchant.call('GET', '/v1/webhooks/events?limit=1'))
  assert.deepEqual(JSON.parse(event?.data ?? ''), items[0])
  assert.deepEqual([event?.id, event?.event], [String(sequence), 'refund.paid'])
  await quiet()
  assert.equal(stream.events().length, 1)
})

test('a caller who comes back gets each event once, also if the address names an older place', async () => {
  const stream = await follow()
  const begin = stream.lastId()
  const first = await happen({ count: 3 })
  await stream.has(3)
  stream.close()
  const meanwhile = await happen({ count: 250 })
  const headers = { 'last-event-id': stream.lastId() }
  const again = await follow({ headers, query: { after: begin } })
  const later = await happen({ count: 2 })
  await again.has(252)
  await quiet()
  assert.deepEqual(again.sequences(), [...meanwhile, ...later])
  const all = await follow({ query: { after: begin, max_seconds: 0 } })
  await all.ended()
  assert.deepEqual(all.sequences(), [...first, ...meanwhile, ...later])
})

test('an event whose transaction commits late comes before the later one that was committed first', async () => {
  const stream = await follow()
  const [slow, quick] = [await begun(), await begun()]
  const [low] = await happen({}, slow)
  const [high] = await happen({}, quick)
  assert.ok(Number(low) < Number(high))
  await quick.query('commit')
  await quiet()
  assert.deepEqual(stream.sequences(), [], 'the later one waits')
  await slow.query('commit')
  await stream.has(2)
  assert.deepEqual(stream.sequences(), [low, high])
  await Promise.all([slow.end(), quick.end()])
})

test('a transaction that is undone holds back what others have done only as long as it runs', async () => {
  const other = await api.addMerchant()
  const stream = await follow()
  const undone = await begun()
  await happen({ accountId: other.accountId }, undone)
  const [mine] = await happen()
  await quiet()
  assert.deepEqual(stream.sequences(), [])
  await undone.query('rollback')
  await stream.has(1)
  assert.deepEqual(stream.sequences(), [mine])
  await undone.end()
})

const idle = { ...timeLimits, idleMs: 1_000 }
const whole = { ...timeLimits, transactionMs: 1_000 }
for (const [what, limits, rest] of [
  ['that idles', idle, quiet],
  ['that goes on and on', whole, () => Promise.resolve()],
] as const) {
  test(`a transaction ${what} is ended: its event never comes, and streams go on`, async () => {
    const ours = await openDatabase(stack.databaseUrl, 1, limits)
    const stream = await follow()
    const held = Promise.withResolvers<void>()
    let steps = 0
    const holding = inTransaction(ours, async (em) => {
      await em.execute(
        `insert into events (id, account_id, environment, type, resource_id, body, created_at)
         values (?, ?, 'sandbox', 'refund.paid', 'ref_1', '{}', now())`,
        [newId('evt', Date.now()), shop.accountId],
      )
      held.resolve()
      await rest(1_500)
      for (; steps < 1_000; steps++) await em.execute('select pg_sleep(0.02)')
    })
    const ended = assert.rejects(holding, (error) => isUnavailable(error))
    await held.promise
    const [mine] = await happen()
    await quiet(300)
    assert.deepEqual(stream.sequences(), [], 'the stream waits for the transaction')
    await ended
    await stream.has(1)
    assert.deepEqual(stream.sequences(), [mine])
    assert.ok(steps < 1_000)
    assert.equal((await ours.orm.em.fork().execute('select 1')).length, 1, 'the pool goes on with a new connection')
    await ours.orm.close()
  })
}

test('a stream that is opened while transactions run begins once they have ended, and misses nothing', async () => {
  const [slow, quick] = [await begun(), await begun()]
  const [low] = await happen({}, slow)
  const [high] = await happen({}, quick)
  await quick.query('commit')
  const opening = follow()
  await quiet()
  await slow.query('commit')
  const stream = await opening
  const begin = Number(stream.lastId())
  const next = await happen()
  await stream.has(1)
  // Nothing that was committed once the stream had begun is missing, and nothing comes that was committed before.
  assert.ok(begin >= Number(high) && begin >= Number(low))
  assert.deepEqual(stream.sequences(), next)
  await Promise.all([slow.end(), quick.end()])
})

test('of many writers at once, some slow and some undone, every committed event comes once and in order', async () => {
  const stream = await follow()
  const committed: number[] = []
  await Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      const client = await connected()
      for (let turn = 0; turn < 12; turn++) {
        await client.query('begin')
        const made = await happen({ count: 1 + ((turn + writer) % 3) }, client)
        await client.query('select pg_sleep($1)', [((turn * 7 + writer * 13) % 10) / 100])
        const isUndone = (turn + writer) % 5 === 0
        await client.query(isUndone ? 'rollback' : 'commit')
        if (!isUndone) committed.push(...made)
      }
      await client.end()
    }),
  )
  await stream.has(committed.length)
  await quiet()
  assert.deepEqual(
    stream.sequences(),
    committed.toSorted((one, other) => one - other),
  )
})

test('two streams of an account get the same events, each of its types, by one reader for all', async (t) => {
  const [one, two] = [await follow(), await follow({ query: { types: 'payout.paid,refund.failed' } })]
  const pool = await stack.services.database.orm.em.getConnection().getNativeClient()
  const queried = t.mock.method(pool as Pool, 'query').mock
  const startedAt = performance.now()
  await quiet(2_000)
  const seconds = (performance.now() - startedAt) / 1_000
  const texts = queried.calls.map(({ arguments: [query] }) => (query as unknown as { text: string }).text)
  const reads = texts.filter((text) => /from events/.test(text)).length
  assert.ok(reads >= 1 && reads <= 5 * seconds, `${reads} reads of the events in ${seconds} seconds`)
  const made = await happen({ count: 3 })
  const [failed] = await happen({ type: 'refund.failed' })
  await Promise.all([one.has(4), two.has(1)])
  assert.deepEqual(one.sequences(), [...made, failed])
  assert.deepEqual(two.sequences(), [failed])
})

test('no event of another account or environment comes, and a platform follows its connected account', async () => {
  const other = await api.addMerchant()
  const connectedId = await api.addConnected(shop.accountId)
  const [mine, theirs] = [await follow(), await follow({ headers: { 'x-account-id': connectedId } })]
  await happen({ accountId: other.accountId })
  await happen({ environment: 'live' })
  const [own] = await happen()
  const [connectedOne] = await happen({ accountId: connectedId })
  await Promise.all([mine.has(1), theirs.has(1)])
  await quiet()
  assert.deepEqual([mine.sequences(), theirs.sequences()], [[own], [connectedOne]])
  const foreign = { 'x-account-id': other.accountId }
  assertError(await shop.merchant.call('GET', streamPath, undefined, foreign), 404, 'NOT_FOUND')
  const past = await follow({ query: { after: 0, max_seconds: 0 } })
  await past.ended()
  assert.deepEqual(past.sequences(), [own])
})

test('a place or a type that does not exist is refused', async () => {
  const call = (query: string, headers = {}) => shop.merchant.call('GET', `${streamPath}?${query}`, undefined, headers)
  assertFieldErrors(await call('types=refund.paid,refund.nothing'), { types: 'value_error.enum' })
  assertFieldErrors(await call('after=999999999'), { after: 'value_error.range' })
  assertFieldErrors(await call('after=-1'), { after: 'value_error.range' })
  assertFieldErrors(await call('max_seconds=901'), { max_seconds: 'value_error.range' })
  for (const id of ['evt_1', '-1', '1.5', '9'.repeat(16)]) {
    assertFieldErrors(await call('', { 'last-event-id': id }), { 'Last-Event-ID': 'value_error.format' })
  }
  const beyond = { 'last-event-id': '999999999' }
  assertFieldErrors(await call('after=0', beyond), { 'Last-Event-ID': 'value_error.range' })
})

for (const [how, change] of [
  ['is revoked', 'is_active = false'],
  ['has expired', "expires_at = now() - interval '1 second'"],
  ['loses the scope', "scopes = array['payments:read']"],
] as const) {
  test(`a stream ends within seconds once its key ${how}, and says so`, async () => {
    const stream = await follow()
    await stack.sql(`update api_keys set ${change} where id = ?`, [shop.id])
    const startedAt = performance.now()
    await stream.ended()
    assert.ok(performance.now() - startedAt < 6_000)
    assert.match(stream.comments().at(-1) ?? '', /credential/)
    await happen()
    assert.deepEqual(stream.events(), [])
  })
}

test('a platform that is parted from an account gets no more of its events', async () => {
  const connectedId = await api.addConnected(shop.accountId)
  const stream = await follow({ headers: { 'x-account-id': connectedId } })
  await stack.sql('update accounts set owner_id = null where id = ?', [connectedId])
  await stream.ended(6_000)
})

test('a stream ends after the time that the call names, with a hint to come back', async () => {
  const stream = await follow({ query: { max_seconds: 1 } })
  const ms = await stream.ended()
  assert.ok(ms > 900 && ms < 3_000, `${ms}`)
  assert.match(stream.comments().at(-1) ?? '', /come back/)
})

test('a stream without events stays open, and says every 15 seconds how far it is', { timeout: 60_000 }, async () => {
  const other = await api.addMerchant()
  const stream = await follow()
  const elsewhere = await happen({ accountId: other.accountId })
  await quiet(31_000)
  assert.ok(stream.isOpen())
  assert.deepEqual(stream.comments(), ['nothing new', 'nothing new'])
  assert.ok(Number(stream.lastId()) >= Number(elsewhere[0]))
  const made = await happen()
  await stream.has(1)
  assert.deepEqual(stream.sequences(), made)
})

test('a caller who does not read makes no memory grow, and gets everything when they read on', async () => {
  const stream = await follow({}, true)
  const text = 'x'.repeat(20_000)
  const made: number[] = []
  const heldMb = () => {
    collectGarbage()
    const { heapUsed, external, arrayBuffers } = process.memoryUsage()
    return (heapUsed + external + arrayBuffers) / 1e6
  }
  made.push(...(await happen({ count: 200, text })))
  await quiet(1_000)
  const before = heldMb()
  for (let turn = 0; turn < 20; turn++) made.push(...(await happen({ count: 200, text })))
  await quiet(1_000)
  const grown = heldMb() - before
  // 80 MB have happened. What is held is a page of 100 events, and what the connection takes.
  assert.ok(grown < 40, `${grown} MB more`)
  stream.resume()
  await stream.has(made.length)
  assert.deepEqual(stream.sequences(), made)
})

test('an account has 10 streams at a time: another one is refused, until one has ended', async () => {
  const open = await Promise.all(Array.from({ length: 10 }, () => follow()))
  const refused = await shop.merchant.call('GET', streamPath)
  assertError(refused, 429, 'TOO_MANY_REQUESTS')
  assert.equal(refused.headers.get('retry-after'), '10')
  open[0]?.close()
  await until(async () => (await shop.merchant.call('GET', streamPath)).status === 200, 'there is room again')
})

test('a process has room for a number of streams, whoever opens them', async () => {
  const eventFeed = new EventFeed(stack.services, { perAccount: 2, perProcess: 2 })
  const at = await api.addProcess({ eventFeed })
  const [other, third] = [await api.addMerchant(), await api.addMerchant()]
  const first = await follow({}, false, at)
  await follow({ key: other.key }, false, at)
  const refused = await openStream(at, { key: third.key })
  assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '10'])
  first.close()
  await until(async () => {
    const stream = await openStream(at, { key: third.key, query: { max_seconds: 0 } })
    return stream.status === 200
  }, 'there is room again')
})

test('a process that ends lets its streams go at once, also those whose caller does not read', async () => {
  const eventFeed = new EventFeed(stack.services)
  const at = await api.addProcess({ eventFeed })
  const reading = await follow({}, false, at)
  const stuck = await follow({}, true, at)
  await happen({ count: 400, text: 'x'.repeat(20_000) })
  await quiet()
  const startedAt = performance.now()
  await eventFeed.close()
  await reading.ended()
  assert.ok(performance.now() - startedAt < 3_000)
  assert.match(reading.comments().at(-1) ?? '', /about to end/)
  stuck.resume()
  await stuck.ended(3_000)
  const refused = await openStream(at, { key: shop.key })
  assert.equal(refused.status, 503)
})

test('HEAD opens no stream', async () => {
  for (let turn = 0; turn < 12; turn++) assert.equal((await shop.merchant.call('HEAD', streamPath)).status, 200)
})
