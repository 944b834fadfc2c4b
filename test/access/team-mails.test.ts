import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogins } from '../support/login.ts'
import { createTeams, tokensTo } from '../support/team.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { addUser } from '../support/user.ts'

// Who is told by mail that a person has joined an organization, or was removed from it.
const stack = await useStack({ workers: false })
const api = await useApi(stack)
const logins = createLogins(stack)
const teams = createTeams(stack, logins)

type Role = 'owner' | 'admin' | 'developer' | 'viewer'

/** An organization with a hostile name and people of these roles. */
async function newTeam(...roles: Role[]) {
  const accountId = await api.addAccount()
  await stack.sql('update accounts set name = ? where id = ?', [
    `Obi\r\nBcc: x@example.com & ${'ø'.repeat(90)}`,
    accountId,
  ])
  const people = await Promise.all(roles.map((role) => addUser(stack, { accountId, role })))
  return { accountId, people: people.map((user) => ({ ...user, email: `${user.id}@example.com` })) }
}
const organization = `Obi Bcc: x@example.com & ${'ø'.repeat(76)}`.slice(0, 100)

const mailsTo = (email: string) => logins.mailsTo(email)
const subjectsTo = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject)

for (const role of ['owner', 'developer'] as const) {
  test(`each owner is told once that somebody has joined as ${role}, and nobody else is`, async () => {
    const { people } = await newTeam('owner', 'owner', 'admin', 'viewer')
    const [inviter, other, admin, viewer] = people
    const strangers = await newTeam('owner')
    const email = teams.newEmail()
    assert.equal((await teams.invite((await inviter?.token()) ?? '', email, role)).status, 201)
    const link = (await tokensTo(logins, email)).at(-1) ?? ''
    const name = 'http://evil.example Ada'
    const secret = String((await teams.accept(link, 'a-marked-password', name)).body['secret'])
    assert.equal((await teams.call('POST', '/v1/invitation/confirm', link, { code: '00000' })).status, 401)
    for (const { email: of } of people) assert.deepEqual(await subjectsTo(of), [], 'not before they have joined')
    const replies = await Promise.all([1, 2, 3].map(() => teams.confirm(link, secret)))
    const joined = replies.filter(({ status }) => status === 200)
    assert.equal(joined.length, 1)
    const { user, backup_codes: codes } = Object(joined[0]?.body) as { user: { id: string }; backup_codes: string[] }
    for (const owner of [inviter, other]) {
      const mails = await mailsTo(owner?.email ?? '')
      assert.deepEqual(
        mails.map(({ subject }) => subject),
        [`${email} has joined ${organization} on steadypay`],
      )
      const { text = '' } = mails[0] ?? {}
      const as = role === 'owner' ? 'an owner' : 'a developer'
      assert.ok(
        text.startsWith(`${email} has joined ${organization} on steadypay as ${as}. ${inviter?.email} has`),
        text,
      )
      assert.ok(text.endsWith(`/dashboard/settings/team/${user.id}`), text)
      for (const hidden of ['evil', 'a-marked-password', secret, link.split('_secret_')[1] ?? '', ...codes])
        assert.ok(!text.includes(hidden), hidden)
    }
    for (const { email: of = '' } of [admin ?? {}, viewer ?? {}, ...strangers.people] as { email?: string }[])
      assert.deepEqual(await subjectsTo(of), [])
    assert.deepEqual(await subjectsTo(email), [`You are invited to join ${organization} on steadypay`])
  })
}

test('an owner whose address is not verified is not told, and an admin who has invited is named', async () => {
  const { people } = await newTeam('owner', 'owner', 'admin')
  const [owner, unverified, admin] = people
  await stack.sql('update users set email_verified = false where id = ?', [unverified?.id])
  const email = teams.newEmail()
  await teams.invite((await admin?.token()) ?? '', email, 'viewer')
  await teams.join(email)
  assert.deepEqual(await subjectsTo(unverified?.email ?? ''), [])
  const [mail] = await mailsTo(owner?.email ?? '')
  assert.match(mail?.text ?? '', new RegExp(`as a viewer\\. ${admin?.email} has invited them\\.`))
})

test('a removed person is told once, also if they are removed three times at once, and nobody else is', async () => {
  const { people } = await newTeam('owner', 'owner', 'viewer')
  const [owner, other, member] = people
  const token = (await owner?.token()) ?? ''
  assert.equal((await teams.remove((await member?.token()) ?? '', other?.id ?? '')).status, 403)
  const replies = await Promise.all([1, 2, 3].map(() => teams.remove(token, member?.id ?? '')))
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200],
  )
  const mails = await mailsTo(member?.email ?? '')
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    [`You were removed from ${organization} on steadypay`],
  )
  assert.match(mails[0]?.text ?? '', /signed out everywhere[\s\S]*invite you again\.$/)
  assert.doesNotMatch(mails[0]?.text ?? '', /https?:|usr_|acct_/)
  for (const { email } of [owner, other] as { email: string }[]) assert.deepEqual(await subjectsTo(email), [])
})

test('whoever leaves by themselves, and whoever may not be removed, gets no mail', async () => {
  const { people } = await newTeam('owner', 'owner', 'admin')
  const [first, second, admin] = people
  assert.equal((await teams.remove((await first?.token()) ?? '', first?.id ?? '')).status, 200)
  assert.equal((await teams.remove((await second?.token()) ?? '', second?.id ?? '')).status, 409, 'the last owner')
  assert.equal((await teams.remove((await admin?.token()) ?? '', second?.id ?? '')).status, 403)
  for (const { email } of people) assert.deepEqual(await subjectsTo(email), [])
})
