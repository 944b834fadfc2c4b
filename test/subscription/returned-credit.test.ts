import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { test } from 'node:test'
import { applyChange } from '../../activities/subscription/change.ts'
import { inTransaction, lock } from '../../db/core/database.ts'
import { Subscription, SubscriptionChange } from '../../db/subscription/subscription.ts'
import { newId } from '../../domain/id.ts'
import { dayMs, middle, planChangesOf, start } from '../support/plan-changes.ts'
import { liftRateLimits } from '../support/rows.ts'
import { useStack } from '../support/use-stack.ts'

// What was paid for time that became credit goes back afterwards: it is not used twice. The stack has no workers.
const stack = await useStack({ workers: false })
await liftRateLimits(stack)
const changes = await planChangesOf(stack)
const { lives, begin, booked, changePlan, dispute, failAndRelease, refund, winDispute } = changes

/** From 25.00 to 5.00 in the middle of April: 10.00 are credit. */
async function beginWithCredit(): Promise<string> {
  const id = await begin()
  await changePlan(id, 5, middle)
  assert.deepEqual(await booked(id), [10])
  return id
}

/** Has the credit worked out, as each change of the plan does. */
const lookAt = (id: string, price = 5) => changePlan(id, price, middle + 2 * dayMs, { proration: 'none' })

test('a refund after a change of plan leaves no credit beside the money, until it fails', async () => {
  const id = await beginWithCredit()
  assert.equal((await lives.plans.read(id))['credit'], '10.00')
  await refund(id, null, middle + dayMs)
  assert.equal((await lives.plans.read(id))['credit'], '0.00')
  const preview = await lives.plans.ok('POST', `/v1/subscriptions/${id}/preview-change`, { quantity: 2 })
  assert.equal(preview['credit'], '0.00')
  await lives.advance(id, middle + dayMs, start + 31 * dayMs)
  assert.deepEqual(await booked(id), [0, 5], 'the next period is paid')
  await failAndRelease(id)
  await changePlan(id, 5, start + 32 * dayMs, { proration: 'none' })
  assert.deepEqual(await booked(id), [10, 5])
  await refund(id, null, start + 33 * dayMs, 'first')
  await changePlan(id, 5, start + 33 * dayMs, { proration: 'none' })
  assert.deepEqual(await booked(id), [0, 5], 'the refund was made again')
})

test('a dispute after a change of plan leaves no credit beside the money, until it is won', async () => {
  const id = await beginWithCredit()
  await dispute(id, middle + dayMs)
  await lookAt(id)
  assert.deepEqual(await booked(id), [0])
  await winDispute(id)
  await lookAt(id)
  assert.deepEqual(await booked(id), [10])
})

test('a refund and a dispute of the rest take off no more credit than the payment gave', async () => {
  const id = await beginWithCredit()
  await stack.sql('update subscriptions set credit = credit + 7 where id = ?', [id])
  await refund(id, null, middle + dayMs)
  await lookAt(id)
  assert.deepEqual(await booked(id), [7])
  await dispute(id, middle + dayMs)
  await lookAt(id)
  assert.deepEqual(await booked(id), [7], 'what came from elsewhere stays')
})

for (const order of ['before', 'after']) {
  test(`half of a payment that is refunded ${order} a change of plan leaves the same`, async () => {
    const id = await begin()
    const half = ((await changes.settled(id)) / 2).toFixed(2)
    if (order === 'before') await refund(id, half, middle)
    await changePlan(id, 5, middle)
    if (order === 'after') await refund(id, half, middle)
    await changePlan(id, 5, middle, { proration: 'none' })
    const [credit] = await booked(id)
    assert.ok(Math.abs(Number(credit) - 3.75) <= 0.01, `half of 12.50, less 2.50: ${credit}`)
    await changePlan(id, 50, middle)
    const [, total] = await booked(id)
    assert.ok(Math.abs(Number(total) - 18.75) <= 0.01, `25, less half of 12.50: ${total}`)
  })
}

test('after a change to another rhythm, a refund returns the credit and what paid the new period', async () => {
  const id = await begin()
  await changePlan(id, 5, middle, { every: 'week' })
  assert.deepEqual(await booked(id), [7.5, 0])
  await refund(id, null, middle, 'first')
  await changePlan(id, 5, middle, { every: 'week', proration: 'none' })
  assert.deepEqual(await booked(id), [0, 0])
  await changePlan(id, 10, middle, { every: 'week' })
  assert.deepEqual(await booked(id), [0, 0, 10], 'the whole week is to be paid')
})

