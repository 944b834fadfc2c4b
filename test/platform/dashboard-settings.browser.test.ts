import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withApi } from '../support/api.ts'
import { choose } from '../support/dashboard.ts'
import { desktop, heading, looked, phone, press, type, useDesk } from '../support/review-desk.ts'
import { changeAccount } from '../support/rows.ts'
import { png } from '../support/upload.ts'

// The settings of an organization, as its people read and change them in a browser.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const api = withApi(stack)
const tablet = { width: 820, height: 1180 }
const site = '/dashboard' as const
const hostile = `<script>alert(1)</script> "Søn" & 'Co' ${'w'.repeat(60)}`
const ownSite = { 'sec-fetch-site': 'same-origin' }
const accountPath = '/v1/account'
const checkoutPath = '/v1/accounts/checkout/settings'

type Methods = Record<string, { enabled: boolean; currencies?: Record<string, boolean> }>
const newMerchant = async () => {
  const { merchant, accountId } = await api.addMerchant()
  const settings = async (path = accountPath) => (await merchant.call('GET', path)).body as Record<string, unknown>
  const methods = async () => (await settings(checkoutPath))['enabled_payment_methods'] as Methods
  return { accountId, merchant, settings, methods }
}
const saved = (page: Page) => page.getByRole('status').getByText('Saved.').waitFor()

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [tablet, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`an admin changes what buyers see and the rules, ${viewport.width} wide, script ${script}`, async () => {
    const { accountId, settings } = await newMerchant()
    await visit(
      await logins.addPerson({ role: 'admin', accountId }),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await choose(page, 'Account')
        await heading(page, 'Account')
        await type(page.getByLabel('Name for buyers'), hostile)
        await type(page.getByLabel('Support email'), 'Help@Example.com')
        await type(page.getByLabel('Color'), 'blue')
        await type(page.getByLabel('Text on card statements'), '1 A')
        await type(page.getByLabel('Days between attempts'), '3, x, 7')
        await page.getByLabel('Send it back to the buyer').check()
        await page.getByText('Not used yet: receipts, invoices and mails name times in UTC.').waitFor()
        await page.getByLabel('Time zone').selectOption('Africa/Lagos')
        await press(page, 'Save')
        for (const words of ['Enter a color such as #1a73e8', 'Enter 5 to 22 letters', 'Enter 1 to 10 whole numbers'])
          await page.getByText(words).waitFor()
        assert.equal((await settings())['support_email'], null, 'nothing was saved')
        assert.equal(await page.getByLabel('Name for buyers').inputValue(), hostile)
        assert.equal(await page.getByLabel('Days between attempts').inputValue(), '3, x, 7')
        assert.equal(await page.getByLabel('Time zone').inputValue(), 'Africa/Lagos')
        assert.equal(await page.getByLabel('Send it back to the buyer').isChecked(), true)
        await looked(page, `settings-errors-${colorScheme}`)
        await type(page.getByLabel('Color'), '#1A73E8')
        await type(page.getByLabel('Text on card statements'), 'ACME STORE')
        await type(page.getByLabel('Days between attempts'), '3 7')
        await press(page, 'Save')
        await saved(page)
        await looked(page, `settings-${colorScheme}`)
        const { account_id: _id, name: _name, logo: _logo, ...changed } = await settings()
        assert.deepEqual(changed, {
          display_name: hostile,
          support_email: 'help@example.com',
          accent_color: '#1a73e8',
          statement_text: 'ACME STORE',
          dunning: [3, 7],
          timezone: 'Africa/Lagos',
          late_payment_policy: 'refund',
          refund_fee_bearer: 'ORG',
        })
        await page.getByLabel('Support email').clear()
        await page.getByLabel('Name for buyers').clear()
        await press(page, 'Save')
        await saved(page)
        const cleared = await settings()
        assert.deepEqual([cleared['support_email'], cleared['display_name']], [null, cleared['name']])
      },
      { viewport, script, site },
    )
  })

  test(`an owner chooses the payment methods, ${viewport.width} wide, script ${script}`, async () => {
    const { accountId, methods } = await newMerchant()
    await visit(
      await logins.addPerson({ role: 'owner', accountId }),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await choose(page, 'Checkout')
        await heading(page, 'Checkout')
        await page.getByRole('checkbox', { name: 'Card, NGN' }).uncheck()
        await page.getByRole('checkbox', { name: 'Crypto', exact: true }).check()
        await page.getByRole('checkbox', { name: 'ETH on Ethereum' }).uncheck()
        await page.getByLabel('The buyer: they are added').check()
        await press(page, 'Save')
        await saved(page)
        await looked(page, `checkout-settings-${colorScheme}`)
        const now = await methods()
        assert.deepEqual([now['NGN_CARD']?.enabled, now['USD_CARD']?.enabled], [false, true])
        assert.equal(now['CRYPTO']?.enabled, true)
        assert.deepEqual(
          [now['CRYPTO']?.currencies?.['ETH_ETH'], now['CRYPTO']?.currencies?.['SOL_SOL']],
          [false, true],
        )
        assert.equal(await page.getByLabel('The buyer: they are added').isChecked(), true)
        for (const box of await page.getByRole('checkbox').all()) await box.uncheck()
        await press(page, 'Save')
        await page.getByText('Every payment method is off').waitFor()
      },
      { viewport, script, site },
    )
  })
}

