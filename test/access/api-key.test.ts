import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { isKeyShaped } from '../../db/access/api-key.ts'
import { newId } from '../../domain/id.ts'
import { scopes } from '../../domain/access/scope.ts'
import { assertError, assertFieldErrors, bearer, fromAnywhere } from '../support/api.ts'
import { created, keysPath, withKeys } from '../support/api-keys.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

let shiftMs = 0 // how far the clock of the API is ahead
const stack = await useStack({ workers: false, clock: { now: () => Date.now() + shiftMs } })
const api = await useApi(stack)

type Json = Record<string, unknown>

const { call, create, revoke, list, newOwner, reads, actions } = withKeys(stack, api)

test('a created key has its text, name, scopes, last four characters and times, and works', async () => {
  const user = await newOwner()
  const key = await created(create(user, { key_name: 'Server', expires_in_days: 2 }))
  const shown = ['api_key_id', 'key_name', 'last_four', 'scopes', 'key', 'created_at', 'expires_at']
  assert.deepEqual(Object.keys(key), shown)
  assert.equal(key['last_four'], key['key']?.slice(-4))
  assert.deepEqual(key['scopes'], [...scopes])
  assert.match(key['api_key_id'] ?? '', /^key_[0-9a-z]{34}$/)
  assert.ok(key['key']?.startsWith('sk_sandbox_') && isKeyShaped(key['key']))
  assert.equal(key['key_name'], 'Server')
  assert.equal(Date.parse(key['expires_at'] ?? '') - Date.parse(key['created_at'] ?? ''), 2 * dayMs)
  assert.equal(await reads(key['key'] ?? ''), 200)
})

test('a key that does not expire shows null, and a new key has every scope', async () => {
  const user = await newOwner()
  const key = await created(create(user))
  assert.equal(key['expires_at'], null)
  const [row] = await stack.sql<{ scopes: string[] }>('select scopes from api_keys where id = ?', [key['api_key_id']])
  assert.deepEqual(row?.scopes, [...scopes])
})

test('the list shows the details of each key, newest first, but never the key itself', async () => {
  const user = await newOwner()
  const first = await created(create(user, { key_name: 'First' }))
  await revoke(user, first['api_key_id'])
  shiftMs += minuteMs
  const second = await created(create(user, { key_name: 'Second', scopes: ['payments:read'] }))
  const { keys, text } = await list(user)
  assert.ok(!text.includes('sk_'))
  const same = { last_used_at: null, expires_at: null }
  const named = (key: Record<string, string>) => ({ last_four: key['key']?.slice(-4), scopes: key['scopes'] })
  assert.deepEqual(second['scopes'], ['payments:read'])
  assert.deepEqual(keys, [
    {
      api_key_id: second['api_key_id'],
      key_name: 'Second',
      is_active: true,
      created_at: second['created_at'],
      ...same,
      ...named(second),
    },
    {
      api_key_id: first['api_key_id'],
      key_name: 'First',
      is_active: false,
      created_at: first['created_at'],
      ...same,
      ...named(first),
    },
  ])
})

test('the list shows no key of another organization', async () => {
  const [user, other] = [await newOwner(), await newOwner()]
  await created(create(other))
  assert.deepEqual((await list(user)).keys, [])
})

test('ACTIVE_KEY_EXISTS: while a key of the environment is active, no other is made', async () => {
  const user = await newOwner()
  const key = await created(create(user))
  assertError(await create(user), 400, 'ACTIVE_KEY_EXISTS')
  shiftMs += minuteMs
  assertError(await create(user), 400, 'ACTIVE_KEY_EXISTS')
  assert.equal((await revoke(user, key['api_key_id'])).status, 200)
  await created(create(user))
})

test('20 parallel creations of four users on two processes make one key', async () => {
  const owner = await newOwner()
  const { accountId } = owner
  const users = [owner]
  for (let more = 0; more < 3; more++) users.push(await addUser(stack, { accountId, role: 'admin' }))
  const bases = [stack.baseUrl, await api.addProcess()]
  const replies = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const user = users[index % 4] ?? owner
      const response = await fetch(bases[index % 2] + keysPath, {
        method: 'POST',
        headers: { ...bearer(await user.token()), ...fromAnywhere(), 'content-type': 'application/json' },
        body: JSON.stringify({ key_name: `Key ${index}` }),
      })
      return { status: response.status, body: (await response.json()) as Json }
    }),
  )
  assert.equal(replies.filter(({ status }) => status === 201).length, 1)
  const refused = replies.filter(({ status }) => status !== 201)
  assert.deepEqual(
    new Set(refused.map(({ status, body }) => `${status} ${String(body['error_code'])}`)),
    new Set(['400 ACTIVE_KEY_EXISTS']),
  )
  assert.equal((await list(owner)).keys.length, 1)
  assert.equal((await actions(accountId)).filter(({ action }) => action === 'api_key.created').length, 1)
})

