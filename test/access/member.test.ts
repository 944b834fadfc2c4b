import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { namesOf } from '../../db/access/user.ts'
import { newId } from '../../domain/id.ts'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { whileBodyArrives } from '../support/late-body.ts'
import { createLogins, paths, totpAt } from '../support/login.ts'
import { createTeams, tokensTo } from '../support/team.ts'
import { untilLockWaits } from '../support/lock-waits.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

// Roles that change, and people who are removed from an organization.
const stack = await useStack({ workers: false })
const api = await useApi(stack)
const logins = createLogins(stack)
const teams = createTeams(stack, logins)
const { call, changeRole, remove } = teams

type Given = 'owner' | 'admin' | 'developer' | 'viewer'

/** People of a new organization, one of each of these roles, with their tokens. */
async function newTeam<const R extends readonly Given[]>(...roles: R) {
  const accountId = await api.addAccount()
  const people = []
  for (const role of roles) {
    const user = await addUser(stack, { accountId, role })
    people.push({ ...user, access: await user.token() })
  }
  return { accountId, people: people as { [K in keyof R]: (typeof people)[number] } }
}
const roleOf = async (id: string) =>
  (await stack.sql<{ role: string }>('select role from users where id = ?', [id]))[0]?.role
const ownersOf = async (accountId: string) =>
  (await stack.sql(`select id from users where account_id = ? and role = 'owner'`, [accountId])).length
const audited = async (target: string) =>
  (await stack.sql<{ action: string }>('select action from audit_entries where target = ? order by id', [target])).map(
    ({ action }) => action,
  )
const makesPayouts = async (access: string) => {
  const { body } = await call('GET', '/api/v1/auth/me', access)
  return (body['scopes'] as unknown as string[] | undefined)?.includes('payouts:write') === true
}

test('a role changes within a second, and a change to the same role is none', async () => {
  const { people } = await newTeam('owner', 'viewer')
  const [owner, viewer] = people
  assert.equal(await makesPayouts(viewer.access), false)
  const changed = await changeRole(owner.access, viewer.id, 'admin')
  assert.equal(changed.body['role'], 'admin', changed.text)
  await until(() => makesPayouts(viewer.access), 'the new role holds', { withinMs: 1_000 })
  assert.equal((await changeRole(owner.access, viewer.id, 'admin')).status, 200)
  assert.deepEqual(await audited(viewer.id), ['member.became_admin'])
  const read = await call('GET', `/v1/team/members/${viewer.id}`, viewer.access)
  assert.deepEqual([read.body['user_id'], read.body['role']], [viewer.id, 'admin'])
  assertFieldErrors(await changeRole(owner.access, viewer.id, 'reviewer'), { role: 'value_error.enum' })
})

test('FORBIDDEN: an admin makes, changes and removes no owner, and nobody raises themselves', async () => {
  const { people } = await newTeam('owner', 'admin', 'admin', 'developer', 'viewer')
  const [owner, admin, other, developer, viewer] = people
  assertError(await changeRole(admin.access, owner.id, 'viewer'), 403, 'FORBIDDEN')
  assertError(await remove(admin.access, owner.id), 403, 'FORBIDDEN')
  for (const { id } of people) assertError(await changeRole(admin.access, id, 'owner'), 403, 'FORBIDDEN')
  for (const { access, id } of [developer, viewer]) {
    assertError(await changeRole(access, id, 'admin'), 403, 'FORBIDDEN')
    assertError(await remove(access, owner.id), 403, 'FORBIDDEN')
    assertError(await remove(access, id), 403, 'FORBIDDEN')
  }
  assert.equal((await changeRole(admin.access, other.id, 'developer')).status, 200)
  assert.equal((await changeRole(admin.access, viewer.id, 'admin')).status, 200)
  assert.equal(await roleOf(owner.id), 'owner')
})

test('NOT_FOUND: nobody reads, changes or removes a person of another organization or of the staff', async () => {
  const { people } = await newTeam('owner')
  const [owner] = people
  const [stranger] = (await newTeam('viewer')).people
  const staff = await addUser(stack, { accountId: null, role: 'reviewer' })
  for (const id of [stranger.id, staff.id, newId('usr', 0), 'usr_', 'x'.repeat(64)]) {
    assertError(await call('GET', `/v1/team/members/${id}`, owner.access), 404, 'NOT_FOUND')
    assertError(await changeRole(owner.access, id, 'viewer'), 404, 'NOT_FOUND')
    assertError(await remove(owner.access, id), 404, 'NOT_FOUND')
  }
  assert.deepEqual([await roleOf(stranger.id), await roleOf(staff.id)], ['viewer', 'reviewer'])
})

