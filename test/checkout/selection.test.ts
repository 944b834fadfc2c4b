import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { assertError, assertFieldErrors, bearer } from '../support/api.ts'
import { dataOf, newProduct } from '../support/cart.ts'
import { buyer, card, cards, type Merchant } from '../support/merchant.ts'
import { formOf } from '../support/page-form.ts'
import { openPages } from '../support/pages.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const pages = await openPages(stack)
atEnd(() => pages.stop())

type Json = Record<string, unknown>
type Session = Json & Record<'checkout_id' | 'client_secret' | 'checkout_url' | 'status' | 'expires_at', string>
const target = { success_url: 'https://example.com/thanks' }
const custom = { price_type: 'custom', amount: null, minimum_amount: '3.00', suggested_amount: '6.00' }
const free = { price_type: 'free', amount: null }
const product = (over: Json = {}, merchant: Merchant = stack.merchant) => newProduct(merchant, over)

async function group(products: string[], merchant: Merchant = stack.merchant): Promise<string> {
  const { body, text } = await merchant.call('POST', '/v1/product-groups', { name: 'Sizes', products })
  assert.ok(body['product_group_id'], text)
  return String(body['product_group_id'])
}

const post = (body: Json, merchant: Merchant = stack.merchant) =>
  merchant.call('POST', '/v1/checkout-sessions', { ...target, ...body })

async function open(products: string[], more: Json = {}): Promise<Session> {
  const { status, body, text } = await post({ product_group_id: await group(products), ...more })
  assert.equal(status, 201, text)
  return body as unknown as Session
}

const byCard = { payment_method: 'USD_CARD', card: card(cards.success) }
const pay = (session: Session, products: unknown, more: Json = { ...byCard, confirm: true }) =>
  stack.merchant.pay(session, { ...more, ...(products !== undefined && { products }) })
const seen = async ({ checkout_id, client_secret }: Session) =>
  (await stack.merchant.call('GET', `/v1/checkout-sessions/${checkout_id}/public`, undefined, bearer(client_secret)))
    .body as unknown as Json & { payment_methods: Json[]; selection: Json[] }

test('a selection has no products and no price until the buyer picks, and then those of the pick', async () => {
  const [small, large] = [await product({ name: 'Small' }), await product({ name: 'Large', amount: '8.00' })]
  const session = await open([small, large])
  assert.partialDeepStrictEqual(session, { session_mode: 'SELECTION', products: null, amount: '0.00', currency: 'USD' })
  const view = await seen(session)
  assert.deepEqual([view['products'], view['session_mode']], [null, 'SELECTION'])
  assert.deepEqual(
    view.selection.map(({ product_id, product_name, unit_amount }) => [product_id, product_name, unit_amount]),
    [
      [small, 'Small', '5.00'],
      [large, 'Large', '8.00'],
    ],
  )
  const offers = view.payment_methods.map(({ payment_method, fee, total }) => [payment_method, fee, total])
  assert.deepEqual(offers.slice(0, 2), [
    ['USD_CARD', null, null],
    ['CRYPTO', null, null],
  ])
  assert.deepEqual(offers.flatMap(([, fee, total]) => [fee, total]).filter(Boolean), [])
  const { body } = await pay(session, [{ product_id: large, quantity: 2 }])
  assert.partialDeepStrictEqual(body, { status: 'completed', amount: '16.00', total: '16.00' })
  const read = await stack.merchant.getCheckout(session.checkout_id)
  assert.partialDeepStrictEqual(read, {
    amount: '16.00',
    products: [{ product_id: large, product_name: 'Large', quantity: 2, unit_amount: '8.00', line_total: '16.00' }],
  })
  const payment = await stack.merchant.getPayment(String(body['payment_id']))
  assert.deepEqual([payment['line_items'], payment['amount']], [read['products'], '16.00'])
  const { products, amount } = await dataOf(stack, 'checkout.completed', session.checkout_id)
  assert.deepEqual([products, amount], [read['products'], '16.00'])
})

