import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ledgerOperations, provePart } from '../proof/ledger-operations.ts'

test(ledgerOperations.promise, async (t) => {
  const { figures, violations } = await provePart(250, 2)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
