import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FailureCode } from '../../domain/checkout/payment.ts'
import { platformSettings } from '../../domain/platform/account-settings.ts'
import { afterFailure, type Dunning } from '../../domain/subscription/dunning.ts'

const day = 86_400_000
const failedAt = Date.parse('2027-04-01T12:00:00Z')

/** After how many days each attempt is repeated, and when the subscription ends without one. */
function pausesOf(failureCode: FailureCode | null, pauses: readonly number[] = platformSettings.dunning) {
  const inDays = (at: number | null) => (at === null ? null : (at - failedAt) / day)
  return [1, 2, 3, 4, 5].map((attempts) => {
    const before = { attempts: attempts - 1, nextAttemptAt: null, endsAt: null }
    const { nextAttemptAt, endsAt, ...after } = afterFailure(before, { failedAt, failureCode }, pauses)
    assert.equal(after.attempts, attempts)
    return [inDays(nextAttemptAt), inDays(endsAt)]
  })
}

const again = (...days: (number | null)[]) => days.map((each) => [each, null])

test('a failed charge is tried again after 2, 5, 7 and 7 days, or as the account has set it', () => {
  assert.deepEqual(pausesOf('insufficient_funds'), again(2, 5, 7, 7, null))
  assert.deepEqual(pausesOf('card_declined', [1, 3]), again(1, 3, null, null, null))
  assert.deepEqual(pausesOf('card_declined', []), again(null, null, null, null, null))
})

test('a subscription without a card is tried again as well: its customer may name one meanwhile', () => {
  assert.deepEqual(pausesOf(null), again(2, 5, 7, 7, null))
})

test('a hard decline is never tried again; the subscription ends when the last attempt would have been', () => {
  for (const code of ['expired_card', 'invalid_account'] as const)
    assert.deepEqual(pausesOf(code), [
      [null, 21],
      [null, 19],
      [null, 14],
      [null, 7],
      [null, null],
    ])
})

/** What follows when a charge fails that somebody has asked for after so many days. */
const asked = (before: Partial<Dunning>, failureCode: FailureCode | null, days = 0) => {
  const standing = { attempts: 1, nextAttemptAt: null, endsAt: null, ...before }
  return afterFailure(standing, { failedAt: failedAt + days * day, failureCode }, platformSettings.dunning)
}

test('a charge that somebody has asked for leaves the next attempt where it was, however often it fails', () => {
  const waiting = { attempts: 1, nextAttemptAt: failedAt + 2 * day, endsAt: null }
  assert.deepEqual(asked(waiting, 'card_declined', 1), waiting)
  assert.deepEqual(asked(waiting, null, 1), waiting)
  const last = { attempts: 4, nextAttemptAt: failedAt + 21 * day, endsAt: null }
  assert.deepEqual(asked(last, 'card_declined', 20), last)
})

test('a card that is declined for good when somebody asks for it ends the schedule at its last attempt', () => {
  const [next, ends] = [failedAt + 2 * day, failedAt + 21 * day]
  const ended = { attempts: 1, nextAttemptAt: null, endsAt: ends }
  assert.deepEqual(asked({ nextAttemptAt: next }, 'expired_card', 1), ended)
  assert.deepEqual(asked(ended, 'expired_card', 9), ended, 'and does not move that end')
  const four = { attempts: 4, nextAttemptAt: ends }
  assert.deepEqual(asked(four, 'expired_card', 20), { attempts: 4, nextAttemptAt: null, endsAt: ends })
})

test('another card that fails after one that was declined for good goes on with the schedule', () => {
  const ended = { attempts: 1, nextAttemptAt: null, endsAt: failedAt + 21 * day }
  const inDays = [0, 1, 2, 6.9, 7, 15, 20.9, 22].map((days) => {
    const { attempts, nextAttemptAt, endsAt } = asked(ended, 'card_declined', days)
    assert.equal(endsAt, null)
    return [attempts, ((nextAttemptAt ?? 0) - failedAt) / day]
  })
  const [second, third, fourth, last] = [
    [1, 2],
    [2, 7],
    [3, 14],
    [4, 21],
  ]
  assert.deepEqual(inDays, [second, second, third, third, fourth, last, last, last])
})
