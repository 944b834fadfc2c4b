import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import type { Fault } from '../doubles/paystack/server.ts'
import { withHeldRows } from '../support/held-rows.ts'
import { until } from '../support/until.ts'
import { email, manyTimes, marker, minute, now, referenceOf, refusalOf, transferOrder } from './paystack.ts'
import { unknownOf, usePaystack } from './paystack.ts'

const { double, database, paystack, open, sql } = await usePaystack()
const { charges } = paystack

const transactionsOf = (paymentId: string) =>
  [...double.book.transactions.keys()].filter((key) => key === referenceOf(paymentId)).length

test('a buyer gets an account, and money of the exact amount is a deposit with all digits of its number', async () => {
  const order = transferOrder()
  const asked = await charges.charge(order, now)
  assert.ok(asked.status === 'requires_action' && asked.nextAction.type === 'bank_transfer')
  const { account_number, ...action } = asked.nextAction
  assert.deepEqual(action, {
    type: 'bank_transfer',
    bank_name: 'Test Bank',
    account_name: 'PAYSTACK CHECKOUT',
    amount: '2500.50',
    currency: 'NGN',
    expires_at: action.expires_at,
  })
  assert.ok(Math.abs(Date.parse(action.expires_at) - order.expiresAt) < minute)
  const sent = double.calls.find(({ path }) => path === '/charge')
  const reference = referenceOf(order.paymentId)
  assert.deepEqual(
    { ...sent?.body, bank_transfer: null },
    { email, amount: '250050', currency: 'NGN', reference, bank_transfer: null },
  )

  assert.equal(double.transfer(reference, 250_050n), true)
  const paid = await charges.lookUp(order.paymentId, now)
  const { id } = double.read(reference)
  assert.ok(id > 2n ** 53n)
  assert.deepEqual(paid, {
    status: 'succeeded',
    received: '2500.5',
    deposits: [{ id: String(id), amount: '2500.5' }],
    details: {
      sender_name: 'Ada Obi',
      sender_bank: 'Kuda Bank',
      sender_account_number: 'XXXXXX4321',
      session_id: String(id),
      account_number,
    },
  })
  assert.deepEqual(await charges.lookUp(order.paymentId, now), paid, 'an answer is a total')
  assert.deepEqual(await charges.charge(order, now), paid, 'the same order is the same charge')
})

test('a wrong amount goes back to its sender, and the charge stays open for the right one', async () => {
  const order = transferOrder({ amount: '5000' })
  await charges.charge(order, now)
  const reference = referenceOf(order.paymentId)
  for (const wrong of [499_999n, 500_001n, 250_000n]) {
    assert.equal(double.transfer(reference, wrong), false)
    assert.equal((await charges.lookUp(order.paymentId, now)).status, 'requires_action')
  }
  assert.equal(double.transfer(reference, 500_000n), true)
  assert.equal((await charges.lookUp(order.paymentId, now)).status, 'succeeded')
})

test('200 charges whose answer was lost after Paystack had them are one charge each', async () => {
  const before = double.book.transactions.size
  double.fails('POST /charge', 'lost', 200)
  await manyTimes(200, async () => {
    const order = transferOrder()
    await unknownOf(() => charges.charge(order, now))
    const again = await charges.charge(order, now)
    assert.ok(again.status === 'requires_action' && again.nextAction.type === 'bank_transfer')
    assert.deepEqual((await charges.charge(order, now)).status, 'requires_action')
  })
  assert.equal(double.book.transactions.size - before, 200)
})

const faults: Fault[] = [
  'cut',
  'lost',
  'hang',
  'broken',
  'nonsense',
  'strange',
  'huge',
  'late',
  'drip',
  401,
  403,
  429,
  500,
  503,
]
for (const fault of faults) {
  test(`after "${fault}" for an answer the outcome is unknown, and the repeated order has one effect`, async () => {
    const hurried = await open({ timeoutMs: 250 })
    const order = transferOrder()
    double.state.lateMs = 350
    double.fails('POST /charge', fault)
    await unknownOf(() => hurried.charges.charge(order, now))
    double.fails('GET /transaction/verify', fault)
    const repeated = () => hurried.charges.charge(order, now)
    if (fault === 'late') await repeated().catch(() => null)
    else await unknownOf(repeated)
    double.worksAgain()
    assert.equal((await charges.charge(order, now)).status, 'requires_action')
    assert.equal(transactionsOf(order.paymentId), 1)
    double.transfer(referenceOf(order.paymentId), 250_050n)
    assert.equal((await charges.lookUp(order.paymentId, now)).status, 'succeeded')
    assert.equal(double.read(referenceOf(order.paymentId)).executions, 1)
  })
}

