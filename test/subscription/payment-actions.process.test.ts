import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { subscriptionActivities } from '../../activities/subscription/subscription.ts'
import { assertError } from '../support/api.ts'
import { detailsOf } from '../support/details.ts'
import { order, stateOf, withPayments } from '../support/payment-actions.ts'
import { endCharge } from '../support/rail-books.ts'
import { failingRails } from '../support/scripted-charges.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { laterCards, subscriptionsOf } from '../support/subscription.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'

// What staff do about the payment of a renewal that its rail has not decided.
const day = 86_400_000
const stack = await useStack({ skipping: true })
await useApi(stack)
const plans = subscriptionsOf(stack)
const rails = failingRails(stack)
afterEach(async () => {
  rails.heal()
  await assertInvariants(stack)
})
const ada = await addStaff(stack)
const { approve, statusOf, statesOf, lastActor, posted, audited, refundsOf } = withPayments(stack)

/** Waits until the process of a subscription only waits. */
async function waits(id: string): Promise<void> {
  await stack.dispatched()
  await settled(stack.client, 'subscription', id)
}

/** A subscription whose first renewal is charged at a rail that does not answer. */
async function held(product = {}) {
  const { subscription_id: id, current_period_end: end } = await plans.subscribe({
    number: laterCards.answersLate,
    product,
  })
  await stack.skip(Date.parse(end) - (await stack.clock.now()) + 61_000)
  const paymentOf = async () =>
    (await stack.sql<{ payment_id: string | null }>('select payment_id from subscriptions where id = ?', [id]))[0]
      ?.payment_id
  await until(async () => Boolean(await paymentOf()), 'the renewal is charged')
  await waits(id)
  return { id, paymentId: (await paymentOf()) ?? '' }
}

/** Ends a subscription, so that nothing of it goes on in the next test. */
const end = (id: string) => plans.act(id, 'cancel', { at_period_end: false })
const invoiceOf = async (id: string) => (await plans.invoices(id)).at(-1)

test('a renewal marked as settled pays its invoice, by the person who marked it', async () => {
  const { id, paymentId } = await held()
  assert.equal(stateOf(await ada.onPayment(paymentId, 'mark-settled', order)), 'executed')
  assert.equal(await statusOf(paymentId), 'succeeded')
  assert.deepEqual(await posted(paymentId), ['settlement'])
  assert.deepEqual(await lastActor(paymentId), ['operator', ada.id])
  const invoice = await invoiceOf(id)
  assert.deepEqual([invoice?.status, invoice?.['payment_id']], ['paid', paymentId])
  assert.equal((await plans.read(id)).status, 'active')
  assert.deepEqual(await plans.events(id), ['customer.subscription.created', 'customer.subscription.renewed'])
  assert.deepEqual(await audited(paymentId), ['payment.mark_settled_ordered', 'payment.mark_settled_executed'])
  await waits(id)
  await end(id)
})

test('a renewal marked as failed is past due; what its rail takes after all pays its invoice', async () => {
  const { id, paymentId } = await held()
  assert.equal(stateOf(await ada.onPayment(paymentId, 'mark-failed', order)), 'executed')
  assert.equal(await statusOf(paymentId), 'failed')
  const { status, next_payment_attempt_at: next } = await plans.read(id)
  assert.equal(status, 'past_due')
  // The rail still processes the charge. It says the opposite only later: the money is then the invoice's.
  await endCharge(stack, paymentId, 'succeeded')
  await waits(id)
  await stack.skip(day)
  await waits(id)
  assert.equal(await statusOf(paymentId), 'succeeded')
  assert.deepEqual(await lastActor(paymentId), ['rail', null])
  assert.equal((await invoiceOf(id))?.status, 'paid')
  assert.equal((await plans.read(id)).status, 'active')
  assert.ok(Date.parse(next ?? '') > (await stack.clock.now()), 'the next charge has not been made')
  await end(id)
})

test('money that comes for a payment marked as failed, after another has paid, goes back', async () => {
  const { id, paymentId } = await held()
  assert.equal(stateOf(await ada.onPayment(paymentId, 'mark-failed', order)), 'executed')
  const { customer } = await plans.read(id)
  await plans.edit(id, { payment_method_id: await plans.saveCard(customer.id) })
  await plans.until(id, ({ status }) => status === 'active')
  await endCharge(stack, paymentId, 'succeeded')
  await stack.skip(day)
  await waits(id)
  assert.equal(await statusOf(paymentId), 'succeeded')
  assert.deepEqual(
    (await refundsOf(paymentId)).map(({ reason }) => reason),
    ['duplicate'],
  )
  await end(id)
})

