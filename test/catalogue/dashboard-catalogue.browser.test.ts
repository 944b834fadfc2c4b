import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../domain/id.ts'
import { withApi } from '../support/api.ts'
import { assertMakesOne, choose } from '../support/dashboard.ts'
import { desktop, heading, looked, phone, press, type, useDesk } from '../support/review-desk.ts'
import { pdf, png, webp } from '../support/upload.ts'

// People of a merchant create, change and archive products and groups of them.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const tablet = { width: 820, height: 1180 }
const site = '/dashboard' as const
const hostile = `</textarea><script>alert(1)</script>"&'${'w'.repeat(50)}`
const { merchant, accountId } = await withApi(stack).addMerchant()
const [products, groups] = ['products', 'product-groups'].map((name) => `${pages.base}/dashboard/${name}`) as [
  string,
  string,
]
const person = (role: 'owner' | 'admin' | 'developer' | 'viewer') => logins.addPerson({ role, accountId })
const sameOrigin = { 'sec-fetch-site': 'same-origin' }

type Fields = Record<string, unknown>
async function call(method: string, path: string, body?: object): Promise<Fields> {
  const { status, body: answer, text } = await merchant.call(method, path, body)
  assert.ok(status < 300, text)
  return answer as Fields
}
const addProduct = async (fields: object = {}) => {
  const product = { name: 'A poster', price_type: 'fixed', amount: '25.00', currency: 'USD', ...fields }
  return String((await call('POST', '/v1/products', product))['product_id'])
}
const readProduct = (id: string) => call('GET', `/v1/products/${id}`)
const readGroup = (id: string) => call('GET', `/v1/product-groups/${id}`)
const total = async (path: string) => ((await call('GET', path)) as { pagination: { total: number } }).pagination.total
const idOn = (page: Page): string => page.url().replace(/.*\/((prod|pg)_\w+).*/, '$1')
const titles = (page: Page, name: string) => page.getByRole('table', { name }).locator('tbody th').allInnerTexts()
const fileOf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer })

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [tablet, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  const { width } = viewport
  test(`a developer makes, changes and archives a product, ${width} wide, script ${script}`, async () => {
    await visit(
      await person('developer'),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await choose(page, 'Products')
        await heading(page, 'Products')
        await looked(page, `products-${colorScheme}`)
        await page.getByRole('link', { name: 'New product' }).click()
        await heading(page, 'New product')
        await looked(page, `product-new-${colorScheme}`)
        await type(page.getByLabel('Name', { exact: true }), hostile)
        await page.getByLabel('Description').fill(`One.\n\n${hostile}`)
        await page.getByLabel('Category').selectOption('saas')
        await type(page.getByLabel('Fixed price'), '0')
        await type(page.getByLabel('Free trial in days'), '14')
        await page.getByLabel('Add an image').setInputFiles(fileOf('a.png', png))
        await press(page, 'Create the product')
        await page.getByText('This is for a product that is billed again.').waitFor()
        await page.getByLabel('Billed').selectOption('month')
        await type(page.getByLabel('After how many'), '37')
        await press(page, 'Create the product')
        await page.getByText('Only for a fixed price').waitFor()
        const told = await looked(page, `product-refused-${colorScheme}`)
        assert.match(told, /Two charges are at most three years apart/)
        assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), hostile)
        assert.equal(await page.getByLabel('Description').inputValue(), `One.\n\n${hostile}`)
        assert.equal(await page.getByLabel('Add image 1').isChecked(), true, 'the image is kept')
        await type(page.getByLabel('Fixed price'), '1220.5')
        await type(page.getByLabel('After how many'), '3')
        await press(page, 'Create the product')
        await page.getByText('Created.').waitFor()
        const shown = await looked(page, `product-${colorScheme}`)
        assert.match(shown, /USD\s1,220\.50 every 3 months\s+Free trial\s+14 days\s+Category\s+Software as a service/)
        assert.ok(shown.includes(hostile))
        const id = idOn(page)
        const made = await readProduct(id)
        const [image] = made['images'] as { upload_id: string }[]
        assert.equal((await page.request.get(`${pages.base}/uploads/${image?.upload_id}`)).status(), 200)
        assert.equal(made['description'], `One.\n\n${hostile}`)
        await page.getByRole('link', { name: 'Change…' }).click()
        await heading(page, `Change ${hostile}`)
        await looked(page, `product-edit-${colorScheme}`)
        await type(page.getByLabel('Price in USD'), '30')
        await page.getByLabel('Description').fill('')
        await page.getByLabel('Keep image 1').uncheck()
        await page.getByLabel('Add an image').setInputFiles(fileOf('b.webp', webp))
        await press(page, 'Save')
        await page.getByText('Saved.').waitFor()
        const changed = await readProduct(id)
        const [other, ...more] = changed['images'] as { upload_id: string }[]
        assert.deepEqual([changed['amount'], changed['description'], more], ['30.00', null, []])
        assert.notEqual(other?.upload_id, image?.upload_id)
        await page.getByRole('link', { name: 'Archive…' }).click()
        await heading(page, 'Archive the product?')
        await looked(page, `product-archive-${colorScheme}`)
        assert.equal((await readProduct(id))['active'], true, 'nothing is archived before the second press')
        await press(page, 'Archive')
        await page.getByText('Archived. Nobody can buy it any more.').waitFor()
        assert.equal((await readProduct(id))['active'], false)
        assert.equal(await page.getByRole('link', { name: 'New payment link' }).count(), 0)
        await page.goto(`${products}/${id}/archive`)
        await page.waitForURL(`${products}/${id}`)
        for (const [query, isFound] of [
          ['status=archived&rhythm=recurring&search=SCRIPT', true],
          ['status=active', false],
          ['rhythm=once', false],
        ] as const) {
          await page.goto(`${products}?${query}`)
          assert.equal((await page.locator(`main table a[href$="${id}"]`).count()) > 0, isFound, query)
        }
        await page.goto(`${products}/${id}`)
        await press(page, 'Restore')
        await page.getByText('Restored.').waitFor()
        assert.equal((await readProduct(id))['active'], true)
        await call('PATCH', `/v1/products/${id}`, { name: 'An older one' })
        await call('DELETE', `/v1/products/${id}`)
      },
      { viewport, script, site },
    )
  })

  test(`an admin makes, changes and archives a product group, ${width} wide, script ${script}`, async () => {
    const [small, large, yearly] = [
      await addProduct({ name: `Small ${width}` }),
      await addProduct({ name: hostile, price_type: 'custom', amount: null }),
      await addProduct({ name: `Yearly ${width}`, recurring: { interval: 'year' } }),
    ]
    await visit(
      await person('admin'),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await choose(page, 'Product groups')
        await heading(page, 'Product groups')
        await page.getByRole('link', { name: 'New product group' }).click()
        await heading(page, 'New product group')
        await type(page.getByLabel('Name', { exact: true }), hostile)
        await page.getByLabel('Product 2').selectOption(large)
        await page.getByLabel('Product 5').selectOption(yearly)
        await looked(page, `group-new-${colorScheme}`)
        await press(page, 'Create the group')
        await page.getByText('Choose an active product, once').waitFor()
        await looked(page, `group-refused-${colorScheme}`)
        assert.equal(await page.locator('#product_4-error').isVisible(), true, 'the error is at its own product')
        assert.equal(await page.getByLabel('Product 5').inputValue(), yearly)
        await page.getByLabel('Product 5').selectOption(small)
        await press(page, 'Create the group')
        await page.getByText('Created.').waitFor()
        const shown = await looked(page, `group-${colorScheme}`)
        assert.ok(shown.includes(`${hostile} The buyer decides, in USD`))
        const id = idOn(page)
        assert.deepEqual((await readGroup(id))['products'], [large, small])
        await page.getByRole('link', { name: 'Change…' }).click()
        await page.getByLabel('Product 1').selectOption(small)
        await page.getByLabel('Product 2').selectOption(large)
        await page.getByLabel('Description').fill(hostile)
        await press(page, 'Save')
        await page.getByText('Saved.').waitFor()
        const { products: order, description, name } = await readGroup(id)
        assert.deepEqual([order, description, name], [[small, large], hostile, hostile])
        await page.getByRole('link', { name: 'Archive…' }).click()
        await heading(page, 'Archive the product group?')
        await looked(page, `group-archive-${colorScheme}`)
        await press(page, 'Archive')
        await page.getByText('Archived. Nobody can buy it any more.').waitFor()
        assert.equal((await readGroup(id))['active'], false)
        await page.goto(`${groups}?status=archived&search=script`)
        assert.ok((await titles(page, 'Product groups')).includes(hostile))
        await page.goto(`${groups}/${id}`)
        await press(page, 'Restore')
        await page.getByText('Restored.').waitFor()
      },
      { viewport, script, site },
    )
  })
}

