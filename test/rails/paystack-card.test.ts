import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import type { ChargeOrder, SavedChargeOrder } from '../../rails/rail.ts'
import type { CardBehaviour } from '../doubles/paystack/cards.ts'
import type { Fault } from '../doubles/paystack/server.ts'
import { email, manyTimes, marker, now, referenceOf, refusalOf, transferOrder, unknownOf } from './paystack.ts'
import { usePaystack } from './paystack.ts'

const { double, paystack, open, sql } = await usePaystack()
const { charges, vault } = paystack
const returnUrl = `https://pay.example.com/chk_1?secret=${marker}`

/** An order of a buyer who enters a card on Paystack's page. */
const pageOrder = (rest: Partial<ChargeOrder<'live'>> = {}) =>
  transferOrder({ corridor: 'NGN_CARD', returnUrl, savesCard: true, ...rest })

let codes = 0
/** A card that was saved with a first payment, and what it does later. */
async function savedCard(later: CardBehaviour = 'pays'): Promise<string> {
  const order = pageOrder()
  await charges.charge(order, now)
  const code = `AUTH_double${(codes += 1)}`
  double.enterCard(referenceOf(order.paymentId), code, later)
  const paid = await charges.lookUp(order.paymentId, now)
  assert.ok(paid.status === 'succeeded' && paid.saved?.token === code)
  return code
}

/** A renewal, for which the customer's email of today may be another one than at the first payment. */
const renewal = (token: string, rest: Partial<SavedChargeOrder<'live'>> = {}): SavedChargeOrder<'live'> => ({
  environment: 'live',
  paymentId: newId('pay', now),
  corridor: 'NGN_CARD',
  amount: '4999.99',
  currency: 'NGN',
  statementText: null,
  email: 'newer@example.com',
  token,
  mayBeSentSince: now,
  ...rest,
})

test('a card is entered on the page of Paystack, which leads back to ours, and is saved with the payment', async () => {
  const order = pageOrder()
  const asked = await charges.charge(order, now)
  const reference = referenceOf(order.paymentId)
  const url = `https://checkout.paystack.com/${double.read(reference).id}`
  assert.deepEqual(asked, {
    status: 'requires_action',
    nextAction: { type: 'redirect', url },
    newsDueAt: now + 10_000,
  })
  const sent = double.calls.find(({ path }) => path === '/transaction/initialize')?.body
  const common = { email, amount: '250050', currency: 'NGN', reference }
  assert.deepEqual(sent, { ...common, channels: ['card'], callback_url: returnUrl })
  const waiting = await charges.lookUp(order.paymentId, now)
  assert.ok(waiting.status === 'requires_action', 'a page that is not finished may be opened again')

  double.enterCard(reference, 'AUTH_first', 'pays')
  const card = { brand: 'visa', last4: '4081', exp_month: 12, exp_year: 2030, country: 'NG' }
  assert.deepEqual(await charges.lookUp(order.paymentId, now), {
    status: 'succeeded',
    received: '2500.5',
    deposits: [],
    details: { ...card, three_d_secure: null },
    saved: { token: 'AUTH_first', card },
  })
})

test('a payment shows what Paystack tells of its card, which is saved only where it tells all of it', async () => {
  const whole = { brand: 'visa', last4: '4081', exp_month: 12, exp_year: 2030, country: 'NG', three_d_secure: null }
  for (const [told, details] of [
    [
      { country_code: null, exp_month: '' },
      { ...whole, country: null, exp_month: null },
    ],
    [{ brand: ' ', last4: '*', exp_month: null, exp_year: '30', country_code: 'Nigeria' }, null],
  ] as const) {
    const order = pageOrder()
    await charges.charge(order, now)
    const reference = referenceOf(order.paymentId)
    double.enterCard(reference, 'AUTH_partly', 'pays')
    Object.assign(double.read(reference).authorization, told)
    const paid = await charges.lookUp(order.paymentId, now)
    assert.ok(paid.status === 'succeeded' && paid.saved === undefined)
    assert.deepEqual(paid.details, details)
  }
})

test('a card that Paystack does not charge again, or that nobody asked to save, is not saved', async () => {
  for (const [savesCard, later] of [
    [true, null],
    [false, 'pays'],
  ] as const) {
    const order = pageOrder({ savesCard })
    await charges.charge(order, now)
    double.enterCard(referenceOf(order.paymentId), `AUTH_not${savesCard}`, later)
    const paid = await charges.lookUp(order.paymentId, now)
    assert.ok(paid.status === 'succeeded' && paid.saved === undefined)
    assert.equal(await vault.keepToken(`AUTH_not${savesCard}`), null)
  }
})

test('a page stays open after the session, and takes another card after one that was declined', async () => {
  const order = pageOrder()
  await charges.charge(order, now)
  const { status, newsDueAt } = await charges.lookUp(order.paymentId, order.expiresAt)
  assert.deepEqual([status, newsDueAt], ['requires_action', order.expiresAt + 30_000])
  for (const [words, failureCode] of [
    ['Declined', 'card_declined'],
    ['Insufficient Funds', 'insufficient_funds'],
    ['Expired Card', 'expired_card'],
    ['Incorrect PIN', 'authentication_failed'],
    ['Words that nobody has seen', 'card_declined'],
  ] as const) {
    const declined = pageOrder()
    await charges.charge(declined, now)
    double.fail(referenceOf(declined.paymentId), 'failed', words)
    const failed = { status: 'failed', failureCode, newsDueAt: now + 30_000 }
    assert.deepEqual(await charges.lookUp(declined.paymentId, now), failed)
  }
})

