import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { passwords } from '../../db/access/password.ts'
import { assertError, assertFieldErrors, bearer, fromAnywhere, pageOf } from '../support/api.ts'
import { createLogins, paths, totpAt } from '../support/login.ts'
import type { Reply } from '../support/merchant.ts'
import { useApi, useStack } from '../support/use-stack.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const wrong = 'a-wrong-password'

let now = Date.now()
const stack = await useStack({ workers: false, clock: { now: () => now } })
const api = await useApi(stack)
let hashChecks = 0
/** What happens while a password is checked. */
let meanwhile = async (): Promise<void> => {}
const counted: typeof passwords.verify = async (hash, password) => {
  hashChecks += 1
  await meanwhile()
  return passwords.verify(hash, password)
}
Object.assign(stack.services, { passwords: { ...passwords, verify: counted } })
const logins = createLogins(stack)
// Each test starts early in a new minute, so that it begins and ends in the same window of the rate limits.
beforeEach(() => {
  now = (Math.floor(now / minute) + 2) * minute + 10 * second
  hashChecks = 0
})

test('a person logs in with a password and an app code, and gets their name and email', async () => {
  const person = await logins.addPerson()
  const { token, expires_at } = (await logins.post(paths.begin)).body as Record<string, unknown>
  assert.equal(typeof token, 'string')
  assert.equal(Date.parse(String(expires_at)), now + 3 * minute)
  const challenge = await logins.sendPassword({ ...person, email: person.email.toUpperCase() })
  const { challenge_id, ...details } = challenge.body as Record<string, unknown>
  const user = { id: person.id, email: person.email, full_name: 'A Person', hasOnboarded: true }
  const expires = new Date(now + 10 * minute).toISOString()
  assert.deepEqual(details, { method: 'totp', expires_at: expires, backup_code_allowed: true, user })
  const verified = await logins.sendCode({ challenge_id: String(challenge_id) }, totpAt(person.totpSecret, now))
  const { access_token, refresh_token, ...rest } = verified.body as Record<string, unknown>
  assert.deepEqual(rest, { user })
  assert.equal(typeof refresh_token, 'string')
  assert.equal((await logins.read(String(access_token))).status, 200)
  assert.deepEqual(await logins.audited(person.id), ['login.succeeded'])
})

test('a person logs in whose email an earlier release took with a mark that is refused now', async () => {
  const person = await logins.addPerson()
  const email = `mailto:${person.email};`
  await stack.database.orm.em.fork().execute('update users set email = ? where id = ?', [email, person.id])
  const { user } = await logins.logIn({ ...person, email })
  assert.equal(user['email'], email)
})

test('the owner and the reviewer of the seed can log in', async () => {
  assert.ok(stack.people)
  for (const person of Object.values(stack.people)) {
    assert.equal(person.backupCodes.length, 8)
    const session = await logins.logIn({ ...person, id: '' })
    assert.equal(session.user['email'], person.email)
  }
})

test('INVALID_LOGIN_TOKEN: a login token works for 3 minutes', async () => {
  const person = await logins.addPerson()
  const login_token = await logins.beginLogin()
  const send = () => logins.post(paths.password, { email: person.email, password: person.password, login_token })
  now += 3 * minute - second
  assert.equal((await send()).status, 200)
  now += second
  assertError(await send(), 400, 'INVALID_LOGIN_TOKEN')
  const made = { email: person.email, password: person.password, login_token: 'made-up' }
  assertError(await logins.post(paths.password, made), 400, 'INVALID_LOGIN_TOKEN')
  assert.equal(hashChecks, 1)
})

test('INVALID_CODE: a challenge works for 10 minutes', async () => {
  const person = await logins.addPerson()
  const [first, other] = [await logins.challenge(person), await logins.challenge(person)]
  now += 10 * minute - 1
  assert.equal((await logins.sendCode(first, totpAt(person.totpSecret, now))).status, 200)
  now += 1
  assertError(await logins.sendCode(other, person.backupCodes[0] ?? '', 'backup'), 401, 'INVALID_CODE')
})