test('what is no image, or too large, is not taken, and the rest of the form is kept', async () => {
  const id = await addProduct()
  await visit(
    await person('owner'),
    async (page) => {
      await page.goto(`${products}/${id}/edit`)
      for (const file of [
        fileOf('a.pdf', pdf),
        fileOf('a.png', Buffer.from('<svg onload="alert(1)">')),
        fileOf('none.png', Buffer.alloc(0)),
        fileOf('large.png', Buffer.concat([png], 10 * 1024 * 1024 + 1)),
      ]) {
        await type(page.getByLabel('Name', { exact: true }), `With ${file.name}`)
        await page.getByLabel('Add an image').setInputFiles(file)
        await press(page, 'Save')
        await page.getByText('Choose a PNG, JPEG or WebP image of at most 10 MB.').waitFor()
        assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), `With ${file.name}`)
      }
      assert.deepEqual([(await readProduct(id))['images'], (await readProduct(id))['name']], [[], 'A poster'])
    },
    { viewport: phone, site },
  )
})

test('a form that is sent twice, at once or later, makes one product with one image', async () => {
  const before = await total('/v1/products')
  await visit(
    await person('owner'),
    async (page) => {
      await page.goto(`${products}/new`)
      await type(page.getByLabel('Name', { exact: true }), 'Once')
      await type(page.getByLabel('Fixed price'), '5')
      await assertMakesOne(page, `${products}/new`, { amount: '6' }, { file: fileOf('a.png', png) })
    },
    { site },
  )
  assert.equal(await total('/v1/products'), before + 1)
})

