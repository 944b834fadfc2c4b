import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../domain/id.ts'
import { withApi } from '../support/api.ts'
import { assertMakesOne, choose } from '../support/dashboard.ts'
import { cards } from '../support/merchant.ts'
import { createLink, type Link, opened, slugOf, withLinks } from '../support/payment-link.ts'
import { desktop, heading, looked, phone, press, type, useDesk } from '../support/review-desk.ts'

// People of a merchant make payment links, share their addresses, change them and switch them off.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const tablet = { width: 820, height: 1180 }
const site = '/dashboard' as const
const hostile = `</textarea><script>alert(1)</script>"&'${'w'.repeat(50)}`
const { merchant, accountId } = await withApi(stack).addMerchant()
const links = withLinks(merchant)
const folder = `${pages.base}/dashboard/payment-links`
const addressOf = ({ payment_link_id: id }: Link) => `${folder}/${id}`
const titles = (page: Page) => page.getByRole('table', { name: 'Payment links' }).locator('tbody th').allInnerTexts()
const person = (role: 'owner' | 'admin' | 'developer' | 'viewer') => logins.addPerson({ role, accountId })
const sameOrigin = { 'sec-fetch-site': 'same-origin' }

type Links = { pagination: { total: number }; items: Link[] }
const listed = async () => (await merchant.call('GET', '/v1/payment-links?limit=100')).body as unknown as Links
const total = async () => (await listed()).pagination.total

async function addProduct(fields: object): Promise<string> {
  const { status, body, text } = await merchant.call('POST', '/v1/products', { currency: 'USD', ...fields })
  assert.equal(status, 201, text)
  return String(body['product_id'])
}
const poster = await addProduct({ name: 'A poster', price_type: 'fixed', amount: '25.00' })
const gift = await addProduct({ name: hostile, price_type: 'custom', minimum_amount: '3.00' })
const group = await links.group([poster, gift])

const shownAddress = (page: Page) => page.getByRole('textbox', { name: 'Address of the link' }).inputValue()
/** The address of a link as the process with the pages tells it. */
const publicAddress = (link: Link) => `${pages.base}/l/${slugOf(link)}`

const urlOf = (page: Page): string => page.url().replace(/\?.*/, '')

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [tablet, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`a developer makes a link and switches it off, ${viewport.width} wide, script ${script}`, async () => {
    await visit(
      await person('developer'),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await choose(page, 'Payment links')
        await heading(page, 'Payment links')
        await looked(page, `links-${colorScheme}`)
        await page.getByRole('link', { name: 'New payment link' }).click()
        await heading(page, 'New payment link')
        await looked(page, `link-new-${colorScheme}`)
        await type(page.getByLabel('Name', { exact: true }), hostile)
        await type(page.getByLabel('Fixed price'), '1220.5')
        await type(page.getByLabel('Page to which buyers go on'), 'https://example.com/thanks')
        await page.getByLabel('Card').check()
        await type(page.getByLabel('How many can be sold'), '3')
        await page.getByLabel('What visitors read then').fill(`Sold.\n${hostile}`)
        await page.getByText('Metadata', { exact: true }).click()
        await type(page.getByLabel('New key 1', { exact: true }), '__proto__')
        await page.getByLabel('Value of new key 1').fill(hostile)
        await press(page, 'Create the link')
        await page.getByText('The link is ready.').waitFor()
        await heading(page, hostile)
        const shown = await looked(page, `link-${colorScheme}`)
        assert.match(shown, /On\s[\s\S]*Sells\s+USD\s1,220\.50\s+Sold so far\s+0 of 3/)
        const { items } = await listed()
        const link = items.find(({ payment_link_id: id }) => urlOf(page).endsWith(id))
        assert.ok(link)
        assert.deepEqual(
          [link['name'], link['inactive_message'], link['payment_method_options'], link['metadata']],
          [hostile, `Sold.\n${hostile}`, { card: {} }, JSON.parse(`{"__proto__":${JSON.stringify(hostile)}}`)],
        )
        assert.equal(await shownAddress(page), publicAddress(link))
        await page.getByRole('img', { name: 'QR code of the address' }).waitFor()
        if (script) {
          await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
          await page.getByRole('button', { name: 'Copy address of the link' }).click()
          await page.getByText('Copied', { exact: true }).waitFor()
          assert.equal(await page.evaluate('navigator.clipboard.readText()'), publicAddress(link))
        }
        const session = await opened(merchant, link, { customer_email: 'ada@example.com', reference: hostile })
        const paid = await merchant.payByCard(session as never, cards.success, 'USD_CARD')
        await page.goto(addressOf(link))
        assert.match(await page.locator('main').innerText(), /Sold so far\s+1 of 3[\s\S]*Paid/)
        await page.getByRole('table', { name: 'Visits' }).getByRole('link').first().click()
        await page.waitForURL(`${pages.base}/dashboard/payments/${String(paid['payment_id'])}`)
        await page.goto(addressOf(link))
        await page.getByRole('link', { name: 'Switch off…' }).click()
        await heading(page, 'Switch the link off?')
        const asked = await looked(page, `link-off-${colorScheme}`)
        assert.ok(asked.includes(hostile), 'the text for visitors is text')
        assert.equal((await links.read(link))['active'], true, 'nothing is off before the second press')
        await press(page, 'Switch off')
        await page.getByText('The link is off.').waitFor()
        assert.equal((await links.read(link))['active'], false)
        await page.goto(`${addressOf(link)}/off`)
        await page.waitForURL(addressOf(link))
        await page.goto(`${folder}?status=off`)
        assert.ok((await titles(page)).includes(hostile))
        await page.goto(`${folder}?status=on`)
        assert.ok(!(await page.locator('main').innerText()).includes(hostile))
        await page.goto(addressOf(link))
        await press(page, 'Switch on')
        await page.getByText('The link is on.').waitFor()
        assert.equal((await links.read(link))['active'], true)
        await links.patch(link, { name: 'An older one' })
      },
      { viewport, script, site },
    )
  })
}

