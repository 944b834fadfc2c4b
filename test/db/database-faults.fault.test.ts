import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseFaults } from '../proof/database-faults.ts'

test(databaseFaults.promise, async (t) => {
  const { figures, violations } = await databaseFaults.run(1)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
