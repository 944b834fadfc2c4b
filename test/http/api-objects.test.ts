import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corridorKeys } from '../../domain/corridor.ts'
import { assetKeys } from '../../domain/checkout/crypto.ts'
import { Checkout, CreatedCheckout } from '../../schemas/checkout/checkout.ts'
import { ListedPayment, Payment } from '../../schemas/checkout/payment.ts'
import { assertError, bearer, fromAnywhere, pageOf } from '../support/api.ts'
import { buyer, card, cards, sale, transferSale } from '../support/merchant.ts'
import { assertEventSchemas, assertShape, checkoutFields } from '../support/shape.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ invariants: 'at the end' })
await useApi(stack)

type Json = Record<string, unknown>
const create = (body: Json) => stack.merchant.call('POST', '/v1/checkout-sessions', body)

const listedPaymentFields =
  'payment_id status amount amount_received currency base_amount base_currency rate fee_usd fee_preference ' +
  'billing_reason payment_method customer ' +
  'customer_details line_items checkout_id subscription_id invoice reference platform_fee transfer_amount ' +
  'refunded_amount refund_status disputed failure_code failure_message metadata created_at updated_at completed_at'

const given = {
  ...sale,
  reference: 'order-1',
  metadata: { color: 'red' },
  cancel_url: 'https://example.com/cancel',
  locale: 'en-NG',
}

