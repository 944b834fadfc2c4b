import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { addToken } from '../support/portal.ts'
import { make } from '../support/resource.ts'
import { changeAccount } from '../support/rows.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

// A person of an organization chooses by `X-Environment` whose data a call is about. The API decides what they may.
const stack = await useStack({ workers: false })
const api = await useApi(stack)

type Named = 'sandbox' | 'live' | null

async function newPerson(isActivated: boolean) {
  const accountId = await api.addAccount()
  if (isActivated) await changeAccount(stack, accountId, { paymentsEnabled: true })
  const token = await (await addUser(stack, { accountId, role: 'owner' })).token()
  const call = (method: string, path: string, named: string | null, body?: object, more: object = {}) =>
    stack.merchant.call(method, path, body, {
      ...fromAnywhere(),
      ...bearer(token),
      ...(named !== null && { 'x-environment': named }),
      ...more,
    })
  const customers = async (named: Named) => {
    const { body } = await call('GET', '/v1/customers', named)
    return (body as unknown as { items: { email: string }[] }).items.map(({ email }) => email)
  }
  return { accountId, call, customers, me: async (named: Named) => (await call('GET', '/api/v1/auth/me', named)).body }
}

test('a person of an activated organization sees live data, and chooses test data by the header', async () => {
  const { call, customers, me } = await newPerson(true)
  for (const named of ['sandbox', 'live'] as const) {
    const made = await call('POST', '/v1/customers', named, { email: `${named}@example.com` })
    assert.equal(made.status, 201, made.text)
  }
  assert.deepEqual(await customers(null), ['live@example.com'])
  assert.deepEqual(await customers('live'), ['live@example.com'])
  assert.deepEqual(await customers('sandbox'), ['sandbox@example.com'])
  const { environment, environments } = await me(null)
  assert.deepEqual({ environment, environments }, { environment: 'live', environments: ['sandbox', 'live'] })
  assert.equal((await me('sandbox'))['environment'], 'sandbox')
})

test('an organization that is not activated has no live data, and everybody of it is told so', async () => {
  const { call, me } = await newPerson(false)
  for (const path of ['/v1/customers', '/v1/payments', '/api/v1/auth/me']) {
    const refused = await call('GET', path, 'live')
    assertError(refused, 403, 'FORBIDDEN')
    assert.match(String(refused.body['detail']), /has not been activated/)
  }
  const made = await call('POST', '/v1/customers', 'live', { email: 'nobody@example.com' })
  assertError(made, 403, 'FORBIDDEN')
  assert.equal((await stack.sql(`select 1 from customers where email = 'nobody@example.com'`)).length, 0)
  assert.deepEqual((await me('sandbox'))['environments'], ['sandbox'])
})

test('the same idempotency key in the two environments makes two customers', async () => {
  const { call, customers } = await newPerson(true)
  const key = { 'idempotency-key': 'once' }
  const body = { email: 'both@example.com' }
  const [first, second] = [
    await call('POST', '/v1/customers', 'sandbox', body, key),
    await call('POST', '/v1/customers', 'live', body, key),
  ]
  assert.notEqual(first.body['customer_id'], second.body['customer_id'])
  assert.deepEqual(await customers('sandbox'), ['both@example.com'])
})

test('a name that is no environment is a validation error', async () => {
  const { call } = await newPerson(true)
  for (const named of ['', 'test', 'LIVE', 'live, sandbox', 'x'.repeat(300)]) {
    assertError(await call('GET', '/v1/payments', named), 400, 'VALIDATION_ERROR')
  }
})

test('a key has one environment: a header that names the other is refused, its own changes nothing', async () => {
  const accountId = await api.addAccount()
  for (const environment of ['sandbox', 'live'] as const) {
    const { key } = await api.addKey({ accountId, environment })
    const call = (named: string) =>
      stack.merchant.call('GET', '/v1/payments', undefined, { ...bearer(key), 'x-environment': named })
    assert.equal((await call(environment)).status, 200)
    assertError(await call(environment === 'live' ? 'sandbox' : 'live'), 403, 'FORBIDDEN')
    assertError(await call(''), 400, 'VALIDATION_ERROR')
  }
})

test('a customer’s token stays in its environment, whatever the header names', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const customerId = await make(merchant, '/v1/customers', { email: 'portal@example.com' }, 'customer_id')
  const token = await addToken(stack, { accountId, environment: 'sandbox', customerId })
  const headers = { ...fromAnywhere(), ...bearer(token), 'x-environment': 'live' }
  const { body } = await stack.merchant.call('GET', '/v1/customer-portal/me', undefined, headers)
  assert.match(JSON.stringify(body), /portal@example\.com/)
})

test('an empty X-Account-Id is refused: its sender expects that the call is about a connected account', async () => {
  const { accountId, key } = await api.addMerchant()
  const owner = await addUser(stack, { accountId, role: 'owner' })
  const customers = async () => (await stack.sql('select 1 from customers')).length
  const before = await customers()
  for (const empty of ['', '  ']) {
    for (const secret of [key, await owner.token()]) {
      const headers = { ...fromAnywhere(), ...bearer(secret), 'x-account-id': empty }
      for (const [method, path, body] of [
        ['GET', '/v1/customers'],
        ['POST', '/v1/customers', { email: 'nobody@example.com' }],
        ['PUT', '/v1/accounts/checkout/settings', { fee_preference: 'org_pays' }],
      ] as const) {
        const [error] = assertError(await stack.merchant.call(method, path, body, headers), 400, 'VALIDATION_ERROR')
        assert.deepEqual([error?.field, error?.type], ['X-Account-Id', 'value_error.missing'])
        assert.match(String(error?.message), /leave the header out/)
      }
    }
    const keys = { ...fromAnywhere(), ...bearer(await owner.token()), 'x-account-id': empty }
    assertError(await stack.merchant.call('GET', '/api/v1/auth/api-keys', undefined, keys), 400, 'VALIDATION_ERROR')
  }
  assert.equal(await customers(), before)
})

test('without a credential there is no account to act for, so an empty X-Account-Id changes nothing', async () => {
  const headers = { ...fromAnywhere(), authorization: '', 'x-account-id': '' }
  assert.equal((await stack.merchant.call('GET', '/v1/payment-methods', undefined, headers)).status, 200)
})
