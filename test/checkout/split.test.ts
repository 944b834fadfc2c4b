import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, assertFieldErrors, bearer } from '../support/api.ts'
import { newProduct } from '../support/cart.ts'
import { type Merchant, sale } from '../support/merchant.ts'
import { changeAccount } from '../support/rows.ts'
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

test('VALIDATION_ERROR: a sale is split once, and a part is at most what settles of its amount', async () => {
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
  // Of 25.00 by card 23.97 settle, after a fee of 1.03.
  for (const split of [{ platform_fee: '23.98' }, { platform_fee: '25.00' }, share('23.98')]) {
    const reply = await post(split)
    assertFieldErrors(reply, {
      ['platform_fee' in split ? 'platform_fee' : 'transfer_data.amount']: 'value_error.range',
    })
    assert.match(reply.text, /must not be more than 23\.97/)
  }
  assert.equal((await post({ platform_fee: '23.97' })).status, 201)
  assert.equal((await post(share('23.97'))).status, 201)
})

test('where the buyer bears the fee, the whole amount may be promised; each way to pay has its own fee', async () => {
  const { merchant, accountId } = await api.addMerchant()
  await changeAccount(stack, accountId, { feePreference: 'customer_pays' })
  for (const more of [{}, { billing_currency: 'NGN' }, { currency: 'EUR' }]) {
    const whole = await post({ platform_fee: '25.00', ...more }, merchant)
    assert.equal(whole.status, 201, whole.text)
  }
  assertFieldErrors(await post({ platform_fee: '25.01' }, merchant), { platform_fee: 'value_error.range' })
  // A transfer of 1,000 NGN costs 10.00, a card 1.5 % and 100.00: the dearest way that is offered counts.
  const naira = { amount: '1000.00', currency: 'NGN' }
  const byTransfer = { ...naira, payment_method_options: { bank_transfer: {} } }
  assertFieldErrors(await post({ ...byTransfer, platform_fee: '990.01' }), { platform_fee: 'value_error.range' })
  assert.equal((await post({ ...byTransfer, platform_fee: '990.00' })).status, 201)
  assertFieldErrors(await post({ ...naira, platform_fee: '990.00' }), { platform_fee: 'value_error.range' })
})

test('a buyer who pays in another currency is not offered a way of which too little would settle', async () => {
  // Of 25.00 USD by card 23.97 settle; by mobile money in KES 1.5 % are kept: 24.62.
  const options = { card: { currencies: ['USD'] }, mobile_money: { currencies: ['KES'] } }
  const offered = async (platform_fee: string, payment_method_options: Json) => {
    const { status, body, text } = await post({ platform_fee, payment_method_options })
    assert.equal(status, 201, text)
    const secret = bearer(String(body['client_secret']))
    const path = `/v1/checkout-sessions/${String(body['checkout_id'])}/public`
    const { body: shownToBuyer } = await stack.merchant.call('GET', path, undefined, secret)
    return (shownToBuyer as unknown as { payment_methods: { payment_method: string }[] }).payment_methods
      .map(({ payment_method }) => payment_method)
      .toSorted()
  }
  assert.deepEqual(await offered('23.97', options), ['MOMO_KES', 'USD_CARD'])
  assert.deepEqual(await offered('24.50', { mobile_money: { currencies: ['KES'] } }), ['MOMO_KES'])
  assert.deepEqual(await offered('24.50', { mobile_money: { currencies: ['KES', 'XAF'] } }), ['MOMO_KES'])
  const dear = { platform_fee: '24.90', payment_method_options: { mobile_money: { currencies: ['KES', 'XAF'] } } }
  assertError(await post(dear), 400, 'CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD')
})

test('a cart is split by its sum, and a selection by the least that a buyer can pick', async () => {
  const [cheap, dear] = [await newProduct(stack.merchant), await newProduct(stack.merchant, { amount: '9.00' })]
  const products = { name: 'Sizes', products: [dear, cheap] }
  const { product_group_id } = (await stack.merchant.call('POST', '/v1/product-groups', products)).body
  const { success_url } = sale
  const of = (platform_fee: string, sold: Json) =>
    stack.merchant.call('POST', '/v1/checkout-sessions', { success_url, platform_fee, ...sold })
  const cart = { product_cart: [{ product_id: cheap, quantity: 2 }] }
  // Of 10.00 by card 9.41 settle, and of 5.00 4.55.
  assertFieldErrors(await of('9.42', cart), { platform_fee: 'value_error.range' })
  assert.equal((await of('9.41', cart)).body['platform_fee'], '9.41')
  assertFieldErrors(await of('4.56', { product_group_id }), { platform_fee: 'value_error.range' })
  assert.equal((await of('4.55', { product_group_id })).body['platform_fee'], '4.55')
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