test('orders with one id at the same time are one charge', async () => {
  const order = transferOrder()
  const rails = [charges, (await open()).charges, (await open()).charges]
  const sent = double.countOf('POST /charge')
  const results = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => rails[n % 3]!.charge(order, now)))
  assert.ok(results.some(({ status }) => status === 'fulfilled'))
  for (const result of results)
    if (result.status === 'rejected') assert.match(String(result.reason), /is being sent/)
    else assert.ok(['requires_action', 'processing'].includes(result.value.status))
  assert.equal(double.countOf('POST /charge') - sent, 1)
  assert.equal((await charges.charge(order, now)).status, 'requires_action')
})

test('an order that comes after its cancellation is never sent', async () => {
  const order = transferOrder()
  assert.deepEqual(await charges.cancelCharge(order.paymentId, now), { status: 'canceled' })
  const calls = double.calls.length
  assert.deepEqual(await charges.charge(order, now), { status: 'canceled' })
  assert.deepEqual(await charges.lookUp(order.paymentId, now), { status: 'canceled' })
  assert.deepEqual(await charges.cancelCharge(order.paymentId, now), { status: 'canceled' })
  assert.equal(double.calls.length, calls)
})

test('a charge that was sent before its cancellation says how it stands, and its money is never denied', async () => {
  const order = transferOrder()
  await charges.charge(order, now)
  assert.equal((await charges.cancelCharge(order.paymentId, now)).status, 'requires_action')
  double.transfer(referenceOf(order.paymentId), 250_050n)
  assert.equal((await charges.cancelCharge(order.paymentId, now)).status, 'succeeded')
  assert.equal((await charges.charge(order, now)).status, 'succeeded')
})

test('a cancellation does not say that a lost order never arrives, before it cannot arrive any more', async () => {
  const patient = await open({ pace: { checkAfterMs: 0, lostAfterMs: 600_000 } })
  const order = transferOrder()
  double.fails('POST /charge', 'cut')
  await unknownOf(() => charges.charge(order, now))
  await unknownOf(() => patient.charges.cancelCharge(order.paymentId, now))
  const sent = double.countOf('POST /charge')
  await unknownOf(() => patient.charges.charge(order, now))
  assert.equal(double.countOf('POST /charge'), sent, 'nothing is sent after the cancellation')
  await sql(`update paystack_orders set sent_at = sent_at - interval '10 minutes' where id = ?`, [order.paymentId])
  assert.deepEqual(await patient.charges.cancelCharge(order.paymentId, now), { status: 'canceled' })
})

test('a success about another amount, currency, reference or mode is an error and no success', async () => {
  for (const wrong of [
    { amount: 250_049n },
    { amount: 25_005_000n },
    { currency: 'GHS' },
    { reference: 'pay-other' },
    { domain: 'test' },
  ]) {
    const order = transferOrder()
    await charges.charge(order, now)
    const made = double.read(referenceOf(order.paymentId))
    const right = { amount: made.amount, currency: made.currency, reference: made.reference, domain: made.domain }
    double.transfer(made.reference, made.amount)
    Object.assign(made, wrong)
    const error = await unknownOf(() => charges.lookUp(order.paymentId, now))
    assert.match(error.message, /reports another (amount|currency|reference|mode)/)
    Object.assign(made, right)
    assert.equal((await charges.lookUp(order.paymentId, now)).status, 'succeeded')
  }
})

test('an order that Paystack refuses is refused for good, and nothing is sent again', async () => {
  const order = transferOrder({ amount: '99.99' })
  await refusalOf(() => charges.charge(order, now))
  const sent = double.countOf('POST /charge')
  for (const ask of [charges.charge(order, now), charges.lookUp(order.paymentId, now)])
    assert.deepEqual(await ask, { status: 'failed', failureCode: 'rail_unavailable' })
  assert.equal(double.countOf('POST /charge'), sent)
})

test('a refusal of a repeated order is no refusal: the first sending may still be on its way', async () => {
  const order = transferOrder({ amount: '99.99' })
  double.fails('POST /charge', 'cut')
  await unknownOf(() => charges.charge(order, now))
  await unknownOf(() => charges.charge(order, now))
})

test('while one order tries whether Paystack is back, others are refused unsent, also one just before it', async () => {
  const weary = await open({ timeoutMs: 60_000, line: { failuresMax: 1, restsMs: 0 } })
  const [trying, early, late] = [transferOrder(), transferOrder(), transferOrder()]
  const isMeant = ({ body }: { body: object }) =>
    'reference' in body && body.reference === referenceOf(trying.paymentId)
  await sql(`insert into paystack_orders (id, kind, amount, currency) values (?, 'charge', ?, 'NGN')`, [
    early.paymentId,
    early.amount,
  ])
  const held = 'paystack_orders where id = ?'
  const started = await withHeldRows(database, held, [early.paymentId], async (isReached) => {
    const begun = refusalOf(() => weary.charges.charge(early, now))
    await isReached() // it has asked whether Paystack is down, and is not sent yet
    double.fails('POST /charge', 'cut')
    double.fails('POST /charge', 'held')
    await unknownOf(() => weary.charges.charge(transferOrder(), now))
    const tried = weary.charges.charge(trying, now)
    await until(() => double.calls.some(isMeant), 'Paystack is tried')
    await refusalOf(() => weary.charges.charge(late, now))
    return { begun, tried }
  })
  await started.begun
  const ids = [early.paymentId, late.paymentId]
  const book = 'select sends, sent_at, refused_at is not null as refused from paystack_orders where id in (?, ?)'
  const unsent = { sends: 0, sent_at: null, refused: true }
  assert.deepEqual(await sql(book, ids), [unsent, unsent])
  double.letGo()
  assert.equal((await started.tried).status, 'requires_action')
  assert.equal((await weary.charges.charge(transferOrder(), now)).status, 'requires_action', 'it is back')
})

