import assert from 'node:assert/strict'
import { test } from 'node:test'
import { webhookRotation } from '../proof/webhook-rotation.ts'

test(webhookRotation.promise, async (t) => {
  const { figures, violations } = await webhookRotation.run(150)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
