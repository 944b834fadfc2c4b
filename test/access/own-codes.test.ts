import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { assertError } from '../support/api.ts'
import { paths, totpAt } from '../support/login.ts'
import { backup, change, createOwnLogins, own, statuses } from '../support/own-login.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// A person makes new backup codes, has codes mailed, and moves their authenticator app to another phone.
const second = 1_000
const minute = 60 * second

const time = { now: Date.now() }
const stack = await useStack({ workers: false, clock: { now: () => time.now } })
await useApi(stack) // believes the addresses that calls say they come from
const { logins, post, logIn, signedIn, factorOf, codeOf, mailsTo, isStored } = createOwnLogins(stack, time)
// Each test starts early in a new minute, so that it begins and ends in the same window of the rate limits.
beforeEach(() => {
  time.now = (Math.floor(time.now / minute) + 2) * minute + 10 * second
})

test('new backup codes are shown once, and the earlier ones stop working', async () => {
  const { person, access } = await signedIn()
  const reply = await post(own.backupCodes, access, { password: person.password, code: codeOf(person) })
  assert.equal(reply.status, 201, reply.text)
  assert.equal(reply.headers.get('cache-control'), 'no-store')
  const codes = reply.body['backup_codes'] as unknown as string[]
  assert.equal(new Set(codes).size, 8)
  for (const code of codes) assert.equal(await isStored(code), false)
  assert.deepEqual(await factorOf(access), { method: 'totp', backup_codes_left: 8, pending_until: null })
  const old = await logins.challenge(person)
  for (const code of person.backupCodes) assertError(await logins.sendCode(old, code, 'backup'), 401, 'INVALID_CODE')
  for (const code of codes.slice(0, 2))
    assert.equal((await logins.sendCode(await logins.challenge(person), code, 'backup')).status, 200)
  assert.equal((await factorOf(access))['backup_codes_left'], 6)
  assert.deepEqual(await mailsTo(person), ['New backup codes'])
  const [mail] = await logins.mailsTo(person.email)
  for (const code of codes) assert.ok(!mail?.text.includes(code))
  assert.ok((await logins.audited(person.id)).includes('login.backup_codes_made'))
})

test('backup codes that are made twice at once are those of one answer, and no code makes others', async () => {
  const { person, access } = await signedIn()
  const codes = [codeOf(person), totpAt(person.totpSecret, time.now + 30 * second)]
  const replies = await Promise.all(
    [...codes, ...codes].map((code) => post(own.backupCodes, access, { password: person.password, code })),
  )
  const made = replies.filter(({ status }) => status === 201)
  assert.ok(made.length === 1 || made.length === 2, String(made.length))
  assert.equal((await factorOf(access))['backup_codes_left'], 8)
  const known = new Map(made.map(({ body }) => [body, body['backup_codes'] as unknown as string[]]))
  let works = 0
  for (const [first = ''] of known.values()) {
    const { status } = await logins.sendCode(await logins.challenge(person), first, 'backup')
    if (status === 200) works += 1
  }
  assert.equal(works, 1)
  const typed = { password: person.password, ...backup(person.backupCodes[0]) }
  assertError(await post(own.backupCodes, access, typed), 401, 'INVALID_CODE')
})

test('a new authenticator app: until its first code the earlier one works, from then on only the new one', async () => {
  const { person, access } = await signedIn()
  const begun = await post(own.authenticator, access, { password: person.password, code: codeOf(person) })
  assert.equal(begun.status, 201, begun.text)
  assert.equal(begun.headers.get('cache-control'), 'no-store')
  const { secret = '', otpauth_uri: uri = '', expires_at: until_ } = begun.body as Record<string, string>
  assert.equal(Date.parse(until_ ?? ''), time.now + 10 * minute)
  assert.equal(new URL(uri).searchParams.get('secret'), secret)
  assert.ok(decodeURIComponent(uri).includes(person.email))
  assert.equal(await isStored(secret), false)
  assert.equal((await factorOf(access))['pending_until'], until_)
  time.now += 30 * second
  assertError(await logins.sendCode(await logins.challenge(person), totpAt(secret, time.now)), 401, 'INVALID_CODE')
  const kept = await logIn(person)
  time.now += 30 * second
  const code = totpAt(secret, time.now)
  const confirmed = await Promise.all([1, 2, 3].map(() => post(own.confirm, access, { code })))
  assert.deepEqual(statuses(confirmed), [200, 404, 404])
  const done = confirmed.find(({ status }) => status === 200)
  assert.deepEqual(done?.body, { status: 'replaced', method: 'totp' })
  const challenge = await logins.challenge(person)
  for (const refused of [code, codeOf(person)])
    assertError(await logins.sendCode(challenge, refused), 401, 'INVALID_CODE')
  time.now += 30 * second
  await logIn(person, { secret })
  assert.equal((await logins.read(kept.access_token)).status, 200, 'the sessions go on')
  assert.deepEqual(await mailsTo(person), ['Your authenticator app was replaced'])
  const [mail] = await logins.mailsTo(person.email)
  assert.ok(!mail?.text.includes(secret))
  const audited = await logins.audited(person.id)
  for (const action of ['login.authenticator_begun', 'login.authenticator_replaced'])
    assert.equal(audited.filter((each) => each === action).length, 1, action)
  assertError(await post(own.confirm, access, { code: totpAt(secret, time.now) }), 404, 'NOT_FOUND')
})

