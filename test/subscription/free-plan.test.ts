import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { assertFieldErrors, bearer } from '../support/api.ts'
import { dataOf, newProduct } from '../support/cart.ts'
import { card, cards, type Merchant, sale } from '../support/merchant.ts'
import { formOf } from '../support/page-form.ts'
import { openPages } from '../support/pages.ts'
import { monthly, subscriptionsOf } from '../support/subscription.ts'
import { atEnd } from '../support/use.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// A group of plans with a trial, of which its buyer takes one that costs nothing: no card is asked for or saved.
const stack = await useStack({ invariants: 'at the end' })
await useApi(stack)
const { merchant } = stack
const plans = subscriptionsOf(stack)
const pages = await openPages(stack)
atEnd(() => pages.stop())

type Json = Record<string, unknown>
type Session = Awaited<ReturnType<Merchant['createCheckout']>>
const product = (over: Json) => newProduct(merchant, { name: 'Plan', recurring: monthly, ...over })
const [pro, free, open] = [
  await product({ name: 'Pro', amount: '10.00' }),
  await product({ name: 'Free', price_type: 'free', amount: undefined }),
  await product({ name: 'Open', price_type: 'custom', amount: undefined, minimum_amount: '0.00' }),
]
const group = await merchant.call('POST', '/v1/product-groups', { name: 'Plans', products: [pro, free, open] })

const sell = (body: Json = {}): Promise<Session> =>
  merchant.createCheckout({
    success_url: sale.success_url,
    product_group_id: group.body['product_group_id'],
    subscription_data: { trial_days: 14 },
    customer: { email: `${randomUUID()}@example.com`, name: 'Ada Buyer' },
    ...body,
  })
const pick = (product_id: string, more: Json = {}) => ({ products: [{ product_id, ...more }] })
const byCard = (number: string) => ({ payment_method: 'USD_CARD', card: card(number), confirm: true })
const viewOf = async ({ checkout_id: id, client_secret: secret }: Session) =>
  (await merchant.call('GET', `/v1/checkout-sessions/${id}/public`, undefined, bearer(secret))).body
const simulate = ({ checkout_id: id }: Session, body: Json) =>
  merchant.call('POST', `/v1/test-helpers/checkout-sessions/${id}/pay`, body)

/** The session has begun the trial of a plan of nothing, and has neither charged nor saved a card. */
async function assertBegun(session: Session) {
  const { checkout_id: id } = session
  const shown = await merchant.getCheckout(id)
  const ends = [shown['status'], shown['payment_status'], shown['charge'], shown['payment_method']]
  assert.deepEqual(ends, ['completed', 'succeeded', null, null])
  assert.equal(shown['saved_payment_method_id'], undefined)
  const { subscription_id: begun, trial_days } = shown['recurring'] as Json
  const { status, amount, payment_method_id: saved } = await plans.read(String(begun))
  assert.deepEqual([status, amount, saved, trial_days], ['trialing', '0.00', null, 14])
  assert.equal((await viewOf(session))['setup'], false)
  const event = await dataOf(stack, 'checkout.completed', id)
  assert.deepEqual([event['payment_status'], event['subscription_id']], ['no_payment_required', begun])
  const rows = await stack.sql<{ id: string }>('select id from saved_payment_methods where checkout_id = ?', [id])
  assert.deepEqual(rows, [])
}
const setupsOf = ({ checkout_id: id }: Session) =>
  stack.sql<{ status: string }>('select status from card_setups where checkout_id = ? order by created_at', [id])

test('the free plan of a group with a trial, or a price of zero, begins at once without a payment method', async () => {
  for (const taken of [pick(free), pick(open, { amount: '0.00' })]) {
    const session = await sell()
    assert.equal((await viewOf(session))['setup'], true, 'until the pick a card may have to be saved')
    const reply = await merchant.pay(session, taken)
    assert.deepEqual([reply.status, reply.body['payment_status']], [200, 'succeeded'], reply.text)
    await assertBegun(session)
  }
})

