import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkoutActivities } from '../../activities/checkout/checkout.ts'
import { disputeActivities } from '../../activities/dispute/dispute.ts'
import { hourMs } from '../../domain/duration.ts'
import { newId } from '../../domain/id.ts'
import { assertError } from '../support/api.ts'
import { whileLocked } from '../support/locked.ts'
import { makePayment } from '../support/resource.ts'
import { until } from '../support/until.ts'
import { useStack } from '../support/use-stack.ts'
import { untilLockWaits } from '../support/lock-waits.ts'

// A test clock comes to rest before a step of one of its members is committed, and has not seen what that made due.
const stack = await useStack({ workers: false })
const { organizationId: accountId } = stack
const begin = Date.UTC(2031, 0, 31)

/** Puts a row on a clock, and moves the clock on by two hours while a step of the row waits. Returns what it tells. */
async function whileStepWaits(table: string, id: string, step: () => Promise<{ clockTime: number | null }>) {
  const clockId = newId('clk', begin)
  await stack.sql(
    `insert into test_clocks (id, account_id, environment, name, frozen_time, created_at, updated_at)
     values (?, ?, 'sandbox', 'A clock', ?, now(), now())`,
    [clockId, accountId, new Date(begin)],
  )
  await stack.sql(`update ${table} set clock_id = ? where id = ?`, [clockId, id])
  const { done } = await whileLocked(stack, 'events', async () => {
    const begun = step()
    await untilLockWaits(stack.database, 'the step waits')
    await stack.sql('update test_clocks set frozen_time = ? where id = ?', [new Date(begin + 2 * hourMs), clockId])
    return { done: begun }
  })
  return (await done).clockTime
}

test('a step of a session tells its process the time to which the clock has gone on meanwhile', async () => {
  const { checkout_id: id } = await stack.merchant.createCheckout()
  const steps = checkoutActivities(stack.deps)
  const told = await whileStepWaits('checkouts', id, () => steps.expireCheckout(id, begin, false))
  assert.equal(told, begin + 2 * hourMs)
})

test('a step of a dispute tells its process the time to which the clock has gone on meanwhile', async () => {
  const id = newId('dsp', begin)
  const paymentId = await makePayment(stack, { accountId }, 'sandbox')
  await stack.sql(
    `insert into disputes (id, account_id, environment, payment_id, network_id, corridor, status, amount, currency, fee,
       reason, prefilled, evidence, evidence_due_at, wakes_at, wakes_for, created_at, updated_at)
     values (?, ?, 'sandbox', ?, ?, 'USD_CARD', 'needs_response', 10, 'USD', 15, 'fraudulent', '{}', '{}', ?, ?,
       'evidence_due_soon', now(), now())`,
    [id, accountId, paymentId, id, new Date(begin + 48 * hourMs), new Date(begin)],
  )
  const steps = disputeActivities(stack.deps)
  const told = await whileStepWaits('disputes', id, () => steps.takeDisputeStep(id, begin))
  assert.equal(told, begin + 2 * hourMs)
})

test('NOT_FOUND: a clock that is deleted before the call that advances it has seen it arrive', async () => {
  const { body } = await stack.merchant.call('POST', '/v1/test-helpers/clocks', { name: 'A clock' })
  const id = String(body['clock_id'])
  const advancing = stack.merchant.call('POST', `/v1/test-helpers/clocks/${id}/advance`, { by: 'P1D' })
  const isAdvancing = () => stack.sql('select from test_clocks where id = ? and target is not null', [id])
  await until(async () => (await isAdvancing()).length > 0, 'the clock advances')
  await stack.sql('delete from test_clocks where id = ?', [id])
  assertError(await advancing, 404, 'NOT_FOUND')
})
