import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sale } from '../support/merchant.ts'
import { until } from '../support/until.ts'
import { useReceiver, useStack } from '../support/use-stack.ts'

const stack = await useStack()
const receiver = await useReceiver()
await stack.merchant.setWebhook(receiver.url)

test('a card sale is paid and posted, and its events are delivered', async () => {
  const session = await stack.merchant.createCheckout({ ...sale, customer_creation: 'always' })
  const attempt = await stack.merchant.payByCard(session)
  assert.equal(attempt['payment_status'], 'succeeded')
  await until(() => receiver.received.length === 3, 'three events have arrived')
  assert.deepEqual(receiver.types().toSorted(), ['checkout.completed', 'collection.succeeded', 'customer.created'])
  await stack.dispatched()
  assert.deepEqual(await stack.check(), [])
})
