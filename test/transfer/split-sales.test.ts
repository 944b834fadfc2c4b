import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitSales } from '../proof/split-sales.ts'

test(splitSales.promise, async (t) => {
  const { figures, violations } = await splitSales.run(200)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
  for (const what of ['disputes', 'disputes won', 'disputes expired', 'warnings', 'repaid what they owed'])
    assert.ok(Number(figures[what]) > 0, `there are ${what}`)
})
