import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordSuccess } from '../../db/webhook/success.ts'
import { withEndpoints } from '../support/endpoints.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Without workers, so that nothing but the test records attempts.
const stack = await useStack({ workers: false })
const api = await useApi(stack)

async function newDelivery() {
  const { merchant } = await api.addMerchant()
  const { add, happen, deliveries } = withEndpoints(merchant)
  const endpointId = await add({ url: 'https://example.com/hooks' })
  await happen()
  const [delivery] = await deliveries(endpointId)
  assert.ok(delivery)
  const shown = async () => (await deliveries(endpointId))[0]
  return { deliveryId: delivery.delivery_id, endpointId, shown }
}

const record = (deliveryId: string, attempt = 1) =>
  recordSuccess(stack.database.orm.em.fork(), {
    deliveryId,
    attempt,
    sentAt: Date.parse('2026-11-26T10:00:00.000Z'),
    durationMs: 12.4,
    responseStatus: 200,
    responseBody: 'it’s heard',
  })

test('an attempt that a receiver has taken ends its delivery, at the moment of the whole answer', async () => {
  const { deliveryId, shown } = await newDelivery()
  assert.equal(await record(deliveryId), true)
  assert.partialDeepStrictEqual(await shown(), {
    status: 'succeeded',
    next_attempt_at: null,
    completed_at: '2026-11-26T10:00:00.012Z',
    attempts: [{ number: 1, response_status: 200, response_body: 'it’s heard', error: null, duration_ms: 12 }],
  })
})

test('of two that made one attempt, one records it', async () => {
  const { deliveryId, shown } = await newDelivery()
  const recorded = await Promise.all([record(deliveryId), record(deliveryId), record(deliveryId)])
  assert.deepEqual(recorded.toSorted(), [false, false, true])
  assert.equal(await record(deliveryId, 2), false)
  assert.equal((await shown())?.attempts.length, 1)
})

test('an attempt at an endpoint that has been failing is left to the step that ends its run of failures', async () => {
  const { deliveryId, endpointId, shown } = await newDelivery()
  await stack.sql('update webhook_endpoints set failing_since = now() where id = ?', [endpointId])
  assert.equal(await record(deliveryId), false)
  assert.partialDeepStrictEqual(await shown(), { status: 'pending', attempts: [] })
})
