import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WebhookEndpoint } from '../../db/webhook/endpoint.ts'
import { findMissed } from '../../db/webhook/missed-events.ts'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { addPastEvents, endpointsPath as path, taken, withEndpoints } from '../support/endpoints.ts'
import { rowsRead } from '../support/plans.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { useApi, useReceiverForEachTest, useStack } from '../support/use-stack.ts'

const hour = 3_600_000

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const receiver = useReceiverForEachTest()

async function newMerchant() {
  const { merchant, accountId } = await api.addMerchant()
  return { merchant, accountId, ...withEndpoints(merchant) }
}

const ago = (ms: number) => new Date(Date.now() - ms).toISOString()

async function recovered(recoveryId: unknown): Promise<void> {
  await stack.dispatched()
  assert.equal(await stack.finished('webhook-recovery', String(recoveryId)), 'completed')
}

/** Makes the deliveries of an event, or to an endpoint, fail afterwards. */
async function setFailed(column: 'event_id' | 'endpoint_id', id: string): Promise<void> {
  await stack.sql(`update deliveries set status = 'failed', attempts_max = 1 where ${column} = ?`, [id])
  await stack.sql(
    `update delivery_attempts a set error = 'bad_status', response_status = 500 from deliveries d
    where d.id = a.delivery_id and d.${column} = ?`,
    [id],
  )
}

test('a recovery sends skipped, failed and never delivered events, and nothing else', async () => {
  const { accountId, add, happen, change, event, ended, recover, deliveries } = await newMerchant()
  const [neverHeard = ''] = await addPastEvents(stack, accountId, 1)
  const endpoint = await add({ url: receiver.url, events: ['refund.paid', 'refund.failed'] })
  const succeeded = await happen()
  await ended(endpoint)
  await change(endpoint, { enabled: false })
  const [skipped, filtered] = [await happen(), await happen('payout.paid')]
  await change(endpoint, { enabled: true })
  const failed = await happen('refund.failed')
  await until(async () => (await event(failed)).deliveries[0]?.status === 'succeeded', 'it was delivered')
  await setFailed('event_id', failed)
  receiver.received.length = 0
  const since = ago(hour)
  const answer = await recover(endpoint, { since })
  assert.match(String(answer['recovery_id']), /^rcv_/)
  assert.partialDeepStrictEqual(answer, { endpoint_id: endpoint, since })
  assert.ok(Math.abs(Date.parse(String(answer['until'])) - Date.now()) < 60_000)
  await recovered(answer['recovery_id'])
  await ended(endpoint)
  const arrived = receiver.received.map((each) => each.event.id)
  assert.deepEqual(arrived.toSorted(), [neverHeard, skipped, failed].toSorted())
  assert.ok(!arrived.includes(succeeded) && !arrived.includes(filtered))
  const sent = (await deliveries(endpoint)).filter(({ trigger }) => trigger === 'recovery')
  assert.deepEqual(new Set(sent.map(({ status }) => status)), new Set(['succeeded']))
  await recovered((await recover(endpoint, { since }))['recovery_id'])
  assert.equal((await deliveries(endpoint)).filter(({ trigger }) => trigger === 'recovery').length, 3)
})

test('a recovery’s progress can be read, only by its account, also after its endpoint is deleted', async () => {
  const [owner, other] = [await newMerchant(), await newMerchant()]
  const { merchant, accountId } = owner
  await addPastEvents(stack, accountId, 3)
  const endpoint = await owner.add({ url: receiver.url })
  const answer = await owner.recover(endpoint, { since: ago(hour) })
  assert.partialDeepStrictEqual(answer, { status: 'running', sent_count: 0, completed_at: null })
  await recovered(answer['recovery_id'])
  const one = `/v1/webhooks/recoveries/${String(answer['recovery_id'])}`
  const { status, body } = await merchant.call('GET', one)
  const { completed_at } = body as Record<string, unknown>
  assert.equal(status, 200)
  assert.deepEqual(body, { ...answer, status: 'completed', sent_count: 3, completed_at })
  assert.ok(String(completed_at) >= String(answer['created_at']))
  await owner.remove(endpoint)
  assert.equal((await merchant.call('GET', one)).status, 200)
  const live = await api.addKey({ accountId, environment: 'live' })
  for (const stranger of [other.merchant, live.merchant]) {
    assertError(await stranger.call('GET', one), 404, 'NOT_FOUND')
  }
  for (const id of ['rcv_nonsense', endpoint]) {
    assertError(await merchant.call('GET', `/v1/webhooks/recoveries/${id}`), 404, 'NOT_FOUND')
  }
})

