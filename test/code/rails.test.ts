import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assetKeys } from '../../domain/checkout/crypto.ts'
import { newId } from '../../domain/id.ts'
import { capabilities } from '../../domain/platform/capability.ts'
import { corridorKeys, corridorOf, methods } from '../../domain/corridor.ts'
import { assertError, assertFieldErrors, bearer, fromAnywhere, pageOf } from '../support/api.ts'
import { buyer, card, cards, mobileSale, sale } from '../support/merchant.ts'
import { newLink } from '../support/payment-link.ts'
import { addDestination } from '../support/payout.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ invariants: 'at the end', pace: { thinkingMs: 50, blockMs: 50 } })
const api = await useApi(stack)

type Body = Record<string, unknown>
const wallet = { payment_method: 'MOMO_KES', phone_number: '+254700000001', provider: 'mpesa' }

/** The offer that a buyer sees of a new session. */
async function offerOf(body: Body): Promise<Body[]> {
  const session = await stack.merchant.createCheckout(body)
  const path = `/v1/checkout-sessions/${session.checkout_id}/public`
  const headers = { ...bearer(session.client_secret), ...fromAnywhere() }
  const reply = await stack.merchant.call('GET', path, undefined, headers)
  return reply.body['payment_methods'] as unknown as Body[]
}

test('the payment methods are listed for anybody, and only crypto is off by default', async () => {
  const { status, body } = await stack.merchant.call('GET', '/v1/payment-methods', undefined, { authorization: '' })
  assert.equal(status, 200)
  const listed = body['payment_methods'] as unknown as Body[]
  assert.deepEqual(
    listed.map(({ id, type, enabled_by_default, currencies }) => ({ id, type, enabled_by_default, currencies })),
    [
      { id: 'card', type: 'fiat', enabled_by_default: true, currencies: ['USD', 'NGN'] },
      { id: 'bank_transfer', type: 'fiat', enabled_by_default: true, currencies: ['NGN'] },
      {
        id: 'mobile_money',
        type: 'fiat',
        enabled_by_default: true,
        currencies: ['GHS', 'KES', 'RWF', 'TZS', 'UGX', 'XAF', 'XOF', 'ZMW'],
      },
      { id: 'crypto', type: 'crypto', enabled_by_default: false, currencies: [...assetKeys] },
    ],
  )
  for (const { display_name, icon, description } of listed) {
    assert.ok([display_name, icon, description].every((words) => typeof words === 'string' && words !== ''))
  }
  assert.equal(listed.length, methods.length)
})

test('mobile money needs a number and a provider of the right country, and answers both errors at once', async () => {
  const session = await stack.merchant.createCheckout(mobileSale)
  const pay = (body: Body) => stack.merchant.pay(session, { payment_method: 'MOMO_KES', ...body })
  const phone_number = '+254700000001'
  const missing = 'value_error.missing'
  assertFieldErrors(await pay({}), { phone_number: missing, provider: missing })
  assertFieldErrors(await pay({ phone_number }), { provider: missing })
  assertFieldErrors(await pay({ phone_number, provider: 'vodafone' }), { provider: 'value_error.enum' })
  for (const wrong of ['0700000001', '254700000001', '+254 700 000 001', '+0254700000001', '+2547', '+233241234567']) {
    const reply = await pay({ provider: 'mpesa', phone_number: wrong })
    assertFieldErrors(reply, { phone_number: 'value_error.format' })
    assert.ok(!reply.text.includes(wrong), 'an error repeats no number')
  }
  assertFieldErrors(await pay({ phone_number: 254700000001, provider: 'mpesa' }), { phone_number: 'value_error.type' })
  assert.equal((await pay({ phone_number, provider: 'mpesa' })).status, 200)
})

