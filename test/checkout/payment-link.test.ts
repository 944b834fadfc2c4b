import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import { newId } from '../../domain/id.ts'
import { sessionMetadata } from '../../domain/checkout/payment-link.ts'
import { PaymentLink } from '../../schemas/checkout/payment-link.ts'
import { assertError, assertFaults, bearer, fromAnywhere, pageOf } from '../support/api.ts'
import { newProduct } from '../support/cart.ts'
import { curlsIn } from '../support/guide.ts'
import { cards, sale } from '../support/merchant.ts'
import {
  createLink,
  fixedPrice,
  type Json,
  type Link,
  newLink,
  open,
  opened,
  openPrice,
  slugOf,
} from '../support/payment-link.ts'
import { changeLink } from '../support/rows.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const { merchant } = stack

const path = '/v1/payment-links'
const post = (body: Json) => merchant.call('POST', path, { ...newLink, ...body })
const sell = ({ price: _price, ...rest }: Json) => merchant.call('POST', path, rest)
const patch = ({ payment_link_id }: Link, body: Json) => merchant.call('PATCH', `${path}/${payment_link_id}`, body)
const read = async ({ payment_link_id }: Link) =>
  (await merchant.call('GET', `${path}/${payment_link_id}`)).body as Json
const seen = (link: Link) =>
  merchant.call('GET', `${path}/${slugOf(link)}/public`, undefined, { authorization: '', ...fromAnywhere() })
const custom = { price_type: 'custom', amount: null, minimum_amount: '3.00', maximum_amount: '50.00' }
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

async function group(products: string[]): Promise<string> {
  const { body } = await merchant.call('POST', '/v1/product-groups', { name: 'Sizes', products })
  return String(body['product_group_id'])
}

const sessionOf = async (link: Link, body: Json = {}) =>
  merchant.getCheckout((await opened(merchant, link, body)).checkout_id) as Promise<Json>