test(
  'a created session has checkout_id, status, payment_status, recurring, source_type, amount, currency, ' +
    'billing_currency, reference, charge, payment_method, customer, customer_details, success_url, cancel_url, ' +
    'products, platform_fee, transfer_amount, session_mode, metadata, four timestamps, checkout_url, client_secret',
  async () => {
    const { status, body } = await create(given)
    assert.equal(status, 201)
    assertShape(CreatedCheckout, body, `${checkoutFields} checkout_url client_secret`)
    const { checkout_id, client_secret, checkout_url, created_at, updated_at, expires_at, ...rest } = body as Json
    assert.match(String(checkout_id), /^chk_[0-9a-z]{34}$/)
    assert.match(String(client_secret), new RegExp(`^${checkout_id}_secret_[\\w-]{32}$`))
    assert.ok(String(checkout_url).startsWith(`${stack.baseUrl}/`))
    assert.equal(created_at, updated_at)
    assert.match(String(expires_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(rest, {
      status: 'open',
      payment_status: 'requires_payment_method',
      recurring: null,
      source_type: 'CHECKOUT_SESSION',
      payment_link_id: null,
      amount: '25.00',
      currency: 'USD',
      billing_currency: 'USD',
      description: 'A test sale',
      reference: 'order-1',
      charge: null,
      payment_method: null,
      customer: null,
      customer_details: null,
      success_url: 'https://example.com/thanks',
      cancel_url: 'https://example.com/cancel',
      products: null,
      platform_fee: null,
      transfer_amount: null,
      session_mode: 'CART',
      metadata: { color: 'red' },
      completed_at: null,
    })
  },
)

test('read and list show what was created, without checkout_url and client_secret', async () => {
  const { body } = await create(given)
  const { checkout_url: _url, client_secret: _secret, ...session } = body as Json
  const read = await stack.merchant.getCheckout(String(session['checkout_id']))
  assertShape(Checkout, read, checkoutFields)
  assert.deepEqual(read, session)
  const listed = pageOf(await stack.merchant.call('GET', '/v1/checkout-sessions?limit=1'))
  assert.deepEqual(listed.items, [session])
})

test('a paid session and its payment have every field of the interface', async () => {
  const { merchant } = stack
  const session = await merchant.createCheckout({ ...given, customer: buyer })
  await merchant.payByCard(session)
  const paid = await merchant.getCheckout(session.checkout_id)
  assertShape(Checkout, paid, checkoutFields)
  const { charge, customer, ...rest } = paid as Record<string, Json>
  assert.equal(rest['status'], 'completed')
  assert.equal(rest['payment_status'], 'succeeded')
  assert.equal(rest['payment_method'], 'CARD')
  assert.equal(typeof rest['completed_at'], 'string')
  assert.deepEqual(Object.keys(charge ?? {}), [
    'payment_id',
    'billing_reason',
    'status',
    'amount',
    'currency',
    'fee_usd',
  ])
  assert.deepEqual(
    { ...charge, payment_id: null },
    {
      payment_id: null,
      billing_reason: 'purchase',
      status: 'succeeded',
      amount: '25.00',
      currency: 'USD',
      fee_usd: '1.03',
    },
  )
  assert.deepEqual(Object.keys(customer ?? {}), ['id', 'email', 'name'])
  const payment = await merchant.getPayment(String(charge?.['payment_id']))
  assertShape(Payment, payment, `${listedPaymentFields} payment_method_details`)
  const { payment_id: _id, created_at: _created, updated_at: _updated, completed_at, ...facts } = payment
  assert.equal(typeof completed_at, 'string')
  assert.deepEqual(facts, {
    status: 'succeeded',
    amount: '25.00',
    amount_received: '25.00',
    currency: 'USD',
    base_amount: '25.00',
    base_currency: 'USD',
    rate: null,
    fee_usd: '1.03',
    fee_preference: 'org_pays',
    billing_reason: 'purchase',
    payment_method: 'USD_CARD',
    payment_method_details: {
      brand: 'visa',
      last4: '4242',
      exp_month: 12,
      exp_year: 2040,
      country: 'US',
      three_d_secure: false,
    },
    customer,
    customer_details: buyer,
    line_items: null,
    checkout_id: session.checkout_id,
    subscription_id: null,
    invoice: null,
    reference: 'order-1',
    platform_fee: null,
    transfer_amount: null,
    refunded_amount: '0.00',
    refund_status: 'none',
    disputed: false,
    failure_code: null,
    failure_message: null,
    metadata: { color: 'red' },
  })
  const [listed = {}] = pageOf(await merchant.call('GET', `/v1/payments?checkout_id=${session.checkout_id}`)).items
  assertShape(ListedPayment, listed, listedPaymentFields)
  const { payment_method_details: _details, ...same } = payment
  assert.deepEqual(listed, same)
})

test('a bank transfer shows its sender, the sender’s bank and the account it was sent to', async () => {
  const { merchant } = stack
  const session = await merchant.createCheckout(transferSale)
  const { payment_id, next_action } = await merchant.payByTransfer(session)
  assert.equal((await merchant.getCheckout(session.checkout_id))['payment_method'], 'NGN_BANK_TRANSFER')
  await merchant.deposit(payment_id, { sender_name: 'Bola Sender', session_id: 'S1' })
  const { payment_method, payment_method_details: details } = await merchant.getPayment(payment_id)
  assert.equal(payment_method, 'NGN_BANK_TRANSFER')
  const { sender_bank, sender_account_number, ...known } = details as Json
  assert.deepEqual(known, {
    sender_name: 'Bola Sender',
    session_id: 'S1',
    account_number: next_action['account_number'],
  })
  assert.ok(sender_bank && sender_account_number)
})

test('charge is null while the session is open, even after a failure; then it shows the newest attempt', async () => {
  const { merchant } = stack
  const session = await merchant.createCheckout()
  const { payment_id } = await merchant.payByCard(session, cards.declined)
  const open = await merchant.getCheckout(session.checkout_id)
  assert.equal(open['status'], 'open')
  assert.equal(open['payment_status'], 'failed')
  assert.equal(open['charge'], null)
  const failed = await merchant.getPayment(String(payment_id))
  assert.equal(failed['failure_code'], 'card_declined')
  assert.equal(typeof failed['failure_message'], 'string')
  await merchant.cancel(session.checkout_id)
  const cancelled = (await merchant.getCheckout(session.checkout_id)) as Record<string, Json>
  assert.equal(cancelled['charge']?.['payment_id'], payment_id)
  assert.equal(cancelled['charge']?.['status'], 'failed')
})

const pay = (session: { checkout_id: string; client_secret: string }, body: Json) =>
  stack.merchant.call(
    'POST',
    `/v1/checkout-sessions/${session.checkout_id}/pay`,
    { customer_details: buyer, card: card(cards.success), ...body },
    { ...bearer(session.client_secret), ...fromAnywhere() },
  )

test('PAYMENT_METHOD_NOT_ALLOWED: a method or currency that the session does not take', async () => {
  const ngn = await stack.merchant.createCheckout({ ...transferSale, payment_method_options: { bank_transfer: {} } })
  const usd = await stack.merchant.createCheckout({
    ...sale,
    payment_method_options: { card: { currencies: ['USD'] } },
  })
  for (const [session, body] of [
    [ngn, { payment_method: 'NGN_CARD' }],
    [ngn, { payment_method: 'USD_CARD' }],
    [ngn, { payment_method: 'NGN_BANK_TRANSFER', currency: 'USD' }],
    [usd, { payment_method: 'NGN_CARD' }],
    [usd, { payment_method: 'USD_CARD', currency: 'NGN' }],
    [usd, { payment_method: 'CARD' }],
    [usd, { payment_method: 'MOMO_GHS' }],
    [usd, { payment_method: 'constructor' }],
  ] as const) {
    assertError(await pay(session, body), 400, 'PAYMENT_METHOD_NOT_ALLOWED')
  }
  assert.equal((await pay(ngn, { payment_method: 'NGN_BANK_TRANSFER', currency: 'NGN' })).status, 200)
})

test('payment_method_options only narrows the offer, and an empty list of currencies means all of them', async () => {
  const offered = async (payment_method_options: unknown) => {
    const session = await stack.merchant.createCheckout({ ...transferSale, payment_method_options })
    const { body } = await stack.merchant.call(
      'GET',
      `/v1/checkout-sessions/${session.checkout_id}/public`,
      undefined,
      { ...bearer(session.client_secret), ...fromAnywhere() },
    )
    return (body['payment_methods'] as unknown as { payment_method: string }[]).map(
      ({ payment_method }) => payment_method,
    )
  }
  const own = ['NGN_CARD', 'NGN_BANK_TRANSFER']
  const all = [...own, ...corridorKeys.filter((key) => !own.includes(key))]
  assert.deepEqual(await offered(null), all)
  assert.deepEqual(await offered({ card: {}, bank_transfer: {}, mobile_money: {}, crypto: {} }), all)
  const byCard = ['NGN_CARD', 'USD_CARD']
  assert.deepEqual(await offered({ card: {} }), byCard)
  assert.deepEqual(await offered({ card: { currencies: [] } }), byCard)
  assert.deepEqual(await offered({ card: { currencies: ['USD', 'NGN'] } }), byCard)
  assert.deepEqual(await offered({ card: { currencies: ['NGN'] } }), ['NGN_CARD'])
  assert.deepEqual(await offered({ card: { currencies: ['USD'] }, bank_transfer: {} }), [
    'NGN_BANK_TRANSFER',
    'USD_CARD',
  ])
})

test('a buyer sees the offer and its fee, and none of the merchant’s own fields', async () => {
  await stack.sql(`update accounts set fee_preference = 'customer_pays' where id = ?`, [stack.organizationId])
  const payment_method_options = { card: {}, crypto: {} }
  const session = await stack.merchant.createCheckout({ ...given, payment_method_options })
  await stack.sql(`update accounts set fee_preference = 'org_pays' where id = ?`, [stack.organizationId])
  const path = `/v1/checkout-sessions/${session.checkout_id}/public`
  const { body } = await stack.merchant.call('GET', path, undefined, {
    ...bearer(session.client_secret),
    ...fromAnywhere(),
  })
  assert.deepEqual(body['payment_methods'], [
    {
      payment_method: 'USD_CARD',
      type: 'card',
      currency: 'USD',
      amount: '25.00',
      fee: '1.03',
      total: '26.03',
      rate: null,
      providers: [],
      calling_codes: [],
      assets: [],
      card_entry: 'numbers',
      card_field: null,
    },
    {
      payment_method: 'CRYPTO',
      type: 'crypto',
      currency: 'USD',
      amount: '25.00',
      fee: '0.25',
      total: '25.25',
      rate: null,
      providers: [],
      calling_codes: [],
      assets: assetKeys,
      card_entry: null,
      card_field: null,
    },
    {
      payment_method: 'NGN_CARD',
      type: 'card',
      currency: 'NGN',
      amount: '40000.00',
      fee: '700.00',
      total: '40700.00',
      rate: '1600',
      providers: [],
      calling_codes: [],
      assets: [],
      card_entry: 'numbers',
      card_field: null,
    },
  ])
  for (const hidden of ['metadata', 'reference', 'client_secret', 'customer', 'account_id'])
    assert.ok(!(hidden in body))
  const { body: chosen } = await pay(session, { payment_method: 'USD_CARD' })
  assert.deepEqual(
    [chosen['amount'], chosen['fee'], chosen['total'], chosen['payment_id']],
    ['25.00', '1.03', '26.03', null],
  )
  await stack.merchant.confirm(session)
  const { charge } = (await stack.merchant.getCheckout(session.checkout_id)) as Record<string, Json>
  assert.equal(charge?.['amount'], '26.03')
})

test('CONFLICT: paying, confirming or cancelling a session that has ended', async () => {
  const { merchant } = stack
  const session = await merchant.createCheckout()
  assertError(await merchant.confirm(session), 409, 'CONFLICT')
  await merchant.payByCard(session)
  assertError(await pay(session, { payment_method: 'USD_CARD' }), 409, 'CONFLICT')
  assertError(await merchant.cancel(session.checkout_id), 409, 'CONFLICT')
  assert.equal((await merchant.confirm(session)).status, 200) // a payment that has succeeded stays succeeded
  const cancelled = await merchant.createCheckout()
  await merchant.cancel(cancelled.checkout_id)
  assertError(await pay(cancelled, { payment_method: 'USD_CARD' }), 409, 'CONFLICT')
  assertError(await merchant.confirm(cancelled), 409, 'CONFLICT')
  const simulate = (id: string) => merchant.call('POST', `/v1/test-helpers/checkout-sessions/${id}/pay`, {})
  assertError(await simulate(cancelled.checkout_id), 409, 'CONFLICT')
})

test('every recorded event matches its schema', async () => {
  assert.ok((await assertEventSchemas(stack)).has('collection.failed'))
})
