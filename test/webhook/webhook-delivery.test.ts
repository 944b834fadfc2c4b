import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventTypes } from '../../domain/webhook/event.ts'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import { endpointsPath as path, type Json, type ShownDelivery, taken, withEndpoints } from '../support/endpoints.ts'
import { startReceiver } from '../support/receiver.ts'
import { changeEndpoint } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { useApi, useReceiverForEachTest, useStack } from '../support/use-stack.ts'

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const receiver = useReceiverForEachTest()

async function newMerchant() {
  const { merchant, accountId } = await api.addMerchant()
  const send = (id: string, body: Json = {}) => merchant.call('POST', `${path}/${id}/test`, body)
  const sendTest = (id: string, body: Json = {}) => taken<{ event_id: string; delivery: ShownDelivery }>(send(id, body))
  return { merchant, accountId, send, sendTest, ...withEndpoints(merchant) }
}

test('an endpoint’s deliveries are listed newest first with their attempts, by status and type', async () => {
  const { merchant, add, happen, ended, deliveries, event } = await newMerchant()
  const [id, other] = [await add({ url: receiver.url }), await add({ url: receiver.url, events: ['invoice.paid'] })]
  const [first, second] = [await happen('refund.paid'), await happen('payout.paid')]
  await ended(id)
  receiver.answers([503])
  const third = await happen('refund.paid')
  await until(async () => (await event(third)).deliveries[0]?.attempts.length === 1, 'the third has failed')
  const all = await deliveries(id)
  assert.deepEqual(
    all.map(({ event_id, status }) => [event_id, status]),
    [
      [third, 'pending'],
      [second, 'succeeded'],
      [first, 'succeeded'],
    ],
  )
  const attempt = { number: 1, response_status: 200, response_body: 'heard', error: null }
  assert.partialDeepStrictEqual(all[1], {
    trigger: 'automatic',
    event_type: 'payout.paid',
    endpoint_id: id,
    next_attempt_at: null,
    attempts: [attempt],
  })
  assert.ok(Date.parse(String(all[1]?.completed_at)) > 0)
  assert.partialDeepStrictEqual(all[0]?.attempts, [{ ...attempt, response_status: 503, error: 'bad_status' }])
  const found = async (query: string) => (await deliveries(id, query)).map(({ event_id }) => event_id)
  assert.deepEqual(await found('status=succeeded'), [second, first])
  assert.deepEqual(await found('type=refund.paid'), [third, first])
  assert.deepEqual(await found('status=succeeded&type=refund.paid'), [first])
  assert.deepEqual(await found('status=skipped'), [])
  assert.deepEqual(await deliveries(other), [])
  const { pagination } = pageOf(await merchant.call('GET', `${path}/${id}/deliveries?limit=1`))
  assert.partialDeepStrictEqual(pagination, { total: 3, returned: 1, has_more: true })
  const invalid = await merchant.call('GET', `${path}/${id}/deliveries?status=lost&type=x&limit=0`)
  const error = 'value_error.enum'
  assertFieldErrors(invalid, { status: error, type: error, limit: 'value_error.range' })
  await stack.client.workflow.getHandle(`delivery/${all[0]?.delivery_id}`).signal('attemptNow')
  await ended(id)
})

test('a delivery is read with its attempts and the bytes it sends, also once its endpoint is deleted', async () => {
  const { merchant, add, happen, sendTest, ended, event, remove } = await newMerchant()
  const id = await add({ url: receiver.url })
  const read = (deliveryId: string) => taken(merchant.call('GET', `/v1/webhooks/deliveries/${deliveryId}`))
  const eventId = await happen()
  await ended(id)
  const [listed] = (await event(eventId)).deliveries
  const bytes = receiver.received[0]?.body
  assert.ok(listed && bytes?.includes(eventId))
  assert.deepEqual(await read(listed.delivery_id), { ...listed, request_body: bytes })
  const { delivery } = await sendTest(id)
  await ended(id)
  assert.partialDeepStrictEqual(await read(delivery.delivery_id), {
    event_id: 'evt_test_webhook',
    trigger: 'test',
    request_body: receiver.received[1]?.body,
  })
  await remove(id)
  assert.deepEqual(await read(listed.delivery_id), { ...listed, request_body: bytes })
})

test('NOT_FOUND: another account’s delivery, one of the other environment and an unknown one', async () => {
  const [owner, other] = [await newMerchant(), await newMerchant()]
  const id = await owner.add({ url: receiver.url, enabled: false })
  await owner.happen()
  const [delivery] = await owner.deliveries(id)
  const live = await api.addKey({ accountId: owner.accountId, environment: 'live' })
  const address = `/v1/webhooks/deliveries/${delivery?.delivery_id}`
  assert.equal((await owner.merchant.call('GET', address)).status, 200)
  for (const merchant of [other.merchant, live.merchant])
    assertError(await merchant.call('GET', address), 404, 'NOT_FOUND')
  assertError(await owner.merchant.call('GET', '/v1/webhooks/deliveries/dlv_none'), 404, 'NOT_FOUND')
})

