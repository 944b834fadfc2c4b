import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { RailRefusal } from '../../rails/rail-refusal.ts'
import type { Fault } from '../doubles/stripe/double.ts'
import { tenAtATime } from '../support/ten-at-a-time.ts'
import { withHeldRows } from '../support/held-rows.ts'
import { errorOf, marker, useStripe } from '../support/stripe.ts'
import { until } from '../support/until.ts'

const stage = await useStripe()
const { double, rail, at, chargeOrder, paid } = stage
const ordering = 'POST /v1/payment_intents'
const madeFor = (paymentId: string) => double.madeFor('payment_intent', paymentId)
const statusesOf = (paymentId: string) => madeFor(paymentId).map(({ status }) => status)

test('a card is charged once, in cents, under our id, and the receipt’s details come back', async () => {
  const order = chargeOrder({ statementText: 'ADA BOOKS' })
  const answer = await rail.charge(order, at)
  const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040, country: 'US', three_d_secure: false }
  assert.deepEqual(answer, { status: 'succeeded', received: '25.00', deposits: [], details: card })
  assert.deepEqual(await rail.charge(order, at), answer)
  assert.deepEqual(await rail.lookUp(order.paymentId, at), answer)
  assert.deepEqual(await rail.confirm(order.paymentId, 'any', at), answer)
  const [intent, ...others] = madeFor(order.paymentId)
  assert.deepEqual([intent?.['amount'], intent?.['currency'], others], [2500, 'usd', []])
  assert.equal(intent?.['statement_descriptor_suffix'], 'ADA BOOKS')
  const sent = double.requests.filter(({ key }) => key === order.paymentId)
  assert.equal(sent.length, 1)
})

test('200 charges whose answer is lost after Stripe accepted them take money once each', async () => {
  const faults: Fault[] = ['lost', 'torn', 'broken', 'lost']
  const orders = Array.from({ length: 200 }, () => chargeOrder())
  double.fail(ordering, ...orders.map((_, index) => faults[index % faults.length] ?? 'lost'))
  await tenAtATime(orders, async (order) => errorOf(rail.charge(order, at)))
  // Where Stripe keeps a 500, only its search, which is late, knows what became of the order.
  const again = await tenAtATime(orders, (order) =>
    rail.charge(order, at).then(
      () => true,
      () => false,
    ),
  )
  assert.equal(again.filter((isAnswered) => !isAnswered).length, 50)
  double.pass(60_000)
  const answers = await tenAtATime(orders, (order) => rail.charge(order, at))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], ['succeeded'])
  assert.deepEqual([...new Set(orders.map(({ paymentId }) => madeFor(paymentId).length))], [1])
})

test('a charge that never arrived is sent again, and one that hangs is given up in time', async () => {
  const order = chargeOrder()
  for (const fault of ['cut', 'failed', 'limited', 'conflict', 'misplaced', 'page'] as const) {
    const next = chargeOrder()
    double.fail(ordering, fault)
    const error = await errorOf(rail.charge(next, at))
    assert.ok(!(error instanceof RailRefusal), fault)
    assert.deepEqual(madeFor(next.paymentId), [])
    // A 500 is kept under the key: it takes a day until Stripe takes the order again.
    if (fault === 'failed') await errorOf(rail.charge(next, at))
    if (fault === 'failed') await stage.passDay()
    assert.equal((await rail.charge(next, at)).status, 'succeeded', fault)
    assert.equal(madeFor(next.paymentId).length, 1)
  }
  double.fail(ordering, 'hanging')
  const startedAt = performance.now()
  const hasty = stage.connect(stage.secretKey, 1_000)
  await errorOf(hasty.rail.charge(order, at))
  assert.ok(performance.now() - startedAt < 10_000)
  assert.equal((await rail.charge(order, at)).status, 'succeeded')
  assert.equal(madeFor(order.paymentId).length, 1)
})

test('two orders with one id at once are one charge', async () => {
  const orders = Array.from({ length: 10 }, () => chargeOrder())
  double.fail(ordering, ...orders.map((): Fault => 'slow'))
  await Promise.allSettled(orders.flatMap((order) => [rail.charge(order, at), rail.charge(order, at)]))
  for (const order of orders) {
    assert.equal((await rail.charge(order, at)).status, 'succeeded')
    assert.deepEqual(statusesOf(order.paymentId), ['succeeded'])
  }
})

test('an order with the same id and another amount is an error and no second charge', async () => {
  const order = await paid()
  await errorOf(rail.charge({ ...order, amount: '26.00' }, at))
  await errorOf(rail.charge({ ...order, amount: '25.001' }, at))
  assert.equal((await rail.charge({ ...order, amount: '25.000' }, at)).status, 'succeeded')
  assert.equal(madeFor(order.paymentId).length, 1)
})