test('in live a second page says what it means to switch every method off', async () => {
  const { accountId } = await newMerchant()
  const { merchant: live } = await api.addKey({ accountId, environment: 'live' })
  await changeAccount(stack, accountId, { paymentsEnabled: true })
  const isOn = async () => {
    const { body } = await live.call('GET', checkoutPath)
    return Object.values(body['enabled_payment_methods'] as unknown as Methods).some(({ enabled }) => enabled)
  }
  await visit(
    await logins.addPerson({ role: 'owner', accountId }),
    async (page) => {
      await choose(page, 'Checkout')
      for (const box of await page.getByRole('checkbox').all()) await box.uncheck()
      await press(page, 'Save')
      await heading(page, 'Switch every payment method off?')
      assert.equal(await isOn(), true)
      await looked(page, 'checkout-off')
      await press(page, 'Change it')
      await heading(page, 'Checkout')
      assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 0, 'what was chosen is kept')
      await press(page, 'Save')
      await press(page, 'Switch them off')
      await saved(page)
      assert.equal(await isOn(), false)
      await page.getByText('so nobody can pay you').waitFor()
    },
    { viewport: desktop, site },
  )
})

test('a logo is uploaded, replaced by nothing that is no image, and removed', async () => {
  const { accountId, settings } = await newMerchant()
  await visit(
    await logins.addPerson({ role: 'developer', accountId }),
    async (page) => {
      await choose(page, 'Account')
      const send = async (name: string, buffer: Buffer) => {
        await page.getByLabel(/Add an image|Replace it by/).setInputFiles({ name, mimeType: 'image/png', buffer })
        await press(page, 'Save the logo')
      }
      await press(page, 'Save the logo')
      await page.getByText('Choose an image first.').waitFor()
      await send('logo.png', Buffer.from('%PDF-1.7 no image'))
      await page.getByText('Choose a PNG, JPEG or WebP image').waitFor()
      assert.equal((await settings())['logo'], null)
      await send('lo"go.png', Buffer.from(png))
      await page.getByRole('status').getByText('The logo is saved.').waitFor()
      const { logo } = await settings()
      const shown = await page.request.get(`${pages.base}/uploads/${String(logo)}`)
      assert.equal(shown.status(), 200)
      await looked(page, 'settings-logo')
      await press(page, 'Remove the logo')
      await page.getByRole('status').getByText('The logo is removed.').waitFor()
      assert.equal((await settings())['logo'], null)
    },
    { viewport: desktop, site },
  )
})