test('nothing is sent for what Paystack does not take: no email, another currency, a security code', async () => {
  const sent = double.countOf('POST')
  await refusalOf(() => charges.charge(transferOrder({ email: null }), now))
  await refusalOf(() => charges.charge(transferOrder({ corridor: 'MOMO_UGX', currency: 'UGX' }), now))
  await refusalOf(() => charges.charge(transferOrder({ corridor: 'USD_CARD', currency: 'USD' }), now))
  await refusalOf(() => charges.charge(transferOrder({ securityCode: 'cvc_x' }), now))
  assert.equal(double.countOf('POST'), sent)
})

test('an order with other terms under a known id is an error', async () => {
  const order = transferOrder()
  await charges.charge(order, now)
  await unknownOf(() => charges.charge({ ...order, amount: '2500.51' }, now))
})

test('an open charge is asked about after 10 s, 30 s, and then each time twice as long', async () => {
  const order = transferOrder({ expiresAt: now + 400 * minute })
  const due: number[] = []
  let at = now
  let answer = await charges.charge(order, at)
  for (let n = 0; n < 6; n++) {
    assert.ok(answer.newsDueAt !== undefined)
    due.push((answer.newsDueAt - at) / 1000)
    at = answer.newsDueAt
    answer = await charges.lookUp(order.paymentId, at)
  }
  assert.deepEqual(due, [10, 30, 60, 120, 240, 480])
})

test('a buyer who has not paid yet may go on until the session ends; then the charge has failed', async () => {
  const order = transferOrder()
  await charges.charge(order, now)
  double.fail(referenceOf(order.paymentId), 'abandoned', 'The transaction was not completed')
  assert.equal((await charges.lookUp(order.paymentId, now)).status, 'requires_action')
  assert.deepEqual(await charges.lookUp(order.paymentId, order.expiresAt), {
    status: 'failed',
    failureCode: 'customer_timeout',
  })
})

test('an account that closes before its session ends does not hold it, whatever Paystack says of it', async () => {
  const order = transferOrder({ expiresAt: now + 600 * minute })
  const asked = await charges.charge(order, now)
  assert.ok(asked.status === 'requires_action' && asked.nextAction.type === 'bank_transfer')
  const { nextAction } = asked
  const closesAt = Date.parse(nextAction.expires_at)
  assert.ok(closesAt < order.expiresAt - 100 * minute)
  for (const status of ['ongoing', 'pending', 'abandoned']) {
    double.fail(referenceOf(order.paymentId), status, '')
    const { newsDueAt, ...answer } = await charges.lookUp(order.paymentId, closesAt + minute)
    assert.deepEqual(answer, { status: 'requires_action', nextAction })
    assert.ok(newsDueAt !== undefined, 'money that came just before is still found')
  }
  assert.equal((await charges.lookUp(order.paymentId, order.expiresAt)).status, 'failed')
})

test('a status that no document names is an unknown outcome', async () => {
  const order = transferOrder()
  await charges.charge(order, now)
  for (const status of ['paid', 'SUCCESS', 'constructor', '__proto__']) {
    double.fail(referenceOf(order.paymentId), status, '')
    await unknownOf(() => charges.lookUp(order.paymentId, now))
  }
})

test('a charge that was never ordered is not found, and a lost account is asked for only after 10 s', async () => {
  assert.deepEqual(await charges.lookUp(newId('pay', now), now), { status: 'not_found' })
  const patient = await open({ pace: { checkAfterMs: 10_000 } })
  const order = transferOrder()
  double.fails('POST /charge', 'lost')
  await unknownOf(() => charges.charge(order, now))
  assert.deepEqual(await patient.charges.lookUp(order.paymentId, now), {
    status: 'processing',
    newsDueAt: now + 10_000,
  })
  await sql(`update paystack_orders set sent_at = sent_at - interval '10 seconds' where id = ?`, [order.paymentId])
  assert.equal((await patient.charges.lookUp(order.paymentId, now)).status, 'requires_action')
})

test('no row holds the key or the address of a buyer', async () => {
  const rows = await sql('select * from paystack_orders')
  assert.ok(rows.length > 200)
  assert.ok(!JSON.stringify(rows).includes(marker))
})
