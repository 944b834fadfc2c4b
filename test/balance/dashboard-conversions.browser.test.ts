import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../domain/id.ts'
import { withApi } from '../support/api.ts'
import { endow, exchanging } from '../support/conversion.ts'
import { choose } from '../support/dashboard.ts'
import { desktop, heading, looked, phone, press, type, useDesk } from '../support/review-desk.ts'
import { until } from '../support/until.ts'

// Money of one balance for money of another: people of a merchant see the price, convert and follow it in a browser.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const tablet = { width: 820, height: 1180 }
const site = '/dashboard' as const
const hostile = `"><script>alert(1)</script>${'w'.repeat(60)}`
const headers = { 'sec-fetch-site': 'same-origin' }
const address = `${pages.base}/dashboard/conversions`

async function addOrganization() {
  const { merchant, accountId } = await withApi(stack).addMerchant()
  await endow(stack, accountId, '1000.00', 'USD')
  const conversions = async () =>
    (await merchant.call('GET', '/v1/conversions')).body as unknown as { items: Record<string, string>[] }
  const person = (role: 'owner' | 'developer' | 'viewer') => logins.addPerson({ role, accountId })
  return { merchant, accountId, conversions, person }
}

async function fill(page: Page, amount: string, to = 'NGN'): Promise<void> {
  await page.goto(`${address}/new`)
  await page.getByLabel('To', { exact: true }).selectOption(to)
  await type(page.getByLabel('Amount', { exact: true }), amount)
}

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [tablet, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`a developer converts at a price that they have seen, ${viewport.width} wide, script ${script}`, async () => {
    const { merchant, conversions, person } = await addOrganization()
    await visit(
      await person('developer'),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await heading(page, 'Home')
        await choose(page, 'Conversions')
        await heading(page, 'Conversions')
        await page.getByText('No conversions yet.').waitFor()
        await page.getByRole('link', { name: 'Convert money…' }).click()
        await heading(page, 'Convert money')
        await looked(page, `conversion-form-${colorScheme}`)
        await page.getByLabel('To', { exact: true }).selectOption('NGN')
        await type(page.getByLabel('Amount', { exact: true }), '100')
        await type(page.getByLabel('Reference'), hostile)
        await press(page, 'Continue')
        await heading(page, 'Convert at this price?')
        const asked = await looked(page, `conversion-confirm-${colorScheme}`)
        assert.match(asked, /You give\s+USD\s100\.00\s+Fee, part of it\s+USD\s1\.00\s+Rate\s+USD\s1\.00 is 1600 NGN/)
        assert.match(asked, /You get\s+NGN\s158,400\.00\s+Available now\s+USD\s1,000\.00/)
        assert.match(asked, script ? /Price locked until:.*20\d\d.*\(in \d+/ : /Price locked until: \d+ \w+ 20\d\d at/)
        assert.equal((await conversions()).items.length, 0, 'nothing is converted before the second press')
        await press(page, 'Change it')
        assert.equal(await page.getByLabel('Reference').inputValue(), hostile)
        await page.getByLabel('This much arrives').check()
        await type(page.getByLabel('Amount', { exact: true }), '16000.00')
        await press(page, 'Continue')
        await page.getByText('NGN\u00a016,000.00').waitFor()
        await press(page, 'Convert now')
        await page.getByText('The conversion is accepted.').waitFor()
        const { items } = await conversions()
        assert.deepEqual(
          items.map((each) => [each['to_amount'], each['reference']]),
          [['16000.00', hostile]],
        )
        const id = items[0]?.['conversion_id'] ?? ''
        await until(async () => (await exchanging(merchant).read(id))['status'] === 'completed', 'it is converted')
        await page.goto(`${pages.base}/dashboard/timelines?id=${id}`)
        await page.waitForURL(`${address}/${id}`)
        await heading(page, /^USD\s10\.\d\d for NGN\s16,000\.00$/)
        const shown = await looked(page, `conversion-${colorScheme}`)
        assert.match(shown, /Converted[\s\S]*Nothing more is expected\./)
        assert.ok(shown.includes(hostile))
        await page.getByRole('link', { name: 'All conversions' }).click()
        await heading(page, 'Conversions')
        await looked(page, `conversions-${colorScheme}`)
        await page.goto(`${address}?reference=${encodeURIComponent(hostile)}`)
        await page.getByRole('link', { name: /for NGN\s16,000\.00/ }).waitFor()
        await page.goto(`${address}?status=failed`)
        await page.getByText('No conversion matches.').waitFor()
        await page.goto(`${address}?status=x&cursor=x`)
        await page.waitForURL(address)
      },
      { viewport, script, site },
    )
  })
}

