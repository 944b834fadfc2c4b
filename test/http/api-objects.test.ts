import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { corridorKeys } from '../../domain/corridor.ts'
import { assetKeys } from '../../domain/checkout/crypto.ts'
import { Checkout, CreatedCheckout } from '../../schemas/checkout/checkout.ts'
import { eventPayloads } from '../../schemas/event.ts'
import { ListedPayment, Payment } from '../../schemas/checkout/payment.ts'
import { assertError, assertFieldErrors, bearer, fromAnywhere, pageOf } from '../support/api.ts'
import { buyer, card, cards, sale, transferSale } from '../support/merchant.ts'
import { until } from '../support/stack.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

type Json = Record<string, unknown>
const create = (body: Json) => stack.merchant.call('POST', '/v1/checkout-sessions', body)

/** Holds an answer against its schema, and against the names of its fields, so that none is missing or too many. */
function assertShape(schema: TSchema, value: Json, fields: string): void {
  const validator = Compile(schema)
  assert.ok(validator.Check(value), JSON.stringify(validator.Errors(value), null, 2))
  assert.deepEqual(Object.keys(value).toSorted(), fields.split(' ').toSorted())
}

const checkoutFields =
  'checkout_id status payment_status recurring source_type payment_link_id amount currency billing_currency ' +
  'description reference charge payment_method customer customer_details success_url cancel_url products ' +
  'platform_fee transfer_amount session_mode metadata created_at updated_at expires_at completed_at'

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

