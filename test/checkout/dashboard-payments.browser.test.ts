import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../domain/id.ts'
import { withApi } from '../support/api.ts'
import { cellsOf, choose } from '../support/dashboard.ts'
import { cards, sale } from '../support/merchant.ts'
import { desktop, heading, looked, phone, press, type, useDesk } from '../support/review-desk.ts'

// Payments as people of a merchant find and read them in a browser, and take them to a spreadsheet.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const tablet = { width: 820, height: 1180 }
const site = '/dashboard' as const
const hostile = `=HYPERLINK("https://evil.example")<script>alert(1)</script>,"x"${'w'.repeat(180)}`
const { merchant, accountId } = await withApi(stack).addMerchant()

async function sell(amount: string, reference: string, email: string, card = cards.success): Promise<string> {
  const session = await merchant.createCheckout({ ...sale, amount, reference, customer: { email, name: hostile } })
  return String((await merchant.payByCard(session, card, 'USD_CARD'))['payment_id'])
}
const first = await sell('10.00', 'order-1', 'ada@example.com')
const second = await sell('1220.00', '+order 2', 'bob@example.com')
const failed = await sell('30.00', '@order-3', 'bob@example.com', cards.declined)

const viewer = () => logins.addPerson({ role: 'viewer', accountId })
const titles = (page: Page) => page.getByRole('table', { name: 'Payments' }).locator('tbody th').allInnerTexts()

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [tablet, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`a viewer searches, filters and reads payments, ${viewport.width} wide, script ${script}`, async () => {
    await visit(
      await viewer(),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await choose(page, 'Payments')
        await heading(page, 'Payments')
        const shown = await looked(page, `payments-${colorScheme}`)
        assert.ok(shown.includes(hostile), 'the name is text')
        assert.deepEqual(await titles(page), ['USD\u00a030.00', 'USD\u00a01,220.00', 'USD\u00a010.00'])
        const lines = await page
          .getByRole('table', { name: 'Payments' })
          .locator('tbody th a')
          .evaluateAll((all) => all.map((each) => each.getClientRects().length))
        assert.deepEqual(lines, [1, 1, 1], 'no amount is broken into lines')
        await page.emulateMedia({ colorScheme, media: 'print' })
        assert.equal(await page.getByRole('banner').isVisible(), false)
        assert.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(255, 255, 255)')
        await page.emulateMedia({ colorScheme, media: 'screen' })
        const search = async (text: string) => {
          await type(page.getByLabel('Search'), text)
          await press(page, 'Show')
          await heading(page, 'Payments')
          return titles(page)
        }
        assert.deepEqual(await search(first), ['USD\u00a010.00'])
        assert.deepEqual(await search('+order 2'), ['USD\u00a01,220.00'])
        assert.deepEqual(await search('BOB@example.com'), ['USD\u00a030.00', 'USD\u00a01,220.00'])
        await page.getByLabel('Status').selectOption('failed')
        assert.deepEqual(await search('bob@example.com'), ['USD\u00a030.00'])
        for (const nothing of ['nobody@example.com', newId('pay', 0), 'pay_', '%', 'x'.repeat(200)]) {
          await search(nothing)
          await page.getByText('No payment matches.').waitFor()
        }
        await page.getByRole('link', { name: 'Show all' }).click()
        await page.getByLabel('Method').selectOption('MOMO_KES')
        await press(page, 'Show')
        await page.getByText('No payment matches.').waitFor()
        const today = new Date().toISOString().slice(0, 10)
        await page.goto(`${pages.base}/dashboard/payments?from=${today}&to=${today}`)
        assert.equal((await titles(page)).length, 3)
        await page.goto(`${pages.base}/dashboard/payments?to=2020-01-01`)
        await page.getByText('No payment matches.').waitFor()
        await page.goto(`${pages.base}/dashboard/payments?status=nonsense&method=x&from=soon&to=2026-99-99&cursor=x`)
        await page.waitForURL(`${pages.base}/dashboard/payments`)
        await page.getByRole('link', { name: /^USD\s1,220\.00$/ }).click()
        await heading(page, /^USD\s1,220\.00$/)
        const told = await looked(page, `payment-${colorScheme}`)
        assert.match(told, /Succeeded[\s\S]*Email\s+bob@example\.com\s+Reference\s+\+order 2/)
        assert.match(told, /Payment started[\s\S]*Paid[\s\S]*Nothing more is expected\./)
        assert.ok(told.includes(hostile))
        assert.equal(await page.getByRole('link', { name: 'Refund…' }).count(), 0, 'a viewer refunds nothing')
        const receipt = await page.request.get(`${pages.base}/dashboard/payments/${second}/receipt`)
        assert.equal(receipt.headers()['content-type'], 'application/pdf')
        assert.equal((await receipt.body()).subarray(0, 5).toString(), '%PDF-')
        await page.goto(`${pages.base}/dashboard/payments/${failed}`)
        assert.match(await page.locator('main').innerText(), /Failed[\s\S]*Why it failed\s+The card was declined\./)
        assert.equal(await page.getByRole('link', { name: 'Receipt (PDF)' }).count(), 0)
        await page.goto(`${pages.base}/dashboard/payments/${failed}/receipt`)
        await page.waitForURL(`${pages.base}/dashboard/payments/${failed}`)
      },
      { viewport, script, site },
    )
  })
}

