import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withApi } from '../support/api.ts'
import { openMenu } from '../support/dashboard.ts'
import { desktop, heading, looked, phone, press, useDesk } from '../support/review-desk.ts'
import type { Person } from '../support/login.ts'
import { changeAccount } from '../support/rows.ts'

// A form that is sent after its person has signed out, has become somebody else or sees other data.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const site = '/dashboard' as const
const newCustomer = `${pages.base}/dashboard/customers/new`
const hostile = '"><script>document.title = "run"</script>'

const names = async (accountId: string): Promise<string[]> => {
  const of = 'select name, environment from customers where account_id = ? order by name'
  const rows = await stack.sql<{ name: string | null; environment: string }>(of, [accountId])
  return rows.map(({ name, environment }) => `${environment}: ${name}`)
}

/** Signs in by a backup code, as each code of an app opens one login only. */
async function signIn(page: Page, { email, password, backupCodes: [backup = ''] }: Person): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await press(page, 'Continue')
  await page.getByRole('link', { name: /backup code/i }).click()
  await page.getByLabel('Backup code').fill(backup)
  await press(page, 'Sign in')
}

async function fillCustomer(page: Page, name: string): Promise<void> {
  await page.goto(newCustomer)
  await page.getByLabel(/^Name/).fill(name)
  await page.getByLabel(/^Email/).fill('held@example.com')
}

for (const [viewport, script] of [
  [phone, false],
  [desktop, true],
] as const) {
  test(`what was typed before the session ended is sent after a new login, script ${script}`, async () => {
    const { accountId } = await withApi(stack).addMerchant()
    const owner = await logins.addPerson({ role: 'owner', accountId })
    await visit(
      owner,
      async (page) => {
        await heading(page, /./)
        await fillCustomer(page, hostile)
        await page.context().clearCookies()
        await press(page, 'Create the customer')
        await heading(page, 'You are signed out')
        assert.match(await looked(page, 'held-form'), /nothing was saved[\s\S]*Sign in in a new tab/)
        assert.notEqual(await page.title(), 'run')
        await press(page, 'Send it again')
        await heading(page, 'You are signed out')
        const [tab] = await Promise.all([
          page.context().waitForEvent('page'),
          page.getByRole('link', { name: 'Sign in in a new tab' }).click(),
        ])
        await signIn(tab, owner)
        await heading(tab, /./)
        assert.deepEqual(await names(accountId), [])
        await press(page, 'Send it again')
        await heading(page, hostile)
        assert.deepEqual(await names(accountId), [`sandbox: ${hostile}`])
      },
      { viewport, script, site },
    )
  })
}

test('a form that was opened in test mode does nothing in live mode, and is sent after switching back', async () => {
  const { accountId } = await withApi(stack).addMerchant()
  await changeAccount(stack, accountId, { paymentsEnabled: true })
  await visit(
    await logins.addPerson({ role: 'owner', accountId }),
    async (page) => {
      await press(page, 'Switch to test mode')
      await page.getByText('Test mode:').waitFor()
      await fillCustomer(page, 'For test mode')
      const tab = await page.context().newPage()
      await tab.goto(`${pages.base}/dashboard`)
      await press(tab, 'Switch to live')
      await heading(tab, /./)
      await press(page, 'Create the customer')
      await heading(page, 'Nothing was done')
      assert.match(await looked(page, 'held-mode'), /opened this form in test mode, and you are in live mode now/)
      await press(page, 'Send it again')
      await heading(page, 'Nothing was done')
      assert.deepEqual(await names(accountId), [])
      const [again] = await Promise.all([
        page.context().waitForEvent('page'),
        press(page, 'Switch to test mode in a new tab'),
      ])
      await again.getByText('Test mode:').waitFor()
      await press(page, 'Send it again')
      await heading(page, 'For test mode')
      assert.deepEqual(await names(accountId), ['sandbox: For test mode'])
    },
    { viewport: desktop, site },
  )
})

test('a form that somebody else has filled in is not sent for whoever is signed in now', async () => {
  const [one, other] = [await withApi(stack).addMerchant(), await withApi(stack).addMerchant()]
  const second = await logins.addPerson({ role: 'owner', accountId: other.accountId, fullName: 'Second Owner' })
  await visit(
    await logins.addPerson({ role: 'owner', accountId: one.accountId }),
    async (page) => {
      await fillCustomer(page, 'Of the first')
      const tab = await page.context().newPage()
      await tab.goto(`${pages.base}/dashboard`)
      await openMenu(tab)
      await press(tab, 'Sign out')
      await signIn(tab, second)
      await heading(tab, /./)
      await press(page, 'Create the customer')
      await heading(page, 'Nothing was done')
      assert.match(await looked(page, 'held-other'), /Somebody else was signed in[\s\S]*Second Owner/)
      assert.equal(await page.getByRole('button', { name: 'Send it again' }).count(), 0)
      assert.deepEqual([await names(one.accountId), await names(other.accountId)], [[], []])
    },
    { viewport: desktop, site },
  )
})

test('to sign out and to choose test mode works from a page that has become old', async () => {
  const { accountId } = await withApi(stack).addMerchant()
  await changeAccount(stack, accountId, { paymentsEnabled: true })
  await visit(
    await logins.addPerson({ role: 'owner', accountId }),
    async (page) => {
      await heading(page, /./)
      const tab = await page.context().newPage()
      for (const button of ['Switch to test mode', 'Sign out']) {
        await tab.goto(`${pages.base}/dashboard`)
        await page.goto(`${pages.base}/dashboard`)
        await press(tab, 'Switch to test mode')
        await tab.getByText('Test mode:').waitFor()
        await press(page, button)
        if (button === 'Sign out') await page.getByText('You are signed out.').waitFor()
        else await page.getByText('Test mode:').waitFor()
        if (button !== 'Sign out') await press(page, 'Switch to live')
      }
    },
    { viewport: desktop, site },
  )
})

test('a form with a password or a code is never given back', async () => {
  for (const secret of ['password', 'new_password', 'code']) {
    const answer = await fetch(newCustomer, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: Object.entries({ name: 'A name', [secret]: 'a secret' }).reduce((form, [name, value]) => {
        form.append(name, value)
        return form
      }, new FormData()),
    })
    assert.equal(answer.headers.get('location'), '/dashboard/login?ended=1&next=%2Fdashboard%2Fcustomers%2Fnew')
    assert.doesNotMatch(await answer.text(), /a secret|A name/)
  }
})
