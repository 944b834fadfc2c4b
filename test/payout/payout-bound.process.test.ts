import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/api.ts'
import { endow } from '../support/conversion.ts'
import { approve, change, register, registerApproved, reject } from '../support/destination.ts'
import { addDestination, lastFour, moveDestination } from '../support/payout.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// A payout is sent to the statement of its destination that was reviewed and that its fee was computed for
// (docs/contract/payout.md, "Transitions").
const stack = await useStack({ skipping: true, invariants: 'after each test' })
await useApi(stack)
const ada = await addStaff(stack)
const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
await endow(stack, owner.accountId, '2000000.00', 'USD')
await endow(stack, owner.accountId, '2000000.00', 'NGN')

const waits = async (id: string) => {
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
}
const finished = async (id: string) => {
  await stack.dispatched()
  return stack.finished('payout', id)
}
const review = (id: string, body: object) => ada.onPayout(id, 'review', body)
const hold = { reference: 'sandbox_hold' }
const sentTo = async (id: string) => stack.sql('select status from simulated_payouts where payout_id = ?', [id])

/** A destination of the merchant that the sandbox has approved. */
async function approved(rail: 'USD' | 'NGN', body: object) {
  const destination = await register(stack.merchant, rail, { ...body })
  await stack.dispatched()
  await settled(stack.client, 'payout-destination', destination.id)
  await stack.skip(6_000)
  await stack.finished('payout-destination', destination.id)
  return destination
}

type Open = { id: string; revision: number }
const openReviews = (id: string) =>
  stack.sql<Open>(`select id, revision from reviews where resource_id = ? and state = 'open'`, [id])

test('a held ACH payout that is changed to wire is held again, and fails because its fee has changed', async () => {
  const destination = await approved('USD', { account_number: '000123450001' })
  const created = await stack.merchant.payOut(destination.id, hold)
  assert.equal(created['fee'], '0.00')
  await waits(created.id)
  await change(stack.merchant, destination, { scheme: 'wire' })
  const first = await review(created.id, { decision: 'approve' })
  assert.equal(first.status, 200)
  await waits(created.id)
  const held = await stack.merchant.getPayout(created.id)
  assert.deepEqual(
    [held.status, held['hold_reason']],
    ['pending', 'the destination changed after the payout was accepted'],
  )
  assert.deepEqual(
    (await openReviews(created.id)).map(({ revision }) => revision),
    [2],
  )
  assert.deepEqual(await sentTo(created.id), [])
  assert.equal((await review(created.id, { decision: 'approve' })).status, 200)
  assert.equal(await finished(created.id), 'failed')
  assert.match(String((await stack.merchant.getPayout(created.id))['failure_reason']), /and so has the fee/)
  assert.deepEqual(await sentTo(created.id), [])
})

test('an account restated and approved while a payout is held gets nothing before a new review', async () => {
  const destination = await approved('NGN', { account_number: '0123450002' })
  const { id } = await stack.merchant.payOut(destination.id, hold)
  await waits(id)
  const [seen] = await openReviews(id)
  await change(stack.merchant, destination, { account_number: '0123450001' })
  await stack.dispatched()
  await settled(stack.client, 'payout-destination', destination.id)
  await approve(stack.merchant, ada, destination)
  assert.equal((await review(id, { decision: 'approve', review_id: seen?.id })).status, 200)
  await waits(id)
  assert.equal((await stack.merchant.getPayout(id)).status, 'pending')
  assert.deepEqual(await sentTo(id), [])
  const [next] = await openReviews(id)
  assertError(await review(id, { decision: 'approve', review_id: seen?.id }), 409, 'CONFLICT')
  assert.equal((await review(id, { decision: 'approve', review_id: next?.id })).status, 200)
  assert.equal(await finished(id), 'completed')
})

/** A payout that is held while its destination's number is changed to one that the sandbox leaves to a reviewer. */
async function moved(numbers: [string, string]) {
  const [before, after] = numbers
  const destination = await registerApproved(stack.merchant, ada, 'NGN', { account_number: before })
  const { id } = await stack.merchant.payOut(destination.id, hold)
  await waits(id)
  await change(stack.merchant, destination, { account_number: after })
  return { destination, id }
}

/** Approves a payout whose destination is in review: it is refused, and the open review stays. */
async function approveTooEarly(id: string): Promise<void> {
  const before = await openReviews(id)
  const early = await review(id, { decision: 'approve' })
  assertError(early, 409, 'CONFLICT')
  assert.match(early.text, /the destination of this payout is in review: decide about the destination first/)
  assert.partialDeepStrictEqual(early.body['errors'], [{ code: 'destination_in_review' }])
  await waits(id)
  assert.equal((await stack.merchant.getPayout(id)).status, 'pending')
  assert.deepEqual([await openReviews(id), before.length], [before, 1])
}

test('a held payout whose destination is in review again is approved after it, whichever it is held for', async () => {
  const { destination, id } = await moved(['0123450008', '0123460008'])
  await approveTooEarly(id)
  await approve(stack.merchant, ada, destination)
  assert.equal((await review(id, { decision: 'approve' })).status, 200) // about a destination that nobody had changed
  await waits(id)
  const held = await stack.merchant.getPayout(id)
  assert.deepEqual(
    [held.status, held['hold_reason']],
    ['pending', 'the destination changed after the payout was accepted'],
  )
  const [open] = await openReviews(id)
  assert.equal(open?.revision, 2)
  await change(stack.merchant, destination, { account_number: '0123470008' })
  await approveTooEarly(id)
  await change(stack.merchant, destination, { account_number: '0123460008' })
  await approveTooEarly(id)
  await approve(stack.merchant, ada, destination)
  assert.equal((await review(id, { decision: 'approve', review_id: open?.id })).status, 200)
  await waits(id)
  const [last] = await openReviews(id)
  assert.equal(last?.revision, 3)
  assert.equal((await review(id, { decision: 'approve', review_id: last?.id })).status, 200)
  assert.equal(await finished(id), 'completed')
})

