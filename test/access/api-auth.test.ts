import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { neededScopes } from '../../api/http/needed-scopes.ts'
import { operations } from '../../api/operations.ts'
import { makeKey } from '../../db/access/api-key.ts'
import { newId } from '../../domain/id.ts'
import { scopes } from '../../domain/access/scope.ts'
import { assertError, bearer, fromAnywhere, pageOf } from '../support/api.ts'
import { sale } from '../support/merchant.ts'
import { make, makePayment } from '../support/resource.ts'
import { changeKey } from '../support/rows.ts'
import { openPortal } from '../support/portal.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

const stack = await useStack({ workers: false })
const api = await useApi(stack)

const call = (method: string, path: string, headers: Record<string, string> = {}) =>
  stack.merchant.call(method, path, undefined, { ...fromAnywhere(), ...headers })

/** An operation's path with well-formed ids that no row has. */
const withIds = (path: string, checkoutId = newId('chk', Date.now()), paymentId = newId('pay', Date.now())) =>
  path.replace('{checkout_id}', checkoutId).replace('{payment_id}', paymentId)

for (const { method, path, auth } of operations.filter((operation) => !operation.auth.includes('none'))) {
  test(`UNAUTHORIZED: ${method} ${path} without a credential, or with garbage`, async () => {
    const wrong = [
      '',
      'Bearer',
      'Bearer ',
      'Bearer garbage',
      'Basic abc',
      'sk_sandbox_abc',
      `Bearer ${makeKey('live')}`,
    ]
    for (const authorization of wrong) {
      assertError(await call(method.toUpperCase(), withIds(path), { authorization }), 401, 'UNAUTHORIZED')
    }
    if (!auth.includes('apiKey')) {
      assertError(await call(method.toUpperCase(), withIds(path)), 401, 'UNAUTHORIZED')
    }
  })
}

/** Makes a call that answers 401; asserts that the answer does not contain the credential. */
async function refusedFor(method: string, path: string, authorization: string) {
  const reply = await call(method, path, { authorization })
  assertError(reply, 401, 'UNAUTHORIZED')
  const challenge = reply.headers.get('www-authenticate') ?? ''
  const secret = authorization.split(' ').at(-1) ?? ''
  assert.ok(secret.length < 6 || !(reply.text + challenge).includes(secret), reply.text)
  return { detail: String(reply.body['detail']), challenge }
}

