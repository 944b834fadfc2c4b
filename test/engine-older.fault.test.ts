import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineOlder } from './proof/engine-older.ts'

test(engineOlder.promise, async (t) => {
  const { figures, violations } = await engineOlder.run(20)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
