import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../domain/id.ts'
import { withApi } from '../support/api.ts'
import { assertMakesOne, choose } from '../support/dashboard.ts'
import { cards, sale } from '../support/merchant.ts'
import { desktop, heading, looked, phone, press, type, useDesk } from '../support/review-desk.ts'
import { until } from '../support/until.ts'

// People of a merchant find their customers, see what they have, create and change them, and open their portal.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const tablet = { width: 820, height: 1180 }
const site = '/dashboard' as const
const hostile = `</textarea><script>alert(1)</script>"&'${'w'.repeat(50)}`
const { merchant, accountId } = await withApi(stack).addMerchant()
const folder = `${pages.base}/dashboard/customers`
const titles = (page: Page) => page.getByRole('table', { name: 'Customers' }).locator('tbody th').allInnerTexts()
const person = (role: 'owner' | 'admin' | 'developer' | 'viewer') => logins.addPerson({ role, accountId })
const sameOrigin = { 'sec-fetch-site': 'same-origin' }

type Fields = Record<string, unknown>
async function call(method: string, path: string, body?: object): Promise<Fields> {
  const { status, body: answer, text } = await merchant.call(method, path, body)
  assert.ok(status < 300, text)
  return answer as Fields
}
const addCustomer = async (fields: object) => String((await call('POST', '/v1/customers', fields))['customer_id'])
const readCustomer = (id: string) => call('GET', `/v1/customers/${id}`)
const total = async () => ((await call('GET', '/v1/customers')) as { pagination: { total: number } }).pagination.total

const ada = await addCustomer({
  email: 'ada@example.com',
  name: hostile,
  metadata: { [hostile.slice(0, 40)]: hostile },
})
const bob = await addCustomer({ email: 'bob@example.com' })

