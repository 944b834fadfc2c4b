import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import type { Merchant } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack({ workers: false })
const api = await useApi(stack)

const path = '/v1/product-groups'
const post = (body: object, merchant: Merchant = stack.merchant) => merchant.call('POST', path, body)
const patch = (id: unknown, body: object) => stack.merchant.call('PATCH', `${path}/${id}`, body)
const get = (id: unknown) => stack.merchant.call('GET', `${path}/${id}`)

async function made(reply: ReturnType<typeof post>): Promise<Record<string, unknown>> {
  const { status, text, body } = await reply
  assert.equal(status, 201, text)
  return body
}

async function product(over: object = {}, merchant: Merchant = stack.merchant): Promise<string> {
  const body = { name: 'A size', price_type: 'fixed', amount: '5.00', currency: 'USD', ...over }
  return String((await made(merchant.call('POST', '/v1/products', body)))['product_id'])
}

const recurring = { recurring: { interval: 'month' } }

test('a group has the fields of the interface, and its products in their order', async () => {
  const products = [await product(), await product({ price_type: 'free', amount: null }), await product()].toReversed()
  const { product_group_id, created_at, updated_at, ...rest } = await made(
    post({ name: 'Sizes', description: 'Three of them', products, metadata: { a: 'b' } }),
  )
  assert.match(String(product_group_id), /^pg_[0-9a-z]{34}$/)
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    name: 'Sizes',
    description: 'Three of them',
    active: true,
    products,
    metadata: { a: 'b' },
  })
  const { status, body } = await get(product_group_id)
  assert.deepEqual([status, body], [200, { product_group_id, ...rest, created_at, updated_at }])
})

test('a change touches only the fields that it names, and replaces the products as a whole', async () => {
  const [one, other] = [await product(), await product()]
  const was = await made(post({ name: 'Sizes', products: [one], metadata: { a: '1', b: '2' } }))
  const id = was['product_group_id']
  const changed = { products: [other, one], metadata: { a: '1', b: '2', c: '3' }, description: 'Two' }
  const { body } = await patch(id, { ...changed, metadata: { c: '3' } })
  assert.deepEqual({ ...body, updated_at: null }, { ...was, ...changed, updated_at: null })
  assert.partialDeepStrictEqual((await patch(id, { name: 'Other', description: null })).body, {
    name: 'Other',
    description: null,
    products: [other, one],
  })
  assert.equal((await patch(id, { active: false })).body['active'], false)
})

test('VALIDATION_ERROR: a group has 1 to 20 products, and all errors are answered at once', async () => {
  const ids = await Promise.all(Array.from({ length: 21 }, () => product()))
  assertFieldErrors(await post({ name: 'Sizes', products: ids }), { products: 'value_error.range' })
  assertFieldErrors(await post({ name: 'Sizes', products: [] }), { products: 'value_error.range' })
  assert.equal((await post({ name: 'Sizes', products: ids.slice(1) })).status, 201)
  assertFieldErrors(await post({}), { name: 'value_error.missing', products: 'value_error.missing' })
  const invalid = { name: '', products: [7], description: 5, active: 'no', metadata: 'x' }
  assertFieldErrors(await post(invalid), {
    name: 'value_error.format',
    'products.0': 'value_error.type',
    description: 'value_error.type',
    active: 'value_error.type',
    metadata: 'value_error.type',
  })
})

test('VALIDATION_ERROR: the products of a group are the account’s own, active, each once', async () => {
  const { merchant } = await api.addMerchant()
  const mine = await product()
  const theirs = await product({}, merchant)
  const archived = await product({ active: false })
  const products = [mine, theirs, archived, mine, newId('prod', Date.now()), 'nonsense']
  const errors = Object.fromEntries([1, 2, 3, 4, 5].map((index) => [`products.${index}`, 'value_error']))
  assertFieldErrors(await post({ name: 'Sizes', products }), errors)
  assertFieldErrors(await post({ name: 'Sizes', products: [theirs] }), { 'products.0': 'value_error' })
  const { product_group_id } = await made(post({ name: 'Sizes', products: [mine] }))
  assertFieldErrors(await patch(product_group_id, { products, name: 'Not this' }), errors)
  assert.partialDeepStrictEqual((await get(product_group_id)).body, { name: 'Sizes', products: [mine] })
})

