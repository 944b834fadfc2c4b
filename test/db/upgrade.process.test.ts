import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDatabase } from '../../db/open-database.ts'
import { migrate } from '../../db/migrate.ts'
import { withApi } from '../support/api.ts'
import { beginAllAnew, stillOpen } from '../support/begin-all-anew.ts'
import { createDatabase } from '../support/database.ts'
import { callAs } from '../support/destination.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { load, readRelease, type Release, releaseNames } from '../support/release.ts'
import type { ReleaseWork } from '../support/release-work.ts'
import { describeSchema, differences } from '../support/schema.ts'
import { type ExistingData, type Stack, startStack } from '../support/stack.ts'
import { addStaff } from '../support/staff.ts'

// Databases of earlier releases with open work, under the code of today and an empty engine.
const hour = 3_600_000
const stepsMax = 200

/** How each open row ends once time passes, rails answer and staff decide. */
const ends: Record<string, Record<string, string>> = {
  checkouts: {
    paid: 'completed',
    saved: 'completed',
    left: 'cancelled',
    open: 'expired',
    challenged: 'expired',
    awaited: 'expired',
    short: 'expired',
    prompted: 'expired',
    coins: 'expired',
    promisedSession: 'expired',
  },
  refunds: { refunded: 'succeeded', refunding: 'succeeded', promisedRefund: 'succeeded' },
  conversions: { converted: 'completed', converting: 'completed', promisedConversion: 'completed' },
  payouts: { sent: 'completed', held: 'completed', unanswered: 'completed', promisedPayout: 'completed' },
  payout_destinations: { good: 'approved', undecided: 'approved', refused: 'rejected' },
}

async function restore(release: Release): Promise<ExistingData> {
  const { url, drop } = await createDatabase('template1')
  const { orm } = await openDatabase(url, 1)
  try {
    await load((sql, params = []) => orm.em.fork().execute(sql, params), release)
  } finally {
    await orm.close()
  }
  const { keyPepper, encryptionKeys, apiKey } = release.secrets
  return { url, drop, keyPepper: Buffer.from(keyPepper, 'base64'), encryptionKeys, apiKey }
}

const linesOf = async (stack: Stack) => (await stack.sql<{ line: string }>(describeSchema)).map(({ line }) => line)

async function newSchema(): Promise<string[]> {
  const { url, drop } = await createDatabase()
  const { orm } = await openDatabase(url, 1)
  const rows = await orm.em.fork().execute<{ line: string }[]>(describeSchema)
  await orm.close()
  await drop()
  return rows.map(({ line }) => line)
}

/** The rails answer the orders that they have kept open. */
async function letRailsAnswer({ sql }: Stack): Promise<void> {
  await sql(`update simulated_refunds set status = 'succeeded', executions = 1 where status = 'processing'`)
  await sql(`update simulated_conversions set status = 'completed', executions = 1 where status = 'processing'`)
}

/** Staff decide about destinations, held payouts and payouts whose rail never answers. */
async function letStaffDecide(stack: Stack, staff: Awaited<ReturnType<typeof addStaff>>): Promise<void> {
  const destinations = await stack.sql<{ id: string }>(
    `select resource_id as id from reviews where state = 'open' and type = 'payout_destination'`,
  )
  for (const { id } of destinations) {
    const path = `/api/v1/admin/payout-destinations/${id}/review`
    await callAs(stack.merchant, staff, 'POST', path, { decision: 'approve' })
  }
  const payouts = await stack.sql<{ id: string; status: string }>(
    `select id, status from payouts where status in ('requested', 'pending', 'processing')`,
  )
  const settlement = { reason: 'The bank’s statement shows it', proof_ref: 'STATEMENT-7' }
  for (const { id, status } of payouts) {
    if (status === 'processing') await staff.onPayout(id, 'mark-settled', settlement)
    else await staff.onPayout(id, 'review', { decision: 'approve' })
  }
}