test('NOT_FOUND: a new authenticator waits 10 minutes, in the session that began it; the newest counts', async () => {
  const { person, access: early, refresh } = await signedIn()
  let access = early
  const { access_token: other } = await logIn(person)
  time.now += minute
  const begin = async (index: number) => {
    const reply = await post(own.authenticator, access, {
      password: person.password,
      ...backup(person.backupCodes[index]),
    })
    return String(reply.body['secret'])
  }
  const confirm = (secret: string, by = access) => post(own.confirm, by, { code: totpAt(secret, time.now) })
  assertError(await confirm(person.totpSecret), 404, 'NOT_FOUND')
  const [first, second_] = [await begin(0), await begin(1)]
  assertError(await confirm(first), 401, 'INVALID_CODE')
  assertError(await confirm(second_, other), 404, 'NOT_FOUND')
  assert.equal((await factorOf(other))['pending_until'], null)
  time.now += 10 * minute
  assert.equal((await factorOf(access))['pending_until'], null)
  assertError(await confirm(second_), 404, 'NOT_FOUND')
  const third = await begin(2)
  time.now += 10 * minute - 1
  access = String((await logins.refresh(refresh)).body['access_token']) // the same session
  assert.equal((await confirm(third)).status, 200)
})

test('five wrong codes end a new authenticator, also in parallel, and then the right one is refused', async () => {
  const { person, access } = await signedIn()
  const begun = await post(own.authenticator, access, { password: person.password, code: codeOf(person) })
  const code = totpAt(String(begun.body['secret']), time.now)
  const wrong = code === '000000' ? '111111' : '000000'
  const replies = await Promise.all(Array.from({ length: 9 }, () => post(own.confirm, access, { code: wrong })))
  assert.deepEqual(statuses(replies), [...Array(5).fill(401), ...Array(4).fill(404)])
  assertError(await post(own.confirm, access, { code }), 404, 'NOT_FOUND')
  time.now += 30 * second
  await logIn(person)
})

test('a new password ends an authenticator that somebody has begun with the old one', async () => {
  const { person, access } = await signedIn()
  const begun = await post(own.authenticator, access, { password: person.password, ...backup(person.backupCodes[0]) })
  assert.equal((await post(own.password, access, change(person, { code: codeOf(person) }))).status, 200)
  const code = totpAt(String(begun.body['secret']), time.now)
  assertError(await post(own.confirm, access, { code }), 404, 'NOT_FOUND')
})

test('who has codes by mail asks for one, which works once and opens no session; it leads to an app', async () => {
  const { person, access } = await signedIn({ method: 'email_otp' })
  const { password } = person
  // Each mail is sent a second later than the last one, so that the newest is known.
  const sent = await post(own.code, access)
  assert.deepEqual(sent.body, { method: 'email_otp', expires_at: new Date(time.now + 10 * minute).toISOString() })
  const code = await logins.codeTo(person.email)
  const [row] = await stack.sql<{ id: string }>(
    'select id from login_challenges where user_id = ? and for_changes and ended_at is null',
    [person.id],
  )
  const opened = { challenge_id: row?.id ?? '' }
  for (const [typed, kind] of [
    [code, 'primary'],
    [person.backupCodes[0] ?? '', 'backup'],
  ] as const)
    assertError(await logins.sendCode(opened, typed, kind), 401, 'INVALID_CODE')
  assertError(await logins.post(paths.resend, opened), 401, 'INVALID_CODE')
  assertError(await post(own.code, access), 429, 'TOO_MANY_REQUESTS')
  const made = await Promise.all([1, 2].map(() => post(own.backupCodes, access, { password, code })))
  assert.deepEqual(statuses(made), [201, 401])
  time.now += second
  const ofLogin = await logins.challenge(person)
  const login = await logins.codeTo(person.email)
  assertError(await post(own.password, access, change(person, { code: login })), 401, 'INVALID_CODE')
  assert.equal((await logins.sendCode(ofLogin, login)).status, 200)
  time.now += second
  const pending = await logins.challenge(person)
  const unused = await logins.codeTo(person.email)
  time.now += second
  await post(own.code, access)
  const begun = await post(own.authenticator, access, { password, code: await logins.codeTo(person.email) })
  const secret = String(begun.body['secret'])
  assert.equal((await factorOf(access))['method'], 'email_otp')
  const inArabicDigits = totpAt(secret, time.now).replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? '')
  assert.equal((await post(own.confirm, access, { code: ` ${inArabicDigits}` })).status, 200)
  assert.equal((await factorOf(access))['method'], 'totp')
  assertError(await logins.sendCode(pending, unused), 401, 'INVALID_CODE')
  time.now += 30 * second
  await logIn(person, { secret })
  assertError(await post(own.code, access), 409, 'CONFLICT')
})

test('CONFLICT: no code is mailed to who has an app; a mailed one works 10 minutes, five are the most', async () => {
  const { access: withApp } = await signedIn()
  assertError(await post(own.code, withApp), 409, 'CONFLICT')
  const { person, access } = await signedIn({ method: 'email_otp' })
  const sent = await Promise.all([1, 2, 3].map(() => post(own.code, access)))
  assert.deepEqual(statuses(sent), [200, 429, 429])
  for (let count = 2; count <= 5; count++) {
    time.now += 30 * second
    assert.equal((await post(own.code, access)).status, 200)
  }
  time.now += 30 * second
  assertError(await post(own.code, access), 429, 'TOO_MANY_REQUESTS')
  const last = await logins.codeTo(person.email)
  time.now += 8 * minute
  assertError(await post(own.password, access, change(person, { code: last })), 401, 'INVALID_CODE')
  await post(own.code, access)
  const fresh = { code: await logins.codeTo(person.email) }
  assert.equal((await post(own.password, access, change(person, fresh))).status, 200)
})
