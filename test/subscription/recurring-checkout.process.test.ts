import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newProduct } from '../support/cart.ts'
import { cards, type Merchant } from '../support/merchant.ts'
import { monthly, type Shown, subscriptionsOf } from '../support/subscription.ts'
import { rules } from '../support/subscription-invariants.ts'
import { until } from '../support/until.ts'
import { useStack } from '../support/use-stack.ts'

// What a checkout has begun, as it renews; and sessions that end before they have begun anything.
const stack = await useStack({ skipping: true, invariants: 'after each test' })
const plans = subscriptionsOf(stack)
const dayMs = 86_400_000

type Json = Record<string, unknown>
type Session = Awaited<ReturnType<Merchant['createCheckout']>>
const sell = async (product: Json, session: Json = {}): Promise<Session> => {
  const id = await newProduct(stack.merchant, { name: 'Team plan', amount: '25.00', recurring: monthly, ...product })
  const opened = await plans.createSession(id, session)
  await stack.dispatched()
  return opened
}
const begunBy = async ({ checkout_id: id }: Session): Promise<string[]> =>
  (await stack.sql<{ id: string }>('select id from subscriptions where checkout_id = ?', [id])).map((row) => row.id)

async function subscriptionOf(session: Session): Promise<Shown> {
  const [id] = await begunBy(session)
  assert.ok(id, 'the checkout has begun a subscription')
  await stack.dispatched()
  return plans.read(id)
}

/** Lets the current period end, and returns the subscription in the next one, with its newest invoice. */
async function renewed({ subscription_id: id, current_period_end: end }: Shown, settled = 'paid') {
  await stack.skip(Date.parse(end) - (await stack.clock.now()) + 61_000)
  const newest = async () => (await plans.invoices(id)).at(-1)
  await until(async () => {
    const [shown, invoice] = [await plans.read(id), await newest()]
    return shown.current_period_start === end && invoice?.period_start === end && invoice.status === settled
  }, 'the next period has begun')
  await stack.dispatched()
  return { shown: await plans.read(id), invoice: await newest() }
}

const paymentOf = async (invoice: Json | undefined): Promise<Json> =>
  stack.merchant.getPayment(String(invoice?.['payment_id']))

test('a free plan renews by invoices of zero, without a payment', async () => {
  const session = await sell({ price_type: 'free', amount: undefined })
  await stack.merchant.pay(session, {})
  let shown = await subscriptionOf(session)
  for (const number of ['INV-000002', 'INV-000003']) {
    const next = await renewed(shown)
    assert.deepEqual([next.invoice?.total, next.invoice?.['payment_id'], next.invoice?.number], ['0.00', null, number])
    shown = next.shown
  }
  assert.deepEqual(await stack.sql('select id from payments where subscription_id = ?', [shown.subscription_id]), [])
})

test('a trial that the session has changed is charged at its end; the session keeps that time', async () => {
  const session = await sell({ recurring: { ...monthly, trial_days: 14 } }, { subscription_data: { trial_days: 3 } })
  await stack.merchant.payByCard(session)
  const begun = await subscriptionOf(session)
  const recurring = (await stack.merchant.getCheckout(session.checkout_id))['recurring'] as Json
  assert.deepEqual([begun.status, recurring['next_charge_at']], ['trialing', begun.current_period_end])
  const { shown, invoice } = await renewed(begun)
  assert.deepEqual([shown.status, invoice?.total, invoice?.billing_reason], ['active', '25.00', 'subscription_cycle'])
  assert.equal((shown['recurring'] as Json)['next_charge_at'], shown.current_period_end)
  assert.deepEqual((await stack.merchant.getCheckout(session.checkout_id))['recurring'], recurring)
  const payment = await paymentOf(invoice)
  assert.deepEqual(
    [payment['billing_reason'], payment['checkout_id'], (payment['invoice'] as Json)['status']],
    ['subscription_cycle', null, 'paid'],
  )
})

test('who pays the fees at the checkout pays them with each renewal', async () => {
  const settings = '/v1/accounts/checkout/settings'
  await stack.merchant.call('PUT', settings, { fee_preference: 'customer_pays' })
  const session = await sell({})
  await stack.merchant.call('PUT', settings, { fee_preference: 'org_pays' })
  const first = await stack.merchant.payByCard(session)
  const { invoice } = await renewed(await subscriptionOf(session))
  const payment = await paymentOf(invoice)
  assert.deepEqual([first['total'], payment['amount'], payment['base_amount']], ['26.03', '26.03', '25.00'])
  assert.equal(payment['fee_preference'], 'customer_pays')
})

test('a price in another currency than the card’s is converted at the rate of the day of each renewal', async () => {
  const session = await sell({ amount: '40000.00', currency: 'NGN' })
  const first = await stack.merchant.payByCard(session, cards.success, 'USD_CARD')
  const begun = await subscriptionOf(session)
  assert.deepEqual([begun['currency'], begun['amount']], ['NGN', '40000.00'])
  const { rates } = stack.deps
  const { rate } = rates
  rates.rate = async (from, to) => (from === 'NGN' && to === 'USD' ? '0.0005' : rate(from, to))
  const { invoice } = await renewed(begun)
  rates.rate = rate
  const payment = await paymentOf(invoice)
  assert.deepEqual([invoice?.total, invoice?.['currency']], ['40000.00', 'NGN'])
  assert.deepEqual(
    [payment['amount'], payment['currency'], payment['base_amount'], payment['base_currency'], payment['rate']],
    ['20.00', 'USD', '40000.00', 'NGN', '0.0005'],
  )
  assert.notEqual(first['amount'], '20.00')
})

