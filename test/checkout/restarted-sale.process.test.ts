import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginAnew } from '../support/begin-anew.ts'
import { loseProcess } from '../support/lose-process.ts'
import { card, cards, sale } from '../support/merchant.ts'
import { assertReplays } from '../support/replay.ts'
import { settled } from '../support/settled.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// A sale whose process begins again while its payment is at the rail, with every change that is still dormant in this
// release.
const stack = await useStack({ skipping: true, dormant: [], invariants: 'after each test' })
await useApi(stack)

test('a sale whose process began again asks its rail when that is due, with nobody telling it the news', async (t) => {
  const rails = stack.deps.rails.in('sandbox')
  const { of } = rails
  t.after(() => void (rails.of = of))
  const held = { status: 'processing' } as const
  let isHeld = true
  rails.of = (corridor) => {
    const rail = of(corridor)
    return {
      ...rail,
      charge: async (order, at) => {
        const answer = await rail.charge(order, at)
        return isHeld ? held : answer
      },
      lookUp: async (id, at) => (isHeld ? held : rail.lookUp(id, at)),
    }
  }
  const session = await stack.merchant.createCheckout(sale)
  const id = session.checkout_id
  const paid = await stack.merchant.pay(session, {
    payment_method: 'USD_CARD',
    card: card(cards.success),
    confirm: true,
  })
  assert.equal(paid.body['payment_status'], 'processing')
  await loseProcess(stack.client, 'checkout', id)
  await beginAnew(stack, 'checkout', 'checkouts', id)
  await settled(stack.client, 'checkout', id)
  isHeld = false // as if its callback were lost
  await stack.skip(6 * 60_000)
  const isPaid = async () => (await stack.merchant.getCheckout(id))['status'] === 'completed'
  await until(isPaid, 'the question that was due after five minutes has found the money', { withinMs: 20_000 })
  await assertReplays(stack.client, 'checkout', id)
})
