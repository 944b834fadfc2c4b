import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataOf, newProduct } from '../support/cart.ts'
import { useStack } from '../support/use-stack.ts'

const stack = await useStack({ skipping: true, invariants: 'after each test' })

const naira = { currency: 'NGN', amount: '5000.00' }
const transfer = { payment_method: 'NGN_BANK_TRANSFER' }

async function open(products: string[]) {
  const group = await stack.merchant.call('POST', '/v1/product-groups', { name: 'Sizes', products })
  const { product_group_id } = group.body
  return stack.merchant.createCheckout({ product_group_id, success_url: 'https://example.com/thanks' })
}

test('a selection from which nothing was picked expires, with an amount of zero', async () => {
  const session = await open([await newProduct(stack.merchant, naira)])
  await stack.dispatched()
  assert.equal(await stack.finished('checkout', session.checkout_id), 'expired')
  const { products, amount, payment_status } = await stack.merchant.getCheckout(session.checkout_id)
  assert.deepEqual([products, amount, payment_status], [null, '0.00', 'canceled'])
  assert.equal((await dataOf(stack, 'checkout.expired', session.checkout_id))['amount'], '0.00')
})

test('late money for an earlier pick completes that payment, and the session stays expired', async () => {
  const [small, large] = [
    await newProduct(stack.merchant, naira),
    await newProduct(stack.merchant, { ...naira, amount: '9000.00' }),
  ]
  const session = await open([small, large])
  const { body: attempt } = await stack.merchant.pay(session, { ...transfer, products: [{ product_id: small }] })
  await stack.merchant.pay(session, { ...transfer, products: [{ product_id: large }] })
  await stack.dispatched()
  await stack.skip(61 * 60_000)
  assert.equal((await stack.merchant.getCheckout(session.checkout_id))['status'], 'expired')
  const sent = await stack.merchant.deposit(String(attempt['payment_id']))
  assert.equal(sent.status, 200, sent.text)
  const { status, amount, line_items } = await stack.merchant.getPayment(String(attempt['payment_id']))
  assert.deepEqual([status, amount], ['succeeded', '5000.00'])
  assert.partialDeepStrictEqual(line_items, [{ product_id: small }])
  const ended = await stack.merchant.getCheckout(session.checkout_id)
  assert.deepEqual([ended['status'], ended['amount']], ['expired', '9000.00'])
  assert.equal(await stack.finished('checkout', session.checkout_id), 'expired')
})
