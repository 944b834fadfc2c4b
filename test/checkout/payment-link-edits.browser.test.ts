import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApi } from '../support/api.ts'
import { createLink, type Link, withLinks } from '../support/payment-link.ts'
import { desktop, heading, looked, phone, press, type, useDesk } from '../support/review-desk.ts'

// People of a merchant change a payment link and its metadata, also two of them at once.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const site = '/dashboard' as const
const hostile = `</textarea><script>alert(1)</script>"&'${'w'.repeat(50)}`
const { merchant, accountId } = await withApi(stack).addMerchant()
const links = withLinks(merchant)
const addressOf = ({ payment_link_id: id }: Link) => `${pages.base}/dashboard/payment-links/${id}`
const person = (role: 'owner' | 'admin') => logins.addPerson({ role, accountId })

test('two people who edit a link at once lose nothing, and a clash is told before anything is replaced', async () => {
  const metadata = { kept: 'a', theirs: 'b', both: 'c', gone: 'd\r\nd', both_gone: 'e' }
  const link = await createLink(merchant, { metadata, payment_method_options: { card: { currencies: ['USD'] } } })
  await visit(
    await person('owner'),
    async (page) => {
      await page.goto(`${addressOf(link)}/edit`)
      await heading(page, 'Change A poster')
      await looked(page, 'link-edit')
      await type(page.getByLabel('Name', { exact: true }), 'Mine')
      await page.getByLabel('both', { exact: true }).fill('mine')
      await page.getByLabel('both_gone', { exact: true }).fill('mine')
      await page.getByLabel('gone', { exact: true }).fill('')
      await type(page.getByLabel('New key 1', { exact: true }), 'new')
      await page.getByLabel('Value of new key 1').fill('mine')
      await links.patch(link, {
        success_url: 'https://example.com/theirs',
        metadata: { theirs: 'theirs', both: hostile, both_gone: '', new: 'theirs' },
      })
      await press(page, 'Save')
      await page.getByText(`Somebody else has changed this meanwhile to “${hostile}”.`).waitFor()
      const told = await looked(page, 'link-edit-clash')
      assert.match(told, /meanwhile to “theirs”[\s\S]*Somebody else has cleared this meanwhile/)
      assert.equal((await links.read(link))['name'], 'A poster', 'nothing is saved before they have seen it')
      assert.equal(await page.getByLabel('Page to which buyers go on').inputValue(), 'https://example.com/theirs')
      assert.equal(await page.getByLabel('both', { exact: true }).inputValue(), 'mine')
      await press(page, 'Save')
      await page.getByText('Saved.').waitFor()
      const now = await links.read(link)
      assert.deepEqual(
        [now['name'], now['success_url'], now['payment_method_options']],
        ['Mine', 'https://example.com/theirs', { card: { currencies: ['USD'] } }],
      )
      assert.deepEqual(now['metadata'], { kept: 'a', theirs: 'theirs', both: 'mine', both_gone: 'mine', new: 'mine' })
      await page.goto(`${addressOf(link)}/edit`)
      await type(page.getByLabel('New key 1', { exact: true }), 'kept')
      await page.getByLabel('Value of new key 1').fill('x')
      await type(page.getByLabel('New key 2', { exact: true }), 'empty')
      await press(page, 'Save')
      await page.getByText('This key is above already.').waitFor()
      await page.getByText('Enter a value for this key').waitFor()
      await type(page.getByLabel('New key 1', { exact: true }), 'long')
      await page.getByLabel('Value of new key 1').fill('x'.repeat(501))
      await type(page.getByLabel('New key 2', { exact: true }), '')
      await press(page, 'Save')
      await page.getByText('A key has at most 40 characters and its value at most 500.').waitFor()
      assert.equal((await page.getByLabel('Value of new key 1').inputValue()).length, 501)
      await page.getByLabel('Value of new key 1').fill('x'.repeat(500))
      await type(page.getByLabel('How many can be sold'), '7')
      await page.getByLabel('Expires (UTC)').fill('2999-12-31T23:59')
      await press(page, 'Save')
      await page.getByText('Saved.').waitFor()
      await page.goto(`${addressOf(link)}/edit`)
      await press(page, 'Save')
      await page.waitForURL(addressOf(link), { timeout: 5_000 })
      const { updated_at: at, expires_at, max_completions } = await links.read(link)
      assert.deepEqual([expires_at, max_completions], ['2999-12-31T23:59:00.000Z', 7])
      await page.goto(`${addressOf(link)}/edit`)
      await page.getByLabel('Expires (UTC)').fill('')
      await type(page.getByLabel('How many can be sold'), '')
      await page.getByLabel('Card').uncheck()
      await press(page, 'Save')
      await page.getByText('Saved.').waitFor()
      const cleared = await links.read(link)
      assert.notEqual(cleared['updated_at'], at)
      const settings = ['expires_at', 'max_completions', 'payment_method_options']
      assert.deepEqual(
        settings.map((name) => cleared[name]),
        [null, null, null],
      )
    },
    { viewport: desktop, site },
  )
})

test('other payment methods that somebody else has chosen meanwhile are told by name', async () => {
  const link = await createLink(merchant, { payment_method_options: { card: {} } })
  await visit(
    await person('owner'),
    async (page) => {
      await page.goto(`${addressOf(link)}/edit`)
      await page.getByLabel('Card').uncheck()
      await links.patch(link, { payment_method_options: { mobile_money: {}, crypto: {} } })
      await press(page, 'Save')
      await page.getByText('Somebody else has changed this meanwhile to “Mobile money, Crypto”.').waitFor()
      assert.equal(await page.getByLabel('Card').isChecked(), false)
      await press(page, 'Save')
      await page.getByText('Saved.').waitFor()
      assert.equal((await links.read(link))['payment_method_options'], null)
    },
    { viewport: phone, site },
  )
})

test('metadata of fifty keys, with the longest values, is edited whole; one more is refused', async () => {
  const metadata = Object.fromEntries(
    Array.from({ length: 50 }, (_, n) => [`${'k'.repeat(37)}${n}`, `${n}${'𐍈'.repeat(498)}`]),
  )
  const link = await createLink(merchant, { metadata })
  await visit(
    await person('admin'),
    async (page) => {
      await page.goto(`${addressOf(link)}/edit`)
      await page.getByLabel(`${'k'.repeat(37)}49`, { exact: true }).fill('last')
      await type(page.getByLabel('New key 1', { exact: true }), 'one-more')
      await page.getByLabel('Value of new key 1').fill('x')
      await press(page, 'Save')
      await page.getByText('There are at most 50 keys.').waitFor()
      await page.getByLabel(`${'k'.repeat(37)}0`, { exact: true }).fill('')
      await press(page, 'Save')
      await page.getByText('Saved.').waitFor()
      const { metadata: now } = (await links.read(link)) as { metadata: Record<string, string> }
      assert.deepEqual(
        [Object.keys(now).length, now['one-more'], now[`${'k'.repeat(37)}49`], now[`${'k'.repeat(37)}0`]],
        [50, 'x', 'last', undefined],
      )
    },
    { viewport: phone, site },
  )
})
