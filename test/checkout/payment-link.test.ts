import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import { newId } from '../../domain/id.ts'
import { PaymentLink } from '../../schemas/checkout/payment-link.ts'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import { newProduct } from '../support/cart.ts'
import { curlsIn } from '../support/guide.ts'
import { sale } from '../support/merchant.ts'
import {
  createLink,
  fixedPrice,
  type Json,
  type Link,
  newLink,
  open,
  openPrice,
  withLinks,
} from '../support/payment-link.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const { merchant } = stack

const { group, patch, read, seen, sell, sessionOf } = withLinks(merchant)
const path = '/v1/payment-links'
const post = (body: Json) => merchant.call('POST', path, { ...newLink, ...body })
const custom = { price_type: 'custom', amount: null, minimum_amount: '3.00', maximum_amount: '50.00' }
const inFrancs = { currency: 'XOF', minimum_amount: '3', maximum_amount: '50' }
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

test('a link has every field of the interface, as sent or with its default', async () => {
  const { payment_link_id, url, created_at, updated_at, ...rest } = await createLink(merchant)
  assert.match(payment_link_id, /^pl_[0-9a-z]{34}$/)
  assert.match(url, new RegExp(`^${stack.baseUrl}/l/[0-9a-hjkmnp-tv-z]{16}$`))
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    active: true,
    name: 'A poster',
    product_cart: null,
    product_group_id: null,
    price: {
      ...fixedPrice,
      minimum_amount: null,
      maximum_amount: null,
    },
    success_url: 'https://example.com/thanks',
    customer_creation: 'if_required',
    payment_method_options: null,
    platform_fee: null,
    transfer_data: null,
    max_completions: null,
    completed_count: 0,
    expires_at: null,
    inactive_message: null,
    metadata: {},
  })
  const expires_at = inAnHour()
  const sent = {
    active: false,
    customer_creation: 'always',
    payment_method_options: { card: { currencies: ['USD'] } },
    platform_fee: '1.5',
    max_completions: 3,
    inactive_message: 'Sold out',
    metadata: { a: 'b' },
    expires_at,
  }
  const full = await createLink(merchant, sent)
  assert.partialDeepStrictEqual(full, { ...sent, platform_fee: '1.50' })
  const listed = pageOf(await merchant.call('GET', `${path}?limit=1`)).items[0]
  for (const shown of [full, await read(full), listed]) {
    assert.deepEqual(shown, full)
    const validator = Compile(PaymentLink)
    assert.ok(validator.Check(shown), JSON.stringify(validator.Errors(shown)))
  }
})

test('a link sells a cart, a group or a price', async () => {
  const product_id = await newProduct(merchant)
  const cart = (await sell({ ...newLink, product_cart: [{ product_id, quantity: 2 }] })).body as unknown as Link
  assert.deepEqual(cart['product_cart'], [{ product_id, quantity: 2, amount: null }])
  assert.deepEqual([cart['price'], cart['product_group_id']], [null, null])
  assert.partialDeepStrictEqual(await sessionOf(cart), { amount: '10.00', session_mode: 'CART', description: null })
  const product_group_id = await group([product_id])
  const selection = (await sell({ ...newLink, product_group_id })).body as unknown as Link
  assert.equal(selection['product_group_id'], product_group_id)
  assert.partialDeepStrictEqual(await sessionOf(selection), { products: null, session_mode: 'SELECTION' })
  const plain = await sessionOf(await createLink(merchant))
  assert.partialDeepStrictEqual(plain, { amount: '25.00', currency: 'USD', products: null, description: 'A poster' })
  const free = await sessionOf(await createLink(merchant, { price: { price_type: 'free', currency: 'USD' } }))
  assert.equal(free['amount'], '0.00')
})

