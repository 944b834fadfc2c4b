import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refundActivities } from '../../activities/refund.ts'
import { openDisputes } from '../../commands/dispute/open-dispute.ts'
import { sendBack } from '../../commands/send-back.ts'
import { Payment } from '../../db/checkout/payment.ts'
import { type EntityManager, inTransaction, lock } from '../../db/core/database.ts'
import { checkInvariants } from '../support/invariants.ts'
import { payersOf } from '../support/invoice-page.ts'
import { cards } from '../support/merchant.ts'
import { liftRateLimits } from '../support/rows.ts'
import { livesOf } from '../support/subscription-life.ts'
import { useStack } from '../support/use-stack.ts'

// Changes of plan, and those after money has gone back: no time is given back twice. The stack has no workers.
const stack = await useStack({ workers: false })
await liftRateLimits(stack)
const lives = livesOf(stack)
const payers = payersOf(stack, lives.plans)
const refunds = refundActivities(stack.deps)
const start = Date.parse('2027-04-01T08:00:00Z')
const dayMs = 86_400_000
const middle = start + 15 * dayMs
const { product_id: monthly } = await lives.plans.createProduct() // 25.00 for the 30 days of April

type Proration = 'prorate' | 'none'
async function changePlan(id: string, price: number, at: number, proration: Proration = 'prorate'): Promise<void> {
  const [line] = (await lives.plans.read(id)).line_items
  assert.ok(line)
  const line_items = [{ ...line, quantity: 1, unit_amount: `${price}.00`, line_total: `${price}.00` }]
  const rhythm = { interval: 'month' as const, interval_count: 1 }
  assert.equal(await lives.ask(id, { kind: 'changePlan', line_items, ...rhythm, proration }, at), 'done')
}

/** Does something with the payment of a subscription's newest invoice, or of its first one. */
async function onPayment(
  id: string,
  work: (em: EntityManager, payment: Payment) => Promise<unknown>,
  which: Which = 'newest',
): Promise<void> {
  const { paymentId } = (await lives.invoicesOf(id)).at(which === 'first' ? 0 : -1) ?? {}
  await inTransaction(stack.database, async (em) => work(em, await lock(em, Payment, paymentId ?? '')))
}

type Which = 'newest' | 'first'
function refund(id: string, amount: string | null, at: number, which: Which = 'newest'): Promise<void> {
  const part = amount === null ? {} : { surplus: amount }
  const why = { reason: 'goodwill', isFree: true, feeBearer: 'ORG' as const, ...part }
  return onPayment(id, (em, payment) => sendBack(em, payment, why, at), which)
}

/** What the changes of a subscription have booked: its credit, and the totals of its invoices but the first, sorted. */
async function booked(id: string) {
  const [row] = await stack.sql<{ credit: string }>('select credit from subscriptions where id = ?', [id])
  const totals = (await lives.plans.invoices(id)).slice(1).map(({ total }) => Number(total))
  return [Number(row?.credit), ...totals.toSorted((one, other) => one - other)]
}

const paymentsOf = '(select id from payments where subscription_id = ?)'
const failRefunds = (id: string) =>
  stack.sql(`update refunds set status = 'failed', completed_at = updated_at where charge_id in ${paymentsOf}`, [id])

/** The refunds have failed, and their charges can be refunded or disputed again. */
async function failAndRelease(id: string): Promise<void> {
  await failRefunds(id)
  await stack.sql('update payments set refund_claimed = 0 where subscription_id = ?', [id])
}

/** The network tells of a dispute of all that was paid at first, or of a part, or of what was paid last. */
function dispute(id: string, at: number, amount = '25.00', which: Which = 'first'): Promise<void> {
  const raised = { id: `dp_${id}`, amount, reason: 'fraudulent' as const, networkReasonCode: null }
  const told = [{ ...raised, dueAt: at + 9 * dayMs, warnsUntil: null }]
  return onPayment(id, (em, payment) => openDisputes(em, payment, told, at), which)
}

