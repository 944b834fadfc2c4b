import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noisyNeighbour } from '../proof/noisy-neighbour.ts'

test(noisyNeighbour.promise, { timeout: 600_000 }, async (t) => {
  const { figures, violations } = await noisyNeighbour.run(2_000)
  t.diagnostic(JSON.stringify(figures))
  assert.deepEqual(violations, [])
})
