import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkInvariants } from '../support/invariants.ts'
import { dayMs, middle, planChangesOf, start } from '../support/plan-changes.ts'
import { liftRateLimits } from '../support/rows.ts'
import { useStack } from '../support/use-stack.ts'

// Changes of plan, and those after money has gone back: no time is given back twice. The stack has no workers.
const stack = await useStack({ workers: false })
await liftRateLimits(stack)
const changes = await planChangesOf(stack)
const { lives, begin, booked, changePlan, dispute, failAndRelease, failRefunds, refund, winDispute } = changes

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

test('a refund and a dispute of the rest count once: a second change takes nothing off what came since', async () => {
  const id = await begin()
  await refund(id, null, start + dayMs)
  await dispute(id, start + 2 * dayMs) // of the fee of the sale, which the refund has left
  await changePlan(id, 5, middle)
  await changePlan(id, 50, middle)
  assert.deepEqual(await booked(id), [0, 2.5, 22.5])
})

test('a dispute of what a counted refund has left takes no more off than is left of the payment', async () => {
  const id = await begin()
  await refund(id, ((await changes.settled(id)) / 2).toFixed(2), start + dayMs)
  await changePlan(id, 50, middle)
  const [, paid] = await booked(id)
  await dispute(id, middle)
  await changePlan(id, 5, middle)
  assert.deepEqual(await booked(id), [Number(paid) - 2.5, paid], 'all of what was paid for the rest, less 2.50')
})

test('a refund of a surplus returns nothing of the plan, and one of more only what is beyond the surplus', async () => {
  const id = await begin()
  const settled = await changes.settled(id)
  const preview = () => lives.plans.ok('POST', `/v1/subscriptions/${id}/preview-change`, { quantity: 2 })
  await stack.sql('update payments set amount_received = amount_received + 20 where subscription_id = ?', [id])
  await refund(id, '20.00', start + dayMs)
  assert.equal((await preview())['returned_amount'], '0.00')
  await changePlan(id, 5, middle)
  assert.deepEqual(await booked(id), [10], 'half of the 25 that were asked, less 2.50')
  const other = await begin()
  await stack.sql('update payments set amount_received = amount_received + 20 where subscription_id = ?', [other])
  await refund(other, (20 + settled / 5).toFixed(2), start + dayMs)
  await changePlan(other, 5, middle)
  const [credit] = await booked(other)
  assert.ok(Math.abs(Number(credit) - 7.5) <= 0.01, `a fifth was returned: ${credit}`)
})

test('a dispute of the price returns all of the plan, also beside a surplus that was refunded', async () => {
  const id = await begin()
  await stack.sql('update payments set amount_received = amount_received + 20 where subscription_id = ?', [id])
  await refund(id, '20.00', start + dayMs)
  await dispute(id, start + 2 * dayMs)
  await changePlan(id, 5, middle)
  assert.deepEqual(await booked(id), [0, 2.5])
})

test('a refund that a change has counted is not counted again by that of a later surplus', async () => {
  const id = await begin()
  const fifth = ((await changes.settled(id)) / 5).toFixed(2)
  await refund(id, fifth, start + dayMs)
  await changePlan(id, 5, middle)
  const counted = await booked(id)
  await stack.sql('update payments set amount_received = amount_received + ? where subscription_id = ?', [fifth, id])
  await refund(id, fifth, middle + dayMs)
  await changePlan(id, 5, middle + dayMs, { proration: 'none' })
  assert.deepEqual(await booked(id), counted, 'the buyer has paid as much as before')
  const preview = await lives.plans.ok('POST', `/v1/subscriptions/${id}/preview-change`, { quantity: 2 })
  assert.equal(preview['returned_amount'], '0.00')
})

test('a change of plan gives back what a refund in part has left', async () => {
  const id = await begin()
  await refund(id, ((await changes.settled(id)) / 5).toFixed(2), start + dayMs)
  await changePlan(id, 30, middle, { proration: 'none' })
  assert.deepEqual(await booked(id), [0], 'a change without proration books nothing')
  await changePlan(id, 2, middle)
  const [credit] = await booked(id)
  assert.ok(Math.abs(Number(credit) - (10 - 1)) <= 0.01, `half of the 20 that are left, less 1: ${credit}`)
})

test('a change of plan gives nothing back of a period that was paid ahead and refunded before it began', async () => {
  const id = await begin()
  await refund(id, null, start + dayMs)
  const earlier = "created_at = created_at - interval '3 days'"
  await stack.sql(
    `update refunds set ${earlier} where charge_id in (select id from payments where subscription_id = ?)`,
    [id],
  )
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
  await changePlan(id, 5, middle, { proration: 'none' })
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
  assert.deepEqual(await booked(id), [0, 25], 'neither what is left of the old plan nor its credit, as all went back')
})

test('a change of plan gives nothing back of a charge that its buyer has disputed', async () => {
  const id = await begin()
  await dispute(id, start + dayMs)
  await changePlan(id, 5, middle)
  assert.deepEqual(await booked(id), [0, 2.5])
  await winDispute(id)
  await changePlan(id, 5, middle, { proration: 'none' })
  assert.deepEqual(await booked(id), [12.5, 2.5], 'the dispute is won: the payment was never taken back')
})

