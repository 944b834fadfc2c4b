import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corridorKeys } from '../../domain/corridor.ts'
import { assetKeys } from '../../domain/checkout/crypto.ts'
import { assertError, assertFieldErrors, bearer } from '../support/api.ts'
import { newProduct } from '../support/cart.ts'
import { card, cards, type Merchant, sale, transferSale } from '../support/merchant.ts'
import { openPages } from '../support/pages.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'

// A restriction leaves the same methods when a session is created, read, shown on the page and paid.
const stack = await useStack()
await useApi(stack)
const pages = await openPages(stack)
atEnd(() => pages.stop())

type Json = Record<string, unknown>
type Session = Awaited<ReturnType<Merchant['createCheckout']>>
type Offer = { payment_method: string; assets: string[] }

async function offersOf({ checkout_id, client_secret }: Session): Promise<Offer[]> {
  const path = `/v1/checkout-sessions/${checkout_id}/public`
  const { text } = await stack.merchant.call('GET', path, undefined, bearer(client_secret))
  return (JSON.parse(text) as { payment_methods: Offer[] }).payment_methods
}

const restricted = (payment_method_options: Json | null, base: Json = sale) =>
  stack.merchant.createCheckout({ ...base, payment_method_options })

test('an excluded method is not offered, in the public view or on the page, and cannot be used', async () => {
  const session = await restricted({ card: { currencies: ['USD'] } })
  assert.deepEqual(
    (await offersOf(session)).map(({ payment_method }) => payment_method),
    ['USD_CARD'],
  )
  const page = await (await fetch(pages.addressOf(session.checkout_url))).text()
  assert.match(page, /value="card:USD_CARD"/)
  assert.doesNotMatch(page, /crypto/i)
  const reply = await stack.merchant.pay(session, { payment_method: 'CRYPTO', asset: 'USDT_TRC20' })
  assertError(reply, 400, 'PAYMENT_METHOD_NOT_ALLOWED')
})

test('without currencies or a restriction all are offered, the session’s own first', async () => {
  const cardsAndCoins = [
    ['USD_CARD', []],
    ['CRYPTO', assetKeys],
    ['NGN_CARD', []],
  ]
  for (const options of [
    { card: {}, crypto: {} },
    { card: { currencies: [] }, crypto: { currencies: [] } },
  ]) {
    assert.deepEqual(
      (await offersOf(await restricted(options))).map(({ payment_method, assets }) => [payment_method, assets]),
      cardsAndCoins,
    )
  }
  const all = (await offersOf(await restricted(null))).map(({ payment_method }) => payment_method)
  assert.deepEqual(all.slice(0, 3), ['USD_CARD', 'CRYPTO', 'NGN_CARD'])
  assert.deepEqual(all.toSorted(), corridorKeys.toSorted())
})

test('for crypto the currencies are asset codes: only those are offered, shown and accepted', async () => {
  const session = await restricted({ crypto: { currencies: ['USDT_TRC20', 'ETH_ETH', 'DOGE'] } })
  assert.deepEqual(
    (await offersOf(session)).map(({ payment_method, assets }) => [payment_method, assets]),
    [['CRYPTO', ['ETH_ETH', 'USDT_TRC20']]],
  )
  const page = await (await fetch(pages.addressOf(session.checkout_url))).text()
  assert.deepEqual(
    assetKeys.filter((asset) => page.includes(`value="${asset}"`)),
    ['ETH_ETH', 'USDT_TRC20'],
  )
  const pay = (body: Json) => stack.merchant.pay(session, { payment_method: 'CRYPTO', ...body })
  for (const body of [
    { asset: 'SOL_SOL' },
    { currency: 'SOL_SOL' },
    { asset: 'ETH_ETH', currency: 'USDT_TRC20' },
    { asset: 'ETH_ETH', currency: 'EUR' },
  ]) {
    assertError(await pay(body), 400, 'PAYMENT_METHOD_NOT_ALLOWED')
  }
  assertFieldErrors(await pay({}), { asset: 'value_error.missing' })
  assertFieldErrors(await pay({ currency: 'USD' }), { asset: 'value_error.missing' })
  assertFieldErrors(await pay({ asset: 'DOGE' }), { asset: 'value_error.enum' })
  for (const body of [{ asset: 'ETH_ETH', currency: 'USD' }, { currency: 'USDT_TRC20' }]) {
    const { body: attempt, text } = await pay(body)
    const { asset } = (attempt as { next_action?: { asset: string } }).next_action ?? {}
    assert.equal(asset, 'asset' in body ? body.asset : body.currency, text)
  }
})

test('PAYMENT_METHOD_NOT_ALLOWED: a currency that the restriction leaves out', async () => {
  const session = await restricted({ card: {}, bank_transfer: { currencies: ['NGN'] } }, transferSale)
  const pay = (body: Json) => stack.merchant.pay(session, { card: card(cards.success), ...body })
  assertError(await pay({ payment_method: 'NGN_CARD', currency: 'USD' }), 400, 'PAYMENT_METHOD_NOT_ALLOWED')
  assertError(await pay({ payment_method: 'NGN_CARD', currency: 'USDT_TRC20' }), 400, 'PAYMENT_METHOD_NOT_ALLOWED')
  assert.equal((await pay({ payment_method: 'NGN_CARD', currency: 'NGN' })).status, 200)
})

test('CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD: also for carts and selections, unless they are free', async () => {
  const { success_url } = sale
  const create = (body: Json) =>
    stack.merchant.call('POST', '/v1/checkout-sessions', {
      success_url,
      payment_method_options: { mobile_money: { currencies: ['USD'] } },
      ...body,
    })
  const groupOf = async (products: string[]) =>
    (await stack.merchant.call('POST', '/v1/product-groups', { name: 'A', products })).body['product_group_id']
  const [paid, free] = [
    await newProduct(stack.merchant),
    await newProduct(stack.merchant, { price_type: 'free', amount: null }),
  ]
  const refused = [{ product_cart: [{ product_id: paid }] }, { product_group_id: await groupOf([free, paid]) }]
  for (const body of refused) {
    assertError(await create(body), 400, 'CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD')
  }
  const allowed = [{ product_cart: [{ product_id: free }] }, { product_group_id: await groupOf([free]) }]
  for (const body of allowed) assert.equal((await create(body)).status, 201)
})
