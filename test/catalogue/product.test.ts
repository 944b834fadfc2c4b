import assert from 'node:assert/strict'
import { test } from 'node:test'
import { productCategories, productCategorySections } from '../../domain/catalogue/product-category.ts'
import { newId } from '../../domain/id.ts'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import type { Merchant } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addImage, pdf, sendFile } from '../support/upload.ts'

const stack = await useStack({ workers: false, invariants: 'at the end' })
const api = await useApi(stack)

const fixed = { name: 'A poster', price_type: 'fixed', amount: '25', currency: 'USD' }
const free = { name: 'A sample', price_type: 'free', currency: 'USD' }
const custom = { name: 'A donation', price_type: 'custom', currency: 'NGN' }

const post = (body: object, merchant: Merchant = stack.merchant) => merchant.call('POST', '/v1/products', body)
const patch = (id: unknown, body: object) => stack.merchant.call('PATCH', `/v1/products/${id}`, body)
const get = (id: unknown) => stack.merchant.call('GET', `/v1/products/${id}`)
const remove = (id: unknown) => stack.merchant.call('DELETE', `/v1/products/${id}`)

async function made(body: object, merchant: Merchant = stack.merchant) {
  const reply = await post(body, merchant)
  assert.equal(reply.status, 201, reply.text)
  return reply.body as Record<string, unknown>
}

test('a product has the fields of the interface, and reads as it was created', async () => {
  const image = await addImage(stack.merchant)
  const { product_id, created_at, updated_at, ...rest } = await made({
    ...fixed,
    description: 'On heavy paper.',
    recurring: { interval: 'month', interval_count: 3, trial_days: 14 },
    images: [image],
    category: 'general_merchandise',
    metadata: { shelf: '4' },
    unknown: 'ignored',
  })
  assert.match(String(product_id), /^prod_[0-9a-z]{34}$/)
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    name: 'A poster',
    description: 'On heavy paper.',
    active: true,
    price_type: 'fixed',
    amount: '25.00',
    currency: 'USD',
    minimum_amount: null,
    maximum_amount: null,
    suggested_amount: null,
    recurring: { interval: 'month', interval_count: 3, trial_days: 14 },
    images: [{ upload_id: image, url: `${stack.baseUrl}/uploads/${image}` }],
    category: 'general_merchandise',
    metadata: { shelf: '4' },
  })
  const { status, body } = await get(product_id)
  assert.deepEqual([status, body], [200, { product_id, ...rest, created_at, updated_at }])
  assert.equal((await fetch(`${stack.baseUrl}/uploads/${image}`)).headers.get('content-type'), 'image/png')
})

test('a product with only the required fields has defaults for all others', async () => {
  const product = await made(free)
  assert.partialDeepStrictEqual(product, {
    description: null,
    active: true,
    amount: '0.00',
    recurring: null,
    images: [],
    category: null,
    metadata: {},
  })
  assert.equal((await made({ ...free, active: false }))['active'], false)
  const { recurring } = await made({ ...fixed, recurring: { interval: 'year' } })
  assert.deepEqual(recurring, { interval: 'year', interval_count: 1, trial_days: 0 })
})

test('a free product is shown with the amount 0, a custom one with the bounds of the buyer’s amount', async () => {
  assert.equal((await made({ ...free, amount: '0' }))['amount'], '0.00')
  assert.equal((await made({ ...free, currency: 'UGX', amount: null }))['amount'], '0')
  const unbound = { amount: null, minimum_amount: null, maximum_amount: null, suggested_amount: null }
  assert.partialDeepStrictEqual(await made(custom), unbound)
  const bounds = { minimum_amount: '0.00', maximum_amount: '500.00', suggested_amount: '100.50' }
  const sent = { minimum_amount: '0', maximum_amount: '500', suggested_amount: '100.5' }
  assert.partialDeepStrictEqual(await made({ ...custom, ...sent }), { amount: null, ...bounds })
  const equal = { minimum_amount: '5', maximum_amount: '5', suggested_amount: '5' }
  assert.partialDeepStrictEqual(await made({ ...custom, ...equal }), { maximum_amount: '5.00' })
})

