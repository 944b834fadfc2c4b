import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseRestored } from '../proof/database-restored.ts'

test(databaseRestored.promise, { timeout: 900_000 }, async (t) => {
  const { figures, violations } = await databaseRestored.run(4)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
