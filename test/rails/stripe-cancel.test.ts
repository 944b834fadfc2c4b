import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../doubles/stripe/double.ts'
import { errorOf, useStripe } from '../support/stripe.ts'
import { tenAtATime } from '../support/ten-at-a-time.ts'

const stage = await useStripe()
const { double, rail, at, chargeOrder, paid } = stage
const ordering = 'POST /v1/payment_intents'
const canceled = { status: 'canceled' }
const statusesOf = (paymentId: string) => double.madeFor('payment_intent', paymentId).map(({ status }) => status)
const takenFor = (paymentId: string) => statusesOf(paymentId).filter((status) => status === 'succeeded').length

test('an order that comes after it was cancelled is never sent', async () => {
  const order = chargeOrder()
  const before = double.requests.length
  assert.deepEqual(await rail.cancelCharge(order.paymentId, at), canceled)
  assert.deepEqual(await rail.charge(order, at), canceled)
  assert.deepEqual(await stage.cardSetups.chargeSaved(order as never, at), canceled)
  assert.deepEqual(await rail.lookUp(order.paymentId, at), canceled)
  assert.deepEqual(await rail.cancelCharge(order.paymentId, at), canceled)
  assert.equal(double.requests.length, before)
})

test('an order that is still on its way when it is cancelled does nothing when it arrives', async () => {
  const order = chargeOrder()
  double.fail(ordering, 'cut')
  await errorOf(rail.charge(order, at))
  const underWay = double.requests.at(-1)
  assert.equal(underWay?.key, order.paymentId)
  assert.deepEqual(await rail.cancelCharge(order.paymentId, at), canceled)
  const arrived = await fetch(`${double.url}${underWay.path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${stage.secretKey}`,
      'idempotency-key': order.paymentId,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: underWay.body,
  })
  assert.equal(arrived.status, 400)
  assert.deepEqual(statusesOf(order.paymentId), ['canceled'])
  assert.deepEqual(await rail.charge(order, at), canceled)
  assert.deepEqual(await rail.lookUp(order.paymentId, at), canceled)
})

test('a charge that was taken in spite of it is reported, as soon as Stripe can know', async () => {
  for (const fault of ['lost', 'broken'] as const) {
    const order = chargeOrder()
    double.fail(ordering, fault)
    await errorOf(rail.charge(order, at))
    // The search does not find it yet, and the key says that something was ordered.
    await errorOf(rail.cancelCharge(order.paymentId, at))
    await errorOf(rail.lookUp(order.paymentId, at))
    double.pass(60_000)
    assert.equal((await rail.cancelCharge(order.paymentId, at)).status, 'succeeded')
    assert.equal((await rail.charge(order, at)).status, 'succeeded')
    assert.equal((await rail.lookUp(order.paymentId, at)).status, 'succeeded')
    assert.equal(takenFor(order.paymentId), 1)
  }
})

test('where Stripe keeps an error for the order, it is cancelled once the search would know of a success', async () => {
  const order = chargeOrder()
  double.fail(ordering, 'failed')
  await errorOf(rail.charge(order, at))
  await errorOf(rail.cancelCharge(order.paymentId, at))
  await stage.passHours(2)
  assert.deepEqual(await rail.cancelCharge(order.paymentId, at), canceled)
  assert.deepEqual(await rail.charge(order, at), canceled)
  assert.deepEqual(statusesOf(order.paymentId), [])
})

test('a charge that was sent again a moment ago is not taken for one that Stripe refused long ago', async () => {
  const order = chargeOrder()
  double.fail(ordering, 'cut', 'lost')
  await errorOf(rail.charge(order, at))
  await stage.passHours(2)
  await errorOf(rail.charge(order, at))
  // It has succeeded, and the search does not know it yet.
  await errorOf(rail.cancelCharge(order.paymentId, at))
  double.pass(60_000)
  assert.equal((await rail.cancelCharge(order.paymentId, at)).status, 'succeeded')
  assert.equal(takenFor(order.paymentId), 1)
})