type FieldErrors = Record<string, string>
const wrongPrices: [what: string, body: object, errors: FieldErrors][] = [
  ['fixed without an amount', { ...fixed, amount: undefined }, { amount: 'value_error.missing' }],
  ['fixed with null', { ...fixed, amount: null }, { amount: 'value_error.missing' }],
  ['fixed at zero', { ...fixed, amount: '0.00' }, { amount: 'value_error.range' }],
  ['an amount that is a number', { ...fixed, amount: 25 }, { amount: 'value_error.type' }],
  ['a third decimal', { ...fixed, amount: '25.001' }, { amount: 'value_error.format' }],
  ['a decimal in a currency without', { ...fixed, currency: 'XAF', amount: '25.5' }, { amount: 'value_error.format' }],
  ['a sign', { ...fixed, amount: '-5.00' }, { amount: 'value_error.format' }],
  ['an exponent', { ...fixed, amount: '1e3' }, { amount: 'value_error.format' }],
  ['16 digits', { ...fixed, amount: '12345678901234.56' }, { amount: 'value_error.range' }],
  [
    'fixed with the bounds of a custom price',
    { ...fixed, minimum_amount: '1.00', maximum_amount: '2.00', suggested_amount: '1.50' },
    { minimum_amount: 'value_error', maximum_amount: 'value_error', suggested_amount: 'value_error' },
  ],
  ['free with an amount', { ...free, amount: '0.01' }, { amount: 'value_error.range' }],
  ['free with a bound', { ...free, suggested_amount: '5.00' }, { suggested_amount: 'value_error' }],
  ['custom with an amount', { ...custom, amount: '5.00' }, { amount: 'value_error' }],
  ['custom with a maximum of zero', { ...custom, maximum_amount: '0' }, { maximum_amount: 'value_error.range' }],
  [
    'custom with bounds that cross',
    { ...custom, minimum_amount: '10.00', maximum_amount: '9.99' },
    { maximum_amount: 'value_error.range' },
  ],
  [
    'a suggestion below the minimum',
    { ...custom, minimum_amount: '10.00', suggested_amount: '9.99' },
    { suggested_amount: 'value_error.range' },
  ],
  [
    'a suggestion above the maximum',
    { ...custom, maximum_amount: '10.00', suggested_amount: '10.01' },
    { suggested_amount: 'value_error.range' },
  ],
  ['bounds that cannot be read', { ...custom, minimum_amount: 'ten' }, { minimum_amount: 'value_error.format' }],
]
for (const [what, body, errors] of wrongPrices) {
  test(`VALIDATION_ERROR: a price, ${what}`, async () => assertFieldErrors(await post(body), errors))
}

test('VALIDATION_ERROR: all errors of a product are answered at once', async () => {
  const invalid = {
    name: ' ',
    price_type: 'fixed',
    amount: 'x',
    currency: 'USD',
    description: 'd'.repeat(5001),
    active: 'yes',
    recurring: {
      interval: 'fortnight',
      interval_count: 0,
      trial_days: 731,
    },
    images: [5],
    category: 'spaceships',
    metadata: { key: 5 },
  }
  assertFieldErrors(await post(invalid), {
    name: 'value_error.format',
    amount: 'value_error.format',
    description: 'value_error.range',
    active: 'value_error.type',
    'images.0': 'value_error.type',
    category: 'value_error.enum',
    'recurring.interval': 'value_error.enum',
    'recurring.interval_count': 'value_error.range',
    'recurring.trial_days': 'value_error.range',
    'metadata.key': 'value_error.type',
  })
  assertFieldErrors(await post({}), {
    name: 'value_error.missing',
    price_type: 'value_error.missing',
    currency: 'value_error.missing',
  })
  assertFieldErrors(await post({ ...free, name: 'n'.repeat(256) }), { name: 'value_error.range' })
  assertFieldErrors(await post({ ...fixed, price_type: 'tiered' }), { price_type: 'value_error.enum' })
})

test('CURRENCY_NOT_SUPPORTED: a product has a currency that the service knows', async () => {
  for (const currency of ['ABC', 'abc', '', 'toString']) {
    assertError(await post({ ...fixed, currency }), 400, 'CURRENCY_NOT_SUPPORTED')
  }
})

