import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SavedPaymentMethod } from '../../db/checkout/payment-method.ts'
import { assertError, assertFieldErrors, bearer } from '../support/api.ts'
import { dataOf, newProduct } from '../support/cart.ts'
import { buyer, card, cards, type Merchant, sale, setup } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// A card is saved without a sale, once, by the session's process.
const stack = await useStack()
const api = await useApi(stack)

type Json = Record<string, unknown>
type Session = Awaited<ReturnType<Merchant['createCheckout']>>
const create = (body: Json) => stack.merchant.call('POST', '/v1/checkout-sessions', { ...setup, ...body })
const buyerOf = (name: string) => ({ ...buyer, email: `${name}@example.com` })
const choose = (session: Session, number: string, over: Json = {}) =>
  stack.merchant.pay(session, { payment_method: 'USD_CARD', card: card(number), ...over })

async function viewOf({ checkout_id, client_secret }: Session): Promise<Json> {
  const path = `/v1/checkout-sessions/${checkout_id}/public`
  return (await stack.merchant.call('GET', path, undefined, bearer(client_secret))).body
}

const payByHelper = ({ checkout_id }: Session, body: Json) =>
  stack.merchant.call('POST', `/v1/test-helpers/checkout-sessions/${checkout_id}/pay`, body)

async function savedOf(session: Session): Promise<Json[]> {
  const { customer } = (await stack.merchant.getCheckout(session.checkout_id)) as { customer: { id: string } }
  const { body } = await stack.merchant.call('GET', `/v1/customers/${customer.id}/payment-methods`)
  return body['items'] as unknown as Json[]
}

const typesOf = async (session: Session, customer: string) =>
  (
    await stack.sql<{ type: string }>('select type from events where resource_id in (?, ?) order by sequence', [
      session.checkout_id,
      customer,
    ])
  ).map(({ type }) => type)

test('a card is saved: the session completes without a charge, with a customer and its two events', async () => {
  const session = await stack.merchant.createCheckout(setup)
  const view = await viewOf(session)
  assert.deepEqual([view['setup'], view['amount'], view['currency']], [true, '0.00', 'USD'])
  const offers = view['payment_methods'] as unknown as Json[]
  assert.deepEqual(
    offers.map(({ payment_method, fee, total, rate }) => [payment_method, fee, total, rate]),
    [
      ['USD_CARD', '0.00', '0.00', null],
      ['NGN_CARD', '0.00', '0.00', null], // and nothing is converted
    ],
  )
  const chosen = await choose(session, cards.success, { customer_details: buyerOf('saved') })
  assert.equal(chosen.body['payment_status'], 'requires_confirmation')
  const { body } = await stack.merchant.confirm(session)
  assert.deepEqual([body['status'], body['payment_status'], body['payment_id']], ['completed', 'succeeded', null])

  const done = await stack.merchant.getCheckout(session.checkout_id)
  assert.deepEqual([done['charge'], done['payment_method'], done['amount']], [null, 'CARD', '0.00'])
  const { id } = done['customer'] as { id: string }
  assert.deepEqual(await typesOf(session, id), ['customer.created', 'checkout.completed'])
  const event = await dataOf(stack, 'checkout.completed', session.checkout_id)
  assert.deepEqual(
    [event['payment_status'], event['payment_id'], event['payment_method']],
    ['no_payment_required', null, 'CARD'],
  )
  const [saved = {}, ...others] = await savedOf(session)
  assert.deepEqual(others, [])
  assert.match(String(saved['payment_method_id']), /^pm_/)
  assert.deepEqual(
    [saved['type'], saved['card']],
    ['card', { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040, country: 'US' }],
  )
  assert.deepEqual(Object.keys(saved), ['payment_method_id', 'type', 'card', 'created_at'])
  assert.equal((await stack.merchant.confirm(session)).status, 200)
  assert.equal((await savedOf(session)).length, 1)
})

