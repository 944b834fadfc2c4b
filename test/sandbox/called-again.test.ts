import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/api.ts'
import { type Reply, sale } from '../support/merchant.ts'
import { countRows } from '../support/rows.ts'
import { beginOnClock, type Clock } from '../support/test-clock.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// A call that works for long is repeated under its key, because the API process has died before its answer was stored.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

/** Sends a call under one key, loses its answer, and sends it again. Returns both answers. */
async function twice(call: () => Promise<Reply>) {
  const first = await call()
  await stack.sql('update idempotency_records set status = null, sealed_answer = null, running_until = null')
  return [first, await call()] as const
}

for (const how of [{ by: 'P2D' }, { to: '2028-03-01T00:00:00Z' }]) {
  test(`an advance ${Object.keys(how)[0]} repeated under its key goes no further, and lists the same`, async () => {
    const { merchant, clock, attach } = await beginOnClock(api, { frozen_time: '2028-02-28T00:00:00Z' })
    const session = await merchant.createCheckout({ ...sale, expires_in_minutes: 60 })
    await attach({ checkout_id: session.checkout_id })
    await stack.sql(`update checkouts set expires_at = '2028-02-28T05:00:00Z' where id = ?`, [session.checkout_id])
    const advance = () =>
      merchant.call('POST', `/v1/test-helpers/clocks/${clock.clock_id}/advance`, how, { 'idempotency-key': 'advance' })
    const [first, again] = await twice(advance)
    assert.equal(first.status, 200, first.text)
    assert.equal(again.text, first.text)
    const { frozen_time, happened } = first.body as unknown as Clock
    assert.equal(new Date(frozen_time).toISOString(), '2028-03-01T00:00:00.000Z')
    assert.deepEqual(
      happened.map(({ step }) => step),
      ['expired'],
    )
  })
}

test('an advance under another key goes on from there, also after one whose answer was lost', async () => {
  const { merchant, clock } = await beginOnClock(api, { frozen_time: '2028-02-28T00:00:00Z' })
  const path = `/v1/test-helpers/clocks/${clock.clock_id}/advance`
  const advance = (key: string) => merchant.call('POST', path, { by: 'P1D' }, { 'idempotency-key': key })
  await twice(() => advance('first'))
  const { body } = await advance('second')
  assert.equal(new Date(String(body['frozen_time'])).toISOString(), '2028-03-01T00:00:00.000Z')
})

test('an advance that is repeated after another one has come between goes no further', async () => {
  const { merchant, clock } = await beginOnClock(api, { frozen_time: '2028-02-28T00:00:00Z' })
  const path = `/v1/test-helpers/clocks/${clock.clock_id}`
  const advance = (key: string) => merchant.call('POST', `${path}/advance`, { by: 'P1D' }, { 'idempotency-key': key })
  await twice(() => advance('before'))
  await advance('lost')
  await stack.sql('update idempotency_records set status = null, sealed_answer = null, running_until = null')
  assert.equal((await advance('between')).status, 200)
  assertError(await advance('lost'), 409, 'CONFLICT')
  const { body } = await merchant.call('GET', path)
  assert.equal(new Date(String(body['frozen_time'])).toISOString(), '2028-03-02T00:00:00.000Z')
})

test('a scenario that is repeated under its key sells nothing twice, and names its first clock', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const body = { steps: [{ create: { amount: '25.00', currency: 'USD', payment_method: 'USD_CARD' } }, { pay: {} }] }
  const [first, again] = await twice(() =>
    merchant.call('POST', '/v1/test-helpers/scenarios', body, { 'idempotency-key': 'scenario' }),
  )
  assert.equal(first.status, 200, first.text)
  assertError(again, 409, 'CONFLICT')
  assert.match(again.text, new RegExp(String(first.body['clock_id'])))
  assert.equal(await countRows(stack, 'payments where account_id = ?', [accountId]), 1)
})
