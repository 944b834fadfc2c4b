import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { passwords } from '../../db/access/password.ts'
import { roles } from '../../domain/access/role.ts'
import { assertError, assertFieldErrors, bearer, fromAnywhere } from '../support/api.ts'
import { type Person, totpAt } from '../support/login.ts'
import type { Reply } from '../support/merchant.ts'
import { backup, change, createOwnLogins, nextPassword, own, statuses } from '../support/own-login.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// A person changes their own password, and proves both factors for it.
const second = 1_000
const minute = 60 * second

const time = { now: Date.now() }
const stack = await useStack({ workers: false, clock: { now: () => time.now } })
const api = await useApi(stack)
let hashChecks = 0
const counted: typeof passwords.verify = (hash, password) => {
  hashChecks += 1
  return passwords.verify(hash, password)
}
Object.assign(stack.services, { passwords: { ...passwords, verify: counted } })
const { logins, post, logIn, signedIn, factorOf, codeOf, isRefused, mailsTo, isStored } = createOwnLogins(stack, time)
// Each test starts early in a new minute, so that it begins and ends in the same window of the rate limits.
beforeEach(() => {
  time.now = (Math.floor(time.now / minute) + 2) * minute + 10 * second
  hashChecks = 0
})

test('a new password: the old one is refused, every other device is signed out, the owner gets a mail', async () => {
  const { person, access, refresh } = await signedIn()
  const other = await logIn(person)
  const challenge = await logins.challenge(person)
  time.now += 30 * second
  const reply = await post(own.password, access, change(person, { code: codeOf(person) }))
  assert.equal(reply.status, 200, reply.text)
  assert.deepEqual(reply.body, { status: 'changed' })
  assert.equal(reply.headers.get('cache-control'), 'no-store')
  await isRefused(other.access_token)
  assert.equal((await logins.refresh(other.refresh_token)).status, 401)
  assert.equal((await logins.read(access)).status, 200)
  assert.equal((await logins.refresh(refresh)).status, 200)
  const late = await logins.sendCode(challenge, person.backupCodes[0] ?? '', 'backup')
  assertError(late, 401, 'INVALID_CODE') // the login was begun with the old password
  assertError(await logins.sendPassword(person), 401, 'INVALID_CREDENTIALS')
  time.now += 30 * second
  await logIn(person, { password: nextPassword })
  assert.deepEqual(await mailsTo(person), ['Your password was changed'])
  const [mail] = await logins.mailsTo(person.email)
  for (const secret of [nextPassword, person.password, person.totpSecret]) assert.ok(!mail?.text.includes(secret))
  const audited = (await logins.audited(person.id)).filter((action) => action !== 'login.succeeded')
  assert.deepEqual(audited, ['login.password_changed', 'login.failed'])
  assert.equal(await isStored(nextPassword), false)
})

test('a backup code stands in for a lost phone, once', async () => {
  const { person, access } = await signedIn()
  const code = backup(person.backupCodes[0])
  assert.equal((await post(own.password, access, change(person, code))).status, 200)
  const again = change(person, code, { current_password: nextPassword, new_password: 'yet another one' })
  assertError(await post(own.password, access, again), 401, 'INVALID_CODE')
})

test('INVALID_CREDENTIALS: five guesses of whoever has a session alone end it, and lock nothing', async () => {
  const { person, access, refresh } = await signedIn()
  const { access_token: own_ } = await logIn(person)
  time.now += 30 * second
  hashChecks = 0
  const guess = (index: number) =>
    post(own.password, access, change(person, { code: '123456' }, { current_password: `a-guess-${index}` }))
  const replies = await Promise.all(Array.from({ length: 30 }, (_, index) => guess(index)))
  assert.deepEqual(statuses(replies), Array(30).fill(401))
  const countOf = (code: string) => replies.filter(({ text }) => text.includes(`"${code}"`)).length
  assert.deepEqual([countOf('INVALID_CREDENTIALS'), countOf('UNAUTHORIZED')], [5, 25])
  assert.equal(hashChecks, 5)
  assertError(await post(own.password, access, change(person, { code: codeOf(person) })), 401, 'UNAUTHORIZED')
  assert.equal(hashChecks, 5, 'the right password is no longer checked either')
  await isRefused(access)
  assertError(await logins.refresh(refresh), 401, 'UNAUTHORIZED')
  assert.deepEqual(await mailsTo(person), ['A device was signed out'])
  const [row] = await stack.sql<{ count: number; ended: number }>(
    `select count(*) filter (where action = 'login.failed')::int as count,
       count(*) filter (where action = 'login.session_ended')::int as ended
     from audit_entries a join login_sessions s on s.id = a.target where a.user_id = ?`,
    [person.id],
  )
  assert.deepEqual(row, { count: 5, ended: 1 }, 'the log says on which session')
  // Its owner is signed in elsewhere, and signs in anew.
  assert.equal((await logins.read(own_)).status, 200)
  assert.equal((await post(own.password, own_, change(person, { code: codeOf(person) }))).status, 200)
  time.now += 30 * second
  await logIn(person, { password: nextPassword })
})