test('only a connected account can receive a share', async () => {
  const destination = await api.addConnected(stack.organizationId)
  const transfer_data = { destination, amount: '20.00' }
  const link = await createLink(merchant, { transfer_data })
  assert.deepEqual(link['transfer_data'], transfer_data)
  assert.partialDeepStrictEqual(await sessionOf(link), { transfer_amount: '20.00', platform_fee: null })
  const foreign = { destination: await api.addAccount(), amount: '1.00' }
  assertError(await post({ transfer_data: foreign }), 404, 'NOT_FOUND')
})

test('VALIDATION_ERROR: a new link needs a name, a success_url and one thing to sell', async () => {
  assertFieldErrors(await merchant.call('POST', path, {}), {
    name: 'value_error.missing',
    success_url: 'value_error.missing',
    price: 'value_error.missing',
  })
  const product_cart = [{ product_id: await newProduct(merchant) }]
  assertFieldErrors(await post({ product_cart, product_group_id: 'pg_x' }), {
    product_group_id: 'value_error',
    price: 'value_error',
  })
  assertFieldErrors(await post({ platform_fee: '1.00', transfer_data: { destination: 'acct_x', amount: '1.00' } }), {
    platform_fee: 'value_error',
  })
  assertFieldErrors(await post({ price: { price_type: 'fixed', currency: 'USD' } }), {
    'price.amount': 'value_error.missing',
  })
  assertFieldErrors(await post({ price: { ...openPrice, amount: '5.00', maximum_amount: '2.00' } }), {
    'price.amount': 'value_error',
    'price.maximum_amount': 'value_error.range',
  })
  assertFieldErrors(await post({ price: { ...fixedPrice, amount: '5.001' } }), { 'price.amount': 'value_error.format' })
  assertFieldErrors(await post({ max_completions: 0 }), { max_completions: 'value_error.range' })
  assertFieldErrors(await post({ max_completions: 1.5 }), { max_completions: 'value_error.type' })
  assertFieldErrors(await post({ expires_at: '2020-01-01T00:00:00Z' }), { expires_at: 'value_error.range' })
  assertFieldErrors(await post({ expires_at: 'tomorrow' }), { expires_at: 'value_error.format' })
  assertFieldErrors(await post({ inactive_message: '' }), { inactive_message: 'value_error.range' })
  assertFieldErrors(await post({ success_url: 'javascript:alert(1)' }), { success_url: 'value_error.format' })
})

test('VALIDATION_ERROR: a link that nobody could buy from is refused', async () => {
  const archived = await newProduct(merchant, { active: false })
  assertFieldErrors(await sell({ ...newLink, product_cart: [{ product_id: archived }] }), {
    'product_cart.0.product_id': 'value_error',
  })
  const tips = [await newProduct(merchant, custom), await newProduct(merchant, custom)]
  assertFieldErrors(await sell({ ...newLink, product_cart: tips.map((product_id) => ({ product_id })) }), {
    'product_cart.1.amount': 'value_error.missing',
  })
  assertFieldErrors(await post({ price: openPrice, platform_fee: '3.01' }), { platform_fee: 'value_error.range' })
  const { minimum_amount: _minimum, ...fromNothing } = openPrice
  assertFieldErrors(await post({ price: fromNothing, platform_fee: '0.01' }), { platform_fee: 'value_error.range' })
})

test('a link is refused with the same codes as a session', async () => {
  const unknown = { price_type: 'fixed', amount: '5.00', currency: 'ZZZ' }
  assertError(await post({ price: unknown }), 400, 'CURRENCY_NOT_SUPPORTED')
  const noWay = { payment_method_options: { mobile_money: { currencies: ['USD'] } } }
  for (const price of [fixedPrice, { price_type: 'custom', currency: 'USD' }]) {
    assertError(await post({ price, ...noWay }), 400, 'CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD')
  }
  assertError(await patch(await createLink(merchant), noWay), 400, 'CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD')
  assertError(await sell({ ...newLink, product_group_id: newId('pg', 0) }), 404, 'NOT_FOUND')
  const live = await api.addKey({ environment: 'live' })
  const refused = await live.merchant.call('POST', path, newLink)
  assertError(refused, 400, 'ACCOUNT_NOT_ACTIVATED')
})

