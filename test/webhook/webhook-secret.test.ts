import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { assertError, assertFieldErrors, bearer } from '../support/api.ts'
import { endpointsPath as path, type Json, taken, withEndpoints } from '../support/endpoints.ts'
import { changeKey } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { useApi, useReceiver, useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'
import { addUser } from '../support/user.ts'

const hour = 3_600_000

let ahead = 0 // ms by which the API's clock is ahead
const stack = await useStack({ clock: { now: () => Promise.resolve(Date.now() + ahead) } })
const api = await useApi(stack)
const receiver = await useReceiver()
atEnd(() => stack.dispatched())

async function newMerchant() {
  const { merchant, accountId } = await api.addMerchant()
  const rotate = (id: string, body: Json = {}) => taken(merchant.call('POST', `${path}/${id}/secret/rotate`, body))
  return { merchant, accountId, rotate, ...withEndpoints(merchant) }
}

test('a given secret is kept; otherwise each endpoint gets a new one in the form of Standard Webhooks', async () => {
  const { add, secret } = await newMerchant()
  const own = await add({ url: receiver.url, secret: 'my-own-secret' })
  const none = { previous_secret: null, previous_secret_expires_at: null }
  assert.deepEqual(await secret(own), { endpoint_id: own, secret: 'my-own-secret', ...none })
  const made = await Promise.all(
    [1, 2].map(async () => String((await secret(await add({ url: receiver.url })))['secret'])),
  )
  for (const text of made) {
    assert.match(text, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(Buffer.from(text.slice(6), 'base64').length, 32)
  }
  assert.notEqual(made[0], made[1])
})

test('a configuration without a secret shows none, and gets its first one by a rotation', async () => {
  const { merchant, rotate, secret } = await newMerchant()
  await taken(merchant.call('PUT', '/api/v1/notifications/webhooks/configuration', { webhook_url: receiver.url }))
  const [{ endpoint_id: id = '' } = {}] = (await taken<{ items: Record<string, string>[] }>(merchant.call('GET', path)))
    .items
  const none = { endpoint_id: id, secret: null, previous_secret: null, previous_secret_expires_at: null }
  assert.deepEqual(await secret(id), none)
  const rotated = await rotate(id)
  assert.deepEqual({ ...rotated, secret: null }, none)
  assert.match(String(rotated['secret']), /^whsec_/)
})

test('the audit log says who has read or changed a secret, and does not have the secret', async () => {
  const platform = await newMerchant()
  const id = await platform.add({ url: receiver.url, secret: 'my-own-secret' })
  const person = await addUser(stack, { accountId: platform.accountId, role: 'viewer' })
  const from = { 'x-forwarded-for': '192.0.2.44' }
  const read = (headers: Record<string, string>) =>
    taken(platform.merchant.call('GET', `${path}/${id}/secret`, undefined, { ...headers, ...from }))
  await read({})
  await read(bearer(await person.token()))
  await taken(platform.merchant.call('POST', `${path}/${id}/secret/rotate`, {}, from))
  const url = { webhook_url: receiver.url, webhook_secret: 'another-secret' }
  await taken(platform.merchant.call('PUT', '/api/v1/notifications/webhooks/configuration', url, from))
  const [{ id: keyId } = {}] = await stack.sql<Json>('select id from api_keys where account_id = ?', [
    platform.accountId,
  ])
  const rows = await stack.sql<Json>(
    'select action, target, user_id, key_id, address from audit_entries where account_id = ? order by id',
    [platform.accountId],
  )
  const by = { user_id: null, key_id: keyId, address: '192.0.2.44' }
  assert.partialDeepStrictEqual(rows.shift(), { action: 'webhook_endpoint.created', target: id, key_id: keyId })
  assert.deepEqual(rows.slice(0, 3), [
    { ...by, action: 'webhook_secret.read', target: id },
    { ...by, action: 'webhook_secret.read', target: id, user_id: person.id, key_id: null },
    { ...by, action: 'webhook_secret.rotated', target: id },
  ])
  const [made, set, ...others] = rows.slice(3)
  assert.partialDeepStrictEqual(made, { ...by, action: 'webhook_endpoint.created' })
  assert.partialDeepStrictEqual(set, { ...by, action: 'webhook_secret.rotated', target: made?.['target'] })
  assert.deepEqual(others, [])
})

test('a refused read of a secret leaves no audit row, and a secret is not shown if no row can be written', async () => {
  const [one, other] = [await newMerchant(), await newMerchant()]
  const id = await one.add({ url: receiver.url })
  assertError(await other.merchant.call('GET', `${path}/${id}/secret`), 404, 'NOT_FOUND')
  const count = () => stack.sql(`select from audit_entries where action = 'webhook_secret.read' and target = ?`, [id])
  assert.deepEqual(await count(), [])
  await stack.sql(
    `alter table audit_entries add constraint full_disk check (action <> 'webhook_secret.read') not valid`,
  )
  const refused = await one.merchant.call('GET', `${path}/${id}/secret`)
  await stack.sql('alter table audit_entries drop constraint full_disk')
  assertError(refused, 500, 'INTERNAL_SERVER_ERROR')
})

test('after a rotation the old secret is shown for the grace period, 24 hours by default', async () => {
  const { add, rotate, secret } = await newMerchant()
  const id = await add({ url: receiver.url, secret: 'the-first-one' })
  const at = Date.now()
  const rotated = await rotate(id, { secret: 'the-second-one' })
  assert.partialDeepStrictEqual(rotated, { secret: 'the-second-one', previous_secret: 'the-first-one' })
  const expiresAt = Date.parse(String(rotated['previous_secret_expires_at']))
  assert.ok(Math.abs(expiresAt - at - 24 * hour) < 60_000)
  assert.deepEqual(await secret(id), rotated)
  ahead = 24 * hour + 60_000
  assert.partialDeepStrictEqual(await secret(id), { previous_secret: null, previous_secret_expires_at: null })
  ahead = 0
})

test('a delivery in the grace period has both signatures, newest first, and a later one only the new', async () => {
  const { add, rotate, happen } = await newMerchant()
  const id = await add({ url: receiver.url, secret: 'the-first-one' })
  await rotate(id, { secret: 'the-second-one', grace_hours: 168 })
  receiver.received.length = 0
  await happen()
  await until(() => receiver.received.length === 1, 'the event has arrived')
  await rotate(id, { secret: 'the-third-one', grace_hours: 0 })
  await happen()
  await until(() => receiver.received.length === 2, 'the second event has arrived')
  for (const [index, secrets] of [['the-second-one', 'the-first-one'], ['the-third-one']].entries()) {
    const received = receiver.received[index]
    assert.ok(received)
    const { headers, body } = received
    const timestamp = headers['x-service-timestamp']
    const signed = (secret: string, text: string) => createHmac('sha256', secret).update(text)
    const standard = secrets.map((secret) =>
      signed(secret, `${headers['webhook-id']}.${timestamp}.${body}`).digest('base64'),
    )
    assert.equal(headers['webhook-signature'], standard.map((text) => `v1,${text}`).join(' '))
    assert.equal(headers['x-service-signature'], signed(secrets[0] ?? '', `${timestamp}.${body}`).digest('hex'))
  }
})

test('a rotation repeated with its key answers the same secret, which is stored nowhere in the clear', async () => {
  const { merchant, add, secret } = await newMerchant()
  const id = await add({ url: receiver.url, secret: 'a-marked-first-secret' })
  const send = () => merchant.call('POST', `${path}/${id}/secret/rotate`, {}, { 'idempotency-key': 'once' })
  const [first, second] = [await send(), await send()]
  assert.equal(first.status, 200, first.text)
  assert.equal(second.text, first.text)
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  assert.equal((await secret(id))['secret'], first.body['secret'])
  assert.equal((await secret(id))['previous_secret'], 'a-marked-first-secret')
  for (const table of ['idempotency_records', 'webhook_endpoints', 'audit_entries', 'outbox']) {
    const [row] = await stack.sql<{ dump: string | null }>(`select json_agg(t)::text as dump from ${table} t`)
    assert.ok(!row?.dump?.includes(String(first.body['secret'])), table)
    assert.ok(!row?.dump?.includes('a-marked-first-secret'), table)
  }
})

test('a rotation is in the audit log, with the person if one made it', async () => {
  const { accountId, add, rotate, merchant } = await newMerchant()
  const id = await add({ url: receiver.url })
  await rotate(id)
  const person = await addUser(stack, { accountId, role: 'developer' })
  const headers = { authorization: `Bearer ${await person.token()}` }
  await taken(merchant.call('POST', `${path}/${id}/secret/rotate`, {}, headers))
  const entries = await stack.sql(
    `select action, target, user_id from audit_entries where account_id = ? and action like 'webhook_secret.%'
     order by id`,
    [accountId],
  )
  const entry = { action: 'webhook_secret.rotated', target: id }
  assert.deepEqual(entries, [
    { ...entry, user_id: null },
    { ...entry, user_id: person.id },
  ])
})

test('a grace is 0 to 168 whole hours, a secret 8 to 64 characters', async () => {
  const { merchant, add, rotate, secret } = await newMerchant()
  const id = await add({ url: receiver.url, secret: 'the-first-one' })
  const send = (body: Json) => merchant.call('POST', `${path}/${id}/secret/rotate`, body)
  for (const grace_hours of [-1, 169])
    assertFieldErrors(await send({ grace_hours }), { grace_hours: 'value_error.range' })
  for (const grace_hours of [1.5, '24', true]) {
    assertFieldErrors(await send({ grace_hours }), { grace_hours: 'value_error.type' })
  }
  for (const text of ['1234567', 's'.repeat(65)]) {
    assertFieldErrors(await send({ secret: text }), { secret: 'value_error.range' })
  }
  assert.equal((await secret(id))['secret'], 'the-first-one')
  for (const text of ['12345678', 's'.repeat(64)]) {
    assert.equal((await rotate(id, { secret: text, grace_hours: 0 }))['previous_secret'], null)
  }
})

test('a secret set in the configuration replaces the old one at once', async () => {
  const { merchant, rotate, secret } = await newMerchant()
  await merchant.setWebhook(receiver.url, 'the-first-one')
  const [{ endpoint_id: id = '' } = {}] = (await taken<{ items: Record<string, string>[] }>(merchant.call('GET', path)))
    .items
  await rotate(id, { secret: 'the-second-one' })
  await merchant.setWebhook(receiver.url, 'the-third-one')
  const none = { previous_secret: null, previous_secret_expires_at: null }
  assert.deepEqual(await secret(id), { endpoint_id: id, secret: 'the-third-one', ...none })
})

test('the configuration set again with the secret that it has keeps the grace period of the one before', async () => {
  const { merchant, accountId, rotate, secret } = await newMerchant()
  await merchant.setWebhook(receiver.url, 'the-first-one')
  const [{ endpoint_id: id = '' } = {}] = (await taken<{ items: Record<string, string>[] }>(merchant.call('GET', path)))
    .items
  const rotated = await rotate(id, { secret: 'the-second-one' })
  await merchant.setWebhook(receiver.url, 'the-second-one')
  assert.partialDeepStrictEqual(rotated, { previous_secret: 'the-first-one' })
  assert.deepEqual(await secret(id), rotated)
  const entries = await stack.sql(
    `select from audit_entries where account_id = ? and action = 'webhook_secret.rotated'`,
    [accountId],
  )
  assert.equal(entries.length, 2, 'set, and rotated')
})

test('a rotation to the secret that is set leaves the former one its time, unless that is to end now', async () => {
  const { add, rotate, secret } = await newMerchant()
  const id = await add({ url: receiver.url })
  const { secret: first } = await secret(id)
  const rotated = await rotate(id, { secret: 'the-second-one' })
  assert.equal(rotated['previous_secret'], first)
  assert.deepEqual(await rotate(id, { secret: 'the-second-one' }), rotated)
  assert.equal((await rotate(id, { secret: 'the-second-one', grace_hours: 0 }))['previous_secret'], null)
})

test('FORBIDDEN: webhooks:read may read a secret, and not rotate it', async () => {
  const { accountId, add } = await newMerchant()
  const id = await add({ url: receiver.url })
  await changeKey(stack, { accountId }, { isActive: false })
  const reader = await api.addKey({ accountId, scopes: ['webhooks:read'] })
  assert.equal((await reader.merchant.call('GET', `${path}/${id}/secret`)).status, 200)
  assertError(await reader.merchant.call('POST', `${path}/${id}/secret/rotate`, {}), 403, 'FORBIDDEN')
})