test('the buyer may pick again until it is paid, and a pick stays when only the method changes', async () => {
  const [small, large] = [await product(), await product({ amount: '8.00' })]
  const session = await open([small, large])
  const first = await pay(session, [{ product_id: small }], byCard)
  assert.partialDeepStrictEqual(first.body, { payment_status: 'requires_confirmation', total: '5.00' })
  const second = await pay(session, [{ product_id: large }], { ...byCard, card: card(cards.declined), confirm: true })
  assert.partialDeepStrictEqual(second.body, { payment_status: 'failed', total: '8.00' })
  const third = await pay(session, undefined, byCard)
  assert.equal(third.body['total'], '8.00', third.text)
  const fourth = await pay(session, [{ product_id: small, quantity: 3 }], byCard)
  assert.equal(fourth.body['total'], '15.00', fourth.text)
  assert.equal((await stack.merchant.confirm(session)).body['status'], 'completed')
  const amounts = await stack.sql<{ amount: string }>(
    'select trim_scale(amount)::text as amount from payments where checkout_id = ? order by created_at',
    [session.checkout_id],
  )
  assert.deepEqual(
    amounts.map(({ amount }) => amount),
    ['8', '15'],
  )
})

test('money for an earlier pick completes the session with that pick', async () => {
  const naira = { currency: 'NGN', amount: '5000.00' }
  const [small, large] = [await product(naira), await product({ ...naira, amount: '9000.00' })]
  const session = await open([small, large])
  const transfer = { payment_method: 'NGN_BANK_TRANSFER' }
  const { body: attempt } = await pay(session, [{ product_id: small }], transfer)
  assert.equal((await pay(session, [{ product_id: large }], transfer)).body['total'], '9000.00')
  const sent = await stack.merchant.deposit(String(attempt['payment_id']))
  assert.equal(sent.body['status'], 'succeeded', sent.text)
  const { status, amount, products } = await stack.merchant.getCheckout(session.checkout_id)
  assert.deepEqual([status, amount], ['completed', '5000.00'])
  assert.partialDeepStrictEqual(products, [{ product_id: small }])
})

test('a free pick completes without a charge, whatever was chosen before', async () => {
  const [gift, fixed] = [await product(free), await product()]
  const straight = await open([gift, fixed])
  assert.equal((await pay(straight, [{ product_id: gift }], {})).body['status'], 'completed')
  for (const earlier of [
    { ...byCard },
    { ...byCard, card: card(cards.declined), confirm: true },
    { ...byCard, card: card(cards.threeDs), confirm: true },
  ]) {
    const session = await open([gift, fixed])
    await pay(session, [{ product_id: fixed }], earlier)
    const { body, text } = await pay(session, [{ product_id: gift }])
    assert.equal(body['status'], 'completed', text)
    const { charge, amount, payment_method } = await stack.merchant.getCheckout(session.checkout_id)
    assert.deepEqual([charge, amount, payment_method], [null, '0.00', null])
    const { payment_status } = await dataOf(stack, 'checkout.completed', session.checkout_id)
    assert.equal(payment_status, 'no_payment_required')
  }
})

test('the buyer decides a custom price', async () => {
  const tip = await product(custom)
  const session = await open([tip])
  const { body } = await pay(session, [{ product_id: tip, amount: '12.5' }])
  assert.partialDeepStrictEqual(body, { status: 'completed', amount: '12.50' })
})

