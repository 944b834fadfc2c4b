import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { beginAnew } from '../support/begin-anew.ts'
import { loseProcess } from '../support/lose-process.ts'
import { card, cards, mobileSale, transferSale } from '../support/merchant.ts'
import { order, type Session, stateOf, withPayments } from '../support/payment-actions.ts'
import { delayCard, endCharge, holdAtRail } from '../support/rail-books.ts'
import { changeAccount } from '../support/rows.ts'
import { eventsOf } from '../support/sale-events.ts'
import { failingRails } from '../support/scripted-charges.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { beginOnClock } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'

// What a rail says after staff have marked a payment that it had not decided, and rails that cannot be asked.

const [minute, hour] = [60_000, 3_600_000]

const stack = await useStack({ skipping: true })
const api = await useApi(stack)
const rails = failingRails(stack)
afterEach(async () => {
  rails.heal()
  await assertInvariants(stack)
})
const ada = await addStaff(stack)
const { held, sendNews, waits, statusOf, saleIs, posted, refundsOf, lastActor } = withPayments(stack)
const finished = ({ checkout_id }: Session) => stack.finished('checkout', checkout_id)
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
const chargesOf = (id: string) =>
  stack.sql('select status, executions from simulated_charges where payment_id = ?', [id])

test('money that arrives for a payment marked as failed completes its sale while that is open', async () => {
  const { session, id } = await held()
  await failing(id)
  await waits(session.checkout_id)
  await endCharge(stack, id, 'succeeded')
  await sendNews(session, id)
  assert.equal(await finished(session), 'completed')
  assert.deepEqual([await statusOf(id), await posted(id)], ['succeeded', ['settlement']])
  assert.deepEqual(await lastActor(id), ['rail', null])
  const all = ['collection.failed', 'collection.succeeded', 'checkout.completed']
  assert.deepEqual(await eventsOf(stack, session.checkout_id), all)
})

test('money that arrives for a payment marked as failed is refunded in full once another one has paid', async () => {
  const { session, id } = await held()
  await failing(id)
  await waits(session.checkout_id)
  await stack.merchant.payByCard(session)
  assert.equal(await finished(session), 'completed')
  await endCharge(stack, id, 'succeeded')
  await sendNews(session, id)
  await finished(session)
  await stack.dispatched()
  const [refund] = await refundsOf(id)
  assert.equal(refund?.reason, 'duplicate')
  const [event] = await stack.sql<{ body: string }>(
    `select body from events where type = 'collection.succeeded' and resource_id = ?`,
    [id],
  )
  assert.equal(JSON.parse(event?.body ?? '{}').data.duplicate, true)
})

for (const late of ['accept', 'refund'] as const) {
  test(`money for a payment marked as failed that arrives after the session is ${late}ed as late money`, async () => {
    await changeAccount(stack, stack.organizationId, { latePaymentPolicy: late })
    const { session, id } = await held({ ...mobileSale, currency: 'USD', amount: '25.00', expires_in_minutes: 10 })
    await failing(id)
    await stack.skip(hour)
    assert.equal(await finished(session), 'expired')
    await endCharge(stack, id, 'succeeded')
    await sendNews(session, id)
    assert.equal(await finished(session), 'expired')
    await stack.dispatched()
    assert.deepEqual([await statusOf(id), await posted(id)], ['succeeded', ['settlement']])
    assert.equal((await refundsOf(id)).length, late === 'refund' ? 1 : 0)
  })
}

test('a decline of a payment marked as settled takes nothing back, and its success settles nothing again', async () => {
  for (const [word, said] of [
    ['failed', 'a decline'],
    ['succeeded', 'the success'],
  ] as const) {
    const { session, id } = await held()
    await settling(id)
    assert.equal(await finished(session), 'completed')
    await endCharge(stack, id, word)
    await sendNews(session, id)
    assert.equal(await finished(session), 'completed')
    assert.deepEqual([await statusOf(id), await posted(id)], ['succeeded', ['settlement']], said)
    assert.deepEqual(await eventsOf(stack, session.checkout_id), ['collection.succeeded', 'checkout.completed'], said)
    assert.deepEqual(await refundsOf(id), [])
  }
})

test('an unavailable rail stops nobody: a payment is marked, and then cancelled once the rail answers', async () => {
  const session = await stack.merchant.createCheckout()
  const id = await unsent(session, { payment_method: 'USD_CARD', card: card(cards.success) })
  Object.assign(rails.errors, { lookUp: 'throws', cancelCharge: 'throws' })
  await failing(id)
  assert.deepEqual(await saleIs(session), ['open', 'failed'])
  rails.heal()
  const isCancelled = async () => JSON.stringify(await chargesOf(id)) === '[{"status":"canceled","executions":0}]'
  await stack.skip(6 * minute)
  await until(isCancelled, 'the order that the rail has never received is cancelled there')
  assert.equal(await statusOf(id), 'failed')
  await stack.merchant.payByCard(session)
  assert.equal(await finished(session), 'completed')
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

test('money that an unavailable rail took for a payment marked as failed is found without a notice', async () => {
  const { session, id } = await held()
  rails.errors.cancelCharge = 'throws'
  await failing(id)
  await endCharge(stack, id, 'succeeded')
  rails.heal()
  await stack.skip(6 * minute)
  assert.equal(await finished(session), 'completed')
  assert.deepEqual([await statusOf(id), await posted(id)], ['succeeded', ['settlement']])
})

test('an unavailable rail stops nobody: a payment is marked as settled on the word of staff', async () => {
  const { session, id } = await held()
  rails.errors.lookUp = 'throws'
  await settling(id)
  assert.equal(await finished(session), 'completed')
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
    else assert.deepEqual([prompt, await finished(session)], [undefined, 'completed'])
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

test('a sale whose process was lost after the mark goes on from where its row is', async () => {
  const { session, id } = await held()
  rails.errors.cancelCharge = 'throws'
  await failing(id)
  await loseProcess(stack.client, 'checkout', session.checkout_id)
  await endCharge(stack, id, 'succeeded')
  rails.heal()
  await beginAnew(stack, 'checkout', 'checkouts', session.checkout_id)
  await until(
    async () => (await statusOf(id)) === 'succeeded',
    'the rail is asked to cancel, and says it has the money',
  )
  assert.equal(await finished(session), 'completed')
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
  assert.equal(await finished(session), 'completed')
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
  assert.equal(await finished(session), 'completed')
  assert.deepEqual([await statusOf(id), await statusOf(second)], ['failed', 'succeeded'])
})
