import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exitAfterCommit } from '../proof/exit-after-commit.ts'

test(exitAfterCommit.promise, async (t) => {
  const { figures, violations } = await exitAfterCommit.run(4)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
