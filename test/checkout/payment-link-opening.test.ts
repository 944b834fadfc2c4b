import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sessionMetadata } from '../../domain/checkout/payment-link.ts'
import { assertError, assertFieldErrors, bearer, fromAnywhere, pageOf } from '../support/api.ts'
import { newProduct } from '../support/cart.ts'
import { cards } from '../support/merchant.ts'
import {
  createLink,
  type Json,
  type Link,
  newLink,
  open,
  opened,
  openPrice,
  slugOf,
  withLinks,
} from '../support/payment-link.ts'
import { changeLink } from '../support/rows.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// What opening a link creates, and when it is refused. How links are made is in test/checkout/payment-link.test.ts.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const { merchant } = stack

const { group, patch, read, seen, sell, sessionOf } = withLinks(merchant)
const path = '/v1/payment-links'
const custom = { price_type: 'custom', amount: null, minimum_amount: '3.00', maximum_amount: '50.00' }

test('a link opens a session with the link’s id, settings and metadata', async () => {
  const link = await createLink(merchant, {
    metadata: { shelf: '7' },
    customer_creation: 'always',
    payment_method_options: { card: {} },
    platform_fee: '1.00',
    success_url: 'https://example.com/thanks?id={CHECKOUT_ID}',
  })
  const session = await opened(merchant, link)
  assert.deepEqual(Object.keys(session).toSorted(), ['checkout_id', 'checkout_url', 'client_secret', 'expires_at'])
  assert.equal(session.checkout_url, `${stack.baseUrl}/checkout/${session.client_secret}`)
  const shown = (await merchant.getCheckout(session.checkout_id)) as Json
  assert.partialDeepStrictEqual(shown, {
    status: 'open',
    source_type: 'PAYMENT_LINK',
    payment_link_id: link.payment_link_id,
    reference: null,
    metadata: { shelf: '7' },
    platform_fee: '1.00',
    customer: null,
    customer_details: null,
  })
  const paid = await merchant.payByCard(session)
  assert.equal(paid['status'], 'completed')
  const { customer, success_url } = (await merchant.getCheckout(session.checkout_id)) as Json
  assert.ok(customer, 'customer_creation always makes a customer')
  assert.equal(success_url, 'https://example.com/thanks?id={CHECKOUT_ID}')
  assert.equal((await read(link))['completed_count'], 1)
  const filtered = await merchant.call('GET', `/v1/checkout-sessions?payment_link_id=${link.payment_link_id}`)
  assert.deepEqual(
    pageOf(filtered).items.map(({ checkout_id }) => checkout_id),
    [session.checkout_id],
  )
})

test('each opening makes a new session, also with the same Idempotency-Key', async () => {
  const link = await createLink(merchant)
  const headers = { authorization: '', 'idempotency-key': 'a-key', ...fromAnywhere() }
  const one = await merchant.call('POST', `${path}/${slugOf(link)}/sessions`, {}, headers)
  const other = await merchant.call('POST', `${path}/${slugOf(link)}/sessions`, {}, headers)
  assert.deepEqual([one.status, other.status], [201, 201])
  assert.notEqual(one.body['client_secret'], other.body['client_secret'])
})

test('an amount is required where the buyer decides it, must be in the bounds, and is ignored elsewhere', async () => {
  const product_id = await newProduct(merchant, { ...custom, suggested_amount: '6.00' })
  const fixed = await newProduct(merchant)
  const product_cart = [{ product_id: fixed }, { product_id, quantity: 2 }]
  const cart = (await sell({ ...newLink, product_cart })).body as unknown as Link
  const bounds = { currency: 'USD', minimum_amount: '3.00', maximum_amount: '50.00' }
  const price = await createLink(merchant, { price: openPrice })
  assert.deepEqual((await seen(price)).body['asked_amount'], { ...bounds, suggested_amount: null, quantity: 1 })
  assert.deepEqual((await seen(cart)).body['asked_amount'], { ...bounds, suggested_amount: '6.00', quantity: 2 })
  for (const link of [price, cart]) {
    assertFieldErrors(await open(merchant, link), { amount: 'value_error.missing' })
    for (const amount of ['2.99', '50.01']) {
      assertFieldErrors(await open(merchant, link, { amount }), { amount: 'value_error.range' })
    }
    for (const amount of ['5.001', '1e1', '-5', 'ten']) {
      assertFieldErrors(await open(merchant, link, { amount }), { amount: 'value_error.format' })
    }
  }
  assert.equal((await sessionOf(price, { amount: '12.5' }))['amount'], '12.50')
  assert.equal((await sessionOf(cart, { amount: '12.5' }))['amount'], '30.00')
  assert.equal((await sessionOf(await createLink(merchant), { amount: '1.00' }))['amount'], '25.00')
})

