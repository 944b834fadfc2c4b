import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { type Stack, startStack, until } from './support/stack.ts'

const secret = 'a-test-secret'
const hour = 3_600_000
/** Real time passes too while an attempt is made: on a busy machine some seconds. */
const slackS = 20

let stack: Stack
let receiver: Receiver
before(async () => {
  stack = await startStack({ skipping: true })
})
beforeEach(async () => {
  receiver = await startReceiver()
  await stack.merchant.setWebhook(receiver.url, secret)
})
afterEach(async () => {
  await receiver.close()
  await stack.told()
  assert.deepEqual(await stack.check(), [])
})
after(() => stack.stop())

/** Sends one event to the receiver; answers the delivery's id. */
async function send(): Promise<string> {
  await stack.merchant.call('POST', '/api/v1/notifications/webhooks/test', {})
  await stack.told()
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
  assert.equal(await stack.finished('webhook-delivery', id), 'failed')
  const waited = await pauses(id)
  assert.equal(waited.length, 4)
  for (const [index, delay] of [60, 300, 900, 3600].entries()) {
    const pause = waited[index] ?? 0
    assert.ok(pause >= delay && pause <= delay * 1.1 + slackS, `attempt ${index + 2} came after ${pause} s`)
  }
  await stack.skip(48 * hour)
  assert.equal(receiver.received.length, 5)
})

test('a receiver that recovers at the fourth attempt is told no more after it', async () => {
  receiver.answers([500, 503, 404])
  const id = await send()
  assert.equal(await stack.finished('webhook-delivery', id), 'succeeded')
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers['x-service-attempt']),
    ['1', '2', '3', '4'],
  )
})

test('Retry-After is honoured where it is longer than the pause', async () => {
  receiver.answers([429, 500])
  const id = await send()
  assert.equal(await stack.finished('webhook-delivery', id), 'succeeded')
  const [first = 0, second = 0] = await pauses(id)
  assert.ok(first >= 600 && first < 600 + slackS, `${first} s`)
  assert.ok(second >= 300 && second <= 330 + slackS, `${second} s`)
})

test('a receiver that answers is told once, within the history budget', async () => {
  const id = await send()
  assert.equal(await stack.finished('webhook-delivery', id), 'succeeded')
  assert.equal(receiver.received.length, 1)
  assert.ok((await stack.historyLength('webhook-delivery', id)) <= 12)
})

test('every attempt carries the same bytes and number, and a signature of its own time', async () => {
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

test('an operator can hurry the next attempt', async () => {
  receiver.answers([500])
  const id = await send()
  await until(() => receiver.received.length === 1, 'the first attempt was made')
  await stack.client.workflow.getHandle(`delivery/${id}`).signal('attemptNow')
  await until(() => receiver.received.length === 2, 'the second attempt was made')
  assert.equal(await stack.finished('webhook-delivery', id), 'succeeded')
  assert.ok(((await pauses(id))[0] ?? 60) < 60)
})

test('nothing is sent to an endpoint that was switched off meanwhile: the event is kept as skipped', async () => {
  receiver.answers([500])
  const id = await send()
  await until(() => receiver.received.length === 1, 'the first attempt was made')
  await stack.merchant.setWebhook(null)
  assert.equal(await stack.finished('webhook-delivery', id), 'skipped')
  assert.equal(receiver.received.length, 1)
})