test('ACCOUNT_LOCKED: nothing of one’s login is changed while it is locked, also not with both factors', async () => {
  const { person, access } = await signedIn()
  const { password } = person
  const { body: begun } = await post(own.authenticator, access, { password, ...backup(person.backupCodes[1]) })
  for (let count = 0; count < 5; count++) await logins.sendPassword({ ...person, password: 'a-wrong-one' })
  const both = { password, ...backup(person.backupCodes[0]) }
  assertError(await post(own.password, access, change(person, backup(person.backupCodes[0]))), 403, 'ACCOUNT_LOCKED')
  assertError(await post(own.backupCodes, access, { password, code: codeOf(person) }), 403, 'ACCOUNT_LOCKED')
  assertError(await post(own.authenticator, access, both), 403, 'ACCOUNT_LOCKED')
  const code = totpAt(String(begun['secret']), time.now)
  assertError(await post(own.confirm, access, { code }), 403, 'ACCOUNT_LOCKED')
  time.now += 6 * 60 * minute
  const { access_token: fresh } = await logIn(person)
  assert.equal((await post(own.authenticator, fresh, both)).status, 201)
})

test('INVALID_CODE: the password alone is not enough, a used code is none, wrong ones end the session', async () => {
  const { person, access } = await signedIn()
  const stranger = await logins.addPerson()
  const used = totpAt(person.totpSecret, time.now - 30 * second)
  const { password } = person
  const calls: [string, object][] = [
    [own.password, change(person, { code: used })],
    [own.backupCodes, { password, code: person.backupCodes[0] ?? '' }],
    [own.authenticator, { password, ...backup(stranger.backupCodes[0]) }],
    [own.password, change(person, { code: totpAt(stranger.totpSecret, time.now) })],
    [own.authenticator, { password, code: totpAt(person.totpSecret, time.now + minute) }],
  ]
  for (const [path, body] of calls) assertError(await post(path, access, body), 401, 'INVALID_CODE')
  assertError(await post(own.password, access, change(person, { code: codeOf(person) })), 401, 'UNAUTHORIZED')
  assert.deepEqual(await mailsTo(person), ['A device was signed out'])
  const { access_token: fresh } = await logIn(person)
  assert.equal((await factorOf(fresh))['backup_codes_left'], 3)
})

test('of 20 wrong codes at once at most 5 are checked', async () => {
  const { person, access } = await signedIn()
  const send = () => post(own.authenticator, access, { password: person.password, ...backup('wrong-codes') })
  const replies = await Promise.all(Array.from({ length: 20 }, send))
  assert.deepEqual(statuses(replies), Array(20).fill(401))
  const checked = replies.filter(({ text }) => text.includes('"INVALID_CODE"')).length
  assert.ok(checked >= 1 && checked <= 5, `${checked}`)
  for (let count = checked; count < 20; count++) await send()
  assert.deepEqual(await mailsTo(person), ['A device was signed out'])
  await isRefused(access)
  assert.equal((await factorOf((await logIn(person)).access_token))['backup_codes_left'], 3)
})

test('proving both factors sets the count of failures back, as a login does', async () => {
  const { person, access } = await signedIn()
  for (let count = 0; count < 4; count++) await logins.sendPassword({ ...person, password: 'a-wrong-one' })
  assert.equal((await post(own.password, access, change(person, { code: codeOf(person) }))).status, 200)
  for (let count = 0; count < 4; count++) await logins.sendPassword({ ...person, password: 'a-wrong-one' })
  assert.equal((await logins.sendPassword({ ...person, password: nextPassword })).status, 200)
})

test('TOO_MANY_REQUESTS: three changes a minute from one address by one person', async () => {
  const { person, access } = await signedIn()
  const from = fromAnywhere()
  const begin = (index: number) =>
    post(own.authenticator, access, { password: person.password, ...backup(codes[index]) }, from)
  const codes = [...person.backupCodes, 'another-one']
  for (const index of [0, 1, 2]) assert.equal((await begin(index)).status, 201)
  assertError(await begin(3), 429, 'TOO_MANY_REQUESTS')
  const confirmed: Reply[] = []
  for (const code of ['000000', '111111', '222222', '333333'])
    confirmed.push(await post(own.confirm, access, { code }, from))
  assert.deepEqual(
    confirmed.map(({ status }) => status),
    [401, 401, 401, 429],
  )
})

test('all errors of a change are answered at once; a new password is another one of 8 to 1024 characters', async () => {
  const { person, access } = await signedIn()
  const missing = 'value_error.missing'
  const none = { current_password: missing, new_password: missing, code: missing }
  assertFieldErrors(await post(own.password, access, {}), none)
  const factors = { password: missing, code: missing }
  for (const path of [own.backupCodes, own.authenticator]) assertFieldErrors(await post(path, access, {}), factors)
  assertFieldErrors(await post(own.confirm, access, {}), { code: missing })
  const code = { code: codeOf(person) }
  for (const new_password of ['1234567', 'x'.repeat(1025)])
    assertFieldErrors(await post(own.password, access, change(person, code, { new_password })), {
      new_password: 'value_error.range',
    })
  const same = change(person, code, { new_password: person.password })
  assertFieldErrors(await post(own.password, access, same), { new_password: 'value_error' })
  const odd = ` ${'ö 🔑 <b>"'.repeat(9)} `
  assert.equal((await post(own.password, access, change(person, code, { new_password: odd }))).status, 200)
  time.now += 30 * second
  await logIn(person, { password: odd })
})