test('UNAUTHORIZED: a key changes nobody', async () => {
  const { accountId, people } = await newTeam('owner', 'viewer')
  const { key } = await api.addKey({ accountId })
  assertError(await changeRole(key, people[1].id, 'owner'), 401, 'UNAUTHORIZED')
  assertError(await remove(key, people[1].id), 401, 'UNAUTHORIZED')
})

test('CONFLICT: the last owner stays an owner, also for themselves', async () => {
  const { people } = await newTeam('owner', 'admin')
  const [owner, admin] = people
  assertError(await changeRole(owner.access, owner.id, 'viewer'), 409, 'CONFLICT')
  assertError(await remove(owner.access, owner.id), 409, 'CONFLICT')
  assert.equal((await changeRole(owner.access, admin.id, 'owner')).status, 200)
  assert.equal((await remove(owner.access, owner.id)).status, 200, 'with another owner one may leave')
  await until(async () => (await logins.read(owner.access)).status === 401, 'they are out')
  assert.equal(await roleOf(admin.id), 'owner')
})

test('of owners who remove and demote each other at once, one owner always stays', async () => {
  for (let round = 0; round < 5; round++) {
    const { accountId, people } = await newTeam('owner', 'owner', 'owner')
    const acts = people.flatMap(({ access }, index) => {
      const { id } = people[(index + 1) % 3] ?? people[0]
      return [remove(access, id), changeRole(access, id, 'viewer')]
    })
    const replies = await Promise.all(acts)
    assert.ok((await ownersOf(accountId)) >= 1, replies.map(({ text }) => text).join('\n'))
    for (const { status, text } of replies) assert.ok([200, 403, 404, 409, 401].includes(status), text)
    const two = (await newTeam('owner', 'owner')).people
    const [one, other] = await Promise.all([remove(two[0].access, two[1].id), remove(two[1].access, two[0].id)])
    assert.equal([one, other].filter(({ status }) => status === 200).length, 1, `${one.text} ${other.text}`)
  }
})

test('a removed person loses every session within a second, and cannot sign in again', async () => {
  const { accountId, people } = await newTeam('owner')
  const [owner] = people
  const person = await logins.addPerson({ accountId, role: 'admin', fullName: 'Ada Obi' })
  const first = await logins.logIn(person)
  const begun = await logins.challenge(person)
  const made = await call('POST', '/api/v1/auth/api-keys', first.access_token, { key_name: 'The shop' })
  const key = String(made.body['key'])
  assert.equal((await logins.read(first.access_token)).status, 200)
  const replies = await Promise.all([1, 2, 3].map(() => remove(owner.access, person.id)))
  for (const { status, body } of replies)
    assert.deepEqual([status, body], [200, { user_id: person.id, status: 'removed', deleted: true }])
  const isRefused = async () => (await logins.read(first.access_token)).status === 401
  await until(isRefused, 'the access token is refused', { withinMs: 1_000 })
  assertError(await call('GET', '/api/v1/auth/me', first.access_token), 401, 'UNAUTHORIZED')
  assertError(await logins.refresh(first.refresh_token), 401, 'UNAUTHORIZED')
  await stack.sql('update users set last_totp_step = null where id = ?', [person.id])
  const code = totpAt(person.totpSecret, Date.now())
  assertError(await logins.sendCode(begun, code), 401, 'INVALID_CODE')
  assertError(await logins.sendCode(begun, person.backupCodes[0] ?? '', 'backup'), 401, 'INVALID_CODE')
  assertError(await logins.sendPassword(person), 401, 'INVALID_CREDENTIALS')
  assert.deepEqual(await audited(person.id), ['member.removed'])
  assert.equal((await call('GET', '/v1/payments', key)).status, 200, 'the key belongs to the organization')
  const names = await namesOf(stack.database.orm.em.fork(), [person.id, owner.id])
  assert.deepEqual(names, { [person.id]: 'Ada Obi', [owner.id]: 'A Test User' })
})

test('a person who is removed or demoted while the body of their call arrives changes nothing', async () => {
  const { accountId, people } = await newTeam('owner', 'admin', 'admin')
  const [owner, removed, demoted] = people
  const made = async (secret: string, meanwhile: () => Promise<unknown>) =>
    whileBodyArrives(
      stack,
      { path: '/v1/customers', secret, body: { email: teams.newEmail(), name: 'Made Late' } },
      meanwhile,
    )
  const [byRemoved, byDemoted] = await Promise.all([
    made(removed.access, () => remove(owner.access, removed.id)),
    made(demoted.access, () => changeRole(owner.access, demoted.id, 'viewer')),
  ])
  assertError(byRemoved, 401, 'UNAUTHORIZED')
  assertError(byDemoted, 403, 'FORBIDDEN')
  assert.equal((await stack.sql('select 1 from customers where account_id = ?', [accountId])).length, 0)
  const byOwner = await made(owner.access, async () => undefined)
  assert.equal(byOwner.status, 201, byOwner.text)
})

