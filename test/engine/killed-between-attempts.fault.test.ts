import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killedBetweenAttempts } from '../proof/killed-between-attempts.ts'

test(killedBetweenAttempts.promise, async (t) => {
  const { figures, violations } = await killedBetweenAttempts.run(10)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