test('a bank transfer shows who sent it, from where, and to which account', async () => {
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

test('charge is null while the session is open, failed attempts or not, and then shows the newest', async () => {
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

test('CURRENCY_NOT_SUPPORTED: a currency that is none, or that the service does not know', async () => {
  for (const currency of ['CHF', 'us', 'XTS', '', 'constructor', '__proto__']) {
    assertError(await create({ ...sale, amount: '100', currency }), 400, 'CURRENCY_NOT_SUPPORTED')
  }
})

test('CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD: a restriction that leaves nothing payable', async () => {
  for (const payment_method_options of [
    {},
    { mobile_money: { currencies: ['USD'] } },
    { crypto: { currencies: ['USDT_DOGE', 'USD'] } },
    { bank_transfer: { currencies: ['USD', 'KES'] } },
    { card: { currencies: ['EUR'] } },
    { paypal: {} },
  ]) {
    const reply = await create({ ...sale, payment_method_options })
    assertError(reply, 400, 'CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD')
  }
})

test('ACCOUNT_NOT_ACTIVATED: a live sale while no live rail serves the account', async () => {
  const { merchant } = await api.addMerchant('live')
  for (const currency of ['USD', 'NGN', 'KES']) {
    const reply = await merchant.call('POST', '/v1/checkout-sessions', { ...sale, currency })
    assertError(reply, 400, 'ACCOUNT_NOT_ACTIVATED')
  }
})

test('NOT_FOUND: a customer id that is missing, foreign or of the other environment', async () => {
  const foreign = await api.addMerchant()
  const body = { ...sale, customer: { email: 'foreign@example.com' } }
  const theirs = (await foreign.merchant.createCheckout(body)) as unknown as { customer: { id: string } }
  const live = await api.addKey({ accountId: foreign.accountId, environment: 'live' })
  for (const [merchant, id] of [
    [stack.merchant, theirs.customer.id],
    [stack.merchant, 'cust_1'],
    [stack.merchant, ''],
  ] as const) {
    const reply = await merchant.call('POST', '/v1/checkout-sessions', { ...sale, customer: { id } })
    assertError(reply, 404, 'NOT_FOUND')
  }
  const free = { ...sale, amount: '0', customer: { id: theirs.customer.id } }
  assertError(await live.merchant.call('POST', '/v1/checkout-sessions', free), 404, 'NOT_FOUND')
  assert.equal((await foreign.merchant.call('POST', '/v1/checkout-sessions', free)).status, 201)
})

const eventsOf = (email: string) =>
  stack.sql<{ type: string; body: string }>(
    `select type, body from events where resource_id in (select id from customers where email = ?) order by sequence`,
    [email],
  )

test('a customer given by email is made once, and told of again only when something has changed', async () => {
  const email = 'Given@Example.com'
  const known = email.toLowerCase()
  const types = async () => (await eventsOf(known)).map(({ type }) => type)
  const first = await create({ ...sale, customer: { email, name: 'Given' } })
  const { id } = (first.body as Record<string, Json>)['customer'] as { id: string }
  assert.deepEqual(first.body['customer'], { id, email: known, name: 'Given' })
  assert.deepEqual(first.body['customer_details'], { email: known, name: 'Given' })
  await create({ ...sale, customer: { email: known, name: 'Given' } })
  await create({ ...sale, customer: { email: known } })
  await create({ ...sale, customer: { id } })
  assert.deepEqual(await types(), ['customer.created'])
  const changed = await create({ ...sale, customer: { email, name: 'Changed', phone_number: '+2348012345678' } })
  assert.deepEqual(changed.body['customer'], { id, email: known, name: 'Changed' })
  assert.deepEqual(await types(), ['customer.created', 'customer.updated'])
  for (const { type, body } of await eventsOf(known)) {
    const { data } = JSON.parse(body) as { data: Json }
    const fields = 'customer_id email name phone_number metadata billing_address created_at updated_at'
    assertShape(eventPayloads[type as 'customer.created'], data, fields)
  }
})

test('customer_creation if_required: a buyer is kept with the sale and is no customer', async () => {
  const session = await stack.merchant.createCheckout()
  await stack.merchant.pay(session, {
    payment_method: 'USD_CARD',
    card: card(cards.success),
    confirm: true,
    customer_details: { email: 'Self@Example.com', name: 'Self' },
  })
  const paid = await stack.merchant.getCheckout(session.checkout_id)
  assert.equal(paid['customer'], null)
  assert.deepEqual(paid['customer_details'], { email: 'self@example.com', name: 'Self' })
  const [row] = await stack.sql<{ count: string }>(`select count(*) from customers where email = 'self@example.com'`)
  assert.equal(row?.count, '0')
})

test('customer_creation always: a buyer becomes a customer, matched by email', async () => {
  const pay = async (name: string) => {
    const session = await stack.merchant.createCheckout({ ...sale, customer_creation: 'always' })
    await stack.merchant.pay(session, {
      payment_method: 'USD_CARD',
      card: card(cards.success),
      confirm: true,
      customer_details: { email: 'always@example.com', name },
    })
    return (await stack.merchant.getCheckout(session.checkout_id)) as Record<string, Json>
  }
  const first = await pay('Always')
  const second = await pay('Always')
  assert.match(String(first['customer']?.['id']), /^cust_/)
  assert.equal(second['customer']?.['id'], first['customer']?.['id'])
  assert.deepEqual(
    (await eventsOf('always@example.com')).map(({ type }) => type),
    ['customer.created'],
  )
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

test('payment_method_options only narrows, and no currencies means all of them', async () => {
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

test('a buyer sees the offer and its fee, and nothing that is the merchant’s', async () => {
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
      assets: [],
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
      assets: assetKeys,
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
      assets: [],
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
  assert.equal((await merchant.confirm(session)).status, 200) // what has succeeded stays so
  const cancelled = await merchant.createCheckout()
  await merchant.cancel(cancelled.checkout_id)
  assertError(await pay(cancelled, { payment_method: 'USD_CARD' }), 409, 'CONFLICT')
  assertError(await merchant.confirm(cancelled), 409, 'CONFLICT')
  const simulate = (id: string) => merchant.call('POST', `/v1/test-helpers/checkout-sessions/${id}/pay`, {})
  assertError(await simulate(cancelled.checkout_id), 409, 'CONFLICT')
})

test('the sandbox pays a session with the outcome that is asked for', async () => {
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

test('a simulation that cannot work is refused before anything has happened', async () => {
  const { checkout_id } = await stack.merchant.createCheckout({ ...transferSale, customer: buyer })
  const onlyCards = { payment_method_options: { card: {} } }
  const usd = await stack.merchant.createCheckout({ ...sale, ...onlyCards, customer: buyer })
  const simulate = (id: string, body: Json) =>
    stack.merchant.call('POST', `/v1/test-helpers/checkout-sessions/${id}/pay`, body)
  const transfer = { payment_method: 'NGN_BANK_TRANSFER' }
  assertFieldErrors(await simulate(checkout_id, { ...transfer, outcome: 'failed' }), { outcome: 'value_error' })
  assertFieldErrors(await simulate(checkout_id, { ...transfer, amount: '0' }), { amount: 'value_error.range' })
  assertFieldErrors(await simulate(checkout_id, { ...transfer, amount: '1e3' }), { amount: 'value_error.format' })
  assertFieldErrors(await simulate(usd.checkout_id, { outcome: 'underpaid' }), {
    outcome: 'value_error',
    amount: 'value_error',
  })
  assertError(await simulate(usd.checkout_id, transfer), 400, 'PAYMENT_METHOD_NOT_ALLOWED')
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

test('every event that was recorded keeps its schema', async () => {
  await until(
    async () => (await stack.sql(`select 1 from events where type = 'checkout.completed'`)).length > 0,
    'events',
  )
  const events = await stack.sql<{ type: keyof typeof eventPayloads; body: string }>('select type, body from events')
  assert.ok(new Set(events.map(({ type }) => type)).size >= 5)
  for (const { type, body } of events) {
    const envelope = JSON.parse(body) as Json
    assert.deepEqual(Object.keys(envelope), ['id', 'type', 'created_at', 'data'])
    const validator = Compile(eventPayloads[type] as TSchema)
    assert.ok(validator.Check(envelope['data']), `${type} ${JSON.stringify(validator.Errors(envelope['data']))}`)
  }
})
