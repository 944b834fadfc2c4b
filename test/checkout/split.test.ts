import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { newProduct } from '../support/cart.ts'
import { type Merchant, sale } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const destination = await api.addConnected(stack.organizationId)

type Json = Record<string, unknown>
const post = (body: Json, merchant: Merchant = stack.merchant) =>
  merchant.call('POST', '/v1/checkout-sessions', { ...sale, ...body })

/** What the session shows of its split, and its payment once it is paid. */
async function shown(body: Json) {
  const session = await stack.merchant.createCheckout({ ...sale, ...body })
  const { payment_id } = await stack.merchant.payByCard(session)
  const payment = await stack.merchant.getPayment(String(payment_id))
  const parts = ({ platform_fee, transfer_amount }: Json) => [platform_fee, transfer_amount]
  const read = await stack.merchant.getCheckout(session.checkout_id)
  assert.deepEqual(parts(session), parts(read))
  assert.deepEqual(parts(payment), parts(read))
  return { parts: parts(read), paymentId: payment_id }
}

test('a platform fee or a share is on the session and its payment; without them null, not 0.00', async () => {
  assert.deepEqual((await shown({ platform_fee: '2.5' })).parts, ['2.50', null])
  for (const none of [
    {},
    { platform_fee: '0' },
    { platform_fee: '0.00' },
    { platform_fee: null, transfer_data: null },
  ]) {
    assert.deepEqual((await shown(none)).parts, [null, null])
  }
  const { parts, paymentId } = await shown({ transfer_data: { destination, amount: '20' } })
  assert.deepEqual(parts, [null, '20.00'])
  const rows = await stack.sql('select transfer_destination from payments where id = ?', [paymentId])
  assert.deepEqual(rows, [{ transfer_destination: destination }])
})

test('VALIDATION_ERROR: a sale is split once, and a part is at most its amount', async () => {
  const share = (amount: unknown) => ({ transfer_data: { destination, amount } })
  assertFieldErrors(await post({ platform_fee: '1.00', ...share('1.00') }), { platform_fee: 'value_error' })
  assertFieldErrors(await post({ platform_fee: '25.01' }), { platform_fee: 'value_error.range' })
  assertFieldErrors(await post(share('25.01')), { 'transfer_data.amount': 'value_error.range' })
  assertFieldErrors(await post(share('0.00')), { 'transfer_data.amount': 'value_error.range' })
  for (const amount of ['1.001', '-1', '1e0', '']) {
    assertFieldErrors(await post(share(amount)), { 'transfer_data.amount': 'value_error.format' })
  }
  for (const platform_fee of ['1.001', '-1', '1e0', '']) {
    assertFieldErrors(await post({ platform_fee }), { platform_fee: 'value_error.format' })
  }
  assertFieldErrors(await post({ platform_fee: 1 }), { platform_fee: 'value_error.type' })
  assertFieldErrors(await post({ transfer_data: {} }), {
    'transfer_data.destination': 'value_error.missing',
    'transfer_data.amount': 'value_error.missing',
  })
  assert.equal((await post({ platform_fee: '25.00' })).status, 201)
  assert.equal((await post(share('25.00'))).status, 201)
})

test('a cart is split by its sum, and a selection by the least that a buyer can pick', async () => {
  const [cheap, dear] = [await newProduct(stack.merchant), await newProduct(stack.merchant, { amount: '9.00' })]
  const products = { name: 'Sizes', products: [dear, cheap] }
  const { product_group_id } = (await stack.merchant.call('POST', '/v1/product-groups', products)).body
  const { success_url } = sale
  const of = (platform_fee: string, sold: Json) =>
    stack.merchant.call('POST', '/v1/checkout-sessions', { success_url, platform_fee, ...sold })
  const cart = { product_cart: [{ product_id: cheap, quantity: 2 }] }
  assertFieldErrors(await of('10.01', cart), { platform_fee: 'value_error.range' })
  assert.equal((await of('10.00', cart)).body['platform_fee'], '10.00')
  assertFieldErrors(await of('5.01', { product_group_id }), { platform_fee: 'value_error.range' })
  assert.equal((await of('5.00', { product_group_id })).body['platform_fee'], '5.00')
})

test('NOT_FOUND: a share for an account that is not connected to the caller', async () => {
  const other = await api.addMerchant()
  const theirs = await api.addConnected(other.accountId)
  for (const wrong of [theirs, other.accountId, stack.organizationId, 'acct_1', '']) {
    assertError(await post({ transfer_data: { destination: wrong, amount: '1.00' } }), 404, 'NOT_FOUND')
  }
  const mine = { transfer_data: { destination: theirs, amount: '1.00' } }
  assert.equal((await post(mine, other.merchant)).status, 201)
})

test('the database itself refuses two splits of one sale, and a share without a destination', async () => {
  const { checkout_id } = await stack.merchant.createCheckout({ ...sale, platform_fee: '1.00' })
  for (const change of ['transfer_amount = 1', `transfer_amount = 1, transfer_destination = 'acct_1'`]) {
    await assert.rejects(stack.sql(`update checkouts set ${change} where id = ?`, [checkout_id]), /violates check/)
  }
})
