import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineAway } from '../proof/engine-away.ts'

test(engineAway.promise, async (t) => {
  const { figures, violations } = await engineAway.run(6)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
