import assert from 'node:assert/strict'
import { test } from 'node:test'
import Big from 'big.js'
import * as fc from 'fast-check'
import { newId } from '../../domain/id.ts'
import { validateOfferedPrice, lineItemOf, type OfferedItem, totalOf } from '../../domain/checkout/line-item.ts'
import { assertFieldErrors } from '../support/api.ts'
import { cards, type Merchant } from '../support/merchant.ts'
import { dataOf, newProduct } from '../support/cart.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

type Json = Record<string, unknown>
const target = { success_url: 'https://example.com/thanks' }
const post = (body: Json, merchant: Merchant = stack.merchant) =>
  merchant.call('POST', '/v1/checkout-sessions', { ...target, ...body })
const sell = (product_cart: Json[], more: Json = {}) =>
  stack.merchant.createCheckout({ ...target, product_cart, ...more }) as Promise<Json & Record<'checkout_id', string>>
const product = (over: Json = {}, merchant: Merchant = stack.merchant) => newProduct(merchant, over)
const custom = { price_type: 'custom', amount: null, minimum_amount: '3.00', maximum_amount: '50.00' }
const free = { price_type: 'free', amount: null }

test('a cart of fixed, free and custom prices is the sum of its lines, on the session, payment and event', async () => {
  const [fixed, gift, tip] = [await product({ name: 'Book' }), await product(free), await product(custom)]
  const { client_secret, checkout_url, ...session } = (await sell([
    { product_id: fixed, quantity: 3 },
    { product_id: gift, quantity: 1 },
    { product_id: tip, quantity: 2, amount: '4.5' },
  ])) as Json & { checkout_id: string; client_secret: string; checkout_url: string }
  const bounds = { minimum_amount: null, maximum_amount: null }
  const line = (product_id: string, price_type: string, quantity: number, unit_amount: string, line_total: string) => ({
    product_id,
    product_name: 'Thing',
    currency: 'USD',
    price_type,
    quantity,
    unit_amount,
    line_total,
    ...bounds,
  })
  const products = [
    { ...line(fixed, 'fixed', 3, '5.00', '15.00'), product_name: 'Book' },
    line(gift, 'free', 1, '0.00', '0.00'),
    { ...line(tip, 'custom', 2, '4.50', '9.00'), minimum_amount: '3.00', maximum_amount: '50.00' },
  ]
  assert.partialDeepStrictEqual(session, { amount: '24.00', currency: 'USD', session_mode: 'CART', description: null })
  assert.deepEqual(session['products'], products)
  const opened = { ...session, client_secret, checkout_url } as never
  const { payment_id } = await stack.merchant.payByCard(opened)
  const payment = await stack.merchant.getPayment(String(payment_id))
  assert.deepEqual([payment['line_items'], payment['amount']], [products, '24.00'])
  const { amount, products: sent } = await dataOf(stack, 'checkout.completed', session.checkout_id)
  assert.deepEqual([amount, sent], ['24.00', products])
})

test('a later price and name affect new sessions only', async () => {
  const id = await product({ name: 'Before' })
  const session = await sell([{ product_id: id, quantity: 2 }])
  const changed = await stack.merchant.call('PATCH', `/v1/products/${id}`, { amount: '7.00', name: 'After' })
  assert.equal(changed.status, 200, changed.text)
  const { amount, products } = await stack.merchant.getCheckout(session.checkout_id)
  assert.equal(amount, '10.00')
  assert.partialDeepStrictEqual(products, [{ product_name: 'Before', unit_amount: '5.00' }])
  assert.equal((await sell([{ product_id: id, quantity: 2 }]))['amount'], '14.00')
  await stack.merchant.call('DELETE', `/v1/products/${id}`)
  const reply = await stack.merchant.call('POST', `/v1/test-helpers/checkout-sessions/${session.checkout_id}/pay`, {})
  assert.equal(reply.body['status'], 'completed', reply.text)
})

