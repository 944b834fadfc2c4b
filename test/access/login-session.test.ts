import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { createLogins, paths, type Session, totpAt } from '../support/login.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const second = 1_000
const day = 24 * 3_600 * second

let now = Date.now()
const stack = await useStack({ workers: false, clock: { now: () => now } })
await useApi(stack)
const logins = createLogins(stack)
beforeEach(() => {
  now += 60 * second
})

const refreshed = async (refreshToken: string): Promise<Session> => {
  const reply = await logins.refresh(refreshToken)
  assert.equal(reply.status, 200, reply.text)
  assert.deepEqual(Object.keys(reply.body).toSorted(), ['access_token', 'refresh_token'])
  return reply.body as unknown as Session
}
const isRefused = (access: string) =>
  until(async () => (await logins.read(access)).status === 401, 'the access token is refused', { withinMs: 1_000 })

test('a refresh token works for 30 days, and so does the next one that it is exchanged for', async () => {
  const session = await logins.logIn(await logins.addPerson())
  now += 30 * day - 1
  const next = await refreshed(session.refresh_token)
  assert.equal((await logins.read(next.access_token)).status, 200)
  now += 30 * day
  assertError(await logins.refresh(next.refresh_token), 401, 'UNAUTHORIZED')
})

test('UNAUTHORIZED: a second use of a refresh token ends its family of tokens, and no other', async () => {
  const person = await logins.addPerson()
  const stolen = await logins.logIn(person)
  now += 60 * second
  const other = await logins.logIn(person)
  const next = await refreshed(stolen.refresh_token)
  assertError(await logins.refresh(stolen.refresh_token), 401, 'UNAUTHORIZED')
  assertError(await logins.refresh(next.refresh_token), 401, 'UNAUTHORIZED')
  await isRefused(next.access_token)
  await refreshed(other.refresh_token)
  assert.ok((await logins.audited(person.id)).includes('login.refresh_reused'))
})

test('of two uses of a refresh token at once one succeeds, and its family of tokens ends all the same', async () => {
  for (let round = 0; round < 5; round++) {
    const { refresh_token } = await logins.logIn(await logins.addPerson())
    const replies = await Promise.all([logins.refresh(refresh_token), logins.refresh(refresh_token)])
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 401])
    const won = replies.find(({ status }) => status === 200)
    assertError(await logins.refresh(String(won?.body['refresh_token'])), 401, 'UNAUTHORIZED')
  }
})

test('a refresh token that was never issued is refused', async () => {
  assertError(await logins.refresh('rt_made_up'), 401, 'UNAUTHORIZED')
})

test('logging out of one device ends its tokens at once, and leaves the others', async () => {
  const person = await logins.addPerson()
  const one = await logins.logIn(person)
  now += 60 * second
  const other = await logins.logIn(person)
  const reply = await logins.logOut(one.access_token, { refresh_token: one.refresh_token })
  assert.equal(reply.status, 200, reply.text)
  assert.deepEqual(Object.keys(reply.body).toSorted(), ['message', 'success'])
  assert.equal(reply.body['success'], true)
  assertError(await logins.refresh(one.refresh_token), 401, 'UNAUTHORIZED')
  await isRefused(one.access_token)
  assert.equal((await logins.read(other.access_token)).status, 200)
  await refreshed(other.refresh_token)
  assert.equal((await logins.audited(person.id)).at(-1), 'login.logged_out')
})

test('logging out of all devices ends every session of the person, and of no other person', async () => {
  const [person, bystander] = [await logins.addPerson(), await logins.addPerson()]
  const left = await logins.logIn(bystander)
  const one = await logins.logIn(person)
  now += 60 * second
  const other = await logins.logIn(person)
  assert.equal((await logins.logOut(one.access_token, { logout_all_devices: true })).status, 200)
  assertError(await logins.refresh(one.refresh_token), 401, 'UNAUTHORIZED')
  assertError(await logins.refresh(other.refresh_token), 401, 'UNAUTHORIZED')
  await isRefused(other.access_token)
  await refreshed(left.refresh_token)
})

