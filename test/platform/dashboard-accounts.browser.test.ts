import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { withApi } from '../support/api.ts'
import { completeAccount, createAccount, forStaff, readAccount } from '../support/connected-account.ts'
import { choose } from '../support/dashboard.ts'
import { endow } from '../support/conversion.ts'
import { desktop, heading, looked, phone, press, smallPhone, type, useDesk } from '../support/review-desk.ts'

// A platform's people look after its connected accounts in a browser. Their role decides what is offered.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const { merchant } = stack
const hostile = `Books & <b>more</b> ${'x'.repeat(60)}`
const { account_id: begun } = await createAccount(merchant, { business_profile: { name: hostile } })
const { account_id: complete } = await completeAccount(merchant, forStaff)
await createAccount(merchant, { country: 'GB', business_profile: { name: 'A British shop' } })
await endow(stack, complete, '1234.50', 'NGN')

for (const [viewport, script] of [
  [smallPhone, false],
  [phone, true],
  [desktop, true],
] as const) {
  test(`accounts are listed, filtered and read, ${viewport.width} wide, script ${script}`, async () => {
    await visit(
      await logins.addPerson({ role: 'viewer' }),
      async (page) => {
        await choose(page, 'Accounts')
        await heading(page, 'Accounts')
        const list = await looked(page, 'accounts')
        assert.match(list, /<b>more<\/b> x+\s+Onboarding\s+(Due now\s+)?[^\n]+, [^\n]+ and \d+ more/)
        assert.match(list, /Example Books\s+Under review\s+(Due now\s+)?Nothing/)
        await page.getByLabel('Country').selectOption('GB')
        await press(page, 'Show')
        await page.getByText('A British shop').waitFor()
        assert.doesNotMatch(await page.locator('main').innerText(), /Example Books\s+Under review/)
        await page.getByLabel('Status').selectOption('active')
        await press(page, 'Show')
        await page.getByText('Nothing to show.').waitFor()
        await page.goto(`${pages.base}/dashboard/accounts?status=under_review`)
        await page.getByRole('link', { name: 'Example Books' }).click()
        await heading(page, 'Example Books')
        const shown = await looked(page, 'dashboard-account')
        assert.ok(shown.includes(complete))
        assert.match(shown, /Takes payments\s+No/)
        assert.match(shown, /Being checked\s+[\s\S]*Registration number/)
        assert.match(shown, /Payouts\s+Pending/)
        assert.match(shown, /Available\s+NGN\s1,234\.50/)
        assert.match(shown, /Ada Obi\s+representative, owner, director/)
        assert.match(shown, /Certificate of incorporation\s+paper\.pdf/)
        assert.match(shown, /Complete; held for a decision[\s\S]*Waiting for a reviewer/)
        assert.doesNotMatch(await page.content(), /signature=|22212345678|1990-04-12|5678/)
        assert.equal(await page.locator('main form').count(), 0, 'a viewer changes nothing')
      },
      { viewport, script, site: '/dashboard' },
    )
  })
}