test('a card with 3DS asks for its code, and once saved it can be charged without its owner', async () => {
  const session = await stack.merchant.createCheckout({ ...setup, customer: buyerOf('secure') })
  const { body } = await choose(session, cards.threeDs, { confirm: true })
  assert.deepEqual([body['payment_status'], body['next_action']], ['requires_action', { type: 'otp' }])
  assert.equal((await stack.merchant.confirm(session, { code: '123456' })).body['payment_status'], 'succeeded')
  const [saved] = await savedOf(session)
  const em = stack.database.orm.em.fork()
  const { corridor, railToken } = await em.findOneOrFail(SavedPaymentMethod, {
    id: String(saved?.['payment_method_id']),
  })
  assert.equal(corridor, 'USD_CARD')
  const order = {
    environment: 'sandbox' as const,
    paymentId: `pay_later`,
    corridor: 'USD_CARD' as const,
    amount: '5.00',
    currency: 'USD' as const,
    token: railToken,
    securityCode: null,
    statementText: null,
    savesCard: false,
    provider: null,
    asset: null,
    listensUntil: 0,
    expiresAt: 0,
    email: null,
    returnUrl: null,
  }
  const answer = await stack.deps.rails
    .in('sandbox')
    .of('USD_CARD')
    .charge(order, await stack.clock.now())
  assert.equal(answer.status, 'succeeded')
  await stack.sql(`delete from simulated_charges where payment_id = 'pay_later'`) // it has no payment
})

test('a declined card or a wrong code fails as in a payment, and another card may be tried', async () => {
  const session = await stack.merchant.createCheckout({ ...setup, customer: buyerOf('declined') })
  const declined = await choose(session, cards.insufficient, { confirm: true })
  assert.deepEqual(
    [declined.body['payment_status'], declined.body['failure_code'], declined.body['payment_id']],
    ['failed', 'insufficient_funds', null],
  )
  await choose(session, cards.threeDs, { confirm: true })
  const wrong = await stack.merchant.confirm(session, { code: '000000' })
  assert.deepEqual([wrong.body['payment_status'], wrong.body['failure_code']], ['failed', 'authentication_failed'])
  assert.deepEqual(await savedOf(session), [])
  await choose(session, cards.success, { confirm: true, payment_method: 'NGN_CARD', currency: 'NGN' })
  assert.equal((await savedOf(session)).length, 1)
  const none = await stack.sql(`select from payments where checkout_id = ?`, [session.checkout_id])
  assert.equal(none.length, 0)
})

test('the customer is found by email, whatever customer_creation is', async () => {
  const details = buyerOf('again')
  const sessions = [
    await stack.merchant.createCheckout(setup),
    await stack.merchant.createCheckout({ ...setup, customer_creation: 'if_required' }),
  ]
  for (const session of sessions) await choose(session, cards.success, { confirm: true, customer_details: details })
  const [first, second] = sessions as [Session, Session]
  const named = await stack.merchant.createCheckout({ ...setup, customer: details })
  await choose(named, cards.success, { confirm: true })
  const { customer } = (await stack.merchant.getCheckout(first.checkout_id)) as { customer: { id: string } }
  assert.deepEqual((await stack.merchant.getCheckout(second.checkout_id))['customer'], customer)
  // The card of the second was saved by somebody who only typed the email.
  assert.equal((await savedOf(first)).length, 2)
  const page = `/v1/customers/${customer.id}/payment-methods?limit=1`
  const { body } = await stack.merchant.call('GET', page)
  assert.deepEqual(
    [(body['items'] as unknown as Json[]).length, (body['pagination'] as unknown as Json)['total']],
    [1, 2],
  )
})