test('VALIDATION_ERROR: a pick is one product of the group, with a price within its bounds', async () => {
  const [fixed, tip, other] = [await product(), await product(custom), await product()]
  const session = await open([fixed, tip])
  assertFieldErrors(await pay(session, undefined), { products: 'value_error.missing' })
  assertFieldErrors(await pay(session, []), { products: 'value_error.range' })
  assertFieldErrors(await pay(session, [{ product_id: fixed }, { product_id: tip }]), { products: 'value_error.range' })
  assertFieldErrors(await pay(session, [{ product_id: other }]), { 'products.0.product_id': 'value_error' })
  assertFieldErrors(await pay(session, [{ product_id: tip }]), { 'products.0.amount': 'value_error.missing' })
  assertFieldErrors(await pay(session, [{ product_id: tip, amount: '2.99' }]), {
    'products.0.amount': 'value_error.range',
  })
  assertFieldErrors(await pay(session, [{ product_id: fixed, amount: '5' }]), { 'products.0.amount': 'value_error' })
  assertFieldErrors(await pay(session, [{ product_id: fixed, quantity: 0 }]), {
    'products.0.quantity': 'value_error.range',
  })
  assert.partialDeepStrictEqual(await stack.merchant.getCheckout(session.checkout_id), {
    products: null,
    status: 'open',
  })
})

test('a session keeps the prices and products of its creation, and offers no archived ones', async () => {
  const [one, other, gone] = [await product(), await product({ amount: '8.00' }), await product()]
  const groupId = await group([one, other, gone])
  await stack.merchant.call('DELETE', `/v1/products/${gone}`)
  const session = (await post({ product_group_id: groupId })).body as unknown as Session
  await stack.merchant.call('PATCH', `/v1/products/${one}`, { amount: '99.00' })
  await stack.merchant.call('PATCH', `/v1/product-groups/${groupId}`, { products: [other] })
  assert.deepEqual(
    (await seen(session)).selection.map(({ product_id, unit_amount }) => [product_id, unit_amount]),
    [
      [one, '5.00'],
      [other, '8.00'],
    ],
  )
  assert.equal((await pay(session, [{ product_id: one }])).body['amount'], '5.00')
})

test('VALIDATION_ERROR: a group that is archived or has no active product', async () => {
  const sell = async (product_group_id: string) => post({ product_group_id })
  const archived = await group([await product()])
  await stack.merchant.call('DELETE', `/v1/product-groups/${archived}`)
  assertFieldErrors(await sell(archived), { product_group_id: 'value_error' })
  const only = await product()
  const empty = await group([only])
  await stack.merchant.call('DELETE', `/v1/products/${only}`)
  assertFieldErrors(await sell(empty), { product_group_id: 'value_error' })
})

test('NOT_FOUND: another account’s product group, or an unknown one', async () => {
  const { merchant } = await api.addMerchant()
  const theirs = await group([await product({}, merchant)], merchant)
  for (const product_group_id of [theirs, newId('pg', Date.now()), 'nonsense']) {
    assertError(await post({ product_group_id }), 404, 'NOT_FOUND')
  }
})

test('the test helper picks the first product, or the one in its body', async () => {
  const [tip, fixed] = [await product(custom), await product()]
  const helped = async (body: Json) => {
    const { checkout_id } = await open([tip, fixed])
    return (await stack.merchant.call('POST', `/v1/test-helpers/checkout-sessions/${checkout_id}/pay`, body)).body
  }
  assert.partialDeepStrictEqual(await helped({}), { status: 'completed', amount: '6.00' })
  const products = [{ product_id: fixed, quantity: 2 }]
  assert.partialDeepStrictEqual(await helped({ products }), { status: 'completed', amount: '10.00' })
})

test('the same call to pay, sent twice, makes one pick and one payment', async () => {
  const one = await product()
  const session = await open([one])
  const headers = { ...bearer(session.client_secret), 'idempotency-key': newId('evt', Date.now()) }
  const body = { ...byCard, confirm: true, customer_details: buyer, products: [{ product_id: one, quantity: 2 }] }
  const path = `/v1/checkout-sessions/${session.checkout_id}/pay`
  const first = await stack.merchant.call('POST', path, body, headers)
  const second = await stack.merchant.call('POST', path, body, headers)
  assert.deepEqual([second.text, first.body['status']], [first.text, 'completed'])
})