test('a free cart completes without a charge', async () => {
  const session = await sell([{ product_id: await product(free), quantity: 9 }], { description: 'A gift' })
  assert.equal(session['description'], 'A gift')
  const paid = await stack.merchant.pay(session as never, {})
  assert.equal(paid.body['status'], 'completed', paid.text)
  const read = await stack.merchant.getCheckout(session.checkout_id)
  assert.deepEqual([read['charge'], read['amount']], [null, '0.00'])
  assert.partialDeepStrictEqual(await dataOf(stack, 'checkout.completed', session.checkout_id), {
    payment_status: 'no_payment_required',
    payment_id: null,
    products: read['products'],
  })
})

test('a line without a quantity is one piece, and the same idempotency key makes one session', async () => {
  const body = { product_cart: [{ product_id: await product() }] }
  const key = { 'idempotency-key': newId('evt', Date.now()) }
  const send = () => stack.merchant.call('POST', '/v1/checkout-sessions', { ...target, ...body }, key)
  const [one, other] = [await send(), await send()]
  assert.equal(one.body['amount'], '5.00', one.text)
  assert.equal(other.text, one.text)
  assert.equal(other.headers.get('idempotent-replayed'), 'true')
})

test('VALIDATION_ERROR: exactly one of a cart, a group and an amount says what is sold', async () => {
  const product_cart = [{ product_id: await product(), quantity: 1 }]
  const plain = { amount: '1.00', currency: 'USD', description: 'A' }
  const missing = { amount: 'value_error.missing', currency: 'value_error.missing', description: 'value_error.missing' }
  assertFieldErrors(await post({}), missing)
  assertFieldErrors(await post({ product_cart, ...plain }), { amount: 'value_error', currency: 'value_error' })
  assertFieldErrors(await post({ product_cart, product_group_id: 'pg_1' }), { product_group_id: 'value_error' })
  assertFieldErrors(await post({ product_group_id: 'pg_1', amount: '1' }), { amount: 'value_error' })
})

test('VALIDATION_ERROR: a cart has 1 to 100 lines of 1 to 999', async () => {
  const product_id = await product()
  const of = (quantity: unknown) => post({ product_cart: [{ product_id, quantity }] })
  for (const quantity of [0, -1, 1000])
    assertFieldErrors(await of(quantity), { 'product_cart.0.quantity': 'value_error.range' })
  assertFieldErrors(await of(1.5), { 'product_cart.0.quantity': 'value_error.type' })
  assertFieldErrors(await post({ product_cart: [{}] }), { 'product_cart.0.product_id': 'value_error.missing' })
  assertFieldErrors(await post({ product_cart: [] }), { product_cart: 'value_error.range' })
  const lines = Array.from({ length: 101 }, () => ({ product_id, quantity: 999 }))
  assertFieldErrors(await post({ product_cart: lines }), { product_cart: 'value_error.range' })
  const { status, body } = await post({ product_cart: lines.slice(1) })
  assert.deepEqual([status, body['amount']], [201, '499500.00'])
})

test('VALIDATION_ERROR: products are the account’s own, active, one-time, in one currency', async () => {
  const theirs = await product({}, (await api.addMerchant()).merchant)
  const wrong = [
    theirs,
    await product({ active: false }),
    await product({ currency: 'NGN' }),
    newId('prod', Date.now()),
  ]
  wrong.push(await product({ recurring: { interval: 'month' } }))
  const product_cart = [await product(), ...wrong].map((product_id) => ({ product_id, quantity: 1 }))
  const errors = Object.fromEntries([1, 2, 3, 4, 5].map((at) => [`product_cart.${at}.product_id`, 'value_error']))
  assertFieldErrors(await post({ product_cart }), errors)
})

