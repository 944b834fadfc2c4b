import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Context } from 'koa'
import { addDeprecationHeaders, deprecatedFields } from '../../api/http/deprecation.ts'
import { operations } from '../../api/operations.ts'
import { newId } from '../../domain/id.ts'
import { fieldsOf } from '../../domain/narrow.ts'
import { assertError, assertFieldErrors, bearer, fromAnywhere } from '../support/api.ts'
import { createMerchant, sale } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

const stack = await useStack({ workers: false })
const api = await useApi(stack)
/** API processes of an old release, of the next one, and of one that no longer serves the old version. */
const old = await api.addProcess({ versions: ['2026-11-20'] })
const next = await api.addProcess({ versions: ['2027-03-01', '2026-11-20'] })
const later = await api.addProcess({ versions: ['2027-09-01', '2027-03-01'] })

const call = (url: string, secret: string, headers: Record<string, string> = {}) =>
  createMerchant(url, secret).call('GET', '/v1/payments', undefined, { ...fromAnywhere(), ...headers })
const versionFor = async (...args: Parameters<typeof call>) => (await call(...args)).headers.get('x-api-version')
const pinned = async (accountId: string) => {
  const [row] = await stack.sql<{ api_version: string | null }>('select api_version from accounts where id = ?', [
    accountId,
  ])
  return row?.api_version
}

test('the default version is the date pinned on the account at its first call', async () => {
  const [early, late] = [await api.addMerchant(), await api.addMerchant()]
  assert.equal(await pinned(early.accountId), null)
  assert.equal(await versionFor(old, early.key), '2026-11-20')
  assert.equal(await pinned(early.accountId), '2026-11-20')
  assert.equal(await versionFor(next, early.key), '2026-11-20')
  assert.equal(await versionFor(next, late.key), '2027-03-01')
  // The version belongs to the account: its key of the other environment gets the same one.
  const live = await api.addKey({ accountId: early.accountId, environment: 'live' })
  assert.equal(await versionFor(next, live.key), '2026-11-20')
})

test('the header overrides the pinned date for one call only, also when it is the first call', async () => {
  const { key, accountId } = await api.addMerchant()
  assert.equal(await versionFor(next, key, { 'x-api-version': '2026-11-20' }), '2026-11-20')
  assert.equal(await pinned(accountId), '2027-03-01')
  assert.equal(await versionFor(next, key), '2027-03-01')
  const unknown = await call(next, key, { 'x-api-version': '2020-01-01' })
  assertFieldErrors(unknown, { 'X-API-Version': 'value_error.enum' })
  assert.equal(await versionFor(next, key), '2027-03-01')
})

test('many first calls at once, to two releases, pin one version', async () => {
  const { key, accountId } = await api.addMerchant()
  const versions = await Promise.all(Array.from({ length: 20 }, (_, index) => versionFor(index % 2 ? old : next, key)))
  const version = await pinned(accountId)
  assert.ok(version)
  assert.equal(await versionFor(next, key), version)
  // The old release does not know the new version and serves its own newest.
  assert.deepEqual([...new Set(versions.filter((_, index) => index % 2 === 0))], [version])
  assert.deepEqual([...new Set(versions.filter((_, index) => index % 2 === 1))], ['2026-11-20'])
})

test('a refused call pins a version too and names it; a wrong key pins nothing', async () => {
  const { accountId } = await api.addKey({ accountId: await api.addAccount() })
  assertError(await call(next, 'sk_sandbox_wrong'), 401, 'UNAUTHORIZED')
  assert.equal(await pinned(accountId), null)
  const weak = await api.addKey({ accountId: await api.addAccount(), scopes: [] })
  const refused = await call(old, weak.key)
  assertError(refused, 403, 'FORBIDDEN')
  assert.equal(await pinned(weak.accountId), '2026-11-20')
  const again = await call(next, weak.key)
  assert.equal(again.headers.get('x-api-version'), '2026-11-20')
})

test('a person’s call pins nothing, and gets the account’s version or the newest', async () => {
  const { key, accountId } = await api.addMerchant()
  const person = await addUser(stack, { accountId, role: 'owner' })
  assert.equal(await versionFor(next, await person.token()), '2027-03-01')
  assert.equal(await pinned(accountId), null)
  assert.equal(await versionFor(old, key), '2026-11-20')
  assert.equal(await versionFor(next, await person.token()), '2026-11-20')
})

test('a buyer’s call gets the version of the seller’s account', async () => {
  const { key } = await api.addMerchant()
  const session = await createMerchant(old, key).createCheckout()
  const path = `/v1/checkout-sessions/${session.checkout_id}/public`
  const headers = { ...fromAnywhere(), ...bearer(session.client_secret) }
  const seen = await createMerchant(next, '').call('GET', path, undefined, headers)
  assert.deepEqual([seen.status, seen.headers.get('x-api-version')], [200, '2026-11-20'])
})

