import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertError, assertFieldErrors, bearer, pageOf } from '../support/api.ts'
import { dataOf, newProduct } from '../support/cart.ts'
import { buyer, card, cards, type Merchant, sale } from '../support/merchant.ts'
import { formOf } from '../support/page-form.ts'
import { openPages } from '../support/pages.ts'
import { monthly, subscriptionsOf } from '../support/subscription.ts'
import { until } from '../support/until.ts'
import { atEnd } from '../support/use.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// A checkout of recurring products, as its merchant and its buyer see it.
const stack = await useStack({ invariants: 'at the end' })
await useApi(stack)
const pages = await openPages(stack)
atEnd(() => pages.stop())
const plans = subscriptionsOf(stack)

type Json = Record<string, unknown>
type Session = Awaited<ReturnType<Merchant['createCheckout']>>
const yearly = { interval: 'year', interval_count: 1 }
const trial = { ...monthly, trial_days: 14 }
const product = (over: Json = {}) =>
  newProduct(stack.merchant, { name: 'Team plan', amount: '25.00', recurring: monthly, ...over })
const customer = () => ({ email: `${randomUUID()}@example.com`, name: 'Ada Buyer' })
const post = (body: Json, over: Json = { customer: customer() }) =>
  stack.merchant.call('POST', '/v1/checkout-sessions', { success_url: sale.success_url, ...body, ...over })
const cartOf = (...ids: string[]) => ids.map((product_id) => ({ product_id }))
const sell = async (body: Json): Promise<Session> => {
  const { status, body: made, text } = await post(body)
  assert.equal(status, 201, text)
  return made as unknown as Session
}
const group = async (...products: string[]) =>
  String(
    (await stack.merchant.call('POST', '/v1/product-groups', { name: 'Plans', products })).body['product_group_id'],
  )

async function viewOf({ checkout_id: id, client_secret: secret }: Session): Promise<Json> {
  return (await stack.merchant.call('GET', `/v1/checkout-sessions/${id}/public`, undefined, bearer(secret))).body
}

/** The session once it is complete, with its subscription. */
async function completed({ checkout_id: id }: Session) {
  const shown = await stack.merchant.getCheckout(id)
  assert.equal(shown['status'], 'completed', JSON.stringify(shown))
  const recurring = shown['recurring'] as Json
  return { shown, recurring, subscription: await plans.read(String(recurring['subscription_id'])) }
}
const begunBy = ({ checkout_id: id }: Session) =>
  stack.sql<{ id: string }>('select id from subscriptions where checkout_id = ?', [id])
const payCard = (session: Session, number = cards.success) => stack.merchant.payByCard(session, number)

test('CUSTOMER_REQUIRED: a checkout of recurring products names its customer, from a cart or a group', async () => {
  const plan = await product()
  for (const body of [{ product_cart: cartOf(plan) }, { product_group_id: await group(plan) }])
    assertError(await post(body, {}), 400, 'CUSTOMER_REQUIRED')
  assertError(await post({ product_cart: cartOf(plan) }, { customer: { id: 'cust_unknown' } }), 404, 'NOT_FOUND')
})

test('VALIDATION_ERROR: a cart has one rhythm: neither other rhythms, nor products that are sold once', async () => {
  const [month, year, once] = [
    await product(),
    await product({ recurring: yearly }),
    await product({ recurring: null }),
  ]
  const refused = async (...ids: string[]) => {
    const errors = assertError(await post({ product_cart: cartOf(...ids) }), 400, 'VALIDATION_ERROR')
    assert.deepEqual([...new Set(errors.map(({ field }) => field))], ['product_cart.1.product_id'])
    return errors.map(({ message }) => message)
  }
  assert.deepEqual(await refused(month, year), ['renews every year, and those before it renew every month'])
  assert.deepEqual(await refused(month, once), [
    'is sold once, and those before it are recurring: sell them in another session',
  ])
  assert.deepEqual(await refused(once, month), [
    'is recurring, and those before it are sold once: sell it in another session',
  ])
  const quarterly = await product({ recurring: { interval: 'month', interval_count: 3 } })
  assert.match(String(await refused(month, quarterly)), /renews every 3 months/)
  const tried = await product({ recurring: trial })
  assert.match(String(await refused(month, tried)), /another trial.*subscription_data\.trial_days/)
  assert.equal((await post({ product_cart: cartOf(month, tried), subscription_data: { trial_days: 7 } })).status, 201)
})

