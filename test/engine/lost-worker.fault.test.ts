import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { dyingRelay } from '../proof/dying-relay.ts'
import { dyingWorker } from '../proof/dying-worker.ts'
import { frozenPayout } from '../proof/frozen-payout.ts'
import { frozenWorker } from '../proof/frozen-worker.ts'
import { noCache } from '../proof/no-cache.ts'

const sizes = [
  [dyingWorker, 2],
  [dyingRelay, 3],
  [frozenWorker, 1],
  [frozenPayout, 1],
  [noCache, 4],
] as const

// All of them mostly wait for time-outs of the engine, so they run side by side.
suite('another worker takes over what a lost worker was doing', { concurrency: true }, () => {
  for (const [scenario, size] of sizes) {
    test(scenario.promise, async (t) => {
      const { figures, violations } = await scenario.run(size)
      t.diagnostic(JSON.stringify(figures))
      assert.deepEqual(violations, [])
    })
  }
})
