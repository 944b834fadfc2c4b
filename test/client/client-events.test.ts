import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fakeEvent, runClient, startFakeApi } from '../support/client.ts'

const deliveries = [
  {
    delivery_id: 'dlv_1',
    event_id: 'evt_000001',
    endpoint_id: 'we_1',
    status: 'pending',
    trigger: 'automatic',
    next_attempt_at: '2026-01-01T00:02:00.000Z',
    created_at: '2026-01-01T00:00:01.000Z',
    completed_at: null,
    attempts: [
      {
        number: 1,
        at: '2026-01-01T00:00:01.500Z',
        response_status: 500,
        error: 'bad_status',
        duration_ms: 12,
        response_body: 'oh \x1B[2Jno',
      },
    ],
  },
]

let api: Awaited<ReturnType<typeof startFakeApi>>
before(async () => {
  api = await startFakeApi(({ method, path }) => {
    const isShown = method === 'GET' && path === '/v1/webhooks/events/evt_000001'
    if (isShown) return { status: 200, body: { ...fakeEvent(1), deliveries } }
    const isResent = path.endsWith('/resend')
    return isResent ? { status: 200, body: { event_id: 'evt_000001', deliveries } } : undefined
  })
  api.add(1, 2, 3)
})
after(() => api.close())

const run = async (...args: string[]) => {
  api.calls.length = 0
  const ended = await runClient(api.baseUrl, args)
  return { ...ended, call: api.calls[0] }
}

test('events list shows the newest first, and sends its options to the API', async () => {
  const { code, stdout, call } = await run('events', 'list', '--limit', '2', '--type', 'collection.succeeded')
  assert.equal(code, 0)
  assert.deepEqual(stdout.split('\n'), [
    '2026-01-01 00:00:03  collection.succeeded  evt_000003  pay_3',
    '2026-01-01 00:00:02  collection.succeeded  evt_000002  pay_2',
    '',
  ])
  assert.deepEqual(Object.fromEntries(call?.query ?? []), { limit: '2', type: 'collection.succeeded' })
})

test('with --json the whole answer of the API is printed', async () => {
  const { stdout } = await run('events', 'list', '--json')
  const { items, pagination } = JSON.parse(stdout) as { items: unknown[]; pagination: object }
  assert.deepEqual(items, [fakeEvent(3), fakeEvent(2), fakeEvent(1)])
  assert.deepEqual(pagination, { next_cursor: null })
})

test('events show prints deliveries, attempts and data, without control characters from outside', async () => {
  const { code, stdout } = await run('events', 'show', 'evt_000001')
  assert.equal(code, 0)
  assert.match(stdout, /^collection\.succeeded {2}evt_000001\n2026-01-01 00:00:01, sequence 1, about pay_1\n/)
  assert.match(stdout, /^ {2}pending {2}dlv_1 to we_1 \(automatic\), next attempt 2026-01-01 00:02:00$/m)
  assert.match(stdout, /^ {4}1\. {2}2026-01-01 00:00:01 {2}500 bad_status {2}12 ms {2}oh {2}\[2Jno$/m)
  assert.match(stdout, /"payment_id": "pay_1"/)
})

test('events resend goes to every endpoint, or to the one named', async () => {
  const all = await run('events', 'resend', 'evt_000001')
  assert.equal(all.stdout, '✔ dlv_1 to we_1\n')
  assert.deepEqual([all.call?.path, all.call?.body], ['/v1/webhooks/events/evt_000001/resend', '{}'])
  const one = await run('events', 'resend', 'evt_000001', '--endpoint', 'we_1')
  assert.equal(one.call?.body, '{"endpoint_id":"we_1"}')
})

test('an id cannot become another path, and an unknown one ends with 1', async () => {
  const { code, stderr, call } = await run('events', 'show', '../endpoints')
  assert.equal(call?.path, '/v1/webhooks/events/..%2Fendpoints')
  assert.equal(code, 1)
  assert.equal(stderr, '✖ no such path (NOT_FOUND)\n')
})

test('FORCE_COLOR prints colours, and NO_COLOR none', async () => {
  const list = (env: NodeJS.ProcessEnv) => runClient(api.baseUrl, ['events', 'list'], env)
  assert.ok((await list({ FORCE_COLOR: '1' })).stdout.includes('\u001B['))
  assert.ok(!(await list({ NO_COLOR: '1' })).stdout.includes('\u001B['))
})
