import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Api, Call } from '../../client/api.ts'
import { followLogs, type LoggedCall } from '../../client/log-feed.ts'
import { newId } from '../../domain/id.ts'
import { runClient, startClient, startFakeApi } from '../support/client.ts'
import type { Merchant } from '../support/merchant.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// What `npx steadypay logs` prints of the real service, and how it asks a service that fails.
const stack = await useStack({ workers: false })
const api = await useApi(stack)
const env = ({ apiKey }: Merchant) => ({ STEADYPAY_API_KEY: apiKey })
const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id') ?? ''
const isLogged = (id: string) =>
  until(async () => (await stack.sql('select from request_logs where request_id = ?', [id])).length > 0, 'it is logged')

async function refuse(merchant: Merchant): Promise<string> {
  const id = idOf(await merchant.call('POST', '/v1/customers', { email: 'nobody' }))
  await isLogged(id)
  return id
}

test('logs list shows the newest calls, and filters them', async () => {
  const { merchant } = await api.addMerchant()
  const refused = await refuse(merchant)
  await isLogged(idOf(await merchant.call('GET', '/v1/products')))
  const list = (...more: string[]) => runClient(stack.baseUrl, ['logs', 'list', ...more], env(merchant))
  const { stdout } = await list()
  const [heading, ...rows] = stdout.trimEnd().split('\n')
  assert.match(String(heading), /^time \(UTC\) +status +method +path +error +ms +by +request id$/)
  assert.match(String(rows[0]), / 200 +GET +\/v1\/products /)
  assert.match(String(rows[1]), / 400 +POST +\/v1\/customers +VALIDATION_ERROR +\d+ +…\w{4} +/)
  assert.ok(rows[1]?.endsWith(refused))
  const found = JSON.parse((await list('--status', '4xx', '--path', '/v1/cust', '--json')).stdout) as {
    items: { request_id: string }[]
  }
  assert.deepEqual(
    found.items.map((call) => call.request_id),
    [refused],
  )
  assert.equal((await list('--path', '/v1/payouts')).stdout, 'No calls.\n')
  for (const wrong of [
    ['--status', '600'],
    ['--path', 'v1'],
    ['--limit', '0'],
  ])
    assert.equal((await list(...wrong)).code, 2, wrong.join(' '))
})

test('logs tail shows what was there, then each new call once, also one that appears late', async (t) => {
  const { merchant, accountId } = await api.addMerchant()
  const old = await refuse(merchant)
  const client = startClient(stack.baseUrl, ['logs', 'tail', '--json', '--status', '4xx'], env(merchant))
  t.after(() => client.end('SIGKILL'))
  await client.says(old)
  await merchant.call('GET', '/v1/products')
  const fresh = await refuse(merchant)
  await client.says(fresh)
  // A call that has arrived before and was written late.
  await stack.sql(
    `insert into request_logs (id, account_id, environment, request_id, method, route, path, status, error_fields,
       source, is_replay, duration_ms, created_at)
     values (?, ?, 'sandbox', 'late-one', 'GET', '/v1/payments', '/v1/payments', 409, '{}', 'api', false, 20000,
       now() - interval '25 seconds')`,
    [newId('req', Date.now() - 25_000), accountId],
  )
  await client.says('late-one')
  const { code, stderr } = await client.end('SIGINT')
  assert.deepEqual([code, stderr], [0, ''])
  assert.deepEqual(
    client.lines().map((line) => line['request_id']),
    [old, fresh, 'late-one'],
  )
})

const { signal } = new AbortController()
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
const logged = (second: number, id: string) => ({ request_log_id: id, created_at: at(second) }) as LoggedCall
const many = (count: number, second: number) =>
  Array.from({ length: count }, (_, index) => logged(second, `at-${second}-${index}`))

