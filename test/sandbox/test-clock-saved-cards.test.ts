import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { cards, type Merchant, setup } from '../support/merchant.ts'
import { chargesOfSession, newCustomer, offeredBy, payBySaved, saveCard, sellTo, typed } from '../support/saved-card.ts'
import { failingRails } from '../support/scripted-charges.ts'
import { laterCards } from '../support/subscription.ts'
import { beginOnClock } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Saved cards on a test clock: whether a card has expired, and whether a session has, goes by the clock's time.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const rails = failingRails(stack)
afterEach(() => rails.heal())

const frozen = '2031-03-20T12:00:00.000Z'
const idOf = ({ payment_method_id }: { payment_method_id: string }) => payment_method_id

/** A new organization that lives by a clock, and a customer of it. */
async function begin() {
  const own = await beginOnClock(api, { frozen_time: frozen })
  await own.attach({ account_id: own.accountId })
  return { ...own, customer: await newCustomer(own.merchant) }
}

/** Saves a card of a customer that expires at the end of a month. */
async function saveUntil(merchant: Merchant, id: string, exp_month: number, exp_year: number): Promise<string> {
  const session = await merchant.createCheckout({ ...setup, customer: { id } })
  const { card } = typed()
  const paid = await merchant.pay(session, { ...typed(), card: { ...card, exp_month, exp_year } })
  assert.equal(paid.status, 200, paid.text)
  return String((await merchant.getCheckout(session.checkout_id))['saved_payment_method_id'])
}

const chargesOf = (checkoutId: string) => chargesOfSession(stack, checkoutId)

test('a card that was saved on a clock pays again on it, years later, with the clock’s time', async () => {
  const { merchant, advance, customer } = await begin()
  const id = await saveCard(merchant, customer)
  const first = await payBySaved(merchant, await sellTo(merchant, customer), id)
  assert.equal(first.body['payment_status'], 'succeeded', first.text)
  const { frozen_time } = await advance({ by: 'P5Y' })
  const session = await sellTo(merchant, customer)
  assert.deepEqual((await offeredBy(merchant, session)).map(idOf), [id])
  const again = await payBySaved(merchant, session, id)
  assert.equal(again.body['payment_status'], 'succeeded', again.text)
  const payment = await merchant.getPayment(String(again.body['payment_id']))
  assert.deepEqual([payment['created_at'], payment['completed_at']], [frozen_time, frozen_time])
  assert.deepEqual(await chargesOf(session.checkout_id), [{ status: 'succeeded', executions: 1 }])
})

test('a card is good to the end of its month on the clock, and not offered nor taken from then on', async () => {
  const { merchant, advance, customer } = await begin()
  const [short, long] = [await saveUntil(merchant, customer, 4, 2031), await saveUntil(merchant, customer, 5, 2031)]
  await advance({ to: '2031-04-30T23:59:59.999Z' })
  const session = await sellTo(merchant, customer, { expires_in_minutes: 1440 })
  const left = await sellTo(merchant, customer, { expires_in_minutes: 1440 })
  assert.deepEqual(new Set((await offeredBy(merchant, session)).map(idOf)), new Set([long, short]))
  assert.equal((await payBySaved(merchant, session, short)).body['payment_status'], 'succeeded')
  await advance({ by: 'PT1S' })
  assert.deepEqual((await offeredBy(merchant, left)).map(idOf), [long], 'a session that was open before')
  assertFieldErrors(await payBySaved(merchant, left, short), { 'card.payment_method_id': 'value_error' })
  assert.deepEqual(await chargesOf(left.checkout_id), [])
  const later = await sellTo(merchant, customer)
  assert.deepEqual((await offeredBy(merchant, later)).map(idOf), [long])
  assertFieldErrors(await payBySaved(merchant, later, short), { 'card.payment_method_id': 'value_error' })
  assert.equal((await payBySaved(merchant, later, long)).body['payment_status'], 'succeeded', 'the other one pays')
})

test('a card chosen before its month ended on the clock is not charged by the confirmation after it', async () => {
  const { merchant, advance, customer } = await begin()
  const id = await saveUntil(merchant, customer, 3, 2031)
  await advance({ to: '2031-03-31T23:00:00.000Z' })
  const session = await sellTo(merchant, customer, { expires_in_minutes: 1440 })
  const chosen = await payBySaved(merchant, session, id, { confirm: false })
  assert.equal(chosen.body['payment_status'], 'requires_confirmation', chosen.text)
  await advance({ by: 'PT20H' })
  assertError(await merchant.confirm(session), 409, 'CONFLICT')
  assert.deepEqual(await chargesOf(session.checkout_id), [])
  const another = await merchant.pay(session, typed())
  assert.equal(another.body['payment_status'], 'succeeded', 'the buyer still pays with another card')
})