test('a held payout can be rejected while its destination is in review, and fails once that is rejected', async () => {
  const [one, other] = [await moved(['0123470008', '0123480008']), await moved(['0123490008', '0123500008'])]
  assert.equal((await review(one.id, { decision: 'reject', reason: 'Nobody has ordered this' })).status, 200)
  assert.equal(await finished(one.id), 'rejected')
  await reject(stack.merchant, ada, other.destination)
  assert.equal((await review(other.id, { decision: 'approve' })).status, 200)
  assert.equal(await finished(other.id), 'failed')
  assert.match(String((await stack.merchant.getPayout(other.id))['failure_reason']), /could no longer be used/)
})

test('a payout that is held again waits like any other: staff get a mail after a day, and may reject it', async () => {
  const destination = await addDestination(stack, owner)
  const { id } = await stack.merchant.payOut(destination, hold)
  await waits(id)
  await moveDestination(stack, owner, destination, '9128340001')
  await review(id, { decision: 'approve' })
  await waits(id)
  await stack.skip(25 * 3_600_000)
  await waits(id)
  const reminded = `select from reviews where resource_id = ? and revision = 2 and reminded_at is not null`
  assert.equal((await stack.sql(reminded, [id])).length, 1)
  assert.equal((await review(id, { decision: 'reject', reason: 'Nobody has ordered this' })).status, 200)
  assert.equal(await finished(id), 'rejected')
  assert.deepEqual(await sentTo(id), [])
})

test('while a mail about a held payout is sent again, the engine’s UI shows no pause that is over', async (t) => {
  const { id } = await stack.merchant.payOut(await addDestination(stack, owner), hold)
  await waits(id)
  const { deliver } = stack.deps.mailer
  t.after(() => Object.assign(stack.deps.mailer, { deliver }))
  const shown = new Set<string>()
  stack.deps.mailer.deliver = async () => {
    const handle = stack.client.workflow.getHandle(`payout/${id}`)
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')
    shown.add(currentDetails)
    throw new Error('the mail server is unavailable')
  }
  await stack.skip(24 * 3_600_000 + 20 * 60_000)
  const [mailing = '', again] = shown
  assert.match(mailing, /^Approve or reject it .* It is time: staff are mailed\.$/)
  assert.deepEqual([again, shown.size], ['The wait for the mail server is over.', 2])
  assert.equal((await review(id, { decision: 'reject', reason: 'Nobody has ordered this' })).status, 200)
  assert.equal(await finished(id), 'rejected')
})

test('a payout whose destination is restated between two reviews is held once more', async () => {
  const destination = await approved('USD', { account_number: '000123460001' })
  const { id } = await stack.merchant.payOut(destination.id, hold)
  await waits(id)
  for (const scheme of ['wire', 'ach']) {
    await change(stack.merchant, destination, { scheme })
    assert.equal((await review(id, { decision: 'approve' })).status, 200)
    await waits(id)
    assert.equal((await stack.merchant.getPayout(id)).status, 'pending')
  }
  assert.equal((await review(id, { decision: 'approve' })).status, 200) // by ACH, which its fee was computed for
  assert.equal(await finished(id), 'completed')
})

test('a change of the destination’s name or metadata holds no payout: only what the rail gets counts', async () => {
  const destination = await approved('USD', { account_number: '000123470001' })
  const { id } = await stack.merchant.payOut(destination.id, hold)
  await waits(id)
  await change(stack.merchant, destination, { name: 'Another name', metadata: { a: 'b' } })
  assert.equal((await review(id, { decision: 'approve' })).status, 200)
  assert.equal(await finished(id), 'completed')
})

test('the first payout after a restatement counts as a first one, however often its destination was paid', async () => {
  const destination = await addDestination(stack, owner, { currency: 'USD', scheme: 'ach' })
  const pay = async (amount: string) => {
    const { id } = await stack.merchant.payOut(destination, { amount })
    await waits(id)
    return stack.merchant.getPayout(id)
  }
  assert.equal((await pay('10.00')).status, 'completed')
  assert.equal((await pay('300000.00')).status, 'completed')
  await moveDestination(stack, owner, destination, '9128340001')
  const large = await pay('300000.00')
  assert.deepEqual([large.status, /first payout/.test(String(large['hold_reason']))], ['pending', true])
  await review(large.id, { decision: 'reject', reason: 'Unknown' })
  assert.equal(await finished(large.id), 'rejected')
})

test('staff read of a payout whether its destination was changed after it was sent', async () => {
  const destination = await addDestination(stack, owner, { ends: lastFour.neverAnswers })
  const isChanged = async (id: string) =>
    (await ada.call('GET', `/api/v1/admin/payouts/${id}`)).body['destination_changed']
  const [sent, held] = [await stack.merchant.payOut(destination), await stack.merchant.payOut(destination, hold)]
  for (const { id } of [sent, held]) {
    await waits(id)
    assert.equal(await isChanged(id), false)
  }
  await moveDestination(stack, owner, destination, '9128340001')
  assert.deepEqual([await isChanged(sent.id), await isChanged(held.id)], [true, false])
  await review(held.id, { decision: 'reject', reason: 'Unknown' })
  assert.equal(await finished(held.id), 'rejected')
  assert.equal((await ada.onPayout(sent.id, 'mark-failed', { reason: 'The bank knows nothing' })).status, 200)
  assert.equal(await finished(sent.id), 'failed')
  assert.equal(await isChanged(sent.id), true)
})
