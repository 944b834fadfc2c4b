import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { newProduct } from '../support/cart.ts'
import { buyer, cards, sale } from '../support/merchant.ts'
import { openPortal, portalCalls } from '../support/portal.ts'
import { newCustomer, offeredBy, payBySaved, saveCard, sellTo, typed } from '../support/saved-card.ts'
import { laterCards } from '../support/subscription.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// A customer whom the merchant has named by id pays with a saved card. Whoever holds the link sees four digits of it,
// and pays nothing without the security code.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const { merchant } = stack

const create = (body: object) => merchant.call('POST', '/v1/checkout-sessions', { ...sale, ...body })
const removeCard = async (customer: string, id: string) => {
  const { token } = await openPortal(merchant, customer)
  return portalCalls(merchant, token)('DELETE', `payment-methods/${id}`)
}
const chargesOf = (checkoutId: string) =>
  stack.sql<{ status: string; executions: number; saved_method_id: string | null }>(
    `select c.status, c.executions, p.saved_method_id from payments p
     join simulated_charges c on c.payment_id = p.id where p.checkout_id = ? order by p.created_at`,
    [checkoutId],
  )

test('a known customer pays with a saved card, once, and no answer has its number or a token', async () => {
  const customer = await newCustomer(merchant)
  const id = await saveCard(merchant, customer)
  const session = await sellTo(merchant, customer)
  const offered = await offeredBy(merchant, session)
  assert.deepEqual(offered, [
    {
      payment_method_id: id,
      payment_method: 'USD_CARD',
      card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040 },
    },
  ])
  const paid = await payBySaved(merchant, session, id)
  assert.equal(paid.body['payment_status'], 'succeeded', paid.text)
  assert.deepEqual(await chargesOf(session.checkout_id), [{ status: 'succeeded', executions: 1, saved_method_id: id }])
  const done = await merchant.getCheckout(session.checkout_id)
  assert.deepEqual([done['status'], done['payment_method'], done['offer_saved_cards']], ['completed', 'CARD', true])
  const payment = await merchant.getPayment(String(paid.body['payment_id']))
  assert.partialDeepStrictEqual(payment['payment_method_details'], { brand: 'visa', last4: '4242' })
  for (const answer of [offered, paid.body, done, payment])
    assert.doesNotMatch(JSON.stringify(answer), /tok_|cvc_|4242{5}/)
  // the session has ended: whoever still has its link sees no saved card
  assert.deepEqual(await offeredBy(merchant, session), [])
})

test('two tabs that pay at once with two saved cards charge one of them', async () => {
  const customer = await newCustomer(merchant)
  const ids = [await saveCard(merchant, customer), await saveCard(merchant, customer, cards.threeDs)]
  const session = await sellTo(merchant, customer)
  await Promise.all(ids.map((id) => payBySaved(merchant, session, id)))
  const taken = (await chargesOf(session.checkout_id)).filter(({ executions }) => executions > 0)
  assert.equal(taken.length, 1)
})

test('no security code, no charge: it is required, and a wrong one is declined', async () => {
  const customer = await newCustomer(merchant)
  const id = await saveCard(merchant, customer)
  const session = await sellTo(merchant, customer)
  const without = await payBySaved(merchant, session, id, { card: { payment_method_id: id } })
  assert.equal(without.status, 400)
  const wrong = await payBySaved(merchant, session, id, { card: { payment_method_id: id, cvc: '000' } })
  assert.deepEqual([wrong.body['payment_status'], wrong.body['failure_code']], ['failed', 'card_declined'])
  assert.deepEqual(
    (await chargesOf(session.checkout_id)).map(({ executions }) => executions),
    [0],
  )
  const right = await payBySaved(merchant, session, id)
  assert.equal(right.body['payment_status'], 'succeeded')
})