async function endDispute(id: string, end: 'won' | 'lost'): Promise<void> {
  const ended = "status = ?, resolution = 'evidence', resolved_at = updated_at, wakes_at = null, wakes_for = null"
  await stack.sql(`update disputes set ${ended} where payment_id in ${paymentsOf}`, [end, id])
}
const winDispute = (id: string) => endDispute(id, 'won')

const begin = () => lives.begin(monthly, cards.success, start)

/** A subscription whose next period was paid two days ahead, less the credit that it had, and that moment. */
async function beginPaidAhead(credit = 0) {
  const id = await begin()
  await stack.sql(`update subscriptions set collection = 'invoice', credit = ? where id = ?`, [credit, id])
  assert.equal(await lives.ask(id, { kind: 'edit', metadata: { pays: 'by invoice' } }, start), 'done')
  const end = Date.parse((await lives.plans.read(id)).current_period_end)
  const at = end - 2 * dayMs
  await lives.advance(id, start, at)
  const { body } = await payers.tryToOpen(await payers.newest(id))
  await lives.pay({ checkout_id: String(body['checkout_id']) }, cards.success, at)
  await lives.settle(id, at)
  assert.deepEqual(
    (await lives.plans.invoices(id)).map(({ status }) => status),
    ['paid', 'paid'],
  )
  return { id, at, end }
}

/** Refunds all that is left of the newest payment, or a part, and has the money sent. */
async function refundAndSend(id: string, amount: string | null, at: number): Promise<void> {
  await refund(id, amount, at)
  const [{ sent } = { sent: '' }] = await stack.sql<{ sent: string }>(
    `select id as sent from refunds where charge_id in ${paymentsOf} and completed_at is null`,
    [id],
  )
  assert.equal(await refunds.submitRefund(sent, at), 'succeeded')
  await refunds.closeRefund(sent, 'succeeded', at)
}

const leave = { kind: 'cancel' as const, at_period_end: true, reason: null, comment: null }
const rest = (atPeriodEnd: boolean) => ({ kind: 'pause' as const, at_period_end: atPeriodEnd, resumes_at: null })

for (const first of ['refund', 'cancel'] as const) {
  test(`a period that was paid ahead and refunded does not put off a cancellation: ${first} first`, async () => {
    const { id, at, end } = await beginPaidAhead()
    if (first === 'refund') await refundAndSend(id, null, at)
    assert.equal(await lives.ask(id, leave, at), 'done')
    if (first === 'cancel') await refundAndSend(id, null, at)
    await lives.advance(id, at, end)
    const { status, ended_at: endedAt } = await lives.plans.read(id)
    assert.deepEqual([status, endedAt], ['canceled', new Date(end).toISOString()])
    assert.deepEqual(await checkInvariants(stack.database), [])
  })
}

test('a period paid ahead and refunded does not put off a pause; a refund of a part changes nothing', async () => {
  const { id, at, end } = await beginPaidAhead()
  await refundAndSend(id, '5.00', at)
  assert.equal(await lives.ask(id, rest(false), at), 'the next period is paid already')
  assert.equal(await lives.ask(id, rest(true), at), 'done')
  await refundAndSend(id, null, at)
  await lives.advance(id, at, end)
  assert.equal((await lives.plans.read(id)).status, 'paused')
  const other = await beginPaidAhead()
  await refundAndSend(other.id, null, at)
  assert.equal(await lives.ask(other.id, rest(false), at), 'done')
})

test('a pause that the next period puts off, as it is paid, resumes after its end', async () => {
  const { id, at, end } = await beginPaidAhead()
  const until = (days: number) => ({ ...rest(true), resumes_at: new Date(end + days * dayMs).toISOString() })
  assert.equal(await lives.ask(id, until(20), at), 'resumes_at must be after the start of the pause')
  assert.equal(await lives.ask(id, until(40), at), 'done')
  await lives.advance(id, at, end + 32 * dayMs)
  assert.equal((await lives.plans.read(id)).status, 'paused')
})