test('the other plans of that group still need a card, which their trial saves', async () => {
  for (const [taken, amount] of [
    [pick(pro), '10.00'],
    [pick(open, { amount: '7.00' }), '7.00'],
  ] as const) {
    const session = await sell()
    assertFieldErrors(await merchant.pay(session, taken), { payment_method: 'value_error.missing' })
    const reply = await merchant.pay(session, { ...taken, ...byCard(cards.success) })
    assert.deepEqual([reply.status, reply.body['payment_status']], [200, 'succeeded'], reply.text)
    const { saved_payment_method_id: saved, recurring } = await merchant.getCheckout(session.checkout_id)
    const subscription = await plans.read(String((recurring as Json)['subscription_id']))
    assert.deepEqual([subscription.status, subscription.amount], ['trialing', amount])
    assert.deepEqual([typeof saved, subscription.payment_method_id], ['string', saved])
    assert.equal((await viewOf(session))['setup'], true)
  }
})

test('a card of an earlier pick is not saved: it waited for a code, was declined, or was not confirmed', async () => {
  for (const [number, confirm, setups] of [
    [cards.threeDs, true, ['canceled']],
    [cards.declined, true, ['failed']],
    [cards.success, false, []],
  ] as const) {
    const session = await sell()
    const before = await merchant.pay(session, { ...pick(pro), ...byCard(number), confirm })
    assert.equal(before.status, 200, before.text)
    const reply = await merchant.pay(session, pick(free))
    assert.deepEqual([reply.status, reply.body['payment_status']], [200, 'succeeded'], reply.text)
    // the code of the earlier card comes too late
    await merchant.confirm(session, { code: '123456' })
    assert.deepEqual(
      (await setupsOf(session)).map(({ status }) => status),
      setups,
    )
    await assertBegun(session)
  }
})

test('a code for an earlier card and the pick of the free plan at one time: one of them begins one trial', async () => {
  const session = await sell()
  await merchant.pay(session, { ...pick(pro), ...byCard(cards.threeDs) })
  await Promise.all([merchant.confirm(session, { code: '123456' }), merchant.pay(session, pick(free))])
  const begun = await stack.sql<{ amount: string; saved: string | null }>(
    'select amount, payment_method_id as saved from subscriptions where checkout_id = ?',
    [session.checkout_id],
  )
  assert.deepEqual(
    begun.map(({ amount, saved }) => [Number(amount), saved !== null]),
    [Number(begun[0]?.amount) === 0 ? [0, false] : [10, true]],
  )
})

test('the hosted page takes the free plan without a card, and says what has begun', async () => {
  for (const taken of [
    { product: `free:${free}` },
    { product: `custom:${open}`, [`amount_${open}`]: '0' },
    { product: `free:${free}`, number: '4242 4242 4242 4242', expiry: '12/40', cvc: '123' },
  ]) {
    const session = await sell()
    const page = pages.addressOf(session.checkout_url)
    const press = await formOf(page)
    assert.equal((await press({ ...taken, step: 'pay' })).status, 303)
    const shown = (await (await fetch(page)).text()).replaceAll(/\s+/g, ' ')
    assert.match(shown, /Your trial has begun/)
    assert.doesNotMatch(shown, /card/i)
    await assertBegun(session)
  }
})

test('an account that has lost its cards still gives out free plans on the hosted page, and only these', async () => {
  const paid = await merchant.call('POST', '/v1/product-groups', { name: 'Paid', products: [pro] })
  const [session, other] = [await sell(), await sell({ product_group_id: paid.body['product_group_id'] })]
  // as where the account has lost its cards
  await stack.sql(`update checkouts set method_options = '{"crypto":{}}' where id in (?, ?)`, [
    session.checkout_id,
    other.checkout_id,
  ])
  const isRefused = /can’t take payments at the moment/
  const textAt = async ({ checkout_url: url }: Session) => (await fetch(pages.addressOf(url))).text()
  assert.match(await textAt(other), isRefused)
  assert.doesNotMatch(await textAt(session), isRefused)
  const press = await formOf(pages.addressOf(session.checkout_url))
  assert.equal((await press({ product: `free:${free}`, step: 'pay' })).status, 303)
  await assertBegun(session)
})

test('the test helper takes the free plan as a buyer does, and saves a card with another one', async () => {
  const session = await sell()
  const reply = await simulate(session, pick(free))
  assert.equal(reply.status, 200, reply.text)
  await assertBegun(session)
  const other = await sell()
  assert.equal((await simulate(other, pick(pro))).body['status'], 'completed')
  assert.deepEqual([(await viewOf(other))['amount'], (await viewOf(other))['total']], ['0.00', '0.00'])
})