test('a card saved under another customer’s email becomes theirs only when the merchant attaches it', async () => {
  const owner = buyerOf('owner')
  const named = await stack.merchant.createCheckout({ ...setup, customer: owner })
  const { customer } = (await stack.merchant.getCheckout(named.checkout_id)) as { customer: { id: string } }
  const session = await stack.merchant.createCheckout(setup)
  const typed = { ...owner, email: owner.email.toUpperCase(), name: 'Mallory' }
  await choose(session, cards.success, { confirm: true, customer_details: typed })
  const done = await stack.merchant.getCheckout(session.checkout_id)
  assert.deepEqual(done['customer'], { id: customer.id, email: owner.email, name: owner.name })
  assert.deepEqual(done['customer_details'], { email: owner.email, name: 'Mallory' })
  assert.deepEqual(await savedOf(session), [])

  const path = `/v1/customers/${customer.id}/payment-methods`
  const attach = (payment_method_id: unknown, of = path) => stack.merchant.call('POST', of, { payment_method_id })
  const saved = done['saved_payment_method_id']
  assert.match(String(saved), /^pm_/)
  const { body: listed } = await stack.merchant.call('GET', '/v1/checkout-sessions?limit=1')
  assert.equal((listed['items'] as unknown as Json[])[0]?.['saved_payment_method_id'], saved)
  assertError(await attach('pm_1'), 404, 'NOT_FOUND')
  assertError(await attach(saved, '/v1/customers/cust_1/payment-methods'), 404, 'NOT_FOUND')
  const stranger = await api.addMerchant()
  assertError(await stranger.merchant.call('POST', path, { payment_method_id: saved }), 404, 'NOT_FOUND')
  for (const again of [await attach(saved), await attach(saved)]) assert.equal(again.body['payment_method_id'], saved)
  assert.deepEqual(
    (await savedOf(session)).map(({ payment_method_id }) => payment_method_id),
    [saved],
  )
  const { body: other } = await stack.merchant.call('POST', '/v1/customers', { email: 'other@example.com' })
  assertError(await attach(saved, `/v1/customers/${other['customer_id']}/payment-methods`), 409, 'CONFLICT')
})

const stored = { email: 'victim@example.com', name: 'Victoria Secret-Name', phone_number: '+2348012345678' }

for (const [what, over] of [
  ['a sale with customer_creation always', { ...sale, setup: undefined, customer_creation: 'always' }],
  ['a session that saves a card', {}],
] as const) {
  test(`a buyer who types another customer’s email in ${what} sees no data of that customer`, async () => {
    await stack.merchant.call('POST', '/v1/customers', stored)
    const session = await stack.merchant.createCheckout({ ...setup, ...over })
    const typed = { email: 'Victim@Example.com', name: 'Mallory' }
    const answers = [(await choose(session, cards.threeDs, { customer_details: typed })).text]
    answers.push(JSON.stringify(await viewOf(session)), (await stack.merchant.confirm(session)).text)
    answers.push((await stack.merchant.confirm(session, { code: '123456' })).text)
    const view = await viewOf(session)
    assert.equal(view['status'], 'completed')
    assert.deepEqual(view['customer_details'], { email: stored.email, name: 'Mallory' })
    for (const text of [...answers, JSON.stringify(view)]) assert.doesNotMatch(text, /Victoria|8012345678|cust_/)
    const done = await stack.merchant.getCheckout(session.checkout_id)
    assert.equal((done['customer'] as Json)['name'], stored.name)
    const event = await dataOf(stack, 'checkout.completed', session.checkout_id)
    assert.deepEqual([event['customer'], event['customer_details']], [done['customer'], view['customer_details']])
  })
}

test('parallel confirms save one card', async () => {
  const session = await stack.merchant.createCheckout({ ...setup, customer: buyerOf('hurried') })
  await choose(session, cards.success)
  await Promise.all([1, 2, 3, 4].map(() => stack.merchant.confirm(session)))
  assert.equal((await savedOf(session)).length, 1)
})