test('a refund that failed because the payment was disputed is no credit, until the dispute is won', async () => {
  const id = await begin()
  await refund(id, null, start + dayMs)
  await changePlan(id, 5, middle)
  await failAndRelease(id)
  await dispute(id, middle + dayMs)
  await changePlan(id, 5, middle + dayMs, { proration: 'none' })
  assert.deepEqual(await booked(id), [0, 2.5], 'the dispute has returned what the refund did not')
  await winDispute(id)
  await changePlan(id, 5, middle + dayMs, { proration: 'none' })
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
  await refund(id, ((await changes.settled(id)) / 5).toFixed(2), middle + dayMs, 'first')
  await changePlan(id, 5, middle + dayMs, { proration: 'none' })
  const [credit] = await booked(id)
  assert.ok(Math.abs(Number(credit) - 10) <= 0.01, `four fifths of the 12.50: ${credit}`)
})

test('a refund counts for the next change beyond the part in which it takes the place of a failed one', async () => {
  const id = await begin()
  await refund(id, ((await changes.settled(id)) / 5).toFixed(2), start + dayMs)
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
  await changePlan(id, 5, middle + dayMs, { proration: 'none' })
  assert.deepEqual(await booked(id), [12, 2.5])
  await winDispute(id)
  await changePlan(id, 5, middle + dayMs, { proration: 'none' })
  assert.deepEqual(await booked(id), [12.5, 2.5])
})

test('a dispute that a change of plan has counted takes the place of a failed refund when it grows', async () => {
  const id = await begin()
  await refund(id, null, start + dayMs)
  await dispute(id, start + 2 * dayMs) // of what the refund has left
  await changePlan(id, 5, middle)
  await failAndRelease(id)
  await dispute(id, start + 2 * dayMs)
  await changePlan(id, 5, middle + dayMs, { proration: 'none' })
  assert.deepEqual(await booked(id), [0, 2.5])
})

test('a refund of a charge whose dispute was won is no credit', async () => {
  const id = await begin()
  await dispute(id, start + dayMs)
  await changePlan(id, 5, middle)
  await winDispute(id)
  await stack.sql('update payments set dispute_claimed = 0 where subscription_id = ?', [id])
  await refund(id, null, middle + dayMs, 'first')
  await changePlan(id, 5, middle + dayMs, { proration: 'none' })
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

// A charge that began before the upgrade to 2026-12: its invoices say what has paid it, until its next period begins.
for (const isNoted of [true, false]) {
  const paid = isNoted ? 'noted with the charge' : 'from before that was noted'
  const forget = async (id: string) => {
    if (!isNoted) await stack.sql('update subscriptions set funding = default where id = ?', [id])
  }

  test(`a refund after a change to a dearer plan is taken off the charge, ${paid}`, async () => {
    const id = await begin()
    await changePlan(id, 50, middle)
    await forget(id)
    await refund(id, ((await changes.settled(id)) / 2).toFixed(2), middle, 'first')
    await changePlan(id, 5, middle)
    const [credit, ...totals] = await booked(id)
    assert.deepEqual(totals, [12.5])
    assert.ok(Math.abs(Number(credit) - (25 - 6.25 - 2.5)) <= 0.01, `half of the first 12.50 was returned: ${credit}`)
  })

  test(`what a change has counted of a payment is neither charge nor credit of the next one, ${paid}`, async () => {
    const id = await begin()
    await refund(id, ((await changes.settled(id)) / 2).toFixed(2), start + dayMs)
    await changePlan(id, 50, middle)
    await forget(id)
    await changePlan(id, 5, middle)
    assert.deepEqual(await booked(id), [22.5, 18.75])
    await refund(id, null, middle, 'first')
    await changePlan(id, 5, middle, { proration: 'none' })
    const [credit] = await booked(id)
    // 6.25 of the 25.00 are the rest of the first payment, and nine tenths of them have become credit.
    assert.ok(Math.abs(Number(credit) - (22.5 - 5.63)) <= 0.01, `${credit}`)
  })

  test(`a refund and a dispute that a change has counted take nothing off the next one, ${paid}`, async () => {
    const id = await begin()
    await refund(id, null, start + dayMs)
    await dispute(id, start + 2 * dayMs)
    await changePlan(id, 5, middle)
    await forget(id)
    await changePlan(id, 50, middle)
    assert.deepEqual(await booked(id), [0, 2.5, 22.5])
  })
}

test('of credit from before it was noted nothing is taken off, and of its charge the refunded part', async () => {
  const id = await begin()
  await changePlan(id, 5, middle, { every: 'week' })
  await stack.sql('update subscriptions set funding = default where id = ?', [id])
  await refund(id, null, middle, 'first')
  await changePlan(id, 10, middle, { every: 'week' })
  assert.deepEqual(await booked(id), [0, 0, 2.5], 'all of the week is to be paid, 7.50 of it by the credit')
})
