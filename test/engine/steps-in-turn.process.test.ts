import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createActivities } from '../../activities/index.ts'
import { workflowsOf } from '../../engine/workers.ts'
import { keep } from '../support/kept-histories.ts'
import { card, cards, sale } from '../support/merchant.ts'
import { withWorkers } from '../support/own-workers.ts'
import { replay } from '../support/replay.ts'
import { settled } from '../support/settled.ts'
import { assertInvariants, useStack } from '../support/use-stack.ts'

// Without workers, so that a sale's first task has all that was sent to it meanwhile.
const stack = await useStack({ workers: false })
const bundles = process.env['WORKFLOW_BUNDLES']

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
  await withWorkers(stack, { steps, inThisThread: true }, async () => {
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
