import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { assertError, assertFieldErrors, pageOf } from '../support/api.ts'
import { createLogins, paths, totpAt } from '../support/login.ts'
import { addInvitation, createTeams, type Invitation, tokensTo } from '../support/team.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

// A person comes into an organization by a mail: who may invite whom, and what the link of the mail is good for.
const stack = await useStack({ workers: false })
const api = await useApi(stack)
const logins = createLogins(stack)
const teams = createTeams(stack, logins)
const { call, invite, newEmail } = teams
const path = '/v1/team/invitations'
const dayMs = 86_400_000

/** A new organization with a person of this role, and their access token. */
async function newTeam(role: 'owner' | 'admin' = 'owner') {
  const accountId = await api.addAccount()
  const user = await addUser(stack, { accountId, role })
  return { accountId, user, token: await user.token() }
}
const colleague = async (accountId: string, role: 'owner' | 'admin' | 'developer' | 'viewer') =>
  (await addUser(stack, { accountId, role })).token()
const invitationOf = (body: object) => body as unknown as Invitation
const linkTo = async (email: string) => (await tokensTo(logins, email)).at(-1) ?? ''
const open = (link: string) => call('GET', '/v1/invitation', link)
const audited = async (target: string) =>
  (await stack.sql<{ action: string }>('select action from audit_entries where target = ? order by id', [target])).map(
    ({ action }) => action,
  )

test('an invited person chooses name, password and second factor, and signs in with their role', async () => {
  const { accountId, user, token } = await newTeam()
  await stack.sql(`update accounts set name = 'Obi & Søns' where id = ?`, [accountId])
  const email = newEmail()
  const sent = await invite(token, email.toUpperCase(), 'developer')
  assert.equal(sent.status, 201, sent.text)
  const invitation = invitationOf(sent.body)
  assert.deepEqual([invitation.email, invitation.role, invitation.status], [email, 'developer', 'pending'])
  assert.equal(invitation.invited_by, user.id)
  assert.doesNotMatch(sent.text, /secret|token|hash/)
  const [mail] = await logins.mailsTo(email)
  assert.equal(mail?.subject, 'You are invited to join Obi & Søns on steadypay')
  assert.match(mail?.text ?? '', /has invited you to join Obi & Søns on steadypay as a developer\./)
  const link = await linkTo(email)
  const opened = await open(link)
  const { expires_at: until, ...shown } = opened.body as Record<string, unknown>
  assert.deepEqual(shown, {
    invitation_id: invitation.invitation_id,
    organization_name: 'Obi & Søns',
    role: 'developer',
    email: 'i•••@example.com',
    name: null,
  })
  assert.equal(until, invitation.expires_at)
  const person = await teams.join(email)
  assert.equal(person.backupCodes.length, 8)
  // The code that has confirmed the app is used up, as after a login.
  await stack.sql('update users set last_totp_step = null where id = ?', [person.id])
  const session = await logins.logIn(person)
  const me = await call('GET', '/api/v1/auth/me', session.access_token)
  assert.deepEqual([me.body['role'], me.body['account_id']], ['developer', accountId])
  const known = { id: person.id, email, full_name: 'Ada Obi', hasOnboarded: true }
  assert.deepEqual(me.body['user'], known)
  const [stored] = await stack.sql('select has_onboarded from users where id = ?', [person.id])
  assert.deepEqual(stored, { has_onboarded: false }, 'the answer does not depend on the column')
  assert.deepEqual(await audited(invitation.invitation_id), ['invitation.created', 'invitation.accepted'])
  const backup = await logins.sendCode(await logins.challenge(person), person.backupCodes[0] ?? '', 'backup')
  assert.equal(backup.status, 200, 'a backup code signs in')
  const read = await call('GET', `${path}/${invitation.invitation_id}`, token)
  assert.equal(invitationOf(read.body).status, 'accepted')
})

test('nobody can sign in before a code has confirmed the second factor', async () => {
  const { token } = await newTeam()
  const email = newEmail()
  await invite(token, email)
  const link = await linkTo(email)
  assertError(await call('POST', '/v1/invitation/confirm', link, { code: '123456' }), 409, 'CONFLICT')
  const first = await teams.accept(link)
  assert.equal(first.status, 200)
  const uri = new URL(String(first.body['otpauth_uri']))
  assert.equal(uri.searchParams.get('secret'), first.body['secret'])
  assert.equal(uri.searchParams.get('issuer'), 'steadypay')
  assert.equal(decodeURIComponent(uri.pathname).split(':').at(-1), email)
  assertError(await logins.sendPassword({ email, password: 'a-long-password' }), 401, 'INVALID_CREDENTIALS')
  assertError(await call('POST', '/v1/invitation/confirm', link, { code: '00000' }), 401, 'INVALID_CODE')
  assert.equal((await stack.sql('select 1 from users where email = ?', [email])).length, 0)
  const second = await teams.accept(link, 'another-password')
  const [old, secret] = [String(first.body['secret']), String(second.body['secret'])]
  assert.notEqual(old, secret)
  assertError(await teams.confirm(link, old), 401, 'INVALID_CODE')
  assert.equal((await teams.confirm(link, secret)).status, 200)
  await stack.sql('update users set last_totp_step = null where email = ?', [email])
  assertError(await logins.sendPassword({ email, password: 'a-long-password' }), 401, 'INVALID_CREDENTIALS')
  assert.equal((await logins.sendPassword({ email, password: 'another-password' })).status, 200)
})

