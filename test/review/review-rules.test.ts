import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../domain/refusal.ts'
import {
  assertNotClaimedByAnother,
  claimMs,
  deadlinesOf,
  decisionOf,
  isClaimed,
  mayDecide,
  nextReminder,
} from '../../domain/review.ts'

// The rules of reviews, tested without a running service.

const [hour, day] = [3_600_000, 86_400_000]
const isConflict = (error: unknown) => error instanceof Refusal && error.code === 'CONFLICT'

test('staff are reminded of a review after 24 hours and it is escalated after 72, and each is said once', () => {
  const { remindsAt, escalatesAt } = deadlinesOf(1_000)
  assert.deepEqual([remindsAt, escalatesAt], [new Date(1_000 + day), new Date(1_000 + 3 * day)])
  const review = { remindsAt, escalatesAt, remindedAt: null, escalatedAt: null }
  assert.deepEqual(nextReminder(review), { what: 'remind', at: 1_000 + day })
  assert.deepEqual(nextReminder({ ...review, remindedAt: remindsAt }), { what: 'escalate', at: 1_000 + 3 * day })
  assert.equal(nextReminder({ ...review, remindedAt: remindsAt, escalatedAt: escalatesAt }), null)
  assert.equal(nextReminder({ ...review, escalatedAt: escalatesAt }), null)
})

test('a claim reserves a review for an hour, for whoever made it', () => {
  const claim = { claimedBy: 'usr_1', claimedAt: new Date(1_000) }
  assert.equal(claimMs, hour)
  assert.deepEqual([isClaimed(claim, 999 + hour), isClaimed(claim, 1_000 + hour)], [true, false])
  assert.equal(isClaimed({ claimedBy: null, claimedAt: null }, 0), false)
  assertNotClaimedByAnother({ claimedBy: null, claimedAt: null }, 'usr_2', 0)
  assertNotClaimedByAnother(claim, 'usr_1', 1_001)
  assertNotClaimedByAnother(claim, 'usr_2', 1_000 + hour)
  assert.throws(() => assertNotClaimedByAnother(claim, 'usr_2', 999 + hour), isConflict)
  assert.throws(() => assertNotClaimedByAnother({ ...claim, claimedAt: null }, 'usr_2', 10 * day), isConflict)
})

test('an open review may be decided, the same decision changes nothing, and any other one is refused', () => {
  assert.equal(mayDecide({ state: 'open', decision: null }, 'approve'), true)
  assert.equal(mayDecide({ state: 'decided', decision: 'approve' }, 'approve'), false)
  assert.throws(
    () => mayDecide({ state: 'decided', decision: 'approve' }, 'reject'),
    /another decision was made already/,
  )
  assert.throws(() => mayDecide({ state: 'withdrawn', decision: null }, 'approve'), /has changed/)
  assert.throws(() => mayDecide({ state: 'withdrawn', decision: 'approve' }, 'approve'), isConflict)
  assert.deepEqual([decisionOf('approve'), decisionOf('reject')], ['approve', 'reject'])
  assert.throws(() => decisionOf('request_information'), isConflict)
})