test('five wrong codes end a challenge, and then the right code is refused', async () => {
  const person = await logins.addPerson()
  const challenge = await logins.challenge(person)
  for (let count = 0; count < 5; count++) {
    assertError(await logins.sendCode(challenge, 'wrong-code', 'backup'), 401, 'INVALID_CODE')
  }
  const right = totpAt(person.totpSecret, now)
  assertError(await logins.sendCode(challenge, right), 401, 'INVALID_CODE')
  assert.equal((await logins.sendCode(await logins.challenge(person), right)).status, 200)
})

test('of 20 wrong codes at once at most 5 are checked, and then the right code is refused', async () => {
  const person = await logins.addPerson({ method: 'email_otp' })
  const challenge = await logins.challenge(person)
  const code = await logins.codeTo(person.email)
  const other = code === '000000' ? '111111' : '000000'
  await Promise.all(Array.from({ length: 20 }, () => logins.sendCode(challenge, other)))
  assertError(await logins.sendCode(challenge, code), 401, 'INVALID_CODE')
  const rows = await stack.sql<{ wrong_codes: number }>('select wrong_codes from login_challenges where id = ?', [
    challenge.challenge_id,
  ])
  assert.deepEqual(rows, [{ wrong_codes: 5 }])
})

test('a code is taken in the digits of any script', async () => {
  const person = await logins.addPerson()
  const arabic = totpAt(person.totpSecret, now).replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)] ?? '')
  assert.equal((await logins.sendCode(await logins.challenge(person), arabic)).status, 200)
})

test('a challenge works once', async () => {
  const person = await logins.addPerson({ method: 'email_otp' })
  const challenge = await logins.challenge(person)
  const code = await logins.codeTo(person.email)
  const replies = await Promise.all(Array.from({ length: 8 }, () => logins.sendCode(challenge, code)))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, ...Array.from({ length: 7 }, () => 401)])
})

test('an app code works once, also in parallel calls, and after it no older one works', async () => {
  const person = await logins.addPerson()
  const challenges = [await logins.challenge(person), await logins.challenge(person), await logins.challenge(person)]
  const code = totpAt(person.totpSecret, now)
  const replies = await Promise.all(challenges.map((challenge) => logins.sendCode(challenge, code)))
  assert.equal(replies.filter(({ status }) => status === 200).length, 1)
  const again = await logins.challenge(person)
  assertError(await logins.sendCode(again, code), 401, 'INVALID_CODE')
  assertError(await logins.sendCode(again, totpAt(person.totpSecret, now - 30 * second)), 401, 'INVALID_CODE')
  assert.equal((await logins.sendCode(again, totpAt(person.totpSecret, now + 30 * second))).status, 200)
})

test('an app code that is two steps early or late is refused', async () => {
  const person = await logins.addPerson()
  const challenge = await logins.challenge(person)
  assertError(await logins.sendCode(challenge, totpAt(person.totpSecret, now - minute)), 401, 'INVALID_CODE')
  assertError(await logins.sendCode(challenge, totpAt(person.totpSecret, now + minute)), 401, 'INVALID_CODE')
})

test('a backup code works once, also in parallel and however typed; after the last one none is offered', async () => {
  const person = await logins.addPerson()
  const [first = '', ...rest] = person.backupCodes
  const challenges = [await logins.challenge(person), await logins.challenge(person), await logins.challenge(person)]
  const typed = first.toUpperCase().replace('-', ' ')
  const replies = await Promise.all(challenges.map((challenge) => logins.sendCode(challenge, typed, 'backup')))
  assert.equal(replies.filter(({ status }) => status === 200).length, 1)
  assertError(await logins.sendCode(await logins.challenge(person), first, 'primary'), 401, 'INVALID_CODE')
  for (const code of rest) {
    assert.equal((await logins.sendCode(await logins.challenge(person), code, 'backup')).status, 200)
  }
  assert.equal((await logins.challenge(person)).backup_code_allowed, false)
})

