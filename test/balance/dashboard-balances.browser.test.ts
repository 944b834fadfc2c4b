import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withApi } from '../support/api.ts'
import { endow, exchanging } from '../support/conversion.ts'
import { cellsOf, choose } from '../support/dashboard.ts'
import { cards, sale } from '../support/merchant.ts'
import { addDestination } from '../support/payout.ts'
import { desktop, heading, looked, phone, press, useDesk } from '../support/review-desk.ts'
import { until } from '../support/until.ts'

// The balances of an organization and what has changed them, in a browser and in a spreadsheet.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const tablet = { width: 820, height: 1180 }
const site = '/dashboard' as const
const address = `${pages.base}/dashboard/balances`

/** An organization whose money has come by card and gone by refund, payout and conversion; with the ids of these. */
async function addOrganization() {
  const { merchant, accountId } = await withApi(stack).addMerchant()
  const owner = { accountId, environment: 'sandbox' as const }
  await endow(stack, accountId, '1000.00', 'USD')
  await endow(stack, accountId, '5000.00', 'NGN')
  const session = await merchant.createCheckout({ ...sale, amount: '100.00' })
  const payment = String((await merchant.payByCard(session, cards.success, 'USD_CARD'))['payment_id'])
  const { refund_id: refund } = await merchant.refund(payment, { amount: 10, reference: 'order-1' })
  const { id: payout } = await merchant.payOut(await addDestination(stack, owner), { amount: '4000.00' })
  const { conversion_id: conversion } = await exchanging(merchant).convert()
  const failing = await merchant.payOut(await addDestination(stack, owner, { ends: '0002' }), { amount: '500.00' })
  await until(async () => (await merchant.getPayout(failing.id)).status === 'failed', 'a payout fails')
  await until(async () => (await merchant.getPayout(payout)).status === 'completed', 'a payout arrives')
  await until(async () => (await exchanging(merchant).read(conversion))['status'] === 'completed', 'money is converted')
  return { merchant, accountId, payment, refund, payout, failing: failing.id, conversion }
}

const viewerOf = ({ accountId }: { accountId: string }) => logins.addPerson({ role: 'viewer', accountId })
const rows = (page: Page) => page.getByRole('table', { name: 'Transactions' }).locator('tbody tr')
const types = async (page: Page) =>
  (await rows(page).locator('td:nth-child(2) > span:last-child').allInnerTexts()).map((text) => text.trim())
const show = async (page: Page) => {
  await press(page, 'Show')
  await heading(page, 'Balances')
}

const organization = await addOrganization()

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [tablet, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`a viewer reads balances and what has changed them, ${viewport.width} wide, script ${script}`, async () => {
    const { payment, refund, payout, failing, conversion, merchant } = organization
    const { items } = (await merchant.call('GET', '/v1/balances')).body as unknown as {
      items: Record<string, string>[]
    }
    await visit(
      await viewerOf(organization),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await heading(page, 'Home')
        await choose(page, 'Balances')
        await heading(page, 'Balances')
        const shown = await looked(page, `balances-${colorScheme}`)
        for (const { currency = '', available = '', pending = '' } of items) {
          const figure = (text: string) => text.replaceAll(/\B(?=(\d{3})+\.)/g, ',')
          assert.ok(shown.includes(`${currency}\u00a0${figure(available)}`), `${currency} available`)
          assert.ok(shown.includes(`${currency}\u00a0${figure(pending)}`), `${currency} pending`)
        }
        assert.match(shown, /NGN\s-4,025\.00/)
        await page.getByLabel('Currency').selectOption('NGN')
        await show(page)
        assert.deepEqual((await types(page)).toSorted(), ['Conversion', 'Payment', 'Payout', 'Payout', 'Payout failed'])
        await page.getByLabel('Type').selectOption('payout_reversal')
        await show(page)
        assert.deepEqual(await types(page), ['Payout failed'])
        await page.getByRole('link', { name: `Payout failed ${failing}` }).click()
        await heading(page, /^NGN\s500\.00$/)
        for (const [type, id, title] of [
          ['payment', payment, /^USD\s100\.00$/],
          ['refund', refund, 'Refund'],
          ['payout', payout, /^NGN\s4,000\.00$/],
          ['conversion', conversion, /./],
        ] as const) {
          await page.goto(`${address}?type=${type}`)
          await page.locator(`a[href$="/${id}"]`).first().click()
          await page.waitForURL((url) => url.pathname.endsWith(`/${id}`))
          await heading(page, title)
        }
        const today = new Date().toISOString().slice(0, 10)
        await page.goto(`${address}?from=${today}&to=${today}&currency=USD`)
        assert.equal(await rows(page).count(), 4)
        await page.goto(`${address}?to=2020-01-01`)
        await page.getByText('No transaction matches.').waitFor()
        await page.getByRole('link', { name: 'Show all' }).click()
        await heading(page, 'Balances')
        assert.equal(await rows(page).count(), 9)
        await page.goto(`${address}?currency=ZZZ&type=x&from=soon&to=2026-99-99&cursor=x`)
        await page.waitForURL(address)
        assert.equal(await rows(page).count(), 9)
      },
      { viewport, script, site },
    )
  })
}

test('the export has the filtered transactions; negative amounts are numbers, and nothing is a formula', async () => {
  const { merchant, accountId } = organization
  const { items } = (await merchant.call('GET', '/v1/balances/transactions?limit=100')).body as unknown as {
    items: Record<string, string>[]
  }
  await visit(
    await viewerOf(organization),
    async (page) => {
      const all = await page.request.get(`${address}.csv`)
      assert.match(
        all.headers()['content-disposition'] ?? '',
        /filename="balance-transactions-test-20\d\d-\d\d-\d\d\.csv"$/,
      )
      const [header = [], ...lines] = cellsOf(await all.text())
      const column = (name: string) => lines.map((line) => line[header.indexOf(name)])
      for (const name of ['transaction_id', 'amount', 'balance_after', 'type', 'source_id'])
        assert.deepEqual(
          column(name),
          items.map((row) => row[name]),
          name,
        )
      assert.ok(column('amount').includes('-4025.00'))
      const some = await page.request.get(`${address}.csv?currency=NGN&type=payout`)
      assert.equal(cellsOf(await some.text()).length, 1 + 2)
      await page.goto(`${address}?currency=NGN`)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Export as CSV' }).click(),
      ])
      assert.match(download.suggestedFilename(), /^balance-transactions-.*\.csv$/)
      const count = `update row_counts set count = ? where account_id = ? and table_name = 'balance_transactions'`
      await stack.sql(count, [5_001, accountId])
      const refused = await page.request.get(`${address}.csv`)
      assert.equal(refused.status(), 422)
      assert.match(await refused.text(), /A file has at most 5000: choose a shorter time\./)
      await stack.sql(count, [9, accountId])
    },
    { viewport: desktop, site },
  )
})

test('another organization sees nothing of it, and a stranger is led to the login', async () => {
  await visit(
    await viewerOf({ accountId: await withApi(stack).addAccount() }),
    async (page) => {
      await page.goto(address)
      await page.getByText('No money yet.').waitFor()
      await page.getByText('No transactions yet.').waitFor()
      await looked(page, 'balances-none')
      assert.equal(cellsOf(await (await page.request.get(`${address}.csv`)).text()).length, 1)
    },
    { viewport: phone, site },
  )
  for (const path of ['', '.csv'])
    assert.equal((await fetch(`${address}${path}`, { redirect: 'manual' })).status, 303, path)
})