test('an expired key does not block a new one, and is shown as not active', async () => {
  const user = await newOwner()
  const old = await created(create(user, { key_name: 'Old', expires_in_days: 1 }))
  shiftMs += dayMs - 1_000
  assertError(await create(user), 400, 'ACTIVE_KEY_EXISTS')
  shiftMs += 1_001
  assert.deepEqual(
    (await list(user)).keys.map(({ is_active }) => is_active),
    [false],
  )
  assert.equal(await reads(old['key'] ?? ''), 401)
  await created(create(user, { key_name: 'New' }))
  assert.deepEqual(
    (await list(user)).keys.map(({ is_active }) => is_active),
    [true, false],
  )
})

test('TOO_MANY_REQUESTS: a user creates one key a minute; refused calls and replays do not count', async () => {
  const user = await newOwner(true)
  const { accountId } = user
  const key = { 'idempotency-key': randomUUID() }
  await created(create(user, { key_name: 'One' }, key))
  for (let again = 0; again < 3; again++) assertError(await create(user), 400, 'ACTIVE_KEY_EXISTS')
  const refused = await create(user, { key_name: 'Two', env: 'live' })
  assertError(refused, 429, 'TOO_MANY_REQUESTS')
  const waitSeconds = Number(refused.headers.get('retry-after'))
  assert.ok(waitSeconds > 50 && waitSeconds <= 60, String(waitSeconds))
  await created(create(user, { key_name: 'One' }, key))
  const colleague = await addUser(stack, { accountId, role: 'admin' })
  const theirs = await created(create(colleague, { key_name: 'Of a colleague', env: 'live' }))
  await revoke(user, theirs['api_key_id'])
  shiftMs += waitSeconds * 1_000
  await created(create(user, { key_name: 'Two', env: 'live' }))
})

test('parallel creations of one user in both environments make one key', async () => {
  const user = await newOwner(true)
  const replies = await Promise.all([create(user), create(user, { key_name: 'Live', env: 'live' })])
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [201, 429])
})

test('a key is live only if env is live and payments are enabled', async () => {
  const prefix = async (enabled: boolean, env?: string) =>
    (await created(create(await newOwner(enabled), { key_name: 'A key', ...(env && { env }) })))['key']?.slice(0, -49)
  assert.equal(await prefix(false, 'live'), 'sk_sandbox_')
  assert.equal(await prefix(false, 'test'), 'sk_sandbox_')
  assert.equal(await prefix(true, 'test'), 'sk_sandbox_')
  assert.equal(await prefix(true), 'sk_sandbox_')
  assert.equal(await prefix(true, 'live'), 'sk_live_')
})

test('a creation is replayed for 24 hours under the header or the body’s key, and the header wins', async () => {
  for (const inHeader of [true, false]) {
    const user = await newOwner()
    const key = randomUUID()
    const body = { key_name: 'A key', idempotency_key: inHeader ? 'another' : key }
    const send = (sent: unknown = body) => create(user, sent, inHeader ? { 'idempotency-key': key } : {})
    const first = await send()
    await created(first)
    const again = await send()
    assert.equal(again.text, first.text)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    const [error] = assertError(await send({ ...body, key_name: 'Another' }), 409, 'CONFLICT')
    assert.equal(error?.code, 'idempotency_key_reused')
    assert.equal((await list(user)).keys.length, 1)
    if (inHeader) {
      const other = await create(user, body, { 'idempotency-key': randomUUID() })
      assertError(other, 400, 'ACTIVE_KEY_EXISTS')
    }
    shiftMs += dayMs + 1_000
    assertError(await send(), 400, 'ACTIVE_KEY_EXISTS')
  }
})

test('20 parallel creations under one idempotency key make one key', async () => {
  const user = await newOwner()
  const body = { key_name: 'A key', idempotency_key: randomUUID() }
  const replies = await Promise.all(Array.from({ length: 20 }, () => create(user, body)))
  const done = replies.filter(({ status }) => status === 201)
  assert.equal(new Set(done.map(({ text }) => text)).size, 1)
  for (const reply of replies.filter(({ status }) => status !== 201)) assertError(reply, 409, 'CONFLICT')
  assert.equal((await list(user)).keys.length, 1)
})

