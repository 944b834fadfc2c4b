import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Operation, takesAccountId } from '../../api/http/operation.ts'
import { operations } from '../../api/operations.ts'
import { newId } from '../../domain/id.ts'
import { assertError, fromAnywhere } from '../support/api.ts'
import type { Reply } from '../support/merchant.ts'
import { addOnboardingToken } from '../support/connected-account.ts'
import { addToken } from '../support/portal.ts'
import { make, type Owner } from '../support/resource.ts'
import { makers, routes } from '../support/resources.ts'
import { routesByAccount } from '../support/routes-by-account.ts'
import { addInvitation } from '../support/team.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'
import { addUser } from '../support/user.ts'

// Tries `X-Account-Id` on every route, as the list in test/support/routes-by-account.ts says.
const stack = await useStack()
const api = await useApi(stack)
const platform = await newOwner(await api.addAccount())
const connected = await newOwner(await api.addConnected(platform.accountId))
const others = {
  missing: newId('acct', Date.now()),
  foreign: await api.addAccount(),
  'another platform’s': await api.addConnected(stack.organizationId),
  'a connected account’s': await api.addConnected(connected.accountId),
  nonsense: 'nonsense',
}
/** Connected accounts of the platform that belong to one environment. */
const madeIn = {
  sandbox: await api.addConnected(platform.accountId, 'sandbox'),
  live: await api.addConnected(platform.accountId, 'live'),
}
atEnd(() => stack.dispatched())

