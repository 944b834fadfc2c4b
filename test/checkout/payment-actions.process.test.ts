import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { checkoutActivities } from '../../activities/checkout/checkout.ts'
import { newId } from '../../domain/id.ts'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { isRefusal, order, stateOf, withPayments } from '../support/payment-actions.ts'
import { endCharge } from '../support/rail-books.ts'
import { eventsOf } from '../support/sale-events.ts'
import { failingRails } from '../support/scripted-charges.ts'
import { addStaff } from '../support/staff.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'

const hour = 3_600_000

const stack = await useStack({ skipping: true })
await useApi(stack)
const rails = failingRails(stack)
afterEach(async () => {
  rails.heal()
  await assertInvariants(stack)
})
const ada = await addStaff(stack)
const ben = await addStaff(stack)
const { held, sendNews, waits, approve, carryOut, statusOf, saleIs, audited, statesOf, lastActor, posted } =
  withPayments(stack)
const finished = (checkoutId: string) => stack.finished('checkout', checkoutId)

const large = { amount: '1500.00', currency: 'USD', description: 'd', success_url: 'https://example.com/thanks' }

test('a payment marked as settled completes its sale with the full amount, by the person who marked it', async () => {
  const { session, id } = await held()
  const done = await ada.onPayment(id, 'mark-settled', order)
  assert.equal(stateOf(done), 'executed')
  assert.deepEqual([done.body['resource'], done.body['resource_status']], ['payment', 'succeeded'])
  assert.equal(await finished(session.checkout_id), 'completed')
  const { status, amount, amount_received } = await stack.merchant.getPayment(id)
  assert.deepEqual([status, amount_received], ['succeeded', amount])
  assert.deepEqual(await eventsOf(stack, session.checkout_id), ['collection.succeeded', 'checkout.completed'])
  assert.deepEqual(await lastActor(id), ['operator', ada.id])
  assert.deepEqual(await posted(id), ['settlement'])
  assert.deepEqual(await audited(id), ['payment.mark_settled_ordered', 'payment.mark_settled_executed'])
})

test('a payment marked as failed lets its buyer pay again, and the sale completes', async () => {
  const { session, id } = await held()
  assert.equal(stateOf(await ada.onPayment(id, 'mark-failed', order)), 'executed')
  assert.deepEqual(await saleIs(session), ['open', 'failed'])
  assert.deepEqual(await lastActor(id), ['operator', ada.id])
  assert.deepEqual(await posted(id), [])
  await waits(session.checkout_id)
  assert.equal((await stack.merchant.payByCard(session))['payment_status'], 'succeeded')
  assert.equal(await finished(session.checkout_id), 'completed')
  const all = ['collection.failed', 'collection.succeeded', 'checkout.completed']
  assert.deepEqual(await eventsOf(stack, session.checkout_id), all)
})

test('the same mark again, by anybody, changes nothing, and the opposite one is refused', async () => {
  const { session, id } = await held()
  for (const who of [ada, ada, ben]) assert.equal(stateOf(await who.onPayment(id, 'mark-settled', order)), 'executed')
  for (const what of ['mark-failed', 'retry']) assertError(await ben.onPayment(id, what, order), 409, 'CONFLICT')
  assert.equal(await finished(session.checkout_id), 'completed')
  assert.deepEqual(await statesOf(id), ['executed'])
  assert.deepEqual(await posted(id), ['settlement'])
  const failed = await held()
  for (const who of [ada, ben]) assert.equal(stateOf(await who.onPayment(failed.id, 'mark-failed', order)), 'executed')
  assertError(await ben.onPayment(failed.id, 'mark-settled', order), 409, 'CONFLICT')
  assert.deepEqual(await eventsOf(stack, failed.session.checkout_id), ['collection.failed'])
})

test('of opposite marks by two people at once, one counts', async () => {
  const { session, id } = await held()
  const replies = await Promise.all([ada.onPayment(id, 'mark-settled', order), ben.onPayment(id, 'mark-failed', order)])
  const won = replies.map(({ status }) => status === 200)
  assert.equal(won.filter(Boolean).length, 1, replies.map(({ text }) => text).join())
  assert.equal(await statusOf(id), won[0] ? 'succeeded' : 'failed')
  assert.deepEqual((await statesOf(id)).toSorted(), ['executed', 'refused'])
  assert.deepEqual(await posted(id), won[0] ? ['settlement'] : [])
  if (won[0]) assert.equal(await finished(session.checkout_id), 'completed')
})

test('above the limit a second person must agree before a payment is marked, and one may still retry', async () => {
  const { session, id } = await held(large)
  assert.equal(stateOf(await ada.onPayment(id, 'retry', order)), 'executed')
  await waits(session.checkout_id)
  for (const who of [ada, ada]) {
    assert.equal(stateOf(await who.onPayment(id, 'mark-settled', order)), 'awaiting_second_approval')
  }
  assert.equal(await statusOf(id), 'processing')
  assertError(await ben.onPayment(id, 'mark-settled', { ...order, proof_ref: 'OTHER' }), 409, 'CONFLICT')
  assert.equal(stateOf(await ben.onPayment(id, 'mark-settled', order)), 'executed')
  assert.deepEqual(await lastActor(id), ['operator', ben.id])
  assert.equal(await finished(session.checkout_id), 'completed')
})

