import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createActivities } from '../../activities/index.ts'
import { mobileSale } from '../support/merchant.ts'
import { useStack } from '../support/use-stack.ts'

// Real time passes too: on a busy machine the owner of the wallet would have answered before they are asked about.
const stack = await useStack({ skipping: true, invariants: 'at the end', pace: { thinkingMs: 120_000 } })

test('a rail’s answer from before a payment, which comes after its process has ended, awaits no news', async () => {
  const { merchant, deps, clock, sql } = stack
  const { checkout_id: id, ...session } = await merchant.createCheckout(mobileSale)
  const { payment_id: paymentId } = await merchant.payByPhone({ checkout_id: id, ...session })
  const sandbox = deps.rails.in('sandbox')
  const rail = sandbox.of('MOMO_KES')
  const early = await rail.lookUp(paymentId, await clock.now())
  assert.ok(early.newsDueAt, 'the owner of the wallet has not answered yet')
  assert.equal(await stack.finished('checkout', id), 'completed')

  const slow = { ...sandbox, of: () => ({ ...rail, lookUp: async () => early }) }
  const rails = { ...deps.rails, in: () => slow } as unknown as typeof deps.rails
  await createActivities({ ...deps, rails }).main.lookUpPayment(id, paymentId, await clock.now())
  const payments = await sql('select status, news_due_at from payments where id = ?', [paymentId])
  assert.deepEqual(payments, [{ status: 'succeeded', news_due_at: null }])
})