test('an invoice worth less than a cent of the card is paid without a payment, and the plan renews', async () => {
  const session = await sell({ amount: '40000.00', currency: 'NGN' })
  await stack.merchant.payByCard(session, cards.success, 'USD_CARD')
  const begun = await subscriptionOf(session)
  const { subscription_id: id, current_period_end: end } = begun
  await stack.skip(Date.parse(end) - 2 * dayMs - (await stack.clock.now()))
  const larger = { name: 'Larger plan', amount: '40100.00', currency: 'NGN', recurring: monthly }
  await plans.act(id, 'change-plan', { product_id: await newProduct(stack.merchant, larger) })
  const small = async () => (await plans.invoices(id)).find((each) => each.billing_reason === 'subscription_update')
  await until(async () => (await small())?.status === 'paid', 'the invoice of the change is paid')
  assert.deepEqual([(await small())?.['payment_id'], Number((await small())?.total) > 0], [null, true])
  const { shown, invoice } = await renewed(begun)
  assert.deepEqual([shown.status, invoice?.total], ['active', '40100.00'])
  assert.equal((await paymentOf(invoice))['base_amount'], '40100.00')

  const { invoice_id: smallId, total } = (await small()) ?? {}
  const [, rule = ''] = Object.entries(rules).find(([name]) => name.startsWith('a paid invoice')) ?? []
  const setTotal = (to: unknown) =>
    stack.sql('update invoices set (total, amount_paid) = (?, ?) where id = ?', [to, to, smallId])
  await setTotal('19.00')
  assert.deepEqual(await stack.sql(rule), [{ id: smallId }], 'one of 19 naira can be charged')
  await setTotal(total)
  assert.deepEqual(await stack.sql(rule), [])
})

test('a customer who pays by transfer gets the invoice of the next period three days ahead', async () => {
  const session = await sell({ amount: '5000.00', currency: 'NGN' })
  const { payment_id } = await stack.merchant.payByTransfer(session)
  await stack.merchant.deposit(payment_id)
  await until(async () => (await begunBy(session)).length === 1, 'the transfer has begun the subscription')
  const begun = await subscriptionOf(session)
  const ahead = Date.parse(begun.current_period_end) - 3 * dayMs
  await stack.skip(ahead - (await stack.clock.now()) - 60_000)
  assert.equal((await plans.invoices(begun.subscription_id)).length, 1)
  await stack.skip(120_000)
  await until(async () => (await plans.invoices(begun.subscription_id)).length === 2, 'the next invoice is open')
  const [, next] = await plans.invoices(begun.subscription_id)
  assert.deepEqual([next?.status, next?.period_start], ['open', begun.current_period_end])
  await renewed(begun, 'open')
  const shown = await plans.until(begun.subscription_id, ({ status }) => status === 'past_due')
  assert.equal(shown['collection'], 'invoice')
})

test('a session that expires begins nothing, also when its money comes later', async () => {
  const tried = await sell({})
  await stack.merchant.payByCard(tried, cards.declined)
  const waiting = await sell({ amount: '5000.00', currency: 'NGN' })
  const { payment_id } = await stack.merchant.payByTransfer(waiting)
  await stack.skip(62 * 60_000)
  for (const { checkout_id: id } of [tried, waiting])
    await until(async () => (await stack.merchant.getCheckout(id))['status'] === 'expired', `${id} has expired`)
  assert.equal((await stack.merchant.deposit(payment_id)).status, 200)
  const settled = async () => (await stack.merchant.getPayment(payment_id))['status'] === 'succeeded'
  await until(settled, 'the late money is there')
  for (const session of [tried, waiting]) assert.deepEqual(await begunBy(session), [])
  const payment = await stack.merchant.getPayment(payment_id)
  assert.deepEqual([payment['subscription_id'], payment['invoice']], [null, null])
  const recurring = (await stack.merchant.getCheckout(waiting.checkout_id))['recurring'] as Json
  assert.deepEqual([recurring['subscription_id'], recurring['next_charge_at']], [null, null])
})

test('a transfer that comes after the card has begun the subscription is a duplicate and begins no other', async () => {
  const session = await sell({ amount: '5000.00', currency: 'NGN' })
  const { payment_id } = await stack.merchant.payByTransfer(session)
  await stack.merchant.payByCard(session, cards.success, 'NGN_CARD')
  const begun = await subscriptionOf(session)
  await stack.merchant.deposit(payment_id)
  const settled = async () => (await stack.merchant.getPayment(payment_id))['status'] === 'succeeded'
  await until(settled, 'the transfer is settled')
  await stack.dispatched()
  assert.deepEqual(await begunBy(session), [begun.subscription_id])
  assert.equal((await plans.invoices(begun.subscription_id)).length, 1)
  const refunds = await stack.sql('select id from refunds where charge_id = ?', [payment_id])
  assert.equal(refunds.length, 1, 'the second money goes back')
})

test('the test helper pays a session of a plan, and a trial of one', async () => {
  for (const recurring of [monthly, { ...monthly, trial_days: 7 }]) {
    const session = await sell({ recurring })
    const path = `/v1/test-helpers/checkout-sessions/${session.checkout_id}/pay`
    const reply = await stack.merchant.call('POST', path, { outcome: 'success' })
    assert.equal(reply.status, 200, reply.text)
    const { shown } = await renewed(await subscriptionOf(session))
    assert.equal(shown.status, 'active')
  }
})
