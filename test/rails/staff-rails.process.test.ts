import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { assertError } from '../support/api.ts'
import { beginAnew } from '../support/begin-anew.ts'
import { createHeldKits, type HeldKit } from '../support/held-kits.ts'
import { useLiveStack } from '../support/live-providers.ts'
import { loseProcess } from '../support/lose-process.ts'
import { order, type Session, stateOf, withPayments } from '../support/payment-actions.ts'
import { eventsAbout } from '../support/resource-rows.ts'
import { eventsOfSale } from '../support/sale-events.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { assertBooksAgree } from '../support/statement.ts'
import { until } from '../support/until.ts'

// What staff order about payments and refunds that a rail does not decide, and what that does to the books of the rail
// itself. The same of payouts is in payout-rails.process.test.ts.
const minute = 60_000
const hour = 60 * minute
const live = await useLiveStack({ invariants: 'at the end', skipping: true })
const { stack, providers } = live
const kits = await createHeldKits(live)
afterEach(() => kits.forEach((kit) => kit.setAway(false)))
const [ada, ben] = [await addStaff(stack), await addStaff(stack)]
const { waits, audited, statesOf, lastActor, posted, refundsOf } = withPayments(stack)

const finished = ({ checkout_id }: Session) => stack.finished('checkout', checkout_id)
const statusOf = async ({ merchant }: HeldKit, id: string) => (await merchant.getPayment(id))['status']
const marking = async (id: string, what: 'mark-failed' | 'mark-settled' | 'retry') => {
  const done = await ada.onPayment(id, what, order)
  assert.equal(stateOf(done), 'executed')
  return done.body
}
/** Goes on until a rail that was away has answered. Our line to a provider rests for a moment that no test skips. */
const afterwards = (what: string, holds: () => Promise<boolean>) =>
  until(async () => {
    await stack.skip(5 * minute)
    return holds()
  }, what)

