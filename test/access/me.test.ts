import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roles, scopesOf } from '../../domain/access/role.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

// Who calls, and what they may do now.
const stack = await useStack({ workers: false })
await useApi(stack)
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
