import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WorkflowNotFoundError } from '@temporalio/client'
import type { WebhookRequest } from '../../activities/webhook/http.ts'
import { verifyWebhook } from '../../client/verify-webhook.js'
import { type EntityManager, inTransaction } from '../../db/core/database.ts'
import { recordTestEvent } from '../../db/core/record-event.ts'
import { type Delivery, WebhookEndpoint } from '../../db/webhook/endpoint.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { until } from '../support/until.ts'
import { useReceiverForEachTest, useStack } from '../support/use-stack.ts'

// The first attempt of a delivery is made before it has a process, and the process begins if there is more to do.
const secret = 'a-test-secret'
const receiver = useReceiverForEachTest() // closed before the invariants are checked
const stack = await useStack({ skipping: true, invariants: 'after each test' })
const handleOf = (id: string) => stack.client.workflow.getHandle(`delivery/${id}`)

/** Commits an event for the receiver, with what else `change` does in the same commit; returns the delivery's id. */
async function commit(change: (delivery: Delivery, endpoint: WebhookEndpoint, at: number) => void = () => undefined) {
  await stack.merchant.setWebhook(receiver.url, secret)
  const at = await stack.clock.now()
  return inTransaction(stack.database, async (em: EntityManager) => {
    const endpoint = await em.findOneOrFail(WebhookEndpoint, { url: receiver.url })
    const event = { type: 'refund.paid', resourceId: 'ref_1', data: { amount: '25.00' } } as const
    const delivery = await recordTestEvent(em, endpoint, event, at)
    change(delivery, endpoint, at)
    return delivery.id
  })
}

type Row = { status: string; attempt_count: number; next_attempt_at: string | null; completed_at: string | null }
async function rowOf(id: string): Promise<Row | undefined> {
  const [row] = await stack.sql<Row>(
    'select status, attempt_count, next_attempt_at, completed_at from deliveries where id = ?',
    [id],
  )
  return row
}

const attemptsOf = (id: string) =>
  stack.sql<{ number: number; response_status: number | null }>(
    'select number, response_status from delivery_attempts where delivery_id = ? order by number',
    [id],
  )

const assertNoProcess = (id: string) => assert.rejects(handleOf(id).describe(), WorkflowNotFoundError)

test('a first attempt before there is a process holds up no task of the engine', async (t) => {
  const { webhooks } = stack.deps
  const { send } = webhooks
  t.after(() => void (webhooks.send = send))
  const held: number[] = []
  const headersOf = (request: WebhookRequest) => async () => {
    held.push(webhooks.tasksHeld())
    return request.headers()
  }
  webhooks.send = (request) => send({ ...request, headers: headersOf(request) })
  await commit()
  await stack.dispatched()
  assert.deepEqual(held, [0])
})

test('a delivery whose receiver answers has no process, and one recorded and signed attempt', async () => {
  const id = await commit()
  await stack.dispatched()
  await assertNoProcess(id)
  const row = await rowOf(id)
  assert.deepEqual([row?.status, row?.attempt_count, row?.next_attempt_at], ['succeeded', 1, null])
  assert.ok(row?.completed_at)
  assert.deepEqual(await attemptsOf(id), [{ number: 1, response_status: 200 }])

  const [got, ...more] = receiver.received
  assert.ok(got)
  assert.equal(more.length, 0)
  const headers = got.headers as Record<string, string>
  assert.equal(headers['x-service-attempt'], '1')
  assert.equal(headers['x-service-event-id'], 'evt_test_webhook')
  assert.match(headers['x-service-sequence'] ?? '', /^\d+$/)
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers['user-agent'], 'steadypay-webhooks')
  const now = Math.floor((await stack.clock.now()) / 1_000)
  verifyWebhook({ headers, body: got.body, secrets: secret, now })
})

test('a receiver that fails at once: the process waits for the second attempt and repeats nothing', async () => {
  receiver.answers([500])
  const id = await commit()
  await stack.dispatched()
  await settled(stack.client, 'webhook-delivery', id)
  assert.deepEqual(await attemptsOf(id), [{ number: 1, response_status: 500 }])
  assert.equal(receiver.received.length, 1)
  const waiting = await rowOf(id)
  assert.deepEqual([waiting?.status, waiting?.attempt_count], ['pending', 1])
  const { status, text, body } = await stack.merchant.call('GET', `/v1/webhooks/deliveries/${id}/agenda`)
  assert.equal(status, 200, text)
  const [wait, ...others] = body['items'] as unknown as Record<string, string>[]
  assert.deepEqual([wait?.['waiting_on'], wait?.['reason'], others.length], ['receiver', 'webhook_attempt', 0])
  assert.equal(wait?.['wakes_at'], new Date(waiting?.next_attempt_at ?? '').toISOString())

  assert.equal(await stack.finished('webhook-delivery', id), 'succeeded')
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers['x-service-attempt']),
    ['1', '2'],
  )
  assert.equal((await attemptsOf(id)).length, 2)
})

test('a receiver that keeps failing: its deliveries have a process from the first attempt on', async () => {
  receiver.answers([500])
  const first = await commit()
  await stack.dispatched()
  await settled(stack.client, 'webhook-delivery', first)
  const next = await commit()
  await until(async () => (await rowOf(next))?.status === 'succeeded', 'it is delivered')
  assert.equal(await stack.finished('webhook-delivery', next), 'succeeded')
  assert.deepEqual(await attemptsOf(next), [{ number: 1, response_status: 200 }])
  assert.equal(await stack.finished('webhook-delivery', first), 'succeeded')
})

test('all places are taken at the first attempt: the process makes it, once', async (t) => {
  const { webhooks } = stack.deps
  const send = webhooks.send.bind(webhooks)
  let tries = 0
  t.mock.method(webhooks, 'send', async (request: Parameters<typeof send>[0]) => {
    tries += 1
    if (tries > 1) return send(request)
    return { responseStatus: null, responseBody: null, durationMs: 0, error: 'busy' }
  })
  const id = await commit()
  await stack.dispatched()
  assert.equal(await stack.finished('webhook-delivery', id), 'succeeded')
  assert.deepEqual(await attemptsOf(id), [{ number: 1, response_status: 200 }])
  assert.deepEqual([tries, receiver.received.length], [2, 1])
})

test('a delivery that staff hold before its first attempt is not sent until they release it', async () => {
  const staff = await addStaff(stack)
  const id = await commit((delivery, _endpoint, at) => {
    Object.assign(delivery, { onHoldSince: new Date(at), nextAttemptAt: null })
  })
  await stack.dispatched()
  await settled(stack.client, 'webhook-delivery', id)
  assert.deepEqual([receiver.received.length, (await rowOf(id))?.attempt_count], [0, 0])
  const attributes = JSON.stringify((await handleOf(id).describe()).typedSearchAttributes.getAll())
  assert.match(attributes, /"on_hold"/)
  const released = await staff.onDelivery(id, 'release')
  assert.equal(released.body['state'], 'executed', released.text)
  assert.equal(await stack.finished('webhook-delivery', id), 'succeeded')
  assert.deepEqual(await attemptsOf(id), [{ number: 1, response_status: 200 }])
})

test('a delivery to an endpoint that was switched off meanwhile ends as skipped, without a process', async () => {
  const id = await commit((_delivery, endpoint) => void (endpoint.enabled = false))
  await stack.dispatched()
  await assertNoProcess(id)
  const row = await rowOf(id)
  assert.deepEqual([row?.status, row?.attempt_count, row?.next_attempt_at], ['skipped', 0, null])
  assert.deepEqual([await attemptsOf(id), receiver.received.length], [[], 0])
})