test('credit that was used before a refund stays used, and is no credit if the refund fails', async () => {
  const id = await beginWithCredit()
  await lives.advance(id, middle, start + 31 * dayMs)
  assert.deepEqual(await booked(id), [5, 0])
  await refund(id, null, start + 32 * dayMs, 'first')
  await lives.advance(id, start + 32 * dayMs, start + 62 * dayMs)
  assert.deepEqual(await booked(id), [0, 0, 5])
  await failAndRelease(id)
  await changePlan(id, 5, start + 63 * dayMs, { proration: 'none' })
  assert.deepEqual(await booked(id), [5, 0, 5])
})

test('a refund of a payment is taken off the credit of each change, and what was paid since is not', async () => {
  const id = await beginWithCredit()
  await changePlan(id, 50, middle)
  assert.deepEqual(await booked(id), [0, 12.5], '25 less 2.50 of the charge and 10.00 of credit')
  await changePlan(id, 0, middle)
  assert.deepEqual(await booked(id), [25, 12.5])
  await refund(id, null, middle, 'first')
  await changePlan(id, 0, middle, { proration: 'none' })
  assert.deepEqual(await booked(id), [12.5, 12.5])
})

test('credit that has paid another plan is taken off that plan, also after the period of its payment', async () => {
  const id = await begin()
  await changePlan(id, 1, start)
  assert.deepEqual(await booked(id), [24])
  const later = start + 31 * dayMs
  await lives.advance(id, start, later)
  assert.deepEqual(await booked(id), [23, 0])
  await changePlan(id, 23, later, { every: 'year' })
  const [credit, , paid] = await booked(id)
  assert.deepEqual([credit, paid], [0.96, 0], 'of the second month 0.96 are left')
  await dispute(id, later)
  await changePlan(id, 1, later, { every: 'month' })
  assert.deepEqual(await booked(id), [0, 0, 0, 1], 'nothing of the year was paid in the end')
})

test('credit of an invoice that is voided goes with the payment that it came from', async () => {
  const id = await beginWithCredit()
  await stack.sql(`update subscriptions set collection = 'invoice' where id = ?`, [id])
  await changePlan(id, 25, middle, { proration: 'none' })
  const ahead = start + 29 * dayMs
  await lives.advance(id, middle, ahead)
  assert.deepEqual(await booked(id), [0, 15])
  const { invoice_id } = (await lives.plans.invoices(id)).at(-1) ?? {}
  assert.equal(await lives.ask(id, { kind: 'voidInvoice', invoice_id: String(invoice_id) }, ahead), 'done')
  assert.deepEqual(await booked(id), [10, 15])
  await refund(id, null, ahead, 'first')
  await lives.advance(id, ahead, start + 32 * dayMs)
  await changePlan(id, 25, start + 32 * dayMs, { proration: 'none' })
  assert.deepEqual(await booked(id), [0, 15])
})

/** Changes the plan without proration; `meanwhile` is committed after its transaction has read the returns once. */
async function changeWhile(id: string, meanwhile: () => Promise<void>): Promise<void> {
  const { line_items } = await lives.plans.read(id)
  const rhythm = { interval: 'month' as const, interval_count: 1 }
  const what = { kind: 'changePlan' as const, line_items, ...rhythm, proration: 'none' as const }
  const [at, changeId] = [middle + dayMs, newId('call', middle)]
  const asked = { id: changeId, subscriptionId: id, by: 'customer' as const, appliedAt: null, createdAt: new Date(at) }
  await stack.database.orm.em.fork().insert(SubscriptionChange, { ...asked, what })
  const apart = AsyncLocalStorage.bind(meanwhile) // in a transaction of its own
  let readings = 0
  await inTransaction(stack.database, async (em) => {
    const subscription = await lock(em, Subscription, id)
    const execute = em.execute.bind(em)
    const executeAfter = async (...call: Parameters<typeof execute>) => {
      if (String(call[0]).includes('from refunds where charge_id = p.id') && readings++ === 1) await apart()
      return execute(...call)
    }
    em.execute = executeAfter as typeof execute
    await applyChange(em, subscription, changeId, at)
  })
  assert.ok(readings > 1, 'the returns are read more than once')
}

test('a refund that is committed while a plan is changed is taken off once, until it fails', async () => {
  const id = await beginWithCredit()
  const half = ((await changes.settled(id)) * 0.4).toFixed(2)
  await changeWhile(id, () => refund(id, half, middle + dayMs))
  await lookAt(id)
  const [credit] = await booked(id)
  assert.ok(Math.abs(Number(credit) - 5) <= 0.02, `half of the part that became credit: ${credit}`)
  await failAndRelease(id)
  await lookAt(id)
  assert.deepEqual(await booked(id), [10])
  await changeWhile(id, () => refund(id, null, middle + dayMs, 'first'))
  await lookAt(id)
  assert.deepEqual(await booked(id), [0])
  await failAndRelease(id)
  await lookAt(id)
  assert.deepEqual(await booked(id), [10])
})