test('another choice replaces a card that waits for its code', async () => {
  const session = await stack.merchant.createCheckout({ ...setup, customer: buyerOf('anew') })
  await choose(session, cards.threeDs, { confirm: true })
  await choose(session, cards.success, { confirm: true })
  const [saved] = (await savedOf(session)) as [{ card: Json }]
  assert.equal(saved.card['last4'], '4242')
})

test('cancelling works as for a sale', async () => {
  const session = await stack.merchant.createCheckout(setup)
  assert.equal((await stack.merchant.cancel(session.checkout_id)).body['payment_status'], 'canceled')
})

test('VALIDATION_ERROR: setup with an amount, products or a split', async () => {
  const product_id = await newProduct(stack.merchant)
  const together = 'value_error'
  assertFieldErrors(await create({ amount: '0.00', currency: 'USD', description: 'x' }), { amount: together })
  assertFieldErrors(await create({ product_cart: [{ product_id }] }), { product_cart: together })
  assertFieldErrors(await create({ product_group_id: 'pg_1', platform_fee: '1.00' }), {
    product_group_id: together,
    platform_fee: together,
  })
  assertFieldErrors(await create({ transfer_data: { destination: 'acct_1', amount: '1.00' } }), {
    transfer_data: together,
  })
  assertFieldErrors(await create({ setup: 'yes' }), {
    setup: 'value_error.type',
    amount: 'value_error.missing',
    currency: 'value_error.missing',
    description: 'value_error.missing',
  })
  const { status, body } = await create({ currency: 'NGN', description: 'Your card', reference: 'r' })
  assert.deepEqual([status, body['currency'], body['amount']], [201, 'NGN', '0.00'])
  assert.equal((await create({ ...sale, setup: false })).status, 201)
})

test('a session that saves a card accepts cards only', async () => {
  const noCards = { payment_method_options: { mobile_money: {}, crypto: {} } }
  assertError(await create(noCards), 400, 'CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD')
  assertError(await create({ billing_currency: 'KES' }), 400, 'CURRENCY_NOT_SUPPORTED')
  assertError(await create({ currency: 'XTS' }), 400, 'CURRENCY_NOT_SUPPORTED')
  const session = await stack.merchant.createCheckout(setup)
  const crypto = await stack.merchant.pay(session, { payment_method: 'CRYPTO', asset: 'ETH_ETH' })
  assertError(crypto, 400, 'PAYMENT_METHOD_NOT_ALLOWED')
  assertFieldErrors(await stack.merchant.pay(session, { payment_method: 'USD_CARD' }), { card: 'value_error.missing' })
})

test('the test helper saves a card too, or fails as requested', async () => {
  const help = async (body: Json) => {
    const session = await stack.merchant.createCheckout({ ...setup, customer: buyerOf('helper') })
    return (await payByHelper(session, body)).body
  }
  assert.equal((await help({}))['status'], 'completed')
  const failed = await help({ outcome: 'card_declined' })
  assert.deepEqual([failed['status'], failed['payment_status']], ['open', 'failed'])
})

test('the test helper saves no card for nobody: without a customer it needs the details of one', async () => {
  const session = await stack.merchant.createCheckout(setup)
  assertFieldErrors(await payByHelper(session, {}), { customer_details: 'value_error.missing' })
  const { payment_status: status } = await stack.merchant.getCheckout(session.checkout_id)
  assert.equal(status, 'requires_payment_method')
  const paid = await payByHelper(session, { customer_details: buyerOf('helped') })
  assert.equal(paid.body['status'], 'completed', paid.text)
  assert.equal((await savedOf(session)).length, 1)
})

test('NOT_FOUND: the saved cards of an unknown customer', async () => {
  assertError(await stack.merchant.call('GET', '/v1/customers/cust_1/payment-methods'), 404, 'NOT_FOUND')
})

test('after these tests all invariants hold', async () => {
  await stack.dispatched()
  assert.deepEqual(await stack.check(), [])
})