test('VALIDATION_ERROR: only a custom price takes an amount, within its bounds', async () => {
  const product_id = await product(custom)
  const field = 'product_cart.0.amount'
  const of = (amount?: unknown) => post({ product_cart: [{ product_id, quantity: 1, amount }] })
  assertFieldErrors(await of(), { [field]: 'value_error.missing' })
  for (const amount of ['2.99', '50.01', '0']) assertFieldErrors(await of(amount), { [field]: 'value_error.range' })
  for (const amount of ['5.001', '1e1', '-5', ''])
    assertFieldErrors(await of(amount), { [field]: 'value_error.format' })
  assertFieldErrors(await of(5), { [field]: 'value_error.type' })
  for (const amount of ['3', '50.00']) assert.equal((await of(amount)).status, 201)
  const fixed = await post({ product_cart: [{ product_id: await product(), quantity: 1, amount: '5.00' }] })
  assertFieldErrors(fixed, { [field]: 'value_error' })
})

test('VALIDATION_ERROR: the sum of a cart is no more than the largest amount', async () => {
  const product_id = await product({ amount: '9999999999999.99' })
  assertFieldErrors(await post({ product_cart: [{ product_id, quantity: 11 }] }), { product_cart: 'value_error.range' })
  assert.equal((await post({ product_cart: [{ product_id, quantity: 1 }] })).status, 201)
})

test('products in a currency without a payment method are paid in another one', async () => {
  const of = async (over: Json) => post({ product_cart: [{ product_id: await product({ currency: 'EUR', ...over }) }] })
  const { body } = await of({})
  assert.deepEqual([body['currency'], body['amount']], ['EUR', '5.00'])
  assert.equal((await of(free)).status, 201)
})

const cents = (max: number) => fc.integer({ min: 0, max }).map((count) => new Big(count).div(100).toFixed(2))
const offered = fc.record({
  product_id: fc.constant('prod_1'),
  product_name: fc.string(),
  currency: fc.constant('USD'),
  price_type: fc.constant('custom' as const),
  unit_amount: fc.constant(null),
  suggested_amount: fc.constant(null),
  minimum_amount: fc.option(cents(10_000)),
  maximum_amount: fc.option(cents(100_000)),
}) satisfies fc.Arbitrary<OfferedItem>
const lines = fc.array(fc.tuple(offered, fc.integer({ min: 1, max: 999 }), cents(100_000)), { maxLength: 100 })

test('line totals are unit times quantity and sum to the amount, to the cent', () => {
  const property = fc.property(lines, (cart) => {
    const items = cart.map(([each, quantity, amount]) => lineItemOf(each, { product_id: 'prod_1', quantity, amount }))
    let sum = 0n // in cents, without a decimal library
    for (const [index, { unit_amount, quantity, line_total }] of items.entries()) {
      const inCents = BigInt(unit_amount.replace('.', '')) * BigInt(quantity)
      assert.equal(BigInt(line_total.replace('.', '')), inCents)
      assert.equal(unit_amount, cart[index]?.[2])
      sum += inCents
    }
    assert.equal(new Big(totalOf(items)).times(100).toFixed(), String(sum))
  })
  fc.assert(property, { numRuns: 300, seed: 20_261_121 })
})

test('a custom price is refused exactly where it is out of its bounds', () => {
  const property = fc.property(offered, cents(120_000), (each, amount) => {
    const { minimum_amount: low, maximum_amount: high } = each
    const isOutside = (low !== null && Number(amount) < Number(low)) || (high !== null && Number(amount) > Number(high))
    assert.equal(validateOfferedPrice(each, { product_id: 'prod_1', amount }, 'amount').length, isOutside ? 1 : 0)
  })
  fc.assert(property, { numRuns: 500, seed: 20_261_121 })
})

test('a declined cart can be paid again, and each attempt keeps its lines', async () => {
  const session = await sell([{ product_id: await product(), quantity: 5 }])
  const declined = await stack.merchant.payByCard(session as never, cards.declined)
  const { payment_id } = await stack.merchant.payByCard(session as never)
  for (const id of [declined['payment_id'], payment_id]) {
    assert.deepEqual((await stack.merchant.getPayment(String(id)))['line_items'], session['products'])
  }
})