test('a link with an open amount can be paid in another currency only, however little a unit is worth', async () => {
  const payment_method_options = { card: { currencies: ['USD'] } }
  for (const currency of ['NGN', 'RWF', 'TZS', 'UGX', 'XAF', 'XOF']) {
    const price = { price_type: 'custom', currency }
    const link = await createLink(merchant, { price, payment_method_options })
    assert.equal((await sessionOf(link, { amount: '5000' }))['currency'], currency)
    const product_id = await newProduct(merchant, { ...price, amount: null })
    await createLink(merchant, { price: undefined, product_cart: [{ product_id }], payment_method_options })
    // One unit rounds to 0.00 USD.
    const refused = await post({ price: { ...price, maximum_amount: '1' }, payment_method_options })
    assertError(refused, 400, 'CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD')
    // A lowest amount that rounds to 0.00 USD is the buyer's to correct, unless the link's split needs it.
    const low = { ...price, minimum_amount: '2' }
    const fromTwo = await createLink(merchant, { price: low, payment_method_options })
    assertFieldErrors(await open(merchant, fromTwo, { amount: '2' }), { amount: 'value_error' })
    assert.equal((await sessionOf(fromTwo, { amount: '5000' }))['currency'], currency)
    assert.equal((await patch(fromTwo, { payment_method_options })).status, 200)
    const split = await post({ price: low, payment_method_options, platform_fee: '1' })
    assertError(split, 400, 'CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD')
  }
})

test('VALIDATION_ERROR: payment methods whose fees leave too little for the split are refused', async () => {
  const destination = await api.addConnected(stack.organizationId)
  const byTransfer = { bank_transfer: { currencies: ['NGN'] } }
  const price = { price_type: 'fixed', amount: '100.00', currency: 'NGN' }
  const transfer_data = { destination, amount: '90.00' }
  const link = await createLink(merchant, { price, transfer_data, payment_method_options: byTransfer })
  // The fee of a card in naira is 100.00.
  for (const payment_method_options of [{ card: {}, ...byTransfer }, null]) {
    assertFieldErrors(await patch(link, { payment_method_options }), { 'transfer_data.amount': 'value_error.range' })
  }
  assert.deepEqual((await read(link))['payment_method_options'], byTransfer)
  assert.equal((await open(merchant, link)).status, 201)
  assert.equal((await patch(link, { payment_method_options: { bank_transfer: {} } })).status, 200)
})

test('a PATCH changes the fields that it names, and null clears an optional one', async () => {
  const link = await createLink(merchant, { max_completions: 5, inactive_message: 'Gone', expires_at: inAnHour() })
  const changes = {
    name: 'Another',
    active: false,
    success_url: 'https://example.com/2',
    customer_creation: 'always',
    payment_method_options: { card: {} },
    max_completions: 9,
    inactive_message: 'Later',
    metadata: { c: 'd' },
    expires_at: inAnHour(),
  }
  const { body } = await patch(link, changes)
  const { updated_at: _before, ...known } = link
  const { updated_at, ...changed } = body as Json
  assert.deepEqual(changed, { ...known, ...changes })
  assert.ok(String(updated_at) > String(link['updated_at']))
  const cleared = { payment_method_options: null, max_completions: null, inactive_message: null, expires_at: null }
  assert.partialDeepStrictEqual((await patch(link, cleared)).body, { ...changes, ...cleared })
  const nulls = Object.fromEntries(
    ['name', 'active', 'success_url', 'customer_creation', 'metadata'].map((name) => [name, null]),
  )
  assert.equal((await patch(link, nulls)).status, 200) // null for a required field changes nothing
  assert.partialDeepStrictEqual(await read(link), { ...changes, ...cleared })
})