test('the rail’s word counts for more than a contrary mark, and is recorded', async () => {
  const paid = await held()
  await endCharge(stack, paid.paymentId, 'succeeded')
  assertError(await ada.onPayment(paid.paymentId, 'mark-failed', order), 409, 'CONFLICT')
  assert.equal((await invoiceOf(paid.id))?.status, 'paid')
  const declined = await held()
  await endCharge(stack, declined.paymentId, 'failed', 'insufficient_funds')
  assertError(await ada.onPayment(declined.paymentId, 'mark-settled', order), 409, 'CONFLICT')
  assert.equal((await plans.read(declined.id)).status, 'past_due')
  for (const { id, paymentId } of [paid, declined]) {
    assert.deepEqual(await lastActor(paymentId), ['rail', null])
    assert.deepEqual(await statesOf(paymentId), ['refused'])
    for (const what of ['retry', 'mark-failed', 'mark-settled'])
      assertError(await ada.onPayment(paymentId, what, order), 409, 'CONFLICT')
    await waits(id)
    await end(id)
  }
})

test('a retry asks the rail at once; a rail that is unavailable is asked beside the wait', async () => {
  const { id, paymentId } = await held()
  rails.errors.lookUp = 'throws'
  assert.equal(stateOf(await ada.onPayment(paymentId, 'retry', order)), 'executed')
  const says = () => detailsOf(stack.client, 'subscription', id)
  await until(async () => /Waiting for the rail/.test(await says()), 'staff read that the rail is awaited')
  rails.heal()
  await endCharge(stack, paymentId, 'succeeded') // its notice is lost
  await stack.skip(10 * 60_000)
  await plans.until(id, ({ latest_invoice_id: latest }) => latest !== null)
  await until(async () => (await statusOf(paymentId)) === 'succeeded', 'the rail was asked')
  const other = await held()
  await endCharge(stack, other.paymentId, 'succeeded')
  const done = await ada.onPayment(other.paymentId, 'retry', order)
  assert.deepEqual([stateOf(done), done.body['resource_status']], ['executed', 'succeeded'])
  for (const each of [id, other.id]) {
    await waits(each)
    await end(each)
  }
})

test('an unavailable rail stops no mark as failed: the charge is cancelled as soon as it answers', async () => {
  const { id, paymentId } = await held()
  await stack.sql('delete from simulated_charges where payment_id = ?', [paymentId]) // the order has not arrived
  rails.errors.cancelCharge = 'throws'
  assert.equal(stateOf(await ada.onPayment(paymentId, 'mark-failed', order)), 'executed')
  assert.deepEqual([await statusOf(paymentId), (await plans.read(id)).status], ['failed', 'past_due'])
  await end(id)
  rails.heal()
  await stack.skip(2 * day)
  assert.equal(await stack.finished('subscription', id), 'canceled')
  const charges = await stack.sql('select status, executions from simulated_charges where payment_id = ?', [paymentId])
  assert.deepEqual(charges, [{ status: 'canceled', executions: 0 }])
})

test('an action of a worker that died is carried out once, and that on another subscription not at all', async () => {
  const { id, paymentId } = await held()
  const other = await held()
  const { carryOutOnSubscription } = subscriptionActivities(stack.deps)
  const actionId = await approve(paymentId, 'mark_settled', ada.id)
  const at = await stack.clock.now()
  await assert.rejects(carryOutOnSubscription(other.id, actionId, at), { code: 'NOT_FOUND' })
  const first = await carryOutOnSubscription(id, actionId, at) // its answer never arrives
  assert.deepEqual(await carryOutOnSubscription(id, actionId, at), first)
  assert.deepEqual(await posted(paymentId), ['settlement'])
  await endCharge(stack, other.paymentId, 'succeeded')
  await ada.onPayment(other.paymentId, 'retry', order)
  for (const each of [id, other.id]) await end(each)
})

test('its timeline says that the renewal was made by the service, and names the subscription’s process', async () => {
  const { id, paymentId } = await held()
  const { body } = await stack.merchant.call('GET', `/v1/payments/${paymentId}/timeline`)
  const items = body['items'] as unknown as { step: string; actor: string }[]
  assert.deepEqual([items[0]?.step, items[0]?.actor], ['processing', 'system'])
  assert.equal(body['waiting_on'], 'rail')
  const forStaff = await ada.call('GET', `/api/v1/admin/timelines/${paymentId}`)
  const { workflow_id } = forStaff.body['process'] as unknown as { workflow_id: string }
  assert.equal(workflow_id, `subscription/${id}`)
  assert.deepEqual(forStaff.body['actions'], ['retry', 'mark_settled', 'mark_failed'])
  await stack.skip(2 * 3_600_000)
  const stuck = await ada.call('GET', '/api/v1/admin/stuck?resource=payment')
  const found = (stuck.body['items'] as unknown as { id: string; process_id: string }[]).find(
    (item) => item.id === paymentId,
  )
  assert.equal(found?.process_id, `subscription/${id}`)
  const helps = async (of: string) => String((await ada.call('GET', `/api/v1/admin/timelines/${of}`)).body['helps'])
  assert.match(await helps(paymentId), /^Nothing to do: .*\(retry\)/)
  assert.match(await helps(id), /^Nothing to do: [^(]*$/, 'its actions are on the page of the payment')
  await endCharge(stack, paymentId, 'succeeded')
  await ada.onPayment(paymentId, 'retry', order)
  await end(id)
})