test('two people who change different settings at once keep both changes', async () => {
  const { accountId, settings, methods } = await newMerchant()
  const other = await logins.addPerson({ role: 'owner', accountId })
  await visit(
    await logins.addPerson({ role: 'admin', accountId }),
    async (page) => {
      await choose(page, 'Account')
      await type(page.getByLabel('Color'), '#112233')
      const tab = await page.context().newPage()
      await tab.goto(`${pages.base}/dashboard/settings/checkout`)
      await tab.getByRole('checkbox', { name: 'Card, NGN' }).uncheck()
      await visit(
        other,
        async (second) => {
          await choose(second, 'Account')
          await type(second.getByLabel('Support email'), 'new@example.com')
          await press(second, 'Save')
          await saved(second)
          await choose(second, 'Checkout')
          await second.getByRole('checkbox', { name: 'Card, USD' }).uncheck()
          await press(second, 'Save')
          await saved(second)
        },
        { viewport: phone, site },
      )
      await press(page, 'Save')
      await saved(page)
      const { support_email: email, accent_color: color } = await settings()
      assert.deepEqual([email, color], ['new@example.com', '#112233'])
      await press(tab, 'Save')
      await saved(tab)
      const now = await methods()
      assert.deepEqual([now['NGN_CARD']?.enabled, now['USD_CARD']?.enabled], [false, false])
    },
    { viewport: desktop, site },
  )
})

for (const [viewport, script] of [
  [phone, false],
  [desktop, true],
] as const) {
  test(`of two who change one setting the later one is told, and loses nothing, ${viewport.width} wide`, async () => {
    const { accountId, merchant, settings } = await newMerchant()
    await visit(
      await logins.addPerson({ role: 'admin', accountId }),
      async (page) => {
        await choose(page, 'Account')
        await heading(page, 'Account')
        await type(page.getByLabel('Support email'), 'mine@example.com')
        await page.getByLabel('Send it back to the buyer').check()
        await type(page.getByLabel('Days between attempts'), '4, 4')
        const theirs = { support_email: 'theirs@example.com', accent_color: '#aabbcc', dunning: [9, 9] }
        await merchant.call('PATCH', accountPath, { ...theirs, refund_fee_bearer: 'CUSTOMER' })
        await press(page, 'Save')
        await page.getByRole('alert').getByText('Not saved. See what is marked below.').waitFor()
        await page.getByText('Somebody else has changed this meanwhile to “theirs@example.com”.').waitFor()
        await page.getByText('Somebody else has changed this meanwhile to “9, 9”.').waitFor()
        await looked(page, 'settings-clash')
        const untouched = await settings()
        for (const [name, value] of Object.entries({ ...theirs, late_payment_policy: 'accept' }))
          assert.deepEqual(untouched[name], value, name)
        assert.equal(await page.getByLabel('Support email').inputValue(), 'mine@example.com')
        assert.equal(await page.getByLabel('Days between attempts').inputValue(), '4, 4')
        assert.equal(await page.getByLabel('Send it back to the buyer').isChecked(), true)
        assert.equal(await page.getByLabel('Color').inputValue(), '#aabbcc', 'what is there now')
        await merchant.call('PATCH', accountPath, { support_email: null, accent_color: '#ddeeff' })
        await press(page, 'Save')
        await page.getByText('Somebody else has cleared this meanwhile.').waitFor()
        assert.equal(await page.getByText(/Somebody else has changed/).count(), 0, 'the days are known by now')
        await press(page, 'Save')
        await saved(page)
        const now = await settings()
        const expected = {
          support_email: 'mine@example.com',
          dunning: [4, 4],
          late_payment_policy: 'refund',
          refund_fee_bearer: 'CUSTOMER',
          accent_color: '#ddeeff',
        }
        for (const [name, value] of Object.entries(expected)) assert.deepEqual(now[name], value, name)
        await page.getByLabel('Keep it: the sale counts as paid').check()
        await merchant.call('PATCH', accountPath, { late_payment_policy: 'accept' })
        await press(page, 'Save')
        await saved(page)
      },
      { viewport, script, site },
    )
  })

  test(`of two who switch payment methods at once both changes hold, ${viewport.width} wide`, async () => {
    const { accountId, merchant, settings, methods } = await newMerchant()
    const mine = await logins.addPerson({ role: 'owner', accountId })
    const theirs = await logins.addPerson({ role: 'admin', accountId })
    const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
    await visit(
      mine,
      async (page) => {
        await choose(page, 'Checkout')
        await heading(page, 'Checkout')
        await box(page, 'Card, NGN').uncheck()
        await box(page, 'ETH on Ethereum').uncheck()
        await page.getByLabel('The buyer: they are added').check()
        await visit(
          theirs,
          async (second) => {
            await choose(second, 'Checkout')
            await box(second, 'Card, NGN').uncheck()
            await box(second, 'Card, USD').uncheck()
            await second.getByLabel('The buyer: they are added').check()
            await press(second, 'Save')
            await saved(second)
            await box(second, 'Card, USD').check()
            await press(page, 'Save')
            await saved(page)
            assert.equal(await box(page, 'Card, USD').isChecked(), false)
            await press(second, 'Save')
            await saved(second)
          },
          { viewport, script, site },
        )
        const now = await methods()
        assert.deepEqual([now['NGN_CARD']?.enabled, now['USD_CARD']?.enabled], [false, true])
        assert.equal(now['CRYPTO']?.currencies?.['ETH_ETH'], false, 'the second has not undone it')
        assert.equal((await settings(checkoutPath))['fee_preference'], 'customer_pays')
        await merchant.call('PUT', checkoutPath, { fee_preference: 'org_pays' })
        await box(page, 'Card, NGN').check()
        await press(page, 'Save')
        await saved(page)
        assert.equal((await settings(checkoutPath))['fee_preference'], 'org_pays', 'untouched, so not sent')
      },
      { viewport, script, site },
    )
  })
}

