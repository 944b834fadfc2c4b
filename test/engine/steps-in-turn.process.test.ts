import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { NativeConnection } from '@temporalio/worker'
import { createActivities } from '../../activities/index.ts'
import { createWorkers, workflowsOf } from '../../engine/workers.ts'
import { keep } from '../support/kept-histories.ts'
import { card, cards, sale } from '../support/merchant.ts'
import { replay } from '../support/replay.ts'
import { settled } from '../support/settled.ts'
import { assertInvariants, useStack } from '../support/use-stack.ts'

// Without workers, so that a sale's first task has all that was sent to it meanwhile.
const stack = await useStack({ workers: false })
const bundles = process.env['WORKFLOW_BUNDLES']

/** Runs workers whose steps are these, until `act` is done. */
async function withWorkers(steps: ReturnType<typeof createActivities>, act: () => Promise<void>): Promise<void> {
  const connection = await NativeConnection.connect({ address: process.env['TEMPORAL_ADDRESS'] ?? '' })
  const { taskQueue, deps } = stack
  const queues = { taskQueue, webhookTaskQueue: `${taskQueue}-webhooks`, temporalNamespace: 'default' }
  const options = { ...queues, connection, bundles, logger: deps.logger, inThisThread: true, activities: steps }
  const workers = await createWorkers(deps, options)
  const done = workers.map((worker) => worker.run())
  await act()
  for (const worker of workers) worker.shutdown()
  await Promise.all(done)
  await connection.close()
}

test('a buyer’s choice is applied while the process reads its session: the process replays', async () => {
  // Two steps at once, of which the second ends later, would be answered one after the other, and together at a replay.
  const steps = createActivities(stack.deps)
  const { readCheckout } = steps.main
  Object.assign(steps.main, {
    async readCheckout(...args: Parameters<typeof readCheckout>) {
      await sleep(100)
      return readCheckout(...args)
    },
  })
  const session = await stack.merchant.createCheckout(sale)
  const choosing = stack.merchant.pay(session, { payment_method: 'USD_CARD', card: card(cards.success) })
  await stack.dispatched()
  await withWorkers(steps, async () => {
    assert.equal((await choosing).status, 200)
    await settled(stack.client, 'checkout', session.checkout_id)
  })
  const workflowId = `checkout/${session.checkout_id}`
  const history = await stack.client.workflow.getHandle(workflowId).fetchHistory()
  const day = process.env['RECORD']
  if (day) keep({ name: 'checkout-steps-in-turn', workflowId, history }, day)
  assert.deepEqual(await replay([{ workflowId, history }], workflowsOf('main', bundles)), [undefined])
  await assertInvariants(stack)
})
