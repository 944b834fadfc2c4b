import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { checkoutActivities } from '../../activities/checkout/checkout.ts'
import { newId } from '../../domain/id.ts'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { card, cards, mobileSale, transferSale } from '../support/merchant.ts'
import { isRefusal, order, type Session, stateOf, withPayments } from '../support/payment-actions.ts'
import { delayCard, endCharge, holdAtRail } from '../support/rail-books.ts'
import { eventsOfSale, sendUnheard } from '../support/sale-events.ts'
import { failingRails } from '../support/scripted-charges.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { beginOnClock } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'

// What staff do about a payment that its rail has not decided. What that does to the books of a rail is in
// test/rails/staff-rails.process.test.ts, on three rails.
const [minute, hour] = [60_000, 3_600_000]

const stack = await useStack({ skipping: true })
const api = await useApi(stack)
const rails = failingRails(stack)
afterEach(async () => {
  rails.heal()
  await assertInvariants(stack)
})
const ada = await addStaff(stack)
const ben = await addStaff(stack)
const { held, sendNews, waits, approve, carryOut, statusOf, audited, statesOf, lastActor, posted, refundsOf } =
  withPayments(stack)
const finished = (checkoutId: string) => stack.finished('checkout', checkoutId)

const failing = async (id: string) => assert.equal(stateOf(await ada.onPayment(id, 'mark-failed', order)), 'executed')
const settling = async (id: string) => assert.equal(stateOf(await ada.onPayment(id, 'mark-settled', order)), 'executed')
const newestOf = async ({ checkout_id }: Session) => {
  const [row] = await stack.sql<{ payment_id: string }>('select payment_id from checkouts where id = ?', [checkout_id])
  return row?.payment_id ?? ''
}
/** Chooses a way to pay whose order does not reach its rail. Returns the attempt; its buyer goes on waiting. */
async function unsent(session: Session, choice: object): Promise<string> {
  rails.errors.charge = 'throws'
  void stack.merchant.pay(session, { ...choice, confirm: true }).catch(() => undefined)
  await until(async () => (await newestOf(session)) !== '', 'the attempt has begun')
  return newestOf(session)
}
const large = { amount: '1500.00', currency: 'USD', description: 'd', success_url: 'https://example.com/thanks' }

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
  assert.deepEqual(await eventsOfSale(stack, failed.session.checkout_id), ['collection.failed'])
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
  const [proposed] = await stack.sql<{ id: string }>(`select id from operator_actions where state = 'proposed'`)
  await assert.rejects(carryOut(session, 'markSettled', proposed?.id ?? '', 'told-alone'), isRefusal('CONFLICT'))
  await assert.rejects(carryOut(session, 'retry', newId('opa', 0)), isRefusal('NOT_FOUND'))
  assert.equal(await statusOf(id), 'processing')
  assertError(await ben.onPayment(id, 'mark-settled', { ...order, proof_ref: 'OTHER' }), 409, 'CONFLICT')
  assert.equal(stateOf(await ben.onPayment(id, 'mark-settled', order)), 'executed')
  assert.deepEqual(await lastActor(id), ['operator', ben.id])
  assert.equal(await finished(session.checkout_id), 'completed')
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