test('VALIDATION_ERROR: charges are at most three years apart, whatever the interval', async () => {
  for (const [interval, most] of Object.entries({ day: 1095, week: 156, month: 36, year: 3 })) {
    const recurring = (interval_count: number) => ({ ...fixed, recurring: { interval, interval_count } })
    await made(recurring(most))
    assertFieldErrors(await post(recurring(most + 1)), { 'recurring.interval_count': 'value_error.range' })
  }
})

test('a change touches only the fields that it names; null clears a field, metadata is merged', async () => {
  const was = await made({ ...fixed, description: 'Old', category: 'saas', metadata: { a: '1', b: '2' } })
  const { body: one } = await patch(was['product_id'], { name: 'New', amount: '30.5', metadata: { b: '3' } })
  const { updated_at, ...rest } = one
  const changed = { name: 'New', amount: '30.50', metadata: { a: '1', b: '3' } }
  assert.deepEqual({ ...rest, updated_at: was['updated_at'] }, { ...was, ...changed })
  assert.ok(String(updated_at) >= String(was['updated_at']))
  const { body: two } = await patch(was['product_id'], { description: null, category: null, active: false })
  assert.partialDeepStrictEqual(two, { ...changed, description: null, category: null, active: false })
  assert.equal((await patch(was['product_id'], { active: true })).body['active'], true)
  assert.deepEqual((await patch(was['product_id'], {})).body['name'], 'New')
})

test('VALIDATION_ERROR: price_type, currency and recurring never change, but may be sent unchanged', async () => {
  const recurring = { interval: 'month', interval_count: 1, trial_days: 7 }
  const { product_id } = await made({ ...fixed, recurring })
  const same = { price_type: 'fixed', currency: 'USD', recurring: { interval: 'month', trial_days: 7 } }
  assert.equal((await patch(product_id, { ...same, amount: '26.00' })).body['amount'], '26.00')
  const changes = { price_type: 'custom', currency: 'NGN', recurring: null }
  const refused = { price_type: 'value_error', currency: 'value_error', recurring: 'value_error' }
  assertFieldErrors(await patch(product_id, { ...changes, name: 'Other' }), refused)
  for (const other of [{ interval: 'year' }, { interval_count: 2 }, { trial_days: 0 }]) {
    assertFieldErrors(await patch(product_id, { recurring: { ...recurring, ...other } }), { recurring: 'value_error' })
  }
  const oneTime = await made(fixed)
  assertFieldErrors(await patch(oneTime['product_id'], { recurring }), { recurring: 'value_error' })
  assert.equal((await patch(oneTime['product_id'], { recurring: null })).status, 200)
  assert.partialDeepStrictEqual((await get(product_id)).body, { name: 'A poster', price_type: 'fixed', recurring })
})

test('VALIDATION_ERROR: a new price must be valid for the product’s price_type', async () => {
  const { product_id } = await made(fixed)
  assertFieldErrors(await patch(product_id, { amount: null }), { amount: 'value_error.missing' })
  assertFieldErrors(await patch(product_id, { amount: '0' }), { amount: 'value_error.range' })
  assertFieldErrors(await patch(product_id, { minimum_amount: '1.00' }), { minimum_amount: 'value_error' })
  const donation = await made({ ...custom, minimum_amount: '10.00', maximum_amount: '20.00' })
  const crossing = await patch(donation['product_id'], { minimum_amount: '20.01' })
  assertFieldErrors(crossing, { maximum_amount: 'value_error.range' })
  const { body } = await patch(donation['product_id'], { minimum_amount: null, maximum_amount: '5.00' })
  assert.partialDeepStrictEqual(body, { minimum_amount: null, maximum_amount: '5.00' })
  const sample = await made(free)
  assertFieldErrors(await patch(sample['product_id'], { amount: '1.00' }), { amount: 'value_error.range' })
  assert.equal((await patch(sample['product_id'], { name: 'Still free' })).body['amount'], '0.00')
})

