import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clocksDiffer } from '../proof/clocks-differ.ts'

test(clocksDiffer.promise, async (t) => {
  const { figures, violations } = await clocksDiffer.run(12)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
