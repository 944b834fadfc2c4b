import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChangeRequest } from '../../domain/subscription/change.ts'
import { checkInvariants } from '../support/invariants.ts'
import { payersOf } from '../support/invoice-page.ts'
import { cards } from '../support/merchant.ts'
import { liftRateLimits } from '../support/rows.ts'
import { laterCards } from '../support/subscription.ts'
import { livesOf } from '../support/subscription-life.ts'
import { useStack } from '../support/use-stack.ts'

// What somebody asks for while a subscription is not paid: the schedule of dunning stays as it is (decision 0097).
const stack = await useStack({ workers: false })
await liftRateLimits(stack)
const lives = livesOf(stack)
const payers = payersOf(stack, lives.plans)
const start = Date.parse('2027-01-01T08:00:00Z')
const dayMs = 86_400_000
const { product_id: monthly } = await lives.plans.createProduct()

/** A monthly subscription whose first renewal was declined, and the moment. */
async function beginPastDue(number = laterCards.declines) {
  const id = await lives.begin(monthly, number, start)
  const { current_period_end: end, customer } = await lives.plans.read(id)
  const at = Date.parse(end) + 61_000
  await lives.advance(id, start, at)
  const { next_payment_attempt_at: next, past_due_at: failedAt } = await lives.plans.read(id)
  return { id, at, next, customerId: customer.id, failedMs: Date.parse(String(failedAt)) }
}

const nameCard = async (id: string, customerId: string, number: string, at: number) => {
  const card = await lives.saveCard(customerId, number, at)
  assert.equal(await lives.ask(id, { kind: 'edit', payment_method_id: card }, at), 'done')
}

/** The status, the failed attempts, and after how many days from the first failure the next one comes. */
async function standingOf(id: string, failedMs: number) {
  const { status, attempt_count: attempts, next_payment_attempt_at: next } = await lives.plans.read(id)
  return [status, attempts, next && (Date.parse(next) - failedMs) / dayMs]
}

test('a payment that is retried in vain six times ends on the same day as one that nobody retries', async () => {
  const { id, at, failedMs } = await beginPastDue()
  for (let tries = 0; tries < 6; tries++)
    assert.equal(await lives.ask(id, { kind: 'retryPayment' }, at + tries * 1000), 'done')
  assert.deepEqual(await standingOf(id, failedMs), ['past_due', 7, 2])
  for (const [days, next] of [
    [2, 7],
    [7, 14],
    [14, 21],
  ] as const) {
    await lives.advance(id, at, at + days * dayMs)
    const [status, , later] = await standingOf(id, failedMs)
    assert.deepEqual([status, later], ['past_due', next])
  }
  await lives.advance(id, at, at + 21 * dayMs)
  assert.deepEqual(await standingOf(id, failedMs), ['canceled', 11, null])
})

test('another card that is declined leaves the next attempt where it was; one that succeeds pays', async () => {
  const { id, at, customerId, failedMs } = await beginPastDue()
  await nameCard(id, customerId, laterCards.declines, at + dayMs)
  assert.deepEqual(await standingOf(id, failedMs), ['past_due', 2, 2])
  await lives.advance(id, at + dayMs, at + 3 * dayMs)
  assert.deepEqual(await standingOf(id, failedMs), ['past_due', 3, 7])
  await nameCard(id, customerId, cards.success, at + 3 * dayMs)
  assert.deepEqual(await standingOf(id, failedMs), ['active', 0, null])
  const end = Date.parse((await lives.plans.read(id)).current_period_end)
  await lives.advance(id, at + 3 * dayMs, end + 61_000)
  assert.deepEqual(await standingOf(id, failedMs), ['active', 0, null])
})

test('cards that are declined for good do not put off the end, and do not bring it forward', async () => {
  const { id, at, customerId, failedMs } = await beginPastDue(laterCards.expires)
  for (const days of [1, 2, 3, 4, 15]) {
    await nameCard(id, customerId, laterCards.expires, at + days * dayMs)
    assert.deepEqual((await standingOf(id, failedMs))[0], 'past_due')
  }
  await lives.advance(id, at + 15 * dayMs, at + 20 * dayMs)
  assert.equal((await standingOf(id, failedMs))[0], 'past_due')
  await lives.advance(id, at + 20 * dayMs, at + 21 * dayMs)
  assert.equal((await standingOf(id, failedMs))[0], 'canceled')
})

