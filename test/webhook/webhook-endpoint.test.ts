import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import {
  actingFor,
  endpointsPath as path,
  beginFailing,
  type Json,
  taken,
  watcherSignals,
  withEndpoints,
} from '../support/endpoints.ts'
import { createMerchant } from '../support/merchant.ts'
import { changeEndpoint, changeKey } from '../support/rows.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const url = 'https://example.com/hooks'
const idPattern = /^we_[0-9a-z]{34}$/

const stack = await useStack({ workers: false })
const api = await useApi(stack)

/** A new merchant, so that events of one test reach no endpoint of another. */
async function newMerchant() {
  const { merchant, accountId, key } = await api.addMerchant()
  return { merchant, accountId, key, ...withEndpoints(merchant) }
}

/** The types of the events that were sent to an endpoint. */
const sentTo = async (endpointId: string) =>
  (
    await stack.sql<{ type: string }>(
      'select event_type as type from deliveries where endpoint_id = ? order by created_at, id',
      [endpointId],
    )
  ).map(({ type }) => type)

test('an endpoint is created with defaults for fields left out, and read and listed as in the answer', async () => {
  const { merchant, read } = await newMerchant()
  const made = await taken(merchant.call('POST', path, { url }), 201)
  const { secret, ...shown } = made
  assert.match(String(secret), /^whsec_/)
  const { endpoint_id, created_at, updated_at, ...rest } = shown
  assert.match(String(endpoint_id), idPattern)
  assert.equal(created_at, updated_at)
  assert.ok(Math.abs(Date.parse(String(created_at)) - Date.now()) < 60_000)
  assert.deepEqual(rest, {
    url,
    description: null,
    events: ['*'],
    account_scope: 'own',
    is_configuration: false,
    has_secret: true,
    enabled: true,
    disabled_at: null,
    disabled_reason: null,
    failing_since: null,
    warned_at: null,
    missed_since: null,
    stats_24h: {
      pending: 0,
      succeeded: 0,
      failed: 0,
      skipped: 0,
    },
    metadata: {},
  })
  assert.deepEqual(await read(String(endpoint_id)), shown)
  const { items, pagination } = pageOf(await merchant.call('GET', path))
  assert.deepEqual(items, [shown])
  assert.equal(pagination.total, 1)
})

test('given values are kept: description, events without repetition, scope, disabled, metadata', async () => {
  const { merchant } = await newMerchant()
  const sent = {
    url,
    description: 'Accounting',
    account_scope: 'all',
    enabled: false,
    metadata: { team: 'finance' },
    events: ['refund.paid', 'refund.failed', 'refund.paid'],
  }
  const made = await taken(merchant.call('POST', path, sent), 201)
  assert.equal(typeof made['disabled_at'], 'string')
  const { events: _repeated, ...others } = sent
  assert.partialDeepStrictEqual(made, { ...others, events: ['refund.paid', 'refund.failed'], disabled_reason: null })
  const all = await taken(merchant.call('POST', path, { url, events: ['refund.paid', '*'] }), 201)
  assert.deepEqual(all['events'], ['*'])
})

