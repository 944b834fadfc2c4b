import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roles, scopesOf } from '../../domain/access/role.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { changeAccount } from '../support/rows.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

// Who calls, and what they may do now.
const stack = await useStack({ workers: false })
const api = await useApi(stack)
const path = '/api/v1/auth/me'

for (const role of roles) {
  test(`of the role ${role}: who it is, the role and its scopes, as they are now`, async () => {
    const user = await addUser(stack, { accountId: role === 'reviewer' ? null : stack.organizationId, role })
    const headers = { ...fromAnywhere(), ...bearer(await user.token()) }
    const { status, body } = await stack.merchant.call('GET', path, undefined, headers)
    assert.equal(status, 200)
    assert.deepEqual([body['role'], body['scopes']], [role, scopesOf(role)])
    assert.equal((body['user'] as unknown as { id: string }).id, user.id)
    await stack.sql(`update users set role = 'viewer' where id = ?`, [user.id])
    const later = await stack.merchant.call('GET', path, undefined, headers)
    if (role !== 'reviewer')
      assert.deepEqual([later.body['role'], later.body['scopes']], ['viewer', scopesOf('viewer')])
  })
}

test('UNAUTHORIZED: a key is nobody, and so is no credential', async () => {
  assertError(await stack.merchant.call('GET', path), 401, 'UNAUTHORIZED')
  const answer = await fetch(stack.baseUrl + path)
  assert.equal(answer.status, 401)
})

test('the clock that is furthest ahead is named in test mode, to every role, and to nobody else', async () => {
  const { accountId, merchant } = await api.addMerchant()
  const ahead = async (user: { token(): Promise<string> }, headers = {}) => {
    const sent = { ...fromAnywhere(), ...bearer(await user.token()), ...headers }
    return (await stack.merchant.call('GET', path, undefined, sent)).body['clock_ahead'] as unknown
  }
  const add = async (name: string, frozen_time: string) =>
    (await merchant.call('POST', '/v1/test-helpers/clocks', { name, frozen_time })).body['clock_id']
  const viewer = await addUser(stack, { accountId, role: 'viewer' })
  await add('Behind', '2001-01-01T00:00:00Z')
  assert.equal(await ahead(viewer), null)
  const furthest = await add('Furthest', '2090-01-01T00:00:00Z')
  await add('Ahead', '2080-01-01T00:00:00Z')
  const frozen_time = '2090-01-01T00:00:00.000Z'
  assert.deepEqual(await ahead(viewer), { clock_id: furthest, name: 'Furthest', frozen_time })
  assert.equal(await ahead(await addUser(stack, { accountId: await api.addAccount(), role: 'owner' })), null)
  assert.equal(await ahead(await addUser(stack, { accountId: null, role: 'reviewer' })), null)
  await changeAccount(stack, accountId, { paymentsEnabled: true })
  const owner = await addUser(stack, { accountId, role: 'owner' })
  assert.equal(await ahead(owner, { 'x-environment': 'live' }), null)
  assert.notEqual(await ahead(owner, { 'x-environment': 'sandbox' }), null)
})