test('the buyer corrects an amount that no payment method of the link takes, if another one can be paid', async () => {
  const terms = { payment_method_options: { card: { currencies: ['USD'] } } }
  const price = { price_type: 'custom', currency: 'XOF', maximum_amount: '1000000' }
  const product_id = await newProduct(merchant, { ...price, amount: null })
  const ofPrice = await createLink(merchant, { ...terms, price })
  const ofCart = await createLink(merchant, { ...terms, price: undefined, product_cart: [{ product_id }] })
  for (const link of [ofPrice, ofCart]) {
    assertFieldErrors(await open(merchant, link, { amount: '2' }), { amount: 'value_error' }) // 0.00 USD
    assert.equal((await sessionOf(link, { amount: '200' }))['amount'], '200')
  }
  // Now no amount of the product can be paid.
  await merchant.call('PATCH', `/v1/products/${product_id}`, { maximum_amount: '2' })
  assertError(await open(merchant, ofCart, { amount: '2' }), 409, 'CONFLICT')
})

test('prices of products are read when a session is opened, and an archived product is no longer sold', async () => {
  const product_id = await newProduct(merchant)
  const link = (await sell({ ...newLink, product_cart: [{ product_id }], platform_fee: '4.00' }))
    .body as unknown as Link
  const earlier = await opened(merchant, link)
  await merchant.call('PATCH', `/v1/products/${product_id}`, { amount: '8.00' })
  assert.equal((await sessionOf(link))['amount'], '8.00')
  assert.equal(((await merchant.getCheckout(earlier.checkout_id)) as Json)['amount'], '5.00')
  await merchant.call('PATCH', `/v1/products/${product_id}`, { amount: '3.99' })
  assertError(await open(merchant, link), 409, 'CONFLICT') // worth less than the platform fee
  await merchant.call('PATCH', `/v1/products/${product_id}`, { amount: '8.00', active: false })
  assertError(await open(merchant, link), 409, 'CONFLICT')
  const product_group_id = await group([await newProduct(merchant)])
  const ofGroup = (await sell({ ...newLink, product_group_id })).body as unknown as Link
  await merchant.call('DELETE', `/v1/product-groups/${product_group_id}`)
  assertError(await open(merchant, ofGroup), 409, 'CONFLICT')
})

test('a split is never read in another currency than that in which it was agreed on', async () => {
  const naira = await newProduct(merchant, { currency: 'NGN', amount: '50000.00' })
  const dollars = await newProduct(merchant, { currency: 'USD', amount: '500.00' })
  const product_group_id = await group([naira])
  const split = (await sell({ ...newLink, product_group_id, platform_fee: '100.00' })).body as unknown as Link
  const whole = (await sell({ ...newLink, product_group_id })).body as unknown as Link
  assert.deepEqual(
    [await sessionOf(split)].map(({ currency, platform_fee }) => [currency, platform_fee]),
    [['NGN', '100.00']],
  )
  const changed = await merchant.call('PATCH', `/v1/product-groups/${product_group_id}`, { products: [dollars] })
  assert.equal(changed.status, 200)
  assertError(await open(merchant, split), 409, 'CONFLICT')
  assertFieldErrors(await patch(split, { payment_method_options: { card: {} } }), { product_group_id: 'value_error' })
  assert.equal((await sessionOf(whole))['currency'], 'USD') // without a split nothing is lost
  await merchant.call('PATCH', `/v1/product-groups/${product_group_id}`, { products: [naira] })
  assert.equal((await sessionOf(split))['platform_fee'], '100.00')
})

test('the buyer’s details in the address are stored with the session, and make no customer', async () => {
  const link = await createLink(merchant, { metadata: { utm_source: 'ours' } })
  const known = await stack.sql('select id from customers')
  const session = await sessionOf(link, {
    customer_email: 'Ada@Example.com',
    customer_name: 'Ada Buyer',
    reference: 'order-7',
    utm: {
      utm_source: 'theirs',
      utm_medium: 'mail',
      utm_campaign: 'x'.repeat(600),
      admin: 'yes',
      UTM_TERM: 'a',
    },
  })
  assert.partialDeepStrictEqual(session, {
    customer: null,
    customer_details: {
      email: 'ada@example.com',
      name: 'Ada Buyer',
    },
    reference: 'order-7',
  })
  assert.deepEqual(session['metadata'], { utm_source: 'ours', utm_medium: 'mail', utm_campaign: 'x'.repeat(500) })
  assert.deepEqual(await stack.sql('select id from customers'), known)
  assertFieldErrors(await open(merchant, link, { customer_email: 'ada', reference: 'x'.repeat(129), utm: 'mail' }), {
    customer_email: 'value_error.format',
    reference: 'value_error.range',
    utm: 'value_error.type',
  })
})

