import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subscriptionsOf } from '../support/subscription.ts'
import { useStack } from '../support/use-stack.ts'

const stack = await useStack({ skipping: true, invariants: 'after each test' })
const plans = subscriptionsOf(stack)
const dayMs = 86_400_000

test('a completed checkout begins a subscription, and it renews each month', async () => {
  const begun = await plans.subscribe()
  assert.equal(begun.status, 'active')
  const id = begun.subscription_id
  for (let months = 1; months <= 3; months++) {
    await stack.skip(32 * dayMs)
    await plans.until(id, ({ current_period_end: end }) => Date.parse(end) > Date.parse(begun.current_period_end))
  }
  const invoices = await plans.invoices(id)
  console.log(
    invoices.map(({ number, status, billing_reason: why, total, period_start: from, period_end: to }) =>
      [number, status, why, total, from, to].join(' '),
    ),
  )
  console.log(await plans.events(id))
})
