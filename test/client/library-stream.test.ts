import assert from 'node:assert/strict'
import { afterEach, mock, test } from 'node:test'
import {
  createSteadypay,
  type StreamedEvent,
  type StreamOptions,
  SteadypayError,
  type SteadypayOptions,
} from '../../client/library/index.ts'
import { startFakeApi } from '../support/client.ts'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { addPlatform } from '../support/platform.ts'
import type { Merchant } from '../support/merchant.ts'
import { until } from '../support/until.ts'
import { atEnd, use } from '../support/use.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// `steadypay.events.stream()` against the real service, behind a proxy whose connections are cut.
const stack = await useStack({ workers: false })
const api = await useApi(stack)
const proxy = await use(
  () => startCuttingProxy(stack.baseUrl),
  ({ close }) => close(),
)

async function happen(merchant: Merchant, type = 'refund.paid'): Promise<string> {
  const { body, text } = await merchant.call('POST', '/v1/test-helpers/events/trigger', { type })
  assert.match(String(body['id']), /^evt_/, text)
  return String(body['id'])
}

const running = new Set<AbortController>()
afterEach(async () => {
  for (const stop of running) stop.abort()
  running.clear()
  await until(() => proxy.open() === 0, 'every connection is closed')
})

/** Follows events until the end of the test. `ended` is what the loop has thrown; null if it just ended. */
function follow(options: SteadypayOptions, streaming: StreamOptions = {}) {
  const stop = new AbortController()
  const events: StreamedEvent[] = []
  const told: string[] = []
  const waits: SteadypayError[] = []
  let isBegun = false
  const hooks: StreamOptions = {
    onBegun: () => void (isBegun = true),
    onWaiting: (error) => void (told.push('waiting'), waits.push(error)),
    onResumed: () => void told.push('resumed'),
  }
  const loop = async () => {
    const stream = createSteadypay(options).events.stream({ signal: stop.signal, ...hooks, ...streaming })
    for await (const event of stream) events.push(event)
  }
  const ended = loop().then(
    () => null,
    (error: unknown) => error,
  )
  running.add(stop)
  return {
    stop,
    ended,
    told,
    waits,
    events,
    ids: () => events.map(({ id }) => id),
    begun: () => until(() => isBegun, 'the stream has begun'),
    has: (count: number) => until(() => events.length >= count, `${count} events come`),
  }
}

const reasonOf = async ({ ended }: { ended: Promise<unknown> }): Promise<SteadypayError> => {
  const error = await ended
  assert.ok(error instanceof SteadypayError, String(error))
  return error
}

test('a stream that is cut twice in the middle of an event brings each event once, in order', async () => {
  const { key, merchant } = await api.addMerchant()
  const stream = follow({ baseUrl: proxy.url, apiKey: key })
  await stream.begun()
  const sent = [await happen(merchant)]
  await stream.has(1)
  proxy.cutNext(4_000, 4_000) // a few events, and a part of one
  proxy.cut()
  for (let count = 0; count < 20; count++) sent.push(await happen(merchant))
  await stream.has(sent.length)
  assert.deepEqual(stream.ids(), sent)
  const sequences = stream.events.map(({ sequence }) => sequence)
  assert.deepEqual(
    sequences,
    sequences.toSorted((one, other) => one - other),
  )
  assert.deepEqual(stream.told, ['waiting', 'resumed', 'waiting', 'resumed', 'waiting', 'resumed'])
  assert.ok(stream.waits.every(({ code }) => code === 'NO_ANSWER'))
  stream.stop.abort()
  assert.equal(await stream.ended, null)
})

test('an event that happens while the service is away comes when it is back', async () => {
  const { key, merchant } = await api.addMerchant()
  const stream = follow({ baseUrl: proxy.url, apiKey: key, retriesMax: 0 })
  await stream.begun()
  const sent = [await happen(merchant)]
  await stream.has(1)
  proxy.goDown()
  await until(() => stream.told.includes('waiting'), 'it waits')
  sent.push(await happen(merchant))
  await new Promise((resolve) => setTimeout(resolve, 2_500)) // further tries fail, and are not told again
  proxy.comeUp()
  await stream.has(2)
  sent.push(await happen(merchant))
  await stream.has(3)
  assert.deepEqual(stream.ids(), sent)
  assert.deepEqual(stream.told, ['waiting', 'resumed'])
})

