import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refundActivities } from '../../activities/refund.ts'
import { checkInvariants } from '../support/invariants.ts'
import { payersOf } from '../support/invoice-page.ts'
import { cards } from '../support/merchant.ts'
import { dayMs, planChangesOf, start } from '../support/plan-changes.ts'
import { liftRateLimits } from '../support/rows.ts'
import { useStack } from '../support/use-stack.ts'

// A period that was paid before it began, and whose payment goes back. The stack has no workers.
const stack = await useStack({ workers: false })
await liftRateLimits(stack)
const { lives, begin, booked, changePlan, dispute, endDispute, refund } = await planChangesOf(stack)
const payers = payersOf(stack, lives.plans)
const refunds = refundActivities(stack.deps)

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
    `select id as sent from refunds
     where charge_id in (select id from payments where subscription_id = ?) and completed_at is null`,
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

test('a period paid ahead does not count as refunded while an open dispute holds the rest of its payment', async () => {
  const { id, at } = await beginPaidAhead()
  await refundAndSend(id, '5.00', at)
  await dispute(id, at, '25.00', 'newest')
  assert.equal(await lives.ask(id, rest(false), at), 'the next period is paid already')
  await endDispute(id, 'lost')
  assert.equal(await lives.ask(id, rest(false), at), 'done')
})