test('a link has every field of the interface, as it was sent or with its default', async () => {
  const { payment_link_id, url, created_at, updated_at, ...rest } = await createLink(merchant)
  assert.match(payment_link_id, /^pl_[0-9a-z]{34}$/)
  assert.match(url, new RegExp(`^${stack.baseUrl}/l/[0-9a-hjkmnp-tv-z]{16}$`))
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    ...{ active: true, name: 'A poster', product_cart: null, product_group_id: null },
    price: { ...fixedPrice, minimum_amount: null, maximum_amount: null },
    ...{ success_url: 'https://example.com/thanks', customer_creation: 'if_required', payment_method_options: null },
    ...{ platform_fee: null, transfer_data: null, max_completions: null, completed_count: 0, expires_at: null },
    ...{ inactive_message: null, metadata: {} },
  })
  const expires_at = inAnHour()
  const sent = {
    ...{ active: false, customer_creation: 'always', payment_method_options: { card: { currencies: ['USD'] } } },
    ...{ platform_fee: '1.5', max_completions: 3, inactive_message: 'Sold out', metadata: { a: 'b' }, expires_at },
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

test('a session of a link is an open session that carries the link, its settings and its metadata', async () => {
  const link = await createLink(merchant, {
    ...{ metadata: { shelf: '7' }, customer_creation: 'always', payment_method_options: { card: {} } },
    ...{ platform_fee: '1.00', success_url: 'https://example.com/thanks?id={CHECKOUT_ID}' },
  })
  const session = await opened(merchant, link)
  assert.deepEqual(Object.keys(session).toSorted(), ['checkout_id', 'checkout_url', 'client_secret', 'expires_at'])
  assert.equal(session.checkout_url, `${stack.baseUrl}/checkout/${session.client_secret}`)
  const shown = (await merchant.getCheckout(session.checkout_id)) as Json
  assert.partialDeepStrictEqual(shown, {
    ...{ status: 'open', source_type: 'PAYMENT_LINK', payment_link_id: link.payment_link_id, reference: null },
    ...{ metadata: { shelf: '7' }, platform_fee: '1.00', customer: null, customer_details: null },
  })
  const paid = await merchant.payByCard(session)
  assert.equal(paid['status'], 'completed')
  const { customer, success_url } = (await merchant.getCheckout(session.checkout_id)) as Json
  assert.ok(customer, 'customer_creation always makes a record')
  assert.equal(success_url, 'https://example.com/thanks?id={CHECKOUT_ID}')
  assert.equal((await read(link))['completed_count'], 1)
  const filtered = await merchant.call('GET', `/v1/checkout-sessions?payment_link_id=${link.payment_link_id}`)
  assert.deepEqual(
    pageOf(filtered).items.map(({ checkout_id }) => checkout_id),
    [session.checkout_id],
  )
})

test('each opening is a session of its own, also under one Idempotency-Key', async () => {
  const link = await createLink(merchant)
  const headers = { authorization: '', 'idempotency-key': 'a-key', ...fromAnywhere() }
  const one = await merchant.call('POST', `${path}/${slugOf(link)}/sessions`, {}, headers)
  const other = await merchant.call('POST', `${path}/${slugOf(link)}/sessions`, {}, headers)
  assert.deepEqual([one.status, other.status], [201, 201])
  assert.notEqual(one.body['client_secret'], other.body['client_secret'])
})

test('a share goes to an account that is connected', async () => {
  const destination = await api.addConnected(stack.organizationId)
  const transfer_data = { destination, amount: '20.00' }
  const link = await createLink(merchant, { transfer_data })
  assert.deepEqual(link['transfer_data'], transfer_data)
  assert.partialDeepStrictEqual(await sessionOf(link), { transfer_amount: '20.00', platform_fee: null })
  const foreign = { destination: await api.addAccount(), amount: '1.00' }
  assertError(await post({ transfer_data: foreign }), 404, 'NOT_FOUND')
})

test('VALIDATION_ERROR: a new link needs a name, a target and one thing to sell', async () => {
  assertFaults(await merchant.call('POST', path, {}), {
    ...{ name: 'value_error.missing', success_url: 'value_error.missing', price: 'value_error.missing' },
  })
  const product_cart = [{ product_id: await newProduct(merchant) }]
  assertFaults(await post({ product_cart, product_group_id: 'pg_x' }), {
    ...{ product_group_id: 'value_error', price: 'value_error' },
  })
  assertFaults(await post({ platform_fee: '1.00', transfer_data: { destination: 'acct_x', amount: '1.00' } }), {
    platform_fee: 'value_error',
  })
  assertFaults(await post({ price: { price_type: 'fixed', currency: 'USD' } }), {
    'price.amount': 'value_error.missing',
  })
  assertFaults(await post({ price: { ...openPrice, amount: '5.00', maximum_amount: '2.00' } }), {
    ...{ 'price.amount': 'value_error', 'price.maximum_amount': 'value_error.range' },
  })
  assertFaults(await post({ price: { ...fixedPrice, amount: '5.001' } }), { 'price.amount': 'value_error.format' })
  assertFaults(await post({ max_completions: 0 }), { max_completions: 'value_error.range' })
  assertFaults(await post({ max_completions: 1.5 }), { max_completions: 'value_error.type' })
  assertFaults(await post({ expires_at: '2020-01-01T00:00:00Z' }), { expires_at: 'value_error.range' })
  assertFaults(await post({ expires_at: 'tomorrow' }), { expires_at: 'value_error.format' })
  assertFaults(await post({ inactive_message: '' }), { inactive_message: 'value_error.range' })
  assertFaults(await post({ success_url: 'javascript:alert(1)' }), { success_url: 'value_error.format' })
})

test('VALIDATION_ERROR: what nobody could buy makes no link', async () => {
  const archived = await newProduct(merchant, { active: false })
  assertFaults(await sell({ ...newLink, product_cart: [{ product_id: archived }] }), {
    'product_cart.0.product_id': 'value_error',
  })
  const tips = [await newProduct(merchant, custom), await newProduct(merchant, custom)]
  assertFaults(await sell({ ...newLink, product_cart: tips.map((product_id) => ({ product_id })) }), {
    'product_cart.1.amount': 'value_error.missing',
  })
  assertFaults(await post({ price: openPrice, platform_fee: '3.01' }), { platform_fee: 'value_error.range' })
  const { minimum_amount: _minimum, ...fromNothing } = openPrice
  assertFaults(await post({ price: fromNothing, platform_fee: '0.01' }), { platform_fee: 'value_error.range' })
})

test('the refusals of a sale are those of a session', async () => {
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

test('a PATCH changes what it names, and a null takes away what was set', async () => {
  const link = await createLink(merchant, { max_completions: 5, inactive_message: 'Gone', expires_at: inAnHour() })
  const changes = {
    ...{ name: 'Another', active: false, success_url: 'https://example.com/2', customer_creation: 'always' },
    ...{ payment_method_options: { card: {} }, max_completions: 9, inactive_message: 'Later', metadata: { c: 'd' } },
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
  assert.equal((await patch(link, nulls)).status, 200) // where a null takes nothing away it says nothing
  assert.partialDeepStrictEqual(await read(link), { ...changes, ...cleared })
})

test('VALIDATION_ERROR: what a link sells never changes, and what is sent as it is does no harm', async () => {
  const link = await createLink(merchant, { platform_fee: '1.00' })
  assert.equal((await patch(link, link)).status, 200)
  const faults = { price: 'value_error', product_cart: 'value_error', platform_fee: 'value_error' }
  const other = { price: { ...fixedPrice, amount: '1.00' }, product_cart: [], platform_fee: '2.00', name: 'Kept out' }
  assertFaults(await patch(link, other), faults)
  const more = { product_group_id: 'pg_x', transfer_data: {}, expires_at: '2020-01-01T00:00:00Z' }
  assertFaults(await patch(link, more), {
    ...{ product_group_id: 'value_error', transfer_data: 'value_error', expires_at: 'value_error.range' },
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

test('what anybody may see of a link is no merchant data', async () => {
  const link = await createLink(merchant, {
    metadata: { secret: 'x' },
    inactive_message: 'Later',
    platform_fee: '1.00',
  })
  const { body } = await seen(link)
  assert.deepEqual(body, {
    ...{ name: 'A poster', merchant_name: 'Demo Organization', status: 'open', inactive_message: 'Later' },
    asked_amount: null,
  })
  const free = { ...link, url: `/l/${'0'.repeat(16)}` } as Link
  for (const reply of [await seen(free), await open(merchant, free)]) assertError(reply, 404, 'NOT_FOUND')
})

test('an amount is asked for where the buyer decides, held against the bounds, and counts nowhere else', async () => {
  const product_id = await newProduct(merchant, { ...custom, suggested_amount: '6.00' })
  const fixed = await newProduct(merchant)
  const product_cart = [{ product_id: fixed }, { product_id, quantity: 2 }]
  const cart = (await sell({ ...newLink, product_cart })).body as unknown as Link
  const bounds = { currency: 'USD', minimum_amount: '3.00', maximum_amount: '50.00' }
  const price = await createLink(merchant, { price: openPrice })
  assert.deepEqual((await seen(price)).body['asked_amount'], { ...bounds, suggested_amount: null })
  assert.deepEqual((await seen(cart)).body['asked_amount'], { ...bounds, suggested_amount: '6.00' })
  for (const link of [price, cart]) {
    assertFaults(await open(merchant, link), { amount: 'value_error.missing' })
    for (const amount of ['2.99', '50.01']) {
      assertFaults(await open(merchant, link, { amount }), { amount: 'value_error.range' })
    }
    for (const amount of ['5.001', '1e1', '-5', 'ten']) {
      assertFaults(await open(merchant, link, { amount }), { amount: 'value_error.format' })
    }
  }
  assert.equal((await sessionOf(price, { amount: '12.5' }))['amount'], '12.50')
  assert.equal((await sessionOf(cart, { amount: '12.5' }))['amount'], '30.00')
  assert.equal((await sessionOf(await createLink(merchant), { amount: '1.00' }))['amount'], '25.00')
})

test('prices of products are read when a session is opened, and an archived product is sold no more', async () => {
  const product_id = await newProduct(merchant)
  const link = (await sell({ ...newLink, product_cart: [{ product_id }], platform_fee: '4.00' }))
    .body as unknown as Link
  const earlier = await opened(merchant, link)
  await merchant.call('PATCH', `/v1/products/${product_id}`, { amount: '8.00' })
  assert.equal((await sessionOf(link))['amount'], '8.00')
  assert.equal(((await merchant.getCheckout(earlier.checkout_id)) as Json)['amount'], '5.00')
  await merchant.call('PATCH', `/v1/products/${product_id}`, { amount: '3.99' })
  assertError(await open(merchant, link), 409, 'CONFLICT') // worth less than the platform's part of it
  await merchant.call('PATCH', `/v1/products/${product_id}`, { amount: '8.00', active: false })
  assertError(await open(merchant, link), 409, 'CONFLICT')
  const product_group_id = await group([await newProduct(merchant)])
  const ofGroup = (await sell({ ...newLink, product_group_id })).body as unknown as Link
  await merchant.call('DELETE', `/v1/product-groups/${product_group_id}`)
  assertError(await open(merchant, ofGroup), 409, 'CONFLICT')
})

test('what the address tells of the buyer goes into the session, and makes no customer', async () => {
  const link = await createLink(merchant, { metadata: { utm_source: 'ours' } })
  const known = await stack.sql('select id from customers')
  const session = await sessionOf(link, {
    ...{ customer_email: 'Ada@Example.com', customer_name: 'Ada Buyer', reference: 'order-7' },
    utm: { utm_source: 'theirs', utm_medium: 'mail', utm_campaign: 'x'.repeat(600), admin: 'yes', UTM_TERM: 'a' },
  })
  assert.partialDeepStrictEqual(session, {
    ...{ customer: null, customer_details: { email: 'ada@example.com', name: 'Ada Buyer' }, reference: 'order-7' },
  })
  assert.deepEqual(session['metadata'], { utm_source: 'ours', utm_medium: 'mail', utm_campaign: 'x'.repeat(500) })
  assert.deepEqual(await stack.sql('select id from customers'), known)
  assertFaults(await open(merchant, link, { customer_email: 'ada', reference: 'x'.repeat(129), utm: 'mail' }), {
    ...{ customer_email: 'value_error.format', reference: 'value_error.range', utm: 'value_error.type' },
  })
})

test('metadata of a session stays within its limits, whatever an address brings', () => {
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

test('CONFLICT: a link that is switched off, over or used up opens nothing, and says which', async () => {
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
  assertFaults(await patch(completed, { max_completions: 1, price: {} }), { price: 'value_error' })
  await merchant.payByCard(await opened(merchant, completed))
  assertFaults(await patch(completed, { max_completions: 1 }), { max_completions: 'value_error.range' })
  assert.equal((await patch(completed, { max_completions: 2 })).status, 200)
})

test('a session that was open when its link was switched off can still be paid', async () => {
  const link = await createLink(merchant)
  const session = await opened(merchant, link)
  await patch(link, { active: false })
  assert.equal((await merchant.payByCard(session))['status'], 'completed')
  assert.equal((await read(link))['completed_count'], 1)
})

test('only what completes is counted', async () => {
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

test('the calls of the guide work as they are written', async () => {
  const calls = curlsIn('payment-links')
  assert.equal(calls.length, 2)
  let id = ''
  for (const { method, path: address, body } of calls) {
    const reply = await merchant.call(method, address.replace('$LINK', id), body)
    assert.ok(reply.status < 300, reply.text)
    id = String(reply.body['payment_link_id'])
  }
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

test('of payment_method_options only what the contract names is kept and shown, of links and of sessions', async () => {
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
  const free = { ...sale, amount: '0.00', payment_method_options: sent } // nothing of a free sale is checked further
  for (const body of [free, { ...sale, payment_method_options: sent }]) {
    const { checkout_id } = await stack.merchant.createCheckout(body)
    const [session] = await stack.sql('select method_options from checkouts where id = ?', [checkout_id])
    assert.deepEqual(session, { method_options: kept })
  }
})

test('payment_method_options of another shape are refused field by field', async () => {
  const { payment_link_id: id } = await createLink(stack.merchant)
  const wrong: [unknown, Record<string, string>][] = [
    ['card', { payment_method_options: 'value_error.type' }],
    [['card'], { payment_method_options: 'value_error.type' }],
    [{ card: true }, { 'payment_method_options.card': 'value_error.type' }],
    [{ crypto: { currencies: 'USDT_SOL' } }, { 'payment_method_options.crypto.currencies': 'value_error.type' }],
    [{ card: { currencies: [{ junk: 1 }] } }, { 'payment_method_options.card.currencies.0': 'value_error.type' }],
    [{ card: { currencies: ['x'.repeat(21)] } }, { 'payment_method_options.card.currencies.0': 'value_error.range' }],
  ]
  for (const [payment_method_options, faults] of wrong) {
    for (const [method, address, body] of [
      ['POST', '/v1/payment-links', newLink],
      ['PATCH', `/v1/payment-links/${id}`, {}],
      ['POST', '/v1/checkout-sessions', sale],
    ] as const) {
      assertFaults(await stack.merchant.call(method, address, { ...body, payment_method_options }), faults)
    }
  }
})

test('of what a link sells nothing is kept that the contract does not name', async () => {
  const product_id = await newProduct(stack.merchant)
  const junk = { deep: [{ b: 'c' }] }
  const cart = { price: undefined, product_cart: [{ product_id, quantity: 2, junk }] }
  const { payment_link_id: id } = await createLink(stack.merchant, cart)
  const [row] = await stack.sql('select product_cart from payment_links where id = ?', [id])
  assert.deepEqual(row, { product_cart: [{ product_id, quantity: 2 }] })
})