test('the hosted page offers the products, accepts a pick and shows it', async () => {
  const [fixed, tip] = [await product({ name: 'Small <box>' }), await product({ ...custom, name: 'Tip' })]
  const session = await open([fixed, tip])
  const page = pages.addressOf(session.checkout_url)
  const shown = await (await fetch(page)).text()
  assert.match(shown, /Small &lt;box&gt;<\/span>\s+<span class="price">\$5\.00/)
  assert.match(shown, /Tip<\/span>\s+<span class="price">Choose your amount/)
  const form = (fields: Record<string, string>) =>
    fetch(page, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({
        step: 'pay',
        form_key: newId('evt', Date.now()),
        email: buyer.email,
        name: buyer.name,
        method: 'card:USD_CARD',
        number: cards.success,
        expiry: '12/40',
        cvc: '123',
        ...fields,
      }),
    })
  for (const amount of ['1', '0,50']) {
    const refused = await form({ product: `custom:${tip}`, [`amount_${tip}`]: amount, mark: ',', priced_in: 'USD' })
    assert.match(await refused.text(), /id="amount_prod_\w+-error">Enter [^<]*\$3\.00/, amount)
  }
  assert.equal((await form({ product: `custom:${tip}`, [`amount_${tip}`]: '7.25' })).status, 303)
  const confirming = await (await fetch(page)).text()
  assert.match(confirming, /Tip<\/span>[\s\S]+\$7\.25/)
})

const paymentsOf = ({ checkout_id: id }: Session) => stack.sql('select id from payments where checkout_id = ?', [id])
const statusOf = async ({ checkout_id: id }: Session) => (await stack.merchant.getCheckout(id))['status']
const choose = async (session: Session, body: Json) =>
  assert.equal((await stack.merchant.pay(session, { ...byCard, ...body })).status, 200)
const plan = (interval: string, more: Json) =>
  product({ amount: '25.00', recurring: { interval, interval_count: 1, ...more } })

for (const [kind, more] of Object.entries({ trial: { trial_days: 14 }, plan: {} })) {
  test(`a press on the page of one ${kind} begins no other one of the same price, picked in a second tab`, async () => {
    const [week, month] = [await plan('week', more), await plan('month', more)]
    const customer = { email: `${newId('evt', Date.now())}@example.com`, name: 'Ada Buyer' }
    const session = await open([week, month], { customer })
    const page = pages.addressOf(session.checkout_url)
    await choose(session, { products: [{ product_id: week }] })
    const press = await formOf(page)
    await choose(session, { products: [{ product_id: month }] })
    assert.equal((await press({ step: 'confirm' })).status, 303)
    assert.equal(await statusOf(session), 'open')
    assert.match(await (await fetch(page)).text(), /each month/)
    const pressAgain = await formOf(page)
    assert.equal((await pressAgain({ step: 'confirm' })).status, 303)
    assert.equal(await statusOf(session), 'completed')
  })
}

test('a press on the page of one card charges no other card that was entered in a second tab', async () => {
  const one = await product()
  const session = await open([one])
  const page = pages.addressOf(session.checkout_url)
  await choose(session, { products: [{ product_id: one }] })
  const press = await formOf(page)
  await choose(session, { products: [{ product_id: one }], card: card(cards.declined) })
  assert.equal((await press({ step: 'confirm' })).status, 303)
  assert.deepEqual(await paymentsOf(session), [])
  assert.match(await (await fetch(page)).text(), /••0002/)
})

test('a form confirms nothing that does not say which button was pressed, or names an unknown one', async () => {
  const one = await product()
  const session = await open([one])
  await choose(session, { products: [{ product_id: one }] })
  const send = await formOf(pages.addressOf(session.checkout_url))
  for (const button of [{}, { step: '' }, { step: 'other' }]) assert.equal((await send(button)).status, 303)
  assert.deepEqual(await paymentsOf(session), [])
})
