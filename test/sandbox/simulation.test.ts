import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Checkout } from '../../schemas/checkout/checkout.ts'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import { buyer, sale, transferSale } from '../support/merchant.ts'
import { assertEventSchemas, assertShape, checkoutFields } from '../support/shape.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// The test helpers that pay a session and send a deposit.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

type Json = Record<string, unknown>

test('the sandbox pays a session with the requested outcome', async () => {
  const simulate = async (body: Json, what: Json = sale) => {
    const { checkout_id } = await stack.merchant.createCheckout({ ...what, customer: buyer })
    const reply = await stack.merchant.call('POST', `/v1/test-helpers/checkout-sessions/${checkout_id}/pay`, body)
    assert.equal(reply.status, 200, reply.text)
    assertShape(Checkout, reply.body, checkoutFields)
    return reply.body as Record<string, string>
  }
  assert.equal((await simulate({}))['status'], 'completed')
  assert.equal((await simulate({}, { ...sale, amount: '0' }))['payment_status'], 'succeeded')
  for (const outcome of ['failed', 'card_declined', 'insufficient_funds', 'expired_card']) {
    assert.equal((await simulate({ outcome }))['payment_status'], 'failed')
  }
  assert.equal(
    (await simulate({ payment_method: 'NGN_BANK_TRANSFER' }, transferSale))['payment_method'],
    'NGN_BANK_TRANSFER',
  )
  const short = await simulate({ outcome: 'underpaid' }, transferSale)
  assert.equal(short['status'], 'open')
  const [payment] = pageOf(await stack.merchant.call('GET', `/v1/payments?checkout_id=${short['checkout_id']}`)).items
  assert.deepEqual([payment?.['status'], payment?.['amount_received']], ['underpaid', '2500.00'])
  assert.equal((await simulate({ amount: '5000.01' }, transferSale))['status'], 'completed')
})

test('a simulation that cannot work is refused before anything happens', async () => {
  const { checkout_id } = await stack.merchant.createCheckout({ ...transferSale, customer: buyer })
  const onlyCards = { payment_method_options: { card: {} } }
  const usd = await stack.merchant.createCheckout({ ...sale, ...onlyCards, customer: buyer })
  const simulate = (id: string, body: Json) =>
    stack.merchant.call('POST', `/v1/test-helpers/checkout-sessions/${id}/pay`, body)
  const transfer = { payment_method: 'NGN_BANK_TRANSFER' }
  assertFieldErrors(await simulate(checkout_id, { ...transfer, outcome: 'failed' }), { outcome: 'value_error' })
  assertFieldErrors(await simulate(checkout_id, { ...transfer, amount: '0' }), { amount: 'value_error.range' })
  assertFieldErrors(await simulate(checkout_id, { ...transfer, amount: '1e3' }), { amount: 'value_error.format' })
  assertFieldErrors(await simulate(usd.checkout_id, { outcome: 'underpaid' }), { outcome: 'value_error' })
  assertFieldErrors(await simulate(usd.checkout_id, { amount: '5.00' }), { amount: 'value_error' })
  const otherWay = await simulate(usd.checkout_id, transfer)
  assertError(otherWay, 400, 'PAYMENT_METHOD_NOT_ALLOWED')
  assert.match(otherWay.text, /payment_method must be one of USD_CARD, NGN_CARD/)
  const [row] = await stack.sql<{ count: string }>(
    'select count(*) from payment_requests where checkout_id in (?, ?)',
    [checkout_id, usd.checkout_id],
  )
  assert.equal(row?.count, '0')
})

test('SIMULATION_NOT_ALLOWED: a live key cannot simulate', async () => {
  const { merchant } = await api.addMerchant('live')
  const { checkout_id } = await merchant.createCheckout({ ...sale, amount: '0' })
  const sold = await merchant.call('POST', `/v1/test-helpers/checkout-sessions/${checkout_id}/pay`, {})
  assertError(sold, 400, 'SIMULATION_NOT_ALLOWED')
  const deposit = await merchant.call('POST', '/v1/test-helpers/payments/pay_1/deposit', {})
  assertError(deposit, 400, 'SIMULATION_NOT_ALLOWED')
})

test('CONFLICT: a deposit to a paid account, to a card, or with another transfer’s session id', async () => {
  const { merchant } = stack
  const byCard = await merchant.payByCard(await merchant.createCheckout())
  assertError(await merchant.deposit(String(byCard['payment_id'])), 409, 'CONFLICT')
  const { payment_id } = await merchant.payByTransfer(await merchant.createCheckout(transferSale))
  assert.equal(
    (await merchant.deposit(payment_id, { amount: '4999.99', session_id: 'same' })).body['status'],
    'underpaid',
  )
  const again = await merchant.deposit(payment_id, { amount: '4999.99', session_id: 'same' })
  assert.equal(again.body['amount_received'], '4999.99')
  const other = await merchant.payByTransfer(await merchant.createCheckout(transferSale))
  assertError(await merchant.deposit(other.payment_id, { session_id: 'same' }), 409, 'CONFLICT')
  assertFieldErrors(await merchant.deposit(payment_id, { amount: '' }), { amount: 'value_error.format' })
  assertFieldErrors(await merchant.deposit(payment_id, { amount: '0.00' }), { amount: 'value_error.range' })
  const done = await merchant.deposit(payment_id)
  assert.deepEqual([done.body['status'], done.body['amount_received']], ['succeeded', '5000.00'])
  assertError(await merchant.deposit(payment_id), 409, 'CONFLICT')
})

test('every recorded event matches its schema', async () => {
  assert.ok((await assertEventSchemas(stack)).has('collection.underpaid'))
})