test('the end of dunning waits for a charge that is under way then, and follows if it fails', async () => {
  const { id, at, customerId, failedMs } = await beginPastDue(laterCards.expires)
  await nameCard(id, customerId, laterCards.answersLate, at + 20 * dayMs)
  await lives.advance(id, at + 20 * dayMs, at + 22 * dayMs)
  assert.equal((await standingOf(id, failedMs))[0], 'past_due')
  const { paymentId } = await lives.settle(id, at + 22 * dayMs)
  await lives.decide(String(paymentId), false)
  await lives.steps.lookUpSubscriptionPayment(id, String(paymentId), at + 22 * dayMs)
  assert.equal((await standingOf(id, failedMs))[0], 'canceled')
  await lives.settle(id, at + 22 * dayMs)
  assert.deepEqual(await checkInvariants(stack.database), [])
})

test('an unpaid invoice that is voided in a pause takes its failed attempts with it', async () => {
  const { id, at, failedMs } = await beginPastDue()
  const paused = at + 8 * dayMs
  await lives.advance(id, at, paused)
  assert.equal(await lives.ask(id, { kind: 'pause', at_period_end: false, resumes_at: null }, paused), 'done')
  const unpaid = (await lives.plans.invoices(id)).find(({ status }) => status === 'open')
  const what = { kind: 'voidInvoice' as const, invoice_id: String(unpaid?.invoice_id) }
  assert.equal(await lives.ask(id, what, paused), 'done')
  assert.equal(await lives.ask(id, { kind: 'resume' }, paused), 'done')
  assert.deepEqual(await standingOf(id, failedMs), ['active', 0, null])
  const next = Date.parse((await lives.plans.read(id)).current_period_end) + 61_000
  await lives.advance(id, paused, next)
  const { past_due_at: again } = await lives.plans.read(id)
  assert.deepEqual(await standingOf(id, Date.parse(String(again))), ['past_due', 1, 2])
})

test('a past due invoice that is voided leaves nothing owed, although the next one is open already', async () => {
  const { id, at, failedMs } = await beginPastDue()
  const { current_period_end: end } = await lives.plans.read(id)
  const ahead = Date.parse(end) - 2 * dayMs
  const late = `update subscriptions set collection = 'invoice', next_payment_attempt_at = ? where id = ?`
  await stack.sql(late, [end, id])
  assert.equal(await lives.ask(id, { kind: 'edit', metadata: { paid: 'by transfer' } }, at), 'done')
  await lives.advance(id, at, ahead)
  const [unpaid, next] = (await lives.plans.invoices(id)).filter(({ status }) => status === 'open')
  assert.equal(next?.period_start, end)
  const what = { kind: 'voidInvoice' as const, invoice_id: String(unpaid?.invoice_id) }
  assert.equal(await lives.ask(id, what, ahead), 'done')
  assert.deepEqual(await standingOf(id, failedMs), ['active', 0, null])
  assert.deepEqual(await checkInvariants(stack.database), [])
})

test('a declined charge of an invoice that is not due yet leaves its subscription paid, until it is due', async () => {
  const id = await lives.begin(monthly, cards.success, start)
  await stack.sql(`update subscriptions set collection = 'invoice' where id = ?`, [id])
  assert.equal(await lives.ask(id, { kind: 'edit', metadata: { pays: 'by invoice' } }, start), 'done')
  const { current_period_end: end, customer } = await lives.plans.read(id)
  const due = Date.parse(end)
  const early = due - 2 * dayMs
  await lives.advance(id, start, early)
  await nameCard(id, customer.id, laterCards.declines, early)
  assert.equal(await lives.ask(id, { kind: 'retryPayment' }, early), 'done')
  assert.deepEqual(await standingOf(id, due), ['active', 0, null])
  assert.partialDeepStrictEqual(await payers.newest(id), { status: 'open', attempt_count: 1 })
  assert.ok(!(await lives.plans.events(id)).includes('customer.subscription.past_due'))
  assert.deepEqual(await checkInvariants(stack.database), [])
  await lives.advance(id, early, due + 61_000)
  const { past_due_at: failedAt } = await lives.plans.read(id)
  assert.deepEqual(await standingOf(id, Date.parse(String(failedAt))), ['past_due', 1, 2])
  assert.equal((await payers.newest(id))['attempt_count'], 2)
})