test('a link sells products or one of a group, and a product’s page leads to the form', async () => {
  await visit(
    await person('owner'),
    async (page) => {
      await page.goto(`${folder}/new?product=${poster}`)
      await type(page.getByLabel('Name', { exact: true }), 'Two things')
      assert.equal(await page.getByLabel('Fixed price').isVisible(), false, 'only the chosen form of sale is shown')
      assert.equal(await page.getByLabel('Product 1').inputValue(), poster)
      await type(page.getByLabel('Quantity').first(), '2')
      await page.getByLabel('Product 3').selectOption(gift)
      await type(page.getByLabel('Page to which buyers go on'), 'https://example.com/thanks')
      await type(page.getByLabel('Quantity').nth(2), 'many')
      await press(page, 'Create the link')
      await page.getByText('Enter a whole number from 1 to 999.').waitFor()
      assert.equal(await page.locator('#quantity_2-error').isVisible(), true, 'the error is at its own line')
      assert.equal(await page.getByLabel('Quantity').nth(2).inputValue(), 'many')
      assert.equal(await page.getByLabel('Product 3').inputValue(), gift)
      await type(page.getByLabel('Quantity').nth(2), '')
      await press(page, 'Create the link')
      await page.getByText('The link is ready.').waitFor()
      const shown = await looked(page, 'link-products')
      assert.match(shown, /Sells\s+2 products[\s\S]*A poster Quantity 2/)
      assert.ok(shown.includes(hostile))
      await page.goto(`${folder}/new?group=${group}`)
      await type(page.getByLabel('Name', { exact: true }), 'One of them')
      assert.equal(await page.getByLabel('Product group').inputValue(), group)
      await page.getByLabel('Product group').selectOption('')
      await type(page.getByLabel('Page to which buyers go on'), 'https://example.com/thanks')
      await press(page, 'Create the link')
      await page.getByText(/does not exist. Nothing was created/).waitFor()
      await page.getByLabel('Product group').selectOption(group)
      await press(page, 'Create the link')
      await page.getByText('The link is ready.').waitFor()
      assert.match(await page.locator('main').innerText(), /One product of a group[\s\S]*Sizes/)
      const { items } = await listed()
      assert.deepEqual(
        [items[1]?.['product_cart'], items[0]?.['product_group_id']],
        [
          [
            { product_id: poster, quantity: 2, amount: null },
            { product_id: gift, quantity: 1, amount: null },
          ],
          group,
        ],
      )
    },
    { viewport: desktop, site },
  )
})

test('a refused form keeps what was typed and says what is wrong, at its place', async () => {
  const before = await total()
  await visit(
    await person('admin'),
    async (page) => {
      await page.goto(`${folder}/new`)
      await type(page.getByLabel('Name', { exact: true }), hostile)
      await page.getByLabel('The buyer decides', { exact: true }).check()
      await type(page.getByLabel('Fixed price'), '5')
      await type(page.getByLabel('Buyer decides: at least'), '9')
      await type(page.getByLabel('Buyer decides: at most'), '8')
      await type(page.getByLabel('Page to which buyers go on'), 'https://x')
      await type(page.getByLabel('How many can be sold'), '0')
      await page.getByLabel('Expires (UTC)').fill('2020-01-01T00:00')
      await page.getByText('Metadata', { exact: true }).click()
      await page.getByLabel('Value of new key 2').fill(hostile)
      await press(page, 'Create the link')
      await page.getByText('Enter a key for this value, or clear both.').waitFor()
      await type(page.getByLabel('New key 1', { exact: true }), 'k')
      await press(page, 'Create the link')
      await page.locator('#amount-error').waitFor()
      const told = await looked(page, 'link-new-refused')
      for (const words of [/upper one not below the lower/, /whole number from 1/, /a time in the future/])
        assert.match(told, words)
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), hostile)
      assert.equal(await page.getByLabel('Buyer decides: at most').inputValue(), '8')
      assert.equal(await page.getByLabel('Expires (UTC)').inputValue(), '2020-01-01T00:00')
      assert.equal(await page.getByLabel('Value of new key 1').inputValue(), hostile)
      for (const form of [{}, { sells: 'nothing', price_type: 'x', metadata_opened: '[[1]]', opened_with: '{' }]) {
        const sent = await page.request.post(`${folder}/new`, { headers: sameOrigin, multipart: { a: '', ...form } })
        assert.equal(sent.status(), 400)
      }
    },
    { viewport: phone, site },
  )
  assert.equal(await total(), before)
})

