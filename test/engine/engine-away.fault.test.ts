import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineUnavailable } from '../proof/engine-away.ts'

test(engineUnavailable.promise, async (t) => {
  const { figures, violations } = await engineUnavailable.run(6)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
