import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { sandboxExchangeRates } from '../../rails/exchange-rates.ts'
import type { Currency } from '../../domain/currency.ts'
import { errorCodes, Refusal } from '../../domain/refusal.ts'
import { assertError, assertFieldErrors, bearer } from '../support/api.ts'
import { dataOf, newProduct } from '../support/cart.ts'
import { holdingNothing } from '../support/held-feed.ts'
import { buyer, card, cards, type Merchant, type Reply, sale, transferSale } from '../support/merchant.ts'
import { openPages } from '../support/pages.ts'
import { createLink, type Link, newLink, open, slugOf } from '../support/payment-link.ts'
import { changeAccount } from '../support/rows.ts'
import { atEnd } from '../support/use.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack()
await useApi(stack)
afterEach(() => {
  stack.services.rates.rate = sandboxExchangeRates.rate
})

type Json = Record<string, unknown>
type Session = Awaited<ReturnType<Merchant['createCheckout']>>
type Offer = Record<'payment_method' | 'currency' | 'amount' | 'fee' | 'total', string> & { rate: string | null }
type View = { billing_currency: string; amount: string; currency: string; payment_methods: Offer[] }

async function viewOf({ checkout_id, client_secret }: Session): Promise<View> {
  const path = `/v1/checkout-sessions/${checkout_id}/public`
  return JSON.parse((await stack.merchant.call('GET', path, undefined, bearer(client_secret))).text) as View
}
const create = (body: Json) => stack.merchant.call('POST', '/v1/checkout-sessions', { ...sale, ...body })
const wallet = { payment_method: 'MOMO_KES', phone_number: '+254700000001', provider: 'mpesa' }

/** Sets the rate to a currency, or the refusal that is answered instead. */
function setRate(to: Currency, answer: string | Refusal): void {
  stack.services.rates.rate = async (from, other) => {
    if (other !== to) return sandboxExchangeRates.rate(from, other)
    if (typeof answer !== 'string') throw answer
    return answer
  }
}

test('a session in dollars is offered in every currency, its own first, others with their rate', async () => {
  const { payment_methods: offers, amount, currency } = await viewOf(await stack.merchant.createCheckout())
  assert.deepEqual([amount, currency], ['25.00', 'USD'])
  assert.deepEqual(
    offers.map((offer) => offer.rate === null),
    offers.map((offer) => offer.currency === 'USD'),
  )
  const of = (key: string) => offers.find(({ payment_method }) => payment_method === key)
  assert.equal(offers[0]?.payment_method, 'USD_CARD')
  const { amount: naira, fee, total, rate } = of('NGN_BANK_TRANSFER') ?? {}
  assert.deepEqual([naira, fee, total, rate], ['40000.00', '0.00', '40000.00', '1600'])
  assert.equal(of('MOMO_UGX')?.total, '92500')
})

test('the buyer pays in shillings: rate, fee, payment, charge, events and ledger all agree', async () => {
  await changeAccount(stack, stack.organizationId, { feePreference: 'customer_pays' })
  const session = await stack.merchant.createCheckout({ ...sale, platform_fee: '1.50' })
  await changeAccount(stack, stack.organizationId, { feePreference: 'org_pays' })
  assert.equal((await stack.merchant.getCheckout(session.checkout_id))['billing_currency'], 'USD')
  const { body: attempt } = await stack.merchant.pay(session, wallet)
  const { amount, fee, total, currency, rate, base_amount, base_currency } = attempt as unknown as Record<
    string,
    string
  >
  assert.deepEqual([amount, fee, total, currency, rate], ['3225.00', '48.38', '3273.38', 'KES', '129'])
  assert.deepEqual([base_amount, base_currency], ['25.00', 'USD'])
  const id = String(attempt['payment_id'])
  await stack.finished('checkout', session.checkout_id)

  const done = await stack.merchant.getCheckout(session.checkout_id)
  assert.deepEqual(
    [done['status'], done['amount'], done['currency'], done['billing_currency'], done['payment_method']],
    ['completed', '25.00', 'USD', 'KES', 'MOMO_KES'],
  )
  const { amount: charged, currency: chargedIn } = done['charge'] as Record<string, string>
  assert.deepEqual([charged, chargedIn, done['platform_fee']], ['3273.38', 'KES', '1.50'])
  const payment = await stack.merchant.getPayment(id)
  const kept = ['amount', 'currency', 'base_amount', 'base_currency', 'rate', 'platform_fee', 'fee_usd']
  assert.deepEqual(
    kept.map((field) => payment[field]),
    ['3273.38', 'KES', '25.00', 'USD', '129', '1.50', '0.38'],
  )
  const collected = await dataOf(stack, 'collection.succeeded', id)
  assert.deepEqual(
    ['amount', 'currency', 'settlement_amount', 'settlement_currency'].map((field) => collected[field]),
    ['3273.38', 'KES', '3225.00', 'KES'],
  )
  const completed = await dataOf(stack, 'checkout.completed', session.checkout_id)
  assert.deepEqual(
    ['amount', 'currency', 'billing_currency', 'payment_method'].map((field) => completed[field]),
    ['25.00', 'USD', 'KES', 'MOMO_KES'],
  )
  const accounts = await stack.sql<{ currency: string; book: string }>(
    `select distinct currency, book from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
     where t.source_id = ? order by book`,
    [id],
  )
  assert.deepEqual(
    accounts.map(({ currency: of, book }) => `${of} ${book}`),
    ['KES fees', 'KES merchant', 'KES rail'],
  )
  const refund = await stack.merchant.refund(id)
  assert.deepEqual([refund['requested_amount'], refund['currency']], ['3225.00', 'KES'])
  await stack.dispatched()
  await stack.finished('refund', refund.refund_id)
  assert.deepEqual(await stack.check(), [])
})

