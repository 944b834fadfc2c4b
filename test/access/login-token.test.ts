import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify, SignJWT } from 'jose'
import { createAccessTokens } from '../../api/access/access-token.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { createLogins, paths } from '../support/login.ts'
import { changeAccount } from '../support/rows.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const second = 1_000
const minute = 60 * second
const day = 24 * 60 * minute

let now = Date.now()
const stack = await useStack({ workers: false, clock: { now: () => now } })
const api = await useApi(stack)
const logins = createLogins(stack)
const person = await logins.addPerson()
const session = await logins.logIn(person)

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const read = (text: string | undefined) => JSON.parse(Buffer.from(text ?? '', 'base64url').toString()) as JWK
const parts = () => session.access_token.split('.')
const header = () => read(parts()[0]) as Record<string, unknown>
const claims = () => read(parts()[1]) as Record<string, unknown>
const refused = async (token: string) => assertError(await logins.read(token), 401, 'UNAUTHORIZED')
const keySet = async () =>
  (await stack.merchant.call('GET', '/.well-known/jwks.json')).body as unknown as { keys: JWK[] }

/** A token that our own key has signed, with other claims or another header. */
async function forge(otherClaims: Record<string, unknown>, otherHeader: Record<string, unknown> = {}) {
  const [row] = await stack.sql<{ encrypted: string }>(
    'select sealed_private_jwk as encrypted from signing_keys where id = ?',
    [String(header()['kid'])],
  )
  const key = await importJWK(JSON.parse(stack.services.encrypter.decrypt(row?.encrypted ?? '')) as JWK, 'EdDSA')
  const { aud, iss, exp, iat, sub, sid } = { ...claims(), ...otherClaims } as Record<string, never>
  const kept = Object.fromEntries(Object.entries({ aud, iss, exp, iat, sub, sid }).filter(([, value]) => value))
  return new SignJWT(kept).setProtectedHeader({ ...header(), ...otherHeader } as { alg: string }).sign(key)
}

test('an access token is EdDSA, has a type, and names its user, but neither role nor email', async () => {
  const { kid, ...rest } = header()
  assert.equal(typeof kid, 'string')
  assert.deepEqual(rest, { alg: 'EdDSA', typ: 'at+jwt' })
  assert.deepEqual(Object.keys(claims()).toSorted(), ['aud', 'exp', 'iat', 'iss', 'sid', 'sub'])
  assert.equal(claims()['sub'], person.id)
})

test('the published keys verify an access token, and hold no private part', async () => {
  const { keys } = await keySet()
  assert.deepEqual(Object.keys(keys[0] ?? {}).toSorted(), ['alg', 'crv', 'kid', 'kty', 'use', 'x'])
  const key = await importJWK(keys.find(({ kid }) => kid === header()['kid']) ?? {}, 'EdDSA')
  const { payload } = await jwtVerify(session.access_token, key, { currentDate: new Date(now) })
  assert.equal(payload.sub, person.id)
})

test('an access token works for 15 minutes', async () => {
  const startedAt = now
  now = startedAt + 15 * minute - 2 * second
  assert.equal((await logins.read(session.access_token)).status, 200)
  now = startedAt + 15 * minute
  await refused(session.access_token)
  now = startedAt
})

test('a token without a signature is refused, whatever algorithm its header names', async () => {
  for (const alg of ['none', 'None', 'EdDSA']) {
    await refused(`${part({ ...header(), alg })}.${parts()[1]}.`)
  }
})

test('a token signed by HMAC with the public key as its secret is refused', async () => {
  const { keys } = await keySet()
  const published = keys.find(({ kid }) => kid === header()['kid'])
  for (const secret of [
    JSON.stringify(published),
    String(published?.x),
    Buffer.from(published?.x ?? '', 'base64url'),
  ]) {
    for (const alg of ['HS256', 'EdDSA']) {
      const signed = `${part({ ...header(), alg })}.${parts()[1]}`
      await refused(`${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`)
    }
  }
})

test('a token of ours with a wrong or missing claim or type is refused', async () => {
  assert.equal((await logins.read(await forge({}))).status, 200, 'a token that is signed in the test works')
  await refused(await forge({ aud: 'steadypay-login' }))
  await refused(await forge({ iss: 'somebody' }))
  await refused(await forge({}, { typ: 'JWT' }))
  await refused(await forge({}, { typ: 'login+jwt' }))
  await refused(await forge({}, { typ: undefined }))
  await refused(await forge({ exp: undefined }))
  await refused(await forge({ sid: undefined }))
  await refused(await forge({ exp: Math.floor(now / 1000) }))
  await refused(await forge({ sub: (await logins.addPerson()).id }))
})

