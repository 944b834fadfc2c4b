import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import type { RefundOrder } from '../../rails/rail.ts'
import { RailRefusal } from '../../rails/rail-refusal.ts'
import type { Fault } from '../doubles/stripe/double.ts'
import { tenAtATime } from '../support/ten-at-a-time.ts'
import { errorOf, marker, useStripe } from '../support/stripe.ts'

const stage = await useStripe()
const { double, rail, at, paid, refundOrder } = stage
const ordering = 'POST /v1/refunds'
const madeFor = ({ refundId }: RefundOrder) => double.madeFor('refund', refundId)
const idOf = (order: RefundOrder) => madeFor(order)[0]?.id ?? ''

test('a refund is sent once, in cents, however often it is ordered', async () => {
  const order = refundOrder(await paid())
  assert.equal(await rail.lookUpRefund(order.refundId), 'not_found')
  assert.equal(await rail.refund(order), 'succeeded')
  assert.equal(await rail.refund(order), 'succeeded')
  assert.equal(await rail.lookUpRefund(order.refundId), 'succeeded')
  assert.deepEqual(
    madeFor(order).map(({ amount, currency }) => [amount, currency]),
    [[1000, 'usd']],
  )
})

test('200 refunds whose answer is lost after Stripe accepted them are sent once each', async () => {
  const faults: Fault[] = ['lost', 'torn', 'broken', 'lost']
  const payments = await Promise.all(Array.from({ length: 20 }, async () => paid({ amount: '100.00' })))
  const orders = payments.flatMap((payment) =>
    Array.from({ length: 10 }, () => refundOrder(payment, { amount: '5.00' })),
  )
  double.fail(ordering, ...orders.map((_, index) => faults[index % faults.length] ?? 'lost'))
  await tenAtATime(orders, async (order) => errorOf(rail.refund(order)))
  const answers = await tenAtATime(orders, (order) => rail.refund(order))
  assert.deepEqual([...new Set(answers)], ['succeeded'])
  assert.deepEqual([...new Set(orders.map((order) => madeFor(order).length))], [1])
})

test('a look-up finds a refund whose answer was lost, also among many, and says when there is none', async () => {
  const payment = await paid({ amount: '300.00' })
  const first = refundOrder(payment, { amount: '1.00' })
  double.fail(ordering, 'lost')
  await errorOf(rail.refund(first))
  for (let count = 0; count < 120; count++) await rail.refund(refundOrder(payment, { amount: '1.00' }))
  assert.equal(await rail.lookUpRefund(first.refundId), 'succeeded')
  const cut = refundOrder(payment)
  double.fail(ordering, 'cut')
  await errorOf(rail.refund(cut))
  assert.equal(await rail.lookUpRefund(cut.refundId), 'not_found')
  assert.equal(await rail.refund(cut), 'succeeded')
})

test('a day later a refund that Stripe has is not sent a second time, even if our book has lost it', async () => {
  const payment = await paid()
  const [arrived, lost, forgotten] = [
    refundOrder(payment),
    refundOrder(payment),
    refundOrder(payment, { amount: '1.00' }),
  ]
  double.fail(ordering, 'lost', 'cut', 'lost')
  for (const order of [arrived, lost, forgotten]) await errorOf(rail.refund(order))
  await stage.passDay()
  await stage.sql('delete from stripe_orders where order_id = ?', [forgotten.refundId])
  for (const order of [arrived, lost, forgotten]) {
    assert.equal(await rail.refund(order), 'succeeded')
    assert.equal(madeFor(order).length, 1)
  }
})

test('two orders with one id at once are one refund', async () => {
  const orders = await Promise.all(Array.from({ length: 10 }, async () => refundOrder(await paid())))
  double.fail(ordering, ...orders.map((): Fault => 'slow'))
  await Promise.allSettled(orders.flatMap((order) => [rail.refund(order), rail.refund(order)]))
  for (const order of orders) assert.equal(await rail.refund(order), 'succeeded')
  assert.deepEqual([...new Set(orders.map((order) => madeFor(order).length))], [1])
})

test('a refund that waits for the account’s balance is unknown until Stripe has sent it', async () => {
  const order = refundOrder(await paid())
  double.refunds.balance.minor = 0
  assert.equal(await rail.refund(order), 'unknown')
  double.refunds.balance.minor = Infinity
  assert.equal(await rail.lookUpRefund(order.refundId), 'unknown')
  double.refunds.settle(idOf(order))
  assert.equal(await rail.lookUpRefund(order.refundId), 'succeeded')
})

test('a refund that fails after it had succeeded has come back; one that never succeeded has failed', async () => {
  const sent = refundOrder(await paid())
  assert.equal(await rail.refund(sent), 'succeeded')
  double.refunds.fail(idOf(sent))
  assert.equal(await rail.lookUpRefund(sent.refundId), 'returned')
  assert.equal(await rail.refund(sent), 'returned')
  const waiting = refundOrder(await paid())
  double.refunds.balance.minor = 0
  await rail.refund(waiting)
  double.refunds.balance.minor = Infinity
  double.refunds.fail(idOf(waiting))
  assert.equal(await rail.lookUpRefund(waiting.refundId), 'failed')
})

test('a refund of more than is left is refused, and stays so', async () => {
  const payment = await paid()
  await rail.refund(refundOrder(payment, { amount: '25.00' }))
  const order = refundOrder(payment)
  assert.ok((await errorOf(rail.refund(order))) instanceof RailRefusal)
  const before = double.requests.length
  assert.ok((await errorOf(rail.refund(order))) instanceof RailRefusal)
  assert.equal(await rail.lookUpRefund(order.refundId), 'failed')
  assert.equal(double.requests.length, before)
  // The first sending took the whole rest: the second one's refusal says nothing about it.
  const other = await paid()
  const all = refundOrder(other, { amount: '25.00' })
  double.fail(ordering, 'lost')
  await errorOf(rail.refund(all))
  await stage.passDay()
  assert.equal(await rail.refund(all), 'succeeded')
})

test('what says nothing about the order refuses nothing', async () => {
  for (const fault of ['limited', 'conflict', 'misplaced', 'cut', 'page'] as const) {
    const order = refundOrder(await paid())
    double.fail(ordering, fault)
    assert.ok(!((await errorOf(rail.refund(order))) instanceof RailRefusal), fault)
    assert.equal(await rail.refund(order), 'succeeded')
    assert.equal(madeFor(order).length, 1)
  }
  const order = refundOrder(await paid())
  double.setKeys(`sk_live_${marker}2`)
  assert.ok(!((await errorOf(rail.refund(order))) instanceof RailRefusal))
  double.setKeys(stage.secretKey)
  assert.equal(await rail.refund(order), 'succeeded')
  const unknown = refundOrder({ paymentId: newId('pay', at) })
  assert.ok(!((await errorOf(rail.refund(unknown))) instanceof RailRefusal))
})

test('what Stripe reports of another amount, currency, payment or order is no success', async () => {
  const other = await paid()
  const [intent] = double.madeFor('payment_intent', other.paymentId)
  for (const change of [
    { amount: 999 },
    { currency: 'eur' },
    { payment_intent: intent?.id },
    { metadata: { steadypay_id: 'ref_other' } },
  ]) {
    const order = refundOrder(await paid())
    double.tamper(ordering, (body) => Object.assign(body, change))
    assert.ok(!((await errorOf(rail.refund(order))) instanceof RailRefusal), JSON.stringify(change))
    assert.equal(await rail.refund(order), 'succeeded')
  }
})
