import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killedWorker } from '../proof/killed-worker.ts'

test(killedWorker.promise, async (t) => {
  const { figures, violations } = await killedWorker.run(20)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