test('after a restored database has lost the last event, a stream goes on with the first new one', async () => {
  const { key, merchant } = await api.addMerchant()
  const answered: number[] = []
  const noting = async (request: Request) => {
    const answer = await fetch(request)
    answered.push(answer.status)
    return answer
  }
  const stream = follow({ baseUrl: proxy.url, apiKey: key, fetch: noting })
  await stream.begun()
  const lost = await happen(merchant)
  await stream.has(1)
  await stack.sql('delete from events where id = ?', [lost])
  proxy.cut()
  await until(() => answered.includes(400), 'the service knows no such late event')
  const next = await happen(merchant)
  await stream.has(2)
  assert.deepEqual(
    [stream.ids(), stream.told],
    [
      [lost, next],
      ['waiting', 'resumed'],
    ],
  )
  const { sequence } = stream.events[1] ?? { sequence: 0 }
  const ahead = await reasonOf(follow({ baseUrl: stack.baseUrl, apiKey: key }, { after: sequence + 1 }))
  assert.deepEqual([ahead.status, ahead.errors[0]?.field], [400, 'after'])
})

test('an event has the fields of its type and its place, after which another stream goes on', async () => {
  const { key, merchant } = await api.addMerchant()
  const first = await happen(merchant, 'payout.paid')
  const options = { baseUrl: stack.baseUrl, apiKey: key }
  const all = follow(options, { after: 0, types: ['payout.paid', 'refund.paid'] })
  await all.has(1)
  const [event] = all.events
  assert.equal(event?.id, first)
  assert.equal(event.type === 'payout.paid' && event.data.payout_id, event.resource_id)
  await happen(merchant, 'customer.created')
  const later = await happen(merchant)
  await all.has(2)
  assert.deepEqual(all.ids(), [first, later])
  const rest = follow(options, { after: event.sequence })
  await rest.has(2)
  assert.deepEqual(
    rest.events.map(({ type }) => type),
    ['customer.created', 'refund.paid'],
  )
})

test('a platform follows one of its connected accounts; nobody else can', async () => {
  const { platform, seller } = await addPlatform(api)
  const stranger = await api.addMerchant()
  const stream = follow({ baseUrl: stack.baseUrl, apiKey: platform.key }, { accountId: seller.accountId })
  await stream.begun()
  await happen(platform.merchant)
  await happen(stranger.merchant)
  const own = await happen(seller.merchant)
  await stream.has(1)
  assert.deepEqual(stream.ids(), [own])
  assert.equal(stream.events[0]?.account_id, seller.accountId)
  const foreign = follow({ baseUrl: stack.baseUrl, apiKey: stranger.key }, { accountId: seller.accountId })
  assert.equal((await reasonOf(foreign)).code, 'NOT_FOUND')
})

test('aborted while it waits for an event, or for the service, the loop ends and nothing is thrown', async () => {
  const { key } = await api.addMerchant()
  const waiting = follow({ baseUrl: proxy.url, apiKey: key })
  await waiting.begun()
  const away = follow({ baseUrl: proxy.url, apiKey: key })
  await away.begun()
  waiting.stop.abort()
  assert.equal(await waiting.ended, null)
  await until(() => proxy.open() === 1, 'its connection is closed')
  proxy.goDown()
  await until(() => away.told.includes('waiting'), 'it waits')
  const startedAt = performance.now()
  away.stop.abort(new Error('the server stops'))
  assert.equal(await away.ended, null)
  assert.ok(performance.now() - startedAt < 300)
  proxy.comeUp()
  const opened = proxy.opened()
  const never = follow({ baseUrl: proxy.url, apiKey: key }, { signal: AbortSignal.abort() })
  assert.equal(await never.ended, null)
  assert.equal(proxy.opened(), opened)
})

test('an abort while the caller is at an event brings no further one, also if it has arrived already', async () => {
  const { key, merchant } = await api.addMerchant()
  for (let count = 0; count < 3; count++) await happen(merchant)
  const stop = new AbortController()
  const seen: string[] = []
  const streaming = { after: 0, signal: stop.signal }
  for await (const { id } of createSteadypay({ baseUrl: stack.baseUrl, apiKey: key }).events.stream(streaming)) {
    seen.push(id)
    stop.abort()
  }
  assert.equal(seen.length, 1)
})

test('leaving the loop closes the connection', async () => {
  const { key, merchant } = await api.addMerchant()
  await happen(merchant)
  for await (const _ of createSteadypay({ baseUrl: proxy.url, apiKey: key }).events.stream({ after: 0 })) {
    assert.equal(proxy.open(), 1)
    break
  }
  await until(() => proxy.open() === 0, 'the connection is closed', { withinMs: 1_000 })
})

test('a key that is revoked while it streams ends the loop with UNAUTHORIZED, and is not in the error', async () => {
  const { id, key } = await api.addMerchant()
  const stream = follow({ baseUrl: stack.baseUrl, apiKey: key })
  await stream.begun()
  await stack.sql('update api_keys set is_active = false where id = ?', [id])
  const error = await reasonOf(stream)
  assert.deepEqual([error.code, error.status, stream.told], ['UNAUTHORIZED', 401, []])
  assert.ok(!JSON.stringify([error, error.message, error.stack]).includes(key))
})