test('the lists of events and deliveries are read by their indexes', async () => {
  const { accountId, add } = await newMerchant()
  const endpoint = await add({ url: receiver.url, enabled: false })
  await stack.sql(
    `insert into events (id, account_id, environment, type, resource_id, body, created_at)
     select 'evt_plan_' || g, ?, 'sandbox', case when g % 50 = 0 then 'payout.paid' else 'refund.paid' end, 'r', '{}',
       now() - interval '1 day' + g * interval '1 ms' from generate_series(1, 5000) g`,
    [accountId],
  )
  await stack.sql(
    `insert into deliveries (id, account_id, environment, event_id, event_type, endpoint_id, status, created_at)
     select 'dlv_plan_' || g, ?, 'sandbox', 'evt_plan_' || g, 'refund.paid', ?,
       case when g % 50 = 0 then 'failed' else 'skipped' end, now() - interval '1 day' + g * interval '1 ms'
     from generate_series(1, 5000) g`,
    [accountId, endpoint],
  )
  await stack.sql('analyze events')
  await stack.sql('analyze deliveries')
  const plan = async (from: string) => {
    const rows = await stack.sql<Record<'QUERY PLAN', string>>(
      `explain select * from ${from} order by created_at desc, id desc limit 51`,
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  const owner = `account_id = '${accountId}' and environment = 'sandbox'`
  const events = `events where ${owner} and is_test = false and body <> ''`
  assert.match(await plan(events), /Index Scan Backward using events_newest /)
  assert.match(await plan(`${events} and type = 'payout.paid'`), /Index Scan Backward using events_newest_by_type/)
  const deliveries = `deliveries where ${owner} and endpoint_id = '${endpoint}'`
  assert.match(await plan(deliveries), /Index Scan Backward using deliveries_by_endpoint/)
  assert.match(await plan(`${deliveries} and status = 'failed'`), /Index Scan Backward using deliveries_unheard/)
  // These made-up rows would break the invariants.
  await stack.sql(`delete from deliveries where id like 'dlv_plan_%'`)
  await stack.sql(`delete from events where id like 'evt_plan_%'`)
})

test('a test event reaches only its endpoint, whatever its filter, and is shown in its deliveries', async () => {
  const { add, sendTest, ended } = await newMerchant()
  const elsewhere = await startReceiver()
  const scopes = ['own', 'connected', 'all']
  const ids = await Promise.all(
    scopes.map((account_scope) => add({ url: receiver.url, events: ['payout.paid'], account_scope })),
  )
  await add({ url: elsewhere.url })
  for (const [index, id] of ids.entries()) {
    const { event_id, delivery } = await sendTest(id)
    assert.equal(event_id, 'evt_test_webhook')
    const about = { event_id, event_type: 'collection.succeeded', endpoint_id: id, trigger: 'test', attempts: [] }
    assert.partialDeepStrictEqual(delivery, { ...about, status: 'pending' })
    const [shown] = await ended(id)
    assert.partialDeepStrictEqual(shown, { event_id, delivery_id: delivery.delivery_id, status: 'succeeded' })
    const { event, headers } = receiver.received[index] ?? {}
    assert.partialDeepStrictEqual(event, { id: event_id, type: 'collection.succeeded', data: { test: true } })
    assert.equal(event?.data['amount'], 100)
    assert.equal(headers?.['x-service-event-id'], event_id)
    assert.match(String(headers?.['webhook-signature']), /^v1,/)
  }
  assert.equal(receiver.received.length, 3)
  assert.equal(elsewhere.received.length, 0)
  await elsewhere.close()
})

test('a test event can have any type, and has the sample of that type', async () => {
  const { merchant, add, send, sendTest, ended } = await newMerchant()
  const id = await add({ url: receiver.url })
  for (const type of eventTypes) assert.equal((await sendTest(id, { type })).delivery.event_type, type)
  await ended(id)
  assert.deepEqual(receiver.types().toSorted(), [...eventTypes].toSorted())
  for (const { event } of receiver.received) {
    assert.equal(event.id, 'evt_test_webhook')
    assert.equal(event.data['test'], true)
  }
  const refund = receiver.received.find(({ event }) => event.type === 'refund.paid')?.event.data
  assert.match(String(refund?.['refund_id']), /^ref_/)
  assertFieldErrors(await send(id, { type: 'refund.stolen' }), { type: 'value_error.enum' })
  assert.equal(pageOf(await merchant.call('GET', '/v1/webhooks/events')).pagination.total, 0)
})

test('CONFLICT: no test event goes to a disabled endpoint', async () => {
  const { add, send, deliveries } = await newMerchant()
  const id = await add({ url: receiver.url, enabled: false })
  assertError(await send(id), 409, 'CONFLICT')
  assert.deepEqual(await deliveries(id), [])
})

test('a delivered test event ends a run of failures', async () => {
  const { add, sendTest, ended, read } = await newMerchant()
  const id = await add({ url: receiver.url })
  await changeEndpoint(stack, id, { failingSince: new Date(Date.now() - 48 * 3_600_000) })
  await sendTest(id)
  await ended(id)
  assert.equal((await read(id))['failing_since'], null)
})

test('a delivery under way to an endpoint that is deleted or switched off ends as skipped', async () => {
  const { add, happen, event, remove, change } = await newMerchant()
  for (const end of [remove, (id: string) => change(id, { enabled: false })]) {
    receiver.answers([500])
    const endpoint = await add({ url: receiver.url })
    const id = await happen()
    const mine = async () => (await event(id)).deliveries.find(({ endpoint_id }) => endpoint_id === endpoint)
    await until(async () => (await mine())?.attempts.length === 1, 'the first attempt has failed')
    await end(endpoint)
    const delivery = await mine()
    await stack.client.workflow.getHandle(`delivery/${delivery?.delivery_id}`).signal('attemptNow')
    assert.equal(await stack.finished('webhook-delivery', delivery?.delivery_id ?? ''), 'skipped')
    assert.partialDeepStrictEqual(await mine(), { status: 'skipped', next_attempt_at: null })
    assert.equal(receiver.received.length, 1)
    receiver.received.length = 0
  }
})