test('VALIDATION_ERROR: subscription_data is for recurring products, and a split for single payments', async () => {
  const [plan, once] = [await product(), await product({ recurring: null })]
  const data = { subscription_data: { trial_days: 3 } }
  for (const body of [{ product_cart: cartOf(once) }, { amount: '5.00', currency: 'USD', description: 'A thing' }])
    assertFieldErrors(await post({ ...body, ...data }), { subscription_data: 'value_error' })
  assertFieldErrors(await post({ setup: true, ...data }), { subscription_data: 'value_error' })
  const cart = { product_cart: cartOf(plan) }
  assertFieldErrors(await post({ ...cart, platform_fee: '1.00' }), { platform_fee: 'value_error' })
  const share = { destination: 'acct_x', amount: '1.00' }
  assertFieldErrors(await post({ ...cart, transfer_data: share }), { transfer_data: 'value_error' })
  for (const trial_days of [-1, 731, 1.5, '7'])
    assertError(await post({ ...cart, subscription_data: { trial_days } }), 400, 'VALIDATION_ERROR')
  const keys = (count: number, prefix: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, 'x']))
  const much = { metadata: keys(30, 'a'), subscription_data: { metadata: keys(20, 'b') } }
  assertFieldErrors(await post({ ...cart, ...much }), { 'subscription_data.metadata': 'value_error.range' })
  assertFieldErrors(await post({ ...cart, metadata: keys(50, 'a') }), { metadata: 'value_error.range' })
  assert.equal((await post({ ...cart, ...much, metadata: keys(29, 'a') })).status, 201)
})

test('VALIDATION_ERROR: a payment link sells no recurring products, also not once its group has some', async () => {
  const plan = await product()
  const link = { name: 'A plan', success_url: sale.success_url }
  const create = (body: Json) => stack.merchant.call('POST', '/v1/payment-links', { ...link, ...body })
  const refused = await create({ product_cart: cartOf(plan) })
  const [error] = assertError(refused, 400, 'VALIDATION_ERROR')
  assert.equal(error?.field, 'product_cart')
  assert.match(error?.message ?? '', /recurring: sell it by a checkout session/)
  assertFieldErrors(await create({ product_group_id: await group(plan) }), { product_group_id: 'value_error' })
  const later = await group(await product({ recurring: null }))
  const { body } = await create({ product_group_id: later })
  const slug = String(body['url']).split('/').at(-1)
  const changed = await stack.merchant.call('PATCH', `/v1/product-groups/${later}`, { products: [plan] })
  assert.equal(changed.status, 200, changed.text)
  assertError(await stack.merchant.call('POST', `/v1/payment-links/${slug}/sessions`, {}), 409, 'CONFLICT')
})

test('a paid checkout begins a subscription: session, payment and events name it, in one order', async () => {
  const session = await sell({ product_cart: [{ product_id: await product(), quantity: 2 }], metadata: { a: 'b' } })
  const terms = { interval: 'month', interval_count: 1, trial_days: 0 }
  const before = { ...terms, collection: 'automatic', subscription_id: null, next_charge_at: null }
  assert.deepEqual((await stack.merchant.getCheckout(session.checkout_id))['recurring'], before)
  const view = await viewOf(session)
  assert.deepEqual([view['recurring'], view['saves_card'], view['setup']], [before, true, false])
  const paid = await payCard(session)
  const { shown, recurring, subscription } = await completed(session)
  const id = subscription.subscription_id
  const end = subscription.current_period_end
  assert.deepEqual(recurring, { ...before, subscription_id: id, next_charge_at: end })
  assert.deepEqual((await viewOf(session))['recurring'], recurring)
  assert.deepEqual(
    [subscription.status, subscription['amount'], subscription['collection']],
    ['active', '50.00', 'automatic'],
  )
  assert.deepEqual(subscription['metadata'], { a: 'b', checkout_id: session.checkout_id })
  assert.match(String(subscription.payment_method_id), /^pm_/)

  const [invoice] = await plans.invoices(id)
  const { payment_id: paymentId } = paid
  const payment = await stack.merchant.getPayment(String(paymentId))
  const { hosted_invoice_url } = invoice as unknown as Json
  const named = { invoice_id: invoice?.invoice_id, number: invoice?.number, status: 'paid', hosted_invoice_url }
  assert.deepEqual(
    [payment['billing_reason'], payment['subscription_id'], payment['invoice']],
    ['subscription_create', id, named],
  )
  const [listed] = pageOf(await stack.merchant.call('GET', `/v1/payments?subscription_id=${id}`)).items
  assert.deepEqual(listed?.['invoice'], named)
  assert.deepEqual((shown['charge'] as Json)['billing_reason'], 'subscription_create')
  const { id: who } = shown['customer'] as { id: string }
  assert.deepEqual(await plans.events(who, String(paymentId), String(invoice?.invoice_id), id, session.checkout_id), [
    'customer.created',
    'collection.succeeded',
    'invoice.paid',
    'customer.subscription.created',
    'checkout.completed',
  ])
  const event = await dataOf(stack, 'checkout.completed', session.checkout_id)
  assert.deepEqual([event['subscription_id'], event['payment_status']], [id, 'paid'])
})