/** Lets time pass until nothing is open. */
async function finishAll(stack: Stack): Promise<void> {
  const staff = await addStaff(stack)
  for (let step = 0; step < stepsMax && (await stillOpen(stack)).length > 0; step++) {
    await stack.skip(hour)
    await stack.dispatched()
    await letRailsAnswer(stack)
    await letStaffDecide(stack, staff)
  }
  await stack.dispatched()
  assert.deepEqual(await stillOpen(stack), [])
}

async function statusesOf(stack: Stack, work: ReleaseWork) {
  const found: typeof ends = {}
  for (const [table, names] of Object.entries(ends)) {
    const labels = Object.keys(names)
    const ids = labels.map((label) => String(work[label]))
    const rows = await stack.sql<{ id: string; status: string }>(`select id, status from ${table} where id in (?)`, [
      ids,
    ])
    const statuses = new Map(rows.map(({ id, status }) => [id, status]))
    found[table] = Object.fromEntries(labels.map((label) => [label, statuses.get(String(work[label])) ?? 'missing']))
  }
  return found
}

/** Everyday calls work on the old rows and on new ones. */
async function doNewWork(stack: Stack): Promise<void> {
  const { merchant } = stack
  const refund = await merchant.refund(await merchant.chargeByTransfer())
  await stack.dispatched()
  await stack.finished('refund', refund.refund_id)
  assert.equal((await merchant.getRefund(refund.refund_id))['status'], 'succeeded')
  for (const path of [
    '/v1/balances',
    '/v1/balances/transactions',
    '/v1/payments',
    '/v1/customers?search=a',
    '/v1/payouts',
  ]) {
    const { status, text } = await merchant.call('GET', path)
    assert.equal(status, 200, `${path}: ${text}`)
  }
}

async function takeOver(release: Release, data: ExistingData, receiver: Receiver): Promise<void> {
  const stack = await startStack({ skipping: true, from: data })
  try {
    await withApi(stack).lift()
    assert.deepEqual(differences(await linesOf(stack), await newSchema()), [], 'the schema is that of a new database')
    await stack.merchant.setWebhook(receiver.url)
    await beginAllAnew(stack)
    await finishAll(stack)
    assert.deepEqual(await statusesOf(stack, release.work), ends)
    await doNewWork(stack)
    await finishAll(stack)
    assert.deepEqual(await stack.check(), [])
  } finally {
    await stack.stop()
  }
}

for (const name of releaseNames()) {
  test(`the open work of release ${name} ends under this code, and new work is done beside it`, async () => {
    const release = readRelease(name)
    const data = await restore(release)
    await migrate(data.url)
    const receiver = await startReceiver()
    try {
      await takeOver(release, data, receiver)
    } finally {
      await receiver.close()
    }
  })
}

test('a recorded release has open work of every kind', () => {
  assert.ok(releaseNames().length >= 2)
  for (const { name, tables } of releaseNames().map(readRelease)) {
    const rowsWith = (table: string, ...texts: string[]) =>
      (tables[table] ?? []).filter((row) => texts.some((text) => row.includes(text))).length
    assert.ok(rowsWith('checkouts', '"status": "open"') >= 5, name)
    assert.ok(rowsWith('checkouts', '"listens_until": "2') >= 1, name)
    assert.ok(rowsWith('refunds', '"status": "processing"') >= 1, name)
    assert.ok(rowsWith('conversions', '"status": "processing"') >= 1, name)
    assert.ok(rowsWith('payouts', '"status": "processing"') >= 1, name)
    assert.ok(rowsWith('payouts', '"status": "pending"', '"status": "requested"') >= 2, name)
    assert.ok(rowsWith('deliveries', '"status": "pending"') >= 5, name)
    assert.ok(rowsWith('payout_schedules', '"next_run_at": "2') >= 1, name)
    assert.ok((tables['outbox'] ?? []).length >= 4, name)
  }
})