test('after three declines a session offers no saved card any more, but a typed one still pays', async () => {
  const customer = await newCustomer(merchant)
  const id = await saveCard(merchant, customer)
  const session = await sellTo(merchant, customer)
  for (let count = 1; count <= 3; count++) {
    assert.equal((await offeredBy(merchant, session)).length, 1, `before decline ${count}`)
    await payBySaved(merchant, session, id, { card: { payment_method_id: id, cvc: '000' } })
  }
  assert.deepEqual(await offeredBy(merchant, session), [])
  assertFieldErrors(await payBySaved(merchant, session, id), { 'card.payment_method_id': 'value_error' })
  const paid = await merchant.pay(session, typed())
  assert.equal(paid.body['payment_status'], 'succeeded')
})

test('the card of another customer, account or environment is refused like an id that does not exist', async () => {
  const customer = await newCustomer(merchant)
  const own = await saveCard(merchant, customer)
  const theirs = await saveCard(merchant, await newCustomer(merchant))
  const other = (await api.addMerchant()).merchant
  const elsewhere = await saveCard(other, await newCustomer(other))
  const nobodys = await saveCard(merchant, await newCustomer(merchant))
  await stack.sql('update saved_payment_methods set customer_id = null where id = ?', [nobodys])
  const session = await sellTo(merchant, customer)
  assert.deepEqual(
    (await offeredBy(merchant, session)).map(({ payment_method_id }) => payment_method_id),
    [own],
  )
  const missing = await payBySaved(merchant, session, 'pm_00000000000000000000000000')
  assertFieldErrors(missing, { 'card.payment_method_id': 'value_error' })
  for (const id of [theirs, elsewhere, nobodys, "pm_' or 1=1 --"]) {
    const refused = await payBySaved(merchant, session, id)
    assert.equal(refused.status, missing.status)
    assert.deepEqual(refused.body, missing.body, id)
  }
  assert.deepEqual(await chargesOf(session.checkout_id), [])
})

test('a card that has expired is not offered and cannot be used', async () => {
  const customer = await newCustomer(merchant)
  const id = await saveCard(merchant, customer)
  await stack.sql('update saved_payment_methods set exp_year = 2020 where id = ?', [id])
  const session = await sellTo(merchant, customer)
  assert.deepEqual(await offeredBy(merchant, session), [])
  assertFieldErrors(await payBySaved(merchant, session, id), { 'card.payment_method_id': 'value_error' })
})

test('a card that is removed while the page is open cannot be used, before and after it was chosen', async () => {
  const customer = await newCustomer(merchant)
  const [first, second] = [await saveCard(merchant, customer), await saveCard(merchant, customer, cards.threeDs)]
  const session = await sellTo(merchant, customer)
  assert.equal((await offeredBy(merchant, session)).length, 2)
  assert.equal((await removeCard(customer, first)).status, 200)
  assertFieldErrors(await payBySaved(merchant, session, first), { 'card.payment_method_id': 'value_error' })
  const chosen = await payBySaved(merchant, session, second, { confirm: false })
  assert.equal(chosen.body['payment_status'], 'requires_confirmation')
  assert.equal((await removeCard(customer, second)).status, 200)
  assertError(await merchant.confirm(session), 409, 'CONFLICT')
  assert.deepEqual(await chargesOf(session.checkout_id), [])
  assert.equal((await merchant.pay(session, typed())).body['payment_status'], 'succeeded')
})

test('a card that is removed while it is paid with is either charged or refused, in forty races', async () => {
  const customer = await newCustomer(merchant)
  const outcomes = new Set<string>()
  for (let race = 0; race < 40; race++) {
    const id = await saveCard(merchant, customer)
    const session = await sellTo(merchant, customer)
    const [removed, paid] = await Promise.all([removeCard(customer, id), payBySaved(merchant, session, id)])
    assert.equal(removed.status, 200)
    const executions = (await chargesOf(session.checkout_id)).reduce((sum, charge) => sum + charge.executions, 0)
    assert.equal(executions, paid.body['payment_status'] === 'succeeded' ? 1 : 0, paid.text)
    assert.ok([200, 400, 409].includes(paid.status), paid.text)
    outcomes.add(String(paid.status))
  }
  assert.ok(outcomes.size >= 1)
})