test('payments with and without invoices are listed together by one query more', async () => {
  await stack.merchant.chargeByCard()
  const page = pageOf(await stack.merchant.call('GET', '/v1/payments?limit=100')).items
  const withInvoice = page.filter(({ invoice }) => invoice !== null)
  assert.ok(withInvoice.length > 0 && withInvoice.length < page.length)
  assert.ok(page.every(({ invoice, subscription_id: of }) => (invoice === null) === (of === null)))
})

test('of a group of monthly and yearly plans the pick decides the rhythm', async () => {
  const [month, year] = [await product(), await product({ amount: '250.00', recurring: yearly })]
  for (const [picked, interval, amount] of [
    [year, 'year', '250.00'],
    [month, 'month', '25.00'],
  ] as const) {
    const session = await sell({ product_group_id: await group(month, year) })
    const { selection } = (await viewOf(session)) as { selection: { recurring: Json }[] }
    assert.deepEqual(
      selection.map(({ recurring }) => recurring['interval']),
      ['month', 'year'],
    )
    const how = { payment_method: 'USD_CARD', card: card(cards.success), confirm: true }
    assert.equal((await stack.merchant.pay(session, how)).status, 400, 'nothing is picked yet')
    const reply = await stack.merchant.pay(session, { ...how, products: cartOf(picked) })
    assert.equal(reply.body['payment_status'], 'succeeded', reply.text)
    const { recurring, subscription } = await completed(session)
    assert.deepEqual([recurring['interval'], subscription['amount']], [interval, amount])
    assert.equal((subscription['recurring'] as Json)['interval'], interval)
  }
})

test('a trial saves a card and charges nothing; the session succeeds, and no payment was required', async () => {
  const session = await sell({ product_cart: cartOf(await product({ recurring: trial })) })
  const view = await viewOf(session)
  assert.deepEqual([view['setup'], view['amount']], [true, '0.00'])
  const paid = await payCard(session)
  assert.deepEqual([paid['payment_status'], paid['payment_id']], ['succeeded', null])
  const { shown, recurring, subscription } = await completed(session)
  const days = (from: unknown, to: unknown) => (Date.parse(String(to)) - Date.parse(String(from))) / 86_400_000
  assert.deepEqual([subscription.status, subscription.latest_invoice_id], ['trialing', null])
  assert.equal(days(subscription['trial_start'], subscription['trial_end']), 14)
  assert.equal(recurring['next_charge_at'], subscription['trial_end'])
  assert.deepEqual([shown['charge'], shown['saved_payment_method_id']], [null, subscription.payment_method_id])
  const event = await dataOf(stack, 'checkout.completed', session.checkout_id)
  assert.deepEqual(
    [event['payment_status'], event['payment_id'], event['subscription_id']],
    ['no_payment_required', null, subscription.subscription_id],
  )
  assert.deepEqual(await plans.invoices(subscription.subscription_id), [])
})

