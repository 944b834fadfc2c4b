import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDestination, lastFour } from '../support/payout.ts'
import { credit } from '../support/payout-schedule.ts'
import { addStaff } from '../support/staff.ts'
import { beginOnClock, day, hour } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// What staff do about payouts of an account on a test clock, whose rail never answers.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const ada = await addStaff(stack)

/** A payout of a new organization whose clock stands so far ahead of the real time, or behind it. */
async function payOutOnClock(aheadMs: number, more: object = {}) {
  const frozen_time = new Date(Date.now() + aheadMs).toISOString()
  const { merchant, accountId, attach, advance } = await beginOnClock(api, { frozen_time })
  const owner = { accountId, environment: 'sandbox' as const }
  await credit(stack, { accountId, merchant }, 'NGN', '100000.00', Date.now() + aheadMs - day)
  const silent = await addDestination(stack, owner, { ends: lastFour.neverAnswers })
  await attach({ account_id: accountId })
  const { id } = await merchant.payOut(silent, { amount: '1000.00', ...more })
  const reaches = (status: string) =>
    until(async () => (await merchant.getPayout(id)).status === status, `the payout is ${status}`)
  return { id, advance, reaches }
}

for (const [where, aheadMs] of [
  ['behind', -5 * day],
  ['ahead of', 300 * day],
] as const) {
  test(`what staff do on a clock ${where} the real time is dated by the real time`, async () => {
    const { id, reaches } = await payOutOnClock(aheadMs, { reference: 'sandbox_hold' })
    await reaches('pending')
    assert.equal((await ada.onPayout(id, 'review', { decision: 'approve' })).status, 200)
    await reaches('processing')
    for (const what of ['hold', 'release', 'retry', 'mark-failed']) {
      const answer = await ada.onPayout(id, what, { reason: 'The bank knows nothing' })
      assert.equal(answer.body['state'], 'executed', answer.text)
    }
    const moments = await stack.sql<{ what: string; at: Date | string }>(
      `select action as what, at from audit_entries where target = ?
       union all select action, created_at from operator_actions where resource_id = ?
       union all select action, updated_at from operator_actions where resource_id = ?`,
      [id, id, id],
    )
    assert.equal(moments.length, 9 + 4 + 4)
    const isNow = (at: Date | string) => Math.abs(new Date(at).getTime() - Date.now()) < hour
    assert.deepEqual(
      moments.filter(({ at }) => !isNow(at)),
      [],
    )
  })
}

test('the page of a payout on a clock says that it is stuck an hour after it was sent, by the clock', async () => {
  for (const aheadMs of [-5 * day, 300 * day]) {
    const { id, advance, reaches } = await payOutOnClock(aheadMs)
    await reaches('processing')
    const stuckSince = async () => (await ada.call('GET', `/api/v1/admin/payouts/${id}`)).body['stuck_since']
    assert.equal(await stuckSince(), null)
    await advance({ by: 'PT2H' })
    const [payout] = await stack.sql<{ at: string }>('select submitted_at as at from payouts where id = ?', [id])
    assert.equal(await stuckSince(), new Date(Date.parse(String(payout?.at)) + hour).toISOString())
  }
})