test('VALIDATION_ERROR: what a link sells never changes, but may be sent unchanged', async () => {
  const link = await createLink(merchant, { platform_fee: '1.00' })
  assert.equal((await patch(link, link)).status, 200)
  const errors = { price: 'value_error', product_cart: 'value_error', platform_fee: 'value_error' }
  const other = { price: { ...fixedPrice, amount: '1.00' }, product_cart: [], platform_fee: '2.00', name: 'Kept out' }
  assertFieldErrors(await patch(link, other), errors)
  const more = { product_group_id: 'pg_x', transfer_data: {}, expires_at: '2020-01-01T00:00:00Z' }
  assertFieldErrors(await patch(link, more), {
    product_group_id: 'value_error',
    transfer_data: 'value_error',
    expires_at: 'value_error.range',
  })
  assert.equal((await read(link))['name'], 'A poster')
})

test('the list pages by cursor and filters by active', async () => {
  const { merchant: other } = await api.addMerchant()
  const links: Link[] = []
  for (const active of [true, false, true]) links.push(await createLink(other, { active }))
  const ids = ({ items }: ReturnType<typeof pageOf>) => items.map(({ payment_link_id }) => payment_link_id)
  const [first, second, third] = links.map(({ payment_link_id }) => payment_link_id)
  assert.deepEqual(ids(pageOf(await other.call('GET', path))), [third, second, first])
  assert.deepEqual(ids(pageOf(await other.call('GET', `${path}?active=true`))), [third, first])
  assert.deepEqual(ids(pageOf(await other.call('GET', `${path}?active=false`))), [second])
  const page = pageOf(await other.call('GET', `${path}?limit=2`))
  const next = pageOf(await other.call('GET', `${path}?limit=2&cursor=${page.pagination.next_cursor}`))
  assert.deepEqual([...ids(page), ...ids(next)], [third, second, first])
  assert.equal(page.pagination.total, 3)
})

test('the public view of a link shows the brand of its merchant, and nothing else of them', async () => {
  const link = await createLink(merchant, {
    metadata: { secret: 'x' },
    inactive_message: 'Later',
    platform_fee: '1.00',
  })
  const { body } = await seen(link)
  assert.deepEqual(body, {
    name: 'A poster',
    merchant_name: 'Demo Organization',
    merchant: { support_email: null, logo_url: null, accent_color: null },
    environment: 'sandbox',
    status: 'open',
    inactive_message: 'Later',
    asked_amount: null,
  })
  const free = { ...link, url: `/l/${'0'.repeat(16)}` } as Link
  for (const reply of [await seen(free), await open(merchant, free)]) assertError(reply, 404, 'NOT_FOUND')
})

test('the calls of the guide work as printed', async () => {
  const calls = curlsIn('payment-links')
  assert.equal(calls.length, 2)
  let id = ''
  for (const { method, path: address, body } of calls) {
    const reply = await merchant.call(method, address.replace('$LINK', id), body)
    assert.ok(reply.status < 300, reply.text)
    id = String(reply.body['payment_link_id'])
  }
})

test('links and sessions keep and show only the documented fields of payment_method_options', async () => {
  const junk = { a: { deep: [1, { b: 'c' }] }, __proto__: { polluted: true } }
  const sent = { card: { currencies: ['USD'], junk, enabled: true }, paypal: { junk }, junk, constructor: { junk } }
  const kept = { card: { currencies: ['USD'] } }
  const link = await createLink(stack.merchant, { payment_method_options: sent })
  assert.deepEqual(link['payment_method_options'], kept)
  const own = `/v1/payment-links/${link.payment_link_id}`
  await stack.merchant.call('PATCH', own, { payment_method_options: null })
  const changed = await stack.merchant.call('PATCH', own, { payment_method_options: sent, junk })
  assert.deepEqual(changed.body['payment_method_options'], kept)
  assert.ok(!('junk' in changed.body))
  const [row] = await stack.sql('select method_options from payment_links where id = ?', [link.payment_link_id])
  assert.deepEqual(row, { method_options: kept })
  const free = { ...sale, amount: '0.00', payment_method_options: sent } // not checked further
  for (const body of [free, { ...sale, payment_method_options: sent }]) {
    const { checkout_id } = await stack.merchant.createCheckout(body)
    const [session] = await stack.sql('select method_options from checkouts where id = ?', [checkout_id])
    assert.deepEqual(session, { method_options: kept })
  }
})