test('each screen of a trial says what is charged after it: with the fee, and in the card’s currency', async () => {
  const settings = '/v1/accounts/checkout/settings'
  for (const [bears, fee] of [
    ['customer_pays', ' plus the payment fee'],
    ['org_pays', ''],
  ] as const) {
    for (const [price, words, rate] of [
      [{}, '$25.00 each month', ''],
      [{ amount: '40000.00', currency: 'NGN' }, '₦40,000.00 each month', ', in USD at the rate of that day'],
    ] as const) {
      await plans.ok('PUT', settings, { fee_preference: bears })
      const session = await sell({ product_cart: cartOf(await product({ ...price, recurring: trial })) })
      await plans.ok('PUT', settings, { fee_preference: 'org_pays' })
      assert.equal((await viewOf(session))['fee_preference'], bears)
      const address = pages.addressOf(session.checkout_url)
      const says = async (part: string) => assert.ok((await (await fetch(address)).text()).includes(part), part)
      await says(`14 days free, then ${words}${fee}. The first charge is on `)
      await stack.merchant.pay(session, { payment_method: 'USD_CARD', card: card(cards.success) })
      await says(`14 days free, then ${words}${fee}${rate}. The first charge is on `)
      const press = await formOf(address)
      assert.equal((await press({ step: 'confirm' })).status, 303)
      await completed(session)
      await says(`<dd>${words}${fee}${rate}</dd>`)
    }
  }
})

test('the page names the currency of the charges at once where all methods have the same other one', async () => {
  const price = { amount: '40000.00', currency: 'NGN' }
  const words = '₦40,000.00 each month, in USD at the rate of that day'
  for (const [recurring, says] of [
    [trial, `14 days free, then ${words}. The first charge is on `],
    [monthly, `${words}. The next charge is on `],
  ] as const)
    for (const [currencies, isNamed] of [
      [['USD'], true],
      [['USD', 'NGN'], false],
      [['NGN'], false],
    ] as const) {
      const cart = { product_cart: cartOf(await product({ ...price, recurring })) }
      const session = await sell({ ...cart, payment_method_options: { card: { currencies } } })
      const text = await (await fetch(pages.addressOf(session.checkout_url))).text()
      assert.equal(text.includes(says), isNamed, `${String(currencies)}: ${says}`)
    }
})

test('subscription_data replaces the trial of the products: none with 0, another with 30', async () => {
  const plan = await product({ recurring: trial })
  for (const [trial_days, status, setup] of [
    [0, 'active', false],
    [30, 'trialing', true],
  ] as const) {
    const session = await sell({ product_cart: cartOf(plan), subscription_data: { trial_days } })
    assert.equal((await viewOf(session))['setup'], setup)
    await payCard(session)
    const { recurring, subscription } = await completed(session)
    assert.deepEqual([subscription.status, recurring['trial_days']], [status, trial_days])
  }
})

test('the metadata of both is merged, an empty value removes a key, and checkout_id is the session’s', async () => {
  const session = await sell({
    product_cart: cartOf(await product()),
    metadata: { kept: '1', replaced: 'old', removed: 'x', checkout_id: 'mine' },
    subscription_data: { metadata: { replaced: 'new', removed: '', added: '2', checkout_id: 'theirs' } },
  })
  await payCard(session)
  const { shown, subscription } = await completed(session)
  const { checkout_id } = session
  assert.deepEqual(subscription['metadata'], { kept: '1', replaced: 'new', added: '2', checkout_id })
  assert.equal((shown['metadata'] as Json)['checkout_id'], 'mine', 'the session’s own metadata stays as it was sent')
})

test('a free plan completes without a payment method: its invoice of zero is paid', async () => {
  const free = await product({ price_type: 'free', amount: undefined, recurring: trial })
  for (const trial_days of [0, 14]) {
    const session = await sell({ product_cart: cartOf(free), subscription_data: { trial_days } })
    const view = await viewOf(session)
    assert.deepEqual([view['payment_methods'], view['setup']], [[], false])
    const reply = await stack.merchant.pay(session, {})
    assert.deepEqual([reply.status, reply.body['payment_status']], [200, 'succeeded'], reply.text)
    const { shown, subscription } = await completed(session)
    assert.deepEqual([shown['charge'], subscription['payment_method_id'], subscription['amount']], [null, null, '0.00'])
    assert.equal(subscription.status, trial_days > 0 ? 'trialing' : 'active')
    const invoices = await plans.invoices(subscription.subscription_id)
    assert.deepEqual(
      invoices.map(({ total, status }) => [total, status]),
      trial_days > 0 ? [] : [['0.00', 'paid']],
    )
  }
})