test('a recovery covers its span: since is inclusive, until is exclusive', async () => {
  const { accountId, add, recover, ended } = await newMerchant()
  const ids = await addPastEvents(stack, accountId, 5)
  const moments = await stack.sql<{ at: string }>(
    'select created_at as at from events where account_id = ? order by created_at',
    [accountId],
  )
  const at = (index: number) => new Date(moments[index]?.at ?? '').toISOString()
  const endpoint = await add({ url: receiver.url })
  await recovered((await recover(endpoint, { since: at(1), until: at(3) }))['recovery_id'])
  await ended(endpoint)
  assert.deepEqual(receiver.received.map(({ event }) => event.id).toSorted(), ids.slice(1, 3).toSorted())
})

test('300 events are recovered in order and once each, while another endpoint gets new ones at once', async () => {
  const { accountId, add, recover, happen, event } = await newMerchant()
  const ids = await addPastEvents(stack, accountId, 300)
  const other = await startReceiver()
  const endpoint = await add({ url: receiver.url, events: ['refund.paid'] })
  await add({ url: other.url, events: ['payout.paid'] })
  const since = ago(24 * hour)
  const orders = await Promise.all([recover(endpoint, { since }), recover(endpoint, { since })]) // two take turns
  let overtook = 0
  while (receiver.received.length < 250) {
    const id = await happen('payout.paid')
    await until(() => other.received.some((each) => each.event.id === id), 'the new event has arrived')
    if (receiver.received.length < 300) overtook += 1
    assert.equal((await event(id)).deliveries.length, 1)
  }
  assert.ok(overtook >= 3, `${overtook} new events arrived before the recovered ones`)
  for (const { recovery_id } of orders) await recovered(recovery_id)
  const arrived = () => new Set(receiver.received.map((each) => each.event.id)).size
  await until(() => arrived() === 300, 'all of them have arrived')
  // Once each, as it is recorded: on a busy machine an attempt can outlast its claim, and is then made again.
  assert.deepEqual([...new Set(receiver.received.map((each) => each.event.id))].toSorted(), ids.toSorted())
  const attempts = await stack.sql<{ count: string }>(
    'select count(*) from deliveries d join delivery_attempts a on a.delivery_id = d.id where d.endpoint_id = ?',
    [endpoint],
  )
  assert.equal(Number(attempts[0]?.count), 300)
  // Events of a later step happened after all of an earlier one.
  const steps = await stack.sql<{ first: string; last: string }>(
    `select min(e.created_at) as first, max(e.created_at) as last from deliveries d join events e on e.id = d.event_id
     where d.endpoint_id = ? group by d.created_at order by d.created_at`,
    [endpoint],
  )
  assert.ok(steps.length >= 6, `${steps.length} steps`)
  for (const [index, { first }] of steps.entries()) {
    const last = steps[index - 1]?.last
    if (last) assert.ok(new Date(last) < new Date(first), `step ${index + 1} begins before the one before it ends`)
  }
  await other.close()
})

test('a recovery follows the endpoint’s account scope: its own events, connected accounts’, or both', async () => {
  const { accountId, add, recover, ended } = await newMerchant()
  const connectedId = await api.addConnected(accountId)
  const [own] = await addPastEvents(stack, accountId, 1)
  const [theirs] = await addPastEvents(stack, connectedId, 1)
  for (const [account_scope, expected] of [
    ['own', [own]],
    ['connected', [theirs]],
    ['all', [own, theirs]],
  ] as const) {
    const endpoint = await add({ url: receiver.url, account_scope })
    receiver.received.length = 0
    await recovered((await recover(endpoint, { since: ago(hour) }))['recovery_id'])
    await ended(endpoint)
    assert.deepEqual(receiver.received.map(({ event }) => event.id).toSorted(), expected.toSorted())
  }
})

