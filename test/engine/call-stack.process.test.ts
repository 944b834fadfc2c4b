import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NativeConnection } from '@temporalio/worker'
import { createActivities } from '../../activities/index.ts'
import { createWorkers } from '../../engine/workers.ts'
import { sale } from '../support/merchant.ts'
import { until } from '../support/until.ts'
import { useStack } from '../support/use-stack.ts'

// Workers with threads of their own for processes, as in production: in the thread of a test no stacks are kept.
const stack = await useStack({ workers: false })
const bundles = process.env['WORKFLOW_BUNDLES']

test('the call stack of a process says where it waits, in three frames for each promise', async () => {
  const connection = await NativeConnection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' })
  const { taskQueue, deps } = stack
  const queues = { taskQueue, webhookTaskQueue: `${taskQueue}-webhooks`, temporalNamespace: 'default' }
  const activities = createActivities(deps)
  const workers = await createWorkers(deps, { ...queues, connection, bundles, logger: deps.logger, activities })
  const done = workers.map((worker) => worker.run())
  const { checkout_id } = await stack.merchant.createCheckout(sale)
  await stack.dispatched()
  const waiting = ['wait-until.ts', 'checkout/news.ts', 'checkout/open.ts', 'checkout/checkout.ts']
  let stacks = ''
  await until(async () => {
    stacks = await stack.client.workflow.getHandle(`checkout/${checkout_id}`).query<string>('__stack_trace')
    return waiting.every((file) => stacks.includes(`workflows/${file}:`))
  }, 'every place is named')
  for (const frames of stacks.split('\n\n')) assert.ok(frames.split('\n').length <= 3, frames)
  for (const worker of workers) worker.shutdown()
  await Promise.all(done)
  await connection.close()
})
