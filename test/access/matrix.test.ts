import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Credential, needsAccount, type Operation } from '../../api/http/operation.ts'
import { operations } from '../../api/operations.ts'
import { makeKey } from '../../db/access/api-key.ts'
import { newId } from '../../domain/id.ts'
import { type Role, roles, scopesOf } from '../../domain/access/role.ts'
import { type Environment, scopes } from '../../domain/access/scope.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { addOnboardingToken } from '../support/connected-account.ts'
import { fillPath, idParameterOf, type Made, make, type Owner } from '../support/resource.ts'
import { addToken, tokenForOwnerOf } from '../support/portal.ts'
import { makers, routes } from '../support/resources.ts'
import type { Reply } from '../support/merchant.ts'
import { changeAccount } from '../support/rows.ts'
import { addInvitation } from '../support/team.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'
import { addUser } from '../support/user.ts'

// Calls every route as everybody who may not use it. A route that is missing in `routes` fails the first test.
const stack = await useStack()
const api = await useApi(stack)
const own = await newOwner()
const foreign = await newOwner()
// may take payments, so its people see live data
const enabled = await newOwner()
await changeAccount(stack, enabled.accountId, { paymentsEnabled: true })
atEnd(() => stack.dispatched())

const nameOf = ({ method, path }: Operation) => `${method.toUpperCase()} ${path}`
const credentialKinds = [
  'apiKey',
  'user',
  'clientSecret',
  'customerToken',
  'onboardingToken',
  'invitationToken',
] as const
const isOpen = ({ auth }: Operation) => auth.includes('none')
const idOf = ({ path }: Operation) => idParameterOf(path)

/** An organization with a key of each environment. */
async function newOwner(): Promise<Owner> {
  const accountId = await api.addAccount()
  const keys = {
    sandbox: await api.addKey({ accountId }),
    live: await api.addKey({ accountId, environment: 'live' }),
  }
  return { accountId, keys }
}

/** The access token of a new owner, so that nobody reaches the rate limit. */
const newPerson = async ({ accountId } = own) => (await addUser(stack, { accountId, role: 'owner' })).token()

/** How many calls a person makes whom several tests share: no minute may hold as many as the rate limit. */
const sharedCallsMax = 80
const sharedPeople = new Map<string, { calls: number; token: Promise<string> }>()

/** An access token for a call that is refused: such a call ends no session, so that many share one person. */
function tokenOf(role: Role, accountId: string | null = own.accountId): Promise<string> {
  const name = `${role} ${accountId}`
  const known = sharedPeople.get(name)
  if (known && known.calls++ < sharedCallsMax) return known.token
  const token = addUser(stack, { accountId, role }).then((person) => person.token())
  sharedPeople.set(name, { calls: 1, token })
  return token
}

/** Calls a route; `secret` null sends no credential. */
function send(
  operation: Operation,
  secret: string | null,
  id?: string,
  more: object | '' = {},
  of: Pick<Owner, 'accountId'> & Pick<Made, 'parents'> = own,
): Promise<Reply> {
  const { method } = operation
  const path = fillPath(operation.path, id ?? newId('chk', Date.now()), of.accountId, of.parents)
  const { body, type } = routes[nameOf(operation)] ?? {}
  const headers = {
    ...fromAnywhere(),
    authorization: secret === null ? '' : `Bearer ${secret}`,
    ...(type && { 'content-type': type }),
    ...more,
  }
  return stack.merchant.call(method.toUpperCase(), path, body, headers)
}

/** A valid credential of each kind, of the organization that owns the row, so that only its kind can be wrong. */
async function credentials(): Promise<Record<Exclude<Credential, 'none'>, string>> {
  const { key, merchant } = own.keys.sandbox
  const clientSecret = (await merchant.createCheckout()).client_secret
  const customerId = await make(merchant, '/v1/customers', { email: `${randomUUID()}@example.com` }, 'customer_id')
  const customerToken = await addToken(stack, { accountId: own.accountId, environment: 'sandbox', customerId })
  const onboardingToken = await addOnboardingToken(stack, own.accountId)
  const { token: invitationToken } = await addInvitation(stack, own)
  return { apiKey: key, user: await newPerson(), clientSecret, customerToken, onboardingToken, invitationToken }
}

const contentOf = ({ status, body }: Reply) => {
  const { error_code, detail, errors } = body as Record<string, unknown>
  return { status, error_code, detail, errors }
}

test('every route is in the table, and nothing else', () => {
  assert.deepEqual(Object.keys(routes).toSorted(), operations.map(nameOf).toSorted())
  for (const operation of operations) {
    const id = idOf(operation)
    if (id) assert.ok(id in makers, `${nameOf(operation)}: nothing makes a ${id}`)
    const further = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).filter((name) => name !== id)
    const known = further.every((name) => ['account_id', 'capability', 'dispute_id'].includes(name ?? ''))
    assert.ok(known, `${nameOf(operation)} has two ids: extend the matrix`)
  }
})

