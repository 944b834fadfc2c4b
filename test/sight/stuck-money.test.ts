import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { backlogSources } from '../../db/sight/figures.ts'
import { makePayment } from '../support/resource.ts'
import { useStack } from '../support/use-stack.ts'

// The figure that wakes somebody (SteadypayMoneyStuck): live money for longer than is usual of its kind. The list of
// what is stuck is longer.
const stack = await useStack({ workers: false })
const owner = { accountId: stack.organizationId }

afterEach(async () => {
  for (const table of ['disputes', 'refunds', 'deliveries', 'payments']) await stack.sql(`delete from ${table}`)
})

/** What is told of a resource: how much is on the list of what is stuck, and how much of that wakes somebody. */
async function told(resource: string): Promise<[listed: number, wakes: number]> {
  const all = (await backlogSources.stuck?.(stack.database.orm.em.fork(), Date.now(), 2_000)) ?? []
  const of = (name: string) =>
    all
      .filter(({ name: one, labels }) => one === name && labels['resource'] === resource)
      .filter(({ labels }) => labels['environment'] === 'live')
      .reduce((sum, { value }) => sum + value, 0)
  return [of('stuck_waits'), of('stuck_money')]
}

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
const tomorrow = hoursAgo(-20)

test('a dispute that its network decides for weeks wakes nobody, unless it is not asked or told', async () => {
  const paymentId = await makePayment(stack, owner, 'live')
  await stack.sql(
    `insert into disputes (id, account_id, environment, payment_id, network_id, corridor, status, amount, currency, fee,
       reason, prefilled, evidence, evidence_due_at, submitted_at, next_poll_at, created_at, updated_at)
     values ('dsp_1', ?, 'live', ?, 'network-1', 'USD_CARD', 'under_review', 10, 'USD', 0, 'fraudulent', '{}', '{}',
       now(), ?, ?, ?, ?)`,
    [owner.accountId, paymentId, hoursAgo(700), tomorrow, hoursAgo(900), hoursAgo(700)],
  )
  assert.deepEqual(await told('dispute'), [1, 0])
  await stack.sql('update disputes set next_poll_at = ?', [hoursAgo(1)])
  assert.deepEqual(await told('dispute'), [1, 1], 'its network was not asked')
  await stack.sql(`update disputes set next_poll_at = ?, rail_due = 'evidence', updated_at = ?`, [
    tomorrow,
    hoursAgo(2),
  ])
  assert.deepEqual(await told('dispute'), [1, 1], 'its network was not told')
})

test('a refund wakes somebody after two weeks at its provider, or after a day with staff', async () => {
  const paymentId = await makePayment(stack, owner, 'live')
  await stack.sql(
    `insert into refunds (id, account_id, environment, charge_id, reference, currency, requested_amount, fee_amount,
       fee_bearer, status, next_poll_at, created_at, updated_at)
     values ('ref_1', ?, 'live', ?, 'return-1', 'USD', 10, 0, 'ORG', 'processing', ?, ?, now())`,
    [owner.accountId, paymentId, tomorrow, hoursAgo(13 * 24)],
  )
  assert.deepEqual(await told('refund'), [1, 0])
  await stack.sql('update refunds set created_at = ?', [hoursAgo(15 * 24)])
  assert.deepEqual(await told('refund'), [1, 1])
  await stack.sql('update refunds set on_hold_since = ?', [hoursAgo(20)])
  assert.deepEqual(await told('refund'), [1, 0])
  await stack.sql('update refunds set on_hold_since = ?', [hoursAgo(25)])
  assert.deepEqual(await told('refund'), [1, 1])
})

test('a payment wakes somebody after an hour, and a webhook that staff hold is no money', async () => {
  await makePayment(stack, owner, 'live')
  await stack.sql(`update payments set status = 'processing', next_poll_at = ?, created_at = ?`, [
    tomorrow,
    hoursAgo(0.9),
  ])
  assert.deepEqual(await told('payment'), [0, 0])
  await stack.sql('update payments set created_at = ?', [hoursAgo(1.1)])
  assert.deepEqual(await told('payment'), [1, 1])
  await stack.sql(
    `insert into deliveries (id, account_id, environment, event_id, event_type, endpoint_id, on_hold_since, created_at)
     values ('dlv_1', ?, 'live', 'evt_1', 'payout.paid', 'we_1', ?, ?)`,
    [owner.accountId, hoursAgo(100), hoursAgo(100)],
  )
  assert.deepEqual(await told('webhook_delivery'), [1, 0])
})