test('a custom price and a quantity are sold as chosen, and the fee comes on top for who pays it', async () => {
  const custom = { price_type: 'custom', amount: undefined, minimum_amount: '5.00', maximum_amount: '100.00' }
  const plan = await product(custom)
  assertFieldErrors(await post({ product_cart: [{ product_id: plan, amount: '4.00' }] }), {
    'product_cart.0.amount': 'value_error.range',
  })
  const settings = '/v1/accounts/checkout/settings'
  await stack.merchant.call('PUT', settings, { fee_preference: 'customer_pays' })
  const session = await sell({ product_cart: [{ product_id: plan, amount: '12.50', quantity: 3 }] })
  await stack.merchant.call('PUT', settings, { fee_preference: 'org_pays' })
  const paid = await payCard(session)
  assert.deepEqual([paid['amount'], paid['fee'], paid['total']], ['37.50', '1.39', '38.89'])
  const { subscription } = await completed(session)
  const [invoice] = await plans.invoices(subscription.subscription_id)
  assert.deepEqual([subscription['amount'], invoice?.total, invoice?.status], ['37.50', '37.50', 'paid'])
})

test('who pays by transfer or by phone gets invoices: nothing is pulled from them', async () => {
  const plan = await product({ amount: '5000.00', currency: 'NGN' })
  const session = await sell({ product_cart: cartOf(plan) })
  const { payment_id } = await stack.merchant.payByTransfer(session)
  assert.equal(((await stack.merchant.getCheckout(session.checkout_id))['recurring'] as Json)['collection'], 'invoice')
  assert.deepEqual(await begunBy(session), [], 'nothing has begun before the money is there')
  await stack.merchant.deposit(payment_id)
  await until(async () => (await begunBy(session)).length === 1, 'the transfer has begun the subscription')
  const { subscription } = await completed(session)
  assert.deepEqual([subscription['collection'], subscription.payment_method_id], ['invoice', null])
  const mobile = await sell({ product_cart: cartOf(await product({ amount: '1000.00', currency: 'KES' })) })
  await stack.merchant.payByPhone(mobile)
  await until(async () => (await begunBy(mobile)).length === 1, 'the wallet has begun the subscription')
  assert.equal((await completed(mobile)).subscription['collection'], 'invoice')
})

test('however often it is paid, a session begins one subscription, and a declined card begins none', async () => {
  const session = await sell({ product_cart: cartOf(await product()) })
  assert.equal((await payCard(session, cards.declined))['payment_status'], 'failed')
  assert.deepEqual(await begunBy(session), [])
  const how = { payment_method: 'USD_CARD', card: card(cards.success), confirm: true, customer_details: buyer }
  const replies = await Promise.all([1, 2, 3].map(() => stack.merchant.pay(session, how)))
  assert.ok(replies.some(({ status, body }) => status === 200 && body['payment_status'] === 'succeeded'))
  await Promise.all([1, 2].map(() => stack.merchant.confirm(session)))
  assert.equal((await stack.merchant.pay(session, how)).status, 409)
  const [begun, ...others] = await begunBy(session)
  assert.deepEqual([typeof begun?.id, others], ['string', []])
  const { subscription } = await completed(session)
  const [saved] = await stack.sql<{ last4: string }>('select last4 from saved_payment_methods where id = ?', [
    subscription.payment_method_id,
  ])
  assert.equal(saved?.last4, '4242', 'the good card is the one that is charged again')
})

test('a card that asks for a code begins the subscription once the code is right', async () => {
  for (const recurring of [monthly, trial]) {
    const session = await sell({ product_cart: cartOf(await product({ recurring })) })
    const asked = await stack.merchant.payByCard(session, cards.threeDs)
    assert.equal(asked['payment_status'], 'requires_action')
    assert.deepEqual(await begunBy(session), [])
    await stack.merchant.confirm(session, { code: '000000' })
    assert.deepEqual(await begunBy(session), [])
    await stack.merchant.payByCard(session, cards.threeDs)
    await stack.merchant.confirm(session, { code: '123456' })
    assert.equal((await begunBy(session)).length, 1)
    assert.match(String((await completed(session)).subscription.payment_method_id), /^pm_/)
  }
})

test('a session that was cancelled begins nothing, before and after its buyer tried', async () => {
  const plan = await product()
  for (const tried of [false, true]) {
    const session = await sell({ product_cart: cartOf(plan) })
    if (tried) await payCard(session, cards.declined)
    await stack.merchant.cancel(session.checkout_id)
    const how = { payment_method: 'USD_CARD', card: card(cards.success), confirm: true }
    assert.equal((await stack.merchant.pay(session, how)).status, 409)
    assert.deepEqual(await begunBy(session), [])
  }
})
