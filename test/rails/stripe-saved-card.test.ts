import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { SavedChargeOrder, SetupOrder } from '../../rails/rail.ts'
import { RailRefusal } from '../../rails/rail-refusal.ts'
import type { CardBehaviour } from '../doubles/stripe/books.ts'
import type { Fault } from '../doubles/stripe/double.ts'
import { tenAtATime } from '../support/ten-at-a-time.ts'
import { errorOf, marker, useStripe } from '../support/stripe.ts'

const stage = await useStripe()
const { double, rail, cardSetups, vault, at, chargeOrder } = stage
const settingUp = 'POST /v1/setup_intents'
const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040, country: 'US' }
const faults: Fault[] = ['lost', 'torn', 'broken', 'lost']

const setupOrder = (behaviour: CardBehaviour = {}): SetupOrder<'live'> => ({
  environment: 'live',
  setupId: newId('pay', at),
  corridor: 'USD_CARD',
  token: double.addCard(behaviour),
  email: `${marker}@example.com`,
  returnUrl: `https://pay.example.com/c/chk_1?secret=${marker}`,
})

const savedOrder = (token: string, mayBeSentSince = at): SavedChargeOrder<'live'> => ({
  environment: 'live',
  paymentId: newId('pay', at),
  corridor: 'USD_CARD',
  amount: '9.99',
  currency: 'USD',
  statementText: null,
  email: `${marker}@example.com`,
  token,
  mayBeSentSince,
})

/** The token of a card that was saved. */
async function save(behaviour: CardBehaviour = {}): Promise<string> {
  const saved = await cardSetups.setUp(setupOrder(behaviour))
  assert.ok(saved.status === 'succeeded')
  return saved.token
}

test('a card is saved for a customer of its own, and charged later without its owner', async () => {
  const order = setupOrder()
  const saved = await cardSetups.setUp(order)
  assert.ok(saved.status === 'succeeded' && saved.token.length <= 64)
  assert.match(saved.token, /^cus_\w+:pm_\w+$/)
  assert.deepEqual(saved.card, card)
  assert.deepEqual(await cardSetups.setUp(order), saved)
  assert.deepEqual(await cardSetups.lookUp(order.setupId), saved)
  assert.deepEqual(await cardSetups.confirm(order.setupId, 'any'), saved)
  assert.equal(double.madeFor('setup_intent', order.setupId).length, 1)
  const charge = savedOrder(saved.token)
  const answer = await cardSetups.chargeSaved(charge, at)
  assert.ok(answer.status === 'succeeded' && answer.received === '9.99')
  assert.deepEqual(await rail.lookUp(charge.paymentId, at), answer)
  const sent = double.requests.find(({ key }) => key === charge.paymentId)
  assert.equal(sent?.params['off_session'], 'true')
  assert.equal(`${String(sent.params['customer'])}:${String(sent.params['payment_method'])}`, saved.token)
})

test('200 setups whose answer is lost after Stripe accepted them save one card each', async () => {
  const orders = Array.from({ length: 200 }, () => setupOrder())
  double.fail(settingUp, ...orders.map((_, index) => faults[index % faults.length] ?? 'lost'))
  await tenAtATime(orders, async (order) => errorOf(cardSetups.setUp(order)))
  const answers = await tenAtATime(orders, (order) => cardSetups.setUp(order))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], ['succeeded'])
  assert.deepEqual([...new Set(orders.map(({ setupId }) => double.madeFor('setup_intent', setupId).length))], [1])
  assert.deepEqual([...new Set(orders.map(({ setupId }) => double.madeFor('customer', setupId).length))], [1])
})

test('200 charges of saved cards whose answer is lost take money once each', async () => {
  const token = await save()
  const orders = Array.from({ length: 200 }, () => savedOrder(token))
  double.fail('POST /v1/payment_intents', ...orders.map((_, index) => faults[index % faults.length] ?? 'lost'))
  await tenAtATime(orders, async (order) => errorOf(cardSetups.chargeSaved(order, at)))
  double.pass(60_000)
  const answers = await tenAtATime(orders, (order) => cardSetups.chargeSaved(order, at))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], ['succeeded'])
  assert.deepEqual([...new Set(orders.map(({ paymentId }) => double.madeFor('payment_intent', paymentId).length))], [1])
})

test('a day later a setup that Stripe has is found, and one that it does not have is sent again', async () => {
  const [arrived, lost] = [setupOrder(), setupOrder()]
  double.fail(settingUp, 'lost', 'cut')
  for (const order of [arrived, lost]) await errorOf(cardSetups.setUp(order))
  await stage.passDay()
  assert.equal((await cardSetups.lookUp(arrived.setupId)).status, 'succeeded')
  assert.equal((await cardSetups.lookUp(lost.setupId)).status, 'not_found')
  for (const order of [arrived, lost]) {
    assert.equal((await cardSetups.setUp(order)).status, 'succeeded')
    assert.equal(double.madeFor('setup_intent', order.setupId).length, 1)
  }
  assert.deepEqual(await cardSetups.lookUp(newId('pay', at)), { status: 'not_found' })
})