for (const script of [false, true]) {
  test(`a developer requests a capability and makes a link for the seller, script ${script}`, async () => {
    const { account_id: id } = await createAccount(merchant, { business_profile: { name: 'New shop' } })
    await visit(
      await logins.addPerson({ role: 'developer' }),
      async (page) => {
        await page.goto(`${pages.base}/dashboard/accounts/${id}`)
        await heading(page, 'New shop')
        await page.getByRole('button', { name: /^Request Virtual accounts$/ }).click()
        await page.getByText('The capability is requested.').waitFor()
        const row = page.getByRole('listitem').filter({ hasText: 'Virtual accounts' })
        assert.match(await row.innerText(), /Pending\s+Also needs: Memorandum and articles of association/)
        await row.getByRole('button').click()
        await page.getByText('The capability is no longer requested.').waitFor()
        assert.equal(await page.getByRole('button', { name: /Mobile money/ }).count(), 0, 'not offered in Nigeria')
        await page.getByText('Create an onboarding link').click()
        await type(page.getByLabel('Where the seller goes afterwards'), 'http://')
        await looked(page, 'account-link')
        await page.locator('form[action$="/link"]').evaluate((form) => form.setAttribute('novalidate', ''))
        await press(page, 'Create link')
        await page.getByText('Enter the full address of a page of yours').waitFor()
        assert.equal(await page.getByLabel('Where the seller goes afterwards').inputValue(), 'http://')
        await type(page.getByLabel('Where the seller goes afterwards'), 'https://example.com/sellers')
        await press(page, 'Create link')
        await heading(page, 'A new onboarding link')
        await looked(page, 'account-link-made')
        const url = await page.getByRole('textbox', { name: 'Onboarding link' }).inputValue()
        assert.match(url, /\/onboarding\/os_[0-9a-z]{34}_secret_/)
        if (script) await page.getByRole('button', { name: /^Copy/ }).waitFor()
        await page.goto(pages.base + new URL(url).pathname)
        await heading(page, /^Set up your account with/)
      },
      { script, viewport: phone, site: '/dashboard' },
    )
    const sessions = await stack.sql(`select return_url, refresh_url from onboarding_sessions where account_id = ?`, [
      id,
    ])
    const address = 'https://example.com/sellers'
    assert.deepEqual(sessions, [{ return_url: address, refresh_url: address }])
    assert.equal((await readAccount(merchant, id)).capabilities.virtual_accounts, 'inactive')
  })
}

test('a viewer who sends the forms all the same is refused', async () => {
  await visit(
    await logins.addPerson({ role: 'viewer' }),
    async (page) => {
      await page.goto(`${pages.base}/dashboard/accounts`)
      for (const [path, form] of [
        ['capabilities', { capability: 'virtual_accounts', requested: '1' }],
        ['link', { return_url: 'https://example.com' }],
      ] as const) {
        const address = `${pages.base}/dashboard/accounts/${begun}/${path}`
        const answer = await page.request.post(address, { form, headers: { origin: pages.base } })
        assert.equal(answer.status(), 403, path)
        assert.match(await answer.text(), /Your role does not allow this/)
      }
    },
    { site: '/dashboard' },
  )
  assert.equal((await readAccount(merchant, begun)).capabilities.virtual_accounts, 'inactive')
})

test('the accounts of another platform are not found', async () => {
  const stranger = await logins.addPerson({ accountId: await withApi(stack).addAccount() })
  await visit(
    stranger,
    async (page) => {
      await page.goto(`${pages.base}/dashboard/accounts`)
      await page.getByText('No connected accounts yet.').waitFor()
      for (const id of [begun, newId('acct', 0), 'x']) {
        const answer = await page.goto(`${pages.base}/dashboard/accounts/${id}`)
        assert.equal(answer?.status(), 404, id)
        await heading(page, 'This page does not exist')
      }
    },
    { site: '/dashboard' },
  )
})

test('the page shows a notice for the words that it knows, and for no other word in its address', async () => {
  await visit(
    await logins.addPerson({ role: 'owner' }),
    async (page) => {
      await page.goto(`${pages.base}/dashboard/accounts/${complete}?done=requested`)
      await page.getByText('The capability is requested.').waitFor()
      for (const done of ['constructor', '__proto__', 'other', '']) {
        await page.goto(`${pages.base}/dashboard/accounts/${complete}?done=${done}`)
        await heading(page, 'Example Books')
        assert.equal(await page.locator('[role=status]').count(), 0, done)
        assert.doesNotMatch(await page.locator('main').innerText(), /native code|\[object/, done)
      }
    },
    { site: '/dashboard' },
  )
})

test('by keyboard alone, in the dark, from the look-up by id to a capability', async () => {
  await visit(
    await logins.addPerson({ role: 'owner' }),
    async (page) => {
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.goto(`${pages.base}/dashboard/timelines`)
      await type(page.getByLabel('Id'), begun)
      await page.keyboard.press('Enter')
      await heading(page, /^Books & <b>more/)
      await looked(page, 'dashboard-account-dark')
      for (let tabs = 0; tabs < 60; tabs++) {
        await page.keyboard.press('Tab')
        if (await page.evaluate('document.activeElement.textContent.startsWith("Request")')) break
      }
      await page.keyboard.press('Enter')
      await page.getByText('The capability is requested.').waitFor()
    },
    { site: '/dashboard' },
  )
})