test('a price is changed in the currency of its product, and one with the sign of another is refused', async () => {
  const id = await addProduct()
  await visit(
    await person('developer'),
    async (page) => {
      for (const [typed, amount] of [
        ['€500', '25.00'],
        ['USD 500', '500.00'],
      ] as const) {
        const multipart = { name: 'A poster', amount: typed }
        const sent = await page.request.post(`${products}/${id}/edit`, {
          headers: sameOrigin,
          multipart,
          maxRedirects: 0,
        })
        const isRefused = (await sent.text()).includes('id="amount-error"')
        assert.deepEqual([(await readProduct(id))['amount'], isRefused], [amount, typed === '€500'], typed)
      }
    },
    { site },
  )
})

test('an active product is offered behind 100 archived ones, of which a chosen one has its name', async () => {
  const { merchant: other, accountId: of } = await withApi(stack).addMerchant()
  const made = async (path: string, fields: object) => (await other.call('POST', path, fields)).body as Fields
  const priced = { price_type: 'fixed', amount: '25.00', currency: 'USD' }
  const [sold, chosen] = [
    await made('/v1/products', { name: 'A mug', ...priced }),
    await made('/v1/products', { name: 'A cup', ...priced }),
  ]
  const group = await made('/v1/product-groups', {
    name: 'Sizes',
    products: [sold['product_id'], chosen['product_id']],
  })
  await stack.sql(
    `insert into products select (jsonb_populate_record(each, jsonb_build_object('active', false,
       'id', 'prod_' || lpad(n::text, 34, 'z'), 'created_at', now() + n * interval '1 second'))).*
     from products each, generate_series(1, 99) n where id = ?`,
    [sold['product_id']],
  )
  await other.call('DELETE', `/v1/products/${String(chosen['product_id'])}`)
  await visit(
    await logins.addPerson({ role: 'owner', accountId: of }),
    async (page) => {
      const shown = async (path: string) => (await page.request.get(path)).text()
      const link = await shown(`${pages.base}/dashboard/payment-links/new`)
      assert.match(link, /A mug/)
      assert.doesNotMatch(link, /no active products|A cup/)
      assert.match(await shown(`${groups}/${String(group['product_group_id'])}/edit`), /selected>.*A cup/)
    },
    { viewport: phone, site },
  )
})

