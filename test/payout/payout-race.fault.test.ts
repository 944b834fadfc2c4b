import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payoutRace } from '../proof/payout-race.ts'

test(payoutRace.promise, async (t) => {
  const { figures, violations } = await payoutRace.run(60)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