test('the export has the filtered payments, and no cell that a spreadsheet runs', async () => {
  await visit(
    await viewer(),
    async (page) => {
      const path = `${pages.base}/dashboard/payments.csv`
      const all = await page.request.get(path)
      assert.match(all.headers()['content-type'] ?? '', /^text\/csv; charset=utf-8/)
      assert.match(
        all.headers()['content-disposition'] ?? '',
        /^attachment; filename="payments-test-20\d\d-\d\d-\d\d\.csv"$/,
      )
      const [header = [], ...rows] = cellsOf(await all.text())
      const column = (name: string) => rows.map((row) => row[header.indexOf(name)])
      assert.deepEqual(column('payment_id'), [failed, second, first])
      assert.deepEqual(column('amount'), ['30.00', '1220.00', '10.00'])
      assert.deepEqual(column('reference'), ["'@order-3", "'+order 2", 'order-1'])
      assert.deepEqual(
        column('customer_name'),
        Array.from({ length: 3 }, () => `'${hostile}`),
      )
      assert.ok(rows.every((row) => row.length === header.length && !row.some((cell) => /^[=+\-@\t\r]/.test(cell))))
      const one = await page.request.get(`${path}?status=failed&search=bob%40example.com`)
      assert.equal(cellsOf(await one.text()).length, 2)
      const none = await page.request.get(`${path}?search=nobody%40example.com`)
      assert.equal(cellsOf(await none.text()).length, 1)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page
          .goto(`${pages.base}/dashboard/payments`)
          .then(() => page.getByRole('link', { name: 'Export as CSV' }).click()),
      ])
      assert.match(download.suggestedFilename(), /^payments-.*\.csv$/)
    },
    { viewport: desktop, site },
  )
  const answer = await fetch(`${pages.base}/dashboard/payments.csv`, { redirect: 'manual' })
  assert.equal(answer.status, 303, 'a stranger is led to the login')
})

/** Payments that nothing is posted for, as many as asked. */
const addMany = (of: string, count: number) =>
  stack.sql(
    `insert into payments (id, account_id, environment, status, amount, settles, fee, fee_usd, fee_preference, currency,
       corridor, metadata, created_at, updated_at)
     select 'pay_' || lpad(n::text, 34, '0'), ?, 'sandbox', 'succeeded', n, n, 0, 0, 'org_pays', 'USD', 'USD_CARD',
       '{}', now() - n * interval '1 second', now() from generate_series(1, ?::integer) n`,
    [of, count],
  )

test('of 1,000 payments each page has 25 and leads on, and the file has all; of too many it says so', async () => {
  const { accountId: large } = await withApi(stack).addMerchant()
  await addMany(large, 1_000)
  await visit(
    await logins.addPerson({ role: 'viewer', accountId: large }),
    async (page) => {
      await page.goto(`${pages.base}/dashboard/payments`)
      assert.equal((await titles(page)).length, 25)
      await page.getByRole('link', { name: 'Older' }).click()
      await page.getByText('USD\u00a026.00').waitFor()
      await page.getByRole('link', { name: 'Newer' }).click()
      await page.getByText('USD\u00a01.00', { exact: true }).waitFor()
      const path = `${pages.base}/dashboard/payments.csv`
      const rows = cellsOf(await (await page.request.get(path)).text())
      assert.equal(rows.length, 1 + 1_000)
      assert.equal(new Set(rows.map(([id]) => id)).size, 1 + 1_000, 'each payment once')
      await stack.sql(`update row_counts set count = 5001 where account_id = ? and table_name = 'payments'`, [large])
      const refused = await page.request.get(path)
      assert.equal(refused.status(), 422)
      assert.match(await refused.text(), /A file has at most 5000: choose a shorter time\./)
    },
    { viewport: desktop, site },
  )
})

test('another organization’s payment is not found on any of its pages', async () => {
  await visit(
    await logins.addPerson({ role: 'owner', accountId: await withApi(stack).addAccount() }),
    async (page) => {
      for (const path of [first, `${first}/receipt`, `${first}/refund`, newId('pay', 0), 'x']) {
        const answer = await page.goto(`${pages.base}/dashboard/payments/${path}`)
        assert.equal(answer?.status(), 404, path)
        await heading(page, 'This page does not exist')
      }
      await page.goto(`${pages.base}/dashboard/payments?search=${first}`)
      await page.getByText('No payment matches.').waitFor()
    },
    { viewport: phone, site },
  )
})
