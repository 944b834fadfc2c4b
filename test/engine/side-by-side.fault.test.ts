import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sideBySide } from '../proof/side-by-side.ts'

test(sideBySide.promise, async (t) => {
  const { figures, violations } = await sideBySide.run(24)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
