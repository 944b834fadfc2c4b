import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FailureCode } from '../../domain/checkout/payment.ts'
import { platformSettings } from '../../domain/platform/account-settings.ts'
import { afterFailure } from '../../domain/subscription/dunning.ts'

const day = 86_400_000
const failedAt = Date.parse('2027-04-01T12:00:00Z')

/** After how many days each attempt is repeated, and when the subscription ends without one. */
function pausesOf(failureCode: FailureCode | null, pauses: readonly number[] = platformSettings.dunning) {
  const inDays = (at: number | null) => (at === null ? null : (at - failedAt) / day)
  return [1, 2, 3, 4, 5].map((attempts) => {
    const { nextAttemptAt, endsAt } = afterFailure({ attempts, failedAt, failureCode }, pauses)
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
