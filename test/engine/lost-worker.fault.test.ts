import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { NativeConnection } from '@temporalio/worker'
import { dyingRelay } from '../proof/dying-relay.ts'
import { dyingWorker } from '../proof/dying-worker.ts'
import { frozenPayout } from '../proof/frozen-payout.ts'
import { frozenWorker } from '../proof/frozen-worker.ts'
import { noCache } from '../proof/no-cache.ts'
import { use } from '../support/use.ts'

const sizes = [
  [dyingWorker, 2],
  [dyingRelay, 3],
  [frozenWorker, 1],
  [frozenPayout, 1],
  [noCache, 4],
] as const

// The SDK ends its runtime with the last worker or connection that uses it, even while a worker is being made. Without
// this connection, one scenario that has replayed its processes would end it for another one that begins to.
await use(
  () => NativeConnection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' }),
  (connection) => connection.close(),
)

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
