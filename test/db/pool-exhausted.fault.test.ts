import assert from 'node:assert/strict'
import { test } from 'node:test'
import { poolExhausted } from '../proof/pool-exhausted.ts'

test(poolExhausted.promise, async (t) => {
  const { figures, violations } = await poolExhausted.run(1)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
