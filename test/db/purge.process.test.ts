import assert from 'node:assert/strict'
import { test } from 'node:test'
import { housekeeping } from '../../engine/own-processes.ts'
import { endow } from '../support/conversion.ts'
import { addDestination } from '../support/payout.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { useReceiver, useStack } from '../support/use-stack.ts'

const day = 24 * 3_600_000

const stack = await useStack({ skipping: true })
const receiver = await useReceiver()

const countOf = async (table: string, only = 'true') => {
  const [row] = await stack.sql<{ count: number }>(`select count(*)::int as count from ${table} where ${only}`)
  return row?.count
}

test('a hundred days later the details of sales and payouts are deleted, ledger and histories are whole', async () => {
  await stack.merchant.setWebhook(receiver.url)
  const { checkout_id: left } = await stack.merchant.createCheckout()
  await stack.dispatched()
  await settled(stack.client, 'checkout', left) // the worker has loaded its processes: now it answers quickly
  const charge = await stack.merchant.chargeByTransfer()
  const refund = await stack.merchant.refund(charge)
  await endow(stack, stack.organizationId, '10000.00', 'NGN')
  const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
  const payout = await stack.merchant.payOut(await addDestination(stack, owner))
  const key = { 'idempotency-key': 'once' }
  await stack.merchant.call('POST', '/v1/checkout-sessions', { ...sale }, key)
  await stack.dispatched()
  await stack.finished('refund', refund.refund_id)
  await stack.finished('payout', payout.id)
  await stack.skip(100 * day)
  const events = await stack.sql('select id, type, sequence from events order by sequence')
  assert.ok(events.length > 5)

  await stack.services.engine.dispatch({ ...housekeeping(stack), signal: null })
  await settled(stack.client, 'housekeeping', stack.taskQueue)
  for (const table of ['idempotency_records', 'payment_requests', 'deliveries', 'delivery_attempts', 'rate_windows']) {
    assert.equal(await countOf(table), 0, table)
  }
  assert.equal(await countOf('events', `body <> ''`), 0)
  assert.deepEqual(await stack.sql('select id, type, sequence from events order by sequence'), events)
  assert.deepEqual(await stack.check(), [])
  assert.equal((await stack.merchant.getRefund(refund.refund_id))['status'], 'succeeded')
  const { body } = await (await addStaff(stack)).call('GET', `/api/v1/admin/timelines/${payout.id}`)
  assert.match(JSON.stringify(body), /"completed"/, 'staff can read what has happened')
})

const sale = { amount: '5.00', currency: 'USD', description: 'A sale', success_url: 'https://example.com' }
