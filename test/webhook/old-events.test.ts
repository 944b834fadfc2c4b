import assert from 'node:assert/strict'
import { test } from 'node:test'
import { housekeepingActivities } from '../../activities/housekeeping.ts'
import { assertError, withApi } from '../support/api.ts'
import { taken } from '../support/endpoints.ts'
import { addRows } from '../support/old-rows.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// How events look to merchants once their payloads are deleted, and how calls fare during a purge.
const day = 24 * 3_600_000
const ninety = 90 * day

let now = Date.now()
const clock = { now: async () => now }
const stack = await useStack({ workers: false, clock })
await useApi(stack)

const purgeOnce = () => housekeepingActivities({ ...stack.deps, clock }).purgeOldRows(now)
const event = (id: string) => `/v1/webhooks/events/${id}`

async function trigger(): Promise<string> {
  const { body, status, text } = await stack.merchant.call('POST', '/v1/test-helpers/events/trigger', {
    type: 'refund.paid',
  })
  assert.equal(status, 201, text)
  return String(body['event_id'] ?? body['id'])
}
const listed = async () => {
  const { body } = await stack.merchant.call('GET', '/v1/webhooks/events')
  const { items, pagination } = body as unknown as { items: { id: string }[]; pagination: { total: number } }
  return { ids: items.map((item) => item.id), total: pagination.total }
}

test('an event can be read, listed and resent for 90 days; after that it is NOT_FOUND', async () => {
  const id = await trigger()
  const at = now
  for (const purgesFirst of [false, true]) {
    now = at + ninety - 1
    if (purgesFirst) await purgeOnce()
    assert.equal((await stack.merchant.call('GET', event(id))).status, 200)
    assert.deepEqual(await listed(), { ids: [id], total: 1 })
    assert.equal((await stack.merchant.call('POST', `${event(id)}/resend`, {})).status, 200)
    now = at + ninety
    if (purgesFirst) await purgeOnce()
    assertError(await stack.merchant.call('GET', event(id)), 404, 'NOT_FOUND')
    assertError(await stack.merchant.call('POST', `${event(id)}/resend`, {}), 404, 'NOT_FOUND')
    assert.deepEqual(await listed(), { ids: [], total: 0 })
  }
  now = at + ninety + day
  await purgeOnce()
  assert.deepEqual(await stack.sql('select body, type from events where id = ?', [id]), [
    { body: '', type: 'refund.paid' },
  ])
})

test('a late resend is kept longer than the body that it has sent', async () => {
  now = Date.now()
  const { merchant } = await withApi(stack).addMerchant()
  await taken(merchant.call('POST', '/v1/webhooks/endpoints', { url: 'https://example.com/hooks' }), 201)
  const sample = { type: 'refund.paid' }
  const { id } = await taken(merchant.call('POST', '/v1/test-helpers/events/trigger', sample), 201)
  const at = now
  now = at + ninety - 1
  const sent = await taken<{ deliveries: { delivery_id: string }[] }>(
    merchant.call('POST', `${event(String(id))}/resend`, {}),
  )
  const path = `/v1/webhooks/deliveries/${sent.deliveries[0]?.delivery_id}`
  const bytes = async () => (await taken(merchant.call('GET', path)))['request_body']
  assert.match(String(await bytes()), /^\{"id":"evt_/)
  now = at + ninety
  assert.equal(await bytes(), null)
  now = at + ninety + day
  await purgeOnce()
  assert.equal(await bytes(), null)
})

test('callers get their answers in time while old rows of every kind are purged', async () => {
  now = Date.now()
  const old = `'${new Date(now - 400 * day).toISOString()}'::timestamptz`
  const tables = [
    'idempotency_records',
    'rate_windows',
    'login_failures',
    'events',
    'payment_requests',
    'simulated_cards',
  ]
  for (const table of tables) await stack.sql(addRows(table, { mark: 'old', moment: old, count: 3_000 }))
  let isPurging = true
  const purging = (async () => {
    while (await purgeOnce());
    isPurging = false
  })()
  const slow: string[] = []
  let calls = 0
  const caller = async (who: number) => {
    for (let call = 0; isPurging; call++) {
      const startedAt = performance.now()
      const headers = { 'idempotency-key': `${who}-${call}` }
      const body = { amount: '5.00', currency: 'USD', description: 'A sale', success_url: 'https://example.com' }
      const made = await stack.merchant.call('POST', '/v1/checkout-sessions', body, headers)
      const again = await stack.merchant.call('POST', '/v1/checkout-sessions', body, headers)
      assert.deepEqual([made.status, again.text], [201, made.text])
      if (performance.now() - startedAt > 5_000) slow.push(`${who}-${call}`)
      calls += 2
    }
  }
  await Promise.all([purging, ...Array.from({ length: 8 }, (_, who) => caller(who))])
  assert.ok(calls > 20, `${calls} calls`)
  assert.deepEqual(slow, [])
})
