import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ledgerOperations } from './proof/ledger-operations.ts'

test(ledgerOperations.promise, async (t) => {
  const { figures, violations } = await ledgerOperations.run(60)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
