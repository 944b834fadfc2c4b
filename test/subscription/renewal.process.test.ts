import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cards } from '../support/merchant.ts'
import { laterCards, subscriptionsOf } from '../support/subscription.ts'
import { useStack } from '../support/use-stack.ts'

const stack = await useStack({ skipping: true, invariants: 'after each test' })
const plans = subscriptionsOf(stack)
const dayMs = 86_400_000

test('a declined renewal is tried after 2, 5, 7 and 7 days, then the subscription ends; nothing follows', async () => {
  const begun = await plans.subscribe({ number: laterCards.declines })
  const id = begun.subscription_id
  const attempts: number[] = []
  await stack.skip(Date.parse(begun.current_period_end) - (await stack.clock.now()) + 61_000)
  let shown = await plans.until(id, ({ status }) => status === 'past_due')
  for (let last = Date.parse(begun.current_period_end); shown.next_payment_attempt_at;) {
    const next = Date.parse(shown.next_payment_attempt_at)
    attempts.push(Math.round((next - last) / dayMs))
    last = next
    const before = shown.attempt_count
    await stack.skip(next - (await stack.clock.now()) + 1_000)
    shown = await plans.until(id, (now) => now.attempt_count > before)
  }
  assert.deepEqual(attempts, [2, 5, 7, 7])
  const { status, cancellation } = await plans.until(id, (now) => now.status === 'canceled')
  assert.deepEqual([status, cancellation], ['canceled', { reason: 'payment_failed', comment: null, by: 'service' }])
  assert.equal(await stack.finished('subscription', id), 'canceled')
  await stack.skip(60 * dayMs)
  const invoices = await plans.invoices(id)
  assert.deepEqual(
    invoices.map((each) => [each.status, each['attempt_count']]),
    [
      ['paid', 0],
      ['uncollectible', 5],
    ],
  )
  assert.deepEqual(await plans.events(id), [
    'customer.subscription.created',
    'customer.subscription.past_due',
    'customer.subscription.canceled',
  ])
})

test('a card that expired is not charged again, and a new card is charged at once', async () => {
  const begun = await plans.subscribe({ number: laterCards.expires })
  const id = begun.subscription_id
  await stack.skip(Date.parse(begun.current_period_end) - (await stack.clock.now()) + 61_000)
  const due = await plans.until(id, ({ status }) => status === 'past_due')
  assert.deepEqual([due.next_payment_attempt_at, due.attempt_count], [null, 1])
  await stack.skip(10 * dayMs)
  assert.equal((await plans.read(id)).attempt_count, 1)
  const method = await plans.saveCard(begun.customer.id, cards.success)
  await plans.edit(id, { payment_method_id: method })
  const paid = await plans.until(id, ({ status }) => status === 'active')
  assert.deepEqual([paid.attempt_count, paid['past_due_at']], [0, null])
  await stack.dispatched()
  const [, renewal] = await plans.invoices(id)
  assert.equal(renewal?.status, 'paid')
})

test('a card that expired ends the subscription when its last attempt would have been', async () => {
  const begun = await plans.subscribe({ number: laterCards.expires })
  const id = begun.subscription_id
  await stack.skip(Date.parse(begun.current_period_end) - (await stack.clock.now()) + 61_000)
  await plans.until(id, ({ status }) => status === 'past_due')
  await stack.skip(20 * dayMs)
  assert.equal((await plans.read(id)).status, 'past_due')
  await stack.skip(dayMs + 120_000)
  await plans.until(id, ({ status }) => status === 'canceled')
})
