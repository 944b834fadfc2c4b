import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction } from '../../db/core/database.ts'
import { recordEvent } from '../../db/core/record-event.ts'
import { newId } from '../../domain/id.ts'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import { actingFor, addPastDeliveries, eventsPath as path, type Json, withEndpoints } from '../support/endpoints.ts'
import { until } from '../support/until.ts'
import { useApi, useReceiverForEachTest, useStack } from '../support/use-stack.ts'

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const receiver = useReceiverForEachTest()

async function newMerchant() {
  const { merchant, accountId } = await api.addMerchant()
  return { merchant, accountId, ...withEndpoints(merchant) }
}

const idsOf = (items: Json[]) => items.map(({ id }) => id)

test('an event is listed and read as it was sent, with its resource, sequence number and deliveries', async () => {
  const { merchant, add, happen, ended, event } = await newMerchant()
  receiver.answers([500])
  const endpointId = await add({ url: receiver.url })
  const id = await happen()
  await until(() => receiver.received.length === 1, 'the event has arrived')
  const [received] = receiver.received
  await until(async () => (await event(id)).deliveries[0]?.attempts.length === 1, 'the attempt is recorded')
  const { deliveries, ...shown } = await event(id)
  const { resource_id, sequence, ...envelope } = shown
  assert.deepEqual(envelope, received?.event)
  assert.equal(String(sequence), received?.headers['x-service-sequence'])
  assert.equal((shown['data'] as Json)['refund_id'], resource_id)
  assert.deepEqual(pageOf(await merchant.call('GET', path)).items, [shown])
  const [delivery] = deliveries
  assert.partialDeepStrictEqual(delivery, {
    event_id: id,
    event_type: 'refund.paid',
    endpoint_id: endpointId,
    status: 'pending',
    trigger: 'automatic',
    attempts: [
      {
        number: 1,
        response_status: 500,
        response_body: 'heard',
        error: 'bad_status',
      },
    ],
    completed_at: null,
  })
  const [attempt] = delivery?.attempts ?? []
  assert.ok(attempt && 'at' in attempt && 'duration_ms' in attempt)
  const inMs = Date.parse(String(delivery?.next_attempt_at)) - Date.now()
  assert.ok(inMs > 30_000 && inMs < 70_000)
  await stack.client.workflow.getHandle(`delivery/${delivery?.delivery_id}`).signal('attemptNow')
  assert.equal((await ended(endpointId))[0]?.status, 'succeeded')
})

test('events are filtered by type, resource and time, newest first, in pages', async () => {
  const { merchant, happen } = await newMerchant()
  const ids: string[] = []
  for (const type of ['refund.paid', 'payout.paid', 'refund.paid', 'invoice.paid']) ids.push(await happen(type))
  const find = async (query: string) => pageOf(await merchant.call('GET', `${path}?${query}`)).items
  const all = await find('')
  assert.deepEqual(idsOf(all), ids.toReversed())
  assert.deepEqual(idsOf(await find('type=refund.paid')), [ids[2], ids[0]])
  assert.deepEqual(idsOf(await find(`resource_id=${String(all[2]?.['resource_id'])}`)), [ids[1]])
  assert.deepEqual(await find('resource_id=ref_none'), [])
  const at = (index: number) => encodeURIComponent(String(all[index]?.['created_at']))
  assert.deepEqual(idsOf(await find(`created_after=${at(2)}`)), [ids[3], ids[2]])
  assert.deepEqual(idsOf(await find(`created_before=${at(2)}`)), [ids[0]])
  const { pagination } = pageOf(await merchant.call('GET', `${path}?limit=3`))
  assert.equal(pagination.total, 4)
  assert.deepEqual(idsOf(await find(`limit=3&cursor=${pagination.next_cursor}`)), [ids[0]])
  assertFieldErrors(await merchant.call('GET', `${path}?type=refund.stolen`), { type: 'value_error.enum' })
  assertFieldErrors(await merchant.call('GET', `${path}?created_after=yesterday`), {
    created_after: 'value_error.format',
  })
})