test('a replay shows the key only to those who may create one', async () => {
  const user = await newOwner()
  const body = { key_name: 'A key', idempotency_key: randomUUID() }
  const mine = await created(create(user, body))
  const viewer = await addUser(stack, { accountId: user.accountId, role: 'viewer' })
  assertError(await create(viewer, body), 403, 'FORBIDDEN')
  const elsewhere = await created(create(await newOwner(), body))
  assert.notEqual(elsewhere['key'], mine['key'])
})

const invalidBodies: [string, unknown, Record<string, string>][] = [
  ['nothing', {}, { key_name: 'missing' }],
  ['an empty name', { key_name: '' }, { key_name: 'range' }],
  ['a long name', { key_name: 'x'.repeat(256) }, { key_name: 'range' }],
  ['a name that is no text', { key_name: 7 }, { key_name: 'type' }],
  ['a name with NUL', { key_name: 'a\0b' }, { key_name: 'format' }],
  ['no days', { key_name: 'k', expires_in_days: 0 }, { expires_in_days: 'range' }],
  ['part of a day', { key_name: 'k', expires_in_days: 1.5 }, { expires_in_days: 'type' }],
  ['days as text', { key_name: 'k', expires_in_days: '1' }, { expires_in_days: 'type' }],
  ['too many days', { key_name: 'k', expires_in_days: 1e9 }, { expires_in_days: 'range' }],
  ['an empty idempotency key', { key_name: 'k', idempotency_key: '' }, { idempotency_key: 'range' }],
  ['a long idempotency key', { key_name: 'k', idempotency_key: 'x'.repeat(256) }, { idempotency_key: 'range' }],
  ['an idempotency key that is no text', { key_name: 'k', idempotency_key: {} }, { idempotency_key: 'type' }],
  ['an unknown environment', { key_name: 'k', env: 'sandbox' }, { env: 'enum' }],
  ['scopes that are no list', { key_name: 'k', scopes: 'payments:read' }, { scopes: 'type' }],
  ['no scope', { key_name: 'k', scopes: [] }, { scopes: 'range' }],
  ['an unknown scope', { key_name: 'k', scopes: ['payments:read', 'payments:all'] }, { 'scopes.1': 'enum' }],
  [
    'everything wrong',
    { key_name: '', expires_in_days: -1, idempotency_key: 1, env: 'prod', scopes: [1] },
    { key_name: 'range', expires_in_days: 'range', idempotency_key: 'type', env: 'enum', 'scopes.0': 'enum' },
  ],
]

test('a name of 1 and one of 255 characters are taken', async () => {
  for (const key_name of ['k', 'x'.repeat(255)])
    assert.equal((await created(create(await newOwner(), { key_name })))['key_name'], key_name)
})

test('VALIDATION_ERROR: the errors of all fields are answered at once, and no key is created', async () => {
  const user = await newOwner()
  for (const [what, body, expected] of invalidBodies) {
    const types = Object.entries(expected).map(([field, type]) => [field, `value_error.${type}`])
    const reply = await create(user, body)
    assert.equal(reply.status, 400, `${what}: ${reply.text}`)
    assertFieldErrors(reply, Object.fromEntries(types))
  }
  assertError(await create(user, '{'), 400, 'VALIDATION_ERROR')
  assertError(await create(user, '[]'), 400, 'VALIDATION_ERROR')
  assert.equal((await create(user, { key_name: 'k' }, { 'idempotency-key': 'x'.repeat(256) })).status, 400)
  assert.deepEqual((await list(user)).keys, [])
  const { api_key_id: id } = await created(create(user))
  const change = (body: unknown) => call(user, 'PATCH', `${keysPath}/${id}`, body)
  assertFieldErrors(await change({}), { scopes: 'value_error.missing' })
  assertFieldErrors(await change({ scopes: null }), { scopes: 'value_error.type' })
  assertFieldErrors(await change({ scopes: [] }), { scopes: 'value_error.range' })
  assertFieldErrors(await change({ scopes: ['all'] }), { 'scopes.0': 'value_error.enum' })
})

