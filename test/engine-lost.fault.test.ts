import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineLost } from './proof/engine-lost.ts'

test(engineLost.promise, async (t) => {
  const { figures, violations } = await engineLost.run(20)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