test('a step reads as few events of connected accounts, however long the span is, oldest first', async () => {
  const { accountId, add } = await newMerchant()
  const connected = [await api.addConnected(accountId), await api.addConnected(accountId)]
  const ids: string[] = []
  for (const account of connected) ids.push(...(await addPastEvents(stack, account, 8_000)))
  const [old] = await addPastEvents(stack, accountId, 1)
  await stack.sql(`update events set created_at = now() - interval '80 days' where id = ?`, [old])
  await stack.sql('analyze events')
  const id = await add({ url: receiver.url, account_scope: 'all', enabled: false })
  const em = stack.database.orm.em.fork()
  const endpoint = await em.findOneOrFail(WebhookEndpoint, { id })
  const look = async (span: { since: Date; until: Date }, max: number) => {
    const { found, read } = await rowsRead(stack, 'events', (reading) =>
      findMissed(reading, { ...span, positionAt: null, positionId: null }, endpoint, { max, at: Date.now() }),
    )
    return { ...found, ids: found.missed.map((event) => event.id), read }
  }
  const [since, now] = [new Date(Date.now() - 89 * 24 * hour), new Date()]
  const all = await look({ since, until: now }, 50)
  assert.deepEqual([all.ids[0], all.ids.length, all.isLast], [old, 50, false])
  const short = await look({ since: new Date(Date.now() - hour), until: now }, 50)
  assert.ok(all.read < 2.5 * 1_000 && short.read < 2.5 * 1_000, `${all.read} and ${short.read} rows were read`)
  const alone = await look({ since, until: new Date(Date.now() - 24 * hour) }, 50)
  assert.deepEqual([alone.ids, alone.isLast], [[old], true])
  const many = await look({ since, until: now }, 5_000)
  assert.deepEqual([many.ids.length, many.isLast], [1_000, false])
  const inOrder = many.missed.map((event) => `${new Date(event.createdAt).toISOString()} ${event.id}`)
  assert.deepEqual(inOrder, inOrder.toSorted())
})

test('missed_since is the time of the first event to recover, whatever has been tried out meanwhile', async () => {
  const { merchant, add, happen, change, event, ended, recover, resend, read } = await newMerchant()
  const endpoint = await add({ url: receiver.url })
  const missedSince = async () => {
    const shown = await read(endpoint)
    assert.deepEqual((await taken(merchant.call('GET', path)))['items'], [shown])
    return shown['missed_since']
  }
  const timeOf = async (id: string) => (await event(id))['created_at']
  const tryOut = () => taken(merchant.call('POST', `${path}/${endpoint}/test`, {}))
  await tryOut()
  await ended(endpoint)
  await setFailed('endpoint_id', endpoint)
  await happen()
  await ended(endpoint)
  assert.equal(await missedSince(), null)
  await change(endpoint, { enabled: false })
  const [first, second, other] = [await happen(), await happen('payout.paid'), await happen('refund.failed')]
  assert.equal(await missedSince(), await timeOf(first))
  await change(endpoint, { enabled: true })
  await tryOut()
  await happen()
  await until(async () => (await ended(endpoint)).length === 7, 'a test event and an event are delivered')
  assert.equal((await change(endpoint, { description: 'Repaired' }))['missed_since'], await timeOf(first))
  await resend(first, { endpoint_id: endpoint })
  await ended(endpoint)
  assert.equal(await missedSince(), await timeOf(second))
  assert.equal((await change(endpoint, { events: ['refund.failed'] }))['missed_since'], await timeOf(other))
  assert.equal((await change(endpoint, { account_scope: 'connected' }))['missed_since'], null)
  const since = (await change(endpoint, { events: ['*'], account_scope: 'own' }))['missed_since']
  const { recovery_id } = await recover(endpoint, { since })
  await recovered(recovery_id)
  await ended(endpoint)
  assert.equal(await missedSince(), null)
})

test('what a recovery could not deliver is missed since its event, until its last hour', async () => {
  const { accountId, add, read, recover, ended } = await newMerchant()
  const [old, late] = await addPastEvents(stack, accountId, 2)
  const endpoint = await add({ url: receiver.url })
  const { recovery_id } = await recover(endpoint, { since: ago(hour) })
  await recovered(recovery_id)
  await ended(endpoint)
  await setFailed('endpoint_id', endpoint)
  for (const [hours, id] of [
    [1.1, old],
    [0.9, late],
  ] as const) {
    const at = ago(90 * 24 * hour - hours * hour)
    await stack.sql('update events set created_at = ? where id = ?', [at, old])
    const [shown] = await stack.sql<{ at: string }>('select created_at as at from events where id = ?', [id])
    assert.equal((await read(endpoint))['missed_since'], new Date(shown?.at ?? '').toISOString())
  }
})