test('a day later Stripe is asked first, and only what it does not have is sent again', async () => {
  const [arrived, lost] = [chargeOrder(), chargeOrder()]
  double.fail(ordering, 'lost', 'cut')
  await errorOf(rail.charge(arrived, at))
  await errorOf(rail.charge(lost, at))
  await stage.passDay()
  assert.equal((await rail.lookUp(arrived.paymentId, at)).status, 'succeeded')
  assert.equal((await rail.lookUp(lost.paymentId, at)).status, 'not_found')
  double.fail(ordering, 'lost')
  await errorOf(rail.charge(lost, at))
  for (const order of [arrived, lost]) {
    assert.equal((await rail.charge(order, at)).status, 'succeeded')
    assert.deepEqual(statusesOf(order.paymentId), ['succeeded'])
  }
})

test('an id that was never ordered is not found, and nothing is asked', async () => {
  const before = double.requests.length
  assert.deepEqual(await rail.lookUp(newId('pay', at), at), { status: 'not_found' })
  assert.equal(double.requests.length, before)
})

test('a buyer is sent to their bank, and Stripe is asked about it at longer and longer pauses', async () => {
  const order = chargeOrder({ token: double.addCard({ asks: true }) })
  const now = double.books.nowMs()
  const answer = await rail.charge(order, now)
  assert.equal(answer.status, 'requires_action')
  assert.ok(answer.status === 'requires_action' && answer.nextAction.type === 'redirect')
  const [intent] = madeFor(order.paymentId)
  assert.ok(intent)
  assert.match(answer.nextAction.url, /^https:\/\/hooks\.stripe\.com\//)
  assert.match(JSON.stringify(intent['next_action']), new RegExp(`return_url.*${marker}`))
  const later = now + 600_000
  const asked = await rail.lookUp(order.paymentId, later)
  const pauses = [(answer.newsDueAt ?? 0) - now, (asked.newsDueAt ?? 0) - later].map((ms) => ms / 1000)
  assert.ok(pauses[0]! > 10 && pauses[0]! <= 31 && pauses[1]! > 590 && pauses[1]! < 620, String(pauses))
  double.payments.finishAtBank(intent.id, true)
  const paidAnswer = await rail.lookUp(order.paymentId, later)
  assert.ok(paidAnswer.status === 'succeeded' && paidAnswer.details?.['three_d_secure'] === true)
})

test('a buyer who fails at their bank has not paid, and nobody can pay under this id any more', async () => {
  const order = chargeOrder({ token: double.addCard({ asks: true }) })
  await rail.charge(order, at)
  const [intent] = madeFor(order.paymentId)
  double.payments.finishAtBank(intent?.id ?? '', false)
  const failed = { status: 'failed', failureCode: 'authentication_failed' }
  assert.deepEqual(await rail.lookUp(order.paymentId, at), failed)
  assert.deepEqual(statusesOf(order.paymentId), ['canceled'])
  assert.deepEqual(await rail.charge(order, at), failed)
})

test('each reason of a bank becomes our failure code, and the declined payment is cancelled', async () => {
  const codes = {
    generic_decline: 'card_declined',
    do_not_honor: 'card_declined',
    a_new_reason: 'card_declined',
    constructor: 'card_declined',
    insufficient_funds: 'insufficient_funds',
    expired_card: 'expired_card',
    authentication_required: 'authentication_failed',
    processing_error: 'rail_unavailable',
  }
  for (const [declines, failureCode] of Object.entries(codes)) {
    const order = chargeOrder({ token: double.addCard({ declines }) })
    const answers = [await rail.charge(order, at), await rail.charge(order, at), await rail.lookUp(order.paymentId, at)]
    assert.deepEqual(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1)
    assert.deepEqual(answers[0], { status: 'failed', failureCode })
    assert.deepEqual(statusesOf(order.paymentId), ['canceled'])
  }
})

test('a declined payment that could not be cancelled yet is no failure', async () => {
  const order = chargeOrder({ token: double.addCard({ declines: 'generic_decline' }) })
  double.fail('POST /v1/payment_intents/pi_', 'limited')
  const error = await errorOf(rail.charge(order, at))
  assert.ok(!(error instanceof RailRefusal))
  assert.deepEqual(await rail.charge(order, at), { status: 'failed', failureCode: 'card_declined' })
})

test('only a refusal of the order itself is a refusal, and it stays one', async () => {
  const small = chargeOrder({ amount: '0.10' })
  const strange = chargeOrder({ token: 'pm_nobody' })
  for (const order of [small, strange]) {
    assert.ok((await errorOf(rail.charge(order, at))) instanceof RailRefusal)
    const before = double.requests.length
    assert.ok((await errorOf(rail.charge(order, at))) instanceof RailRefusal)
    const failed = { status: 'failed', failureCode: 'rail_unavailable' }
    assert.deepEqual(await rail.lookUp(order.paymentId, at), failed)
    assert.deepEqual(await rail.cancelCharge(order.paymentId, at), { status: 'canceled' })
    assert.equal(double.requests.length, before)
  }
  // After a lost answer a refusal is believed only once the search would know of an earlier success.
  const unsure = chargeOrder({ amount: '0.20' })
  double.fail(ordering, 'cut')
  await errorOf(rail.charge(unsure, at))
  assert.ok(!((await errorOf(rail.charge(unsure, at))) instanceof RailRefusal))
  await stage.passHours(2)
  assert.ok((await errorOf(rail.charge(unsure, at))) instanceof RailRefusal)
})

test('after a lost answer a refusal is believed an hour later, however often the order is sent', async () => {
  const order = chargeOrder({ amount: '0.20' })
  double.fail(ordering, 'cut')
  await errorOf(rail.charge(order, at))
  const isRefused: boolean[] = []
  for (let minutes = 5; minutes <= 75; minutes += 5) {
    await stage.passMinutes(5)
    isRefused.push((await errorOf(rail.charge(order, at))) instanceof RailRefusal)
  }
  assert.deepEqual(isRefused, [...Array(11).fill(false), ...Array(4).fill(true)])
})

test('a Stripe that sends nothing after the head of its answers is down, and orders are refused unsent', async () => {
  const weary = stage.connect(stage.secretKey, 300, { failuresMax: 5, restsMs: 60_000 })
  double.fail(ordering, ...Array<Fault>(5).fill('silent'))
  await Promise.all(Array.from({ length: 5 }, () => errorOf(weary.rail.charge(chargeOrder(), at))))
  const order = chargeOrder()
  assert.ok((await errorOf(weary.rail.charge(order, at))) instanceof RailRefusal)
  assert.ok(!double.requests.some(({ key }) => key === order.paymentId))
})

test('while one order tries whether Stripe is back, others are refused unsent, also one just before that', async () => {
  const weary = stage.connect(stage.secretKey, 60_000, { failuresMax: 1, restsMs: 0 })
  const [failing, trying, early, late] = [chargeOrder(), chargeOrder(), chargeOrder(), chargeOrder()]
  await stage.sql(`insert into stripe_orders (order_id, kind, amount, currency) values (?, 'charge', 25, 'USD')`, [
    early.paymentId,
  ])
  const held = 'stripe_orders where order_id = ?'
  const started = await withHeldRows(stage.database, held, [early.paymentId], async (isReached) => {
    const begun = errorOf(weary.rail.charge(early, at))
    await isReached() // it has asked whether Stripe is down, and is not sent yet
    double.fail(ordering, 'cut', 'hanging')
    await errorOf(weary.rail.charge(failing, at))
    const tried = errorOf(weary.rail.charge(trying, at))
    await until(() => double.requests.some(({ key }) => key === trying.paymentId), 'Stripe is tried')
    assert.ok((await errorOf(weary.rail.charge(late, at))) instanceof RailRefusal)
    return { begun, tried }
  })
  assert.ok((await started.begun) instanceof RailRefusal)
  const ids = [early.paymentId, late.paymentId]
  const book = await stage.sql('select answered, sent_at from stripe_orders where order_id in (?, ?)', ids)
  const unsent = { answered: 'refused', sent_at: null }
  assert.deepEqual(book, [unsent, unsent])
  await weary.close()
  assert.ok(!((await started.tried) instanceof RailRefusal), 'the order that tries may have arrived')
})

test('a key that Stripe refuses ends nothing: the same order succeeds with the new key', async () => {
  const order = chargeOrder()
  const newKey = `sk_live_${marker}2`
  double.setKeys(newKey)
  const error = await errorOf(rail.charge(order, at))
  assert.ok(!(error instanceof RailRefusal))
  await errorOf(rail.lookUp(order.paymentId, at))
  const next = stage.connect(newKey)
  assert.equal((await next.rail.charge(order, at)).status, 'succeeded')
  assert.equal(madeFor(order.paymentId).length, 1)
  double.setKeys(stage.secretKey)
  assert.throws(() => stage.connect('sk_test_1'), /not one of its live mode/)
})

test('what Stripe reports of another amount, currency, order or mode is no success', async () => {
  const changes: Record<string, unknown>[] = [
    { amount: 2400 },
    { amount_received: 2400 },
    { amount_received: 2500.5 },
    { currency: 'eur' },
    { metadata: { steadypay_id: 'pay_other' } },
    { metadata: {} },
    { livemode: false },
    { status: 'a_new_state' },
  ]
  for (const change of changes) {
    const order = chargeOrder()
    double.tamper(ordering, (body) => Object.assign(body, change))
    const error = await errorOf(rail.charge(order, at))
    assert.ok(!(error instanceof RailRefusal), JSON.stringify(change))
    assert.equal((await rail.charge(order, at)).status, 'succeeded')
  }
})

test('no secret and no data of a buyer is in the book', async () => {
  const rows = await stage.sql('select * from stripe_orders')
  assert.ok(rows.length > 200)
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(`${marker}|424242|@`))
})