test('a deleted product is archived: it can be read, is not active, and is deleted again without harm', async () => {
  const { product_id } = await made(fixed)
  for (let times = 0; times < 2; times++) {
    const { status, body } = await remove(product_id)
    assert.deepEqual([status, body], [200, { product_id, deleted: true }])
  }
  assert.partialDeepStrictEqual((await get(product_id)).body, { product_id, active: false, amount: '25.00' })
  assert.equal((await patch(product_id, { active: true })).body['active'], true)
})

test('NOT_FOUND: another account’s product, and another environment’s, is answered like a missing one', async () => {
  const { accountId, merchant } = await api.addMerchant()
  const live = await api.addKey({ accountId, environment: 'live' })
  const { product_id } = await made(fixed, merchant)
  const none = await get(newId('prod', Date.now()))
  assertError(none, 404, 'NOT_FOUND')
  for (const other of [stack.merchant, live.merchant]) {
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Mine' }], ['DELETE']] as const) {
      const reply = await other.call(method, `/v1/products/${product_id}`, body)
      assert.deepEqual([reply.status, reply.text], [404, none.text])
    }
    assert.ok(!(await other.call('GET', '/v1/products?limit=100')).text.includes(String(product_id)))
  }
})

test('images are shown in their order, and cannot be deleted while a product shows them', async () => {
  const [a = '', b = '', c = ''] = await Promise.all([0, 1, 2].map(() => addImage(stack.merchant)))
  const { product_id } = await made({ ...free, images: [b, a] })
  const shown = async () =>
    ((await get(product_id)).body['images'] as unknown as { upload_id: string }[]).map((i) => i.upload_id)
  assert.deepEqual(await shown(), [b, a])
  await patch(product_id, { images: [c, a] })
  assert.deepEqual(await shown(), [c, a])
  await patch(product_id, { name: 'Another name' })
  assert.deepEqual(await shown(), [c, a])
  const deleted = await Promise.all([a, b, c].map((id) => stack.merchant.call('DELETE', `/v1/utilities/uploads/${id}`)))
  assert.deepEqual(
    deleted.map(({ status }) => status),
    [409, 200, 409],
  )
})

test('VALIDATION_ERROR: images are the account’s own uploads of an image type, at most 8, each once', async () => {
  const { merchant } = await api.addMerchant()
  const mine = await addImage(stack.merchant)
  const theirs = await addImage(merchant)
  const document = String((await sendFile(stack.merchant, pdf, 'terms.pdf')).body['upload_id'])
  const images = [mine, theirs, document, mine, newId('upl', Date.now()), 'nonsense']
  const errors = Object.fromEntries([1, 2, 3, 4, 5].map((index) => [`images.${index}`, 'value_error']))
  assertFieldErrors(await post({ ...free, images }), errors)
  const { product_id } = await made(free)
  assertFieldErrors(await patch(product_id, { images, name: 'Not this' }), errors)
  assert.partialDeepStrictEqual((await get(product_id)).body, { name: free.name, images: [] })
  assert.equal((await stack.merchant.call('DELETE', `/v1/utilities/uploads/${mine}`)).status, 200)
  const eight = await Promise.all(Array.from({ length: 8 }, () => addImage(stack.merchant)))
  const nine = [...eight, await addImage(stack.merchant)] // more than eight at once are refused
  assertFieldErrors(await post({ ...free, images: nine }), { images: 'value_error.range' })
  assert.equal(((await made({ ...free, images: nine.slice(1) }))['images'] as object[]).length, 8)
})

test('changing the images of two products at once, in any order, causes no deadlock', async () => {
  const images = await Promise.all([0, 1, 2, 3].map(() => addImage(stack.merchant)))
  const [one, other] = [await made({ ...free, images }), await made({ ...free, images: images.toReversed() })]
  const rotated = (by: number) => [...images.slice(by), ...images.slice(0, by)].slice(0, 3)
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      patch((index % 2 ? one : other)['product_id'], { images: index % 3 ? rotated(index % 4) : [] }),
    ),
  )
  for (const { status, text } of replies) assert.equal(status, 200, text)
})

