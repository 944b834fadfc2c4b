import assert from 'node:assert/strict'
import { test } from 'node:test'
import { depositActivities } from '../../activities/deposit.ts'
import { payoutActivities } from '../../activities/payout/payout.ts'
import { refundActivities } from '../../activities/refund.ts'
import { inTransaction } from '../../db/core/database.ts'
import { post, releasePostings } from '../../db/ledger/ledger.ts'
import { endow } from '../support/conversion.ts'
import { addDestination, lastFour } from '../support/payout.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { openAccount } from '../support/virtual-account.ts'

// Steps that run long after their processes have scheduled them, as after an outage: their `at` is an hour old.
const hour = 3_600_000

const stack = await useStack({ workers: false })
await useApi(stack)
await endow(stack, stack.organizationId, '100000.00', 'NGN')

/** All balances as the merchant reads them, at moments before the step is made. */
async function pastOf(moments: number[]): Promise<unknown[]> {
  const answers = []
  for (const moment of moments) {
    const reply = await stack.merchant.call('GET', `/v1/balances?at=${new Date(moment).toISOString()}`)
    assert.equal(reply.status, 200, reply.text)
    answers.push(reply.body['items'])
  }
  return answers
}

/** Runs a step with an `at` of an hour ago; returns how many entries and events it has written since. */
async function late(step: (at: number) => Promise<unknown>): Promise<{ entries: number; events: number }> {
  const begun = Date.now()
  const moments = [begun - 59 * 60_000, begun - hour / 2, begun - 1_000]
  const past = await pastOf(moments)
  await step(begun - hour)
  assert.deepEqual(await pastOf(moments), past)
  const since = async (sql: string) => (await stack.sql<{ count: number }>(sql, [new Date(begun)]))[0]?.count ?? 0
  const written = `select count(*)::int as count from`
  const entries = await since(`${written} ledger_entries where created_at >= ?`)
  const events = await since(`${written} events where created_at >= ?`)
  return { entries, events }
}

/** Asserts that no event has an earlier time than the event before it. */
async function assertInOrder(): Promise<void> {
  const events = await stack.sql<{ createdAt: string }>(
    `select body::json ->> 'created_at' as "createdAt" from events order by sequence`,
  )
  const times = events.map(({ createdAt }) => createdAt)
  assert.deepEqual(times, times.toSorted())
}

test('a deposit posted an hour late leaves past balances unchanged, and is not available before now', async () => {
  const account = await openAccount(stack.merchant, 'late@example.com')
  const body = { amount: '5000.00', session_id: 'L1' }
  const path = `/v1/test-helpers/virtual-accounts/${account.virtual_account_id}/deposits`
  const { body: payment } = await stack.merchant.call('POST', path, body)
  const id = String(payment['payment_id'])
  const { settleDeposit } = depositActivities(stack.deps)
  const begun = Date.now()
  const { entries, events } = await late((at) => settleDeposit(id, at))
  assert.ok(entries >= 3 && events >= 1, `${entries} entries, ${events} events`)
  const becomesAvailable = await stack.sql(
    'select from ledger_entries where created_at >= ? and available_at < created_at',
    [new Date(begun)],
  )
  assert.deepEqual(becomesAvailable, [])
  await assertInOrder()
})

test('a payout that is sent or given back an hour late is posted when that happens', async () => {
  const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
  const steps = payoutActivities(stack.deps)
  for (const ends of [lastFour.completes, lastFour.fails]) {
    const { id } = await stack.merchant.payOut(await addDestination(stack, owner, { ends }))
    await steps.assessPayout(id, Date.now())
    const { entries, events } = await late((at) => steps.submitPayout(id, at))
    assert.ok(entries >= 2 && events >= 1, `${entries} entries, ${events} events`)
  }
  await assertInOrder()
})

test('a step whose time is ahead, as of an engine whose clock is ahead, is posted with the real time', async () => {
  const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
  const { id } = await stack.merchant.payOut(await addDestination(stack, owner, { ends: lastFour.completes }))
  const steps = payoutActivities(stack.deps)
  await steps.assessPayout(id, Date.now())
  const begun = Date.now()
  await steps.submitPayout(id, begun + 60_000)
  const rows = await stack.sql<{ at: string }>(
    `select (extract(epoch from created_at) * 1000)::bigint::text as at from ledger_transactions
     where source_id = ? and kind = 'payout_paid'`,
    [id],
  )
  assert.equal(rows.length, 1)
  const postedAt = Number(rows[0]?.at)
  assert.ok(postedAt >= begun && postedAt <= Date.now(), `posted ${postedAt - begun} ms later`)
  await assertInOrder()
})

test('pending time counts from when money is posted, but released money keeps its time', async () => {
  const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
  const { database } = stack.deps
  const begun = Date.now()
  const [at, day] = [begun - hour, 24 * hour]
  const earned = [
    { ledgerAccount: 'rail' as const, currency: 'USD' as const, amount: '-10' },
    { ledgerAccount: 'merchant' as const, currency: 'USD' as const, amount: '10', availableAfterMs: 2 * day },
  ]
  await inTransaction(database, (em) => post(em, { kind: 'surplus', sourceId: 'late-1', owner, postings: earned }, at))
  const held = [
    { ledgerAccount: 'merchant' as const, currency: 'USD' as const, amount: '-4', drawsPending: true },
    { ledgerAccount: 'reserved' as const, currency: 'USD' as const, amount: '4' },
  ]
  await inTransaction(database, (em) =>
    post(em, { kind: 'refund_hold', sourceId: 'ref_late', owner, postings: held }, at),
  )
  await inTransaction(database, async (em) => {
    const postings = await releasePostings(em, 'refund_hold', 'ref_late')
    await post(em, { kind: 'refund_released', sourceId: 'ref_late', owner, postings }, at)
  })
  const rows = await stack.sql<{ at: string }>(
    `select distinct (extract(epoch from available_at) * 1000)::bigint::text as at from ledger_entries
     where account_id = ? and currency = 'USD' and book = 'merchant'`,
    [owner.accountId],
  )
  assert.equal(rows.length, 1) // all of it when the sale becomes available
  assert.ok(Number(rows[0]?.at) >= begun + 2 * day, 'two days from now on, not from an hour ago')
})

test('a refund that is closed an hour late is posted when that happens', async () => {
  const { submitRefund, closeRefund } = refundActivities(stack.deps)
  const [charge] = await stack.sql<{ id: string }>(`select id from payments where status = 'succeeded' limit 1`)
  assert.ok(charge)
  const { refund_id: id } = await stack.merchant.refund(charge.id, { amount: 100 })
  await submitRefund(id, Date.now())
  const { entries, events } = await late((at) => closeRefund(id, 'failed', at))
  assert.ok(entries >= 2 && events >= 1, `${entries} entries, ${events} events`)
})