test('every error of an endpoint names its field', async () => {
  const { merchant, add } = await newMerchant()
  const id = await add({ url })
  const errors: [Json, Record<string, string>][] = [
    [{ url: 5 }, { url: 'value_error.type' }],
    [{ url: '' }, { url: 'value_error.range' }],
    [{ url: `${url}/${'a'.repeat(2048)}` }, { url: 'value_error.range' }],
    [{ url: 'ftp://example.com' }, { url: 'value_error.format' }],
    [{ url, description: 'x'.repeat(501) }, { description: 'value_error.range' }],
    [{ url, events: [] }, { events: 'value_error.range' }],
    [{ url, events: ['refund.paid', 'refund.stolen'] }, { 'events.1': 'value_error.enum' }],
    [{ url, events: 'refund.paid' }, { events: 'value_error.type' }],
    [{ url, account_scope: 'others' }, { account_scope: 'value_error.enum' }],
    [{ url, enabled: 'yes' }, { enabled: 'value_error.type' }],
    [{ url, metadata: { a: 1 } }, { 'metadata.a': 'value_error.type' }],
    [{ url, metadata: { a: 'x'.repeat(501) } }, { 'metadata.a': 'value_error.range' }],
    [
      { url, description: 7, enabled: 7 },
      { description: 'value_error.type', enabled: 'value_error.type' },
    ],
  ]
  for (const [body, expected] of errors) {
    assertFieldErrors(await merchant.call('POST', path, body), expected)
    assertFieldErrors(await merchant.call('PATCH', `${path}/${id}`, body), expected)
  }
  assertFieldErrors(await merchant.call('POST', path, {}), { url: 'value_error.missing' })
  for (const secret of ['1234567', 's'.repeat(65)]) {
    assertFieldErrors(await merchant.call('POST', path, { url, secret }), { secret: 'value_error.range' })
  }
  assert.equal(pageOf(await merchant.call('GET', path)).pagination.total, 1)
  assert.equal((await merchant.call('POST', path, { url, description: 'x'.repeat(500) })).status, 201)
})

test('the URL must be public HTTPS, on creation and on change', async () => {
  const strict = await api.addProcess({ config: { ...stack.services.config, allowLoopbackWebhooks: false } })
  const merchant = createMerchant(strict, (await newMerchant()).key)
  const id = await withEndpoints(merchant).add({ url })
  const hosts = ['127.0.0.1', 'localhost', '10.0.0.1', '[::1]', '169.254.169.254', 'user@example.com']
  for (const bad of ['http://example.com', ...hosts.map((host) => `https://${host}/`)]) {
    assertFieldErrors(await merchant.call('POST', path, { url: bad }), { url: 'value_error.format' })
    assertFieldErrors(await merchant.call('PATCH', `${path}/${id}`, { url: bad }), { url: 'value_error.format' })
  }
  assert.equal((await withEndpoints(merchant).read(id))['url'], url)
})

test('CONFLICT: an eleventh endpoint; the single-URL configuration and another environment do not count', async () => {
  const { merchant, accountId, add, remove } = await newMerchant()
  await merchant.setWebhook(url)
  const ids: string[] = []
  for (let index = 0; index < 10; index++) ids.push(await add({ url }))
  assertError(await merchant.call('POST', path, { url }), 409, 'CONFLICT')
  assert.equal(pageOf(await merchant.call('GET', path)).pagination.total, 11)
  const live = await api.addKey({ accountId, environment: 'live' })
  assert.equal((await live.merchant.call('POST', path, { url })).status, 201)
  await remove(ids[0] ?? '')
  await add({ url })
})

test('the configured endpoint is listed with its metadata as an object', async () => {
  const { merchant } = await newMerchant()
  await merchant.setWebhook(url)
  const [configured] = pageOf(await merchant.call('GET', path)).items
  assert.deepEqual(configured?.['metadata'], {})
})

test('creations at the same time never make more than ten endpoints', async () => {
  const { merchant } = await newMerchant()
  const replies = await Promise.all(Array.from({ length: 16 }, () => merchant.call('POST', path, { url })))
  const statuses = replies.map(({ status }) => status).toSorted()
  assert.deepEqual(statuses, [...Array<number>(10).fill(201), ...Array<number>(6).fill(409)])
  assert.equal(pageOf(await merchant.call('GET', path)).pagination.total, 10)
})

test('a creation that is repeated with its key makes one endpoint', async () => {
  const { merchant } = await newMerchant()
  const send = () => merchant.call('POST', path, { url }, { 'idempotency-key': 'the same' })
  const [first, second] = [await send(), await send()]
  assert.equal(first.text, second.text)
  assert.equal(pageOf(await merchant.call('GET', path)).pagination.total, 1)
})

