import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createActivities } from '../../activities/index.ts'
import { sale } from '../support/merchant.ts'
import { withWorkers } from '../support/own-workers.ts'
import { until } from '../support/until.ts'
import { useStack } from '../support/use-stack.ts'

const stack = await useStack({ workers: false })

test('the call stack of a process says where it waits, in three frames for each promise', async () => {
  const waiting = ['wait-until.ts', 'checkout/news.ts', 'checkout/open.ts', 'checkout/checkout.ts']
  let stacks = ''
  // In threads of their own, as in production: in the thread of a test no stacks are kept.
  await withWorkers(stack, { steps: createActivities(stack.deps), inThisThread: false }, async () => {
    const { checkout_id } = await stack.merchant.createCheckout(sale)
    await stack.dispatched()
    await until(async () => {
      stacks = await stack.client.workflow.getHandle(`checkout/${checkout_id}`).query<string>('__stack_trace')
      return waiting.every((file) => stacks.includes(`workflows/${file}:`))
    }, 'every place is named')
  })
  for (const frames of stacks.split('\n\n')) assert.ok(frames.split('\n').length <= 3, frames)
})
