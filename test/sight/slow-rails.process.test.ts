import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { processId, type ProcessName } from '../../domain/processes.ts'
import { workflowsOf } from '../../engine/workers.ts'
import { detailsOf } from '../support/details.ts'
import { failingSandbox } from '../support/failing-sandbox.ts'
import { listed } from '../support/listed.ts'
import { card, cards, sale } from '../support/merchant.ts'
import { replay } from '../support/replay.ts'
import { settled } from '../support/settled.ts'
import { subscriptionsOf } from '../support/subscription.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useStack } from '../support/use-stack.ts'

// What operators see of what waits for a rail that hangs, with every change that is still dormant in this release.
const minute = 60_000
const bundles = process.env['WORKFLOW_BUNDLES']
const stack = await useStack({ skipping: true, dormant: [] })
const rails = failingSandbox(stack)
const plans = subscriptionsOf(stack)
afterEach(async () => {
  rails.setAway(false)
  await assertInvariants(stack)
})

const shown = (process: ProcessName, id: string) => listed(stack.client, process, id)
const says = (process: ProcessName, id: string) => detailsOf(stack.client, process, id)

/** Asserts that a process replays, as it has to when its worker restarts. */
async function assertReplays(process: ProcessName, id: string): Promise<void> {
  const workflowId = processId(process, id)
  const history = await stack.client.workflow.getHandle(workflowId).fetchHistory()
  const errors = await replay([{ workflowId, history }], workflowsOf('main', bundles))
  assert.deepEqual(errors, [undefined])
}

/** A session whose process waits for its buyer. */
async function openSession() {
  const { checkout_id: id, ...session } = await stack.merchant.createCheckout(sale)
  await stack.dispatched()
  await settled(stack.client, 'checkout', id)
  assert.deepEqual(await shown('checkout', id), ['open', 'buyer'])
  return { id, session: { checkout_id: id, ...session } }
}

for (const [name, number, end] of [
  ['is taken', cards.success, ['completed', 'nobody']],
  ['is declined', cards.declined, ['open', 'buyer']],
] as const) {
  test(`a sale whose rail hangs is shown at its rail until its card ${name}`, async () => {
    const { id, session } = await openSession()
    rails.setAway(true)
    await stack.merchant.pay(session, { payment_method: 'USD_CARD', card: card(number), confirm: true })
    await stack.skip(2 * minute)
    await until(async () => (await shown('checkout', id))[1] === 'rail', 'the list says that it is at its rail', {
      withinMs: 30_000,
    })
    assert.match(
      await says('checkout', id),
      /^If it takes too long, retry or mark the payment .*Waiting for the rail, .*, then the rail is asked again\.$/,
    )
    rails.setAway(false)
    await stack.skip(10 * minute)
    await settled(stack.client, 'checkout', id)
    assert.deepEqual(await shown('checkout', id), end)
    await assertReplays('checkout', id)
    if (end[0] === 'open') await stack.finished('checkout', id)
  })
}

test('a sale whose rail answers in time is not looked at again', async () => {
  const { id, session } = await openSession()
  const attempt = await stack.merchant.payByCard(session, cards.threeDs)
  assert.equal(attempt['payment_status'], 'requires_action')
  await stack.merchant.confirm(session, { code: '123456' })
  assert.equal(await stack.finished('checkout', id), 'completed')
  const { events } = await stack.client.workflow.getHandle(`checkout/${id}`).fetchHistory()
  const fired = (events ?? []).filter((event) => event.timerFiredEventAttributes)
  assert.deepEqual(fired, [])
  await assertReplays('checkout', id)
})

test('a subscription whose rail hangs is shown at its rail while its card is charged', async () => {
  const { subscription_id: id, current_period_end: end } = await plans.subscribe()
  rails.setAway(true)
  await stack.skip(Date.parse(end) - (await stack.clock.now()) + minute)
  await until(async () => (await shown('subscription', id))[1] === 'rail', 'the list says that it is at its rail', {
    withinMs: 30_000,
  })
  assert.match(await says('subscription', id), /Waiting for the rail/)
  await assertReplays('subscription', id)
  rails.setAway(false)
  await stack.skip(10 * minute)
  await plans.until(id, ({ status, current_period_start: begun }) => status === 'active' && begun === end)
  await until(async () => (await shown('subscription', id))[1] === 'next period', 'its card was charged')
  await plans.act(id, 'cancel', { at_period_end: false })
})
