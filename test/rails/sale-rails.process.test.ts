import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginAnew } from '../support/begin-anew.ts'
import { useLiveStack } from '../support/live-providers.ts'
import { loseProcess } from '../support/lose-process.ts'
import { createSaleKits, type RefundEnd, type SaleKit } from '../support/sale-kits.ts'
import { eventsAbout, postedBy } from '../support/resource-rows.ts'
import { settled } from '../support/settled.ts'
import { assertBooksAgree } from '../support/statement.ts'
import { until } from '../support/until.ts'

const minute = 60_000
const hour = 60 * minute

// One suite for three rails: what the sandbox promises about a sale and its refund holds at Stripe and at Paystack too.
const live = await useLiveStack({ invariants: 'at the end', skipping: true })
const { stack, providers } = live
const kits = await createSaleKits(live)

const statusOf = async ({ merchant }: SaleKit, id: string) => (await merchant.getPayment(id))['status']

/** A sale that its buyer has agreed to, and of which the rail has told. Returns the payment's id. */
async function sell(kit: SaleKit): Promise<string> {
  const session = await kit.merchant.createCheckout(kit.body)
  const id = await kit.begin(session)
  await kit.decide(id, true)
  await kit.tell(session, id)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  return id
}

/** A refund that the rail has not decided. */
async function refund(kit: SaleKit, paymentId: string, part: { amount?: number } = {}): Promise<string> {
  const { refund_id } = await kit.merchant.refund(paymentId, { ...kit.refundBody, ...part })
  await stack.dispatched()
  await settled(stack.client, 'refund', refund_id)
  return refund_id
}

/** The rail decides about a refund, and tells the service of it. */
async function endRefund(kit: SaleKit, refundId: string, paymentId: string, end: RefundEnd): Promise<void> {
  await kit.endRefund(refundId, paymentId, end)
  await kit.tellOfRefund(refundId, paymentId)
}

for (const kit of kits) {
  const { name, merchant, body } = kit

  test(`${name}: news that comes three times, also after the end, completes a sale once`, async () => {
    const session = await merchant.createCheckout(body)
    const id = await kit.begin(session)
    await kit.decide(id, true)
    await Promise.all([kit.tell(session, id), kit.tell(session, id)])
    assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
    await kit.tell(session, id)
    assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
    assert.deepEqual(await eventsAbout(stack, session.checkout_id), ['checkout.completed'])
    assert.deepEqual(await eventsAbout(stack, id), ['collection.succeeded'])
    assert.equal(await kit.taken(id), 1)
    const lines = Object.keys(await postedBy(stack, id)).filter((line) => line.startsWith('settlement rail'))
    assert.equal(lines.length, 1)
  })

  test(`${name}: news that never comes costs time, and not the sale`, async () => {
    const session = await merchant.createCheckout(body)
    const id = await kit.begin(session)
    await kit.decide(id, true)
    assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
    assert.equal(await statusOf(kit, id), 'succeeded')
  })

  test(`${name}: a buyer who refuses leaves the session open for another attempt`, async () => {
    const session = await merchant.createCheckout(body)
    const id = await kit.begin(session)
    await kit.decide(id, false)
    await kit.tell(session, id)
    await settled(stack.client, 'checkout', session.checkout_id)
    assert.equal(await statusOf(kit, id), 'failed')
    assert.equal((await merchant.getCheckout(session.checkout_id))['status'], 'open')
    const second = await kit.begin(session)
    await kit.decide(second, true)
    await kit.tell(session, second)
    assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
    assert.deepEqual([await kit.taken(id), await kit.taken(second)], [0, 1])
  })

  test(`${name}: a sale that nobody agrees to expires, and nothing is booked`, async () => {
    const session = await merchant.createCheckout({ ...body, expires_in_minutes: 10 })
    const id = await kit.begin(session)
    assert.equal(await stack.finished('checkout', session.checkout_id), 'expired')
    assert.deepEqual(await postedBy(stack, id), {})
    assert.deepEqual(await eventsAbout(stack, session.checkout_id), ['checkout.expired'])
  })

  test(`${name}: a buyer who begins again pays once`, async () => {
    const session = await merchant.createCheckout(body)
    const first = await kit.begin(session)
    const second = await kit.begin(session)
    assert.notEqual(first, second)
    await kit.decide(second, true)
    await kit.tell(session, second)
    assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
    assert.deepEqual([await kit.taken(first), await kit.taken(second)], [0, 1])
    assert.notEqual(await statusOf(kit, first), 'succeeded')
    assert.deepEqual(await eventsAbout(stack, session.checkout_id), ['checkout.completed'])
  })

  test(`${name}: an order whose answer is lost is found again, and takes money once`, async () => {
    kit.loseAnswer('charge')
    const id = await sell(kit)
    assert.equal(await kit.taken(id), 1)
    kit.loseAnswer('refund')
    const refundId = await refund(kit, id)
    await kit.endRefund(refundId, id, 'succeeded')
    assert.equal(await stack.finished('refund', refundId), 'succeeded')
    assert.equal(await kit.refundsFor(refundId), 1)
  })

  test(`${name}: a sale is refunded in parts, and never more than it took`, async () => {
    const id = await sell(kit)
    const parts = [await refund(kit, id, { amount: 10 }), await refund(kit, id)]
    const more = { charge_id: id, reference: 'more', amount: 1 }
    const { status } = await merchant.call('POST', '/api/v1/payments/refunds', more)
    assert.ok(status >= 400 && status < 500)
    for (const part of parts) {
      await endRefund(kit, part, id, 'succeeded')
      assert.equal(await stack.finished('refund', part), 'succeeded')
    }
    const payment = await merchant.getPayment(id)
    const refunded = await Promise.all(
      parts.map(async (part) => Number((await merchant.getRefund(part))['requested_amount'])),
    )
    assert.deepEqual([payment['refund_status'], refunded[0]], ['full', 10])
    assert.equal(Number(payment['refunded_amount']), 10 + (refunded[1] ?? 0))
  })

  test(`${name}: an open refund ends when the rail says so, once, and its money has moved once`, async () => {
    const id = await sell(kit)
    const refundId = await refund(kit, id)
    assert.equal((await merchant.getRefund(refundId))['status'], 'processing')
    await kit.endRefund(refundId, id, 'succeeded')
    await Promise.all([kit.tellOfRefund(refundId, id), kit.tellOfRefund(refundId, id)])
    assert.equal(await stack.finished('refund', refundId), 'succeeded')
    await kit.tellOfRefund(refundId, id)
    assert.equal(await stack.finished('refund', refundId), 'succeeded')
    assert.deepEqual(await eventsAbout(stack, refundId), ['refund.created', 'refund.paid'])
  })

  test(`${name}: a refund of which nobody tells is asked about, and ends`, async () => {
    const id = await sell(kit)
    const refundId = await refund(kit, id)
    await kit.endRefund(refundId, id, 'succeeded')
    assert.equal(await stack.finished('refund', refundId), 'succeeded')
  })

  test(`${name}: a refund that the rail could not send gives its money back`, async () => {
    const id = await sell(kit)
    const refundId = await refund(kit, id)
    await endRefund(kit, refundId, id, 'failed')
    assert.equal(await stack.finished('refund', refundId), 'failed')
    const lines = await postedBy(stack, refundId)
    assert.equal(Number(lines['refund_hold merchant']) + Number(lines['refund_released merchant']), 0)
    assert.deepEqual(await eventsAbout(stack, refundId), ['refund.created', 'refund.failed'])
  })

  test(`${name}: money that comes back after a refund has succeeded is credited once`, async () => {
    const id = await sell(kit)
    const refundId = await refund(kit, id)
    await endRefund(kit, refundId, id, 'succeeded')
    assert.equal(await stack.finished('refund', refundId), 'succeeded')
    await kit.endRefund(refundId, id, 'returned')
    for (let notice = 0; notice < 2; notice++) {
      await kit.tellOfRefund(refundId, id)
      assert.equal(await stack.finished('refund', refundId), 'failed')
    }
    const returned = Object.keys(await postedBy(stack, refundId)).filter((line) => line === 'refund_returned merchant')
    assert.equal(returned.length, 1)
    assert.deepEqual(await eventsAbout(stack, refundId), ['refund.created', 'refund.paid', 'refund.failed'])
  })
}