test('what says nothing about a setup refuses nothing', async () => {
  for (const fault of ['limited', 'conflict', 'misplaced', 'cut', 'page'] as const) {
    const order = setupOrder()
    double.fail(settingUp, fault)
    assert.ok(!((await errorOf(cardSetups.setUp(order))) instanceof RailRefusal), fault)
    assert.equal((await cardSetups.setUp(order)).status, 'succeeded')
    assert.equal(double.madeFor('setup_intent', order.setupId).length, 1)
  }
  // A 500 that Stripe keeps, and a new card in the order of the same id: nothing is known, and nothing is refused.
  const order = setupOrder()
  double.fail(settingUp, 'failed')
  await errorOf(cardSetups.setUp(order))
  assert.ok(!((await errorOf(cardSetups.setUp({ ...order, token: double.addCard() }))) instanceof RailRefusal))
  await stage.passDay()
  assert.equal((await cardSetups.setUp(order)).status, 'succeeded')
})

test('while Stripe is down, a card that is to be saved is refused unsent, and can be saved later', async () => {
  const weary = stage.connect(stage.secretKey, 20_000, { failuresMax: 1, restsMs: 600_000 })
  const [first, later] = [setupOrder(), setupOrder()]
  double.fail('POST /v1/customers', 'cut')
  assert.ok(!((await errorOf(weary.cardSetups.setUp(first))) instanceof RailRefusal))
  const sent = double.requests.length
  for (const order of [first, later]) {
    assert.ok((await errorOf(weary.cardSetups.setUp(order))) instanceof RailRefusal)
    const failed = { status: 'failed', failureCode: 'rail_unavailable' }
    assert.deepEqual(await weary.cardSetups.lookUp(order.setupId), failed)
  }
  assert.equal(double.requests.length, sent)
  assert.equal((await cardSetups.setUp(setupOrder())).status, 'succeeded')
})

test('two setups with one id at once are one', async () => {
  const order = setupOrder()
  double.fail(settingUp, 'slow')
  await Promise.allSettled([cardSetups.setUp(order), cardSetups.setUp(order)])
  assert.equal((await cardSetups.setUp(order)).status, 'succeeded')
  assert.equal(double.madeFor('setup_intent', order.setupId).length, 1)
})

test('a card whose bank wants to see its owner is saved after they were there, or not at all', async () => {
  for (const isPassed of [true, false]) {
    const order = setupOrder({ asks: true })
    const answer = await cardSetups.setUp(order)
    assert.ok(answer.status === 'requires_action' && answer.nextAction.type === 'redirect')
    const [setup] = double.madeFor('setup_intent', order.setupId)
    double.setups.finishAtBank(setup?.id ?? '', isPassed)
    const end = await cardSetups.lookUp(order.setupId)
    if (isPassed) assert.equal(end.status, 'succeeded')
    else assert.deepEqual(end, { status: 'failed', failureCode: 'authentication_failed' })
    assert.equal(setup?.['status'], isPassed ? 'succeeded' : 'canceled')
  }
})

test('a card that its bank declines is not saved, and a card of somebody else is refused', async () => {
  const declined = setupOrder({ declines: 'expired_card' })
  const failed = { status: 'failed', failureCode: 'expired_card' }
  assert.deepEqual(await cardSetups.setUp(declined), failed)
  assert.deepEqual(await cardSetups.lookUp(declined.setupId), failed)
  const others = double.saved.addSavedCard()
  const order = { ...setupOrder(), token: others.id }
  assert.ok((await errorOf(cardSetups.setUp(order))) instanceof RailRefusal)
  assert.ok((await errorOf(cardSetups.setUp(order))) instanceof RailRefusal)
  assert.ok((await errorOf(rail.charge(chargeOrder({ token: others.id }), at))) instanceof RailRefusal)
})

test('where a bank wants to see the owner of a saved card, a charge without them takes nothing', async () => {
  const token = await save({ declinesOffSession: 'authentication_required' })
  const order = savedOrder(token)
  const failed = { status: 'failed', failureCode: 'authentication_failed' }
  assert.deepEqual(await cardSetups.chargeSaved(order, at), failed)
  assert.deepEqual(await rail.lookUp(order.paymentId, at), failed)
  // Stripe sends nobody to a bank off session. If it did, nobody could go there, so the payment is cancelled.
  const asking = await save()
  double.books.behaviours.set(asking.split(':')[1] ?? '', { asks: 'always' })
  const strange = savedOrder(asking)
  assert.deepEqual(await cardSetups.chargeSaved(strange, at), failed)
  assert.deepEqual(await rail.lookUp(strange.paymentId, at), failed)
  assert.equal(double.madeFor('payment_intent', strange.paymentId)[0]?.['status'], 'canceled')
})

