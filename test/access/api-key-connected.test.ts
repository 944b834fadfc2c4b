import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { assertError, bearer, fromAnywhere, pageOf } from '../support/api.ts'
import { pastedFrom } from '../support/guide.ts'
import { createMerchant } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

/** The same merchant, acting for another account. */
function actingFor(apiKey: string, accountId: string) {
  const merchant = createMerchant(stack.baseUrl, apiKey)
  const call: typeof merchant.call = (method, path, body, headers = {}) =>
    merchant.call(method, path, body, { ...fromAnywhere(), 'x-account-id': accountId, ...headers })
  return { call }
}

const sale = { amount: '25.00', currency: 'USD', description: 'A sale', success_url: 'https://example.com/thanks' }

test('with X-Account-Id the owner’s key makes and sees the rows of its connected account, and no others', async () => {
  const owner = await api.addMerchant()
  const connected = await api.addConnected(owner.accountId)
  const own = await owner.merchant.createCheckout()
  const { call } = actingFor(owner.key, connected)
  const made = await call('POST', '/v1/checkout-sessions', sale)
  assert.equal(made.status, 201, made.text)
  const id = String(made.body['checkout_id'])
  const listed = pageOf(await call('GET', '/v1/checkout-sessions'))
  assert.deepEqual(
    listed.items.map(({ checkout_id }) => checkout_id),
    [id],
  )
  assert.equal((await call('GET', `/v1/checkout-sessions/${id}`)).status, 200)
  assertError(await call('GET', `/v1/checkout-sessions/${own.checkout_id}`), 404, 'NOT_FOUND')
  assertError(await owner.merchant.call('GET', `/v1/checkout-sessions/${id}`), 404, 'NOT_FOUND')
  const paid = await call('POST', `/v1/test-helpers/checkout-sessions/${id}/pay`, {})
  assert.equal(paid.body['status'], 'completed', paid.text)
  assert.equal(pageOf(await call('GET', '/v1/payments')).pagination.total, 1)
  assert.equal(pageOf(await owner.merchant.call('GET', '/v1/payments')).pagination.total, 0)
  const theirs = await api.addKey({ accountId: connected })
  assert.equal((await theirs.merchant.getCheckout(id))['status'], 'completed')
})

test('the webhook settings of a connected account are separate from its owner’s', async () => {
  const owner = await api.addMerchant()
  const connected = await api.addConnected(owner.accountId)
  const { call } = actingFor(owner.key, connected)
  const path = '/api/v1/notifications/webhooks/'
  await call('PUT', `${path}configuration`, { webhook_url: 'https://example.com/connected' })
  assert.equal((await call('GET', `${path}endpoint`)).body['webhook_url'], 'https://example.com/connected')
  assert.equal((await owner.merchant.call('GET', `${path}endpoint`)).body['webhook_url'], null)
})

test('a live key sees no sandbox row of the connected account', async () => {
  const owner = await api.addMerchant()
  const live = await api.addKey({ accountId: owner.accountId, environment: 'live' })
  const connected = await api.addConnected(owner.accountId)
  const made = await actingFor(owner.key, connected).call('POST', '/v1/checkout-sessions', sale)
  const path = `/v1/checkout-sessions/${String(made.body['checkout_id'])}`
  assertError(await actingFor(live.key, connected).call('GET', path), 404, 'NOT_FOUND')
})

test('the same idempotency key for two accounts is two calls', async () => {
  const owner = await api.addMerchant()
  const connected = await api.addConnected(owner.accountId)
  const key = { 'idempotency-key': 'the same', ...fromAnywhere() }
  const own = await owner.merchant.call('POST', '/v1/checkout-sessions', sale, key)
  const made = await actingFor(owner.key, connected).call('POST', '/v1/checkout-sessions', sale, key)
  assert.deepEqual([own.status, made.status], [201, 201])
  assert.notEqual(own.body['checkout_id'], made.body['checkout_id'])
})

test('a user of the owner may do for the connected account what the user’s role allows', async () => {
  const owner = await api.addMerchant()
  const connected = await api.addConnected(owner.accountId)
  const developer = await addUser(stack, { accountId: owner.accountId, role: 'developer' })
  const viewer = await addUser(stack, { accountId: owner.accountId, role: 'viewer' })
  const as = async (user: typeof viewer) => actingFor(await user.token(), connected)
  assert.equal((await (await as(developer)).call('POST', '/v1/checkout-sessions', sale)).status, 201)
  assert.equal(pageOf(await (await as(viewer)).call('GET', '/v1/checkout-sessions')).items.length, 1)
  assertError(await (await as(viewer)).call('POST', '/v1/checkout-sessions', sale), 403, 'FORBIDDEN')
})