for (const atPeriodEnd of [true, false]) {
  test(`credit of a period paid ahead and refunded is there after a pause, at its end: ${atPeriodEnd}`, async () => {
    const { id, at, end } = await beginPaidAhead(10)
    assert.deepEqual(await booked(id), [0, 15])
    await refundAndSend(id, null, at)
    assert.equal(await lives.ask(id, rest(atPeriodEnd), at), 'done')
    await lives.advance(id, at, end + dayMs)
    if (atPeriodEnd) {
      assert.deepEqual(await booked(id), [10, 15])
      const { line_items: items } = await lives.plans.read(id)
      const plan = { line_items: items, interval: 'month' as const, interval_count: 1 }
      const change = { kind: 'changePlan' as const, ...plan, proration: 'next_period' as const }
      assert.equal(await lives.ask(id, change, end + dayMs), 'done')
    }
    assert.equal(await lives.ask(id, { kind: 'resume' }, end + 2 * dayMs), 'done')
    assert.deepEqual(await booked(id), [0, 15, 15], 'the next invoice deducts the credit, once')
    assert.deepEqual(await checkInvariants(stack.database), [])
  })
}

test('what was returned of a period that never began is not taken off the one that begins after a pause', async () => {
  const { id, at, end } = await beginPaidAhead()
  const resumed = end + 2 * dayMs
  await refundAndSend(id, null, at)
  assert.equal(await lives.ask(id, rest(true), at), 'done')
  await lives.advance(id, at, resumed)
  assert.equal(await lives.ask(id, { kind: 'resume' }, resumed), 'done')
  assert.deepEqual(await booked(id), [0, 25, 25], 'the new period is paid')
  const preview = await lives.plans.ok('POST', `/v1/subscriptions/${id}/preview-change`, { quantity: 2 })
  assert.equal(preview['returned_amount'], '0.00')
  await changePlan(id, 5, resumed)
  assert.deepEqual(await booked(id), [20, 25, 25])
  assert.deepEqual(await checkInvariants(stack.database), [])
})

test('changes between plans of one price book nothing, at whatever second: nothing is rounded in between', async () => {
  const id = await begin()
  for (const days of [1, 2, 10, 17]) await changePlan(id, 25, start + days * dayMs + 40 * 60_000)
  assert.deepEqual(await booked(id), [0])
  await changePlan(id, 50, middle + 5 * dayMs)
  const [credit, total] = await booked(id)
  assert.deepEqual([credit, total], [0, 8.34], 'a third of 25 more, rounded up')
})

test('a change of plan gives nothing back of a charge that was refunded', async () => {
  const id = await begin()
  await refund(id, null, start + dayMs)
  await changePlan(id, 5, middle)
  assert.deepEqual(await booked(id), [0, 2.5], 'the rest of the new plan is to be paid')
  // The refund was taken into account: what is paid since then is given back.
  await changePlan(id, 50, middle)
  assert.deepEqual(await booked(id), [0, 2.5, 22.5])
  assert.deepEqual(await checkInvariants(stack.database), [])
})

test('a period paid ahead does not count as refunded while an open dispute holds the rest of its payment', async () => {
  const { id, at } = await beginPaidAhead()
  await refundAndSend(id, '5.00', at)
  await dispute(id, at, '25.00', 'newest')
  assert.equal(await lives.ask(id, rest(false), at), 'the next period is paid already')
  await endDispute(id, 'lost')
  assert.equal(await lives.ask(id, rest(false), at), 'done')
})

