import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { assertError } from '../support/api.ts'
import { mobileSale, sale, transferSale } from '../support/merchant.ts'
import { addPlatform, onlyOne } from '../support/platform.ts'
import { endRefund, sendRailNews } from '../support/rail-books.ts'
import { settled } from '../support/settled.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'

const minute = 60_000
const hour = 60 * minute

const stack = await useStack({ skipping: true })
const api = await useApi(stack)
afterEach(async () => {
  await policy('accept')
  await assertInvariants(stack)
})

const policy = async (value: 'accept' | 'refund') =>
  assert.equal((await stack.merchant.call('PATCH', '/v1/account', { late_payment_policy: value })).status, 200)

/** An open session that has received 1,200 of 5,000 naira. */
async function shortSale(minutes = 10, more: object = {}, merchant = stack.merchant) {
  const session = await merchant.createCheckout({ ...transferSale, expires_in_minutes: minutes, ...more })
  const { payment_id } = await merchant.payByTransfer(session)
  assert.equal((await merchant.deposit(payment_id, { amount: '1200.00' })).status, 200)
  return { ...session, payment_id }
}

const accept = (paymentId: string, headers = {}) =>
  stack.merchant.call('POST', `/v1/payments/${paymentId}/accept`, undefined, headers)
async function refund(charge_id: string, body: Record<string, unknown> = {}) {
  const reply = await stack.merchant.call('POST', '/api/v1/payments/refunds', {
    charge_id,
    reference: 'short',
    ...body,
  })
  await stack.dispatched()
  return reply
}

/** The buyers' money in the ledger that belongs to no account yet. */
async function heldForBuyer(): Promise<number> {
  const [row] = await stack.sql<{ sum: string | null }>(`select sum(amount) from ledger_entries where book = 'buyer'`)
  return Number(row?.sum ?? 0)
}

const refundsOf = (paymentId: string) =>
  stack.sql<{ id: string; reason: string; requested: string; fee: string; status: string }>(
    `select id, reason, trim_scale(requested_amount)::text as requested, trim_scale(fee_amount)::text as fee, status
     from refunds where charge_id = ? order by created_at`,
    [paymentId],
  )

for (const end of ['expires', 'is cancelled'] as const) {
  test(`a short payment whose session ${end} is refunded after the late window if the account refunds`, async () => {
    await policy('refund')
    const held = await heldForBuyer()
    const { checkout_id, payment_id } = await shortSale()
    if (end === 'is cancelled') assert.equal((await stack.merchant.cancel(checkout_id)).status, 200)
    await stack.skip(70 * hour)
    assert.deepEqual(await refundsOf(payment_id), [], 'the rest may still come')
    await stack.finished('checkout', checkout_id)
    const [made] = await refundsOf(payment_id)
    assert.deepEqual([made?.reason, Number(made?.requested), Number(made?.fee)], ['short payment', 1200, 25])
    await stack.finished('refund', made?.id ?? '')
    const payment = await stack.merchant.getPayment(payment_id)
    assert.deepEqual([payment['status'], payment['refund_status']], ['underpaid', 'full'])
    assert.equal(await heldForBuyer(), held)
  })
}

test('if late money is accepted, a short payment stays listed until the merchant accepts or refunds it', async () => {
  const { checkout_id, payment_id } = await shortSale()
  assert.equal(await stack.finished('checkout', checkout_id), 'expired')
  assert.deepEqual(await refundsOf(payment_id), [])
  const { items } = (await stack.merchant.call('GET', '/v1/payments?status=underpaid')).body as unknown as {
    items: { payment_id: string }[]
  }
  assert.ok(items.some((item) => item.payment_id === payment_id))
})

test('an accepted short payment settles what has arrived less the fee, and its event is marked partial', async () => {
  const held = await heldForBuyer()
  const { checkout_id, payment_id } = await shortSale()
  await stack.finished('checkout', checkout_id)
  const { status, body } = await accept(payment_id)
  assert.equal(status, 200)
  assert.deepEqual([body['status'], body['amount'], body['amount_received']], ['succeeded', '5000.00', '1200.00'])
  await stack.finished('checkout', checkout_id)
  const [event] = await stack.sql<{ body: string }>(
    `select body from events where resource_id = ? and type = 'collection.succeeded'`,
    [payment_id],
  )
  const { data } = JSON.parse(event?.body ?? '{}')
  assert.deepEqual([data.partial, data.settlement_amount], [true, '1188.00']) // one per cent of what has arrived
  assert.equal((await stack.merchant.getCheckout(checkout_id))['status'], 'expired')
  assert.equal(await heldForBuyer(), held)
  const again = await accept(payment_id)
  assert.deepEqual([again.status, again.body['status']], [200, 'succeeded'])
  const events = await stack.sql(`select from events where resource_id = ? and type = 'collection.succeeded'`, [
    payment_id,
  ])
  assert.equal(events.length, 1, 'accepting twice settles once')
  assert.equal((await refund(payment_id)).status, 201, 'from then on it can be refunded like any other payment')
})