test('metadata of a session stays within its limits, whatever the address contains', () => {
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`utm_${index}`, 'v']))
  const own = Object.fromEntries(Array.from({ length: 47 }, (_, index) => [`own_${index}`, 'v']))
  const both = sessionMetadata(own, many)
  assert.deepEqual([Object.keys(both).length, both['own_46'], both['utm_2'], both['utm_3']], [50, 'v', 'v', undefined])
  const name = `utm_${'a'.repeat(36)}`
  const odd = { [name]: 'v', [`${name}a`]: 'v', utm_: 'v', 'utm_a-b': 'v', utm_empty: '' }
  assert.deepEqual(sessionMetadata({}, odd), { [name]: 'v' })
  assert.deepEqual(sessionMetadata({}, { utm_a: `${'x'.repeat(499)}😀` }), { utm_a: 'x'.repeat(499) })
  assert.equal(Object.keys(sessionMetadata({ ...own, a: '', b: '', c: '' }, many)).length, 50)
})

test('CONFLICT: a link that is inactive, expired or completed opens no session, and says which', async () => {
  const inactive = await createLink(merchant, { active: false })
  const expired = await createLink(merchant)
  await changeLink(stack, expired.payment_link_id, { expiresAt: new Date(Date.now() - 1_000) })
  const completed = await createLink(merchant, { max_completions: 1 })
  const session = await opened(merchant, completed)
  await merchant.payByCard(session)
  for (const [status, link] of Object.entries({ inactive, expired, completed })) {
    assertError(await open(merchant, link), 409, 'CONFLICT')
    assert.equal((await seen(link)).body['status'], status)
  }
  await patch(inactive, { active: true })
  await patch(expired, { expires_at: null })
  await patch(completed, { max_completions: 2 })
  for (const link of [inactive, expired, completed]) await opened(merchant, link)
  assertFieldErrors(await patch(completed, { max_completions: 1, price: {} }), { price: 'value_error' })
  await merchant.payByCard(await opened(merchant, completed))
  assertFieldErrors(await patch(completed, { max_completions: 1 }), { max_completions: 'value_error.range' })
  assert.equal((await patch(completed, { max_completions: 2 })).status, 200)
})

test('a session that was open when its link was switched off can still be paid', async () => {
  const link = await createLink(merchant)
  const session = await opened(merchant, link)
  await patch(link, { active: false })
  assert.equal((await merchant.payByCard(session))['status'], 'completed')
  assert.equal((await read(link))['completed_count'], 1)
})

test('only completed sessions are counted', async () => {
  const link = await createLink(merchant)
  const [declined, cancelled] = [await opened(merchant, link), await opened(merchant, link)]
  assert.equal((await merchant.payByCard(declined, cards.declined))['payment_status'], 'failed')
  await merchant.cancel(cancelled.checkout_id)
  assert.equal((await read(link))['completed_count'], 0)
  await merchant.payByCard(declined)
  assert.equal((await read(link))['completed_count'], 1)
})

test('openings without a credential are limited by address', async () => {
  const link = await createLink(merchant)
  const headers = { authorization: '', ...fromAnywhere() }
  const visit = () => merchant.call('POST', `${path}/${slugOf(link)}/sessions`, {}, headers)
  const first = await visit()
  assert.deepEqual([first.status, first.headers.get('x-ratelimit-limit')], [201, '60'])
  const statuses = new Set<number>()
  for (let call = 0; call < 130 && !statuses.has(429); call++) statuses.add((await visit()).status)
  assert.deepEqual([...statuses], [201, 429])
  assert.equal((await open(merchant, link)).status, 201)
})

test('a link of the live environment opens live sessions only', async () => {
  const live = await api.addMerchant('live')
  const link = await createLink(live.merchant, { price: { price_type: 'free', currency: 'USD' } })
  const session = await opened(merchant, link)
  const [row] = await stack.sql('select environment, account_id from checkouts where id = ?', [session.checkout_id])
  assert.deepEqual(row, { environment: 'live', account_id: live.accountId })
  assertError(await merchant.call('GET', `/v1/checkout-sessions/${session.checkout_id}`), 404, 'NOT_FOUND')
  const own = bearer(live.key)
  assert.equal((await merchant.call('GET', `/v1/checkout-sessions/${session.checkout_id}`, undefined, own)).status, 200)
})