test('an endpoint’s secret is in the answer to its creation, and in no other answer about it', async () => {
  const { merchant, secret, change, accountId } = await newMerchant()
  for (const sent of [{ url }, { url, secret: 'my-own-secret' }]) {
    const make = () => merchant.call('POST', path, sent, { 'idempotency-key': `creation ${Object.keys(sent).length}` })
    const [made, again] = [await make(), await make()]
    assert.equal(made.status, 201, made.text)
    assert.equal(made.text, again.text, 'a lost answer can be fetched again')
    const { endpoint_id: id, secret: shown } = made.body as unknown as Record<string, string>
    assert.equal((await secret(String(id)))['secret'], shown)
    const others = [await change(String(id), { description: 'x' }), await taken(merchant.call('GET', path))]
    assert.ok(!JSON.stringify(others).includes(String(shown)))
    const kept = await stack.sql<Json>('select to_jsonb(k)::text as kept from idempotency_records k')
    assert.ok(kept.length > 0 && !JSON.stringify(kept).includes(String(shown)), 'it is not stored in the clear')
  }
  // By the contract both scopes of webhooks may read the secret, and every role that may read has one of them.
  const id = String((await taken(merchant.call('POST', path, { url }), 201))['endpoint_id'])
  for (const [scopes, status] of [
    [['webhooks:read'], 200],
    [['payments:read', 'accounts:write'], 403],
  ] as const) {
    await changeKey(stack, { accountId }, { scopes: [...scopes] })
    const narrow = createMerchant(await api.addProcess(), merchant.apiKey) // has no cached scopes
    assert.equal((await narrow.call('GET', `${path}/${id}/secret`)).status, status)
  }
})

test('adding an endpoint writes one audit row, and a rotation repeated with its key only one', async () => {
  const { merchant, accountId } = await newMerchant()
  const send = (to: string, body: Json, key: string) => merchant.call('POST', to, body, { 'idempotency-key': key })
  const made = await send(path, { url }, 'add')
  await send(path, { url }, 'add')
  const id = String(made.body['endpoint_id'])
  const first = await send(`${path}/${id}/secret/rotate`, {}, 'rotate')
  assert.equal((await send(`${path}/${id}/secret/rotate`, {}, 'rotate')).text, first.text)
  assert.equal((await send(path, { url: 'http://10.0.0.1' }, 'refused')).status, 400)
  const rows = await stack.sql<Json>(
    'select action, target, key_id is not null as by_key from audit_entries where account_id = ? order by id',
    [accountId],
  )
  assert.deepEqual(rows, [
    { action: 'webhook_endpoint.created', target: id, by_key: true },
    { action: 'webhook_secret.rotated', target: id, by_key: true },
  ])
})

test('a change of where events go writes one audit row, by PATCH and by PUT; other changes write none', async () => {
  const { merchant, accountId, change } = await newMerchant()
  const configure = (webhook_url: string | null) =>
    taken(merchant.call('PUT', '/api/v1/notifications/webhooks/configuration', { webhook_url }))
  for (const to of [url, url, `${url}/2`, null]) await configure(to)
  const id = String((await taken(merchant.call('POST', path, { url }), 201))['endpoint_id'])
  for (const body of [{ url }, { description: 'x' }, { enabled: false }, { url: `${url}/2` }]) await change(id, body)
  const [configured] = await stack.sql<{ id: string }>(
    'select id from webhook_endpoints where account_id = ? and is_configuration',
    [accountId],
  )
  const rows = await stack.sql<Json>(
    'select action, target, key_id is not null as by_key from audit_entries where account_id = ? order by id',
    [accountId],
  )
  const row = (action: string, target: unknown) => ({ action: `webhook_endpoint.${action}`, target, by_key: true })
  assert.deepEqual(rows, [
    row('created', configured?.id),
    row('url_changed', configured?.id),
    row('url_changed', configured?.id),
    row('created', id),
    row('url_changed', id),
  ])
})

