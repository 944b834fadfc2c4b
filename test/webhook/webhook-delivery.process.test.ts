import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { beforeEach, test, type TestContext } from 'node:test'
import { verifyWebhook } from '../../client/verify-webhook.js'
import { detailsOf } from '../support/details.ts'
import { docBlocks } from '../support/doc-blocks.ts'
import { settled } from '../support/settled.ts'
import { type Stack } from '../support/stack.ts'
import { until } from '../support/until.ts'
import { useReceiverForEachTest, useStack } from '../support/use-stack.ts'

type Send = Stack['deps']['webhooks']['send']

const secret = 'a-test-secret'
const hour = 3_600_000
/** Real time passes too during an attempt: some seconds on a busy machine. */
const slackS = 20

const receiver = useReceiverForEachTest() // closed before the invariants are checked
const stack = await useStack({ skipping: true, invariants: 'after each test' })
beforeEach(async () => {
  await stack.merchant.setWebhook(receiver.url, secret)
})

/** Sends one event to the receiver, and returns the delivery's id. */
async function send(): Promise<string> {
  await stack.merchant.call('POST', '/api/v1/notifications/webhooks/test', {})
  await stack.dispatched()
  const [row] = await stack.sql<{ id: string }>('select id from deliveries order by created_at desc, id desc limit 1')
  return row?.id ?? ''
}

/** Seconds from each attempt to the next, by the process's clock. */
async function pauses(deliveryId: string): Promise<number[]> {
  const rows = await stack.sql<{ at: Date }>('select at from delivery_attempts where delivery_id = ? order by number', [
    deliveryId,
  ])
  const times = rows.map(({ at }) => new Date(at).getTime())
  return times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1000)
}

test('a failing receiver is tried after 60, 300, 900 and 3600 seconds and then never again', async () => {
  receiver.answers(Array(20).fill(500))
  const id = await send()
  await settled(stack.client, 'webhook-delivery', id)
  const said = await detailsOf(stack.client, 'webhook-delivery', id)
  assert.match(
    said,
    /tried now, hold it, or mark.* Waiting for the receiver, until \S+Z, then the next attempt is made\.$/,
  )
  assert.equal(await stack.finished('webhook-delivery', id), 'failed')
  assert.equal(await detailsOf(stack.client, 'webhook-delivery', id), 'Closed: failed. No action needed.')
  const waited = await pauses(id)
  assert.equal(waited.length, 4)
  for (const [index, delay] of [60, 300, 900, 3600].entries()) {
    const pause = waited[index] ?? 0
    assert.ok(pause >= delay && pause <= delay * 1.1 + slackS, `attempt ${index + 2} came after ${pause} s`)
  }
  await stack.skip(48 * hour)
  assert.equal(receiver.received.length, 5)
})

test('the query of the runbook counts, for an hour, a delivery that its last attempt has ended', async () => {
  const block = docBlocks.find(({ page, text }) => page === 'docs/runbooks.md' && text.includes("status = 'failed'"))
  assert.ok(block)
  receiver.answers(Array(5).fill(500))
  const id = await send()
  assert.equal(await stack.finished('webhook-delivery', id), 'failed')
  const [row] = await stack.sql<{ endpoint_id: string; completed_at: Date }>(
    'select endpoint_id, completed_at from deliveries where id = ?',
    [id],
  )
  assert.ok(row)
  // The database's time is not the one that is skipped.
  const counted = async (passedMs: number) => {
    const now = new Date(new Date(row.completed_at).getTime() + passedMs).toISOString()
    const query = block.text.replaceAll('now()', `timestamptz '${now}'`)
    const found = await stack.sql<{ endpoint_id: string; count: string }>(query.replace(';', ''))
    return found.filter(({ endpoint_id }) => endpoint_id === row.endpoint_id).map(({ count }) => Number(count))
  }
  assert.deepEqual(await counted(hour / 60), [1])
  assert.deepEqual(await counted(hour + 1), [])
})

test('a receiver that recovers at the fourth attempt gets no fifth one', async () => {
  receiver.answers([500, 503, 404])
  const id = await send()
  assert.equal(await stack.finished('webhook-delivery', id), 'succeeded')
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers['x-service-attempt']),
    ['1', '2', '3', '4'],
  )
})

test('a Retry-After does not lengthen the pause, which the interface fixes', async () => {
  receiver.answers([429, 500])
  const id = await send()
  assert.equal(await stack.finished('webhook-delivery', id), 'succeeded')
  const [first = 0, second = 0] = await pauses(id)
  assert.ok(first >= 60 && first <= 66 + slackS, `${first} s`)
  assert.ok(second >= 300 && second <= 330 + slackS, `${second} s`)
})