test('CONFLICT: the scopes of a revoked or expired key are not changed', async () => {
  const user = await newOwner()
  const { api_key_id: id } = await created(create(user, { key_name: 'A day', expires_in_days: 1 }))
  const change = () => call(user, 'PATCH', `${keysPath}/${id}`, { scopes: ['payments:read'] })
  shiftMs += dayMs
  assertError(await change(), 409, 'CONFLICT')
  await revoke(user, id)
  assertError(await change(), 409, 'CONFLICT')
})

test('FORBIDDEN: only owners and admins manage keys', async () => {
  const { accountId } = await newOwner()
  const admin = await addUser(stack, { accountId, role: 'admin' })
  const { api_key_id: id } = await created(create(admin))
  for (const role of ['developer', 'viewer', 'reviewer'] as const) {
    const user = await addUser(stack, { accountId, role })
    assertError(await create(user), 403, 'FORBIDDEN')
    assertError(await call(user, 'GET', keysPath), 403, 'FORBIDDEN')
    assertError(await revoke(user, id), 403, 'FORBIDDEN')
    assertError(await call(user, 'PATCH', `${keysPath}/${id}`, { scopes: ['payments:read'] }), 403, 'FORBIDDEN')
  }
})

test('UNAUTHORIZED: an API key cannot manage API keys', async () => {
  const { key, id } = await api.addMerchant()
  for (const [method, path] of [
    ['POST', keysPath],
    ['GET', keysPath],
    ['POST', `${keysPath}/${id}/revoke`],
    ['PATCH', `${keysPath}/${id}`],
  ] as const) {
    const body = method === 'GET' ? undefined : { key_name: 'A key', scopes: ['payments:read'] }
    assertError(await stack.merchant.call(method, path, body, bearer(key)), 401, 'UNAUTHORIZED')
  }
})

test('FORBIDDEN: keys of a connected account are managed neither by its own users nor by its owner’s', async () => {
  const owner = await newOwner()
  const connected = await api.addConnected(owner.accountId)
  const theirs = await addUser(stack, { accountId: connected, role: 'owner' })
  const { id } = await api.addKey({ accountId: connected })
  const foreign = await api.addAccount()
  for (const [user, headers] of [
    [theirs, {}],
    [owner, { 'x-account-id': connected }],
    [owner, { 'x-account-id': foreign }],
    [owner, { 'x-account-id': newId('acct', Date.now()) }],
  ] as const) {
    for (const [method, path, body] of [
      ['POST', keysPath, { key_name: 'A key' }],
      ['GET', keysPath, undefined],
      ['POST', `${keysPath}/${id}/revoke`, undefined],
      ['PATCH', `${keysPath}/${id}`, { scopes: ['payments:read'] }],
    ] as const) {
      const reply = await call(user, method, path, body, headers)
      assertError(reply, 403, 'FORBIDDEN')
      assert.equal(reply.body['detail'], 'connected accounts cannot manage keys')
    }
  }
  await created(create(owner, undefined, { 'x-account-id': owner.accountId }))
})

test('NOT_FOUND: a key of another organization is answered like one that does not exist', async () => {
  const user = await newOwner()
  const foreign = await created(create(await newOwner()))
  for (const [method, path, body] of [
    ['POST', (id: string) => `${keysPath}/${id}/revoke`, undefined],
    ['PATCH', (id: string) => `${keysPath}/${id}`, { scopes: ['payments:read'] }],
  ] as const) {
    const missing = await call(user, method, path(newId('key', Date.now())), body)
    assertError(missing, 404, 'NOT_FOUND')
    for (const id of [foreign['api_key_id'] ?? '', 'key_', 'nonsense', 'x'.repeat(64)]) {
      assert.equal((await call(user, method, path(id), body)).text, missing.text)
    }
  }
  assert.equal(await reads(foreign['key'] ?? ''), 200)
})

test('creation, scope change and revocation are in the audit log: who, what, and from where', async () => {
  const user = await newOwner()
  const from = { 'x-forwarded-for': '203.0.113.7' }
  const { api_key_id: id } = await created(create(user, undefined, from))
  await call(user, 'PATCH', `${keysPath}/${id}`, { scopes: ['payments:read'] }, from)
  await call(user, 'POST', `${keysPath}/${id}/revoke`, undefined, from)
  const row = { user_id: user.id, target: id, address: '203.0.113.7' }
  assert.deepEqual(await actions(user.accountId), [
    { action: 'api_key.created', ...row },
    { action: 'api_key.scopes_changed', ...row },
    { action: 'api_key.revoked', ...row },
  ])
})