test('payment_method_options of a wrong shape are refused field by field', async () => {
  const { payment_link_id: id } = await createLink(stack.merchant)
  const wrong: [unknown, Record<string, string>][] = [
    ['card', { payment_method_options: 'value_error.type' }],
    [['card'], { payment_method_options: 'value_error.type' }],
    [{ card: true }, { 'payment_method_options.card': 'value_error.type' }],
    [{ crypto: { currencies: 'USDT_SOL' } }, { 'payment_method_options.crypto.currencies': 'value_error.type' }],
    [{ card: { currencies: [{ junk: 1 }] } }, { 'payment_method_options.card.currencies.0': 'value_error.type' }],
    [{ card: { currencies: ['x'.repeat(21)] } }, { 'payment_method_options.card.currencies.0': 'value_error.range' }],
  ]
  for (const [payment_method_options, errors] of wrong) {
    for (const [method, address, body] of [
      ['POST', '/v1/payment-links', newLink],
      ['PATCH', `/v1/payment-links/${id}`, {}],
      ['POST', '/v1/checkout-sessions', sale],
    ] as const) {
      assertFieldErrors(await stack.merchant.call(method, address, { ...body, payment_method_options }), errors)
    }
  }
})

test('a link keeps only the documented fields of its cart', async () => {
  const product_id = await newProduct(stack.merchant)
  const junk = { deep: [{ b: 'c' }] }
  const cart = { price: undefined, product_cart: [{ product_id, quantity: 2, junk }] }
  const { payment_link_id: id } = await createLink(stack.merchant, cart)
  const [row] = await stack.sql('select product_cart from payment_links where id = ?', [id])
  assert.deepEqual(row, { product_cart: [{ product_id, quantity: 2 }] })
})

test('a link shows the amounts of its cart with all decimals of their currency, as its session does', async () => {
  const [dollars, francs] = [await newProduct(merchant, custom), await newProduct(merchant, { ...custom, ...inFrancs })]
  const shown = (body: unknown) => (body as { product_cart: { amount: string }[] }).product_cart[0]?.amount
  for (const [product_id, amount, kept] of [
    [dollars, '25', '25.00'],
    [dollars, '25.5', '25.50'],
    [francs, '40', '40'],
  ] as const) {
    const link = await createLink(merchant, { price: undefined, product_cart: [{ product_id, amount }] })
    assert.deepEqual([link, await read(link)].map(shown), [kept, kept])
    const [listed] = pageOf(await merchant.call('GET', `${path}?limit=1`)).items
    assert.equal(shown(listed), kept)
    assert.equal((await sessionOf(link))['amount'], kept)
    // The cart as it is shown, as it was sent, and as it is without what stands for itself.
    for (const cart of [link['product_cart'], [{ product_id, amount }], [{ product_id, quantity: 1, amount: kept }]])
      assert.equal((await patch(link, { product_cart: cart })).status, 200)
    for (const other of ['41', '25.501', 'x', 25, null, [], undefined])
      assertFieldErrors(await patch(link, { product_cart: [{ product_id, amount: other }] }), {
        product_cart: 'value_error',
      })
    for (const cart of ['x', {}, [null], [{ product_id, quantity: 2, amount }]])
      assertFieldErrors(await patch(link, { product_cart: cart }), { product_cart: 'value_error' })
  }
})