for (const kit of kits) {
  const { name, merchant } = kit

  test(`${name}: a payment that two people mark as settled at once completes its sale once`, async () => {
    const { session, id } = await kit.hold()
    const both = await Promise.all([ada, ben].map((who) => who.onPayment(id, 'mark-settled', order)))
    assert.deepEqual(both.map(stateOf), ['executed', 'executed'])
    const told = both.map(({ body }) => [body['resource'], body['resource_status']].join(' '))
    assert.deepEqual(told, ['payment succeeded', 'payment succeeded'])
    assert.equal(await finished(session), 'completed')
    const { status, amount, amount_received } = await merchant.getPayment(id)
    assert.deepEqual([status, amount_received], ['succeeded', amount])
    assert.deepEqual(await audited(id), ['payment.mark_settled_ordered', 'payment.mark_settled_executed'])
    assert.equal((await lastActor(id))[0], 'operator')
    // What the rail says in the end settles nothing again.
    await kit.end(id, 'succeeded')
    for (let news = 0; news < 2; news++) {
      await kit.tell(session, id)
      assert.equal(await finished(session), 'completed')
    }
    assert.deepEqual(await eventsOfSale(stack, session.checkout_id), ['collection.succeeded', 'checkout.completed'])
    assert.deepEqual([await posted(id), await kit.taken(id)], [['settlement'], 1])
  })

  test(`${name}: money that comes for a payment marked as failed completes its sale while that is open`, async () => {
    const { session, id } = await kit.hold()
    await marking(id, 'mark-failed')
    const { status, payment_status } = await merchant.getCheckout(session.checkout_id)
    assert.deepEqual([status, payment_status, await posted(id)], ['open', 'failed', []])
    assert.deepEqual(await lastActor(id), ['operator', ada.id])
    await waits(session.checkout_id)
    await kit.end(id, 'succeeded')
    await kit.tell(session, id)
    assert.equal(await finished(session), 'completed')
    assert.deepEqual([await statusOf(kit, id), await posted(id), await kit.taken(id)], ['succeeded', ['settlement'], 1])
    assert.deepEqual(await lastActor(id), ['rail', null])
    const all = ['collection.failed', 'collection.succeeded', 'checkout.completed']
    assert.deepEqual(await eventsOfSale(stack, session.checkout_id), all)
  })

  test(`${name}: once another attempt has paid, money for one marked as failed goes back, once`, async () => {
    const { session, id } = await kit.hold()
    await marking(id, 'mark-failed')
    await waits(session.checkout_id)
    await kit.payElsewise(session)
    assert.equal(await finished(session), 'completed')
    await kit.end(id, 'succeeded')
    for (let news = 0; news < 2; news++) {
      await kit.tell(session, id)
      await finished(session)
    }
    await stack.dispatched()
    const refunds = await stack.sql<{ id: string; reason: string }>(
      'select id, reason from refunds where charge_id = ?',
      [id],
    )
    assert.deepEqual(
      refunds.map(({ reason }) => reason),
      ['duplicate'],
    )
    const refundId = String(refunds[0]?.id)
    await settled(stack.client, 'refund', refundId)
    await kit.endRefund(refundId, id, 'succeeded')
    assert.equal(await stack.finished('refund', refundId), 'succeeded')
    assert.equal(await kit.refundsFor(refundId), 1)
    const [event] = await stack.sql<{ body: string }>(
      `select body from events where type = 'collection.succeeded' and resource_id = ?`,
      [id],
    )
    assert.equal(JSON.parse(event?.body ?? '{}').data.duplicate, true)
  })

  test(`${name}: money for a payment marked as failed that comes after the end is late money`, async () => {
    for (const policy of ['accept', 'refund'] as const) {
      const changed = await merchant.call('PATCH', '/v1/account', { late_payment_policy: policy })
      assert.equal(changed.status, 200, changed.text)
      const { session, id } = await kit.hold({ expires_in_minutes: 10 })
      await marking(id, 'mark-failed')
      await stack.skip(hour)
      assert.equal(await finished(session), 'expired')
      await kit.end(id, 'succeeded')
      await kit.tell(session, id)
      assert.equal(await finished(session), 'expired')
      await stack.dispatched()
      assert.deepEqual([await statusOf(kit, id), await posted(id)], ['succeeded', ['settlement']])
      assert.equal((await refundsOf(id)).length, policy === 'refund' ? 1 : 0)
    }
    const [{ id: refundId, charge_id: chargeId } = { id: '', charge_id: '' }] = await stack.sql<
      Record<'id' | 'charge_id', string>
    >('select id, charge_id from refunds order by created_at desc limit 1')
    await settled(stack.client, 'refund', refundId)
    await kit.endRefund(refundId, chargeId, 'succeeded')
    assert.equal(await stack.finished('refund', refundId), 'succeeded')
    assert.equal(await kit.refundsFor(refundId), 1)
  })

  test(`${name}: the rail’s word counts for more than a contrary mark, and is recorded`, async () => {
    const [paid, declined] = [await kit.hold(), await kit.hold()]
    await kit.end(paid.id, 'succeeded')
    const failing = await ada.onPayment(paid.id, 'mark-failed', order)
    assertError(failing, 409, 'CONFLICT')
    assert.match(failing.text, /the rail says: succeeded/)
    assert.equal(await finished(paid.session), 'completed')
    await kit.end(declined.id, 'failed')
    const settling = await ada.onPayment(declined.id, 'mark-settled', order)
    assertError(settling, 409, 'CONFLICT')
    assert.match(settling.text, /the rail says: failed/)
    for (const [{ id }, status] of [
      [paid, 'succeeded'],
      [declined, 'failed'],
    ] as const) {
      assert.deepEqual([await statusOf(kit, id), await statesOf(id)], [status, ['refused']])
      assert.deepEqual([await lastActor(id), await kit.taken(id)], [['rail', null], status === 'failed' ? 0 : 1])
    }
    await waits(declined.session.checkout_id)
    await kit.payElsewise(declined.session) // the process knows that its buyer may try again
    assert.equal(await finished(declined.session), 'completed')
  })

  test(`${name}: a retry asks the rail at once and orders nothing twice`, async () => {
    const { session, id } = await kit.hold()
    const asked = await marking(id, 'retry')
    assert.equal(asked['resource_status'], 'processing')
    await waits(session.checkout_id)
    await kit.end(id, 'succeeded') // its news is lost
    assert.equal((await marking(id, 'retry'))['resource_status'], 'succeeded')
    assert.deepEqual(await lastActor(id), ['rail', null])
    assert.equal(await finished(session), 'completed')
    assert.equal(await kit.taken(id), 1)
  })
}