test('events of one commit are listed in the order in which they happened, also page by page', async () => {
  const { merchant, accountId } = await newMerchant()
  const owner = { accountId, environment: 'sandbox' as const }
  const types = ['customer.created', 'collection.succeeded', 'checkout.completed'] as const
  const at = Date.now()
  // Many in one millisecond: random ids would have this order about once in 10^38.
  const expected = Array.from({ length: 34 }, (_, index) => ({ type: types[index % 3] ?? types[0], index }))
  await inTransaction(stack.database, async (em) => {
    for (const { type, index } of expected) {
      const data = { index }
      await recordEvent(em, owner, { type, resourceId: `chk_${index}`, data }, index === 20 ? at - 60_000 : at)
    }
  })
  const { items } = pageOf(await merchant.call('GET', `${path}?limit=100`))
  const listed = items.toReversed() as { type: string; data: Json; created_at: string; sequence: number }[]
  assert.deepEqual(
    listed.map(({ type, data }) => ({ type, index: data['index'] })),
    expected,
  )
  const inTime = listed.toSorted((one, other) => one.sequence - other.sequence)
  assert.deepEqual(inTime, listed, 'the sequence numbers have the same order')
  const created = listed.map(({ created_at }) => created_at)
  assert.deepEqual(created.toSorted(), created, 'the times have the same order')
  const paged: unknown[] = []
  for (let query = '?limit=5'; ;) {
    const { items: some, pagination } = pageOf(await merchant.call('GET', path + query))
    paged.push(...idsOf(some))
    if (!pagination.next_cursor) break
    query = `?limit=5&cursor=${pagination.next_cursor}`
  }
  assert.deepEqual(paged, idsOf(items))
})

test('NOT_FOUND: a test event, another account’s event and an unknown one cannot be read; none is listed', async () => {
  const [owner, other] = [await newMerchant(), await newMerchant()]
  const endpointId = await owner.add({ url: receiver.url })
  const { status } = await owner.merchant.call('POST', `/v1/webhooks/endpoints/${endpointId}/test`, {})
  assert.equal(status, 200)
  assert.equal(pageOf(await owner.merchant.call('GET', path)).pagination.total, 0)
  const [row] = await stack.sql<{ id: string }>('select id from events where account_id = ?', [owner.accountId])
  const theirs = await other.happen()
  for (const id of [row?.id ?? '', 'evt_test_webhook', theirs, newId('evt', Date.now()), 'nonsense']) {
    assertError(await owner.merchant.call('GET', `${path}/${id}`), 404, 'NOT_FOUND')
    assertError(await owner.merchant.call('POST', `${path}/${id}/resend`, {}), 404, 'NOT_FOUND')
  }
  await owner.ended(endpointId)
})

test('a resend sends the same bytes, with one attempt, to every endpoint whose filter has the type', async () => {
  const { add, happen, ended, event, resend, change } = await newMerchant()
  const one = await add({ url: receiver.url })
  const two = await add({ url: receiver.url, events: ['refund.paid'] })
  const other = await add({ url: receiver.url, events: ['payout.paid'] })
  const off = await add({ url: receiver.url })
  const id = await happen()
  await Promise.all([one, two, off].map((endpoint) => ended(endpoint)))
  await change(off, { enabled: false })
  receiver.answers([500, 500])
  const { event_id, deliveries } = await resend(id)
  assert.equal(event_id, id)
  assert.deepEqual(
    deliveries.map(({ endpoint_id, trigger, status }) => [endpoint_id, trigger, status]),
    [one, two].map((endpoint) => [endpoint, 'manual', 'pending']),
  )
  for (const endpoint of [one, two]) {
    const [last] = await ended(endpoint) // a failed resend is not tried again
    assert.partialDeepStrictEqual(last, { status: 'failed', next_attempt_at: null, trigger: 'manual' })
    assert.equal(last?.attempts.length, 1)
  }
  assert.equal((await event(id)).deliveries.filter(({ endpoint_id }) => [other, off].includes(endpoint_id)).length, 1)
  assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
  assert.equal(receiver.received.length, 5)
})

test('a resend to a named endpoint reaches only that one, whatever its filter', async () => {
  const { add, happen, ended, resend } = await newMerchant()
  await add({ url: receiver.url, events: ['refund.failed'] })
  const other = await add({ url: receiver.url, events: ['payout.paid'] })
  const id = await happen()
  assert.deepEqual((await resend(id)).deliveries, [])
  const { deliveries } = await resend(id, { endpoint_id: other })
  assert.deepEqual(
    deliveries.map(({ endpoint_id }) => endpoint_id),
    [other],
  )
  assert.equal((await ended(other))[0]?.status, 'succeeded')
  assert.equal(receiver.received[0]?.event.id, id)
})

test('CONFLICT: a resend to a disabled endpoint; NOT_FOUND: a resend to another account’s', async () => {
  const [owner, other] = [await newMerchant(), await newMerchant()]
  const off = await owner.add({ url: receiver.url, enabled: false })
  const foreign = await other.add({ url: receiver.url })
  const id = await owner.happen()
  const send = (endpoint_id: string) => owner.merchant.call('POST', `${path}/${id}/resend`, { endpoint_id })
  assertError(await send(off), 409, 'CONFLICT')
  assertError(await send(foreign), 404, 'NOT_FOUND')
  assertError(await send(newId('we', Date.now())), 404, 'NOT_FOUND')
  assert.deepEqual((await owner.resend(id)).deliveries, [])
  assert.equal(receiver.received.length, 0)
})