/** Asks for a change while past due, has dunning end the subscription, and pays its invoice by its page a day later. */
async function reviveAfter(change: (id: string) => Promise<ChangeRequest>) {
  const { id, at, failedMs } = await beginPastDue()
  assert.equal(await lives.ask(id, await change(id), at + dayMs), 'done')
  const [asked, late] = [await lives.plans.read(id), failedMs + 22 * dayMs]
  await lives.advance(id, at + dayMs, late)
  const ended = await lives.plans.read(id)
  assert.partialDeepStrictEqual(ended, { status: 'canceled', cancellation: { by: 'service' }, pending_update: null })
  assert.partialDeepStrictEqual(ended, { pause_at_period_end: false, resumes_at: null })
  const { body } = await payers.tryToOpen(await payers.newest(id))
  await lives.pay({ checkout_id: String(body['checkout_id']) }, cards.success, late)
  await lives.settle(id, late)
  const revived = await lives.plans.read(id)
  assert.equal(revived.status, 'active')
  const end = Date.parse(revived.current_period_end)
  const renew = async () => {
    await lives.advance(id, late, end + 61_000)
    return { invoices: await lives.plans.invoices(id), after: await lives.plans.read(id) }
  }
  return { id, asked, revived, late, renew }
}

const cancelLater = { kind: 'cancel' as const, at_period_end: true, reason: 'too_expensive', comment: 'Adieu' }

test('late money revives a canceled subscription for the paid period only: the cancellation stands', async () => {
  const { asked, revived, renew } = await reviveAfter(async () => cancelLater)
  const { cancellation, canceled_at } = asked
  assert.partialDeepStrictEqual(revived, { cancellation, canceled_at, cancel_at_period_end: true, ended_at: null })
  const { after, invoices } = await renew()
  assert.partialDeepStrictEqual(after, { status: 'canceled', cancellation, ended_at: revived.current_period_end })
  assert.deepEqual(
    invoices.map(({ status }) => status),
    ['paid', 'paid'],
  )
  assert.deepEqual(await checkInvariants(stack.database), [])
})

test('a customer takes back their cancellation after late money has revived the subscription', async () => {
  const { id, late, renew } = await reviveAfter(async () => cancelLater)
  assert.equal(await lives.ask(id, { kind: 'uncancel' }, late), 'done')
  const { after, invoices } = await renew()
  assert.partialDeepStrictEqual(after, { cancellation: null, canceled_at: null, cancel_at_period_end: false })
  assert.equal(invoices.length, 3)
})

test('late money forgets no change of plan that was put off, and no pause', async () => {
  const cheaper = await reviveAfter(async (id) => {
    const [line] = (await lives.plans.read(id)).line_items
    assert.ok(line)
    const line_items = [{ ...line, quantity: 1, unit_amount: '5.00', line_total: '5.00' }]
    return { kind: 'changePlan', line_items, interval: 'month', interval_count: 1, proration: 'next_period' }
  })
  assert.deepEqual(cheaper.revived['pending_update'], cheaper.asked['pending_update'])
  assert.deepEqual(
    (await cheaper.renew()).invoices.map(({ total }) => total),
    ['25.00', '25.00', '5.00'],
  )
  const resting = await reviveAfter(async () => ({ kind: 'pause', at_period_end: true, resumes_at: null }))
  assert.equal((await resting.renew()).after.status, 'paused')
  assert.deepEqual(await checkInvariants(stack.database), [])
})
