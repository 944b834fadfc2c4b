import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { choose, openMenu } from '../support/dashboard.ts'
import { type Person, totpAt } from '../support/login.ts'
import { desktop, heading, looked, phone, press, smallPhone, type, useDesk } from '../support/review-desk.ts'
import { addSession } from '../support/user.ts'

// A person changes what they sign in with, in a browser: on the dashboard, and at the desk of the platform's staff.
const desk = await useDesk()
const { stack, visit, logins } = desk
const site = '/dashboard' as const
const next = 'a-marked-new-password'

const isOpen = async (id: string) =>
  (await stack.sql('select 1 from login_sessions where id = ? and ended_at is null', [id])).length === 1

/** A code of the app that has not been used: the codes of this minute are forgotten. */
async function freshCode({ id }: Person, secret: string): Promise<string> {
  await stack.sql('update users set last_totp_step = null where id = ?', [id])
  return totpAt(secret, Date.now())
}
const label = (page: Page, name: string) => page.getByLabel(name, { exact: true })
const notice = (page: Page, text: RegExp) => page.getByRole('status').getByText(text).waitFor()

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [smallPhone, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  const how = `${viewport.width} wide, script ${script}`
  test(`a viewer changes the password, and stays signed in here alone, ${how}`, async () => {
    const person = await logins.addPerson({ role: 'viewer' })
    const other = await addSession(stack, person.id)
    await visit(
      person,
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await choose(page, 'Your sign-in')
        await heading(page, 'Your sign-in')
        assert.match(await looked(page, `sign-in-${colorScheme}`), /Authenticator app[\s\S]*left\s*3\./)
        await page.getByRole('link', { name: 'Change your password…' }).click()
        await heading(page, 'Change your password')
        await looked(page, `own-password-${colorScheme}`)
        const send = async (current: string, repeated: string, code: string) => {
          await type(label(page, 'Current password'), current)
          await type(label(page, 'New password'), next)
          await type(label(page, 'New password again'), repeated)
          await type(label(page, 'Code of your app'), code)
          await press(page, 'Change the password')
        }
        const code = await freshCode(person, person.totpSecret)
        await send(person.password, 'another one', code)
        await page.getByText('This differs from the new password.').waitFor()
        await send('a-wrong-password', next, code)
        await page.getByText(/^This password is incorrect\./).waitFor()
        await looked(page, `own-password-wrong-${colorScheme}`)
        const [failures] = await stack.sql(
          `select count(*)::int as count from audit_entries where user_id = ? and action = 'login.failed'`,
          [person.id],
        )
        assert.deepEqual(failures, { count: 1 }, 'one mistake is one failure')
        assert.equal(await isOpen(other), true)
        await send(person.password, next, code)
        await notice(page, /^Your password is changed\./)
        assert.equal(await isOpen(other), false)
        assert.ok(!page.url().includes(next))
        await choose(page, 'Sessions')
        await heading(page, 'Sessions')
        assert.equal(await page.getByRole('row').count(), 2, 'the header and this device')
      },
      { viewport, script, site },
    )
    await freshCode(person, person.totpSecret)
    const changed = { ...person, password: next }
    await visit(changed, (page) => heading(page, 'Home'), { viewport, script, site })
  })

  test(`new backup codes are shown once, and a backup code moves to a new app, ${how}`, async () => {
    const person = await logins.addPerson({ role: 'owner' })
    await visit(
      person,
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await choose(page, 'Your sign-in')
        await page.getByRole('link', { name: 'Make new ones…' }).click()
        await heading(page, 'Make new backup codes')
        await looked(page, `own-backup-codes-${colorScheme}`)
        await type(label(page, 'Password'), person.password)
        await type(label(page, 'Code of your app'), await freshCode(person, person.totpSecret))
        const [answer] = await Promise.all([
          page.waitForResponse((each) => each.request().method() === 'POST'),
          press(page, 'Make new codes'),
        ])
        assert.equal(answer.headers()['cache-control'], 'no-store')
        await heading(page, 'Your new backup codes')
        await looked(page, `backup-codes-${colorScheme}`)
        const codes = (await label(page, 'Backup codes').inputValue()).split('\n')
        assert.equal(codes.length, 8)
        await page.getByRole('link', { name: 'I have saved them' }).click()
        await heading(page, 'Your sign-in')
        for (const code of codes) assert.ok(!(await page.content()).includes(code))
        await page.getByRole('link', { name: 'Move to another phone…' }).click()
        await page.getByRole('link', { name: 'Use a backup code' }).click()
        await heading(page, 'Set up an authenticator app')
        await type(label(page, 'Password'), person.password)
        await type(label(page, 'Backup code'), 'wrong-codes')
        await press(page, 'Continue')
        await page.getByText(/^This code is incorrect/).waitFor()
        await looked(page, `own-authenticator-${colorScheme}`)
        await type(label(page, 'Password'), person.password)
        await type(label(page, 'Backup code'), codes[0] ?? '')
        await press(page, 'Continue')
        await heading(page, 'Scan this code')
        await looked(page, `new-authenticator-${colorScheme}`)
        const shown = page.locator('[data-copy]')
        const secret = (await shown.getAttribute('data-copy')) ?? ''
        assert.match(secret, /^[A-Z2-7]{32}$/)
        await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
        const code = totpAt(secret, Date.now())
        await type(label(page, 'Code of the new app'), code === '000000' ? '111111' : '000000')
        await press(page, 'Use this app')
        await page.getByText(/^This code is incorrect/).waitFor()
        assert.equal(await shown.getAttribute('data-copy'), secret, 'it can still be scanned')
        await type(label(page, 'Code of the new app'), totpAt(secret, Date.now()))
        await press(page, 'Use this app')
        await notice(page, /^Your new authenticator app is in use\./)
        assert.ok(!page.url().includes(secret))
        person.totpSecret = secret
      },
      { viewport, script, site },
    )
    await freshCode(person, person.totpSecret)
    await visit(person, (page) => heading(page, 'Home'), { viewport, script, site })
  })
}