test('a list is filtered by active, recurring and part of the name', async () => {
  const { merchant } = await api.addMerchant()
  const plan = await made({ ...fixed, name: 'Team Plan 100%', recurring: { interval: 'month' } }, merchant)
  const poster = await made({ ...fixed, name: 'Poster_A' }, merchant)
  const old = await made({ ...fixed, name: 'old poster', active: false }, merchant)
  const find = async (query: string) =>
    pageOf(await merchant.call('GET', `/v1/products?${query}`)).items.map(({ product_id }) => product_id)
  const ids = ([plan, poster, old] as const).map(({ product_id }) => product_id)
  const all = ids.toReversed()
  assert.deepEqual(await find(''), all)
  assert.deepEqual(await find('active=true'), [ids[1], ids[0]])
  assert.deepEqual(await find('active=false'), [ids[2]])
  assert.deepEqual(await find('recurring=true'), [ids[0]])
  assert.deepEqual(await find('recurring=false'), [ids[2], ids[1]])
  assert.deepEqual(await find('search=POSTER'), [ids[2], ids[1]])
  assert.deepEqual(await find('search=poster&active=true'), [ids[1]])
  assert.deepEqual(await find('search=0%25'), [ids[0]])
  assert.deepEqual(await find('search=_'), [ids[1]])
  assert.deepEqual(await find('search=%5C'), [])
  assert.deepEqual(await find('search='), all)
  const reply = await merchant.call('GET', '/v1/products?active=yes&recurring=1')
  assertFieldErrors(reply, { active: 'value_error.type', recurring: 'value_error.type' })
  const page = pageOf(await merchant.call('GET', '/v1/products?search=poster&limit=1'))
  assert.equal(page.pagination.total, 2)
  assert.deepEqual(await find(`search=poster&limit=1&cursor=${page.pagination.next_cursor}`), [ids[1]])
  assert.deepEqual(page.items[0], (await merchant.call('GET', `/v1/products/${ids[2]}`)).body)
})

test('the same creation twice with one idempotency key makes one product', async () => {
  const image = await addImage(stack.merchant)
  const send = () =>
    stack.merchant.call('POST', '/v1/products', { ...free, images: [image] }, { 'idempotency-key': image })
  const first = await send()
  const again = await send()
  assert.equal(first.status, 201)
  assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [first.text, 'true'])
})

for (const [what, change] of Object.entries({
  'a fixed price of zero': `price_type = 'fixed', amount = 0`,
  'a fixed price without an amount': `price_type = 'fixed', amount = null`,
  'an amount that is no number': `amount = 'NaN'`,
  'a free product that costs': `price_type = 'free', amount = 1`,
  'an amount where the buyer decides it': `price_type = 'custom', amount = 1`,
  'bounds of a fixed price': `minimum_amount = 1`,
  'bounds that cross': `price_type = 'custom', amount = null, minimum_amount = 2, maximum_amount = 1`,
  'an interval without its count': `recurring_interval = 'month'`,
  'an invalid currency': `currency = 'usd'`,
})) {
  test(`the database itself refuses ${what}`, async () => {
    const { product_id } = await made(fixed)
    await assert.rejects(stack.sql(`update products set ${change} where id = ?`, [product_id]), /violates check/)
  })
}

test('the reference lists about 25 categories in six sections, each category in one of them', async () => {
  const { status, body } = await stack.merchant.call('GET', '/v1/reference/product-categories')
  assert.equal(status, 200)
  assert.deepEqual(body, { categories: productCategories, sections: productCategorySections })
  const values = productCategories.map(({ value }) => value)
  assert.ok(values.length >= 23 && values.length <= 27)
  assert.equal(productCategorySections.length, 6)
  assert.equal(new Set(values).size, values.length)
  assert.deepEqual(
    productCategorySections.flatMap(({ categories }) => categories),
    values,
  )
  for (const category of values) await made({ ...free, category })
})

test('any key may read the categories, whatever its scopes', async () => {
  const { merchant } = await api.addKey({ accountId: await api.addAccount(), scopes: ['payments:read'] })
  assert.equal((await merchant.call('GET', '/v1/reference/product-categories')).status, 200)
})