/** One of each for all calls that a credential of this kind never gets past. */
const shared = await credentials()

for (const operation of operations.filter((each) => !isOpen(each))) {
  test(`${nameOf(operation)} is UNAUTHORIZED without a credential, or with a wrong one`, async () => {
    const real = { ...shared, user: await tokenOf('owner') }
    const unsigned = `${real.user.split('.').slice(0, 2).join('.')}.`
    const wrong = [null, '', 'garbage', makeKey('sandbox'), makeKey('live'), `${real.user}x`, unsigned]
    wrong.push(`${newId('chk', Date.now())}_secret_${'x'.repeat(32)}`, `${real.clientSecret}x`)
    wrong.push(`${newId('cs', Date.now())}_secret_${'x'.repeat(32)}`, `${real.customerToken}x`)
    wrong.push(`${newId('os', Date.now())}_secret_${'x'.repeat(32)}`, `${real.onboardingToken}x`)
    wrong.push(`${newId('ti', Date.now())}_secret_${'x'.repeat(32)}`, `${real.invitationToken}x`)
    const others = credentialKinds.filter((kind) => !operation.auth.includes(kind))
    const replies = [...wrong, ...others.map((kind) => real[kind])].map((secret) => send(operation, secret))
    for (const reply of await Promise.all(replies)) assertError(reply, 401, 'UNAUTHORIZED')
  })
}

for (const operation of operations.filter(isOpen)) {
  test(`${nameOf(operation)} needs no credential, and a wrong one changes nothing`, async () => {
    const without = await send(operation, null)
    assert.notEqual(without.body['error_code'], 'UNAUTHORIZED')
    assert.notEqual(without.body['error_code'], 'FORBIDDEN')
    for (const secret of [makeKey('live'), 'garbage']) {
      assert.equal((await send(operation, secret)).status, without.status)
    }
  })
}

for (const operation of operations.filter(({ scope, auth }) => scope !== null && auth.includes('apiKey'))) {
  test(`${nameOf(operation)} with a key of every scope but ${operation.scope} is FORBIDDEN`, async () => {
    const others = scopes.filter((scope) => scope !== operation.scope)
    const { key } = await api.addKey({ accountId: await api.addAccount(), scopes: others })
    assertError(await send(operation, key), 403, 'FORBIDDEN')
  })
}

for (const operation of operations.filter(({ auth }) => auth.includes('user'))) {
  const { scope, managesKeys, managesTeam, forStaff } = operation
  const lacks = roles.filter((role) => {
    if (forStaff) return role !== 'reviewer' // the others belong to an organization
    if (role === 'reviewer' && needsAccount(operation)) return true // reviewers belong to none
    return managesKeys || managesTeam
      ? role !== 'owner' && role !== 'admin'
      : scope !== null && !scopesOf(role).includes(scope)
  })
  test(`${nameOf(operation)} is FORBIDDEN for ${lacks.join(', ') || 'no role'}, and for no other`, async () => {
    const refused = lacks.map(async (role) => send(operation, await tokenOf(role)))
    for (const reply of await Promise.all(refused)) assertError(reply, 403, 'FORBIDDEN')
    for (const role of roles.filter((each) => !lacks.includes(each))) {
      const user = await addUser(stack, { accountId: own.accountId, role })
      assert.notEqual((await send(operation, await user.token())).status, 403, role)
    }
  })
}

for (const operation of operations.filter(({ auth }) => auth.includes('user'))) {
  const refused = needsAccount(operation)
  test(`${nameOf(operation)} is ${refused ? 'FORBIDDEN' : 'open'} for people of no organization`, async () => {
    const headers = ['', { 'x-account-id': own.accountId }] as const
    if (refused) {
      const calls = roles.flatMap((role) =>
        headers.map(async (named) => send(operation, await tokenOf(role, null), undefined, named)),
      )
      for (const reply of await Promise.all(calls)) {
        assertError(reply, 403, 'FORBIDDEN')
        assert.match(String(reply.body['detail']), /you belong to none$/)
      }
      return
    }
    for (const role of roles) {
      const person = await addUser(stack, { accountId: null, role })
      for (const named of headers) {
        const reply = await send(operation, await person.token(), undefined, named)
        if (role === 'admin' || role === 'reviewer' || !operation.forStaff) {
          assert.notEqual(reply.status, 403, `${role}: ${reply.text}`)
          assert.ok(reply.status < 500, reply.text)
        }
      }
    }
  })
}

test('every row that was made belongs to an organization', async () => {
  const tables = await stack.sql<{ name: string }>(
    `select table_name as name from information_schema.columns
     where column_name = 'account_id' and table_schema = 'public'`,
  )
  assert.ok(tables.length > 20)
  for (const { name } of tables) {
    assert.deepEqual(await stack.sql(`select * from "${name}" where account_id = ''`), [], name)
  }
})

type Case = { who: string; owner: Owner; sees: Environment; secret: (made: Made) => Promise<string> | string }

const hiddenRows = new Map<string, Promise<Made>>()