test('only a merchant who names the customer by id and asks for it has saved cards offered', async () => {
  const customer = await newCustomer(merchant)
  await saveCard(merchant, customer)
  const { body } = await merchant.call('GET', `/v1/customers/${customer}`)
  const email = String(body['email'])
  assert.deepEqual(
    await offeredBy(merchant, await merchant.createCheckout({ ...sale, customer: { id: customer } })),
    [],
  )
  assert.deepEqual(await offeredBy(merchant, await merchant.createCheckout({ ...sale, customer: { email } })), [])
  // a buyer who types the email of the customer
  const open = await merchant.createCheckout(sale)
  await merchant.pay(open, { ...typed(), confirm: false, customer_details: { ...buyer, email } })
  assert.deepEqual(await offeredBy(merchant, open), [])
  for (const named of [{}, { customer: { email } }])
    assertFieldErrors(await create({ ...named, offer_saved_cards: true }), { offer_saved_cards: 'value_error' })
  assertError(await create({ customer: { id: 'cust_none' }, offer_saved_cards: true }), 404, 'NOT_FOUND')
})

test('saved cards are not offered where a card is saved or a subscription begins', async () => {
  const customer = await newCustomer(merchant)
  const known = { customer: { id: customer }, offer_saved_cards: true }
  const setup = { amount: undefined, currency: undefined, description: undefined, setup: true }
  assertFieldErrors(await create({ ...known, ...setup }), { offer_saved_cards: 'value_error' })
  const plan = await newProduct(merchant, { price_type: 'fixed', recurring: { interval: 'month' } })
  const cart = { ...setup, setup: undefined, product_cart: [{ product_id: plan }] }
  assertFieldErrors(await create({ ...known, ...cart }), { offer_saved_cards: 'value_error' })
})

test('a saved card whose bank wants a code asks its owner, and is charged once the code is right', async () => {
  const customer = await newCustomer(merchant)
  const id = await saveCard(merchant, customer, laterCards.asksFor3ds)
  const session = await sellTo(merchant, customer)
  const asked = await payBySaved(merchant, session, id)
  assert.deepEqual([asked.body['payment_status'], asked.body['next_action']], ['requires_action', { type: 'otp' }])
  const paid = await merchant.confirm(session, { code: '123456' })
  assert.equal(paid.body['payment_status'], 'succeeded')
  const payment = await merchant.getPayment(String(paid.body['payment_id']))
  assert.partialDeepStrictEqual(payment['payment_method_details'], { three_d_secure: true })
})

test('a card is offered for the currency in which it was saved, and pays in no other', async () => {
  const customer = await newCustomer(merchant)
  const id = await saveCard(merchant, customer, cards.success, 'NGN_CARD')
  const session = await sellTo(merchant, customer)
  assert.deepEqual(
    (await offeredBy(merchant, session)).map(({ payment_method }) => payment_method),
    ['NGN_CARD'],
  )
  assertFieldErrors(await payBySaved(merchant, session, id), { 'card.payment_method_id': 'value_error' })
  const dollars = await sellTo(merchant, customer, { payment_method_options: { card: { currencies: ['USD'] } } })
  assert.deepEqual(await offeredBy(merchant, dollars), [])
})

test('a card that was saved twice is listed once', async () => {
  const customer = await newCustomer(merchant)
  await saveCard(merchant, customer)
  const newest = await saveCard(merchant, customer)
  await saveCard(merchant, customer, cards.threeDs)
  const offered = await offeredBy(merchant, await sellTo(merchant, customer))
  assert.deepEqual(
    offered.map(({ card: { last4 } }) => last4),
    ['0446', '4242'],
  )
  assert.equal(offered[1]?.payment_method_id, newest)
})