/** A customer who has bought a plan with a card: it has a subscription, a payment and a saved card. */
async function subscribe(email: string): Promise<string> {
  const recurring = { interval: 'month' }
  const plan = { name: hostile, price_type: 'fixed', amount: '25.00', currency: 'USD', recurring }
  const { product_id } = await call('POST', '/v1/products', plan)
  const customer = { email, name: 'Carla' }
  const session = await merchant.createCheckout({
    product_cart: [{ product_id }],
    success_url: sale.success_url,
    customer,
  })
  await merchant.payByCard(session, cards.success, 'USD_CARD')
  const { items } = (await call('GET', `/v1/customers?search=${email}`)) as unknown as { items: Fields[] }
  const id = String(items[0]?.['customer_id'])
  const has = async () => {
    const state = await call('GET', `/v1/customers/${id}/state`)
    return ['subscriptions', 'payment_methods'].every((kind) => (state[kind] as unknown[]).length === 1)
  }
  await until(has, 'the subscription has begun and the card is saved')
  return id
}
const carla = await subscribe('carla@example.com')

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [tablet, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`a viewer finds and reads customers and changes none, ${viewport.width} wide, script ${script}`, async () => {
    const before = await readCustomer(ada)
    await visit(
      await person('viewer'),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await choose(page, 'Customers')
        await heading(page, 'Customers')
        const shown = await looked(page, `customers-${colorScheme}`)
        assert.ok(shown.includes(hostile), 'the name is text')
        assert.equal(await page.getByRole('link', { name: 'New customer' }).count(), 0)
        const search = async (text: string) => {
          await type(page.getByLabel('Search'), text)
          await press(page, 'Show')
          await heading(page, 'Customers')
          return titles(page)
        }
        assert.deepEqual(await search('ADA@exam'), [hostile])
        assert.deepEqual(await search(bob), ['bob@example.com'])
        for (const nothing of ['nobody@example.com', newId('cust', 0), 'cust_', '%', `cust_${'x'.repeat(200)}`]) {
          await search(nothing)
          await page.getByText('No customer matches.').waitFor()
        }
        await page.goto(`${folder}?cursor=nonsense&search=a`)
        await page.waitForURL(folder)
        await page.getByRole('link', { name: 'Carla' }).click()
        await heading(page, 'Carla')
        const told = await looked(page, `customer-${colorScheme}`)
        assert.match(told, /USD\s25\.00[\s\S]*Subscriptions[\s\S]*Active[\s\S]*Visa ••4242[\s\S]*12\/2040/)
        assert.ok(told.includes(hostile), 'the product is text')
        const links = page.locator('main table').getByRole('link')
        const addresses = await links.evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''))
        assert.equal(addresses.length, 2)
        for (const address of addresses) assert.equal((await page.goto(pages.base + address))?.status(), 200, address)
        await page.goto(`${folder}/${ada}`)
        assert.ok((await looked(page, `customer-hostile-${colorScheme}`)).includes(`metadata: ${hostile.slice(0, 40)}`))
        assert.equal(await page.locator('main form').count(), 0)
        for (const path of [`${folder}/new`, `${folder}/${ada}/edit`]) {
          assert.equal((await page.goto(path))?.status(), 403, path)
          const multipart = { email: 'x@example.com', name: 'x', opened_with: '[]' }
          assert.equal((await page.request.post(path, { headers: sameOrigin, multipart })).status(), 403, path)
        }
        const form = { return_url: 'https://example.com' }
        const portal = await page.request.post(`${folder}/${ada}/portal`, { headers: sameOrigin, form })
        assert.equal(portal.status(), 403)
        assert.ok(!(await portal.text()).includes('/portal/cs_'))
      },
      { viewport, script, site },
    )
    assert.deepEqual(await readCustomer(ada), before)
  })

  test(`a developer creates and changes a customer, ${viewport.width} wide, script ${script}`, async () => {
    const email = `new${viewport.width}@example.com`
    await visit(
      await person('developer'),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await page.goto(`${folder}/new`)
        await looked(page, `customer-new-${colorScheme}`)
        await type(page.getByLabel('Email'), 'Ada@Example.com')
        await type(page.getByLabel('Name', { exact: true }), hostile)
        await type(page.getByLabel('Phone number'), '+234 (802) 345-6789')
        await type(page.getByLabel('City'), 'Lagos')
        await page.getByText('Metadata', { exact: true }).click()
        await type(page.getByLabel('New key 1', { exact: true }), hostile.slice(0, 40))
        await page.getByLabel('Value of new key 1').fill(hostile)
        await press(page, 'Create the customer')
        await page.getByText('Enter the first line of the address').waitFor()
        const told = await looked(page, `customer-refused-${colorScheme}`)
        assert.match(told, /Choose the country of the address/)
        assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), hostile)
        await type(page.getByLabel('Address', { exact: true }), '12 Marina Road')
        await page.getByLabel('Country').selectOption('NG')
        await press(page, 'Create the customer')
        await page.getByText('There is a customer with this email already.').waitFor()
        assert.equal(await page.getByLabel('Value of new key 1').inputValue(), hostile)
        await type(page.getByLabel('Email'), email)
        await press(page, 'Create the customer')
        await page.getByText('The customer is created.').waitFor()
        const id = page.url().replace(/.*\/(cust_\w+).*/, '$1')
        const made = await readCustomer(id)
        assert.deepEqual(
          [made['email'], made['name'], made['phone_number'], made['metadata']],
          [email, hostile, '+2348023456789', { [hostile.slice(0, 40)]: hostile }],
        )
        await page.getByRole('link', { name: 'Change…' }).click()
        await heading(page, `Change ${hostile}`)
        await looked(page, `customer-edit-${colorScheme}`)
        assert.equal(await page.getByLabel('Email').count(), 0, 'the email never changes')
        await type(page.getByLabel('Name', { exact: true }), '')
        await type(page.getByLabel('City'), '')
        await page.getByLabel(hostile.slice(0, 40), { exact: true }).fill('')
        await press(page, 'Save')
        await page.getByText('A name can be replaced, but not removed.').waitFor()
        assert.equal(await page.getByLabel(hostile.slice(0, 40), { exact: true }).inputValue(), '')
        await type(page.getByLabel('Name', { exact: true }), 'Another name')
        await press(page, 'Save')
        await page.getByText('Saved.').waitFor()
        const { name, phone_number, billing_address, metadata } = await readCustomer(id)
        const { line1, city, country } = billing_address as Fields
        assert.deepEqual(
          [name, phone_number, line1, city, country, metadata],
          ['Another name', '+2348023456789', '12 Marina Road', null, 'NG', {}],
        )
      },
      { viewport, script, site },
    )
  })
}

test('a form that is sent twice, at once or later, makes one customer', async () => {
  const before = await total()
  await visit(
    await person('owner'),
    async (page) => {
      await page.goto(`${folder}/new`)
      await type(page.getByLabel('Email'), 'once@example.com')
      await assertMakesOne(page, `${folder}/new`, { name: 'Other' })
    },
    { site },
  )
  assert.equal(await total(), before + 1)
})

