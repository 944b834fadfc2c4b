import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createActivities } from '../../activities/index.ts'
import { assertError } from '../support/api.ts'
import { card, cards, sale, setup } from '../support/merchant.ts'
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

test('a late try of a choice that was never attempted does not replace the newer one', async () => {
  const session = await stack.merchant.createCheckout(sale)
  const requests = () =>
    stack.sql<{ id: string; request_id: string }>(
      `select r.id, c.request_id from payment_requests r join checkouts c on c.id = r.checkout_id
       where c.id = ? order by r.created_at`,
      [session.checkout_id],
    )
  for (const number of [cards.declined, cards.success]) {
    const chosen = await stack.merchant.pay(session, { payment_method: 'USD_CARD', card: card(number) })
    assert.equal(chosen.status, 200, chosen.text)
  }
  const [first, second] = await requests()
  await stack.sql(`update payment_requests set created_at = created_at - interval '2 s' where id = ?`, [first?.id])
  await assert.rejects(main.choosePayment(session.checkout_id, first?.id ?? '', Date.now()), { code: 'CONFLICT' })
  assert.equal((await requests())[0]?.request_id, second?.id)
  const { body: confirmed } = await stack.merchant.confirm(session)
  assert.equal(confirmed['status'], 'completed')
})

test('an answer that still asks the buyer, and comes after they have acted, sets no payment back', async () => {
  const rails = stack.deps.rails.in('sandbox')
  const { of } = rails
  const session = await stack.merchant.createCheckout(sale)
  const asked = await stack.merchant.payByCard(session, cards.threeDs)
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  rails.of = (corridor) => ({
    ...of(corridor),
    async lookUp(...about) {
      const answer = await of(corridor).lookUp(...about)
      begun.resolve()
      await held.promise
      return answer
    },
    async confirm(...about) {
      await of(corridor).confirm(...about)
      return { status: 'processing' } // the bank decides a little later
    },
  })
  try {
    const late = main.lookUpPayment(session.checkout_id, String(asked['payment_id']), Date.now())
    await Promise.race([begun.promise, late.then(() => assert.fail('the step has not asked the rail'))])
    const { body: confirmed } = await stack.merchant.confirm(session, { code: '123456' })
    assert.equal(confirmed['payment_status'], 'processing')
    held.resolve()
    assert.equal((await late).paymentStatus, 'processing')
    const cancelled = await stack.merchant.cancel(session.checkout_id)
    assertError(cancelled, 409, 'CONFLICT')
  } finally {
    rails.of = of
    held.resolve()
  }
  const { status } = await main.lookUpPayment(session.checkout_id, String(asked['payment_id']), Date.now())
  assert.equal(status, 'completed')
})