test('the rate is fixed at pay: it is shown before confirm, and later changes do not matter', async () => {
  const session = await stack.merchant.createCheckout()
  setRate('NGN', '1500')
  const chosen = await stack.merchant.pay(session, { payment_method: 'NGN_CARD', card: card(cards.threeDs) })
  assert.deepEqual([chosen.body['payment_status'], chosen.body['rate']], ['requires_confirmation', '1500'])
  assert.equal(chosen.body['total'], '37500.00')
  setRate('NGN', '2000')
  assert.equal((await stack.merchant.confirm(session)).body['total'], '37500.00')
  setRate('NGN', new Refusal('SERVICE_UNAVAILABLE', 'unavailable'))
  const { body } = await stack.merchant.confirm(session, { code: '123456' })
  assert.deepEqual([body['payment_status'], body['amount_received']], ['succeeded', '37500.00'])
})

test('another choice gets a new quote, and the session’s own currency has the rate 1', async () => {
  const session = await stack.merchant.createCheckout()
  setRate('NGN', '1500')
  await stack.merchant.payByTransfer(session)
  setRate('NGN', '1550.5')
  const { body: again } = await stack.merchant.pay(session, { payment_method: 'NGN_BANK_TRANSFER' })
  assert.deepEqual([again['amount'], again['rate']], ['38762.50', '1550.5'])
  const { body } = await stack.merchant.pay(session, { payment_method: 'USD_CARD', card: card(cards.success) })
  assert.deepEqual([body['amount'], body['currency'], body['rate']], ['25.00', 'USD', '1'])
  assert.equal((await stack.merchant.getCheckout(session.checkout_id))['billing_currency'], 'USD')
})

test('money for an earlier choice completes the session at the rate of that choice', async () => {
  const session = await stack.merchant.createCheckout()
  setRate('NGN', '1500')
  const { payment_id } = await stack.merchant.payByTransfer(session)
  await stack.merchant.payByCard(session, cards.declined)
  await stack.merchant.deposit(payment_id)
  const done = await stack.merchant.getCheckout(session.checkout_id)
  assert.deepEqual([done['status'], done['billing_currency']], ['completed', 'NGN'])
  assert.equal((await viewOf(session)).amount, '37500.00')
})

test('crypto on a session in naira is first converted to dollars', async () => {
  const { body } = await stack.merchant.pay(await stack.merchant.createCheckout(transferSale), {
    payment_method: 'CRYPTO',
    asset: 'USDT_TRC20',
  })
  const { next_action, amount, currency, rate } = body as unknown as Record<string, string>
  assert.deepEqual([amount, currency, rate], ['3.13', 'USD', '0.000625']) // 3.125, half up
  assert.equal((next_action as unknown as Json)['amount'], '3.130000')
})

test('a cart and a picked product are converted as one sum', async () => {
  const product_id = await newProduct(stack.merchant, { amount: '0.05' })
  const { success_url } = sale
  setRate('UGX', '3699')
  const cart = { success_url, product_cart: [{ product_id, quantity: 3 }] } // 554.85 shillings in all
  const { checkout_id } = await stack.merchant.createCheckout({ ...cart, customer: buyer })
  const path = `/v1/test-helpers/checkout-sessions/${checkout_id}/pay`
  const { body } = await stack.merchant.call('POST', path, { payment_method: 'MOMO_UGX' })
  assert.equal((body as unknown as { charge: Json }).charge['amount'], '555')

  const group = await stack.merchant.call('POST', '/v1/product-groups', { name: 'A', products: [product_id] })
  const product_group_id = group.body['product_group_id']
  const session = await stack.merchant.createCheckout({ success_url, product_group_id })
  const offer = (await viewOf(session)).payment_methods.find(({ currency }) => currency === 'UGX')
  assert.deepEqual([offer?.amount, offer?.total, offer?.rate], [null, null, '3699'])
  const picked = { products: [{ product_id, quantity: 2 }] }
  const phone = { payment_method: 'MOMO_UGX', phone_number: '+256700000001', provider: 'mtn' }
  assert.equal((await stack.merchant.pay(session, { ...phone, ...picked })).body['amount'], '370')
})