test('a change of plan gives back what a refund in part has left', async () => {
  const id = await begin()
  const [{ settles } = { settles: '0' }] = await stack.sql<{ settles: string }>(
    'select settles from payments where subscription_id = ?',
    [id],
  )
  await refund(id, (Number(settles) / 5).toFixed(2), start + dayMs)
  await changePlan(id, 30, middle, 'none')
  assert.deepEqual(await booked(id), [0], 'a change without proration books nothing')
  await changePlan(id, 2, middle)
  const [credit] = await booked(id)
  assert.ok(Math.abs(Number(credit) - (10 - 1)) <= 0.01, `half of the 20 that are left, less 1: ${credit}`)
})

test('a change of plan gives nothing back of a period that was paid ahead and refunded before it began', async () => {
  const id = await begin()
  await refund(id, null, start + dayMs)
  await stack.sql(`update refunds set created_at = created_at - interval '3 days' where charge_id in ${paymentsOf}`, [
    id,
  ])
  await changePlan(id, 5, middle)
  assert.deepEqual(await booked(id), [0, 2.5])
})

test('a refund that has failed has returned nothing', async () => {
  const id = await begin()
  await refund(id, null, start + dayMs)
  await failRefunds(id)
  await changePlan(id, 5, middle)
  assert.deepEqual(await booked(id), [10])
})

test('what a change of plan has withheld because of a refund is credit again once the refund has failed', async () => {
  const id = await begin()
  await refund(id, null, start + dayMs)
  await changePlan(id, 5, middle)
  assert.deepEqual(await booked(id), [0, 2.5])
  await failRefunds(id)
  await changePlan(id, 5, middle, 'none')
  assert.deepEqual(await booked(id), [12.5, 2.5], 'half of the 25 that were paid for the old plan')
  await lives.advance(id, middle, start + 31 * dayMs)
  assert.deepEqual(await booked(id), [7.5, 0, 2.5], 'the next invoice deducts it, once')
})

test('a refund and two changes of plan at one moment of a test clock count once', async () => {
  const id = await begin()
  await refund(id, null, middle)
  await changePlan(id, 5, middle)
  await changePlan(id, 50, middle)
  assert.deepEqual(await booked(id), [0, 2.5, 22.5], 'the 2.50 of the first change are given back')
})

test('a refund that has waited for a change of plan counts for the next one, whatever its time', async () => {
  const id = await begin()
  await changePlan(id, 5, middle)
  await refund(id, null, middle - 1_000)
  await changePlan(id, 50, middle)
  assert.deepEqual(await booked(id), [0, 15], '25 less the credit of 10; nothing of what was refunded')
})

test('a change of plan gives nothing back of a charge that its buyer has disputed', async () => {
  const id = await begin()
  await dispute(id, start + dayMs)
  await changePlan(id, 5, middle)
  assert.deepEqual(await booked(id), [0, 2.5])
  await winDispute(id)
  await changePlan(id, 5, middle, 'none')
  assert.deepEqual(await booked(id), [12.5, 2.5], 'the dispute is won: the payment was never taken back')
})

test('a refund that failed because the payment was disputed is no credit, until the dispute is won', async () => {
  const id = await begin()
  await refund(id, null, start + dayMs)
  await changePlan(id, 5, middle)
  await failAndRelease(id)
  await dispute(id, middle + dayMs)
  await changePlan(id, 5, middle + dayMs, 'none')
  assert.deepEqual(await booked(id), [0, 2.5], 'the dispute has returned what the refund did not')
  await winDispute(id)
  await changePlan(id, 5, middle + dayMs, 'none')
  assert.deepEqual(await booked(id), [12.5, 2.5])
})

test('a refund that failed and was made again is no credit, until the second one fails too', async () => {
  const id = await begin()
  await refund(id, null, start + dayMs)
  await changePlan(id, 5, middle)
  await failAndRelease(id)
  await refund(id, null, middle + dayMs, 'first')
  const preview = await lives.plans.ok('POST', `/v1/subscriptions/${id}/preview-change`, { quantity: 2 })
  assert.equal(preview['returned_amount'], '0.00')
  await changePlan(id, 50, middle + 2 * dayMs)
  assert.deepEqual(await booked(id), [0, 2.5, 19.5], 'the second refund has taken the place of the first one')
  await failRefunds(id)
  await lives.advance(id, middle + 2 * dayMs, start + 31 * dayMs)
  assert.deepEqual(await booked(id), [0, 2.5, 19.5, 37.5], 'the next invoice deducts the 12.50')
})