test('the rail’s word counts for more: a contrary mark is refused, and what the rail says is recorded', async () => {
  const paid = await held()
  await endCharge(stack, paid.id, 'succeeded')
  const failing = await ada.onPayment(paid.id, 'mark-failed', order)
  assertError(failing, 409, 'CONFLICT')
  assert.match(failing.text, /the rail says: succeeded/)
  assert.equal(await statusOf(paid.id), 'succeeded')
  assert.equal(await finished(paid.session.checkout_id), 'completed')
  const declined = await held()
  await endCharge(stack, declined.id, 'failed', 'insufficient_funds')
  const settling = await ada.onPayment(declined.id, 'mark-settled', order)
  assertError(settling, 409, 'CONFLICT')
  assert.match(settling.text, /the rail says: failed/)
  const { status, failure_code } = await stack.merchant.getPayment(declined.id)
  assert.deepEqual([status, failure_code], ['failed', 'insufficient_funds'])
  assert.deepEqual(await saleIs(declined.session), ['open', 'failed'])
  for (const { id } of [paid, declined]) {
    assert.deepEqual(await lastActor(id), ['rail', null])
    assert.deepEqual(await statesOf(id), ['refused'])
  }
  await waits(declined.session.checkout_id)
  await stack.merchant.payByCard(declined.session) // the process knows that its buyer may try again
  assert.equal(await finished(declined.session.checkout_id), 'completed')
})

test('a mark that the rail agrees with has the rail’s details: the card, or why it was declined', async () => {
  const [paid, declined] = [await held(), await held()]
  await endCharge(stack, paid.id, 'succeeded')
  assert.equal(stateOf(await ada.onPayment(paid.id, 'mark-settled', order)), 'executed')
  const details = (await stack.merchant.getPayment(paid.id))['payment_method_details']
  assert.equal((details as unknown as { last4: string }).last4, '4242')
  await endCharge(stack, declined.id, 'failed', 'expired_card')
  assert.equal(stateOf(await ada.onPayment(declined.id, 'mark-failed', order)), 'executed')
  assert.equal((await stack.merchant.getPayment(declined.id))['failure_code'], 'expired_card')
  assert.equal(await finished(paid.session.checkout_id), 'completed')
})

test('a retry asks the rail at once: its answer is there when staff are answered', async () => {
  const { session, id } = await held()
  assert.equal(stateOf(await ada.onPayment(id, 'retry', order)), 'executed')
  assert.equal(await statusOf(id), 'processing')
  await waits(session.checkout_id)
  await endCharge(stack, id, 'succeeded') // its notice is lost
  const done = await ada.onPayment(id, 'retry', order)
  assert.deepEqual([stateOf(done), done.body['resource_status']], ['executed', 'succeeded'])
  assert.deepEqual(await lastActor(id), ['rail', null])
  assert.equal(await finished(session.checkout_id), 'completed')
  assert.deepEqual(await statesOf(id), ['executed', 'executed'])
})

test('a retry of an order that the rail has never received sends it again, once', async () => {
  const { session, id } = await held()
  await stack.sql('delete from simulated_charges where payment_id = ?', [id])
  await stack.sql(`update simulated_cards set behaviour = 'succeeds'`)
  assert.equal(stateOf(await ada.onPayment(id, 'retry', order)), 'executed')
  assert.equal(await finished(session.checkout_id), 'completed')
  const charges = await stack.sql('select executions from simulated_charges where payment_id = ?', [id])
  assert.deepEqual(charges, [{ executions: 1 }])
})

test('an unavailable rail is asked beside the wait after a retry, and its answer ends the payment', async () => {
  const { session, id } = await held()
  rails.errors.lookUp = 'throws'
  assert.equal(stateOf(await ada.onPayment(id, 'retry', order)), 'executed')
  const asked = rails.calls.length
  await stack.skip(60_000)
  assert.ok(rails.calls.length > asked, 'the rail is asked again before its next poll')
  await endCharge(stack, id, 'succeeded')
  rails.heal()
  assert.equal(await finished(session.checkout_id), 'completed')
})

