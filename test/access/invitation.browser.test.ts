import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { fromAnywhere, withApi } from '../support/api.ts'
import { choose } from '../support/dashboard.ts'
import { totpAt } from '../support/login.ts'
import { desktop, heading, looked, phone, press, type, useDesk } from '../support/review-desk.ts'
import { addInvitation, tokensTo } from '../support/team.ts'

// A colleague is invited, joins by the pages of the link, signs in, gets another role and is removed, in a browser.
const desk = await useDesk()
const { stack, pages, visit, visitAsNobody, logins } = desk
const api = withApi(stack)
const tablet = { width: 820, height: 1180 }
const site = '/dashboard' as const
const hostile = `<script>alert(1)</script> "Zoë" & 'Søn' ${'w'.repeat(40)}`
const home = `${pages.base}/dashboard/invitation`
const ownSite = { 'sec-fetch-site': 'same-origin' }

const codeOf = async (page: Page) => {
  const secret = (await page.getByRole('textbox', { name: 'Key for the app' }).inputValue()).replaceAll(' ', '')
  return { secret, code: totpAt(secret, Date.now()) }
}

/** The pages of the link in the newest mail to an address, to the end. Returns what the person signs in with. */
async function join(page: Page, email: string, name: string) {
  const link = (await tokensTo(logins, email)).at(-1) ?? ''
  await page.goto(`${home}/${link}`)
  await page.waitForURL(home)
  await heading(page, /^Join /)
  const [cookie] = await page.context().cookies()
  assert.deepEqual(
    [cookie?.name, cookie?.httpOnly, cookie?.sameSite, cookie?.path],
    ['invitation_token', true, 'Strict', '/dashboard/invitation'],
  )
  const shown = page.getByRole('main')
  assert.match(await shown.innerText(), /invited as Developer, with the address i•••@example\.com/)
  assert.ok(!(await page.content()).includes(link.split('_secret_')[1] ?? ''), 'the token is in no page')
  await type(page.getByLabel('Your name'), name)
  await type(page.getByLabel('Password'), 'a-long-password')
  await press(page, 'Continue')
  await heading(page, 'Set up your authenticator app')
  return { link, ...(await codeOf(page)) }
}

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [tablet, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`a colleague comes and goes, ${viewport.width} wide, script ${script}`, async () => {
    const accountId = await api.addAccount()
    const owner = await logins.addPerson({ accountId, role: 'owner' })
    const email = `invited.${viewport.width}@example.com`
    await visit(
      owner,
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await choose(page, 'Team')
        await heading(page, 'Team')
        await type(page.getByLabel('Email'), email)
        await page.getByRole('radio', { name: 'Developer' }).check()
        await press(page, 'Send invitation')
        await page.getByRole('status').getByText('The invitation is on its way.').waitFor()
        assert.match(
          await looked(page, `team-invited-${colorScheme}`),
          new RegExp(`${email}[\\s\\S]*Developer[\\s\\S]*Open`),
        )
        await page.getByRole('link', { name: email }).click()
        await heading(page, `Invitation to ${email}`)
        await looked(page, `team-invitation-${colorScheme}`)
        await press(page, 'Send again')
        await page.getByRole('status').getByText('A new mail is on its way.').waitFor()
        const [old = ''] = await tokensTo(logins, email)
        const signsIn = { email, password: 'a-long-password', totpSecret: '', backupCodes: [''], id: '' }
        await visitAsNobody(
          async (guest) => {
            await guest.emulateMedia({ colorScheme })
            await guest.goto(`${home}/${old}`)
            await heading(guest, 'This invitation no longer works')
            await looked(guest, `invitation-refused-${colorScheme}`)
            const { secret, code } = await join(guest, email, hostile)
            await looked(guest, `invitation-code-${colorScheme}`)
            await type(guest.getByLabel('Code', { exact: true }), code === '000000' ? '111111' : '000000')
            await press(guest, `Join Another Organization`)
            await guest.getByText('This code is incorrect.').waitFor()
            assert.equal((await codeOf(guest)).secret, secret, 'the same secret is shown again')
            await type(guest.getByLabel('Code', { exact: true }), (await codeOf(guest)).code)
            await press(guest, `Join Another Organization`)
            await heading(guest, 'Save your backup codes')
            await looked(guest, `invitation-codes-${colorScheme}`)
            const codes = (await guest.getByRole('textbox', { name: 'Backup codes' }).inputValue()).split('\n')
            assert.equal(codes.length, 8)
            assert.deepEqual(await guest.context().cookies(), [])
            await guest.getByRole('link', { name: 'I have saved them' }).click()
            await heading(guest, 'Sign in')
            await guest.goto(home)
            await heading(guest, 'This invitation no longer works')
            Object.assign(signsIn, { totpSecret: secret, backupCodes: codes })
          },
          { viewport, script },
        )
        await page.goto(`${pages.base}/dashboard/settings/team`)
        await stack.sql('update users set last_totp_step = null where email = ?', [email])
        await visit(
          signsIn,
          async (own) => {
            await choose(own, 'Team')
            await heading(own, 'Team')
            assert.match(await own.getByRole('row').filter({ hasText: email }).innerText(), /\(you\)[\s\S]*Developer/)
            assert.equal(await own.getByRole('button', { name: 'Send invitation' }).count(), 0)
            await page.getByRole('link', { name: hostile }).click()
            await heading(page, hostile)
            await looked(page, `team-member-${colorScheme}`)
            await page.getByRole('radio', { name: /^Admin/ }).check()
            await press(page, 'Change role')
            await page.getByRole('status').getByText('The role is changed.').waitFor()
            await own.waitForTimeout(600)
            await own.reload()
            await own.getByRole('button', { name: 'Send invitation' }).waitFor()
            assert.equal(await own.getByRole('radio', { name: 'Owner' }).count(), 0, 'an admin invites no owner')
            await page.getByRole('link', { name: hostile }).click()
            await page.getByRole('link', { name: /^Remove / }).click()
            await heading(page, `Remove ${hostile}?`)
            await looked(page, `team-remove-${colorScheme}`)
            await press(page, 'Remove')
            await page.getByRole('status').getByText('The person is removed').waitFor()
            assert.equal(await page.getByRole('row').filter({ hasText: email }).count(), 0)
            await own.waitForTimeout(600)
            await own.reload()
            await heading(own, 'Sign in')
          },
          { viewport, script, site },
        )
      },
      { viewport, script, site },
    )
  })
}