test('a 401 has WWW-Authenticate: Bearer and says which kind of credential was sent', async () => {
  const { client_secret, checkout_id } = await stack.merchant.createCheckout()
  const user = await (await addUser(stack, { accountId: stack.organizationId, role: 'owner' })).token()
  const ofKey = ['GET', '/v1/payments'] as const
  const ofKeyAlone = ['GET', '/api/v1/notifications/webhooks/endpoint'] as const
  const ofUser = ['GET', '/api/v1/auth/api-keys'] as const
  const ofBuyer = ['GET', `/v1/checkout-sessions/${checkout_id}/public`] as const
  const ofCustomer = ['GET', '/v1/customer-portal/me'] as const
  const customer = await make(stack.merchant, '/v1/customers', { email: 'token@example.com' }, 'customer_id')
  const { token } = await openPortal(stack.merchant, customer)
  const plain = 'Bearer realm="steadypay"'
  const cases: [route: readonly [string, string], sent: string, detail: RegExp, challenge?: string][] = [
    [ofKey, '', /^No credential was sent\. This call needs an API key/, plain],
    [ofUser, '', /needs a user's access token/, plain],
    [ofBuyer, '', /needs the checkout session's client secret/, plain],
    [ofKey, 'Basic dXNlcjpwYXNzd29yZA==', /^Basic authentication was sent/, plain],
    [ofKey, stack.merchant.apiKey, /^A credential without the word Bearer/, plain],
    [ofKey, 'Digest username="somebody"', /^The credential could not be read/, plain],
    [ofKeyAlone, `Bearer ${user}`, /^A user's access token was sent\. This call needs an API key/],
    [ofBuyer, `Bearer ${user}`, /^A user's access token was sent\. .* client secret/],
    [ofUser, `Bearer ${stack.merchant.apiKey}`, /^An API key was sent\. This call needs a user's access token/],
    [ofBuyer, `Bearer ${stack.merchant.apiKey}`, /^An API key was sent\. .* client secret/],
    [ofKey, `Bearer ${client_secret}`, /^A client secret was sent\. This call needs an API key/],
    [ofUser, `Bearer ${client_secret}`, /^A client secret was sent/],
    [ofKey, `Bearer ${token}`, /^The token of a customer session was sent\. This call needs an API key/],
    [
      ofCustomer,
      `Bearer ${client_secret}`,
      /^A client secret was sent\. This call needs the token of a customer session/,
    ],
    [ofCustomer, `Bearer ${token}x`, /^The customer token is invalid or has expired$/],
    [ofKey, 'Bearer something-else', /^A credential of no known kind was sent/],
    [ofKey, `Bearer ${makeKey('sandbox')}`, /^The API key is invalid or revoked$/],
    [ofKey, 'Bearer sk_sandbox_garbage', /^The API key is invalid or revoked$/],
    [ofKey, `Bearer ${makeKey('live')}`, /^A live API key was sent to the sandbox service/],
    [ofKey, `Bearer ${user}x`, /^The access token is invalid or no longer works$/],
    [ofBuyer, `Bearer ${client_secret}x`, /^The client secret is invalid$/],
  ]
  for (const [[method, path], sent, expected, challenge] of cases) {
    const refused = await refusedFor(method, path, sent)
    assert.match(refused.detail, expected, `${path} ${sent}`)
    assert.equal(
      refused.challenge,
      challenge ?? `Bearer realm="steadypay", error="invalid_token", error_description="${refused.detail}"`,
    )
  }
})

test('a live deployment names the other environment’s key too, but says if a known key has ended', async () => {
  const config = { ...stack.services.config, deployment: 'live' as const }
  const url = await api.addProcess({ config })
  const detailFor = async (key: string) => {
    const answer = await fetch(`${url}/v1/payments`, { headers: { ...fromAnywhere(), ...bearer(key) } })
    assert.equal(answer.status, 401)
    return String(((await answer.json()) as { detail: string }).detail)
  }
  assert.match(await detailFor(makeKey('sandbox')), /^A sandbox API key was sent to the live service/)
  assert.match(await detailFor(makeKey('live')), /^The API key is invalid or revoked$/)
  const revoked = await api.addKey({ accountId: await api.addAccount(), isActive: false })
  assert.match(await detailFor(revoked.key), /^The API key is invalid or revoked$/)
  const expired = await api.addKey({ accountId: await api.addAccount(), expiresAt: new Date(Date.now() - 1) })
  assert.match(await detailFor(expired.key), /^The API key has expired$/)
})

test('the challenge of a failed login does not say invalid_token, and only a 401 has a challenge', async () => {
  const login = await stack.merchant.call('POST', '/api/v1/auth/refresh', { refresh_token: 'rt_x' }, fromAnywhere())
  assertError(login, 401, 'UNAUTHORIZED')
  assert.equal(login.headers.get('www-authenticate'), 'Bearer realm="steadypay"')
  const address = fromAnywhere()
  const statuses: number[] = []
  for (let count = 0; count < 61; count++) {
    const reply = await call('GET', '/v1/payments', { ...address, authorization: '' })
    statuses.push(reply.status)
    assert.equal(reply.headers.get('www-authenticate') !== null, reply.status === 401)
  }
  assert.ok(statuses.includes(401))
})

test('a key with a wrong checksum, cut short or made longer is refused', async () => {
  const { apiKey } = stack.merchant
  const swapped = apiKey.slice(0, -1) + (apiKey.endsWith('a') ? 'b' : 'a')
  for (const key of [
    swapped,
    apiKey.slice(0, -1),
    `${apiKey}a`,
    apiKey.toUpperCase(),
    apiKey.replace('sandbox', 'live'),
  ]) {
    assertError(await call('GET', '/v1/payments', bearer(key)), 401, 'UNAUTHORIZED')
  }
  assert.equal((await call('GET', '/v1/payments', { authorization: `bearer ${apiKey}` })).status, 200)
})

test('an expired key is refused from the moment it expires', async () => {
  const accountId = await api.addAccount()
  const { key } = await api.addKey({ accountId, expiresAt: new Date(Date.now() - 1) })
  assertError(await call('GET', '/v1/payments', bearer(key)), 401, 'UNAUTHORIZED')
  const soon = new Date(Date.now() + 60_000)
  const fresh = await api.addKey({ accountId: await api.addAccount(), expiresAt: soon })
  assert.equal((await call('GET', '/v1/payments', bearer(fresh.key))).status, 200)
  const later = await api.addProcess({ clock: { now: () => soon.getTime() } })
  const { status } = await fetch(`${later}/v1/payments`, { headers: bearer(fresh.key) })
  assert.equal(status, 401)
})

test('a revoked key is refused within a second', async () => {
  const { id, key } = await api.addMerchant()
  assert.equal((await call('GET', '/v1/payments', bearer(key))).status, 200)
  await changeKey(stack, { id }, { isActive: false })
  await sleep(900)
  assertError(await call('GET', '/v1/payments', bearer(key)), 401, 'UNAUTHORIZED')
})

for (const operation of operations) {
  const { method, path } = operation
  const needed = neededScopes(operation)
  for (const scope of needed)
    test(`FORBIDDEN: ${method} ${path} with every scope but ${scope}`, async () => {
      const others = scopes.filter((other) => other !== scope)
      const { key } = await api.addKey({ accountId: await api.addAccount(), scopes: others })
      assertError(await call(method.toUpperCase(), withIds(path), bearer(key)), 403, 'FORBIDDEN')
      const only = await api.addKey({ accountId: await api.addAccount(), scopes: needed })
      assert.notEqual((await call(method.toUpperCase(), withIds(path), bearer(only.key))).status, 403)
    })
}

test('NOT_FOUND: another account’s or environment’s id is answered like a missing one, byte for byte', async () => {
  const foreign = await api.addMerchant()
  const live = await api.addMerchant('live')
  const theirs = await foreign.merchant.createCheckout()
  const inLive = await live.merchant.createCheckout({ ...sale, amount: '0.00' })
  const sandboxKey = await api.addKey({ accountId: live.accountId })
  const theirPayment = await makePayment(stack, foreign, 'sandbox')
  const livePayment = await makePayment(stack, live, 'live')
  const withId = operations.filter(
    ({ path, auth }) => /\{(checkout|payment)_id\}/.test(path) && auth.includes('apiKey'),
  )
  for (const { method, path } of withId) {
    const read = async (key: string, checkoutId?: string, paymentId?: string) =>
      assertError(await call(method.toUpperCase(), withIds(path, checkoutId, paymentId), bearer(key)), 404, 'NOT_FOUND')
    const missing = await call(method.toUpperCase(), withIds(path))
    assertError(missing, 404, 'NOT_FOUND')
    for (const [key, checkoutId, paymentId] of [
      [stack.merchant.apiKey, theirs.checkout_id, theirPayment],
      [sandboxKey.key, inLive.checkout_id, livePayment],
      [stack.merchant.apiKey, 'chk_', 'pay_'],
      [stack.merchant.apiKey, 'x'.repeat(64), 'x'.repeat(64)],
    ] as const) {
      await read(key, checkoutId, paymentId)
      const answer = await call(method.toUpperCase(), withIds(path, checkoutId, paymentId), bearer(key))
      assert.equal(answer.text, missing.text)
    }
  }
})

test('a live key sees no sandbox row, and a sandbox key no live row', async () => {
  const { key, accountId, merchant } = await api.addMerchant('live')
  const sandbox = await api.addKey({ accountId })
  await sandbox.merchant.createCheckout()
  const free = await merchant.createCheckout({ ...sale, amount: '0.00' })
  const listed = pageOf(await call('GET', '/v1/checkout-sessions', bearer(key)))
  assert.deepEqual(
    listed.items.map(({ checkout_id }) => checkout_id),
    [free.checkout_id],
  )
  assert.equal(pageOf(await call('GET', '/v1/checkout-sessions', bearer(sandbox.key))).pagination.total, 1)
  const configuration = { webhook_url: 'https://example.com/hooks' }
  assert.equal((await merchant.call('PUT', '/api/v1/notifications/webhooks/configuration', configuration)).status, 200)
  const other = await sandbox.merchant.call('GET', '/api/v1/notifications/webhooks/endpoint')
  assert.equal(other.body['webhook_url'], null)
})

test('a foreign or unknown X-Account-Id is NOT_FOUND; the caller’s own one changes nothing', async () => {
  const foreign = await api.addAccount()
  for (const { method, path } of operations.filter(({ scope }) => scope !== null)) {
    for (const account of [foreign, newId('acct', Date.now()), 'nonsense']) {
      const reply = await call(method.toUpperCase(), withIds(path), { 'x-account-id': account })
      assertError(reply, 404, 'NOT_FOUND')
    }
  }
  const own = await call('GET', '/v1/payments', { 'x-account-id': stack.organizationId })
  assert.equal(own.status, 200)
})

test('a client secret opens its own session and nothing else', async () => {
  const [one, other] = [await stack.merchant.createCheckout(), await stack.merchant.createCheckout()]
  const read = (id: string, secret: string) => call('GET', `/v1/checkout-sessions/${id}/public`, bearer(secret))
  assert.equal((await read(one.checkout_id, one.client_secret)).status, 200)
  assertError(await read(other.checkout_id, one.client_secret), 404, 'NOT_FOUND')
  for (const path of ['pay', 'confirm']) {
    const reply = await call('POST', `/v1/checkout-sessions/${other.checkout_id}/${path}`, bearer(one.client_secret))
    assertError(reply, 404, 'NOT_FOUND')
  }
  assertError(await read(one.checkout_id, `${one.client_secret}x`), 401, 'UNAUTHORIZED')
  const forged = `${one.checkout_id}_secret_${other.client_secret.split('_secret_')[1]}`
  assertError(await read(one.checkout_id, forged), 401, 'UNAUTHORIZED')
  for (const { method, path } of operations.filter(({ scope }) => scope !== null)) {
    const reply = await call(method.toUpperCase(), withIds(path, one.checkout_id), bearer(one.client_secret))
    assertError(reply, 401, 'UNAUTHORIZED')
  }
})

test('no API key and no client secret is stored in clear text', async () => {
  const { client_secret } = await stack.merchant.createCheckout()
  const [{ dump } = { dump: '' }] = await stack.sql<{ dump: string }>(
    `select (select json_agg(k)::text from api_keys k) || (select json_agg(c)::text from checkouts c) as dump`,
  )
  assert.ok(!dump.includes(stack.merchant.apiKey.slice(11)) && !dump.includes(client_secret.split('_secret_')[1] ?? ''))
})
