import assert from 'node:assert/strict'
import { test } from 'node:test'
import { equalKeys } from '../proof/equal-keys.ts'

test(equalKeys.promise, async (t) => {
  const { figures, violations } = await equalKeys.run(1)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