test('a platform’s call for a connected account gets the platform’s version', async () => {
  const platform = await api.addMerchant()
  const connected = await api.addConnected(platform.accountId)
  assert.equal(await versionFor(old, platform.key, { 'x-account-id': connected }), '2026-11-20')
  assert.deepEqual([await pinned(platform.accountId), await pinned(connected)], ['2026-11-20', null])
  assert.equal(await versionFor(next, platform.key, { 'x-account-id': connected }), '2026-11-20')
})

test('an account whose version is no longer served gets the oldest served one', async () => {
  const { key } = await api.addMerchant()
  assert.equal(await versionFor(old, key), '2026-11-20')
  assert.equal(await versionFor(later, key), '2027-03-01')
})

test('a call without a credential gets the newest version', async () => {
  const reply = await createMerchant(next, '').call('GET', '/v1/payment-methods', undefined, fromAnywhere())
  assert.equal(reply.headers.get('x-api-version'), '2027-03-01')
})

const create = (body: object, headers: Record<string, string> = {}) =>
  stack.merchant.call('POST', '/v1/checkout-sessions', body, headers)
const deprecation = ({ headers }: Awaited<ReturnType<typeof create>>) => [
  headers.get('deprecation'),
  headers.get('sunset'),
]

test('return_url is a deprecated alias of success_url: Deprecation and Sunset headers, six months ahead', async () => {
  const { success_url: url, ...rest } = sale
  const reply = await create({ ...rest, return_url: url })
  assert.equal(reply.status, 201, reply.text)
  assert.equal(reply.body['success_url'], url)
  const [since = '', until = ''] = deprecation(reply)
  assert.match(since ?? '', /^@\d+$/) // RFC 9745
  const deprecatedAt = new Date(Number(since?.slice(1)) * 1000)
  const sunset = new Date(until ?? '')
  assert.equal(sunset.toUTCString(), until) // RFC 8594
  deprecatedAt.setUTCMonth(deprecatedAt.getUTCMonth() + 6)
  assert.ok(sunset >= deprecatedAt, `${since} ${until}`)

  const both = await create({ ...sale, return_url: 'https://example.com/other' })
  assert.equal(both.body['success_url'], url)
  assert.deepEqual(deprecation(both), [since, until])
})

test('a repeated answer and a refusal also name the deprecation; calls without the field do not', async () => {
  const { success_url: url, ...rest } = sale
  const key = { 'idempotency-key': newId('evt', Date.now()) }
  const first = await create({ ...rest, return_url: url }, key)
  const again = await create({ ...rest, return_url: url }, key)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(deprecation(again), deprecation(first))
  const refused = await create({ ...rest, return_url: 'nowhere' })
  assertFieldErrors(refused, { return_url: 'value_error.format' })
  assert.notEqual(deprecation(refused)[0], null)
  assert.deepEqual(deprecation(await create(sale)), [null, null])
  const document = (await (await fetch(`${stack.baseUrl}/openapi.json`)).json()) as {
    components: { schemas: Record<string, { properties: Record<string, { deprecated?: boolean }> }> }
  }
  const { properties } = document.components.schemas['CreateCheckoutSession'] ?? { properties: {} }
  assert.deepEqual([properties['return_url']?.deprecated, properties['success_url']?.deprecated], [true, undefined])
})

test('the agenda says in each answer that two of its fields are deprecated, and until when they stay', async () => {
  const reply = await stack.merchant.call('GET', '/v1/agenda')
  assert.deepEqual(deprecation(reply), [`@${Date.UTC(2026, 10, 28) / 1000}`, 'Tue, 01 Jun 2027 00:00:00 GMT'])
  const one = await stack.merchant.createCheckout()
  const ofOne = await stack.merchant.call('GET', `/v1/checkout-sessions/${one.checkout_id}/agenda`)
  assert.deepEqual(deprecation(ofOne), [null, null])
})

/** The names of the fields that are marked as deprecated, at any depth of a schema. */
const markedIn = (schema: unknown): string[] =>
  Object.entries(fieldsOf(schema)).flatMap(([name, inner]) => [
    ...(fieldsOf(inner)['deprecated'] === true ? [name] : []),
    ...markedIn(inner),
  ])

test('each operation whose request or answer has a deprecated field announces its end', () => {
  const deprecated = operations.filter(({ body, query, returns }) => markedIn({ body, query, returns }).length > 0)
  assert.ok(deprecated.length > 1)
  for (const operation of deprecated) {
    const { body, query, returns } = operation
    const { taken, answered } = deprecatedFields(operation)
    assert.deepEqual([...taken, ...answered], markedIn({ body, query, returns }), operation.path)
    const headers = new Map<string, string>()
    const ctx = { set: (name: string, value: string) => void headers.set(name, value) } as unknown as Context
    addDeprecationHeaders(ctx, operation, Object.fromEntries(taken.map((name) => [name, 'sent'])))
    const since = new Date(Number(headers.get('Deprecation')?.slice(1)) * 1000)
    since.setUTCMonth(since.getUTCMonth() + 6)
    assert.ok(new Date(headers.get('Sunset') ?? '') >= since, operation.path)
  }
})
