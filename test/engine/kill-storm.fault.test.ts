import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killStorm } from '../proof/kill-storm.ts'

test(killStorm.promise, async (t) => {
  const { figures, violations } = await killStorm.run(40)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
