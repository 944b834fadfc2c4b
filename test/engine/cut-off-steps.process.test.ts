import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutOffSteps } from '../support/cut-off-steps.ts'
import { lives, record } from '../support/histories.ts'
import { findMoved, movedTwice } from '../support/moved-twice.ts'
import type { Receiver } from '../support/receiver.ts'
import type { Stack } from '../support/stack.ts'
import { useReceiver, useStack } from '../support/use-stack.ts'

// The engine makes a step again where its answer is missing: its worker has died between two of the step's effects, or
// stands still and goes on after the process has. Lives of ten processes are played undisturbed, and then with each of
// its steps cut off at each place.
const cut = cutOffSteps()
const undisturbed = { stack: await useStack({ skipping: true }), receiver: await useReceiver() }
// A call waits while its step is cut off some twenty times.
const patient = { skipping: true, rig: cut.rig, updateTimeoutMs: 120_000 }
const disturbed = { stack: await useStack(patient), receiver: await useReceiver() }

const played = [
  'checkout-paid-with-3ds',
  'checkout-saved-a-card-with-3ds',
  'checkout-underpaid-then-topped-up',
  'checkout-paid-by-mobile-money',
  'checkout-paid-by-crypto',
  'checkout-expired',
  'refund-retried-then-settled',
  'payout-held-then-approved',
  'payout-held-then-released-then-settled',
  'payout-destination-approved-at-once',
  'account-asked-for-information',
  'dispute-won',
  'conversion-held-then-released',
  'subscription-charge-retried',
  'deposit-settled',
  'webhook-delivery-recovered',
]

/** What is booked, by kind, and how many movements of it there are. */
const bookings = ({ sql }: Stack) =>
  sql<{ text: string; n: number }>(
    `select concat_ws(' ', t.kind, e.book, e.currency, trim_scale(e.amount)) as text, count(*)::int as n
     from ledger_entries e join ledger_transactions t on t.id = e.transaction_id group by 1 order by 1`,
  )

type Place = { stack: Stack; receiver: Receiver }

/** Plays a life, and returns what it has left behind: what it has booked, and the events of each resource in order. */
async function play(name: string, { stack, receiver }: Place): Promise<unknown> {
  await stack.merchant.setWebhook(receiver.url)
  const before = new Map((await bookings(stack)).map(({ text, n }) => [text, n]))
  const begun = new Date(await stack.clock.now())
  const [last] = await stack.sql<{ sequence: string }>('select coalesce(max(sequence), 0) as sequence from events')
  await record(stack, receiver, name)
  await stack.dispatched()
  const booked = (await bookings(stack)).flatMap(({ text, n }) => {
    const more = n - (before.get(text) ?? 0)
    return more === 0 ? [] : [`${more} ${text}`]
  })
  // Sessions of earlier lives may expire in any later one.
  const told = await stack.sql<{ types: string }>(
    `select string_agg(type, ' ' order by sequence) as types from events where sequence > ? and not exists (
       select from checkouts c where c.id = resource_id and c.created_at < ?) group by resource_id order by 1`,
    [last?.sequence, begun],
  )
  return { booked, told: told.map(({ types }) => types) }
}

for (const name of played) {
  test(`${name}: cut off at each place, its money moves once and each event is told once`, async () => {
    assert.ok(lives[name])
    const expected = await play(name, undisturbed)
    let outcome: unknown
    await cut.during(async () => (outcome = await play(name, disturbed)))
    await disturbed.stack.dispatched()
    assert.deepEqual(outcome, expected)
    assert.deepEqual(cut.refused.splice(0), [])
    assert.deepEqual(await disturbed.stack.check(), [])
  })
}

test('money has moved once for each purpose, and steps were cut off at many places', async () => {
  assert.deepEqual(movedTwice(await findMoved(disturbed.stack)), [])
  assert.ok(cut.places.size > 100, `only ${cut.places.size} places`)
})