test('another person’s backup code is refused', async () => {
  const [person, other] = [await logins.addPerson(), await logins.addPerson()]
  const challenge = await logins.challenge(person)
  assertError(await logins.sendCode(challenge, other.backupCodes[0] ?? '', 'backup'), 401, 'INVALID_CODE')
})

test('ACCOUNT_LOCKED: five failures lock an account for 6 hours, and its owner gets a mail', async () => {
  const person = await logins.addPerson()
  for (let count = 0; count < 5; count++) {
    const reply = await logins.sendPassword({ ...person, password: wrong })
    assertError(reply, 401, 'INVALID_CREDENTIALS')
  }
  assertError(await logins.sendPassword(person), 403, 'ACCOUNT_LOCKED')
  assert.equal(hashChecks, 5)
  assert.deepEqual(
    (await logins.mailsTo(person.email)).map(({ subject }) => subject),
    ['Your account is locked'],
  )
  const failed = Array.from({ length: 5 }, () => 'login.failed')
  assert.deepEqual(await logins.audited(person.id), [...failed, 'login.locked', 'login.refused'])
  now += 6 * hour - 1
  assertError(await logins.sendPassword(person), 403, 'ACCOUNT_LOCKED')
  now += 1
  assert.equal((await logins.sendPassword(person)).status, 200)
})

test('a login after four failures sets the count of failures back', async () => {
  const person = await logins.addPerson()
  const failTimes = async (times: number) => {
    for (let count = 0; count < times; count++) await logins.sendPassword({ ...person, password: wrong })
  }
  await failTimes(4)
  await logins.logIn(person)
  await failTimes(4)
  assert.equal((await logins.sendPassword(person)).status, 200)
})

test('wrong codes lock the account too, so a person who knows the password cannot try codes without end', async () => {
  const person = await logins.addPerson()
  const challenges = []
  for (let count = 0; count < 8; count++) challenges.push(await logins.challenge(person))
  const replies: Reply[] = []
  for (const challenge of challenges) replies.push(await logins.sendCode(challenge, 'wrong-code', 'backup'))
  assert.deepEqual(
    replies.map(({ status }) => status),
    [401, 401, 401, 401, 401, 403, 403, 403],
  )
  const last = challenges[0] ?? { challenge_id: '' }
  assertError(await logins.sendCode(last, totpAt(person.totpSecret, now)), 403, 'ACCOUNT_LOCKED')
})

test('200 wrong passwords at once from 200 addresses cause at most 5 hash checks', async () => {
  const person = await logins.addPerson()
  const login_token = await logins.beginLogin()
  const guess = (index: number) =>
    logins.post(paths.password, { email: person.email, password: `${wrong}-${index}`, login_token })
  const replies = await Promise.all(Array.from({ length: 200 }, (_, index) => guess(index)))
  assert.equal(hashChecks, 5)
  const statuses = Object.groupBy(replies, ({ status }) => String(status))
  assert.deepEqual([statuses['401']?.length, statuses['403']?.length], [5, 195])
})

test('INVALID_CREDENTIALS: an unknown email is answered, locked and hashed like a known one', async () => {
  const person = await logins.addPerson()
  const seen = async (email: string) => {
    const replies: Reply[] = []
    for (let count = 0; count < 6; count++) replies.push(await logins.sendPassword({ email, password: wrong }))
    return replies.map(({ status, text }) => ({ status, text }))
  }
  const known = await seen(person.email)
  const checks = hashChecks
  assert.deepEqual(await seen('nobody@example.com'), known)
  assert.equal(hashChecks, 2 * checks)
})