test('ten calls to accept at once settle once', async () => {
  const { checkout_id, payment_id } = await shortSale()
  await stack.finished('checkout', checkout_id)
  const replies = await Promise.all(Array.from({ length: 10 }, () => accept(payment_id)))
  // On a busy machine some wait too long.
  for (const { status, text } of replies) assert.ok([200, 503].includes(status), text)
  assert.ok(replies.some(({ status }) => status === 200))
  const settlements = await stack.sql(`select from ledger_transactions where kind = 'settlement' and source_id = ?`, [
    payment_id,
  ])
  assert.equal(settlements.length, 1)
})

test('a short payment can be refunded in parts, up to what has arrived', async () => {
  const held = await heldForBuyer()
  const { checkout_id, payment_id } = await shortSale()
  await stack.finished('checkout', checkout_id)
  assert.equal((await refund(payment_id, { amount: 700, fee_bearer: 'CUSTOMER' })).status, 201)
  const tooMuch = await refund(payment_id, { amount: 500.01, fee_bearer: 'CUSTOMER' })
  assert.deepEqual([tooMuch.status, tooMuch.body['error_code']], [400, 'REFUND_EXCEEDS_REMAINING'])
  assert.equal((await refund(payment_id, { fee_bearer: 'CUSTOMER' })).status, 201)
  const made = await refundsOf(payment_id)
  for (const { id } of made) await stack.finished('refund', id)
  assert.deepEqual(
    made.map(({ requested }) => Number(requested)),
    [700, 500],
  )
  assert.equal(await heldForBuyer(), held)
  const nothingLeft = await accept(payment_id)
  assert.deepEqual([nothingLeft.status, nothingLeft.body['error_code']], [409, 'CONFLICT'])
})

test('CONFLICT: while a refund is under way nothing is accepted; if it fails, all is accepted together', async () => {
  const held = await heldForBuyer()
  const { platform, seller } = await addPlatform(api)
  const transfer_data = { destination: seller.accountId, amount: '3000.00' }
  const { checkout_id, payment_id } = await shortSale(10, { transfer_data }, platform.merchant)
  await stack.finished('checkout', checkout_id)
  const part = { amount: 700, fee_bearer: 'CUSTOMER', reference: 'sandbox_no_answer' }
  const { refund_id } = await platform.merchant.refund(payment_id, part)
  await stack.dispatched()
  await settled(stack.client, 'refund', refund_id)
  const path = `/v1/payments/${payment_id}/accept`
  assertError(await platform.merchant.call('POST', path), 409, 'CONFLICT')
  await endRefund(stack, refund_id, 'failed')
  await stack.finished('refund', refund_id)
  assert.equal((await platform.merchant.call('POST', path)).status, 200)
  assert.equal(await heldForBuyer(), held, 'no money is left without an owner')
  const { row } = await onlyOne(platform.merchant, '/v1/transfers')
  assert.equal(row['amount'], '720.00') // of 4,950.00 that the sale settles, 1,188.00 have settled
})

test('what a bank returns of a refund after the rest was accepted goes to the account', async () => {
  const held = await heldForBuyer()
  const { checkout_id, payment_id } = await shortSale()
  await stack.finished('checkout', checkout_id)
  const made = await refund(payment_id, { amount: 700, fee_bearer: 'CUSTOMER' })
  const refundId = String(made.body['refund_id'])
  assert.equal(await stack.finished('refund', refundId), 'succeeded')
  assert.equal((await accept(payment_id)).status, 200)
  await endRefund(stack, refundId, 'returned')
  await sendRailNews(stack, 'refund', refundId)
  await stack.dispatched()
  assert.equal(await stack.finished('refund', refundId), 'failed')
  assert.equal(await heldForBuyer(), held, 'no money is left without an owner')
  const left = await refund(payment_id, { fee_bearer: 'CUSTOMER' })
  assert.deepEqual([left.status, left.body['requested_amount']], [201, '1195.00']) // 1,200 less the fee of 500
})