test('whoever is demoted while their call waits for a lock makes no key and changes none', async () => {
  const path = '/api/v1/auth/api-keys'
  const keysOf = (accountId: string) => stack.sql('select id, scopes from api_keys where account_id = ?', [accountId])
  for (const method of ['POST', 'PATCH']) {
    const { accountId, people } = await newTeam('admin')
    const [admin] = people
    const key = method === 'PATCH' ? (await api.addKey({ accountId })).id : null
    const before = await keysOf(accountId)
    const client = new Client({ connectionString: stack.databaseUrl })
    await client.connect()
    await client.query('begin')
    await client.query(`update users set role = 'viewer' where id = $1`, [admin.id])
    const sent = key ? call(method, `${path}/${key}`, admin.access, { scopes: ['payments:read'] }) : null
    const asked = sent ?? call(method, path, admin.access, { key_name: 'The shop' })
    await Promise.race([asked, untilLockWaits(stack.database, 'the call waits')])
    await client.query('commit')
    await client.end()
    assertError(await asked, 403, 'FORBIDDEN')
    assert.deepEqual(await keysOf(accountId), before)
  }
})

test('a login that was under way when its person was removed comes to nothing', async () => {
  const { accountId, people } = await newTeam('owner')
  const person = await logins.addPerson({ accountId, role: 'viewer' })
  const challenge = await logins.challenge(person)
  assert.equal((await remove(people[0].access, person.id)).status, 200)
  // As if its password had been checked just before, and its challenge was written just after.
  await stack.sql(
    `insert into login_challenges (id, user_id, method, created_at, expires_at)
     values (?, ?, 'totp', now(), now() + interval '10 minutes')`,
    [challenge.challenge_id, person.id],
  )
  assertError(await logins.sendCode(challenge, totpAt(person.totpSecret, Date.now())), 401, 'INVALID_CODE')
  const again = await logins.post(paths.resend, { challenge_id: challenge.challenge_id })
  assertError(again, 401, 'INVALID_CODE')
})

test('a removed person can be invited again, here or elsewhere, and is somebody new', async () => {
  const { people } = await newTeam('owner')
  const [owner] = people
  const email = teams.newEmail()
  await teams.invite(owner.access, email, 'viewer')
  const person = await teams.join(email)
  assert.equal((await remove(owner.access, person.id)).status, 200)
  const [elsewhere] = (await newTeam('owner')).people
  assert.equal((await teams.invite(elsewhere.access, email, 'developer')).status, 201)
  const again = await teams.join(email)
  assert.notEqual(again.id, person.id)
  assertError(await call('GET', `/v1/team/members/${again.id}`, owner.access), 404, 'NOT_FOUND')
})

test('what a person has invited beyond their role ends with the role: nobody comes in by who was removed', async () => {
  const { accountId, people } = await newTeam('owner', 'owner', 'admin')
  const [owner, second, admin] = people
  const [asOwner, asAdmin, byAdmin] = [teams.newEmail(), teams.newEmail(), teams.newEmail()]
  await teams.invite(second.access, asOwner, 'owner')
  await teams.invite(second.access, asAdmin, 'admin')
  await teams.invite(admin.access, byAdmin, 'admin')
  const opens = async (email: string) => {
    const link = (await tokensTo(logins, email)).at(-1) ?? ''
    return (await call('GET', '/v1/invitation', link)).status
  }
  await changeRole(owner.access, second.id, 'admin')
  assert.deepEqual([await opens(asOwner), await opens(asAdmin), await opens(byAdmin)], [401, 200, 200])
  await remove(owner.access, second.id)
  assert.deepEqual([await opens(asAdmin), await opens(byAdmin)], [401, 200])
  await changeRole(owner.access, admin.id, 'viewer')
  assert.equal(await opens(byAdmin), 401)
  const rows = await stack.sql(`select 1 from team_invitations where account_id = ? and status = 'revoked'`, [
    accountId,
  ])
  assert.equal(rows.length, 3)
})

test('whoever is demoted at the same moment no longer invites as what they were', async () => {
  for (let round = 0; round < 5; round++) {
    const { people } = await newTeam('owner', 'admin')
    const [owner, admin] = people
    const email = teams.newEmail()
    await Promise.all([changeRole(owner.access, admin.id, 'viewer'), teams.invite(admin.access, email, 'admin')])
    const open = await stack.sql(`select 1 from team_invitations where email = ? and status = 'pending'`, [email])
    assert.equal(open.length, 0)
  }
})