test('a name and a password follow the rules, and a hostile name stays text', async () => {
  const { token } = await newTeam()
  const email = newEmail()
  await invite(token, email)
  const link = await linkTo(email)
  assertFieldErrors(await teams.accept(link, 'short', ' '), {
    password: 'value_error.range',
    full_name: 'value_error.format',
  })
  assertFieldErrors(await teams.accept(link, 'x'.repeat(1025)), { password: 'value_error.range' })
  const name = `<script>"Zoë" & 'Søn'</script>`
  const { secret } = (await teams.accept(link, 'a-long-password', name)).body
  const joined = await teams.confirm(link, String(secret))
  assert.equal((joined.body['user'] as unknown as { full_name: string }).full_name, name)
})

test('the code that confirms the second factor may be typed in the digits of another script', async () => {
  const { token } = await newTeam()
  const email = newEmail()
  await invite(token, email)
  const link = await linkTo(email)
  const code = totpAt(String((await teams.accept(link)).body['secret']), await stack.clock.now())
  const inDevanagari = code.replaceAll(/\d/g, (digit) => '०१२३४५६७८९'[Number(digit)] ?? '')
  const joined = await call('POST', '/v1/invitation/confirm', link, { code: inDevanagari })
  assert.equal(joined.status, 200, joined.text)
})

test('a link works once, also when it is confirmed three times at once', async () => {
  const { accountId, token } = await newTeam()
  const email = newEmail()
  await invite(token, email)
  const link = await linkTo(email)
  const secret = String((await teams.accept(link)).body['secret'])
  const replies = await Promise.all([1, 2, 3].map(() => teams.confirm(link, secret)))
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 401, 401])
  assert.equal((await stack.sql('select 1 from users where account_id = ?', [accountId])).length, 2)
  for (const reply of [await open(link), await teams.accept(link), await teams.confirm(link, secret)])
    assertError(reply, 401, 'UNAUTHORIZED')
  const [row] = await stack.sql('select password_hash, encrypted_totp_secret from team_invitations where email = ?', [
    email,
  ])
  assert.deepEqual(row, { password_hash: null, encrypted_totp_secret: null })
})

test('a link works until 7 days have passed by the clock, not a millisecond longer', async () => {
  const { token } = await newTeam()
  const email = newEmail()
  const { expires_at: until, invitation_id: id } = invitationOf((await invite(token, email)).body)
  const link = await linkTo(email)
  const end = Date.parse(until)
  assert.ok(Math.abs(end - Date.now() - 7 * dayMs) < 60_000)
  for (const [at, status] of [
    [end - 1, 200],
    [end, 401],
  ] as const) {
    const later = createTeams(stack, logins, await api.addProcess({ clock: { now: () => at } }))
    assert.equal((await later.call('GET', '/v1/invitation', link)).status, status)
    assert.equal((await later.accept(link)).status, status)
  }
  await stack.sql(`update team_invitations set expires_at = now() - interval '1 second' where id = ?`, [id])
  assert.equal(invitationOf((await call('GET', `${path}/${id}`, token)).body).status, 'expired')
  const ids = async (status: string) =>
    pageOf(await call('GET', `${path}?status=${status}`, token)).items.map(({ invitation_id: each }) => each)
  assert.deepEqual([await ids('pending'), await ids('expired')], [[], [id]])
  const again = await call('POST', `${path}/${id}/resend`, token)
  assert.equal(invitationOf(again.body).status, 'pending')
  assert.equal((await open(await linkTo(email))).status, 200, 'sent again, it works for 7 more days')
})

test('an invitation that is sent again has a new link, and what was chosen by the earlier one is void', async () => {
  const { token } = await newTeam()
  const email = newEmail()
  const { invitation_id: id } = invitationOf((await invite(token, email)).body)
  const old = await linkTo(email)
  const secret = String((await teams.accept(old)).body['secret'])
  assert.equal((await call('POST', `${path}/${id}/resend`, token)).status, 200)
  assertError(await teams.confirm(old, secret), 401, 'UNAUTHORIZED')
  const link = await linkTo(email)
  assertError(await teams.confirm(link, secret), 409, 'CONFLICT')
  await teams.join(email)
  assertError(await call('POST', `${path}/${id}/resend`, token), 409, 'CONFLICT')
  assertError(await call('POST', `${path}/${id}/revoke`, token), 409, 'CONFLICT')
})

