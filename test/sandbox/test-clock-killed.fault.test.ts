import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killedClock } from '../proof/killed-clock.ts'

test(killedClock.promise, async (t) => {
  const { figures, violations } = await killedClock.run(2)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