test('an amount beside products is refused if it has a currency sign, as theirs may be another one', async () => {
  const before = await total()
  await visit(
    await person('developer'),
    async (page) => {
      const sold = { sells: 'products', product_0: gift, currency: 'EUR' }
      for (const [name, value] of Object.entries({ amount_0: '€500', platform_fee: '€5', transfer_amount: '€5' })) {
        const multipart = { name: 'x', success_url: 'https://example.com/thanks', ...sold, [name]: value }
        const sent = await page.request.post(`${folder}/new`, { headers: sameOrigin, multipart })
        const html = await sent.text()
        assert.ok(html.includes(`id="${name}-error"`), name)
        assert.ok(html.includes(`value="${value}"`), `${name} is kept as it was typed`)
      }
    },
    { site },
  )
  assert.equal(await total(), before)
})

test('a form that is sent twice, at once or later, makes one link', async () => {
  const before = await total()
  await visit(
    await person('owner'),
    async (page) => {
      await page.goto(`${folder}/new`)
      await type(page.getByLabel('Name', { exact: true }), 'Once')
      await type(page.getByLabel('Fixed price'), '5')
      await type(page.getByLabel('Page to which buyers go on'), 'https://example.com/thanks')
      await assertMakesOne(page, `${folder}/new`, { amount: '6' })
    },
    { site },
  )
  assert.equal(await total(), before + 1)
})

test('a viewer sees links, is not offered to change them, and is refused', async () => {
  const link = await createLink(merchant, { name: hostile })
  await visit(
    await person('viewer'),
    async (page) => {
      await choose(page, 'Payment links')
      await heading(page, 'Payment links')
      assert.equal(await page.getByRole('link', { name: 'New payment link' }).count(), 0)
      await page.getByRole('link', { name: hostile }).first().click()
      await heading(page, hostile)
      await looked(page, 'link-viewer')
      assert.equal(await page.locator('main .actions').count(), 0)
      for (const path of [`${folder}/new`, `${addressOf(link)}/edit`, `${addressOf(link)}/off`]) {
        assert.equal((await page.goto(path))?.status(), 403, path)
        const form = { name: 'x', form_key: path }
        const body = path.endsWith('off') ? { form } : { multipart: form }
        const sent = await page.request.post(path, { headers: sameOrigin, ...body })
        assert.equal(sent.status(), 403, path)
      }
      const sent = await page.request.post(`${addressOf(link)}/on`, { headers: sameOrigin, form: {} })
      assert.equal(sent.status(), 403)
      assert.deepEqual(await links.read(link), link)
    },
    { viewport: tablet, site },
  )
})

test('another organization’s link is not found, and no other site’s form is taken', async () => {
  const link = await createLink(merchant)
  const before = await total()
  await visit(
    await logins.addPerson({ role: 'owner', accountId: await withApi(stack).addAccount() }),
    async (page) => {
      for (const id of [link.payment_link_id, newId('pl', 0), 'x', '%00', '..%2f..'])
        for (const more of ['', '/edit', '/off']) {
          assert.equal((await page.goto(`${folder}/${id}${more}`))?.status(), 404, id + more)
          await heading(page, 'This page does not exist')
        }
      for (const [more, body] of [
        ['/off', { form: { form_key: 'a' } }],
        ['/edit', { multipart: { name: 'Theirs' } }],
      ] as const) {
        const sent = await page.request.post(addressOf(link) + more, { headers: sameOrigin, ...body })
        assert.equal(sent.status(), 404, more)
      }
      await page.goto(folder)
      await page.getByText('No payment links yet.').waitFor()
    },
    { viewport: phone, site },
  )
  await visit(
    await person('owner'),
    async (page) => {
      const headers = { 'sec-fetch-site': 'cross-site' }
      for (const more of ['/off', '/on']) {
        const sent = await page.request.post(addressOf(link) + more, { headers, form: { form_key: 'a' } })
        assert.equal(sent.status(), 403, more)
      }
      for (const path of [`${addressOf(link)}/edit`, `${folder}/new`]) {
        const multipart = { name: 'Theirs', success_url: 'https://example.com', amount: '5', currency: 'USD' }
        const sent = await page.request.post(path, { headers, multipart })
        assert.equal(sent.status(), 403, path)
      }
      await page.goto(`${addressOf(link)}?cursor=nonsense`)
      await heading(page, 'A poster')
    },
    { viewport: phone, site },
  )
  assert.deepEqual(await links.read(link), link)
  assert.equal(await total(), before)
})
