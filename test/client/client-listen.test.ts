import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, afterEach, before, test } from 'node:test'
import { fakeEvent, runClient, startClient, startFakeApi, testKey } from '../support/client.ts'
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

// The API is a stand-in here, which can fail, send bursts and cut its streams.
type FakeApi = Awaited<ReturnType<typeof startFakeApi>>
let api: FakeApi
let receiver: Receiver
before(async () => {
  api = await startFakeApi()
  receiver = await startReceiver()
})
afterEach(() => {
  for (const list of [api.events, api.calls, api.errors, receiver.received]) list.length = 0
  receiver.answers([])
})
after(async () => {
  await api.close()
  await receiver.close()
})

const secret = 'whsec_dGVzdC1zZWNyZXQ='

async function listening(...args: string[]) {
  const client = startClient(api.baseUrl, ['listen', '--forward-to', receiver.url, '--json', ...args])
  await client.says('"kind":"listening"')
  return client
}
const ids = () => receiver.received.map(({ event }) => event.id)
const arrived = (count: number) => until(() => receiver.received.length >= count, `${count} events arrive`)
const isSigned = ({ headers, body }: Received, key: string) =>
  headers['x-service-signature'] ===
  createHmac('sha256', key).update(`${headers['x-service-timestamp']}.${body}`).digest('hex')

test('a new event arrives with the bytes and the signature of a delivery; an earlier one does not arrive', async () => {
  api.add(1, 2)
  const client = await listening('--secret', secret)
  api.add(3)
  await arrived(1)
  const { code, stdout, stderr } = await client.end('SIGINT')

  const [webhook] = receiver.received
  assert.ok(webhook)
  const { id, type, created_at, data } = fakeEvent(3)
  assert.equal(webhook.body, JSON.stringify({ id, type, created_at, data }))
  assert.ok(isSigned(webhook, secret))
  assert.equal(webhook.headers['x-service-sequence'], '3')
  assert.deepEqual(ids(), ['evt_000003'])
  assert.equal(code, 0)
  assert.equal(stderr, '')
  assert.ok(!stdout.includes(secret), 'a secret of the user is not repeated')
  const [, line, last] = client.lines()
  assert.deepEqual(
    { ...line, at: '', duration_ms: 0 },
    {
      kind: 'forwarded',
      at: '',
      event_id: id,
      type,
      sequence: 3,
      status: 200,
      duration_ms: 0,
      error: null,
    },
  )
  assert.deepEqual(last, { kind: 'ended', forwarded: 1, failed: 0 })
})

test('without a secret, one is created, shown and used to sign', async () => {
  const client = await listening()
  api.add(1)
  await arrived(1)
  await client.end('SIGTERM')
  const made = String(client.lines()[0]?.['secret'])
  assert.match(made, /^whsec_[\w+/]{32}$/)
  assert.ok(receiver.received.every((webhook) => isSigned(webhook, made)))
})

test('each event of a burst arrives once, in order of sequence, and no older one', async () => {
  const old = Array.from({ length: 150 }, (_, index) => index + 1)
  api.add(...old)
  const client = await listening()
  const burst = Array.from({ length: 250 }, (_, index) => 151 + index)
  api.add(...burst)
  await arrived(burst.length)
  api.add(401)
  await arrived(burst.length + 1)
  await client.end('SIGINT')
  assert.deepEqual(
    ids(),
    [...burst, 401].map((sequence) => fakeEvent(sequence).id),
  )
})

test('a connection that is cut again and again loses no event and brings none twice', async () => {
  api.add(1)
  const client = await listening()
  for (const sequence of [2, 3, 4]) {
    api.add(sequence)
    await arrived(sequence - 1)
    if (sequence < 4) api.cut()
  }
  api.endStreams()
  api.add(5)
  await arrived(4)
  await client.end('SIGINT')
  assert.deepEqual(
    ids(),
    [2, 3, 4, 5].map((sequence) => fakeEvent(sequence).id),
  )
  const kinds = client.lines().map(({ kind }) => kind)
  assert.equal(kinds.filter((kind) => kind === 'waiting').length, 2)
  assert.equal(kinds.filter((kind) => kind === 'resumed').length, 2)
  const [, ...again] = api.calls.map(({ headers }) => headers['last-event-id'])
  assert.deepEqual(again, ['2', '3', '4'])
})

