import assert from 'node:assert/strict'
import { test } from 'node:test'
import { overload } from '../proof/overload.ts'

test(overload.promise, { timeout: 600_000 }, async (t) => {
  const { figures, violations } = await overload.run(6)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