test('a key that the token contains, or names by URL or path, is never used', async () => {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true })
  const jwk = await exportJWK(publicKey)
  const headers: Record<string, unknown>[] = [
    { jwk },
    { jwk, kid: undefined },
    { jku: `${stack.baseUrl}/keys.json` },
    { kid: '../../../dev/null' },
    { kid: `' or '1'='1` },
    { kid: 'x'.repeat(43) },
    { x5u: `${stack.baseUrl}/keys.json`, kid: undefined },
  ]
  for (const other of headers) {
    const claimed = new SignJWT(claims()).setProtectedHeader({ ...header(), ...other } as { alg: string })
    await refused(await claimed.sign(privateKey))
  }
})

test('a token with any part changed is refused', async () => {
  const [head = '', body = '', signature = ''] = parts()
  await refused([head, part({ ...claims(), sub: 'usr_other' }), signature].join('.'))
  await refused([head, body, signature.slice(0, -4)].join('.'))
  await refused([head, body].join('.'))
  await refused('ey.ey.ey')
})

test('a login token is no access token, an access token is no login token, a refresh token is neither', async () => {
  const loginToken = await logins.beginLogin()
  await refused(loginToken)
  await refused(session.refresh_token)
  const { email, password } = person
  for (const login_token of [session.access_token, session.refresh_token]) {
    assertError(await logins.post(paths.password, { email, password, login_token }), 400, 'INVALID_LOGIN_TOKEN')
  }
  assertError(await logins.refresh(session.access_token), 401, 'UNAUTHORIZED')
})

test('FORBIDDEN: a person may do what the role allows, and platform staff may do nothing for a merchant', async () => {
  const call = async (role: 'viewer' | 'developer' | 'reviewer', method: string, path: string, body?: unknown) => {
    const { access_token } = await logins.logIn(await logins.addPerson({ role, accountId: accountOf(role) }))
    return stack.merchant.call(method, path, body, { ...fromAnywhere(), ...bearer(access_token) })
  }
  const accountOf = (role: string) => (role === 'reviewer' ? null : stack.organizationId)
  const sale = { amount: '25.00', currency: 'USD', description: 'A sale', success_url: 'https://example.com/' }
  assert.equal((await call('developer', 'POST', '/v1/checkout-sessions', sale)).status, 201)
  assert.equal((await call('viewer', 'GET', '/v1/checkout-sessions')).status, 200)
  assertError(await call('viewer', 'POST', '/v1/checkout-sessions', sale), 403, 'FORBIDDEN')
  assertError(await call('reviewer', 'GET', '/v1/checkout-sessions'), 403, 'FORBIDDEN')
})

test('a person sees sandbox data until payments are enabled, and live data afterwards', async () => {
  const accountId = await api.addAccount()
  const key = await api.addKey({ accountId })
  await key.merchant.createCheckout()
  const { access_token } = await logins.logIn(await logins.addPerson({ accountId }))
  const count = async () => {
    const headers = { ...fromAnywhere(), ...bearer(access_token) }
    const { body } = await stack.merchant.call('GET', '/v1/checkout-sessions', undefined, headers)
    return (body as { items?: unknown[] }).items?.length
  }
  assert.equal(await count(), 1)
  await changeAccount(stack, accountId, { paymentsEnabled: true })
  await sleep(600) // as long as a process caches a person
  assert.equal(await count(), 0)
})

test('a person may make 100 calls a minute', async () => {
  now = (Math.floor(now / minute) + 1) * minute
  const { access_token } = await logins.logIn(await logins.addPerson())
  const replies = await Promise.all(Array.from({ length: 105 }, () => logins.read(access_token)))
  assert.equal(replies.filter(({ status }) => status === 200).length, 100)
})

test('after 30 days a new key signs in every process, and the old one still verifies its tokens', async () => {
  const subject = { userId: person.id, sessionId: String(claims()['sid']) }
  const { database, encrypter } = stack.services
  const processes = Array.from({ length: 6 }, () => createAccessTokens(database, encrypter))
  const kids = async () => {
    const tokens = await Promise.all(processes.map((process) => process.sign(subject, now)))
    return new Set(tokens.map((token) => read(token.split('.')[0])['kid']))
  }
  const earlier = await kids()
  assert.deepEqual([...earlier], [header()['kid']])
  now += 30 * day - 20 * minute
  const old = await processes[0]?.sign(subject, now)
  now += 20 * minute
  const next = await kids()
  assert.equal(next.size, 1)
  assert.notDeepEqual(next, earlier)
  const fresh = createAccessTokens(database, encrypter)
  assert.equal((await fresh.keySet(now)).keys.length, 2)
  assert.ok(old)
  assert.ok(await fresh.verify(old, now - 6 * minute))
  assert.equal(await fresh.verify(old, now), null)
  assert.equal((await fresh.keySet(now + 2 * 60 * minute)).keys.length, 1)
})