test('a viewer reads the values and changes nothing, and neither does another site or a form of nonsense', async () => {
  const { accountId, merchant, settings, methods } = await newMerchant()
  await merchant.call('PATCH', accountPath, { display_name: hostile })
  const [before, on] = [await settings(), await methods()]
  const forms = ['', '/checkout', '/logo/remove'] as const
  const send = (page: Page, path: string, headers: Record<string, string>) =>
    page.request.post(`${pages.base}/dashboard/settings${path}`, {
      headers,
      form: { display_name: 'Theirs', before: '{', fee_preference: 'nobody' },
    })
  await visit(
    await logins.addPerson({ role: 'viewer', accountId }),
    async (page) => {
      for (const name of ['Account', 'Checkout']) {
        await choose(page, name)
        await heading(page, name)
        const shown = await looked(page, `settings-viewer-${name}`)
        assert.ok(name === 'Checkout' ? /Bank transfer, NGN/.test(shown) : shown.includes(hostile), shown)
        assert.equal(await page.locator('main form').count(), 0)
      }
      for (const path of forms) assert.equal((await send(page, path, ownSite)).status(), 403, path)
    },
    { viewport: phone, site },
  )
  await visit(
    await logins.addPerson({ role: 'owner', accountId }),
    async (page) => {
      for (const path of [...forms, '/logo']) {
        const answer = await send(page, path, { 'sec-fetch-site': 'cross-site' })
        assert.equal(answer.status(), 403, path)
      }
      for (const path of ['', '/checkout']) {
        const answer = await send(page, path, ownSite)
        assert.equal(answer.status(), 400, path)
        assert.match(await answer.text(), /Choose one of these\./)
      }
    },
    { viewport: desktop, site },
  )
  assert.deepEqual([await settings(), await methods()], [before, on])
})