test('crypto needs a known asset, and accepts only those that the session allows', async () => {
  const payment_method_options = { crypto: { currencies: ['USDT_TRC20', 'SOL_SOL'] } }
  const session = await stack.merchant.createCheckout({ ...sale, payment_method_options })
  const pay = (body: Body) => stack.merchant.pay(session, { payment_method: 'CRYPTO', ...body })
  assertFieldErrors(await pay({}), { asset: 'value_error.missing' })
  assertFieldErrors(await pay({ asset: 'USDT' }), { asset: 'value_error.enum' })
  assertFieldErrors(await pay({ asset: 'constructor' }), { asset: 'value_error.enum' })
  assertError(await pay({ asset: 'ETH_ETH' }), 400, 'PAYMENT_METHOD_NOT_ALLOWED')
  assertError(await pay({ asset: 'SOL_SOL', currency: 'EUR' }), 400, 'PAYMENT_METHOD_NOT_ALLOWED')
  assertError(await pay({ payment_method: 'USD_CARD' }), 400, 'PAYMENT_METHOD_NOT_ALLOWED')
  assert.equal((await pay({ asset: 'SOL_SOL' })).body['payment_status'], 'requires_action')
})

test('a restriction narrows mobile money and crypto as it does the others', async () => {
  const offered = async (body: Body) =>
    (await offerOf(body)).map(({ payment_method, assets }) => [payment_method, assets])
  assert.deepEqual(await offered({ ...sale, payment_method_options: { crypto: { currencies: ['ETH_ETH'] } } }), [
    ['CRYPTO', ['ETH_ETH']],
  ])
  const onlyDollars = { card: { currencies: ['USD'] } }
  assert.deepEqual(await offered({ ...sale, payment_method_options: onlyDollars }), [['USD_CARD', []]])
  const mobile_money = { currencies: ['KES'] }
  assert.deepEqual(await offered({ ...mobileSale, payment_method_options: { mobile_money } }), [['MOMO_KES', []]])
  const leavesNothing = { ...mobileSale, payment_method_options: { mobile_money: { currencies: ['NGN'] } } }
  const reply = await stack.merchant.call('POST', '/v1/checkout-sessions', leavesNothing)
  assertError(reply, 400, 'CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD')
  const [kes] = await offerOf(mobileSale)
  assert.deepEqual(kes?.['providers'], ['mpesa', 'airtel'])
})

test('an excluded corridor is PAYMENT_METHOD_NOT_ALLOWED', async () => {
  const payment_method_options = { mobile_money: { currencies: ['KES'] } }
  const session = await stack.merchant.createCheckout({ ...mobileSale, payment_method_options })
  for (const payment_method of ['MOMO_GHS', 'CRYPTO', 'USD_CARD', 'MOMO_NGN']) {
    assertError(await stack.merchant.pay(session, { ...wallet, payment_method }), 400, 'PAYMENT_METHOD_NOT_ALLOWED')
  }
})

/** Pays a new session with the test helper; returns its answer and the payment. */
async function simulate(body: Body, what: Body) {
  const { checkout_id } = await stack.merchant.createCheckout({ ...what, customer: buyer })
  const path = `/v1/test-helpers/checkout-sessions/${checkout_id}/pay`
  const reply = await stack.merchant.call('POST', path, body)
  assert.equal(reply.status, 200, reply.text)
  const [payment] = pageOf(await stack.merchant.call('GET', `/v1/payments?checkout_id=${checkout_id}`)).items
  return { session: reply.body as Body, payment: payment as Body }
}

const rails = corridorKeys.filter((key) => corridorOf(key).method === 'mobile_money' || key === 'CRYPTO')
for (const payment_method of rails) {
  test(`${payment_method}: the test helper simulates success and the possible failures`, async () => {
    const what = { ...sale, amount: '2000', currency: corridorOf(payment_method).currency }
    const { session, payment } = await simulate({ payment_method }, what)
    assert.deepEqual([session['status'], payment['status']], ['completed', 'succeeded'])
    assert.equal(session['payment_method'], payment_method)
    if (payment_method === 'CRYPTO') {
      const short = await simulate({ payment_method, outcome: 'underpaid' }, what)
      assert.deepEqual([short.session['status'], short.payment['amount_received']], ['open', '1000.00'])
      const over = await simulate({ payment_method, amount: '2000.5' }, what)
      assert.deepEqual([over.session['status'], over.payment['amount_received']], ['completed', '2000.50'])
      return
    }
    const ends = {
      insufficient_funds: ['failed', 'insufficient_funds'],
      authentication_failed: ['failed', 'authentication_failed'],
      customer_rejected: ['failed', 'customer_rejected'],
      customer_timeout: ['requires_action', null],
    }
    const simulated = Object.keys(ends).map(async (outcome) => {
      const end = await simulate({ payment_method, outcome }, what)
      return [outcome, [end.payment['status'], end.payment['failure_code']]]
    })
    assert.deepEqual(Object.fromEntries(await Promise.all(simulated)), ends)
  })
}

