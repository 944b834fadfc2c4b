import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FailureCode } from '../../domain/checkout/payment.ts'
import { platformSettings } from '../../domain/platform/account-settings.ts'
import { nextAttemptAt } from '../../domain/subscription/dunning.ts'

const day = 86_400_000
const failedAt = Date.parse('2027-04-01T12:00:00Z')

/** After how many days each attempt is repeated. */
function pausesOf(failureCode: FailureCode, pauses: readonly number[] = platformSettings.dunning) {
  return [1, 2, 3, 4, 5].map((attempts) => {
    const at = nextAttemptAt({ attempts, failedAt, failureCode }, pauses)
    return at === null ? null : (at - failedAt) / day
  })
}

test('a failed charge is tried again after 2, 5, 7 and 7 days, or as the account has set it', () => {
  assert.deepEqual(pausesOf('insufficient_funds'), [2, 5, 7, 7, null])
  assert.deepEqual(pausesOf('card_declined', [1, 3]), [1, 3, null, null, null])
  assert.deepEqual(pausesOf('card_declined', []), [null, null, null, null, null])
})

test('a hard decline is never tried again', () => {
  for (const code of ['expired_card', 'invalid_account'] as const)
    assert.deepEqual(pausesOf(code), [null, null, null, null, null])
})