test('of a customer’s sessions only the one on the clock ends: the saved card still pays the other', async () => {
  const { merchant, attach, advance } = await beginOnClock(api)
  const customer = await newCustomer(merchant)
  const id = await saveCard(merchant, customer)
  const [member, other] = [await sellTo(merchant, customer), await sellTo(merchant, customer)]
  await attach({ checkout_id: member.checkout_id })
  for (const session of [member, other]) assert.deepEqual((await offeredBy(merchant, session)).map(idOf), [id])
  const { happened } = await advance({ by: 'PT2H' })
  assert.deepEqual(
    happened.map(({ resource_id, step }) => [resource_id, step]),
    [[member.checkout_id, 'expired']],
  )
  assertError(await payBySaved(merchant, member, id), 409, 'CONFLICT')
  assert.deepEqual(await offeredBy(merchant, member), [])
  assert.equal((await payBySaved(merchant, other, id)).body['payment_status'], 'succeeded')
})

test('a session whose clock runs past its end while the bank asks for a code expires uncharged', async () => {
  const { merchant, advance, customer } = await begin()
  const id = await saveCard(merchant, customer, laterCards.asksFor3ds)
  const session = await sellTo(merchant, customer)
  const asked = await payBySaved(merchant, session, id)
  assert.equal(asked.body['payment_status'], 'requires_action', asked.text)
  const { happened } = await advance({ by: 'PT1H' })
  assert.deepEqual(
    happened.filter(({ resource_id }) => resource_id === session.checkout_id).map(({ step, at }) => [step, at]),
    [['expired', session.expires_at]],
  )
  assertError(await merchant.confirm(session, { code: '123456' }), 409, 'CONFLICT')
  assertError(await payBySaved(merchant, session, id), 409, 'CONFLICT')
  for (const { executions } of await chargesOf(session.checkout_id)) assert.equal(executions, 0)
  const next = await sellTo(merchant, customer)
  assert.deepEqual((await offeredBy(merchant, next)).map(idOf), [id], 'the card stays saved')
})

test('a customer brings a card that is being saved: its bank still asks for a code', async () => {
  const { merchant, clock, attach } = await beginOnClock(api)
  const id = await newCustomer(merchant)
  const session = await merchant.createCheckout({ ...setup, customer: { id } })
  const asked = await merchant.pay(session, typed(cards.threeDs))
  assert.equal(asked.body['payment_status'], 'requires_action', asked.text)
  await attach({ customer_id: id })
  const setups = await stack.sql('select clock_id from card_setups where checkout_id = ?', [session.checkout_id])
  assert.deepEqual(setups, [{ clock_id: clock.clock_id }])
})

test('a session does not expire on its clock while the rail works for a saved card; it completes, once', async () => {
  const { merchant, advance, customer } = await begin()
  const id = await saveCard(merchant, customer)
  const session = await sellTo(merchant, customer)
  rails.errors.charge = 'loses the answer'
  rails.errors.lookUp = 'throws'
  const pressed = payBySaved(merchant, session, id)
  const isAtRail = () => rails.calls.some(({ kind }) => kind === 'charge')
  await until(isAtRail, 'the rail has the order')
  const advancing = advance({ by: 'PT2H' })
  await until(() => rails.calls.length > 1, 'the rail is asked again')
  assert.equal((await merchant.getCheckout(session.checkout_id))['status'], 'open')
  rails.heal()
  await Promise.all([pressed, advancing])
  const isDone = async () => (await merchant.getCheckout(session.checkout_id))['status'] !== 'open'
  await until(isDone, 'the sale has ended')
  assert.equal((await merchant.getCheckout(session.checkout_id))['status'], 'completed')
  assert.deepEqual(await chargesOf(session.checkout_id), [{ status: 'succeeded', executions: 1 }])
})

test('while a clock advances, each session of a known customer ends once: by the saved card, or expired', async () => {
  const { merchant, advance, customer } = await begin()
  const id = await saveCard(merchant, customer)
  for (let round = 0; round < 6; round++) {
    const session = await sellTo(merchant, customer, { expires_in_minutes: 10 })
    const [paid] = await Promise.all([payBySaved(merchant, session, id), advance({ by: 'PT10M' })])
    const { status } = await merchant.getCheckout(session.checkout_id)
    const isPaid = paid.body['payment_status'] === 'succeeded'
    if (!isPaid) assertError(paid, 409, 'CONFLICT')
    assert.equal(status, isPaid ? 'completed' : 'expired', paid.text)
    const charged = (await chargesOf(session.checkout_id)).filter(({ executions }) => executions > 0)
    assert.equal(charged.length, isPaid ? 1 : 0)
  }
})
