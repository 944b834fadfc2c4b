import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sale } from '../support/merchant.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { type Stack, startStack, until } from '../support/stack.ts'

let stack: Stack
let receiver: Receiver
before(async () => {
  stack = await startStack()
  receiver = await startReceiver()
  await stack.merchant.setWebhook(receiver.url)
})
after(async () => {
  await receiver.close()
  await stack.stop()
})

test('a card sale is paid, booked and told', async () => {
  const session = await stack.merchant.createCheckout({ ...sale, customer_creation: 'always' })
  const attempt = await stack.merchant.payByCard(session)
  assert.equal(attempt['payment_status'], 'succeeded')
  await until(() => receiver.received.length === 3, 'three events have arrived')
  assert.deepEqual(receiver.types().toSorted(), ['checkout.completed', 'collection.succeeded', 'customer.created'])
  await stack.told()
  assert.deepEqual(await stack.check(), [])
})