test('a password is hashed by argon2id with 19 MiB, two passes and one lane', async () => {
  assert.match(await passwords.hash('a-long-password'), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('an unknown email takes about as long as a known one', async () => {
  const { email } = await logins.addPerson()
  const time = async (address: string) => {
    const body = { email: address, password: wrong, login_token: await logins.beginLogin() }
    const startedAt = performance.now()
    await logins.post(paths.password, body)
    const duration = performance.now() - startedAt
    await stack.sql('delete from login_failures')
    return duration
  }
  const times: { known: number; unknown: number }[] = [] // in turn, because the load of the machine changes
  for (let count = 0; count < 15; count++) {
    times.push({ known: await time(email), unknown: await time('nobody.else@example.com') })
  }
  const least = (which: 'known' | 'unknown') => Math.min(...times.map((each) => each[which]))
  const [known, unknown] = [least('known'), least('unknown')]
  assert.ok(unknown > known / 2 && unknown < known * 2, `${known} ms and ${unknown} ms`)
})

test('EMAIL_NOT_VERIFIED: answered only if the password is right', async () => {
  const person = await logins.addPerson({ emailVerified: false })
  assertError(await logins.sendPassword({ ...person, password: wrong }), 401, 'INVALID_CREDENTIALS')
  assertError(await logins.sendPassword(person), 403, 'EMAIL_NOT_VERIFIED')
})

test('TOO_MANY_REQUESTS: three attempts a minute from one address with one email', async () => {
  const [person, other] = [await logins.addPerson(), await logins.addPerson()]
  const from = fromAnywhere()
  for (let count = 0; count < 3; count++) assert.equal((await logins.sendPassword(person, from)).status, 200)
  const reply = await logins.sendPassword({ ...person, email: person.email.toUpperCase() }, from)
  assertError(reply, 429, 'TOO_MANY_REQUESTS')
  assert.equal(reply.headers.get('retry-after'), '50')
  assert.equal((await logins.sendPassword(other, from)).status, 200)
  assert.equal((await logins.sendPassword(person)).status, 200)
  now += minute
  assert.equal((await logins.sendPassword(person, from)).status, 200)
})

test('TOO_MANY_REQUESTS: an IPv6 /64 counts as one address, and the audit log has the full address', async () => {
  const person = await logins.addPerson()
  const from = (address: string) => ({ 'x-forwarded-for': address })
  for (const last of ['a', 'b', 'c']) {
    const reply = await logins.sendPassword({ ...person, password: wrong }, from(`2001:DB8:9:9:0:0:0:${last}`))
    assertError(reply, 401, 'INVALID_CREDENTIALS')
  }
  assertError(await logins.sendPassword(person, from('2001:db8:9:9:ffff::1')), 429, 'TOO_MANY_REQUESTS')
  assert.equal((await logins.sendPassword(person, from(`2001:db8:9:8::1%${'z'.repeat(99)}`))).status, 200)
  const rows = await stack.sql<{ address: string }>('select address from audit_entries where user_id = ? order by id', [
    person.id,
  ])
  assert.deepEqual(
    rows.map(({ address }) => address),
    ['2001:db8:9:9::a', '2001:db8:9:9::b', '2001:db8:9:9::c'],
  )
})

test('a new code is mailed after 30 s, the old one no longer works, and five codes are the most', async () => {
  const person = await logins.addPerson({ method: 'email_otp' })
  const { challenge_id, method, expires_at } = await logins.challenge(person)
  const resend = () => logins.post(paths.resend, { challenge_id })
  const first = await logins.codeTo(person.email)
  now += 29 * second
  const early = await resend()
  assertError(early, 429, 'TOO_MANY_REQUESTS')
  assert.equal(early.headers.get('retry-after'), '1')
  for (let count = 2; count <= 5; count++) {
    now += 30 * second
    const reply = await resend()
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(reply.body, { challenge_id, method, expires_at })
  }
  assert.match(String((await logins.mailsTo(person.email)).at(-1)?.text), /It expires in 7 minutes\./) // of the 10
  now += 30 * second
  const sixth = await resend()
  assertError(sixth, 429, 'TOO_MANY_REQUESTS')
  assert.match(String(sixth.body['detail']), /at most 5 codes are sent/)
  const last = await logins.codeTo(person.email)
  assert.equal((await logins.mailsTo(person.email)).length, 5)
  if (first !== last) assertError(await logins.sendCode({ challenge_id }, first), 401, 'INVALID_CODE')
  assert.equal((await logins.sendCode({ challenge_id }, last)).status, 200)
  assertError(await resend(), 401, 'INVALID_CODE')
})

test('an app code cannot be resent, and neither can a code of an unknown challenge', async () => {
  const { challenge_id } = await logins.challenge(await logins.addPerson())
  assertFieldErrors(await logins.post(paths.resend, { challenge_id }), { challenge_id: 'value_error' })
  assertError(await logins.post(paths.resend, { challenge_id: 'chal_none' }), 401, 'INVALID_CODE')
  const reply = await logins.sendCode({ challenge_id: 'chal_none' }, '123456')
  assertError(reply, 401, 'INVALID_CODE')
})

test('all errors of a login call are answered at once, each with its field', async () => {
  const missing = 'value_error.missing'
  const password = { email: missing, password: missing, login_token: missing }
  assertFieldErrors(await logins.post(paths.password, {}), password)
  const bad = { email: 'no-address', password: 'short', login_token: 7 }
  const types = { email: 'value_error.format', password: 'value_error.range', login_token: 'value_error.type' }
  assertFieldErrors(await logins.post(paths.password, bad), types)
  const verify = { challenge_id: missing, code: missing, code_type: missing }
  assertFieldErrors(await logins.post(paths.verify, {}), verify)
  assertFieldErrors(await logins.post(paths.verify, { challenge_id: 'chal_x', code: '123', code_type: 'sms' }), {
    code: 'value_error.range',
    code_type: 'value_error.enum',
  })
  const long = { challenge_id: 'chal_x', code: '1'.repeat(33), code_type: 'primary' }
  assertFieldErrors(await logins.post(paths.verify, long), { code: 'value_error.range' })
  for (const code of ['1234', '1'.repeat(32)])
    assertError(await logins.post(paths.verify, { ...long, code }), 401, 'INVALID_CODE')
  assertFieldErrors(await logins.post(paths.resend, {}), { challenge_id: missing })
  assertFieldErrors(await logins.post(paths.refresh, {}), { refresh_token: missing })
})

test('a login ignores an idempotency key', async () => {
  const headers = { 'idempotency-key': 'the-same' }
  const [one, other] = [await logins.post(paths.begin, {}, headers), await logins.post(paths.begin, {}, headers)]
  assert.notEqual(one.body['token'], other.body['token'])
  assert.equal(other.headers.get('idempotent-replayed'), null)
})

test('SIMULATION_NOT_ALLOWED: only a sandbox key of the organization sees its mails, newest first', async () => {
  const person = await logins.addPerson({ method: 'email_otp', accountId: await api.addAccount() })
  const [row] = await stack.sql<{ account_id: string }>('select account_id from users where id = ?', [person.id])
  const accountId = row?.account_id ?? ''
  const key = await api.addKey({ accountId })
  const { challenge_id } = await logins.challenge(person)
  now += 30 * second
  await logins.post(paths.resend, { challenge_id })
  const list = (secret: string) =>
    stack.merchant.call('GET', '/v1/test-helpers/emails', undefined, { ...fromAnywhere(), ...bearer(secret) })
  const { items, pagination } = pageOf(await list(key.key))
  assert.equal(pagination.total, 2)
  assert.deepEqual(Object.keys(items[0] ?? {}).toSorted(), ['created_at', 'email_id', 'subject', 'text', 'to'])
  assert.match(String(items[0]?.['text']), new RegExp(await logins.codeTo(person.email)))
  assert.equal(items[0]?.['to'], person.email)
  const foreign = await api.addMerchant()
  assert.equal(pageOf(await list(foreign.key)).pagination.total, 0)
  const live = await api.addKey({ accountId, environment: 'live' })
  assertError(await list(live.key), 400, 'SIMULATION_NOT_ALLOWED')
})

test('INVALID_CREDENTIALS: a person who is removed while their password is checked begins no login', async () => {
  const person = await logins.addPerson()
  meanwhile = async () => {
    meanwhile = async () => {}
    await stack.sql('delete from users where id = ?', [person.id])
  }
  assertError(await logins.sendPassword(person), 401, 'INVALID_CREDENTIALS')
})