test('a failed refund of a short payment gives the money back to the buyer’s ledger account', async () => {
  const held = await heldForBuyer()
  const { checkout_id, payment_id } = await shortSale()
  await stack.finished('checkout', checkout_id)
  const made = await refund(payment_id, { fee_bearer: 'CUSTOMER', simulated_outcome: 'failed' })
  await stack.finished('refund', String(made.body['refund_id']))
  assert.equal(await heldForBuyer(), held + 1200)
  assert.equal((await accept(payment_id)).status, 200)
  assert.equal(await heldForBuyer(), held)
})

test('a payment of which a part was refunded stays underpaid when the rest arrives', async () => {
  const held = await heldForBuyer()
  const { checkout_id, payment_id } = await shortSale(1)
  await stack.skip(2 * minute)
  const part = await refund(payment_id, { amount: 1200, fee_bearer: 'CUSTOMER' })
  assert.equal(part.status, 201)
  assert.equal((await stack.merchant.deposit(payment_id, { amount: '3800.00' })).status, 200)
  const payment = await stack.merchant.getPayment(payment_id)
  assert.deepEqual([payment['status'], payment['amount_received']], ['underpaid', '5000.00'])
  await stack.finished('checkout', checkout_id)
  assert.equal(await stack.finished('refund', String(part.body['refund_id'])), 'succeeded')
  assert.equal(await heldForBuyer(), held + 3800)
  assert.equal((await accept(payment_id)).status, 200)
  assert.equal(await heldForBuyer(), held)
})

for (const fee_preference of ['customer_pays', 'org_pays']) {
  test(`what is accepted beyond the price bears no more than the fee of the sale: ${fee_preference}`, async () => {
    const held = await heldForBuyer()
    await stack.merchant.call('PUT', '/v1/accounts/checkout/settings', { fee_preference })
    const session = await stack.merchant.createCheckout({ ...transferSale, amount: '100.00', expires_in_minutes: 10 })
    const { payment_id } = await stack.merchant.payByTransfer(session)
    assert.equal((await stack.merchant.getPayment(payment_id))['fee_preference'], fee_preference)
    await stack.merchant.deposit(payment_id, { amount: '40.00' })
    await stack.merchant.cancel(session.checkout_id)
    const part = await refund(payment_id, { amount: 30, fee_bearer: 'CUSTOMER' })
    await stack.finished('refund', String(part.body['refund_id']))
    assert.equal((await stack.merchant.deposit(payment_id, { amount: '60000.00' })).status, 200)
    const { status, text } = await accept(payment_id)
    assert.equal(status, 200, text)
    const left = await refund(payment_id, { fee_bearer: 'CUSTOMER' })
    assert.deepEqual([left.status, left.body['requested_amount']], [201, '60009.00']) // 60,010 less the fee of 1
    assert.equal(await heldForBuyer(), held)
  })
}

test('while the session is open a short payment cannot be refunded or accepted: the rest may come', async () => {
  const { payment_id } = await shortSale(60)
  const refunded = await refund(payment_id)
  assert.deepEqual([refunded.status, refunded.body['error_code']], [400, 'CHARGE_NOT_REFUNDABLE'])
  const accepted = await accept(payment_id)
  assert.deepEqual([accepted.status, accepted.body['error_code']], [409, 'CONFLICT'])
  assert.equal((await stack.merchant.deposit(payment_id)).status, 200)
  assert.equal((await stack.merchant.getPayment(payment_id))['status'], 'succeeded')
})

test('a short payment in coins is not refunded by itself: it waits for the merchant', async () => {
  await policy('refund')
  const session = await stack.merchant.createCheckout({ ...sale, expires_in_minutes: 10 })
  const { payment_id } = await stack.merchant.payByCrypto(session)
  await stack.merchant.deposit(payment_id, { amount: '10' })
  await stack.skip(5_000)
  assert.equal((await stack.merchant.getPayment(payment_id))['status'], 'underpaid')
  assert.equal(await stack.finished('checkout', session.checkout_id), 'expired')
  assert.deepEqual(await refundsOf(payment_id), [])
  const sent = await refund(payment_id, {
    refund_address: 'TQ5NMqJjhpQGK7YJbESKFAEDaSBJHkTGdB',
    fee_bearer: 'CUSTOMER',
  })
  assert.equal(sent.status, 201, sent.text)
})

test('only a short payment can be accepted', async () => {
  const paid = await stack.merchant.chargeByCard()
  assert.equal((await accept(paid)).status, 409)
  assert.equal((await accept('pay_0000000000000000000000000000')).status, 404)
  const declined = await stack.merchant.createCheckout(mobileSale)
  const { payment_id } = await stack.merchant.payByPhone(declined, { phone_number: '+254700000004' })
  await stack.finished('checkout', declined.checkout_id)
  assert.equal((await accept(payment_id)).status, 409)
})
