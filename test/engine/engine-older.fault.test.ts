import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineOlder } from '../proof/engine-older.ts'

test(engineOlder.promise, { timeout: 900_000 }, async (t) => {
  const { figures, violations } = await engineOlder.run(4)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
