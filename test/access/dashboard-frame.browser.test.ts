import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApi } from '../support/api.ts'
import { barriersOn, describeBarriers } from '../support/barriers.ts'
import { choose, openMenu } from '../support/dashboard.ts'
import { desktop, heading, looked, phone, press, useDesk } from '../support/review-desk.ts'
import { changeAccount } from '../support/rows.ts'

// The frame of the dashboard: its menu, and the choice between test data and live data.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const tablet = { width: 820, height: 1180 }
const site = '/dashboard' as const
const hostile = '<b>Zoë</b> "Quote" \'Obi\' & Søn' + 'x'.repeat(60)

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [tablet, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`the menu leads to every page and marks the current one, ${viewport.width} wide, script ${script}`, async () => {
    await visit(
      await logins.addPerson({ role: 'owner', fullName: hostile }),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        const menu = page.getByRole('navigation', { name: 'Dashboard' })
        await openMenu(page)
        const names = await menu.getByRole('link').allInnerTexts()
        assert.ok(names.length >= 6)
        for (const name of names) {
          await choose(page, name)
          await page.getByRole('heading', { level: 1 }).waitFor()
          await openMenu(page)
          assert.equal(await menu.locator('[aria-current="page"]:visible').innerText(), name)
          const shown = await looked(page, `frame-${name}-${colorScheme}`)
          assert.ok(shown.length > 0)
          const pixels = await page.evaluate<number>('document.documentElement.scrollWidth')
          assert.ok(pixels <= viewport.width, `${name}: the page is ${pixels} pixels wide`)
        }
        await page.getByText(hostile).filter({ visible: true }).waitFor()
      },
      { viewport, script, site },
    )
  })
}

test('every part of a page is in a landmark, also what says that the data are for tests', async () => {
  await visit(
    await logins.addPerson({ role: 'owner' }),
    async (page) => {
      await heading(page, /./)
      await page.getByRole('complementary', { name: 'Test mode' }).getByText('no money moves').waitFor()
      assert.deepEqual(describeBarriers(await barriersOn(page)), [])
    },
    { viewport: desktop, site },
  )
})

test('the first stop of the keyboard skips the menu, and what has the focus is marked', async () => {
  await visit(
    await logins.addPerson({ role: 'owner' }),
    async (page) => {
      await heading(page, /./)
      await page.keyboard.press('Tab')
      const skip = page.getByRole('link', { name: 'Skip to the content' })
      assert.equal(await skip.evaluate((link) => link.matches(':focus-visible')), true)
      await page.keyboard.press('Enter')
      assert.equal(await page.evaluate('document.activeElement.id'), 'content')
      await page.keyboard.press('Tab')
      const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
      assert.equal(outline, 'solid')
    },
    { viewport: desktop, site },
  )
})

test('an organization that is not activated reads why it has no live data, and cannot force it', async () => {
  const accountId = await withApi(stack).addAccount()
  await visit(
    await logins.addPerson({ role: 'owner', accountId }),
    async (page) => {
      await page.getByText('Test mode:').waitFor()
      assert.equal(await page.getByRole('button', { name: 'Switch to live' }).count(), 0)
      await page.getByRole('link', { name: 'How to go live' }).click()
      await heading(page, 'Test mode and live')
      assert.match(await looked(page, 'environment'), /has not been activated yet[\s\S]*Ask them\./)
      const sent = await page.request.post(`${pages.base}/dashboard/environment`, {
        headers: { 'sec-fetch-site': 'same-origin' },
        form: { environment: 'live' },
      })
      assert.equal(sent.status(), 403)
      assert.match(await sent.text(), /has not been activated yet/)
      const foreign = await page.request.post(`${pages.base}/dashboard/environment`, {
        headers: { 'sec-fetch-site': 'cross-site' },
        form: { environment: 'sandbox' },
      })
      assert.equal(foreign.status(), 403)
      assert.deepEqual(
        (await page.context().cookies()).map(({ name }) => name),
        ['dashboard_access', 'dashboard_refresh'],
      )
      // Even a cookie that names it leads back to what the API allows.
      await page
        .context()
        .addCookies([{ name: 'dashboard_environment', value: 'live', url: `${pages.base}/dashboard` }])
      await page.goto(`${pages.base}/dashboard/subscriptions`)
      await heading(page, 'Subscriptions')
      await page.getByText('Test mode:').waitFor()
    },
    { viewport: desktop, site },
  )
})

for (const script of [false, true]) {
  test(`two people of one organization each choose their own environment, script ${script}`, async () => {
    const { accountId } = await withApi(stack).addMerchant()
    await changeAccount(stack, accountId, { paymentsEnabled: true })
    const first = await logins.addPerson({ role: 'owner', accountId })
    await visit(
      first,
      async (page) => {
        await heading(page, /./)
        assert.equal(await page.getByText('Test mode:').count(), 0, 'live data first')
        await press(page, 'Switch to test mode')
        await page.getByText('Test mode:').waitFor()
        await visit(
          await logins.addPerson({ role: 'viewer', accountId }),
          async (other) => {
            await heading(other, /./)
            assert.equal(await other.getByText('Test mode:').count(), 0)
          },
          { viewport: desktop, site },
        )
        await page.reload()
        await page.getByText('Test mode:').waitFor()
        await looked(page, 'test-mode')
        await press(page, 'Switch to live')
        await heading(page, /./)
        assert.equal(await page.getByText('Test mode:').count(), 0)
        await press(page, 'Switch to test mode')
        await page.getByText('Test mode:').waitFor()
        await press(page, 'Sign out')
        await heading(page, 'Sign in')
        assert.deepEqual(await page.context().cookies(), [], 'the choice ends with the session')
      },
      { viewport: desktop, script, site },
    )
  })
}
