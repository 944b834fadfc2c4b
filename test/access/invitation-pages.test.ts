import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromAnywhere } from '../support/api.ts'
import { createFirstViews } from '../support/first-view.ts'
import { createLogins, totpAt } from '../support/login.ts'
import { openPages } from '../support/pages.ts'
import { addInvitation } from '../support/team.ts'
import { useApi, useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'

// The pages on which somebody accepts an invitation, and the secret of a new authenticator app that a form brings back.
const stack = await useStack()
await useApi(stack)
const pages = await openPages(stack)
atEnd(() => pages.stop())
const logins = createLogins(stack)
const home = '/dashboard/invitation'

type Sent = { cookie: string; body?: Record<string, string> }

/** Opens a page from a random address, or sends a form of our own page. */
async function visit(path: string, { cookie, body }: Sent) {
  const answer = await fetch(pages.base + path, {
    method: body ? 'POST' : 'GET',
    redirect: 'manual',
    headers: { ...fromAnywhere(), cookie, 'sec-fetch-site': 'same-origin' },
    ...(body && { body: new URLSearchParams(body) }),
  })
  return { status: answer.status, text: await answer.text(), to: answer.headers.get('location') ?? '' }
}

async function invited(given: Parameters<typeof addInvitation>[1] = { accountId: stack.organizationId }) {
  const { id: about, token } = await addInvitation(stack, given)
  return { token, about, cookie: `invitation_token=${token}` }
}

const headingOf = (html: string) => /<h1>(.*?)<\/h1>/.exec(html)?.[1]
const uriIn = (html: string) => (/name="otpauth_uri" value="([^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&')
const secretIn = (html: string) => /data-copy="([^"]+)"/.exec(html)?.[1] ?? ''

test('a first view of each page of an invitation has at most 150 KB in 12 requests, all of them to us', async () => {
  const assertFirstView = createFirstViews(pages.base)
  const { token, about, cookie } = await invited()
  const seen: (string | undefined)[] = []
  async function look(path: string, sent: Sent): Promise<string> {
    const { text } = await visit(path, sent)
    seen.push(headingOf(text))
    await assertFirstView(`${path.slice(0, 30)} ${headingOf(text)}`, text)
    return text
  }
  await look(`${home}/${token}`, { cookie: '' })
  await look(home, { cookie })
  await look(home, { cookie, body: { about: 'ti_of_another', full_name: 'Ada', password: 'a-long-password' } })
  const code = await look(home, { cookie, body: { about, full_name: 'Ada Obi', password: 'a-long-password' } })
  const otpauth_uri = uriIn(code)
  const now = totpAt(secretIn(code), await stack.clock.now())
  const wrong = { about, otpauth_uri, code: now === '000000' ? '111111' : '000000' }
  await look(`${home}/confirm`, { cookie, body: wrong })
  await look(`${home}/confirm`, { cookie, body: { ...wrong, code: now } })
  await look(home, { cookie })
  assert.deepEqual(seen, [
    'One moment',
    'Join Demo Organization',
    'Nothing was changed',
    'Set up your authenticator app',
    'Set up your authenticator app',
    'Save your backup codes',
    'This invitation no longer works',
  ])
})

test('whoever has lost the answer of joining, and sends the form again, gets the same backup codes', async () => {
  for (const [given, signIn] of [
    [{ accountId: stack.organizationId }, '/dashboard/login'],
    [{ accountId: null, role: 'reviewer' }, '/ops/login'],
  ] as const) {
    const { about, cookie } = await invited(given)
    const chosen = { about, full_name: 'Ada Obi', password: 'a-long-password' }
    const { text: page } = await visit(home, { cookie, body: chosen })
    const form_key = /name="form_key" value="([^"]+)"/.exec(page)?.[1] ?? ''
    const code = totpAt(secretIn(page), await stack.clock.now())
    const confirm = (body: object) =>
      visit(`${home}/confirm`, {
        cookie,
        body: { about, form_key, code, otpauth_uri: uriIn(page), ...body },
      })
    const first = await confirm({})
    const codes = secretIn(first.text)
    assert.equal(codes.split('\n').length, 8, first.text)
    const again = await confirm({})
    assert.deepEqual([again.status, headingOf(again.text)], [200, 'Save your backup codes'])
    assert.equal(secretIn(again.text), codes)
    for (const { text } of [first, again]) assert.ok(text.includes(`href="${signIn}"`))
    for (const other of [{ form_key: 'another' }, { code: '000000' }, { code: '' }, { about: 'ti_of_another' }]) {
      const refused = await confirm(other)
      assert.deepEqual([refused.status, secretIn(refused.text)], [410, ''])
    }
  }
})

const secret = 'ABCDEFGHIJKLMNOP'
const labels = [`steadypay:${'a'.repeat(300)}%40example.com`, 'steadypay:%3Cscript%3E%22%40example.com']
const known = labels.flatMap((label) => [
  `otpauth://totp/${label}?issuer=steadypay&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
  `otpauth://totp/${label}?secret=${secret}`,
])
const unknown = [
  '',
  'javascript:alert(1)',
  `otpauth://hotp/a?secret=${secret}`,
  `otpauth://totp/a?secret=${secret.toLowerCase()}`,
  `otpauth://totp/a?nosecret=${secret}`,
  `otpauth://totp/a?secret=${secret}"><script>`,
  `otpauth://totp/a?secret=${'A'.repeat(65)}`,
  ` otpauth://totp/a\n?secret=${secret}`,
  `otpauth://totp/a?secret=${secret}&digits=${'6'.repeat(9_000)}`, // more than a QR code holds
]

test('a page shows the key of the address in its form, if that is one for an authenticator app', async () => {
  const { about, cookie } = await invited()
  const chosen = { about, full_name: 'Ada Obi', password: 'a-long-password' }
  assert.equal((await visit(home, { cookie, body: chosen })).status, 200)
  const send = (body: Record<string, string>) =>
    visit(`${home}/confirm`, { cookie, body: { about, code: '', ...body } })
  for (const otpauth_uri of known) {
    const { text } = await send({ otpauth_uri, secret: 'PONMLKJIHGFEDCBA' })
    assert.deepEqual([secretIn(text), uriIn(text)], [secret, otpauth_uri], 'and no other key that the form names')
    assert.ok(text.includes('ABCD EFGH IJKL MNOP'))
  }
  for (const otpauth_uri of unknown) {
    const { text } = await send({ otpauth_uri, secret })
    assert.equal(headingOf(text), 'Join Demo Organization', otpauth_uri.slice(0, 80))
    assert.ok(!text.includes(secret))
  }
})

test('a person who moves to another app sees the same of the same addresses', async () => {
  const path = '/dashboard/settings/sign-in/authenticator/confirm'
  const person = await logins.addPerson()
  const { access_token: token } = await logins.logIn(person)
  const cookie = `dashboard_access=${token}; dashboard_refresh=rt_none`
  for (const otpauth_uri of known) {
    const { text } = await visit(path, { cookie, body: { otpauth_uri, code: '' } })
    assert.deepEqual([secretIn(text), uriIn(text)], [secret, otpauth_uri])
    assert.ok(text.includes('ABCD EFGH IJKL MNOP'))
  }
  for (const otpauth_uri of unknown) {
    const { to, text } = await visit(path, { cookie, body: { otpauth_uri, code: '' } })
    assert.equal(to, '/dashboard/settings/sign-in/authenticator', otpauth_uri.slice(0, 80))
    assert.ok(!text.includes(secret))
  }
})
