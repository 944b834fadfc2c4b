import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import type { ProcessName } from '../../domain/processes.ts'
import { detailsOf } from '../support/details.ts'
import { failingSandbox } from '../support/failing-sandbox.ts'
import { listed } from '../support/listed.ts'
import { card, cards, sale } from '../support/merchant.ts'
import { assertReplays } from '../support/replay.ts'
import { failingRails } from '../support/scripted-charges.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { laterCards, subscriptionsOf } from '../support/subscription.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'

// What operators see of what waits for a rail that hangs, with every change that is still dormant in this release.
const minute = 60_000
const stack = await useStack({ skipping: true, dormant: [] })
await useApi(stack)
const ada = await addStaff(stack)
const rails = failingSandbox(stack)
const { errors: faults, heal } = failingRails(stack)
const plans = subscriptionsOf(stack)
afterEach(async () => {
  rails.setAway(false)
  heal()
  await assertInvariants(stack)
})

const shown = (process: ProcessName, id: string) => listed(stack.client, process, id)
const says = (process: ProcessName, id: string) => detailsOf(stack.client, process, id)

/** Waits until the engine's list shows a resource like this. */
const untilShown = (process: ProcessName, id: string, wanted: [state: string, waitingOn: string]) =>
  until(async () => (await shown(process, id)).join() === wanted.join(), `it is shown as ${wanted.join()}`, {
    withinMs: 30_000,
  })

/** What staff read of something that has ended, and about which they cannot act. */
const ended = /^Nothing to do: it has ended\. .*Waiting for the rail/

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
    await assertReplays(stack.client, 'checkout', id)
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
  await assertReplays(stack.client, 'checkout', id)
})

test('a subscription whose rail hangs is shown at its rail while its card is charged', async () => {
  const { subscription_id: id, current_period_end: end } = await plans.subscribe()
  rails.setAway(true)
  await stack.skip(Date.parse(end) - (await stack.clock.now()) + minute)
  await until(async () => (await shown('subscription', id))[1] === 'rail', 'the list says that it is at its rail', {
    withinMs: 30_000,
  })
  assert.match(await says('subscription', id), /Waiting for the rail/)
  await assertReplays(stack.client, 'subscription', id)
  rails.setAway(false)
  await stack.skip(10 * minute)
  await plans.until(id, ({ status, current_period_start: begun }) => status === 'active' && begun === end)
  await untilShown('subscription', id, ['active', 'next period'])
  await plans.act(id, 'cancel', { at_period_end: false })
})

test('a sale that is paid while the rail of a replaced attempt hangs is shown to wait for that rail', async () => {
  faults.cancelCharge = 'throws'
  const { id, session } = await openSession()
  assert.equal((await stack.merchant.payByCard(session, cards.threeDs))['payment_status'], 'requires_action')
  assert.equal((await stack.merchant.payByCard(session))['payment_status'], 'succeeded')
  await untilShown('checkout', id, ['completed', 'rail'])
  assert.match(await says('checkout', id), ended)
  heal()
  assert.equal(await stack.finished('checkout', id), 'completed')
  assert.deepEqual(await shown('checkout', id), ['completed', 'nobody'])
  await assertReplays(stack.client, 'checkout', id)
})

test('an ended subscription whose rail is asked about a marked charge is shown to wait for it', async () => {
  const { subscription_id: id, current_period_end: end } = await plans.subscribe({ number: laterCards.answersLate })
  await stack.skip(Date.parse(end) - (await stack.clock.now()) + minute)
  await untilShown('subscription', id, ['active', 'rail'])
  await settled(stack.client, 'subscription', id)
  const [row] = await stack.sql<{ payment_id: string }>('select payment_id from subscriptions where id = ?', [id])
  const reason = 'The bank has no record of it'
  assert.equal((await ada.onPayment(String(row?.payment_id), 'mark-failed', { reason })).status, 200)
  await plans.act(id, 'cancel', { at_period_end: false })
  await untilShown('subscription', id, ['canceled', 'rail'])
  assert.match(await says('subscription', id), ended)
  await plans.decideCharge(id, false)
  assert.equal(await stack.finished('subscription', id), 'canceled')
  assert.deepEqual(await shown('subscription', id), ['canceled', 'nobody'])
  await assertReplays(stack.client, 'subscription', id)
})