test('a password of 8 and one of 1024 characters are taken, by the change and by the login', async () => {
  for (const password of ['xuf7-q2k', 'xuf7-q2k'.repeat(128)]) {
    const { person, access } = await signedIn()
    const body = change(person, { code: codeOf(person) }, { new_password: password })
    assert.equal((await post(own.password, access, body)).status, 200)
    time.now += 30 * second
    await logIn(person, { password })
  }
})

test('a change that comes twice is made once, also at the same moment', async () => {
  const { person, access } = await signedIn()
  const body = change(person, { code: codeOf(person) })
  const replies = await Promise.all([1, 2, 3].map(() => post(own.password, access, body)))
  assert.deepEqual(statuses(replies), [200, 401, 401])
  assert.deepEqual(await mailsTo(person), ['Your password was changed'])
  assert.equal((await logins.read(access)).status, 200)
})

test('of two changes at once on two devices one is made, and the other device is signed out', async () => {
  const { person, access } = await signedIn()
  const { access_token: other } = await logIn(person)
  const words = ['the first password', 'the other password']
  const replies = await Promise.all(
    [access, other].map((token, index) =>
      post(
        own.password,
        token,
        change(person, backup(person.backupCodes[index]), { new_password: words[index] ?? '' }),
      ),
    ),
  )
  assert.deepEqual(statuses(replies), [200, 401])
  const won = replies.findIndex(({ status }) => status === 200)
  await isRefused([access, other][1 - won] ?? '')
  assert.equal((await logins.read([access, other][won] ?? '')).status, 200)
  time.now += 30 * second
  await logIn(person, { password: words[won] ?? '' })
})

test('a login that is under way with the old password does not outlive it, whichever comes first', async () => {
  for (let round = 0; round < 5; round++) {
    time.now += 2 * minute
    const { person, access } = await signedIn()
    const challenge = await logins.challenge(person)
    const [changed, verified, begun] = await Promise.all([
      post(own.password, access, change(person, backup(person.backupCodes[0]))),
      logins.sendCode(challenge, person.backupCodes[1] ?? '', 'backup'),
      logins.sendPassword(person),
    ])
    assert.equal(changed.status, 200, changed.text)
    if (verified.status === 200) await isRefused(String(verified.body['access_token']))
    if (begun.status !== 200) continue
    const opened = { challenge_id: String(begun.body['challenge_id']) }
    const late = await logins.sendCode(opened, person.backupCodes[2] ?? '', 'backup')
    assertError(late, 401, 'INVALID_CODE')
  }
})

test('UNAUTHORIZED: a session that has ended changes nothing, also in the moment before it is refused', async () => {
  const { person, access } = await signedIn()
  assert.equal((await logins.read(access)).status, 200) // the session is known for half a second from here on
  await stack.sql('update login_sessions set ended_at = now() where user_id = ?', [person.id])
  const both = { password: person.password, ...backup(person.backupCodes[0]) }
  for (const [path, body] of [
    [own.password, change(person, backup(person.backupCodes[0]))],
    [own.authenticator, both],
    [own.confirm, { code: '123456' }],
    [own.code, undefined],
  ] as const)
    assertError(await post(path, access, body), 401, 'UNAUTHORIZED')
  assert.deepEqual(await mailsTo(person), [])
})

test('UNAUTHORIZED: a removed person is signed out, also in the moment before their session is refused', async () => {
  for (const [path, body] of [
    [own.password, (person: Person) => change(person, backup(person.backupCodes[0]))],
    [own.confirm, () => ({ code: '123456' })],
    [own.code, () => undefined],
    [own.factor, null],
  ] as const) {
    const { person, access } = await signedIn()
    assert.equal((await logins.read(access)).status, 200)
    await stack.sql('delete from users where id = ?', [person.id])
    const reply = body
      ? await post(path, access, body(person))
      : await stack.merchant.call('GET', path, undefined, bearer(access))
    assertError(reply, 401, 'UNAUTHORIZED')
  }
})

test('every role may, staff too, and the log names their organization', async () => {
  const accountId = await api.addAccount()
  for (const role of roles) {
    time.now += 2 * minute
    const { person, access } = await signedIn({ role, accountId: role === 'reviewer' ? null : accountId })
    const reply = await post(own.password, access, change(person, backup(person.backupCodes[0])))
    assert.equal(reply.status, 200, `${role}: ${reply.text}`)
    const [row] = await stack.sql(
      `select account_id from audit_entries where user_id = ? and action = 'login.password_changed'`,
      [person.id],
    )
    assert.deepEqual(row, { account_id: role === 'reviewer' ? null : accountId })
  }
})