test('a card is saved with a charge, and a saved card is charged with its owner’s security code', async () => {
  const order = chargeOrder({ savesCard: true })
  const answer = await rail.charge(order, at)
  assert.ok(answer.status === 'succeeded' && answer.saved)
  assert.deepEqual(answer.saved.card, card)
  assert.deepEqual(await rail.lookUp(order.paymentId, at), answer)
  const code = await vault.keepSecurityCode(double.saved.addSecurityCode())
  const paid = chargeOrder({ token: answer.saved.token, securityCode: code })
  assert.equal((await rail.charge(paid, at)).status, 'succeeded')
  const sent = double.requests.find(({ key }) => key === paid.paymentId)
  assert.deepEqual(sent?.params['payment_method_options'], { card: { cvc_token: code } })
  assert.equal(sent.params['off_session'], undefined)
})

test('a buyer whose email Stripe does not take pays and saves a card all the same', async () => {
  const email = `jörg${marker}@example..com`
  const order = chargeOrder({ savesCard: true, email })
  double.fail('POST /v1/payment_intents', 'cut')
  await errorOf(rail.charge(order, at))
  const answer = await rail.charge(order, at)
  assert.ok(answer.status === 'succeeded' && answer.saved)
  assert.deepEqual(
    double.madeFor('customer', order.paymentId).map((customer) => customer['email']),
    [null],
  )
  assert.equal((await cardSetups.setUp({ ...setupOrder(), email })).status, 'succeeded')
})

test('the vault takes Stripe’s tokens alone: no number, no code, no card of somebody else', async () => {
  const token = double.addCard()
  assert.equal(await vault.keepToken(token), token)
  for (const other of ['pm_nobody', 'tok_visa', '4242424242424242', '', `pm_${'x'.repeat(100)}`, '../v1/balance'])
    assert.equal(await vault.keepToken(other), null, other)
  assert.equal(await vault.keepToken(double.saved.addSavedCard().id), null)
  const before = double.requests.length
  const number = `4242${marker}`
  const refused = [
    vault.keepCard({ number, exp_month: 12, exp_year: 2040, cvc: number }),
    vault.keepSecurityCode(number),
    vault.keepCode(number),
    vault.keepPhone(number),
  ]
  for (const call of refused) assert.ok((await errorOf(call)) instanceof Refusal)
  assert.equal(double.requests.length, before)
  assert.ok((await errorOf(vault.keepSecurityCode('cvctok_nobody'))) instanceof Refusal)
  double.fail('GET /v1/payment_methods', 'limited', 'cut')
  for (const _ of ['limited', 'cut']) assert.ok(!((await errorOf(vault.keepToken(token))) instanceof Refusal))
  const rows = await stage.sql('select * from stripe_orders')
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(`${marker}|@`))
})

test('a renewal that a restored book has lost is the same charge, also when Stripe has forgotten its key', async () => {
  const token = await save()
  const order = savedOrder(token)
  const paid = await cardSetups.chargeSaved(order, at)
  const loseBook = () => stage.sql('delete from stripe_orders where order_id = ?', [order.paymentId])
  await loseBook()
  assert.deepEqual(await cardSetups.chargeSaved(order, at + 60_000), paid)
  await loseBook()
  await stage.passDay()
  assert.deepEqual(await cardSetups.chargeSaved(order, at + 25 * 3_600_000), paid)
  assert.equal(double.madeFor('payment_intent', order.paymentId).length, 1)
})

test('a renewal that was charged before its period is the same charge once the period begins', async () => {
  const [begins, day] = [at + 72 * 3_600_000, 24 * 3_600_000]
  const order = { ...savedOrder(await save()), paymentId: newId('pay', begins) }
  const paid = await cardSetups.chargeSaved(order, at)
  await stage.sql('delete from stripe_orders where order_id = ?', [order.paymentId])
  for (let passed = 0; passed < 3; passed++) await stage.passDay()
  assert.deepEqual(await cardSetups.chargeSaved(order, begins + 60_000), paid)
  assert.equal(double.madeFor('payment_intent', order.paymentId).length, 1)
  // What cannot be older than its key is sent without a search, of which Stripe allows few.
  const [before, fresh] = [double.requests.length, savedOrder(await save(), begins)]
  await cardSetups.chargeSaved(fresh, begins + day / 2)
  const sent = double.requests.slice(before).map(({ method, path }) => `${method} ${path}`)
  assert.ok(!sent.some((call) => call.endsWith('/search')), sent.join(', '))
})

test('a renewal that a restored book has lost is not charged with another amount', async () => {
  const token = await save()
  const order = savedOrder(token)
  await cardSetups.chargeSaved(order, at)
  await stage.sql('delete from stripe_orders where order_id = ?', [order.paymentId])
  await stage.passHours(2)
  for (let times = 0; times < 3; times++) {
    const error = await errorOf(cardSetups.chargeSaved({ ...order, amount: '19.99' }, at))
    assert.ok(!(error instanceof RailRefusal), error.message)
  }
  assert.equal(double.madeFor('payment_intent', order.paymentId).length, 1)
})
