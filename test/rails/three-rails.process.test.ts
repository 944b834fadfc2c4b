import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useLiveStack } from '../support/live-providers.ts'
import { createKits, type Kit } from '../support/rail-kits.ts'
import { eventsAbout, postedBy } from '../support/resource-rows.ts'
import { settled } from '../support/settled.ts'
import { assertBooksAgree } from '../support/statement.ts'

// One suite for three rails: what the sandbox promises about a sale and its refund holds at Stripe and at Paystack too.
const live = await useLiveStack({ invariants: 'at the end', skipping: true })
const { stack, providers } = live
const kits = await createKits(live)

const statusOf = async ({ merchant }: Kit, id: string) => (await merchant.getPayment(id))['status']

/** A sale that its buyer has agreed to, and of which the rail has told. Returns the payment's id. */
async function sell(kit: Kit): Promise<string> {
  const session = await kit.merchant.createCheckout(kit.body)
  const id = await kit.begin(session)
  await kit.decide(id, true)
  await kit.tell(session, id)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  return id
}

/** A refund that the rail has not decided. */
async function refund(kit: Kit, paymentId: string): Promise<string> {
  const { refund_id } = await kit.merchant.refund(paymentId, kit.refundBody)
  await stack.dispatched()
  await settled(stack.client, 'refund', refund_id)
  return refund_id
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
    await kit.endRefund(refundId, id, 'failed')
    await kit.tellOfRefund(refundId, id)
    assert.equal(await stack.finished('refund', refundId), 'failed')
    const lines = await postedBy(stack, refundId)
    assert.equal(Number(lines['refund_hold merchant']) + Number(lines['refund_released merchant']), 0)
    assert.deepEqual(await eventsAbout(stack, refundId), ['refund.created', 'refund.failed'])
  })

  test(`${name}: money that comes back after a refund has succeeded is credited once`, async () => {
    const id = await sell(kit)
    const refundId = await refund(kit, id)
    await kit.endRefund(refundId, id, 'succeeded')
    await kit.tellOfRefund(refundId, id)
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

test('at the end the lists of both providers and our books agree about everything that has moved', async () => {
  for (const provider of ['stripe', 'paystack'] as const) await assertBooksAgree(stack.database, provider, providers)
})