test('UNAUTHORIZED: logging out with an invalid refresh token, or another person’s, ends nothing', async () => {
  const [one, other] = [await logins.logIn(await logins.addPerson()), await logins.logIn(await logins.addPerson())]
  const texts = new Set<string>()
  for (const refresh_token of [other.refresh_token, 'rt_made_up', 'x', one.access_token]) {
    const reply = await logins.logOut(one.access_token, { refresh_token })
    assertError(reply, 401, 'UNAUTHORIZED')
    texts.add(reply.text)
    assert.equal(reply.headers.get('www-authenticate'), 'Bearer realm="steadypay"') // the access token is a good one
  }
  assert.equal(texts.size, 1, 'another person’s token is answered like an invalid one')
  await refreshed(other.refresh_token)
  assert.equal((await logins.read(one.access_token)).status, 200)
  await refreshed(one.refresh_token)
})

test('logging out a device twice, or with a token that was exchanged, is not an error', async () => {
  const person = await logins.addPerson()
  const here = await logins.logIn(person)
  now += 60 * second
  const there = await logins.logIn(person)
  const next = await refreshed(there.refresh_token)
  const { refresh_token } = there
  for (let times = 0; times < 2; times++) {
    assert.equal((await logins.logOut(here.access_token, { refresh_token })).status, 200)
    await isRefused(next.access_token)
  }
  assert.equal((await logins.logOut(here.access_token, { refresh_token: 'x', logout_all_devices: true })).status, 200)
  await isRefused(here.access_token)
})

test('logging out needs an access token, and the refresh token unless all devices are meant', async () => {
  const { access_token } = await logins.logIn(await logins.addPerson())
  const missing = { refresh_token: 'value_error.missing' }
  assertFieldErrors(await logins.logOut(access_token, {}), missing)
  assertFieldErrors(await logins.logOut(access_token, { logout_all_devices: false }), missing)
  assertFieldErrors(await logins.logOut(access_token, { logout_all_devices: 'yes', refresh_token: 7 }), {
    logout_all_devices: 'value_error.type',
    refresh_token: 'value_error.type',
  })
  assertError(await logins.logOut(stack.merchant.apiKey, { logout_all_devices: true }), 401, 'UNAUTHORIZED')
  assertError(await logins.post(paths.logout, { logout_all_devices: true }), 401, 'UNAUTHORIZED')
})

test('a dump of every table holds no password, code, token or secret', async () => {
  const [person, mailed] = [await logins.addPerson(), await logins.addPerson({ method: 'email_otp' })]
  const login_token = await logins.beginLogin()
  const session = await logins.logIn(person)
  const next = await refreshed(session.refresh_token)
  const challenge = await logins.challenge(mailed)
  const code = await logins.codeTo(mailed.email)
  await logins.sendPassword({ ...person, password: 'a-marked-wrong-password' })
  const signingKeys = await stack.sql<{ encrypted: string }>('select sealed_private_jwk as encrypted from signing_keys')
  const privateKeys = signingKeys.map(({ encrypted }) =>
    String(JSON.parse(stack.services.encrypter.decrypt(encrypted)).d),
  )
  assert.ok(privateKeys.every((key) => key.length === 43))
  const dump = await dumpAll()
  const secrets = [
    login_token,
    session.access_token,
    session.refresh_token,
    next.access_token,
    next.refresh_token,
    person.password,
    mailed.password,
    'a-marked-wrong-password',
    person.totpSecret,
    ...person.backupCodes,
    ...person.backupCodes.map((each) => each.replace('-', '')),
    ...privateKeys,
    session.refresh_token.slice(3),
  ]
  for (const secret of secrets) assert.ok(!dump.includes(secret), 'a secret is in the dump')
  const codes = [code, totpAt(person.totpSecret, now)]
  // Six digits may be the microseconds of one of many moments.
  const timeless = dump.replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\.\d+/g, 'a moment')
  for (const each of codes) assert.doesNotMatch(timeless, new RegExp(`(?<![0-9a-zA-Z])${each}(?![0-9a-zA-Z])`))
  assert.equal((await logins.sendCode(challenge, code)).status, 200, 'the code was the right one')
})

async function dumpAll(): Promise<string> {
  const tables = await stack.sql<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  const rows = []
  for (const { name } of tables) {
    rows.push(...(await stack.sql<{ row: string }>(`select row_to_json(t)::text as row from "${name}" t`)))
  }
  assert.ok(tables.length > 20 && rows.length > 50)
  return rows.map(({ row }) => row).join('\n')
}