test('an event while an endpoint is disabled is recorded as skipped, and can be resent later', async () => {
  const { add, happen, change, deliveries, resend, ended } = await newMerchant()
  const endpoint = await add({ url: receiver.url, enabled: false })
  const id = await happen()
  const [skipped] = await deliveries(endpoint)
  assert.partialDeepStrictEqual(skipped, { event_id: id, status: 'skipped', attempts: [], next_attempt_at: null })
  await change(endpoint, { enabled: true })
  await happen('payout.paid')
  await resend(id)
  await ended(endpoint)
  assert.deepEqual(receiver.types().toSorted(), ['payout.paid', 'refund.paid'])
})

test('A manual resend is one separate attempt, and leaves the schedule of a running delivery as it is', async () => {
  const { add, happen, event, resend } = await newMerchant()
  receiver.answers([500, 500, 200])
  await add({ url: receiver.url })
  const id = await happen()
  const current = async () => (await event(id)).deliveries
  await until(async () => (await current())[0]?.attempts.length === 1, 'the first attempt has failed')
  const [automatic] = await current()
  for (const [index, status] of ['failed', 'succeeded'].entries()) {
    const { deliveries } = await resend(id)
    assert.partialDeepStrictEqual(deliveries, [{ trigger: 'manual', status: 'pending', attempts: [] }])
    await until(async () => (await current())[index + 1]?.status !== 'pending', 'the attempt is made at once')
    const made = (await current())[index + 1]
    assert.partialDeepStrictEqual(made, { delivery_id: deliveries[0]?.delivery_id, status, next_attempt_at: null })
    assert.deepEqual(
      made?.attempts.map(({ number }) => number),
      [1],
    )
  }
  assert.deepEqual((await current())[0], automatic, 'the automatic delivery has not changed')
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers['x-service-attempt']),
    ['1', '1', '1'],
  )
})

test('of an event with more than 100 deliveries the newest 100 are shown, in the order of their times', async () => {
  const { happen, event } = await newMerchant()
  const id = await happen()
  const deliveries = await addPastDeliveries(stack, id, 101)
  assert.deepEqual(
    (await event(id)).deliveries.map(({ delivery_id }) => delivery_id),
    deliveries.slice(1),
  )
})

test('a resend that is repeated with its key sends once', async () => {
  const { merchant, add, happen, ended } = await newMerchant()
  const endpoint = await add({ url: receiver.url })
  const id = await happen()
  await ended(endpoint)
  const send = () => merchant.call('POST', `${path}/${id}/resend`, {}, { 'idempotency-key': 'once' })
  const [first, second] = [await send(), await send()]
  assert.equal(first.text, second.text)
  assert.equal((await ended(endpoint)).length, 2)
})

test('a platform reads and resends only those events of a connected account that its endpoints got', async () => {
  const platform = await newMerchant()
  const connectedId = await api.addConnected(platform.accountId)
  const connected = withEndpoints(actingFor(platform.merchant, connectedId))
  const early = await connected.happen()
  const endpoint = await platform.add({ url: receiver.url, account_scope: 'connected' })
  const other = await platform.add({ url: receiver.url, account_scope: 'own' })
  const own = await connected.add({ url: receiver.url })
  const id = await connected.happen()
  await Promise.all([platform.ended(endpoint), connected.ended(own)])
  const shown = await platform.event(id)
  assert.equal(shown['account_id'], connectedId)
  assert.deepEqual(
    shown.deliveries.map(({ endpoint_id }) => endpoint_id),
    [endpoint],
  )
  assert.deepEqual(
    (await connected.event(id)).deliveries.map(({ endpoint_id }) => endpoint_id),
    [own],
  )
  assertError(await platform.merchant.call('GET', `${path}/${early}`), 404, 'NOT_FOUND')
  assert.equal(pageOf(await platform.merchant.call('GET', path)).pagination.total, 0)
  const { deliveries } = await platform.resend(id)
  assert.deepEqual(
    deliveries.map(({ endpoint_id }) => endpoint_id),
    [endpoint],
  )
  await platform.ended(endpoint)
  assert.deepEqual(await platform.deliveries(other), [])
})

test('NOT_FOUND: an event of the caller’s platform, or of the other environment', async () => {
  const platform = await newMerchant()
  const connected = actingFor(platform.merchant, await api.addConnected(platform.accountId))
  const live = await api.addKey({ accountId: platform.accountId, environment: 'live' })
  const id = await platform.happen()
  assertError(await connected.call('GET', `${path}/${id}`), 404, 'NOT_FOUND')
  assertError(await live.merchant.call('GET', `${path}/${id}`), 404, 'NOT_FOUND')
  assert.equal(pageOf(await live.merchant.call('GET', path)).pagination.total, 0)
})