test('a revoked invitation opens nothing, and to revoke it twice is once', async () => {
  const { token } = await newTeam()
  const email = newEmail()
  const { invitation_id: id } = invitationOf((await invite(token, email)).body)
  const link = await linkTo(email)
  for (const reply of await Promise.all([1, 2].map(() => call('POST', `${path}/${id}/revoke`, token))))
    assert.equal(invitationOf(reply.body).status, 'revoked')
  assertError(await open(link), 401, 'UNAUTHORIZED')
  assert.deepEqual(await audited(id), ['invitation.created', 'invitation.revoked'])
})

test('a newer invitation to the same address replaces the older, and of three at once one is open', async () => {
  const { accountId, token } = await newTeam()
  const email = newEmail()
  const first = invitationOf((await invite(token, email, 'admin')).body)
  const link = await linkTo(email)
  const replies = await Promise.all(['viewer', 'viewer', 'viewer'].map((role) => invite(token, email, role)))
  for (const { status } of replies) assert.equal(status, 201)
  const rows = await stack.sql('select status, role from team_invitations where account_id = ? order by status', [
    accountId,
  ])
  assert.deepEqual(rows, [
    { status: 'pending', role: 'viewer' },
    { status: 'replaced', role: 'admin' },
    { status: 'replaced', role: 'viewer' },
    { status: 'replaced', role: 'viewer' },
  ])
  assertError(await open(link), 401, 'UNAUTHORIZED')
  assert.equal(invitationOf((await call('GET', `${path}/${first.invitation_id}`, token)).body).status, 'replaced')
})

test('the same Idempotency-Key invites once and mails once', async () => {
  const { token } = await newTeam()
  const email = newEmail()
  const key = { 'idempotency-key': newId('call', Date.now()) }
  const [one, two] = [await invite(token, email, 'viewer', key), await invite(token, email, 'viewer', key)]
  assert.equal(one.text, two.text)
  assert.equal((await logins.mailsTo(email)).length, 1)
})

test('CONFLICT: a colleague is not invited again; of other organizations the inviter learns nothing', async () => {
  const { accountId, token } = await newTeam()
  const member = await logins.addPerson({ accountId, role: 'viewer' })
  assertError(await invite(token, member.email), 409, 'CONFLICT')
  const stranger = await logins.addPerson({ accountId: await api.addAccount() })
  const staff = await logins.addPerson({ accountId: null, role: 'reviewer' })
  const free = newEmail()
  const shapeOf = async (email: string) => {
    const { status, body } = await invite(token, email)
    return { status, fields: Object.keys(body), state: body['status'] }
  }
  const expected = await shapeOf(free)
  for (const { email } of [stranger, staff]) {
    assert.deepEqual(await shapeOf(email), expected)
    const [mail] = await logins.mailsTo(email)
    assert.match(mail?.text ?? '', /This address already signs in to steadypay/)
    assert.deepEqual(await tokensTo(logins, email), [], 'no link')
  }
})

test('an address that two organizations invite joins one of them, and only its owner learns why', async () => {
  const [one, two] = [await newTeam(), await newTeam()]
  const email = newEmail()
  await invite(one.token, email)
  await invite(two.token, email)
  const [first = '', second = ''] = await tokensTo(logins, email)
  const secrets = [await teams.accept(first), await teams.accept(second)].map(({ body }) => String(body['secret']))
  const replies = await Promise.all([teams.confirm(first, secrets[0] ?? ''), teams.confirm(second, secrets[1] ?? '')])
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 409])
  assert.equal((await stack.sql('select 1 from users where email = ?', [email])).length, 1)
})

test('FORBIDDEN: an admin invites no owner, nor touches such an invitation; others invite nobody', async () => {
  const { accountId, token: owner } = await newTeam()
  const admin = await colleague(accountId, 'admin')
  assertError(await invite(admin, newEmail(), 'owner'), 403, 'FORBIDDEN')
  const email = newEmail()
  const { invitation_id: id } = invitationOf((await invite(owner, email, 'owner')).body)
  for (const act of ['resend', 'revoke'])
    assertError(await call('POST', `${path}/${id}/${act}`, admin), 403, 'FORBIDDEN')
  assertError(await invite(admin, email, 'viewer'), 403, 'FORBIDDEN')
  assert.equal((await open(await linkTo(email))).status, 200)
  for (const role of ['admin', 'developer', 'viewer'])
    assert.equal((await invite(admin, newEmail(), role)).status, 201, role)
  for (const role of ['developer', 'viewer'] as const) {
    const token = await colleague(accountId, role)
    assertError(await invite(token, newEmail()), 403, 'FORBIDDEN')
    assertError(await call('GET', path, token), 403, 'FORBIDDEN')
  }
  assertFieldErrors(await invite(owner, newEmail(), 'reviewer'), { role: 'value_error.enum' })
})