test('a change changes only the given fields; metadata merges', async () => {
  const { add, read, change } = await newMerchant()
  const id = await add({ url, description: 'First', events: ['refund.paid'], metadata: { a: '1', b: '2' } })
  const old = await read(id)
  const { updated_at: _then, ...same } = old
  const other = `${url}/2`
  assert.partialDeepStrictEqual(await change(id, { url: other }), { ...same, url: other })
  const all = { description: null, events: ['*'], account_scope: 'connected', metadata: { c: '3' } }
  assert.partialDeepStrictEqual(await change(id, all), all)
  assert.deepEqual((await read(id))['metadata'], { a: '1', b: '2', c: '3' })
  const { updated_at: _now, ...now } = await read(id)
  assert.partialDeepStrictEqual(await change(id, {}), now)
})

test('an endpoint that its merchant switches off has a time and no reason; switching it on resets it', async () => {
  const { add, change, read } = await newMerchant()
  const id = await add({ url })
  await beginFailing(stack, id)
  const off = await change(id, { enabled: false })
  assert.partialDeepStrictEqual(off, { enabled: false, disabled_reason: null })
  assert.equal(typeof off['disabled_at'], 'string')
  assert.equal(typeof off['failing_since'], 'string')
  assert.deepEqual(await watcherSignals(stack, id), ['disabled'])
  assert.equal((await change(id, { enabled: false }))['disabled_at'], off['disabled_at'])
  const fresh = { enabled: true, disabled_at: null, disabled_reason: null, failing_since: null, warned_at: null }
  assert.partialDeepStrictEqual(await change(id, { enabled: true }), fresh)
  assert.partialDeepStrictEqual(await read(id), fresh)
  assert.deepEqual(await watcherSignals(stack, id), ['disabled']) // a disabled endpoint is not watched
})

test('an endpoint that the service has disabled keeps the reason until it is switched on', async () => {
  const { add, change } = await newMerchant()
  const id = await add({ url })
  await beginFailing(stack, id)
  await changeEndpoint(stack, id, { enabled: false, disabledAt: new Date(), disabledReason: 'consecutive_failures' })
  const reason = { enabled: false, disabled_reason: 'consecutive_failures' }
  assert.partialDeepStrictEqual(await change(id, { enabled: false }), reason)
  assert.partialDeepStrictEqual(await change(id, { url: `${url}/2` }), reason)
  assert.partialDeepStrictEqual(await change(id, { enabled: true }), { enabled: true, disabled_reason: null })
  assert.deepEqual(await watcherSignals(stack, id), [])
})

test('another URL resets no failures; `enabled: true` does, and signals the process that watches', async () => {
  const { add, change } = await newMerchant()
  const id = await add({ url })
  await beginFailing(stack, id)
  assert.equal(typeof (await change(id, { url: `${url}/2` }))['failing_since'], 'string')
  assert.deepEqual(await watcherSignals(stack, id), [])
  assert.equal((await change(id, { enabled: true }))['failing_since'], null)
  assert.deepEqual(await watcherSignals(stack, id), ['disabled'])
})

test('NOT_FOUND: a deleted endpoint; its deliveries stay, and the deletion is in the audit log', async () => {
  const { merchant, accountId, add, happen, remove, event } = await newMerchant()
  const id = await add({ url })
  const eventId = await happen()
  await beginFailing(stack, id)
  assert.deepEqual(await remove(id), { endpoint_id: id, deleted: true })
  assertError(await merchant.call('GET', `${path}/${id}`), 404, 'NOT_FOUND')
  assertError(await merchant.call('DELETE', `${path}/${id}`), 404, 'NOT_FOUND')
  assert.deepEqual(
    (await event(eventId)).deliveries.map(({ endpoint_id }) => endpoint_id),
    [id],
  )
  assert.deepEqual(await watcherSignals(stack, id), ['disabled'])
  const entries = await stack.sql(
    'select action, target, user_id from audit_entries where account_id = ? order by id',
    [accountId],
  )
  assert.deepEqual(entries.slice(1), [{ action: 'webhook_endpoint.deleted', target: id, user_id: null }])
})