for (const kit of kits) {
  const { name, merchant } = kit

  test(`${name}: an absent rail stops no mark as failed, and an order that never came takes nothing`, async () => {
    const { session, id } = await kit.orderInVain()
    await marking(id, 'mark-failed')
    assert.equal(await statusOf(kit, id), 'failed')
    kit.setAway(false)
    await kit.forgetLateOrders()
    const cancelling = async () =>
      (await stack.sql<{ state: string }>('select cancelling as state from payments where id = ?', [id]))[0]?.state
    await afterwards('the order is cancelled at the rail', async () => (await cancelling()) !== 'due')
    await waits(session.checkout_id)
    assert.deepEqual([await statusOf(kit, id), await kit.taken(id)], ['failed', 0])
    assert.equal(await kit.standsAt(id), name === 'Paystack' ? null : 'canceled')
    await kit.payElsewise(session)
    assert.equal(await finished(session), 'completed')
    assert.deepEqual([await kit.taken(id), await posted(id)], [0, []])
  })

  test(`${name}: what an absent rail took of a payment marked as failed is found without news`, async () => {
    const { session, id } = await kit.hold()
    kit.setAway(true)
    await marking(id, 'mark-failed')
    await kit.end(id, 'succeeded')
    kit.setAway(false)
    await afterwards('its money is found', async () => (await statusOf(kit, id)) === 'succeeded')
    assert.equal(await finished(session), 'completed')
    assert.deepEqual([await posted(id), await kit.taken(id)], [['settlement'], 1])
  })

  test(`${name}: while the rail is away a payment is marked as settled on the word of staff, once`, async () => {
    const { session, id } = await kit.hold()
    kit.setAway(true)
    await marking(id, 'mark-settled')
    assert.equal((await merchant.getCheckout(session.checkout_id))['status'], 'completed')
    await kit.end(id, 'succeeded')
    kit.setAway(false)
    await kit.tell(session, id)
    assert.equal(await finished(session), 'completed')
    assert.deepEqual([await posted(id), await kit.taken(id)], [['settlement'], 1])
  })
}

/** A refund that the rail has, and does not decide. */
async function refund(kit: HeldKit): Promise<{ refundId: string; id: string }> {
  const { session, id } = await kit.hold()
  await kit.end(id, 'succeeded')
  await kit.tell(session, id)
  assert.equal(await finished(session), 'completed')
  const { refund_id: refundId } = await kit.merchant.refund(id, kit.refundBody)
  await stack.dispatched()
  await settled(stack.client, 'refund', refundId)
  return { refundId, id }
}

for (const kit of kits) {
  const { name } = kit
  const end = (refundId: string) => stack.finished('refund', refundId)

  test(`${name}: a refund that is retried, and marked as settled by two people at once, is made once`, async () => {
    const { refundId, id } = await refund(kit)
    assert.equal(stateOf(await ben.on('refunds', refundId, 'retry', order)), 'executed')
    await settled(stack.client, 'refund', refundId)
    const both = await Promise.all([ada, ben].map((who) => who.on('refunds', refundId, 'mark-settled', order)))
    assert.deepEqual(both.map(stateOf), ['executed', 'executed'])
    assert.equal(await end(refundId), 'succeeded')
    await kit.endRefund(refundId, id, 'succeeded')
    await kit.tellOfRefund(refundId, id)
    assert.equal(await end(refundId), 'succeeded')
    assert.deepEqual(await eventsAbout(stack, refundId), ['refund.created', 'refund.paid'])
    assert.deepEqual([await kit.refundsFor(refundId), await posted(refundId)], [1, ['refund_hold', 'refund_paid']])
  })

  test(`${name}: the rail’s word about a refund counts for more than a contrary mark`, async () => {
    for (const [said, what] of [
      ['succeeded', 'mark-failed'],
      ['failed', 'mark-settled'],
    ] as const) {
      const { refundId, id } = await refund(kit)
      await kit.endRefund(refundId, id, said)
      assertError(await ada.on('refunds', refundId, what, order), 409, 'CONFLICT')
      assert.equal(await end(refundId), said)
      assert.deepEqual([await statesOf(refundId), await lastActor(refundId)], [['refused'], ['rail', null]])
    }
  })
}

// A process that is lost may keep the engine from skipping time, so these come last.
for (const kit of kits) {
  test(`${kit.name}: a sale whose process is lost after a mark finds what its rail took, once`, async () => {
    const { session, id } = await kit.hold()
    kit.setAway(true)
    await marking(id, 'mark-failed')
    await loseProcess(stack.client, 'checkout', session.checkout_id)
    await kit.end(id, 'succeeded')
    kit.setAway(false)
    await beginAnew(stack, 'checkout', 'checkouts', session.checkout_id)
    await until(async () => {
      await stack.skip(minute)
      return (await statusOf(kit, id)) === 'succeeded'
    }, 'the rail is asked to cancel, and says it has the money')
    assert.equal(await finished(session), 'completed')
    assert.deepEqual([await posted(id), await kit.taken(id)], [['settlement'], 1])
  })
}

test('at the end the lists of both providers and our books agree about everything that has moved', async () => {
  for (const provider of ['stripe', 'paystack'] as const) await assertBooksAgree(stack.database, provider, providers)
})