test('two people who change a customer at once lose nothing', async () => {
  const id = await addCustomer({ email: 'both@example.com', name: 'First', metadata: { a: '1', b: '2' } })
  await visit(
    await person('owner'),
    async (page) => {
      await page.goto(`${folder}/${id}/edit`)
      await type(page.getByLabel('Phone number'), '+2348023456789')
      await page.getByLabel('a', { exact: true }).fill('mine')
      await visit(
        await person('admin'),
        async (other) => {
          await other.goto(`${folder}/${id}/edit`)
          await type(other.getByLabel('Name', { exact: true }), 'Theirs')
          await other.getByLabel('b', { exact: true }).fill('theirs')
          await press(other, 'Save')
          await other.getByText('Saved.').waitFor()
        },
        { viewport: phone, site },
      )
      await press(page, 'Save')
      await page.getByText('Saved.').waitFor()
      const { name, phone_number, metadata } = await readCustomer(id)
      assert.deepEqual([name, phone_number, metadata], ['Theirs', '+2348023456789', { a: 'mine', b: 'theirs' }])
      await page.goto(`${folder}/${id}/edit`)
      await type(page.getByLabel('Name', { exact: true }), 'Mine')
      await call('PATCH', `/v1/customers/${id}`, { name: 'Theirs again' })
      await press(page, 'Save')
      await page.getByText('Somebody else has changed this meanwhile to “Theirs again”.').waitFor()
      assert.equal((await readCustomer(id))['name'], 'Theirs again')
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Mine')
      await press(page, 'Save')
      await page.getByText('Saved.').waitFor()
      assert.equal((await readCustomer(id))['name'], 'Mine')
    },
    { viewport: desktop, site },
  )
})

test('a link into the portal is shown once and opens this customer’s portal', async () => {
  await visit(
    await person('developer'),
    async (page) => {
      await page.goto(`${folder}/${carla}`)
      await page.getByText('Create a link into the customer portal').click()
      await page.getByLabel('Where the customer goes afterwards').fill('ftp://x')
      await press(page, 'Create link')
      await page.getByText('Enter the full address of a page of yours').waitFor()
      await looked(page, 'customer-portal-refused')
      assert.equal(await page.getByLabel('Where the customer goes afterwards').inputValue(), 'ftp://x')
      await page.getByLabel('Where the customer goes afterwards').fill('https://example.com/account')
      await press(page, 'Create link')
      await heading(page, 'A link into the portal')
      await looked(page, 'customer-portal')
      const url = await page.getByRole('textbox', { name: 'Portal link' }).inputValue()
      assert.match(url, /\/portal\/cs_\w+_secret_/)
      await page.getByRole('link', { name: 'Back to the customer' }).click()
      assert.ok(!(await page.content()).includes('_secret_'), 'it is shown once')
      await page.goto(url)
      await page
        .getByText(/Carla|carla@example\.com|Subscriptions/)
        .first()
        .waitFor()
    },
    { viewport: phone, site },
  )
})

test('another organization’s customer is not found, and no other site’s form is taken', async () => {
  const before = [await readCustomer(ada), await total()]
  await visit(
    await logins.addPerson({ role: 'owner', accountId: await withApi(stack).addAccount() }),
    async (page) => {
      for (const id of [ada, newId('cust', 0), 'x'])
        for (const more of ['', '/edit']) assert.equal((await page.goto(`${folder}/${id}${more}`))?.status(), 404, id)
      const form = { return_url: 'https://example.com' }
      const portal = await page.request.post(`${folder}/${ada}/portal`, { headers: sameOrigin, form })
      assert.equal(portal.status(), 404)
      const multipart = { name: 'Theirs', opened_with: '[]' }
      const edit = await page.request.post(`${folder}/${ada}/edit`, { headers: sameOrigin, multipart })
      assert.equal(edit.status(), 404)
      await page.goto(`${folder}?search=${ada}`)
      await page.getByText('No customer matches.').waitFor()
    },
    { viewport: phone, site },
  )
  await visit(
    await person('owner'),
    async (page) => {
      const headers = { 'sec-fetch-site': 'cross-site' }
      for (const path of ['new', `${ada}/edit`]) {
        const multipart = { email: 'theirs@example.com', name: 'Theirs', opened_with: '[]' }
        assert.equal((await page.request.post(`${folder}/${path}`, { headers, multipart })).status(), 403, path)
      }
      const form = { return_url: 'https://example.com' }
      const portal = await page.request.post(`${folder}/${ada}/portal`, { headers, form })
      assert.equal(portal.status(), 403)
      assert.ok(!(await portal.text()).includes('_secret_'))
    },
    { viewport: phone, site },
  )
  assert.deepEqual([await readCustomer(ada), await total()], before)
})