for (const kit of kits) {
  test(`${kit.name}: a refund that is ordered while the rail is away for a day is sent once it is back`, async () => {
    const id = await sell(kit)
    kit.setAway(true)
    const { refund_id: refundId } = await kit.merchant.refund(id, kit.refundBody)
    await stack.dispatched()
    await stack.skip(30 * hour)
    assert.equal((await kit.merchant.getRefund(refundId))['status'], 'processing')
    kit.setAway(false)
    // Our line to a provider rests for some seconds that no test skips.
    const isSent = async () => {
      await stack.skip(5 * minute)
      return (await kit.refundsFor(refundId)) > 0
    }
    await until(isSent, 'the refund is sent')
    await kit.endRefund(refundId, id, 'succeeded')
    assert.equal(await stack.finished('refund', refundId), 'succeeded')
    assert.equal(await kit.refundsFor(refundId), 1)
  })
}

// A process that is lost may keep the engine from skipping time, so these come last.
for (const kit of kits) {
  const { name, merchant, body } = kit

  test(`${name}: a sale whose process is lost goes on when that begins again, and takes money once`, async () => {
    const session = await merchant.createCheckout(body)
    const id = await kit.begin(session)
    await loseProcess(stack.client, 'checkout', session.checkout_id)
    await kit.decide(id, true)
    await beginAnew(stack, 'checkout', 'checkouts', session.checkout_id)
    assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
    assert.equal(await kit.taken(id), 1)
  })

  test(`${name}: a refund whose process is lost goes on when that begins again, and is made once`, async () => {
    const id = await sell(kit)
    const refundId = await refund(kit, id)
    await loseProcess(stack.client, 'refund', refundId)
    await beginAnew(stack, 'refund', 'refunds', refundId)
    await settled(stack.client, 'refund', refundId)
    await endRefund(kit, refundId, id, 'succeeded')
    assert.equal(await stack.finished('refund', refundId), 'succeeded')
    assert.equal(await kit.refundsFor(refundId), 1)
  })
}

test('at the end the lists of both providers and our books agree about everything that has moved', async () => {
  for (const provider of ['stripe', 'paystack'] as const) await assertBooksAgree(stack.database, provider, providers)
})
