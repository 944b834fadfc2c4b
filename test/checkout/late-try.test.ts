import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createActivities } from '../../activities/index.ts'
import { cards, sale, setup } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// A worker stands still before a step, another one makes the step, and the first goes on after the buyer has.
const stack = await useStack({ invariants: 'at the end' })
await useApi(stack)
const { main } = createActivities(stack.deps)

for (const [what, body] of Object.entries({ 'a payment': sale, 'a card to be saved': setup })) {
  test(`a late try of a declined choice does not replace the newer choice of ${what}`, async () => {
    const session = await stack.merchant.createCheckout(body)
    await stack.merchant.payByCard(session, cards.declined)
    const [first] = await stack.sql<{ id: string }>('select id from payment_requests where checkout_id = ?', [
      session.checkout_id,
    ])
    await stack.merchant.payByCard(session, cards.threeDs)
    await main.attemptPayment(session.checkout_id, first?.id ?? '', true, Date.now())
    const { body: confirmed } = await stack.merchant.confirm(session, { code: '123456' })
    assert.equal(confirmed['status'], 'completed')
  })
}
