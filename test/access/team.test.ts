import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { assertError, bearer, fromAnywhere, pageOf } from '../support/api.ts'
import { createLogins, paths } from '../support/login.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addSession, addUser } from '../support/user.ts'

// The people of an organization, and the devices on which each of them is signed in.
const stack = await useStack({ workers: false })
const api = await useApi(stack)
const logins = createLogins(stack)
const sessionsPath = '/api/v1/auth/sessions'
const membersPath = '/v1/team/members'

const call = (method: string, path: string, access: string) =>
  stack.merchant.call(method, path, undefined, { ...fromAnywhere(), ...bearer(access) })

type Session = Record<'session_id' | 'created_at' | 'address' | 'last_used_at' | 'expires_at', string> & {
  is_current: boolean
}
const sessionsOf = async (access: string) =>
  (await call('GET', sessionsPath, access)).body['sessions'] as unknown as Session[]

test('every role sees the people of its own organization, newest first, and nothing secret', async () => {
  const accountId = await api.addAccount()
  const people = [
    await logins.addPerson({ accountId, role: 'owner', fullName: '<b>Ada</b>' }),
    await logins.addPerson({ accountId, role: 'viewer', method: 'email_otp' }),
  ]
  await logins.addPerson({ accountId: await api.addAccount() })
  const ids = people.map(({ id }) => id)
  for (const role of ['viewer', 'developer', 'admin', 'owner'] as const) {
    const user = await addUser(stack, { accountId, role })
    ids.push(user.id)
    const reply = await call('GET', membersPath, await user.token())
    const { items, pagination } = pageOf(reply)
    assert.deepEqual(
      items.map(({ user_id: id }) => id),
      ids.toReversed(),
    )
    assert.equal(pagination.total, ids.length)
    assert.doesNotMatch(reply.text, /password|argon2|secret|sealed/i)
    const [ada] = people
    const { created_at: _at, ...shown } = items.at(-1) ?? {}
    const expected = { user_id: ada?.id, full_name: '<b>Ada</b>', email: ada?.email, role: 'owner', method: 'totp' }
    assert.deepEqual(shown, expected)
    assert.equal(items.at(-2)?.['method'], 'email_otp')
  }
  const reader = await (await addUser(stack, { accountId, role: 'viewer' })).token()
  const first = pageOf(await call('GET', `${membersPath}?limit=2`, reader))
  const second = pageOf(await call('GET', `${membersPath}?limit=2&cursor=${first.pagination.next_cursor}`, reader))
  assert.equal(new Set([...first.items, ...second.items].map(({ user_id: id }) => id)).size, 4)
})

test('FORBIDDEN and UNAUTHORIZED: staff have no team, and neither has a key', async () => {
  const staff = await addUser(stack, { accountId: null, role: 'reviewer' })
  assertError(await call('GET', membersPath, await staff.token()), 403, 'FORBIDDEN')
  for (const path of [membersPath, sessionsPath])
    assertError(await stack.merchant.call('GET', path), 401, 'UNAUTHORIZED')
})

test('each login is a session with its address, and a renewal moves its end', async () => {
  const person = await logins.addPerson()
  const { access_token: access, refresh_token: refresh } = await logins.logIn(person)
  const [own, ...others] = await sessionsOf(access)
  assert.equal(others.length, 0)
  assert.equal(own?.is_current, true)
  assert.match(own?.address ?? '', /^10\.\d+\.\d+\.\d+$/)
  assert.equal(Date.parse(own?.expires_at ?? '') - Date.parse(own?.last_used_at ?? ''), 30 * 86_400_000)
  const other = await addSession(stack, person.id)
  const seen = await sessionsOf(access)
  assert.deepEqual(
    seen.map(({ session_id: id, is_current: is, address }) => [id, is, address]),
    [
      [other, false, null],
      [own?.session_id, true, own?.address],
    ],
  )
  const renewed = (await logins.refresh(refresh)).body as Record<string, string>
  const again = (await sessionsOf(renewed['access_token'] ?? '')).find((each) => each.is_current)
  assert.equal(again?.session_id, own?.session_id)
  assert.ok((again?.expires_at ?? '') > (own?.expires_at ?? ''))
})

test('a session that has ended or expired is not listed, and the caller’s own is, also without a token', async () => {
  const user = await addUser(stack, { accountId: stack.organizationId, role: 'viewer' })
  const access = await user.token()
  const ended = await addSession(stack, user.id)
  await stack.sql('update login_sessions set ended_at = now() where id = ?', [ended])
  await addSession(stack, user.id, -1)
  await addSession(stack, (await addUser(stack, { accountId: stack.organizationId, role: 'owner' })).id)
  const listed = await sessionsOf(access)
  assert.deepEqual(
    listed.map(({ is_current: is, expires_at: at }) => [is, at]),
    [[true, null]],
  )
})

test('a session is ended from another device: its tokens stop, twice is once, and the log says so', async () => {
  const person = await logins.addPerson()
  const { access_token: lost, refresh_token: refresh } = await logins.logIn(person)
  const [session] = await sessionsOf(lost)
  const path = `${sessionsPath}/${session?.session_id}`
  await stack.sql('update users set last_totp_step = null where id = ?', [person.id])
  const { access_token: access } = await logins.logIn(person)
  assert.equal((await logins.read(lost)).status, 200)
  const replies = await Promise.all([1, 2, 3].map(() => call('DELETE', path, access)))
  for (const { status, body } of replies) {
    assert.equal(status, 200)
    assert.deepEqual(body, { session_id: session?.session_id, status: 'ended', deleted: true })
  }
  await until(async () => (await logins.read(lost)).status === 401, 'its access token is refused')
  assert.equal((await logins.refresh(refresh)).status, 401)
  assert.equal((await call('DELETE', path, access)).status, 200, 'it has ended, as was asked')
  assert.equal((await logins.read(access)).status, 200, 'the other one goes on')
  const audited = await logins.audited(person.id)
  assert.equal(audited.filter((action) => action === 'login.session_ended').length, 1)
  const own = (await sessionsOf(access)).find((each) => each.is_current)
  assert.equal((await call('DELETE', `${sessionsPath}/${own?.session_id}`, access)).status, 200)
  await until(async () => (await logins.read(access)).status === 401, 'one’s own session can be ended too')
})

test('NOT_FOUND: nobody ends a session of somebody else, also not an owner, and it goes on', async () => {
  const accountId = await api.addAccount()
  const person = await logins.addPerson({ accountId, role: 'viewer' })
  const { access_token: access } = await logins.logIn(person)
  const [session] = await sessionsOf(access)
  const owner = await (await addUser(stack, { accountId, role: 'owner' })).token()
  for (const id of [session?.session_id, newId('ses', 0), 'ses_', 'x'.repeat(64)])
    assertError(await call('DELETE', `${sessionsPath}/${id}`, owner), 404, 'NOT_FOUND')
  assert.equal((await logins.read(access)).status, 200)
  assert.equal((await logins.post(paths.logout, {}, bearer(access))).status, 400)
})
