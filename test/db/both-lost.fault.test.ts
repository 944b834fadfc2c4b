import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bothLost } from '../proof/database-restored.ts'

test(bothLost.promise, { timeout: 900_000 }, async (t) => {
  const { figures, violations } = await bothLost.run(4)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