test('who has codes by mail asks for one, and moves to an app with it', async () => {
  const person = await logins.addPerson({ role: 'owner' })
  await visit(
    person,
    async (page) => {
      await heading(page, 'Home')
      await stack.sql(`update users set method = 'email_otp' where id = ?`, [person.id])
      await choose(page, 'Your sign-in')
      assert.match(await page.locator('main').innerText(), /Code by mail/)
      await page.getByRole('link', { name: 'Use an app instead…' }).click()
      await press(page, 'Email me a code')
      await notice(page, /^We’ve sent you a code\./)
      await looked(page, 'own-authenticator-mailed')
      await press(page, 'Email me a code')
      await page
        .getByRole('alert')
        .getByText(/^Too many attempts\. Try again in \d+ seconds\.$/)
        .waitFor()
      await type(label(page, 'Password'), person.password)
      await type(label(page, 'Emailed code'), await logins.codeTo(person.email))
      await press(page, 'Continue')
      await heading(page, 'Scan this code')
      const secret = (await page.locator('[data-copy]').getAttribute('data-copy')) ?? ''
      await type(label(page, 'Code of the new app'), totpAt(secret, Date.now()))
      await press(page, 'Use this app')
      await notice(page, /^Your new authenticator app is in use\./)
    },
    { viewport: desktop, site },
  )
  assert.deepEqual(await stack.sql('select method from users where id = ?', [person.id]), [{ method: 'totp' }])
})

test('a form that is sent twice says what to do, and an app that is confirmed twice is in use', async () => {
  const person = await logins.addPerson({ role: 'owner' })
  await visit(
    person,
    async (page) => {
      await choose(page, 'Your sign-in')
      await page.getByRole('link', { name: 'Move to another phone…' }).click()
      await type(label(page, 'Password'), person.password)
      await type(label(page, 'Code of your app'), await freshCode(person, person.totpSecret))
      await press(page, 'Continue')
      await heading(page, 'Scan this code')
      const secret = (await page.locator('[data-copy]').getAttribute('data-copy')) ?? ''
      const form = { code: totpAt(secret, Date.now()), otpauth_uri: 'javascript:alert(1)' }
      const url = `${desk.pages.base}/dashboard/settings/sign-in/authenticator/confirm`
      const headers = { 'sec-fetch-site': 'same-origin' }
      const sent = await page.request.post(url, { headers, form: { ...form, code: '1' }, maxRedirects: 0 })
      assert.equal(sent.status(), 303, 'an address that is none is not shown')
      const answers = await Promise.all([1, 2].map(() => page.request.post(url, { headers, form, maxRedirects: 0 })))
      assert.deepEqual(answers.map((each) => each.headers()['location']?.split('?')[1]).toSorted(), [
        'done=authenticator',
        'done=gone',
      ])
      await page.goto(`${desk.pages.base}/dashboard/settings/sign-in/authenticator?done=gone`)
      await notice(page, /the app is in use already\.$/)
    },
    { viewport: desktop, site },
  )
})

for (const viewport of [phone, desktop]) {
  test(`staff change their password at the desk, ${viewport.width} wide`, async () => {
    const person = await desk.addReviewer()
    await visit(
      person,
      async (page) => {
        await openMenu(page)
        await page.getByRole('link', { name: 'Your sign-in' }).click()
        await heading(page, 'Your sign-in')
        await looked(page, 'desk-sign-in')
        await page.getByRole('link', { name: 'Change your password…' }).click()
        await heading(page, 'Change your password')
        await looked(page, 'desk-own-password')
        await type(label(page, 'Current password'), person.password)
        await type(label(page, 'New password'), next)
        await type(label(page, 'New password again'), next)
        await type(label(page, 'Code of your app'), await freshCode(person, person.totpSecret))
        await press(page, 'Change the password')
        await notice(page, /^Your password is changed\./)
      },
      { viewport },
    )
    const [row] = await stack.sql(
      `select count(*)::int as count from audit_entries where user_id = ? and action = 'login.password_changed'`,
      [person.id],
    )
    assert.deepEqual(row, { count: 1 })
  })
}
