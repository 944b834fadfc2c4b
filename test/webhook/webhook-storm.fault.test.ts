import assert from 'node:assert/strict'
import { test } from 'node:test'
import { webhookStorm } from '../proof/webhook-storm.ts'

test(webhookStorm.promise, { timeout: 900_000 }, async (t) => {
  const { figures, violations } = await webhookStorm.run(4)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
