import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/api.ts'
import { buyer, card, cards, setup } from '../support/merchant.ts'
import { useStack } from '../support/use-stack.ts'

const stack = await useStack({ skipping: true })

test('a session whose buyer never enters the code of the card expires, and nothing is saved', async () => {
  const session = await stack.merchant.createCheckout({ ...setup, customer: buyer })
  await stack.dispatched()
  const choice = { payment_method: 'USD_CARD', card: card(cards.threeDs), confirm: true }
  const { body } = await stack.merchant.pay(session, choice)
  assert.equal(body['payment_status'], 'requires_action')
  assert.equal(await stack.finished('checkout', session.checkout_id), 'expired')
  assertError(await stack.merchant.confirm(session, { code: '123456' }), 409, 'CONFLICT')
  const { charge, payment_status, customer } = (await stack.merchant.getCheckout(session.checkout_id)) as {
    charge: null
    payment_status: string
    customer: { id: string }
  }
  assert.deepEqual([charge, payment_status], [null, 'canceled'])
  const { body: saved } = await stack.merchant.call('GET', `/v1/customers/${customer.id}/payment-methods`)
  assert.deepEqual(saved['items'], [])
  await stack.dispatched()
  assert.deepEqual(await stack.check(), [])
})
