import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkInvariants } from '../support/invariants.ts'
import { payersOf } from '../support/invoice-page.ts'
import { cards } from '../support/merchant.ts'
import { liftRateLimits } from '../support/rows.ts'
import { laterCards } from '../support/subscription.ts'
import { livesOf } from '../support/subscription-life.ts'
import { useStack } from '../support/use-stack.ts'

// An invoice is paid on its page a millisecond before a moment at which its subscription does something by itself. The
// message about it comes to the process only after that moment. The stack has no workers.
const stack = await useStack({ workers: false })
await liftRateLimits(stack)
const lives = livesOf(stack)
const payers = payersOf(stack, lives.plans)
const start = Date.parse('2027-03-31T08:00:00Z')
const dayMs = 86_400_000
const { product_id: product } = await lives.plans.createProduct()

/** Pays the newest invoice of a subscription on its page; the subscription has not taken note of it. */
async function payNewest(id: string, at: number): Promise<void> {
  const { body } = await payers.tryToOpen(await payers.newest(id))
  await lives.pay({ checkout_id: String(body['checkout_id']) }, cards.success, at)
}

/** A subscription whose customer pays invoices, and its next one a millisecond before the next period begins. */
async function paidAhead() {
  const id = await lives.begin(product, cards.success, start)
  await stack.sql(`update subscriptions set collection = 'invoice' where id = ?`, [id])
  assert.equal(await lives.ask(id, { kind: 'edit', metadata: { pays: 'invoices' } }, start), 'done')
  const boundary = Date.parse((await lives.plans.read(id)).current_period_end)
  await lives.advance(id, start, boundary - 1)
  await payNewest(id, boundary - 1)
  return { id, boundary }
}

const renewals = async (id: string) => {
  const rows = await stack.sql<{ body: string }>(
    `select body from events where resource_id = ? and type = 'customer.subscription.renewed' order by sequence`,
    [id],
  )
  return rows.map(({ body }) => JSON.parse(body).data.current_period_start)
}

for (const first of ['takeSubscriptionStep', 'readSubscription'] as const) {
  test(`a period that was paid ahead in the last moment is told as renewed once: ${first}`, async () => {
    const { id, boundary } = await paidAhead()
    await lives.steps[first](id, boundary)
    await lives.advance(id, boundary, boundary + dayMs)
    assert.deepEqual(await renewals(id), [new Date(boundary).toISOString()])
    assert.deepEqual(await checkInvariants(stack.database), [])
  })
}

test('a subscription that is paid in the last moment before it would end goes on', async () => {
  const id = await lives.begin(product, laterCards.expires, start)
  await lives.advance(id, start, start + 32 * dayMs)
  const [row] = await stack.sql<{ ends: string }>('select dunning_ends_at as ends from subscriptions where id = ?', [
    id,
  ])
  const ends = new Date(row?.ends ?? '').getTime()
  await lives.advance(id, start + 32 * dayMs, ends - 1)
  await payNewest(id, ends - 1)
  await lives.steps.takeSubscriptionStep(id, ends)
  await lives.settle(id, ends)
  assert.equal((await lives.plans.read(id)).status, 'active')
  assert.deepEqual(await lives.plans.events(id), [
    'customer.subscription.created',
    'customer.subscription.past_due',
    'customer.subscription.renewed',
  ])
  assert.deepEqual(await checkInvariants(stack.database), [])
})
