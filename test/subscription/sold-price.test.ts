import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFieldErrors } from '../support/api.ts'
import { subscriptionsOf } from '../support/subscription.ts'
import { useStack } from '../support/use-stack.ts'

// What a change of plan asks for a product that the subscription has.
const stack = await useStack({ invariants: 'at the end' })
const plans = subscriptionsOf(stack)

test('a product stays at its price as it was sold, also a chosen price, and one of a cart', async () => {
  const custom = { price_type: 'custom', amount: undefined, minimum_amount: '5.00' }
  const { product_id: chosen } = await plans.createProduct(custom)
  const { product_id: other } = await plans.createProduct({ amount: '5.00' })
  const product_cart = [
    { product_id: chosen, amount: '10.00' },
    { product_id: other, quantity: 2 },
  ]
  const { subscription_id: id } = await plans.subscribe({ session: { product_cart } })
  await plans.ok('PATCH', `/v1/products/${chosen}`, { minimum_amount: '20.00' })
  await plans.ok('PATCH', `/v1/products/${other}`, { amount: '8.00', active: false })
  const previewOf = async (body: object) =>
    (await plans.act(id, 'preview-change', { ...body, proration: 'none' })).amount
  assert.equal(await previewOf({ product_id: other }), '10.00')
  assert.equal(await previewOf({ product_id: other, quantity: 3 }), '15.00')
  assert.equal(await previewOf({ product_id: chosen, quantity: 2 }), '20.00')
  const below = await stack.merchant.call('POST', `/v1/subscriptions/${id}/preview-change`, {
    product_id: chosen,
    amount: '19.00',
  })
  assertFieldErrors(below, { amount: 'value_error.range' })
})