test('the form of an invitation says what is wrong, and the last owner stays', async () => {
  const accountId = await api.addAccount()
  const owner = await logins.addPerson({ accountId, role: 'owner' })
  const viewer = await logins.addPerson({ accountId, role: 'viewer' })
  await visit(
    owner,
    async (page) => {
      await choose(page, 'Team')
      await type(page.getByLabel('Email'), viewer.email)
      await press(page, 'Send invitation')
      await page.getByRole('alert').getByText('this person is in your team').waitFor()
      assert.equal(await page.getByLabel('Email').inputValue(), viewer.email)
      await looked(page, 'team-refused')
      await page.getByRole('row').filter({ hasText: '(you)' }).getByRole('link').click()
      await page.getByRole('radio', { name: /^Viewer/ }).check()
      await press(page, 'Change role')
      await page.getByText('This is the last owner. Make somebody else an owner first.').waitFor()
      await page.getByRole('link', { name: 'Leave the organization…' }).click()
      await press(page, 'Leave')
      await page.getByText('This is the last owner. Make somebody else an owner first.').waitFor()
      const { id } = await addInvitation(stack, { accountId })
      await page.goto(`${pages.base}/dashboard/settings/team/invitations/${id}`)
      await press(page, 'Revoke')
      await page.getByRole('status').getByText('The invitation is revoked.').waitFor()
      await page.goto(`${pages.base}/dashboard/settings/team/invitations/${id}`)
      await page.getByText('Revoked').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Revoke' }).count(), 0)
    },
    { viewport: desktop, site },
  )
})

test('the token is in no address, Referer or page, and other sites send no form', async () => {
  const { token } = await addInvitation(stack, { accountId: stack.organizationId })
  const entered = await fetch(`${home}/${token}`, { headers: fromAnywhere() })
  assert.equal(entered.status, 200)
  assert.equal(entered.headers.get('referrer-policy'), 'no-referrer')
  assert.equal(entered.headers.get('cache-control'), 'no-store')
  assert.ok(!(await entered.text()).includes(token))
  const cookie = `invitation_token=${token}`
  for (const path of ['', '/confirm'])
    for (const from of ['cross-site', 'same-site', 'none']) {
      const headers = { ...fromAnywhere(), cookie, 'sec-fetch-site': from }
      const body = new URLSearchParams({
        about: token.split('_secret_')[0] ?? '',
        full_name: 'X',
        password: 'long-enough',
      })
      assert.equal((await fetch(home + path, { method: 'POST', headers, body })).status, 403)
    }
  const headers = { ...fromAnywhere(), cookie, ...ownSite }
  const other = new URLSearchParams({ about: 'ti_other', full_name: 'X', password: 'long-enough' })
  assert.equal((await fetch(home, { method: 'POST', headers, body: other })).status, 403, 'of another invitation')
  const [row] = await stack.sql('select password_hash from team_invitations where id = ?', [token.split('_secret_')[0]])
  assert.deepEqual(row, { password_hash: null })
  for (const text of ['ti_wrong', `${token}x`, 'nonsense'])
    assert.ok([404, 410].includes((await fetch(`${home}/${text}`, { headers: fromAnywhere() })).status), text)
})
