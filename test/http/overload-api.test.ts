import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { card, cards, sale } from '../support/merchant.ts'
import { createLink, open } from '../support/payment-link.ts'
import { liftRateLimits } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { useStack } from '../support/use-stack.ts'

const stack = await useStack({ workers: false })
await liftRateLimits(stack)

/** Marks the account as overloaded, as a worker does, and waits until the API has read it. */
async function overload(queue: 'main' | 'webhooks') {
  await relieve()
  await stack.sql(`insert into overloaded_accounts values (?, ?, now() + interval '1 hour', 30000)`, [
    stack.organizationId,
    queue,
  ])
  await until(async () => (await create()).status === 503, 'creations are refused')
}

async function relieve() {
  await stack.sql(`delete from overloaded_accounts`)
  await until(async () => (await create()).status === 201, 'creations are accepted again')
}

const create = () => stack.merchant.call('POST', '/v1/checkout-sessions', sale)

test('SERVICE_UNAVAILABLE: an overloaded merchant’s creations are refused at once, and reads still work', async () => {
  const session = await stack.merchant.createCheckout()
  const link = await createLink(stack.merchant)
  await overload('main')
  const startedAt = performance.now()
  const reply = await create()
  assert.ok(performance.now() - startedAt < 1_000)
  assert.deepEqual(
    [reply.status, reply.body['error_code'], reply.headers.get('retry-after')],
    [503, 'SERVICE_UNAVAILABLE', '5'],
  )
  assert.equal((await stack.merchant.call('GET', `/v1/checkout-sessions/${session.checkout_id}`)).status, 200)
  const opened = await open(stack.merchant, link)
  const refund = { charge_id: newId('pay', Date.now()), reference: 'return-1' }
  const refunded = await stack.merchant.call('POST', '/api/v1/payments/refunds', refund)
  assert.deepEqual([opened.status, refunded.status], [503, 503])

  await overload('webhooks')
  const body = { payment_method: 'USD_CARD', card: card(cards.success), confirm: true }
  const paid = await stack.merchant.pay(session, body)
  assert.deepEqual(
    [paid.status, paid.body['error_code'], paid.headers.get('retry-after')],
    [503, 'SERVICE_UNAVAILABLE', '5'],
  )
  const refusedToo = await stack.merchant.call('POST', '/api/v1/payments/refunds', refund)
  assert.equal(refusedToo.status, 404, 'late deliveries stop no refund: its charge is looked up')
  await relieve()
})