test('an idle listener makes one call, not one every few seconds', async () => {
  const client = await listening()
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  await client.end('SIGINT')
  assert.equal(api.calls.length, 1)
})

test('listen waits as long as Retry-After says, reports it once, and loses no event', async () => {
  const client = await listening()
  const busy = {
    status: 429,
    headers: { 'retry-after': '2' },
    body: { detail: 'too many', error_code: 'TOO_MANY_REQUESTS' },
  }
  api.errors.push(busy, { status: 503, body: { detail: 'unavailable', error_code: 'SERVICE_UNAVAILABLE' } })
  api.cut()
  await until(() => api.errors.length < 2, 'the 429 is answered')
  const limitedAt = api.calls.at(-1)?.at ?? 0
  api.add(1, 2)
  await arrived(2)
  await client.end('SIGINT')
  const nextAt = api.calls.find(({ at }) => at > limitedAt)?.at ?? 0
  assert.ok(nextAt - limitedAt > 1_950, `it asked again after ${nextAt - limitedAt} ms`)
  assert.deepEqual(
    client.lines().map(({ kind }) => kind),
    ['listening', 'waiting', 'resumed', 'forwarded', 'forwarded', 'ended'],
  )
})

test('listen waits for the first new event where a restored database has lost its last one', async () => {
  const client = await listening()
  const beyond = [{ field: 'Last-Event-ID', message: 'is beyond the last event', type: 'value_error.range' }]
  const body = { detail: 'Last-Event-ID: is beyond the last event', error_code: 'VALIDATION_ERROR', errors: beyond }
  api.errors.push({ status: 400, body })
  api.cut()
  await until(() => api.errors.length === 0, 'it is refused')
  api.add(1)
  await arrived(1)
  await client.end('SIGINT')
  assert.deepEqual(
    client.lines().map(({ kind }) => kind),
    ['listening', 'waiting', 'resumed', 'forwarded', 'ended'],
  )
})

test('an event that the local address does not accept is reported, and not sent again', async () => {
  receiver.answers([500])
  const client = await listening()
  api.add(1, 2)
  await arrived(2)
  await receiver.close()
  api.add(3)
  await client.says('connection refused')
  const { code } = await client.end('SIGINT')
  receiver = await startReceiver()

  assert.equal(code, 0)
  const reported = client.lines().slice(1, 4)
  assert.deepEqual(
    reported.map(({ status, error }) => [status, error]),
    [
      [500, 'bad status'],
      [200, null],
      [null, 'connection refused'],
    ],
  )
  assert.deepEqual(client.lines().at(-1), { kind: 'ended', forwarded: 1, failed: 2 })
})

test('--events forwards only the named types, and the address needs no scheme', async () => {
  const address = receiver.url.replace('http://', '')
  const away = { TZ: 'Asia/Kolkata' } // whose minutes are not those of UTC
  const client = startClient(api.baseUrl, ['listen', '--forward-to', address, '--events', 'customer.created'], away)
  await client.says('Ctrl-C')
  api.add(1)
  api.events.push(fakeEvent(2, 'customer.created'))
  await arrived(1)
  const { stdout } = await client.end('SIGINT')
  assert.deepEqual(receiver.types(), ['customer.created'])
  assert.match(stdout, /^\d\d:\d\d:\d\d {2}customer\.created {2}evt_000002 {2}200 {2}\d+ ms$/m)
  const [, minutes] = /^\d\d:(\d\d):\d\d {2}customer/m.exec(stdout) ?? []
  const ago = (new Date().getUTCMinutes() - Number(minutes) + 60) % 60
  assert.ok(ago <= 5, `the time is that of UTC: ${stdout}`)
  assert.match(stdout, /1 forwarded, 0 failed\./)
  assert.ok(!stdout.includes('\u001B'), 'no colours without a terminal')
})

test('a refused key ends listen with 1, and is not shown', async () => {
  api.errors.push({ status: 401, body: { detail: 'unknown key', error_code: 'UNAUTHORIZED' } })
  const { code, stdout, stderr } = await runClient(api.baseUrl, ['listen', '--forward-to', receiver.url])
  assert.equal(code, 1)
  assert.match(stderr, /The API key of STEADYPAY_API_KEY was refused: unknown key/)
  assert.ok(!(stdout + stderr).includes(testKey))
})
