import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import type { RefundOrder } from '../../rails/rail.ts'
import type { Fault } from '../doubles/paystack/server.ts'
import { until } from '../support/until.ts'
import { manyTimes, now, referenceOf, refusalOf, transferOrder, unknownOf, usePaystack } from './paystack.ts'

const { double, paystack, open, sql } = await usePaystack()
const { charges, refunds } = paystack

/** A payment of 2500.50 that has succeeded. */
async function paid(): Promise<string> {
  const order = transferOrder()
  await charges.charge(order, now)
  double.transfer(referenceOf(order.paymentId), 250_050n)
  await charges.lookUp(order.paymentId, now)
  return order.paymentId
}

const refundOrder = (paymentId: string, rest: Partial<RefundOrder<'live'>> = {}): RefundOrder<'live'> => ({
  environment: 'live',
  refundId: newId('ref', now),
  paymentId,
  transferReference: null,
  corridor: 'NGN_BANK_TRANSFER',
  amount: '500.10',
  currency: 'NGN',
  reference: 'broken on arrival',
  address: null,
  simulatedOutcome: null,
  ...rest,
})

const isClaimed = async (refundId: string) =>
  (await sql('select from paystack_orders where id = ? and sending_until is not null', [refundId])).length > 0

test('a refund is unknown until Paystack has processed it, and its note is our id', async () => {
  const order = refundOrder(await paid())
  assert.equal(await refunds.refund(order), 'unknown')
  const [made] = double.refundsOf(order.refundId)
  assert.equal(made?.amount, 50_010n)
  assert.ok(made && made.id > 2n ** 53n)
  for (const status of ['processing', 'needs-attention', 'pending']) {
    double.settleRefund(order.refundId, status)
    assert.equal(await refunds.lookUpRefund(order.refundId), 'unknown', status)
  }
  double.settleRefund(order.refundId, 'processed')
  assert.equal(await refunds.lookUpRefund(order.refundId), 'succeeded')
  assert.equal(await refunds.refund(order), 'succeeded', 'the same order is the same refund')
  double.settleRefund(order.refundId, 'failed')
  assert.equal(await refunds.lookUpRefund(order.refundId), 'returned')
})

test('a refund that Paystack could not send has failed; another status is an unknown outcome', async () => {
  const order = refundOrder(await paid())
  await refunds.refund(order)
  double.settleRefund(order.refundId, 'constructor')
  await unknownOf(() => refunds.lookUpRefund(order.refundId))
  double.settleRefund(order.refundId, 'failed')
  assert.equal(await refunds.lookUpRefund(order.refundId), 'failed')
})

test('200 refunds whose answer was lost after Paystack had them are one refund each', async () => {
  double.fails('POST /refund', 'lost', 200)
  await manyTimes(200, async () => {
    const order = refundOrder(await paid(), { amount: '1.00' })
    await unknownOf(() => refunds.refund(order))
    assert.equal(await refunds.refund(order), 'unknown')
    assert.equal(await refunds.lookUpRefund(order.refundId), 'unknown')
    assert.equal(double.refundsOf(order.refundId).length, 1)
  })
})

const faults: Fault[] = ['cut', 'lost', 'hang', 'broken', 'nonsense', 'strange', 'huge', 401, 403, 429, 500]
for (const fault of faults) {
  test(`after "${fault}" for an answer a refund is unknown, and the repeated order is one refund`, async () => {
    const hurried = await open({ timeoutMs: 250 })
    const order = refundOrder(await paid())
    double.fails('POST /refund', fault)
    await unknownOf(() => hurried.refunds.refund(order))
    double.fails('GET /refund', fault)
    await unknownOf(() => hurried.refunds.refund(order))
    double.worksAgain()
    assert.equal(await refunds.refund(order), 'unknown')
    assert.equal(double.refundsOf(order.refundId).length, 1)
  })
}

test('a refund without an answer that is in no list is sent again only after ten minutes', async () => {
  const patient = await open({ pace: {} })
  const order = refundOrder(await paid())
  double.fails('POST /refund', 'cut')
  await unknownOf(() => patient.refunds.refund(order))
  const sent = double.countOf('POST /refund')
  for (let n = 0; n < 3; n++) await unknownOf(() => patient.refunds.refund(order))
  assert.equal(await patient.refunds.lookUpRefund(order.refundId), 'unknown')
  assert.equal(double.countOf('POST /refund'), sent)
  await sql(`update paystack_orders set sent_at = sent_at - interval '10 minutes' where id = ?`, [order.refundId])
  assert.equal(await patient.refunds.refund(order), 'unknown')
  assert.equal(double.countOf('POST /refund'), sent + 1)
  assert.equal(double.refundsOf(order.refundId).length, 1)
})

test('refunds with one id at the same time are one refund', async () => {
  const order = refundOrder(await paid())
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => refunds.refund(order)))
  assert.ok(results.some(({ status }) => status === 'fulfilled'))
  for (const result of results) if (result.status === 'rejected') assert.match(String(result.reason), /is being sent/)
  assert.equal(double.refundsOf(order.refundId).length, 1)
})

