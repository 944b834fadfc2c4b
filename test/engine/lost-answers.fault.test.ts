import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lostAnswers } from '../proof/lost-answers.ts'

test(lostAnswers.promise, async (t) => {
  const { figures, violations } = await lostAnswers.run(20)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
