import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventPayloads } from '../../schemas/event.ts'
import { assertError } from '../support/api.ts'
import { card, cards, sale } from '../support/merchant.ts'
import { assertEventSchemas, assertShape } from '../support/shape.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// When a new session is refused, and who becomes its customer.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

type Json = Record<string, unknown>
const create = (body: Json) => stack.merchant.call('POST', '/v1/checkout-sessions', body)

test('CURRENCY_NOT_SUPPORTED: an invalid currency, or one that the service does not know', async () => {
  for (const currency of ['CHF', 'us', 'XTS', '', 'constructor', '__proto__']) {
    assertError(await create({ ...sale, amount: '100', currency }), 400, 'CURRENCY_NOT_SUPPORTED')
  }
})

test('CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD: a restriction that no method meets', async () => {
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

test('a customer given by email is created once, and has an update event only when something has changed', async () => {
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
    const fields = 'customer_id email name phone_number locale metadata billing_address created_at updated_at'
    assertShape(eventPayloads[type as 'customer.created'], data, fields)
  }
})

test('customer_creation if_required: a buyer’s details stay with the sale and make no customer', async () => {
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

test('customer_creation if_required: a buyer with a customer’s email does not become that customer', async () => {
  const email = 'stored@example.com'
  const stored = await stack.merchant.call('POST', '/v1/customers', { email, name: 'Stored', phone_number: null })
  assert.equal(stored.status, 201, stored.text)
  for (const customer_creation of [undefined, 'if_required']) {
    const session = await stack.merchant.createCheckout({ ...sale, customer_creation })
    const how = { payment_method: 'USD_CARD', card: card(cards.success), confirm: true }
    await stack.merchant.pay(session, { ...how, customer_details: { email, name: 'Somebody Else' } })
    const paid = await stack.merchant.getCheckout(session.checkout_id)
    assert.partialDeepStrictEqual(paid, { status: 'completed', customer: null })
    assert.deepEqual(paid['customer_details'], { email, name: 'Somebody Else' })
  }
  const { customer_id: id } = stored.body
  assert.deepEqual((await stack.merchant.call('GET', `/v1/customers/${id}`)).body, stored.body)
  const types = (await eventsOf(email)).map(({ type }) => type)
  assert.deepEqual(types, ['customer.created'], 'as it was stored')
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

test('metadata with an empty text is not stored, as in every other resource', async () => {
  const { status, body } = await create({ ...sale, metadata: { order: '1001', note: '' } })
  assert.equal(status, 201)
  assert.deepEqual(body['metadata'], { order: '1001' })
})

test('every recorded event matches its schema', async () => {
  assert.ok((await assertEventSchemas(stack)).has('customer.updated'))
})