test('VALIDATION_ERROR: the products of a group are in one currency', async () => {
  const products = [
    await product(),
    await product({ currency: 'NGN' }),
    await product(),
    await product({ currency: 'EUR' }),
  ]
  const errors = { 'products.1': 'value_error', 'products.3': 'value_error' }
  assertFieldErrors(await post({ name: 'Mixed', products }), errors)
})

test('VALIDATION_ERROR: the products of a group are all one-time or all recurring', async () => {
  const [one, plan, yearly] = [await product(), await product(recurring), await product(recurring)]
  assertFieldErrors(await post({ name: 'Mixed', products: [one, plan] }), { 'products.1': 'value_error' })
  assertFieldErrors(await post({ name: 'Mixed', products: [plan, one, yearly] }), { 'products.1': 'value_error' })
  assert.equal((await post({ name: 'Plans', products: [plan, yearly] })).status, 201)
})

test('a product that is archived later stays in its groups, which can still be changed', async () => {
  const [one, other] = [await product(), await product()]
  const { product_group_id } = await made(post({ name: 'Sizes', products: [one, other] }))
  await stack.merchant.call('DELETE', `/v1/products/${one}`)
  assert.deepEqual((await get(product_group_id)).body['products'], [one, other])
  assert.equal((await patch(product_group_id, { name: 'Still there' })).body['name'], 'Still there')
})

test('a deleted group is archived: it can be read, and deleted again without harm', async () => {
  const { product_group_id } = await made(post({ name: 'Sizes', products: [await product()] }))
  for (let times = 0; times < 2; times++) {
    const { status, body } = await stack.merchant.call('DELETE', `${path}/${product_group_id}`)
    assert.deepEqual([status, body], [200, { product_group_id, deleted: true }])
  }
  assert.equal((await get(product_group_id)).body['active'], false)
  assert.equal((await patch(product_group_id, { active: true })).body['active'], true)
})

test('NOT_FOUND: another account’s group, and another environment’s, is answered like a missing one', async () => {
  const { accountId, merchant } = await api.addMerchant()
  const live = await api.addKey({ accountId, environment: 'live' })
  const group = await made(post({ name: 'Theirs', products: [await product({}, merchant)] }, merchant))
  const none = await get(newId('pg', Date.now()))
  assertError(none, 404, 'NOT_FOUND')
  for (const other of [stack.merchant, live.merchant]) {
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Mine' }], ['DELETE']] as const) {
      const reply = await other.call(method, `${path}/${group['product_group_id']}`, body)
      assert.deepEqual([reply.status, reply.text], [404, none.text])
    }
  }
})

test('a list is paged, newest first, and filtered by active and by part of the name', async () => {
  const { merchant } = await api.addMerchant()
  const products = [await product({}, merchant)]
  const groups = []
  for (const name of ['Sizes', 'Plans', 'Old sizes']) groups.push(await made(post({ name, products }, merchant)))
  const [sizes, plans, old] = groups.map((group) => group['product_group_id'])
  await merchant.call('DELETE', `${path}/${old}`)
  const find = async (query: string) =>
    pageOf(await merchant.call('GET', `${path}?${query}`)).items.map((group) => group['product_group_id'])
  assert.deepEqual(await find(''), [old, plans, sizes])
  assert.deepEqual(await find('active=true'), [plans, sizes])
  assert.deepEqual(await find('active=false'), [old])
  assert.deepEqual(await find('search=SIZE'), [old, sizes])
  const { pagination } = pageOf(await merchant.call('GET', `${path}?limit=2`))
  assert.partialDeepStrictEqual(pagination, { total: 3, returned: 2, has_more: true })
  assert.deepEqual(await find(`limit=2&cursor=${pagination.next_cursor}`), [sizes])
  assertFieldErrors(await merchant.call('GET', `${path}?active=1`), { active: 'value_error.type' })
})

test('the database itself refuses an empty group', async () => {
  const { product_group_id } = await made(post({ name: 'Sizes', products: [await product()] }))
  const empty = stack.sql(`update product_groups set product_ids = '{}' where id = ?`, [product_group_id])
  await assert.rejects(empty, /violates check/)
})