type Headers = Record<string, string>
const nameOf = ({ method, path }: Pick<Operation, 'method' | 'path'>) => `${method.toUpperCase()} ${path}`
const of = (names: readonly string[]) => operations.filter((each) => names.includes(nameOf(each)))
/** The one id in a path. A path with two needs two rows that belong together, which the tests of its area make. */
const idOf = ({ path }: Operation) => /^[^{]*\{(\w+)\}[^{]*$/.exec(path)?.[1]
const actsFor = (accountId: string): Headers => ({ 'x-account-id': accountId })
const contentOf = ({ status, body }: Reply) => [status, body['error_code'], body['detail']]

/** The account in a path: one that is there. */
const accountIn = ({ path }: Operation) => (path.includes('{account_id}') ? connected.accountId : undefined)

async function newOwner(accountId: string): Promise<Owner> {
  const [sandbox, live] = [await api.addKey({ accountId }), await api.addKey({ accountId, environment: 'live' })]
  return { accountId, keys: { sandbox, live } }
}
/** The access token of a new owner, so that nobody reaches the rate limit. */
const newPerson = async (accountId: string | null) =>
  (await addUser(stack, { accountId, role: accountId === null ? 'reviewer' : 'owner' })).token()

function send(operation: Operation, secret: string | null, more: Headers = {}, id = newId('chk', 0)): Promise<Reply> {
  const { body, type } = routes[nameOf(operation)] ?? {}
  const authorization = secret === null ? '' : `Bearer ${secret}`
  const headers = { ...fromAnywhere(), authorization, ...(type && { 'content-type': type }), ...more }
  const filled = operation.path.replaceAll(/\{\w+\}/g, id)
  return stack.merchant.call(operation.method.toUpperCase(), filled, body, headers)
}

/** A credential of the platform that the operation accepts. */
async function credentialFor({ auth, forStaff, path }: Operation): Promise<string> {
  if (auth.includes('user')) return newPerson(forStaff ? null : platform.accountId)
  const { merchant } = platform.keys.sandbox
  if (auth.includes('clientSecret')) return (await merchant.createCheckout()).client_secret
  if (auth.includes('onboardingToken')) return addOnboardingToken(stack, platform.accountId)
  if (auth.includes('invitationToken')) return (await addInvitation(stack, platform)).token
  assert.ok(auth.includes('customerToken'), path)
  const customerId = await make(merchant, '/v1/customers', { email: `${randomUUID()}@example.com` }, 'customer_id')
  return addToken(stack, { accountId: platform.accountId, environment: 'sandbox', customerId })
}

test('every route says what it does with X-Account-Id, and the description of the API agrees', () => {
  const listed = Object.values(routesByAccount).flat()
  assert.deepEqual(listed.toSorted(), operations.map(nameOf).toSorted())
  const described = operations.filter(takesAccountId).map(nameOf)
  assert.deepEqual([...routesByAccount.takes].toSorted(), described.toSorted())
})

for (const operation of of(routesByAccount.takes)) {
  test(`${nameOf(operation)} acts for a connected account, and for no other account`, async () => {
    const secrets = {
      'a sandbox key': platform.keys.sandbox.key,
      'a live key': platform.keys.live.key,
      ...(operation.auth.includes('user') && { 'a person': await newPerson(platform.accountId) }),
    }
    for (const [who, secret] of Object.entries(secrets)) {
      const missing = await send(operation, secret, actsFor(others.missing))
      assertError(missing, 404, 'NOT_FOUND')
      assert.equal(missing.body['detail'], 'no such account')
      const elsewhere = who === 'a live key' ? madeIn.sandbox : madeIn.live
      for (const [which, id] of Object.entries({ ...others, 'the other environment’s': elsewhere })) {
        const reply = await send(operation, secret, actsFor(id))
        assert.deepEqual([reply.status, reply.text], [404, missing.text], `${who}: ${which}`)
      }
      // An account that is read or changed has to be there, or the answer would be the same as to a foreign one.
      const taken = await send(operation, secret, actsFor(connected.accountId), accountIn(operation))
      assert.notEqual(taken.body['detail'], 'no such account', `${who}: ${taken.text}`)
      const isForbidden = taken.body['error_code'] === 'FORBIDDEN'
      // It is the one thing that a connected account may not do: have connected accounts.
      assert.equal(isForbidden, nameOf(operation) === 'POST /v1/accounts', taken.text)
      assert.ok(taken.status < 500 && taken.status !== 401, taken.text)
    }
    // The connected account cannot act for its platform.
    const upwards = await send(operation, connected.keys.sandbox.key, actsFor(platform.accountId))
    assertError(upwards, 404, 'NOT_FOUND')
  })
}

for (const operation of of(routesByAccount.takes).filter(idOf)) {
  const maker = makers[idOf(operation) ?? '']
  if (!maker) continue
  test(`${nameOf(operation)} reaches the rows of the account that is acted for, and no others`, async () => {
    const { key } = platform.keys.sandbox
    const acts = actsFor(connected.accountId)
    const theirs = () => maker.make(stack, connected, 'sandbox')
    const ours = await maker.make(stack, platform, 'sandbox')
    const missing = await send(operation, key, acts, newId(maker.prefix, Date.now()))
    assert.ok(missing.status >= 400 && missing.status < 500, missing.text)
    assert.deepEqual(contentOf(await send(operation, key, acts, ours.id)), contentOf(missing), 'the platform’s row')
    assert.deepEqual(contentOf(await send(operation, key, {}, (await theirs()).id)), contentOf(missing), 'no header')
    const { key: liveKey } = platform.keys.live
    const otherEnvironment = await send(operation, liveKey, acts, (await theirs()).id)
    const missingInLive = await send(operation, liveKey, acts, newId(maker.prefix, Date.now()))
    assert.deepEqual(contentOf(otherEnvironment), contentOf(missingInLive), 'the other environment’s row')
    // Otherwise a route that refuses everything would pass.
    const seen = await send(operation, key, acts, (await theirs()).id)
    assert.notDeepEqual(contentOf(seen), contentOf(missing), seen.text)
  })
}

for (const operation of of(routesByAccount.keys)) {
  test(`${nameOf(operation)} is FORBIDDEN for any other account`, async () => {
    const secret = await newPerson(platform.accountId)
    for (const id of [connected.accountId, ...Object.values(others)]) {
      const reply = await send(operation, secret, actsFor(id))
      assertError(reply, 403, 'FORBIDDEN')
      assert.equal(reply.body['detail'], 'connected accounts cannot manage keys')
    }
    assert.notEqual((await send(operation, secret, actsFor(platform.accountId))).status, 403)
  })
}

for (const operation of of([...routesByAccount.buyers, ...routesByAccount.staff, ...routesByAccount.login])) {
  test(`${nameOf(operation)} acts for nobody else: any account is NOT_FOUND`, async () => {
    const secret = await credentialFor(operation)
    const missing = await send(operation, secret, actsFor(others.missing))
    assertError(missing, 404, 'NOT_FOUND')
    assert.equal(missing.body['detail'], 'no such account')
    for (const id of [connected.accountId, ...Object.values(others)]) {
      assert.equal((await send(operation, secret, actsFor(id))).text, missing.text)
    }
    const without = await send(operation, secret, {}, accountIn(operation))
    assert.notEqual(without.body['detail'], 'no such account')
  })
}

for (const operation of of(routesByAccount.open)) {
  test(`${nameOf(operation)} needs no credential, so it ignores the header`, async () => {
    const without = await send(operation, null)
    for (const id of [connected.accountId, ...Object.values(others)]) {
      for (const secret of [null, platform.keys.sandbox.key]) {
        assert.deepEqual(contentOf(await send(operation, secret, actsFor(id))), contentOf(without))
      }
    }
  })
}