test('what no wait mends is thrown at once: a missing scope, an unknown type', async () => {
  const { key } = await api.addKey({ accountId: await api.addAccount(), scopes: ['payments:read'] })
  const forbidden = await reasonOf(follow({ baseUrl: stack.baseUrl, apiKey: key }))
  assert.deepEqual([forbidden.code, forbidden.status], ['FORBIDDEN', 403])
  const { key: able } = await api.addMerchant()
  const types = ['payout.payed'] as unknown as StreamOptions['types'] & {}
  const wrong = await reasonOf(follow({ baseUrl: stack.baseUrl, apiKey: able }, { types }))
  assert.deepEqual([wrong.code, wrong.errors[0]?.field], ['VALIDATION_ERROR', 'types'])
})

test('a stream that cannot begin is tried as often as a call; one that has begun, without end', async () => {
  const fake = await startFakeApi()
  atEnd(() => fake.close())
  const options = { baseUrl: `${fake.baseUrl}/`, apiKey: 'sk_sandbox_test' }
  const busy = { status: 503, body: { detail: 'no', error_code: 'SERVICE_UNAVAILABLE' } }
  fake.errors.push(busy, busy)
  const stream = follow({ ...options, retriesMax: 2 })
  await stream.begun()
  assert.deepEqual([fake.calls.length, stream.told], [3, ['waiting', 'resumed']])
  stream.stop.abort()
  const hasty = follow({ ...options, retriesMax: 0 })
  await hasty.begun()
  fake.errors.push(busy, { status: 429, headers: { 'retry-after': '1' }, body: busy.body })
  fake.cut()
  fake.add(1)
  await hasty.has(1)
  assert.deepEqual([fake.calls.length, hasty.told], [7, ['waiting', 'resumed']])
  fake.errors.push(busy, busy)
  const error = await reasonOf(follow({ ...options, retriesMax: 1 }))
  assert.deepEqual([error.code, fake.calls.length], ['SERVICE_UNAVAILABLE', 9])
  const away = await reasonOf(follow({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k', retriesMax: 0 }))
  assert.equal(away.code, 'NO_ANSWER')
})

test('an answer that is no stream, and one that leads to another address, are not followed', async () => {
  const fake = await startFakeApi()
  const other = await startFakeApi()
  atEnd(() => Promise.all([fake.close(), other.close()]))
  const options = { baseUrl: fake.baseUrl, apiKey: 'sk_sandbox_test' }
  fake.errors.push({ status: 302, headers: { location: `${other.baseUrl}/v1/events/stream` } })
  assert.deepEqual((await reasonOf(follow(options))).code, 'BAD_ANSWER')
  fake.errors.push({ status: 200, body: { items: [] } })
  assert.deepEqual((await reasonOf(follow(options))).code, 'BAD_ANSWER')
  assert.deepEqual([fake.calls.length, other.calls.length], [2, 0])
})

test('40 seconds of silence are a lost connection; a caller who takes longer for an event is not', async () => {
  const fake = await startFakeApi()
  atEnd(() => fake.close())
  mock.timers.enable({ apis: ['setTimeout'] })
  atEnd(() => mock.timers.reset())
  const turn = async (isThere: () => boolean) => {
    for (let turns = 0; turns < 20_000 && !isThere(); turns++) await new Promise((resolve) => setImmediate(resolve))
    assert.ok(isThere())
  }
  const waits: SteadypayError[] = []
  const seen: string[] = []
  let goOn = (): void => assert.fail('no event has come')
  const stop = new AbortController()
  const streaming = { signal: stop.signal, onWaiting: (error: SteadypayError) => void waits.push(error) }
  let isBegun = false
  const loop = async () => {
    const steadypay = createSteadypay({ baseUrl: fake.baseUrl, apiKey: 'sk_sandbox_test' })
    for await (const { id } of steadypay.events.stream({ ...streaming, onBegun: () => void (isBegun = true) })) {
      seen.push(id)
      await new Promise<void>((resolve) => (goOn = resolve))
    }
  }
  const ended = loop()
  await turn(() => isBegun)
  fake.add(1)
  await turn(() => seen.length === 1)
  mock.timers.tick(100_000) // the caller is busy
  goOn()
  fake.add(2)
  await turn(() => seen.length === 2)
  goOn()
  assert.deepEqual([waits.length, fake.calls.length], [0, 1])
  await new Promise((resolve) => setImmediate(resolve))
  mock.timers.tick(39_000)
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(waits.length, 0)
  mock.timers.tick(1_000)
  await turn(() => waits.length === 1)
  assert.match(String(waits[0]?.cause), /nothing came for 40 seconds/)
  stop.abort()
  await ended
})
