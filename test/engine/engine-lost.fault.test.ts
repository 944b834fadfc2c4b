import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineLost } from '../proof/engine-lost.ts'

test(engineLost.promise, { timeout: 900_000 }, async (t) => {
  const { figures, violations } = await engineLost.run(4)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
