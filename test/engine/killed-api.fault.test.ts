import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killedApi } from '../proof/killed-api.ts'

test(killedApi.promise, async (t) => {
  const { figures, violations } = await killedApi.run(2)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