test('a page whose address was lost is waited for, and nothing is opened twice', async () => {
  const order = pageOrder()
  double.fails('POST /transaction/initialize', 'lost')
  await unknownOf(() => charges.charge(order, now))
  assert.equal((await charges.charge(order, now)).status, 'processing')
  assert.equal((await charges.lookUp(order.paymentId, order.expiresAt)).status, 'failed')
  assert.equal(double.read(referenceOf(order.paymentId)).executions, 0)
})

test('a saved card is charged with the email for which it was saved, once', async () => {
  const token = await savedCard()
  const order = renewal(token)
  const paid = await charges.chargeSaved(order, now)
  assert.ok(paid.status === 'succeeded' && paid.received === '4999.99')
  assert.deepEqual(double.calls.findLast(({ path }) => path === '/transaction/charge_authorization')?.body, {
    email,
    amount: '499999',
    currency: 'NGN',
    reference: referenceOf(order.paymentId),
    authorization_code: token,
  })
  assert.deepEqual(await charges.chargeSaved(order, now), paid)
  assert.deepEqual(await charges.lookUp(order.paymentId, now), paid)
  assert.equal(double.read(referenceOf(order.paymentId)).executions, 1)
})

const declines = [
  ['declines', 'card_declined'],
  ['is empty', 'insufficient_funds'],
  ['has expired', 'expired_card'],
  ['asks', 'authentication_failed'],
] as const
for (const [behaviour, failureCode] of declines) {
  test(`a saved card that "${behaviour}" while its owner is away takes nothing: ${failureCode}`, async () => {
    const order = renewal(await savedCard(behaviour))
    const failed = { status: 'failed', failureCode }
    assert.deepEqual(await charges.chargeSaved(order, now), failed)
    assert.deepEqual(await charges.lookUp(order.paymentId, now), failed)
    assert.deepEqual(await charges.chargeSaved(order, now), failed)
    assert.equal(double.read(referenceOf(order.paymentId)).executions, 0)
  })
}

test('the owner of a saved card who is there is sent to the page of their bank', async () => {
  const token = await savedCard('asks')
  assert.equal(await vault.keepToken(token), null, 'a browser may not bring the token of a saved card')
  const order = pageOrder({ token })
  const asked = await charges.charge(order, now)
  assert.ok(asked.status === 'requires_action' && asked.nextAction.type === 'redirect')
  // Paystack says so of a page that nobody has finished. It stays open after the session, like that of a first card.
  double.fail(referenceOf(order.paymentId), 'abandoned', '')
  const { status, newsDueAt } = await charges.lookUp(order.paymentId, order.expiresAt)
  assert.deepEqual([status, newsDueAt], ['requires_action', order.expiresAt + 30_000])
})

test('a saved card whose network takes its time is asked about until it answers', async () => {
  const order = renewal(await savedCard('takes its time'))
  assert.deepEqual(await charges.chargeSaved(order, now), { status: 'processing', newsDueAt: now + 10_000 })
  assert.deepEqual(await charges.lookUp(order.paymentId, now), { status: 'processing', newsDueAt: now + 30_000 })
  double.agree(referenceOf(order.paymentId))
  assert.equal((await charges.lookUp(order.paymentId, now)).status, 'succeeded')
})

test('200 charges of saved cards whose answer was lost after Paystack had them take money once each', async () => {
  const token = await savedCard()
  double.fails('POST /transaction/charge_authorization', 'lost', 200)
  await manyTimes(200, async () => {
    const order = renewal(token)
    await unknownOf(() => charges.chargeSaved(order, now))
    assert.equal((await charges.chargeSaved(order, now)).status, 'succeeded')
    assert.equal(double.read(referenceOf(order.paymentId)).executions, 1)
  })
})

const faults: Fault[] = ['cut', 'lost', 'hang', 'broken', 'nonsense', 'huge', 401, 403, 429, 500]
for (const fault of faults) {
  test(`after "${fault}" for an answer a saved card is charged once by the repeated order`, async () => {
    const hurried = await open({ timeoutMs: 250 })
    const order = renewal(await savedCard())
    double.fails('POST /transaction/charge_authorization', fault)
    await unknownOf(() => hurried.charges.chargeSaved(order, now))
    assert.equal((await charges.chargeSaved(order, now)).status, 'succeeded')
    assert.equal(double.read(referenceOf(order.paymentId)).executions, 1)
  })
}

test('charges of a saved card with one id at the same time take money once', async () => {
  const order = renewal(await savedCard())
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => charges.chargeSaved(order, now)))
  assert.ok(results.some(({ status }) => status === 'fulfilled'))
  for (const result of results) if (result.status === 'rejected') assert.match(String(result.reason), /is being sent/)
  assert.equal(double.read(referenceOf(order.paymentId)).executions, 1)
})

test('a card that was not saved here is charged by nobody', async () => {
  const sent = double.countOf('POST')
  await refusalOf(() => charges.chargeSaved(renewal('AUTH_of_somebody_else'), now))
  await refusalOf(() => charges.charge(pageOrder({ token: 'AUTH_of_somebody_else' }), now))
  await refusalOf(async () => charges.chargeSaved(renewal('AUTH_x', { corridor: 'USD_CARD', currency: 'USD' }), now))
  assert.equal(double.countOf('POST'), sent)
})

test('a charge of a saved card after its cancellation is not sent', async () => {
  const order = renewal(await savedCard())
  await charges.cancelCharge(order.paymentId, now)
  const sent = double.countOf('POST')
  assert.deepEqual(await charges.chargeSaved(order, now), { status: 'canceled' })
  assert.equal(double.countOf('POST'), sent)
})

test('the email of a card is stored encrypted only, and no row holds the address of a session', async () => {
  const cards = await sql('select * from paystack_cards')
  assert.ok(cards.length > 5)
  assert.ok(!JSON.stringify([cards, await sql('select * from paystack_orders')]).includes(marker))
})