/** Runs a call until it has made its next request. */
async function untilAsked<T>(call: () => Promise<T>): Promise<Promise<T>[]> {
  const before = double.requests.length
  const calling = call()
  while (double.requests.length === before) await sleep(5)
  return [calling]
}

test('a charge that is cancelled while it prepares its sending is not sent any more', async () => {
  const sentFor = (paymentId: string) => double.requests.filter(({ key }) => key === paymentId).length
  const saving = chargeOrder({ savesCard: true })
  double.fail('POST /v1/customers', 'slow')
  const [preparing] = await untilAsked(() => rail.charge(saving, at))
  assert.deepEqual(await rail.cancelCharge(saving.paymentId, at), canceled)
  assert.deepEqual(await preparing, canceled)
  assert.equal(sentFor(saving.paymentId), 0)
  const lost = chargeOrder()
  double.fail(ordering, 'cut')
  await errorOf(rail.charge(lost, at))
  double.fail('GET /v1/payment_intents/search', 'slow')
  const [looking] = await untilAsked(() => rail.charge(lost, at))
  assert.deepEqual(await rail.cancelCharge(lost.paymentId, at), canceled)
  const sent = sentFor(lost.paymentId)
  assert.deepEqual(await looking, canceled)
  assert.equal(sentFor(lost.paymentId), sent)
})

test('a success is not cancelled', async () => {
  const order = await paid()
  const answer = await rail.cancelCharge(order.paymentId, at)
  assert.equal(answer.status, 'succeeded')
  assert.deepEqual(await rail.lookUp(order.paymentId, at), answer)
})

test('a charge that the network still processes cannot be cancelled, and is told as it ends', async () => {
  for (const isPassed of [true, false]) {
    const order = chargeOrder({ token: double.addCard({ processes: true }) })
    const processing = { status: 'processing' }
    assert.deepEqual(await rail.charge(order, at), processing)
    assert.deepEqual(await rail.cancelCharge(order.paymentId, at), processing)
    assert.deepEqual(await rail.lookUp(order.paymentId, at), processing)
    double.payments.finishProcessing(String(double.madeFor('payment_intent', order.paymentId)[0]?.id), isPassed)
    const end = await rail.lookUp(order.paymentId, at)
    assert.equal(end.status, isPassed ? 'succeeded' : 'canceled')
    assert.deepEqual(statusesOf(order.paymentId), [end.status])
  }
})

test('a buyer who is at their bank cannot pay any more after it was cancelled', async () => {
  const order = chargeOrder({ token: double.addCard({ asks: true }) })
  await rail.charge(order, at)
  double.fail(`${ordering}/pi_`, 'lost')
  await errorOf(rail.cancelCharge(order.paymentId, at))
  assert.deepEqual(await rail.cancelCharge(order.paymentId, at), canceled)
  assert.throws(() =>
    double.payments.finishAtBank(String(double.madeFor('payment_intent', order.paymentId)[0]?.id), true),
  )
  assert.deepEqual(await rail.lookUp(order.paymentId, at), canceled)
})

test('an order and its cancellation at once end in one of the two, for good', async () => {
  const orders = Array.from({ length: 40 }, () => chargeOrder())
  double.fail(ordering, ...orders.map((_, index): Fault => (index % 2 === 0 ? 'slow' : 'lost')))
  await tenAtATime([...orders.entries()], ([index, order]) => {
    const acts = [() => rail.charge(order, at), () => rail.cancelCharge(order.paymentId, at)]
    return Promise.allSettled((index % 4 < 2 ? acts : acts.toReversed()).map((act) => act()))
  })
  double.pass(60_000)
  for (const { paymentId, ...order } of orders) {
    const end = await rail.cancelCharge(paymentId, at)
    assert.ok(end.status === 'canceled' || end.status === 'succeeded', end.status)
    assert.equal(takenFor(paymentId), end.status === 'succeeded' ? 1 : 0)
    assert.deepEqual(await rail.charge({ ...order, paymentId }, at), end)
    assert.equal(takenFor(paymentId), end.status === 'succeeded' ? 1 : 0)
  }
})