test('two people who change a product or a group at once lose nothing', async () => {
  const [first, second, third] = [await addProduct(), await addProduct(), await addProduct()]
  const group = await call('POST', '/v1/product-groups', { name: 'Sizes', products: [first, second] })
  const groupId = String(group['product_group_id'])
  await visit(
    await person('owner'),
    async (page) => {
      await page.goto(`${products}/${first}/edit`)
      await type(page.getByLabel('Name', { exact: true }), 'Mine')
      await page.getByLabel('Add an image').setInputFiles(fileOf('a.png', png))
      await visit(
        await person('admin'),
        async (other) => {
          await other.goto(`${products}/${first}/edit`)
          await type(other.getByLabel('Price in USD'), '99')
          await other.getByLabel('Add an image').setInputFiles(fileOf('b.webp', webp))
          await press(other, 'Save')
          await other.getByText('Saved.').waitFor()
        },
        { viewport: phone, site },
      )
      await press(page, 'Save')
      await page.getByText('Somebody else has changed the images meanwhile.').waitFor()
      await looked(page, 'product-clash')
      assert.equal(await page.getByLabel('Price in USD').inputValue(), '99.00')
      assert.equal((await readProduct(first))['name'], 'A poster')
      await page.getByLabel('Keep image 2').check()
      await press(page, 'Save')
      await page.getByText('Saved.').waitFor()
      const { name, amount, images } = await readProduct(first)
      assert.deepEqual([name, amount, (images as []).length], ['Mine', '99.00', 2])
      await page.goto(`${groups}/${groupId}/edit`)
      await page.getByLabel('Product 2').selectOption('')
      await call('PATCH', `/v1/product-groups/${groupId}`, { products: [first, second, third], name: 'Theirs' })
      await press(page, 'Save')
      await page.getByText('Somebody else has changed the products meanwhile.').waitFor()
      assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Theirs')
      assert.equal(((await readGroup(groupId))['products'] as []).length, 3)
      await press(page, 'Save')
      await page.getByText('Saved.').waitFor()
      assert.deepEqual((await readGroup(groupId))['products'], [first])
      await call('DELETE', `/v1/products/${first}`)
      await page.goto(`${groups}/${groupId}`)
      await page.getByText('Archived: not offered').waitFor()
      await page.goto(`${groups}/${groupId}/edit`)
      await page.getByLabel('Product 2').selectOption(second)
      await press(page, 'Save')
      await page.getByText('Choose an active product, once').waitFor()
    },
    { viewport: desktop, site },
  )
})

test('a viewer only reads, another organization finds nothing, and no other site’s form is taken', async () => {
  const product = await addProduct({ name: hostile })
  const group = String(
    (await call('POST', '/v1/product-groups', { name: hostile, products: [product] }))['product_group_id'],
  )
  const ours = [`${products}/${product}`, `${groups}/${group}`]
  const state = async () => [await readProduct(product), await readGroup(group), await total('/v1/products')]
  const before = await state()

  /** Sends each form of the pages, and returns the statuses. */
  async function sendAll(page: Page, headers: Record<string, string>): Promise<number[]> {
    const answers = []
    for (const path of [...ours.map((each) => `${each}/edit`), `${products}/new`, `${groups}/new`]) {
      const multipart = { name: 'Theirs', opened_with: '[]', product_0: product, amount: '5', currency: 'USD' }
      answers.push(await page.request.post(path, { headers, multipart }))
    }
    for (const path of ours.flatMap((each) => [`${each}/archive`, `${each}/restore`]))
      answers.push(await page.request.post(path, { headers, form: { form_key: path } }))
    return answers.map((answer) => answer.status())
  }

  await visit(
    await person('viewer'),
    async (page) => {
      for (const [name, path] of [
        ['Products', ours[0]],
        ['Product groups', ours[1]],
      ] as const) {
        await choose(page, name)
        await heading(page, name)
        assert.equal(await page.locator('main .actions').count(), 0)
        await page.goto(path ?? '')
        await heading(page, hostile)
        await looked(page, `viewer-${name}`)
        assert.equal(await page.locator('main .actions').count(), 0)
        for (const more of ['/edit', '/archive', '/../new']) assert.equal((await page.goto(path + more))?.status(), 403)
      }
      assert.deepEqual(new Set(await sendAll(page, sameOrigin)), new Set([403]))
    },
    { viewport: tablet, site },
  )
  await visit(
    await logins.addPerson({ role: 'owner', accountId: await withApi(stack).addAccount() }),
    async (page) => {
      for (const path of [...ours, `${products}/${newId('prod', 0)}`, `${groups}/x`])
        for (const more of ['', '/edit', '/archive']) assert.equal((await page.goto(path + more))?.status(), 404, path)
      for (const path of ours.flatMap((each) => [`${each}/archive`, `${each}/restore`]))
        assert.equal((await page.request.post(path, { headers: sameOrigin, form: { form_key: path } })).status(), 404)
      for (const path of ours) {
        const multipart = { name: 'Theirs', opened_with: '[]' }
        assert.equal((await page.request.post(`${path}/edit`, { headers: sameOrigin, multipart })).status(), 404)
      }
      const multipart = { name: 'Theirs', product_0: product }
      const made = await page.request.post(`${groups}/new`, { headers: sameOrigin, multipart })
      assert.equal(made.status(), 400, 'a group cannot hold another organization’s product')
    },
    { viewport: phone, site },
  )
  await visit(
    await person('owner'),
    async (page) => {
      assert.deepEqual(new Set(await sendAll(page, { 'sec-fetch-site': 'cross-site' })), new Set([403]))
    },
    { viewport: phone, site },
  )
  assert.deepEqual(await state(), before)
})