test('an event that a recovery could not deliver is missed, also where a later event failed before', async () => {
  const { accountId, add, happen, read, recover, ended } = await newMerchant()
  const [old = '', next = ''] = await addPastEvents(stack, accountId, 2)
  const endpoint = await add({ url: receiver.url })
  const failed = await happen()
  await ended(endpoint)
  await setFailed('endpoint_id', endpoint)
  const timeOf = async (id: string) => {
    const [row] = await stack.sql<{ at: string }>('select created_at as at from events where id = ?', [id])
    return new Date(row?.at ?? '').toISOString()
  }
  assert.equal((await read(endpoint))['missed_since'], await timeOf(failed))
  const { recovery_id } = await recover(endpoint, { since: await timeOf(old), until: await timeOf(next) })
  await recovered(recovery_id)
  await ended(endpoint)
  await setFailed('endpoint_id', endpoint)
  assert.equal((await read(endpoint))['missed_since'], await timeOf(old))
})

test('a span starts in the last 90 days and before its end, and ends now at the latest', async () => {
  const { merchant, add, recover } = await newMerchant()
  const endpoint = await add({ url: receiver.url })
  const send = (body: unknown) => merchant.call('POST', `${path}/${endpoint}/recover`, body)
  assertFieldErrors(await send({}), { since: 'value_error.missing' })
  for (const since of ['yesterday', '2026-11-21', ''])
    assertFieldErrors(await send({ since }), { since: 'value_error.format' })
  assertFieldErrors(await send({ since: ago(hour), until: 'now' }), { until: 'value_error.format' })
  assertFieldErrors(await send({ since: 5 }), { since: 'value_error.type' })
  const ranges = [
    { since: ago(90 * 24 * hour + 60_000) },
    { since: ago(-hour) },
    { since: ago(hour), until: ago(hour * 2) },
    { since: '2026-11-01T00:00:00Z', until: '2026-11-01T00:00:00Z' },
  ]
  for (const body of ranges) assertFieldErrors(await send(body), { since: 'value_error.range' })
  const { until: end, recovery_id } = await recover(endpoint, { since: ago(89 * 24 * hour), until: ago(-hour) })
  assert.ok(Date.parse(String(end)) <= Date.now())
  await recovered(recovery_id)
})

test('CONFLICT: a recovery for a disabled endpoint', async () => {
  const { merchant, add } = await newMerchant()
  const endpoint = await add({ url: receiver.url, enabled: false })
  assertError(await merchant.call('POST', `${path}/${endpoint}/recover`, { since: ago(hour) }), 409, 'CONFLICT')
  assert.deepEqual(await stack.sql('select id from webhook_recoveries where endpoint_id = ?', [endpoint]), [])
})

test('CONFLICT: a fourth recovery of an endpoint, until one is completed, but for an equal key', async () => {
  const { merchant, accountId, add, recover, deliveries } = await newMerchant()
  await addPastEvents(stack, accountId, 100)
  const endpoint = await add({ url: receiver.url })
  const answerAgain = receiver.fallsSilent()
  const body = { since: ago(hour) }
  const order = (key: string) =>
    merchant.call('POST', `${path}/${endpoint}/recover`, body, { 'idempotency-key': `recovery-${key}` })
  const first = await order('1')
  const answers = await Promise.all(['2', '3', '4', '5', '6'].map(order))
  const [allowed, refused] = [
    answers.filter(({ status }) => status === 200),
    answers.filter((each) => each.status > 200),
  ]
  assert.deepEqual([allowed.length, refused.length], [2, 3])
  for (const each of refused) assertError(each, 409, 'CONFLICT')
  assert.equal((await order('1')).text, first.text)
  assert.equal((await merchant.call('POST', `${path}/${await add({ url: receiver.url })}/recover`, body)).status, 200)
  answerAgain()
  for (const each of [first, ...allowed]) await recovered(each.body['recovery_id'])
  assert.equal(new Set((await deliveries(endpoint)).map(({ event_id }) => event_id)).size, 100)
  await recovered((await recover(endpoint, body))['recovery_id'])
})

test('a recovery ends when its endpoint is switched off or deleted', async () => {
  const { accountId, add, recover, change, remove } = await newMerchant()
  await addPastEvents(stack, accountId, 300)
  for (const end of [(id: string) => change(id, { enabled: false }), remove]) {
    const endpoint = await add({ url: receiver.url })
    const { recovery_id } = await recover(endpoint, { since: ago(hour) })
    await end(endpoint)
    await recovered(recovery_id)
    const [row] = await stack.sql<{ count: string }>('select count(*) from deliveries where endpoint_id = ?', [
      endpoint,
    ])
    assert.ok(Number(row?.count) < 300)
  }
})