test('an action that a worker has carried out before it died is carried out once', async () => {
  const { carryOutOnPayment } = checkoutActivities(stack.deps)
  const marked = await held()
  const actionId = await approve(marked.id, 'mark_settled', ada.id)
  const at = await stack.clock.now()
  const { checkout_id } = marked.session
  const first = await carryOutOnPayment(checkout_id, actionId, at) // its answer never arrives
  assert.deepEqual(await carryOutOnPayment(checkout_id, actionId, at), first)
  await carryOut(marked.session, 'markSettled', actionId)
  assert.equal(await finished(checkout_id), 'completed')
  assert.deepEqual(await posted(marked.id), ['settlement'])
  assert.deepEqual(await eventsOf(stack, checkout_id), ['collection.succeeded', 'checkout.completed'])
  const refused = await held()
  await endCharge(stack, refused.id, 'failed')
  const other = await approve(refused.id, 'mark_settled', ada.id)
  await assert.rejects(carryOutOnPayment(refused.session.checkout_id, other, at), { code: 'CONFLICT' })
  await assert.rejects(carryOut(refused.session, 'markSettled', other), isRefusal('CONFLICT'))
  assert.deepEqual(await audited(refused.id), ['payment.mark_settled_ordered', 'payment.mark_settled_refused'])
  assert.deepEqual(await eventsOf(stack, refused.session.checkout_id), ['collection.failed'])
})

test('an action that arrives only after a newer attempt has begun is refused, and changes nothing', async () => {
  const { session, id } = await held()
  const [settle, retry] = [await approve(id, 'mark_settled', ada.id), await approve(id, 'retry', ada.id)]
  await endCharge(stack, id, 'failed')
  await sendNews(session, id)
  const { payment_id } = await stack.merchant.payByCard(session)
  await assert.rejects(carryOut(session, 'markSettled', settle), isRefusal('CONFLICT'))
  await assert.rejects(carryOut(session, 'retry', retry), isRefusal('CONFLICT'))
  assert.deepEqual(await statesOf(id), ['refused', 'refused'])
  assert.equal(await finished(session.checkout_id), 'completed')
  assert.deepEqual([await statusOf(id), await statusOf(String(payment_id))], ['failed', 'succeeded'])
})

test('an action that the process hears of only after the session has expired is refused', async () => {
  const { session, id } = await held({ ...large, amount: '25.00', expires_in_minutes: 10 })
  const settle = await approve(id, 'mark_settled', ada.id)
  await stack.skip(25 * hour)
  assert.equal(await finished(session.checkout_id), 'expired')
  await assert.rejects(carryOut(session, 'markSettled', settle), isRefusal('CONFLICT'))
  assert.deepEqual([await statusOf(id), await statesOf(id)], ['canceled', ['refused']])
  for (const what of ['retry', 'mark-settled', 'mark-failed']) {
    assertError(await ada.onPayment(id, what, order), 409, 'CONFLICT')
  }
})

test('a payment that no rail holds takes no action: paid, declined, replaced, of a cancelled session', async () => {
  const paid = await stack.merchant.chargeByCard()
  const open = await stack.merchant.createCheckout()
  const replaced = (await stack.merchant.payByPhone(open, { phone_number: '+254700000005' })).payment_id
  await waits(open.checkout_id)
  const declined = String((await stack.merchant.payByCard(open, '4000000000000002'))['payment_id'])
  const cancelled = await stack.merchant.createCheckout()
  const asking = String((await stack.merchant.payByCard(cancelled, '4000003800000446'))['payment_id'])
  await waits(cancelled.checkout_id)
  const statuses = ['succeeded', 'canceled', 'failed', 'requires_action']
  for (const [index, id] of [paid, replaced, declined, asking].entries()) {
    assert.equal(await statusOf(id), statuses[index])
    for (const what of ['retry', 'mark-settled', 'mark-failed']) {
      assertError(await ada.onPayment(id, what, order), 409, 'CONFLICT')
    }
    assert.equal(await statusOf(id), statuses[index])
  }
  assert.equal((await stack.merchant.cancel(cancelled.checkout_id)).status, 200)
  assertError(await ada.onPayment(asking, 'mark-settled', order), 409, 'CONFLICT')
})

test('NOT_FOUND, FORBIDDEN: an unknown id, a merchant; and every action needs a reason', async () => {
  const { id, session } = await held()
  for (const what of ['retry', 'mark-settled', 'mark-failed']) {
    assertError(await ada.onPayment(newId('pay', 0), what, order), 404, 'NOT_FOUND')
    const path = `/api/v1/admin/payments/${id}/${what}`
    assert.ok([401, 403].includes((await stack.merchant.call('POST', path, order)).status), what)
    assertFieldErrors(await ada.onPayment(id, what, { proof_ref: 'P' }), { reason: 'value_error.missing' })
    assertFieldErrors(await ada.onPayment(id, what, { ...order, reason: '  ' }), { reason: 'value_error.format' })
  }
  assertFieldErrors(await ada.onPayment(id, 'mark-settled', { reason: 'r' }), { proof_ref: 'value_error.missing' })
  for (const what of ['hold', 'release']) assert.equal((await ada.onPayment(id, what, order)).status, 404)
  const other = await held()
  const action = await approve(other.id, 'mark_failed', ada.id)
  await assert.rejects(carryOut(session, 'markFailed', action), isRefusal('NOT_FOUND')) // of another sale
  assert.deepEqual([await statusOf(id), await statusOf(other.id)], ['processing', 'processing'])
})