test('a mark that the rail agrees with keeps what it announces: the rail is asked again when it has news', async () => {
  const { id } = await held()
  await endCharge(stack, id, 'succeeded')
  const due = (await stack.clock.now()) + 2 * hour
  rails.announce(due)
  await settling(id)
  assert.equal(await statusOf(id), 'succeeded')
  const [row] = await stack.sql<{ news_due_at: Date }>('select news_due_at from payments where id = ?', [id])
  assert.equal(row && new Date(row.news_due_at).getTime(), due)
  rails.heal()
  await stack.skip(2 * hour)
  await until(() => rails.calls.some(({ kind, paymentId }) => kind === 'lookUp' && paymentId === id), 'it is asked')
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
  assert.deepEqual(await eventsOfSale(stack, checkout_id), ['collection.succeeded', 'checkout.completed'])
  const refused = await held()
  await endCharge(stack, refused.id, 'failed')
  const other = await approve(refused.id, 'mark_settled', ada.id)
  await assert.rejects(carryOutOnPayment(refused.session.checkout_id, other, at), { code: 'CONFLICT' })
  await assert.rejects(carryOut(refused.session, 'markSettled', other), isRefusal('CONFLICT'))
  assert.deepEqual(await audited(refused.id), ['payment.mark_settled_ordered', 'payment.mark_settled_refused'])
  assert.deepEqual(await eventsOfSale(stack, refused.session.checkout_id), ['collection.failed'])
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

test('a decline of a payment marked as settled takes nothing back', async () => {
  const { session, id } = await held()
  await settling(id)
  assert.equal(await finished(session.checkout_id), 'completed')
  await endCharge(stack, id, 'failed')
  await sendNews(session, id)
  assert.equal(await finished(session.checkout_id), 'completed')
  assert.deepEqual([await statusOf(id), await posted(id)], ['succeeded', ['settlement']])
  assert.deepEqual(await eventsOfSale(stack, session.checkout_id), ['collection.succeeded', 'checkout.completed'])
  assert.deepEqual(await refundsOf(id), [])
})

test('a rail that still processes what staff have marked as failed is asked on, and its money is found', async () => {
  const { session, id } = await held()
  await failing(id)
  assert.equal(await statusOf(id), 'failed')
  await stack.skip(3 * hour) // it is asked an hour after the order, and still does not know
  await waits(session.checkout_id)
  assert.equal(await statusOf(id), 'failed')
  await endCharge(stack, id, 'succeeded')
  await stack.skip(25 * hour)
  await waits(session.checkout_id)
  assert.deepEqual([await statusOf(id), await posted(id)], ['succeeded', ['settlement']])
})

for (const [what, ends] of [
  ['mark-settled', 'succeeded'],
  ['mark-failed', 'failed'],
] as const) {
  test(`a wallet’s payment that its rail has not answered is ended by ${what}, and not charged later`, async () => {
    const session = await stack.merchant.createCheckout(mobileSale)
    const id = await unsent(session, { payment_method: 'MOMO_KES', phone_number: '+254700000001', provider: 'mpesa' })
    assert.equal(await statusOf(id), 'processing')
    if (ends === 'succeeded') rails.errors.lookUp = 'throws'
    assert.equal(stateOf(await ada.onPayment(id, what, order)), 'executed')
    assert.equal(await statusOf(id), ends)
    rails.heal()
    await stack.skip(6 * minute)
    const [prompt] = await stack.sql('select status, executions from simulated_prompts where payment_id = ?', [id])
    if (ends === 'failed') assert.deepEqual(prompt, { status: 'canceled', executions: 0 })
    else assert.deepEqual([prompt, await finished(session.checkout_id)], [undefined, 'completed'])
    assert.equal(await statusOf(id), ends)
  })
}

test('CONFLICT: an account number that a bank has not given out yet is not settled without a transfer', async () => {
  const session = await stack.merchant.createCheckout(transferSale)
  const id = await unsent(session, { payment_method: 'NGN_BANK_TRANSFER' })
  assert.equal(await statusOf(id), 'processing')
  rails.errors.lookUp = 'throws'
  const reply = await ada.onPayment(id, 'mark-settled', order)
  assert.equal(reply.status, 409, reply.text)
  assert.match(reply.text, /has not confirmed a transfer/)
  await failing(id) // its buyer can pay in another way
  rails.heal()
  await stack.skip(6 * minute)
  await stack.merchant.payByTransfer(session)
  assert.equal(await statusOf(id), 'failed')
})

test('a payment marked as failed, of which a part arrives, is not completed before the rest has arrived', async () => {
  const session = await stack.merchant.createCheckout(transferSale)
  const id = await unsent(session, { payment_method: 'NGN_BANK_TRANSFER' })
  await failing(id)
  rails.heal()
  await stack.sql(
    `insert into simulated_charges (payment_id, status, amount, currency, account_number, closes_at)
     select id, 'requires_action', amount, currency, '0123456789', created_at + interval '3 days'
     from payments where id = ?`,
    [id], // the bank has had the order after all
  )
  assert.ok((await stack.merchant.getPayment(id))['completed_at'])
  await sendUnheard(stack, id, '1000.00')
  await sendNews(session, id)
  const short = { status: 'underpaid', amount_received: '1000.00', failure_code: null, completed_at: null }
  assert.partialDeepStrictEqual(await stack.merchant.getPayment(id), short)
  assert.equal((await stack.merchant.deposit(id, { amount: '4000.00' })).status, 200)
  assert.equal(await finished(session.checkout_id), 'completed')
  assert.ok((await stack.merchant.getPayment(id))['completed_at'])
})

test('on a test clock a payment is retried and marked at the time of its clock', async () => {
  const { merchant, attach, advance, clock } = await beginOnClock(api)
  const session = await merchant.createCheckout()
  await attach({ checkout_id: session.checkout_id })
  const id = await holdAtRail({ sql: stack.sql, merchant }, session)
  await settled(stack.client, 'checkout', session.checkout_id)
  await advance({ by: 'PT30M' })
  assert.equal(stateOf(await ada.onPayment(id, 'retry', order)), 'executed')
  await settled(stack.client, 'checkout', session.checkout_id)
  assert.equal((await merchant.getPayment(id))['status'], 'processing')
  assert.equal(stateOf(await ada.onPayment(id, 'mark-settled', order)), 'executed')
  assert.equal(await finished(session.checkout_id), 'completed')
  const { completed_at } = await merchant.getPayment(id)
  assert.equal(Date.parse(String(completed_at)), Date.parse(clock.frozen_time) + 30 * minute)
})

test('a second attempt that is held after the first was marked as failed can be marked too', async () => {
  const { session, id } = await held()
  await failing(id)
  await waits(session.checkout_id)
  await stack.merchant.pay(session, { payment_method: 'USD_CARD', card: card(cards.success) })
  await delayCard(stack, session.checkout_id)
  const second = String((await stack.merchant.confirm(session)).body['payment_id'])
  assert.notEqual(second, id)
  await waits(session.checkout_id)
  await settling(second)
  assert.equal(await finished(session.checkout_id), 'completed')
  assert.deepEqual([await statusOf(id), await statusOf(second)], ['failed', 'succeeded'])
})