test('a refund of a part in place of one that failed is no credit, and the rest of the failed one is', async () => {
  const id = await begin()
  await refund(id, null, start + dayMs)
  await changePlan(id, 5, middle)
  await failAndRelease(id)
  const [row] = await stack.sql<{ settles: string }>('select settles from payments where subscription_id = ?', [id])
  await refund(id, (Number(row?.settles) / 5).toFixed(2), middle + dayMs, 'first')
  await changePlan(id, 5, middle + dayMs, 'none')
  const [credit] = await booked(id)
  assert.ok(Math.abs(Number(credit) - 10) <= 0.01, `four fifths of the 12.50: ${credit}`)
})

test('a refund counts for the next change beyond the part in which it takes the place of a failed one', async () => {
  const id = await begin()
  const [row] = await stack.sql<{ settles: string }>('select settles from payments where subscription_id = ?', [id])
  await refund(id, (Number(row?.settles) / 5).toFixed(2), start + dayMs)
  await changePlan(id, 50, middle)
  assert.deepEqual(await booked(id), [0, 15], '12.50 more, and 2.50 that was returned')
  await failAndRelease(id)
  await refund(id, null, middle + 1, 'first')
  await changePlan(id, 25, middle)
  const [credit] = await booked(id)
  assert.ok(Math.abs(Number(credit) - 2.5) <= 0.01, `15.00 were kept for a plan of 12.50: ${credit}`)
})

test('a dispute of a part keeps no more than its part of the credit for a refund that failed', async () => {
  const id = await begin()
  await refund(id, null, start + dayMs)
  await changePlan(id, 5, middle)
  await failAndRelease(id)
  await dispute(id, middle + dayMs, '1.00')
  await changePlan(id, 5, middle + dayMs, 'none')
  assert.deepEqual(await booked(id), [12, 2.5])
  await winDispute(id)
  await changePlan(id, 5, middle + dayMs, 'none')
  assert.deepEqual(await booked(id), [12.5, 2.5])
})

test('a dispute that a change of plan has counted takes the place of a failed refund when it grows', async () => {
  const id = await begin()
  await refund(id, null, start + dayMs)
  await dispute(id, start + 2 * dayMs) // of what the refund has left
  await changePlan(id, 5, middle)
  await failAndRelease(id)
  await dispute(id, start + 2 * dayMs)
  await changePlan(id, 5, middle + dayMs, 'none')
  assert.deepEqual(await booked(id), [0, 2.5])
})

test('a refund of a charge whose dispute was won is no credit', async () => {
  const id = await begin()
  await dispute(id, start + dayMs)
  await changePlan(id, 5, middle)
  await winDispute(id)
  await stack.sql('update payments set dispute_claimed = 0 where subscription_id = ?', [id])
  await refund(id, null, middle + dayMs, 'first')
  await changePlan(id, 5, middle + dayMs, 'none')
  assert.deepEqual(await booked(id), [0, 2.5])
})

test('a preview says what was returned of the charge, so that nobody confirms a price that was not shown', async () => {
  const id = await begin()
  const preview = () => lives.plans.ok('POST', `/v1/subscriptions/${id}/preview-change`, { quantity: 2 })
  assert.equal((await preview())['returned_amount'], '0.00')
  await refund(id, null, start + dayMs)
  const { returned_amount: returned, credit_change: change } = await preview()
  assert.deepEqual([returned, change], ['25.00', '0.00'])
  await failRefunds(id)
  assert.equal((await preview())['returned_amount'], '0.00')
})