/** A row that no caller of this file may reach. As nothing changes it, all of them are refused the same one. */
function hiddenRow(parameter: string, owner: Owner, environment: Environment): Promise<Made> {
  const name = `${parameter} ${owner.accountId} ${environment}`
  const row = hiddenRows.get(name) ?? makers[parameter]?.make(stack, owner, environment)
  assert.ok(row)
  hiddenRows.set(name, row)
  return row
}

/** Who calls a route with an id, by each kind of credential that it takes. */
function casesOf({ auth }: Operation): Case[] {
  const key = (sees: Environment) => ({ who: `a ${sees} key`, owner: own, sees, secret: () => own.keys[sees].key })
  const person = (owner: Owner, sees: Environment) => ({
    who: `a person of the ${sees} environment`,
    owner,
    sees,
    secret: ({ person: token }: Made) => token ?? newPerson(owner),
  })
  const byKind: Record<string, Case[]> = {
    apiKey: [key('sandbox'), key('live')],
    user: [person(own, 'sandbox'), person(enabled, 'live')],
    customerToken: (['sandbox', 'live'] as const).map((sees) => ({
      who: `a customer of the ${sees} environment`,
      owner: own,
      sees,
      secret: ({ id }: Made) => tokenForOwnerOf(stack, id),
    })),
    onboardingToken: (['sandbox', 'live'] as const).map((sees) => ({
      who: `the seller on a page of the ${sees} environment`,
      owner: own,
      sees,
      // The page of the account itself, or of the account that the row belongs to.
      secret: ({ id }: Made) => addOnboardingToken(stack, id.startsWith('acct_') ? id : own.accountId, sees),
    })),
    clientSecret: [{ who: 'a client secret', owner: own, sees: 'sandbox', secret: ({ secret }) => secret ?? '' }],
  }
  return auth.flatMap((kind) => byKind[kind] ?? [])
}

// Staff see every organization's rows, in both environments.
for (const operation of operations.filter((each) => idOf(each) && !each.forStaff)) {
  test(`${nameOf(operation)} refuses a foreign, another environment’s and a random id like a missing one`, async () => {
    const parameter = idOf(operation) ?? ''
    const maker = makers[parameter]
    assert.ok(maker)
    const idOfHidden = async (whose: Owner, environment: Environment) =>
      (await hiddenRow(parameter, whose, environment)).id
    for (const { who, owner, secret, sees } of casesOf(operation)) {
      const other = sees === 'sandbox' ? 'live' : 'sandbox'
      const mine: Made = await maker.make(stack, owner, sees)
      const credential = await secret(mine)
      // Everything is tried beside what the own row belongs to.
      const beside = { accountId: owner.accountId, ...(mine.parents && { parents: mine.parents }) }
      const missing = await send(operation, credential, newId(maker.prefix, Date.now()), {}, beside)
      assert.ok(missing.status >= 400 && missing.status < 500, `${who}: ${missing.text}`)
      const hidden: Record<string, string> = {
        // To a customer another customer's row is hidden too.
        ...(who.startsWith('a customer') && { 'another customer’s': await idOfHidden(owner, sees) }),
        'another account’s': await idOfHidden(foreign, sees),
        'another account’s in the other environment': await idOfHidden(foreign, other),
        ...(!maker.inBothEnvironments && { 'the other environment’s': await idOfHidden(owner, other) }),
        short: `${maker.prefix}_`,
        long: 'x'.repeat(64),
        no: 'nonsense',
      }
      const sendHidden = async ([whose, id]: [string, string]) => {
        assert.deepEqual(
          contentOf(await send(operation, credential, id, {}, beside)),
          contentOf(missing),
          `${who}, ${whose} id`,
        )
      }
      await Promise.all(Object.entries(hidden).map(sendHidden))
      // Otherwise a route that refuses everything would pass.
      const seen = await send(operation, credential, mine.id, {}, beside)
      const simulated = sees === 'live' && operation.path.startsWith('/v1/test-helpers/')
      if (!simulated) assert.notDeepEqual(contentOf(seen), contentOf(missing), `${who} does not reach the own row`)
    }
  })
}

test('refused calls change nothing', async () => {
  const { merchant, id, key } = foreign.keys.sandbox
  const session = await merchant.createCheckout()
  const secrets = Object.values(await credentials()) // none of these calls ends one of them
  for (const operation of operations.filter((each) => idOf(each) && each.method !== 'get')) {
    const named = { checkout_id: session.checkout_id, api_key_id: id }[idOf(operation) ?? '']
    for (const secret of secrets) await send(operation, secret, named)
  }
  assert.equal((await merchant.getCheckout(session.checkout_id))['status'], 'open')
  const [row] = await stack.sql('select is_active, scopes from api_keys where id = ?', [id])
  assert.deepEqual(row, { is_active: true, scopes: [...scopes] })
  assert.equal((await merchant.call('GET', '/v1/payments', undefined, bearer(key))).status, 200)
})