/** Follows a log of calls that a test writes. `asked` says what was asked of it, and `refuses` is asked first. */
async function followed(all: LoggedCall[], refuses = (_asked: number) => false) {
  const log = { asked: 0 }
  const list = async ({ query = {} }: Call) => {
    if (refuses(++log.asked)) throw new Error('too many calls')
    const after = String(query['created_after'] ?? '')
    const newest = all
      .filter((each) => each.created_at > after)
      .toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))
    const from = Number(query['cursor'] ?? 0)
    const next = from + 100 < newest.length ? String(from + 100) : null
    return { items: newest.slice(from, from + 100), pagination: { next_cursor: next, has_more: next !== null } }
  }
  const feed = followLogs({ call: list as Api['call'] }, {})
  await feed.start(1, signal)
  const idsOfNext = async () => (await feed.next(signal)).map(({ request_log_id }) => request_log_id)
  return { log, idsOfNext }
}

test('a call that appears late is found also where pages of known calls are above it, by few calls', async () => {
  const all = [logged(0, 'first')]
  const { log, idsOfNext } = await followed(all)
  all.push(...many(250, 20))
  assert.equal((await idsOfNext()).length, 250)
  all.push(logged(10, 'late'))
  log.asked = 0
  const found = []
  for (let reads = 0; reads < 16; reads++) found.push(...(await idsOfNext()))
  assert.deepEqual(found, ['late'])
  assert.equal(log.asked, 15 + 3)
})

test('a call that appears a minute late is found wherever it comes among the reads of all calls', async () => {
  for (const readsBefore of [0, 1, 15, 16, 17]) {
    const all = [logged(0, 'first')]
    const { idsOfNext } = await followed(all)
    const found: string[] = []
    for (let reads = 0; reads < readsBefore + 32; reads++) {
      const second = 60 + reads * 4
      if (reads === readsBefore) all.push(logged(second - 60, 'late'))
      all.push(...many(150, second))
      found.push(...(await idsOfNext()))
    }
    assert.equal(found.filter((id) => id === 'late').length, 1, `after ${readsBefore} reads`)
    assert.equal(new Set(found).size, all.length - 1)
    assert.equal(found.length, all.length - 1, 'each is there once')
  }
})

test('a read of all calls that is refused goes on where it was, however often', async () => {
  const all = [logged(0, 'first')]
  let refused = new Set<number>()
  const { log, idsOfNext } = await followed(all, (asked) => refused.has(asked))
  all.push(...many(250, 20))
  await idsOfNext()
  all.push(logged(10, 'late'))
  for (let reads = 0; reads < 14; reads++) assert.deepEqual(await idsOfNext(), [])
  log.asked = 0
  refused = new Set([1, 3, 5])
  for (const _ of refused) await assert.rejects(idsOfNext(), /too many calls/)
  assert.deepEqual(await idsOfNext(), ['late'])
  assert.equal(log.asked, 3 + 3, 'no page is read twice')
})

test('logs tail waits as long as a busy service says, tells it once, and asks every four seconds', async (t) => {
  const call = { request_log_id: 'req_1', created_at: '2026-01-01T00:00:00.000Z', status: 404, error_code: 'NOT_FOUND' }
  const more = { error_fields: [], method: 'GET', path: '/v1/\u001B[2Jx', request_id: 'one', duration_ms: 3 }
  const page = { items: [{ ...call, ...more }], pagination: { next_cursor: null, has_more: false } }
  const fake = await startFakeApi(() => ({ status: 200, body: page }))
  const client = startClient(fake.baseUrl, ['logs', 'tail'])
  t.after(() => client.end('SIGKILL'))
  await client.says('Waiting for calls.')
  const refusal = { detail: 'too many', error_code: 'TOO_MANY_REQUESTS' }
  fake.errors.push({ status: 429, headers: { 'retry-after': '1' }, body: refusal })
  await client.says('Still following.')
  await until(() => fake.calls.length >= 3, 'it asks again')
  await client.end('SIGINT')
  await fake.close()
  const [first, second, third] = fake.calls
  assert.ok((second?.at ?? 0) - (first?.at ?? 0) >= 3_900)
  assert.ok((third?.at ?? 0) - (second?.at ?? 0) >= 1_000)
  assert.equal(second?.query.get('created_after'), '2025-12-31T23:59:00.000Z')
  assert.equal(client.printed().split('one').length, 2, 'a known call is printed once')
  assert.ok(!client.printed().includes('\u001B[2J'))
})