test('an outcome or amount that a corridor cannot simulate is refused', async () => {
  const kes = await stack.merchant.createCheckout({ ...mobileSale, customer: buyer })
  const usd = await stack.merchant.createCheckout({ ...sale, customer: buyer })
  const call = (id: string, body: Body) =>
    stack.merchant.call('POST', `/v1/test-helpers/checkout-sessions/${id}/pay`, body)
  assertFieldErrors(await call(kes.checkout_id, { outcome: 'expired_card' }), { outcome: 'value_error' })
  assertFieldErrors(await call(kes.checkout_id, { outcome: 'underpaid' }), { outcome: 'value_error' })
  assertFieldErrors(await call(usd.checkout_id, { outcome: 'customer_rejected' }), { outcome: 'value_error' })
  const crypto = { payment_method: 'CRYPTO' }
  assertFieldErrors(await call(usd.checkout_id, { ...crypto, outcome: 'failed' }), { outcome: 'value_error' })
  assertFieldErrors(await call(usd.checkout_id, { ...crypto, amount: '1.0000001' }), { amount: 'value_error.format' })
  assertFieldErrors(await call(usd.checkout_id, { ...crypto, amount: '0' }), { amount: 'value_error.range' })
})

test('CONFLICT: nothing can be deposited on a wallet’s payment', async () => {
  const session = await stack.merchant.createCheckout(mobileSale)
  const { payment_id } = await stack.merchant.payByPhone(session)
  assertError(await stack.merchant.deposit(payment_id, { amount: '10.00' }), 409, 'CONFLICT')
})

test('ACCOUNT_NOT_ACTIVATED, CHECKOUT_HAS_NO_PAYMENT_METHOD: live calls that need a rail are refused', async () => {
  const { merchant, accountId } = await api.addMerchant('live')
  await stack.sql('update accounts set payments_enabled = true where id = ?', [accountId])
  for (const capability of capabilities) {
    await stack.sql(`insert into account_capabilities values (?, 'live', ?, 'active', now())`, [accountId, capability])
  }
  const post = (path: string, body: object) => merchant.call('POST', path, body)
  const { success_url } = sale
  const destination = await addDestination(stack, { accountId, environment: 'live' })
  const bankAccount = { currency: 'NGN', bank_code: '011', account_number: '0000014579' }
  for (const [path, body, code = 'ACCOUNT_NOT_ACTIVATED'] of [
    ['/v1/checkout-sessions', sale, 'CHECKOUT_HAS_NO_PAYMENT_METHOD'],
    ['/v1/checkout-sessions', { setup: true, success_url }, 'CHECKOUT_HAS_NO_PAYMENT_METHOD'],
    ['/v1/payment-links', newLink, 'CHECKOUT_HAS_NO_PAYMENT_METHOD'],
    ['/v1/payouts', { destination, amount: '10.00' }],
    ['/v1/payouts/destinations/resolve', bankAccount],
    ['/v1/payouts/destinations', { name: 'Our own', type: 'bank_account', ...bankAccount }],
    ['/v1/conversions/quotes', { from_currency: 'USD', to_currency: 'NGN', from_amount: '10.00' }],
    ['/v1/virtual-accounts', { customer_id: newId('cust', 0), currency: 'NGN', account_name: 'Ada' }],
  ] as const) {
    assertError(await post(path, body), 400, code)
  }
})

test('a free live sale needs no rail, and takes no card number either', async () => {
  const { merchant } = await api.addMerchant('live')
  const free = await merchant.createCheckout({ ...sale, amount: '0.00' })
  const chosen = { payment_method: 'USD_CARD', customer_details: buyer }
  assertFieldErrors(await merchant.pay(free, { ...chosen, card: card(cards.success) }), { card: 'value_error' })
  const paid = await merchant.pay(free, chosen)
  assert.deepEqual([paid.status, paid.body['payment_id']], [200, null])
  assert.equal(await stack.finished('checkout', free.checkout_id), 'completed')
})