test('billing_currency is shown, comes first, and leaves the buyer free to choose another', async () => {
  const { status, body } = await create({ billing_currency: 'KES' })
  assert.deepEqual([status, body['currency'], body['billing_currency']], [201, 'USD', 'KES'])
  const session = body as unknown as Session
  const view = await viewOf(session)
  assert.deepEqual([view.billing_currency, view.amount, view.currency], ['KES', '25.00', 'USD'])
  assert.deepEqual(
    view.payment_methods.slice(0, 2).map(({ payment_method }) => payment_method),
    ['MOMO_KES', 'USD_CARD'],
  )
  await stack.merchant.payByCard(session)
  assert.equal((await stack.merchant.getCheckout(session.checkout_id))['billing_currency'], 'USD')
  assert.equal((await create({ billing_currency: 'USD' })).body['billing_currency'], 'USD')
  assert.equal((await create({ billing_currency: null })).body['billing_currency'], 'USD')
})

test('CURRENCY_NOT_SUPPORTED: an unknown billing_currency, or one that the restriction leaves out', async () => {
  for (const billing_currency of ['EUR', 'XTS', 'ke', '', '__proto__', 'USDT_TRC20']) {
    assertError(await create({ billing_currency }), 400, 'CURRENCY_NOT_SUPPORTED')
  }
  const payment_method_options = { card: {} }
  assertError(await create({ billing_currency: 'KES', payment_method_options }), 400, 'CURRENCY_NOT_SUPPORTED')
  assert.equal((await create({ billing_currency: 'NGN', payment_method_options })).status, 201)
  assertFieldErrors(await create({ billing_currency: 5 }), { billing_currency: 'value_error.type' })
})

test('an amount that is rounded to zero in a currency cannot be paid in it', async () => {
  const cent = { ...sale, amount: '1', currency: 'UGX' } // 0.00027 dollars
  const session = await stack.merchant.createCheckout(cent)
  const offered = (await viewOf(session)).payment_methods.map(({ payment_method }) => payment_method)
  assert.ok(offered.includes('MOMO_UGX') && !offered.includes('USD_CARD') && !offered.includes('CRYPTO'))
  const byCard = await stack.merchant.pay(session, { payment_method: 'USD_CARD', card: card(cards.success) })
  assertError(byCard, 400, 'PAYMENT_METHOD_NOT_ALLOWED')
  const payment_method_options = { card: { currencies: ['USD'] } }
  const refused = await create({ ...cent, payment_method_options })
  assertError(refused, 400, 'CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD')
  assertError(await create({ ...cent, billing_currency: 'USD' }), 400, 'CURRENCY_NOT_SUPPORTED')
  const huge = await stack.merchant.createCheckout({ ...sale, amount: '9999999999999.99' })
  const own = (await viewOf(huge)).payment_methods
  assert.deepEqual([...new Set(own.map(({ currency }) => currency))], ['USD']) // others would have too many digits
})

test('what would have too many digits with the fee on top is refused, unless another currency takes it', async () => {
  const wide = { ...sale, amount: '9999999999999.99' }
  assert.equal((await create(wide)).status, 201)
  await changeAccount(stack, stack.organizationId, { feePreference: 'customer_pays' })
  assertError(await create(wide), 400, 'CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD')
  assertError(await create({ ...wide, billing_currency: 'USD' }), 400, 'CURRENCY_NOT_SUPPORTED')
  const inShillings = { ...sale, amount: '999999999999999', currency: 'UGX' }
  const offered = (await viewOf(await stack.merchant.createCheckout(inShillings))).payment_methods
  assert.ok(offered.some(({ currency }) => currency === 'USD') && !offered.some(({ currency }) => currency === 'UGX'))
  await changeAccount(stack, stack.organizationId, { feePreference: 'org_pays' })
})