test('NOT_FOUND: an invitation of another organization is read, sent again and revoked by nobody else', async () => {
  const { token } = await newTeam()
  const { id, token: link } = await addInvitation(stack, { accountId: (await newTeam()).accountId })
  assertError(await call('GET', `${path}/${id}`, token), 404, 'NOT_FOUND')
  for (const act of ['resend', 'revoke'])
    assertError(await call('POST', `${path}/${id}/${act}`, token), 404, 'NOT_FOUND')
  assert.equal((await open(link)).status, 200)
  assert.deepEqual(pageOf(await call('GET', path, token)).items, [])
})

test('TOO_MANY_REQUESTS: a person sends 20 mails an hour, an address gets 5 a day from an organization', async () => {
  const { accountId, user, token } = await newTeam()
  const email = newEmail()
  for (let mails = 0; mails < 5; mails++) assert.equal((await invite(token, email)).status, 201)
  const refused = await invite(await colleague(accountId, 'owner'), email)
  assertError(refused, 429, 'TOO_MANY_REQUESTS')
  assert.ok(Number(refused.headers.get('retry-after')) > 86_000)
  assert.equal((await invite((await newTeam()).token, email)).status, 201, 'another organization is counted by itself')
  for (let mails = 5; mails < 20; mails++) assert.equal((await invite(token, newEmail())).status, 201)
  assertError(await invite(token, newEmail()), 429, 'TOO_MANY_REQUESTS')
  assert.equal((await invite(await colleague(accountId, 'admin'), newEmail())).status, 201)
  await stack.sql(`update audit_entries set at = at - interval '61 minutes' where user_id = ?`, [user.id])
  assert.equal((await invite(token, newEmail())).status, 201)
  assertError(await invite(token, email), 429, 'TOO_MANY_REQUESTS')
})

test('CONFLICT: an organization has at most 50 open invitations; those that have ended do not count', async () => {
  const { accountId, token } = await newTeam()
  for (let each = 0; each < 50; each++) await addInvitation(stack, { accountId })
  assertError(await invite(token, newEmail()), 409, 'CONFLICT')
  await stack.sql(
    `update team_invitations set expires_at = now() where id = (
       select id from team_invitations where account_id = ? limit 1)`,
    [accountId],
  )
  const email = newEmail()
  assert.equal((await invite(token, email)).status, 201)
  assert.equal((await invite(token, email)).status, 201, 'the one that it replaces does not count')
})

test('the mail of an invitation is shown to owners only, as whoever reads it could take the role', async () => {
  const { accountId, token } = await newTeam()
  const email = newEmail()
  await invite(token, email, 'admin')
  const { key } = await api.addKey({ accountId })
  const seen = async (secret: string) => {
    const { items } = pageOf(await call('GET', '/v1/test-helpers/emails', secret))
    return items.filter(({ to }) => to === email).length
  }
  assert.equal(await seen(token), 1)
  for (const secret of [key, await colleague(accountId, 'admin'), await colleague(accountId, 'developer')])
    assert.equal(await seen(secret), 0)
})

test('UNAUTHORIZED: the token of a link calls nothing else, and no other credential joins', async () => {
  const { accountId, token } = await newTeam()
  const { token: link } = await addInvitation(stack, { accountId })
  for (const other of ['/v1/payments', '/v1/team/members', '/api/v1/auth/me', path])
    assertError(await call('GET', other, link), 401, 'UNAUTHORIZED')
  const { key } = await api.addKey({ accountId })
  for (const secret of [token, key, `${link}x`, link.split('_secret_')[0] ?? ''])
    assertError(await call('GET', '/v1/invitation', secret), 401, 'UNAUTHORIZED')
  assertError(await call('GET', path, key), 401, 'UNAUTHORIZED')
  assert.equal((await logins.post(paths.refresh, { refresh_token: link })).status, 401)
})

test('the token, the password and the secret are stored as hashes or encrypted, nowhere else', async () => {
  const { token } = await newTeam()
  const email = newEmail()
  await invite(token, email)
  const link = await linkTo(email)
  const { secret } = (await teams.accept(link, 'a-marked-password')).body
  const tables = await stack.sql<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const part = link.split('_secret_')[1] ?? ''
  for (const { name } of tables) {
    const [found] = await stack.sql<{ count: string }>(
      `select count(*) as count from "${name}" t where position(? in t::text) > 0 or position(? in t::text) > 0
         or position('a-marked-password' in t::text) > 0`,
      [part, String(secret)],
    )
    assert.equal(Number(found?.count), 0, name)
  }
})