test('a worker that was frozen while another one has sent the refund does not send it too', async () => {
  const order = refundOrder(await paid())
  const listed = double.countOf('GET /refund')
  double.fails('GET /refund', 'held')
  const frozen = refunds.refund(order)
  // Its list, without the refund, is on its way.
  await until(() => double.countOf('GET /refund') > listed, 'the list is asked for')
  assert.ok(await isClaimed(order.refundId))
  await sql(`update paystack_orders set sending_until = now() - interval '1 second' where id = ?`, [order.refundId])
  assert.equal(await refunds.refund(order), 'unknown')
  double.letGo()
  const error = await unknownOf(() => frozen)
  assert.match(error.message, /taken over by another worker/)
  assert.equal(double.refundsOf(order.refundId).length, 1)
})

test('a refund that has not left, because Paystack went down meanwhile, does not count as sent', async () => {
  const weary = await open({ timeoutMs: 60_000, line: { failuresMax: 1, restsMs: 600_000 } })
  const [order, other] = [refundOrder(await paid()), refundOrder(await paid())]
  const listed = double.countOf('GET /refund')
  double.fails('GET /refund', 'held')
  double.fails('GET /refund', 'cut')
  const begun = unknownOf(() => weary.refunds.refund(order))
  await until(() => double.countOf('GET /refund') > listed, 'the list is asked for')
  await unknownOf(() => weary.refunds.refund(other))
  double.letGo()
  await begun
  assert.equal(await weary.refunds.lookUpRefund(order.refundId), 'not_found')
})

test('a book that was restored from before the refund does not send it a second time', async () => {
  const order = refundOrder(await paid())
  await refunds.refund(order)
  await sql('delete from paystack_orders where id in (?, ?)', [order.refundId, order.paymentId])
  assert.equal(await refunds.lookUpRefund(order.refundId), 'not_found')
  assert.equal(await refunds.refund(order), 'unknown')
  assert.equal(double.refundsOf(order.refundId).length, 1)
})

test('the refund is found behind a hundred others of its payment, also on shorter pages', async () => {
  const paymentId = await paid()
  for (let n = 0; n < 120; n++) await refunds.refund(refundOrder(paymentId, { amount: '1.00' }))
  for (const refundsOfPage of [100, 30]) {
    double.book.refundsOfPage = refundsOfPage
    const order = refundOrder(paymentId, { amount: '1.00' })
    double.fails('POST /refund', 'lost')
    await unknownOf(() => refunds.refund(order))
    assert.equal(await refunds.refund(order), 'unknown')
    assert.equal(double.refundsOf(order.refundId).length, 1)
  }
  double.book.refundsOfPage = 100
})

test('a refund that Paystack refuses is refused for good; what it does not know is no refusal', async () => {
  const order = refundOrder(await paid(), { amount: '2500.51' })
  await refusalOf(() => refunds.refund(order))
  const sent = double.countOf('POST /refund')
  await refusalOf(() => refunds.refund(order))
  assert.equal(double.countOf('POST /refund'), sent)
  assert.equal(await refunds.lookUpRefund(order.refundId), 'failed')
  await unknownOf(() => refunds.refund(refundOrder(newId('pay', now))))
})

test('a refund of another amount or another payment than was ordered is an error', async () => {
  const order = refundOrder(await paid())
  await refunds.refund(order)
  const [made] = double.refundsOf(order.refundId)
  assert.ok(made)
  const right = { amount: made.amount, transaction: made.transaction, currency: made.currency }
  double.settleRefund(order.refundId, 'processed')
  for (const wrong of [{ amount: 50_011n }, { currency: 'GHS' }, { transaction: 5n }]) {
    Object.assign(made, right, wrong)
    await unknownOf(() => refunds.lookUpRefund(order.refundId))
  }
  Object.assign(made, right)
  assert.equal(await refunds.lookUpRefund(order.refundId), 'succeeded')
})

test('a refund of a transfer into a virtual account is one of the transfer that Paystack has', async () => {
  const made = double.deposits('1761234567899xyz', '9930000737', 250_050n)
  const order = refundOrder(newId('pay', now), { transferReference: made.reference })
  double.fails('POST /refund', 'lost')
  await unknownOf(() => refunds.refund(order))
  assert.equal(await refunds.refund(order), 'unknown')
  assert.deepEqual(
    double.refundsOf(order.refundId).map(({ transaction }) => transaction),
    [made.id],
  )
  double.settleRefund(order.refundId, 'processed')
  assert.equal(await refunds.lookUpRefund(order.refundId), 'succeeded')
  await unknownOf(() => refunds.refund(refundOrder(newId('pay', now), { transferReference: 'T-nobody' })))
})

test('a refund that was never ordered is not found', async () => {
  assert.equal(await refunds.lookUpRefund(newId('ref', now)), 'not_found')
})