test('an expired price is told and asked anew; what is refused is told at its input, and the texts stay', async () => {
  const { conversions, person } = await addOrganization()
  await visit(
    await person('owner'),
    async (page) => {
      await fill(page, '100')
      await press(page, 'Continue')
      const quote = page.locator('input[name="quote_id"]')
      const first = await quote.inputValue()
      await stack.sql(`update conversion_quotes set expires_at = now() - interval '1 second' where id = ?`, [first])
      await press(page, 'Convert now')
      await page.getByText('The price has expired, and nothing was converted. This is the new price.').waitFor()
      await looked(page, 'conversion-expired')
      assert.notEqual(await quote.inputValue(), first)
      assert.equal((await conversions()).items.length, 0)
      for (const [amount, to, input, words] of [
        ['1,050', 'NGN', 'amount', /point before the cents/],
        ['0.001', 'NGN', 'amount', /USD has 2 decimal places/],
        ['0.01', 'USD', 'to', /Choose another currency/],
        ['5000', 'NGN', 'amount', /The balance is too low: 1000\.00 USD available, 5000\.00 USD needed\./],
        ['99999999999999999999', 'NGN', 'amount', /The amount|The balance/],
      ] as const) {
        await fill(page, amount, to)
        await page.getByLabel('Reference').fill('Kept')
        await press(page, 'Continue')
        if (await page.getByRole('heading', { name: 'Convert at this price?' }).isVisible())
          await press(page, 'Convert now')
        await heading(page, 'Convert money')
        assert.match(await page.locator(`#${input}-error`).innerText(), words, amount)
        assert.equal(await page.getByLabel('Amount', { exact: true }).inputValue(), amount)
        assert.equal(await page.getByLabel('Reference').inputValue(), 'Kept')
      }
      await looked(page, 'conversion-wrong')
      assert.equal((await conversions()).items.length, 0)
    },
    { viewport: phone, site },
  )
})

test('a form that is sent twice is one conversion, and its price cannot be used again', async () => {
  const { conversions, person } = await addOrganization()
  await visit(
    await person('owner'),
    async (page) => {
      await fill(page, '100')
      await press(page, 'Continue')
      const valueOf = (name: string) => page.locator(`input[name="${name}"]`).inputValue()
      const form = {
        form_key: await valueOf('form_key'),
        quote_id: await valueOf('quote_id'),
        from: 'USD',
        to: 'NGN',
        amount: '100',
        side: 'from',
        reference: '',
        step: 'send',
      }
      const send = (more: object = {}) =>
        page.request.post(`${address}/new`, { headers, form: { ...form, ...more }, maxRedirects: 0 })
      const answers = await Promise.all([send(), send(), send()])
      assert.deepEqual(
        answers.map((answer) => answer.status()),
        [303, 303, 303],
      )
      const again = await send({ form_key: 'another' })
      assert.equal(again.status(), 409)
      assert.match(await again.text(), /This price was used already\./)
      assert.match(await (await send({ form_key: 'a', quote_id: newId('quo', 0) })).text(), /There is no such price\./)
      assert.equal((await conversions()).items.length, 1)
    },
    { viewport: phone, site },
  )
})

test('a failed conversion says why; a viewer, another organization and another site convert nothing', async () => {
  const one = await addOrganization()
  const { conversion_id: id } = await exchanging(one.merchant).convert({ simulated_outcome: 'failed' })
  await until(async () => (await exchanging(one.merchant).read(id))['status'] === 'failed', 'it fails')
  const { quote_id } = await exchanging(one.merchant).quote()
  const currencies = { from: 'USD', to: 'NGN', amount: '100', side: 'from' }
  const form = { form_key: 'k', quote_id, ...currencies, step: 'send' }
  await visit(
    await one.person('viewer'),
    async (page) => {
      await page.goto(address)
      assert.equal(await page.getByRole('link', { name: 'Convert money…' }).count(), 0)
      await page.goto(`${address}/${id}`)
      assert.match(await looked(page, 'conversion-failed'), /Failed[\s\S]*Why it failed\s+The rail could not/)
      assert.equal((await page.goto(`${address}/new`))?.status(), 403)
      assert.equal((await page.request.post(`${address}/new`, { headers, form })).status(), 403)
    },
    { viewport: phone, site },
  )
  const other = await addOrganization()
  await visit(
    await other.person('owner'),
    async (page) => {
      for (const path of [id, newId('cnv', 0), 'x', 'x'.repeat(200)])
        assert.equal((await page.goto(`${address}/${path}`))?.status(), 404, path)
      const stolen = await page.request.post(`${address}/new`, { headers, form })
      assert.match(await stolen.text(), /There is no such price\./)
      const foreign = { 'sec-fetch-site': 'cross-site' }
      assert.equal((await page.request.post(`${address}/new`, { headers: foreign, form })).status(), 403)
    },
    { viewport: phone, site },
  )
  for (const path of ['', '/new', `/${id}`])
    assert.equal((await fetch(`${address}${path}`, { redirect: 'manual' })).status, 303, path)
  assert.equal((await one.conversions()).items.length, 1)
  assert.equal((await other.conversions()).items.length, 0)
})
