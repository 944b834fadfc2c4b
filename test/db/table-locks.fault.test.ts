import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tableLocks } from '../proof/table-locks.ts'

test(tableLocks.promise, async (t) => {
  const { figures, violations } = await tableLocks.run(3)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