test('every attempt has the same bytes and sequence number, and a signature with its own time', async () => {
  receiver.answers([500, 500])
  await stack.finished('webhook-delivery', await send())
  const [first, ...others] = receiver.received
  assert.equal(others.length, 2)
  for (const { headers, body } of receiver.received) {
    assert.equal(body, first?.body)
    assert.equal(headers['x-service-event-id'], 'evt_test_webhook')
    assert.equal(headers['x-service-sequence'], first?.headers['x-service-sequence'])
    const timestamp = headers['x-service-timestamp']
    const expected = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
    assert.equal(headers['x-service-signature'], expected)
  }
  const times = receiver.received.map(({ headers }) => Number(headers['x-service-timestamp']))
  assert.ok((times[1] ?? 0) - (times[0] ?? 0) >= 60)
  assert.ok((times[2] ?? 0) - (times[1] ?? 0) >= 300)
})

test('an operator can start the next attempt at once', async () => {
  receiver.answers([500])
  const id = await send()
  await until(() => receiver.received.length === 1, 'the first attempt was made')
  await stack.client.workflow.getHandle(`delivery/${id}`).signal('attemptNow')
  await until(() => receiver.received.length === 2, 'the second attempt was made')
  assert.equal(await stack.finished('webhook-delivery', id), 'succeeded')
  assert.ok(((await pauses(id))[0] ?? 60) < 60)
})

test('nothing is sent to an endpoint that was switched off meanwhile: the delivery ends as skipped', async () => {
  receiver.answers([500])
  const id = await send()
  await until(() => receiver.received.length === 1, 'the first attempt was made')
  await stack.merchant.setWebhook(null)
  assert.equal(await stack.finished('webhook-delivery', id), 'skipped')
  assert.equal(receiver.received.length, 1)
})

/** Makes the attempt of that number find the receiver busy that many times, and records when each send ended. */
function takePlaces(t: TestContext, tries: { number: number; busy: number }): { sentAt: number[] } {
  const { webhooks } = stack.deps
  const whole = webhooks.send
  t.after(() => void (webhooks.send = whole))
  const sentAt: number[] = []
  let left = tries.busy
  webhooks.send = async (request): ReturnType<Send> => {
    const isWaiting = sentAt.length === tries.number - 1 && left-- > 0
    if (isWaiting) return { responseStatus: null, responseBody: null, durationMs: 0, error: 'busy' }
    const made = await whole(request)
    sentAt.push(await stack.clock.now())
    return made
  }
  return { sentAt }
}

test('an attempt that waited 500 s for a place is signed, and timed for the next, when it is sent', async (t) => {
  const { sentAt } = takePlaces(t, { number: 2, busy: 9 }) // 1 + 2 + 4 ... + 256 s until the engine's tenth try
  receiver.answers([500, 500, 500, 500, 500])
  const id = await send()
  assert.equal(await stack.finished('webhook-delivery', id), 'failed')
  const [second = 0, ...others] = await pauses(id)
  assert.ok(second >= 60 + 511, `the second attempt was made after ${second} s`)
  for (const [index, delay] of [300, 900, 3600].entries()) {
    const pause = others[index] ?? 0
    assert.ok(pause >= delay && pause <= delay * 1.1 + slackS, `attempt ${index + 3} came after ${pause} s`)
  }
  for (const [index, { headers, body }] of receiver.received.entries()) {
    const now = Math.floor((sentAt[index] ?? 0) / 1_000)
    verifyWebhook({ headers: headers as Record<string, string>, body, secrets: secret, now })
  }
  const [row] = await stack.sql<{ late: boolean }>(
    `select d.completed_at < max(a.at) as late from deliveries d join delivery_attempts a on a.delivery_id = d.id
     where d.id = ? group by d.id`,
    [id],
  )
  assert.equal(row?.late, false)
})

test('a first attempt that had to wait for a place is recorded with the time at which it was sent', async (t) => {
  takePlaces(t, { number: 1, busy: 10 })
  receiver.answers([500])
  const begunAt = await stack.clock.now()
  const id = await send()
  assert.equal(await stack.finished('webhook-delivery', id), 'succeeded')
  const [first] = await stack.sql<{ at: Date }>(
    'select at from delivery_attempts where delivery_id = ? and number = 1',
    [id],
  )
  assert.ok(new Date(first?.at ?? 0).getTime() - begunAt >= 300_000)
})