test('each endpoint gets the types in its filter and no others', async () => {
  const { add, happen, change } = await newMerchant()
  const all = await add({ url })
  const refunds = await add({ url, events: ['refund.paid', 'refund.failed'] })
  const disputes = await add({ url, events: ['dispute.won'] })
  for (const type of ['refund.paid', 'payout.paid', 'refund.failed', 'invoice.paid']) await happen(type)
  assert.deepEqual(await sentTo(all), ['refund.paid', 'payout.paid', 'refund.failed', 'invoice.paid'])
  assert.deepEqual(await sentTo(refunds), ['refund.paid', 'refund.failed'])
  assert.deepEqual(await sentTo(disputes), [])
  await change(disputes, { events: ['payout.paid'] })
  await happen('payout.paid')
  assert.deepEqual(await sentTo(disputes), ['payout.paid'])
})

test('`account_scope` decides whether a platform gets its own events, its connected accounts’ or both', async () => {
  const platform = await newMerchant()
  const stranger = await newMerchant()
  const connectedId = await api.addConnected(platform.accountId)
  const connected = withEndpoints(actingFor(platform.merchant, connectedId))
  const own = await platform.add({ url })
  const theirs = await platform.add({ url, account_scope: 'connected' })
  const both = await platform.add({ url, account_scope: 'all' })
  const oneself = await connected.add({ url })
  const foreign = await stranger.add({ url, account_scope: 'all' })
  await platform.happen('refund.paid')
  const eventId = await connected.happen('payout.paid')
  assert.deepEqual(await sentTo(own), ['refund.paid'])
  assert.deepEqual(await sentTo(theirs), ['payout.paid'])
  assert.deepEqual(await sentTo(both), ['refund.paid', 'payout.paid'])
  assert.deepEqual(await sentTo(oneself), ['payout.paid'])
  assert.deepEqual(await sentTo(foreign), [])
  assert.equal((await connected.event(eventId))['account_id'], connectedId)
  const bodies = await stack.sql<{ id: string | null }>(
    `select body::json->>'account_id' as id from events where account_id in (?, ?) order by created_at`,
    [platform.accountId, connectedId],
  )
  assert.deepEqual(bodies, [{ id: null }, { id: connectedId }])
})

test('the statistics count an endpoint’s deliveries of the last 24 hours', async () => {
  const { merchant, add, happen, read, change } = await newMerchant()
  const [one, two] = [await add({ url }), await add({ url, events: ['payout.paid'] })]
  for (let times = 0; times < 5; times++) await happen()
  await happen('payout.paid')
  await change(one, { enabled: false })
  await happen()
  const set = (status: string, age: string, skip: number) =>
    stack.sql(
      `update deliveries set status = ?, created_at = created_at - ?::interval where id =
       (select id from deliveries where endpoint_id = ? order by created_at, id offset ? limit 1)`,
      [status, age, one, skip],
    )
  await set('succeeded', '23 hours', 0)
  await set('failed', '0', 1)
  await set('succeeded', '25 hours', 2)
  const stats = { pending: 3, succeeded: 1, failed: 1, skipped: 1 }
  assert.deepEqual((await read(one))['stats_24h'], stats)
  const { items } = pageOf(await merchant.call('GET', path))
  assert.deepEqual(Object.fromEntries(items.map(({ endpoint_id, stats_24h }) => [endpoint_id, stats_24h])), {
    [one]: stats,
    [two]: { pending: 1, succeeded: 0, failed: 0, skipped: 0 },
  })
})

test('endpoints are listed newest first, in pages', async () => {
  const { merchant, add } = await newMerchant()
  const ids: string[] = []
  for (let index = 0; index < 5; index++) ids.push(await add({ url }))
  const first = pageOf(await merchant.call('GET', `${path}?limit=2`))
  const next = pageOf(await merchant.call('GET', `${path}?limit=3&cursor=${first.pagination.next_cursor}`))
  assert.deepEqual(
    [...first.items, ...next.items].map(({ endpoint_id }) => endpoint_id),
    ids.toReversed(),
  )
})