test('NOT_FOUND: any other account is refused like one that does not exist', async () => {
  const [owner, other] = [await api.addMerchant(), await api.addMerchant()]
  const connected = await api.addConnected(owner.accountId)
  const ofConnected = await api.addConnected(connected)
  const ofOther = await api.addConnected(other.accountId)
  const missing = await actingFor(owner.key, newId('acct', Date.now())).call('GET', '/v1/payments')
  assertError(missing, 404, 'NOT_FOUND')
  for (const id of [other.accountId, ofOther, ofConnected, stack.organizationId, 'nonsense', 'x'.repeat(300)]) {
    const reply = await actingFor(owner.key, id).call('GET', '/v1/payments')
    assert.deepEqual([reply.status, reply.text], [404, missing.text])
  }
  // The connected account cannot act for its owner, and a stranger for neither of them.
  const theirs = await api.addKey({ accountId: connected })
  assert.equal((await actingFor(theirs.key, owner.accountId).call('GET', '/v1/payments')).text, missing.text)
  assert.equal((await actingFor(other.key, connected).call('GET', '/v1/payments')).text, missing.text)
  assert.equal((await actingFor(theirs.key, connected).call('GET', '/v1/payments')).status, 200)
})

test('reference reads work under X-Account-Id, and refuse a foreign account like every other call', async () => {
  const [owner, other] = [await api.addMerchant(), await api.addMerchant()]
  const connected = await api.addConnected(owner.accountId)
  const viewer = await addUser(stack, { accountId: owner.accountId, role: 'viewer' })
  for (const path of ['/v1/reference/product-categories', '/v1/reference/banks?currency=NGN']) {
    const own = await owner.merchant.call('GET', path)
    assert.equal(own.status, 200, own.text)
    for (const secret of [owner.key, await viewer.token()]) {
      const reply = await actingFor(secret, connected).call('GET', path)
      assert.deepEqual([reply.status, reply.text], [200, own.text])
    }
    for (const id of [other.accountId, newId('acct', Date.now()), 'nonsense']) {
      assertError(await actingFor(owner.key, id).call('GET', path), 404, 'NOT_FOUND')
    }
    const unknown = await actingFor('sk_sandbox_x', connected).call('GET', path)
    assertError(unknown, 401, 'UNAUTHORIZED')
  }
})

test('GET /v1/payment-methods, which needs no credential, is the same under any X-Account-Id', async () => {
  const owner = await api.addMerchant()
  const connected = await api.addConnected(owner.accountId)
  const plain = await owner.merchant.call('GET', '/v1/payment-methods')
  for (const id of [connected, newId('acct', Date.now())]) {
    const reply = await actingFor(owner.key, id).call('GET', '/v1/payment-methods')
    assert.deepEqual([reply.status, reply.text], [200, plain.text])
  }
})

test('NOT_FOUND: a client secret cannot act for a connected account', async () => {
  const owner = await api.addMerchant()
  const connected = await api.addConnected(owner.accountId)
  const { checkout_id, client_secret } = await owner.merchant.createCheckout()
  const path = `/v1/checkout-sessions/${checkout_id}/public`
  const headers = { ...fromAnywhere(), ...bearer(client_secret), 'x-account-id': connected }
  assertError(await stack.merchant.call('GET', path, undefined, headers), 404, 'NOT_FOUND')
})

test('the calls of the guide work as they are pasted', async () => {
  const owner = await api.addMerchant()
  const connected = await api.addConnected(owner.accountId)
  const calls = pastedFrom('keys', (text) => text).map((call) => call())
  assert.ok(calls.length === 3 && calls.every(({ isForOther }) => isForOther))
  for (const { method, path, type, body } of calls) {
    const reply = await actingFor(owner.key, connected).call(method, path, body, body ? { 'content-type': type } : {})
    assert.ok(reply.status === 200 || reply.status === 201, reply.text)
  }
  const { items } = pageOf(await actingFor(owner.key, connected).call('GET', '/v1/checkout-sessions'))
  assert.deepEqual(
    items.map(({ amount }) => amount),
    ['25.00'],
  )
})

test('an account cannot be its own owner', async () => {
  const id = await api.addAccount()
  await assert.rejects(stack.sql('update accounts set owner_id = id where id = ?', [id]), /accounts_owner_id_check/)
})