/** While the rate source answers this refusal, nobody can pay in naira, and every other method works. */
async function withoutNaira(status: number, code: 'BAD_GATEWAY' | 'SERVICE_UNAVAILABLE'): Promise<void> {
  const session = await stack.merchant.createCheckout()
  const onlyNaira = { payment_method_options: { card: { currencies: ['NGN'] } } }
  setRate('NGN', new Refusal(code, 'no rate is known', [], 5))
  const offered = (await viewOf(session)).payment_methods.map(({ currency }) => currency)
  assert.ok(!offered.includes('NGN') && offered.includes('KES'))
  assertError(await stack.merchant.pay(session, { payment_method: 'NGN_BANK_TRANSFER' }), status, code)
  assertError(await create({ billing_currency: 'NGN' }), status, code)
  assertError(await create(onlyNaira), status, code)
  assert.equal((await create({})).status, 201) // a usual sale needs no rate
  const { checkout_id } = await stack.merchant.createCheckout({ ...sale, customer: buyer })
  const path = `/v1/test-helpers/checkout-sessions/${checkout_id}/pay`
  assertError(await stack.merchant.call('POST', path, { payment_method: 'NGN_CARD' }), status, code)
  assert.equal((await stack.merchant.payByCard(session))['payment_status'], 'succeeded')
}

test('SERVICE_UNAVAILABLE: a currency without a rate is neither offered nor accepted', () =>
  withoutNaira(503, 'SERVICE_UNAVAILABLE'))

test('BAD_GATEWAY: a currency with an invalid rate is neither offered nor accepted', () =>
  withoutNaira(502, 'BAD_GATEWAY'))

test('one currency without a rate does not refuse a sale that other currencies can pay', async () => {
  const wallets = { currency: 'EUR', payment_method_options: { mobile_money: {} } } // offered in cedis first
  const offeredFor = async (session: Session) => (await viewOf(session)).payment_methods.map(({ currency }) => currency)
  const [first] = await offeredFor((await create(wallets)).body as unknown as Session)
  assert.equal(first, 'GHS')
  for (const code of ['SERVICE_UNAVAILABLE', 'BAD_GATEWAY'] as const) {
    const noRate = new Refusal(code, 'no rate is known', [], 5)
    setRate('GHS', noRate)
    const { status, body, text } = await create(wallets)
    assert.equal(status, 201, text)
    const offered = await offeredFor(body as unknown as Session)
    assert.ok(!offered.includes('GHS') && offered.includes('KES'))
    // No other currency can pay this cent. Whether cedis could is not known, so it is not refused for good.
    stack.services.rates.rate = async (_from, to) => (to === 'GHS' ? Promise.reject(noRate) : '0.4')
    assertError(await create({ ...wallets, amount: '0.01' }), errorCodes[code], code)
  }
})

/** While no rate is known, a link that needs one cannot be opened now. It is not closed: its buyer may come again. */
async function withoutRates(status: number, code: 'BAD_GATEWAY' | 'SERVICE_UNAVAILABLE'): Promise<void> {
  const pages = await openPages(stack)
  atEnd(() => pages.stop())
  const link = await createLink(stack.merchant, { price: { price_type: 'fixed', amount: '25.00', currency: 'EUR' } })
  const visit = () => fetch(`${pages.base}/l/${slugOf(link)}`, { redirect: 'manual' })
  assert.equal((await visit()).status, 303)
  stack.services.rates.rate = () => Promise.reject(new Refusal(code, 'no rate is known', [], 5))
  const refused = await open(stack.merchant, link)
  assertError(refused, status, code)
  assert.equal(refused.headers.get('retry-after'), '5')
  assert.equal((await visit()).status, status)
  assertError(await create({ currency: 'EUR' }), status, code)
}

test('SERVICE_UNAVAILABLE: without any rate a link in another currency is unavailable, and not closed', () =>
  withoutRates(503, 'SERVICE_UNAVAILABLE'))

test('BAD_GATEWAY: with invalid rates a link in another currency is unavailable, and not closed', () =>
  withoutRates(502, 'BAD_GATEWAY'))

const inEuros = { price_type: 'fixed', amount: '25.00', currency: 'EUR' }
const waiting: Record<string, (link: Link, product_id: string) => Promise<Reply>> = {
  'a session of products': (_, product_id) =>
    stack.merchant.call('POST', '/v1/checkout-sessions', {
      success_url: sale.success_url,
      product_cart: [{ product_id }],
    }),
  'a new link': () => stack.merchant.call('POST', '/v1/payment-links', { ...newLink, price: inEuros }),
  'a changed link': ({ payment_link_id: id }) =>
    stack.merchant.call('PATCH', `/v1/payment-links/${id}`, { payment_method_options: { card: {} } }),
  'an opened link': (link) => open(stack.merchant, link),
}
for (const [what, call] of Object.entries(waiting)) {
  test(`${what} that waits for the rates holds no connection meanwhile`, async () => {
    const link = await createLink(stack.merchant, { price: inEuros })
    const product_id = await newProduct(stack.merchant, { amount: '25.00', currency: 'EUR' })
    const { status, text } = await holdingNothing(stack, () => call(link, product_id))
    assert.ok(status < 300, text)
  })
}

test('after these sales the ledger keeps all its invariants', async () => {
  await stack.dispatched()
  assert.deepEqual(await stack.check(), [])
})
