import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withApi } from '../support/api.ts'
import { choose } from '../support/dashboard.ts'
import { desktop, heading, looked, phone, press, useDesk } from '../support/review-desk.ts'
import { addSession } from '../support/user.ts'

// The people of an organization, and one's own sessions, in a browser.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const api = withApi(stack)
const tablet = { width: 820, height: 1180 }
const site = '/dashboard' as const
const hostile = `<script>alert(1)</script> "Zoë" & 'Søn' ${'w'.repeat(60)}`
const ownSite = { 'sec-fetch-site': 'same-origin' }
const folder = `${pages.base}/dashboard/settings/sessions`
const isOpen = async (id: string) =>
  (await stack.sql('select 1 from login_sessions where id = ? and ended_at is null', [id])).length === 1

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [tablet, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`a viewer sees the team and signs out of a device, ${viewport.width} wide, script ${script}`, async () => {
    const accountId = await api.addAccount()
    const other = await logins.addPerson({ role: 'owner', accountId, fullName: hostile })
    const person = await logins.addPerson({ role: 'viewer', accountId })
    const [lost, kept] = [await addSession(stack, person.id), await addSession(stack, other.id)]
    await visit(
      person,
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await choose(page, 'Team')
        await heading(page, 'Team')
        const shown = await looked(page, `team-${colorScheme}`)
        assert.ok(shown.includes(hostile) && shown.includes(other.email), shown)
        const own = page.getByRole('row').filter({ hasText: person.email })
        assert.match(await own.innerText(), /A Person \(you\)[\s\S]*Viewer[\s\S]*Authenticator app/)
        await choose(page, 'Sessions')
        await heading(page, 'Sessions')
        assert.match(await looked(page, `sessions-${colorScheme}`), /This device[\s\S]*10\.\d+\.\d+\.\d+/)
        assert.equal(await page.getByRole('row').count(), 3, 'the header, this device and the other one')
        await page.getByRole('link', { name: /^Sign out there/ }).click()
        await heading(page, 'Sign out there?')
        await looked(page, `session-end-${colorScheme}`)
        assert.equal(await isOpen(lost), true)
        await press(page, 'Sign out there')
        await page.getByRole('status').getByText('Signed out there.').waitFor()
        assert.deepEqual([await isOpen(lost), await isOpen(kept)], [false, true])
        assert.equal(await page.getByRole('row').count(), 2)
        const foreign = await page.request.post(`${folder}/${kept}`, { headers: ownSite, form: { step: 'send' } })
        assert.equal(foreign.status(), 404)
        assert.equal(await isOpen(kept), true)
        await page.goto(`${folder}/${kept}`)
        await page.waitForURL(folder)
        await page.getByRole('link', { name: 'Sign out everywhere…' }).click()
        await heading(page, 'Sign out everywhere?')
        await press(page, 'Sign out everywhere')
        await page.getByRole('status').getByText('You are signed out.').waitFor()
        assert.deepEqual(await page.context().cookies(), [])
        assert.deepEqual(
          await stack.sql('select id from login_sessions where user_id = ? and ended_at is null', [person.id]),
          [],
        )
        await page.goto(folder)
        await heading(page, 'Sign in')
      },
      { viewport, script, site },
    )
  })
}

test('another site signs nobody out', async () => {
  const person = await logins.addPerson({ role: 'owner' })
  const session = await addSession(stack, person.id)
  await visit(
    person,
    async (page) => {
      await heading(page, 'Home')
      for (const at of [session, 'all']) {
        const headers = { 'sec-fetch-site': 'cross-site' }
        const sent = await page.request.post(`${folder}/${at}`, { headers, form: { step: 'send' } })
        assert.equal(sent.status(), 403, at)
      }
      assert.equal(await isOpen(session), true)
      await choose(page, 'Sessions')
      await heading(page, 'Sessions')
    },
    { viewport: desktop, site },
  )
})

test('an old page of a person’s role undoes nothing, and is told what somebody else has chosen meanwhile', async () => {
  const accountId = await api.addAccount()
  const owner = await logins.addPerson({ role: 'owner', accountId })
  const { id } = await logins.addPerson({ role: 'admin', accountId })
  const roleOf = async () => (await stack.sql<{ role: string }>('select role from users where id = ?', [id]))[0]?.role
  const open = (page: Page) => page.goto(`${pages.base}/dashboard/settings/team/${id}`)
  await visit(
    owner,
    async (page) => {
      await open(page)
      await stack.sql(`update users set role = 'viewer' where id = ?`, [id])
      await press(page, 'Change role')
      await heading(page, 'Team')
      assert.equal(await page.getByText('The role is changed.').count(), 0)
      assert.equal(await roleOf(), 'viewer')
      await open(page)
      await stack.sql(`update users set role = 'admin' where id = ?`, [id])
      await page.getByRole('radio', { name: /^Developer/ }).check()
      await press(page, 'Change role')
      await page.getByRole('alert').getByText('Not saved. See what is marked below.').waitFor()
      const choice = page.getByRole('group', { name: 'Role' })
      assert.match(await choice.innerText(), /changed this meanwhile to “Admin”/)
      assert.equal(await page.getByRole('radio', { name: /^Developer/ }).isChecked(), true, 'what was chosen')
      assert.equal(await roleOf(), 'admin')
      await looked(page, 'role-changed-by-two')
      await press(page, 'Change role')
      await page.getByRole('status').getByText('The role is changed.').waitFor()
      assert.equal(await roleOf(), 'developer')
    },
    { viewport: desktop, site },
  )
})
