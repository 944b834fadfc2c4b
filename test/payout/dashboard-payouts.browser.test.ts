import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../domain/id.ts'
import { withApi } from '../support/api.ts'
import { endow } from '../support/conversion.ts'
import { cellsOf, choose } from '../support/dashboard.ts'
import { addDestination } from '../support/payout.ts'
import { desktop, heading, looked, phone, press, type, useDesk } from '../support/review-desk.ts'
import { changeDestination } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { dayMs } from '../../domain/duration.ts'

// Payouts as people of a merchant send and follow them in a browser, and take them to a spreadsheet.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const tablet = { width: 820, height: 1180 }
const site = '/dashboard' as const
const hostile = `=HYPERLINK("https://evil.example")<script>alert(1)</script>,"x"${'w'.repeat(40)}`
const headers = { 'sec-fetch-site': 'same-origin' }
const ngn = (amount: string) => new RegExp(`^NGN\\s${amount}$`)

/** An organization with money in naira and dollars, and a destination of each. */
async function addOrganization() {
  const { merchant, accountId } = await withApi(stack).addMerchant()
  const owner = { accountId, environment: 'sandbox' as const }
  await endow(stack, accountId, '100000.00', 'NGN')
  await endow(stack, accountId, '500.00', 'USD')
  const naira = await addDestination(stack, owner, { ends: '0001' })
  await changeDestination(stack, naira, { name: hostile, accountName: hostile })
  const shillings = await addDestination(stack, owner, { type: 'mobile_money', currency: 'KES', ends: '0001' })
  const payouts = async () =>
    (await merchant.call('GET', '/v1/payouts')).body as unknown as { total: number; items: Record<string, unknown>[] }
  const person = (role: 'owner' | 'admin' | 'developer' | 'viewer') => logins.addPerson({ role, accountId })
  return { merchant, owner, accountId, naira, shillings, payouts, person }
}
type Organization = Awaited<ReturnType<typeof addOrganization>>

const reached = (merchant: Organization['merchant'], id: string, status: string) =>
  until(async () => (await merchant.getPayout(id)).status === status, `it is ${status}`)

const address = `${pages.base}/dashboard/payouts`
const titles = (page: Page) => page.getByRole('table', { name: 'Payouts' }).locator('tbody th').allInnerTexts()

async function fill(page: Page, destination: string, amount: string): Promise<void> {
  await page.goto(`${address}/new?destination=${destination}`)
  await heading(page, 'Send a payout')
  await type(page.getByLabel('Amount that arrives'), amount)
}

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [tablet, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`an admin sends a payout after an estimate, ${viewport.width} wide, script ${script}`, async () => {
    const { merchant, payouts, person } = await addOrganization()
    await visit(
      await person('admin'),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await heading(page, 'Home')
        await choose(page, 'Payouts')
        await heading(page, 'Payouts')
        await page.getByText('No payouts yet.').waitFor()
        await page.getByRole('link', { name: 'Send a payout…' }).click()
        await heading(page, 'Send a payout')
        const form = await looked(page, `payout-form-${colorScheme}`)
        assert.match(form, /Available now: NGN\s100,000\.00, USD\s500\.00\./)
        assert.ok(form.includes(hostile), 'the name is text')
        await page.getByLabel('Destination', { exact: true }).selectOption({ index: 2 })
        await type(page.getByLabel('Amount that arrives'), '1500.5')
        await type(page.getByLabel('Reference'), hostile)
        await press(page, 'Continue')
        await heading(page, 'Send this payout?')
        const asked = await looked(page, `payout-confirm-${colorScheme}`)
        assert.match(asked, /Arrives\s+NGN\s1,500\.50\s+Fee\s+NGN\s25\.00\s+Total debited\s+NGN\s1,525\.50/)
        assert.match(asked, /Should arrive\s+\d+ \w+ 20\d\d at/)
        assert.match(asked, /Available now\s+NGN\s100,000\.00/)
        assert.equal((await payouts()).total, 0, 'nothing is sent before the second press')
        await press(page, 'Change it')
        assert.equal(await page.getByLabel('Amount that arrives').inputValue(), '1500.5')
        assert.equal(await page.getByLabel('Reference').inputValue(), hostile)
        await press(page, 'Continue')
        await press(page, 'Send now')
        await heading(page, ngn('1,500\\.50'))
        await page.getByText('The payout is accepted.').waitFor()
        const { items, total } = await payouts()
        assert.equal(total, 1)
        assert.deepEqual([items[0]?.['amount'], items[0]?.['reference']], ['1500.50', hostile])
        await reached(merchant, String(items[0]?.['id']), 'completed')
        await page.reload()
        const shown = await looked(page, `payout-${colorScheme}`)
        assert.match(shown, /Arrived[\s\S]*Total debited\s+NGN\s1,525\.50[\s\S]*Nothing more is expected\./)
        assert.ok(shown.includes(hostile))
        await page.getByRole('link', { name: 'All payouts' }).click()
        await heading(page, 'Payouts')
        assert.deepEqual(await titles(page), ['NGN\u00a01,500.50'])
        await looked(page, `payouts-${colorScheme}`)
        await page.getByLabel('Status').selectOption('failed')
        await press(page, 'Show')
        await page.getByText('Nothing to show.').waitFor()
      },
      { viewport, script, site },
    )
  })
}

test('dollars pay in another currency at a price that is locked; an expired one is told and asked anew', async () => {
  const { merchant, shillings, payouts, person } = await addOrganization()
  await visit(
    await person('owner'),
    async (page) => {
      await fill(page, shillings, '1290.00')
      await page.getByLabel('The USD balance, at a price').check()
      await press(page, 'Continue')
      await heading(page, 'Send this payout?')
      await page.getByText(/\(in 4 minutes\)|\(in \d+ seconds\)/).waitFor()
      const asked = await looked(page, 'payout-quoted')
      assert.match(asked, /Arrives\s+KES\s1,290\.00\s+Fee\s+USD\s2\.00\s+Total debited\s+USD\s12\.\d\d/)
      assert.match(asked, /Exchange rate\s+USD\s1\.00 is 129 KES\s+Fee of the exchange\s+USD\s0\.1\d/)
      const first = await page.locator('input[name="quote_id"]').inputValue()
      await stack.sql(`update conversion_quotes set expires_at = now() - interval '1 second' where id = ?`, [first])
      await press(page, 'Send now')
      await page.getByText('The price has expired, and nothing was sent. This is the new price.').waitFor()
      assert.equal((await payouts()).total, 0)
      assert.notEqual(await page.locator('input[name="quote_id"]').inputValue(), first)
      await press(page, 'Send now')
      await page.getByText('The payout is accepted.').waitFor()
      const { items, total } = await payouts()
      assert.deepEqual([total, items[0]?.['amount'], items[0]?.['source_currency']], [1, '1290.00', 'USD'])
      await reached(merchant, String(items[0]?.['id']), 'completed')
    },
    { viewport: phone, site },
  )
})

test('a wrong amount is told at the amount with what the API says, and what was typed stays', async () => {
  const { naira, shillings, payouts, person } = await addOrganization()
  await visit(
    await person('owner'),
    async (page) => {
      for (const [destination, amount, words] of [
        [naira, '1,050', /point before the cents/],
        [naira, 'ten', /Enter an amount/],
        [naira, '-5', /Enter an amount/],
        [naira, '5', /at least 100\.00 NGN/],
        [naira, '100.001', /NGN has 2 decimal places/],
        [naira, '99999999999999999999', /significant digits|The balance is too low/],
        [naira, '100000.00', /The balance is too low: 100000\.00 NGN available, 100050\.00 NGN needed\./],
        [shillings, '100', /The balance is too low: 0\.00 KES available/],
      ] as const) {
        await fill(page, destination, amount)
        await type(page.getByLabel('Description'), 'Kept text')
        await press(page, 'Continue')
        const isAsked = await page.getByRole('heading', { name: 'Send this payout?' }).isVisible()
        if (isAsked) await press(page, 'Send now')
        await heading(page, 'Send a payout')
        assert.match(await page.locator('#amount-error').innerText(), words, amount)
        assert.equal(await page.getByLabel('Amount that arrives').inputValue(), amount)
        assert.equal(await page.getByLabel('Description').inputValue(), 'Kept text')
        assert.equal(await page.getByLabel('Destination', { exact: true }).inputValue(), destination)
      }
      await looked(page, 'payout-wrong')
      await page.goto(`${address}/new?destination=nonsense`)
      const form = { destination: newId('pd', 0), amount: '100', source: 'EUR', step: 'send', form_key: 'k' }
      const forged = await page.request.post(`${address}/new`, { headers, form })
      assert.equal(forged.status(), 422)
      assert.match(await forged.text(), /Choose one of your destinations\.[\s\S]*Choose one of these\./)
      assert.equal((await payouts()).total, 0)
    },
    { viewport: phone, site },
  )
})

test('a destination that is older than the newest hundred is paid to from its own page', async () => {
  const { owner, naira, payouts, person } = await addOrganization()
  for (let number = 1; number <= 100; number++) {
    await addDestination(stack, owner, { type: 'mobile_money', currency: 'KES', ends: String(1000 + number) })
  }
  await visit(
    await person('owner'),
    async (page) => {
      await page.goto(`${pages.base}/dashboard/destinations/${naira}`)
      await page.getByRole('link', { name: 'Send a payout…' }).click()
      await heading(page, 'Send a payout')
      await page.getByText('Only your newest 100 destinations are listed.').waitFor()
      await type(page.getByLabel('Amount that arrives'), '1000.00')
      await press(page, 'Continue')
      await heading(page, 'Send this payout?')
      await press(page, 'Send now')
      await page.getByText('The payout is accepted.').waitFor()
    },
    { viewport: phone, site },
  )
  assert.equal((await payouts()).items[0]?.['destination'], naira)
})

test('a form that is sent twice, at once or later, is one payout', async () => {
  const { naira, payouts, person } = await addOrganization()
  await visit(
    await person('owner'),
    async (page) => {
      await fill(page, naira, '200')
      await press(page, 'Continue')
      const key = await page.locator('input[name="form_key"]').inputValue()
      const form = { form_key: key, destination: naira, amount: '200', source: '', step: 'send' }
      const send = (more: object = {}) =>
        page.request.post(`${address}/new`, { headers, form: { ...form, ...more }, maxRedirects: 0 })
      const answers = await Promise.all([send(), send(), send()])
      assert.deepEqual(
        answers.map((answer) => answer.status()),
        [303, 303, 303],
      )
      await press(page, 'Send now')
      await page.getByText('The payout is accepted.').waitFor()
      assert.equal((await payouts()).total, 1)
      const other = await send({ amount: '300' })
      assert.equal(other.status(), 409)
      assert.match(await other.text(), /sent before with other values/)
      assert.equal((await payouts()).total, 1)
      const asked = await send({ form_key: key.replace(/^\d{13}/, String(Date.now() - dayMs)) })
      assert.match(await asked.text(), /Send this payout\?/, 'a question of yesterday is asked again')
      assert.equal((await payouts()).total, 1)
    },
    { viewport: phone, site },
  )
})

test('a payout that is held says for what and until when; a failed and a returned one say why', async () => {
  const { merchant, owner, naira, person } = await addOrganization()
  const failing = await addDestination(stack, owner, { ends: '0002' })
  const { id: held } = await merchant.payOut(naira, { amount: '300.00', reference: 'sandbox_hold' })
  const { id: failed } = await merchant.payOut(failing, { amount: '400.00' })
  const { id: returned } = await merchant.payOut(naira, { amount: '500.00' })
  await reached(merchant, held, 'pending')
  await reached(merchant, failed, 'failed')
  await reached(merchant, returned, 'completed')
  await merchant.call('POST', `/v1/test-helpers/payouts/${returned}/settle`, { outcome: 'returned' })
  await visit(
    await person('viewer'),
    async (page) => {
      await page.goto(`${address}/${held}`)
      await heading(page, ngn('300\\.00'))
      await page
        .getByText(/in 2 days 23 hours/)
        .first()
        .waitFor()
      const shown = await looked(page, 'payout-held')
      assert.match(
        shown,
        /Held for a review\s+Why: test reference `sandbox_hold`\s+Decision expected by:\s+\w+ \d+, 20\d\d/,
      )
      await page.goto(`${address}/${failed}`)
      assert.match(await page.locator('main').innerText(), /Failed[\s\S]*Why it failed\s+\w+/)
      await until(async () => {
        await page.goto(`${address}/${returned}`)
        return (await page.locator('main').innerText()).includes('Sent back by the bank')
      }, 'the return is shown')
      await page.goto(`${pages.base}/dashboard/timelines?id=${held}`)
      await page.waitForURL(`${address}/${held}`)
      await page.goto(`${address}?status=pending`)
      assert.deepEqual(await titles(page), ['NGN\u00a0300.00'])
      await page.goto(`${address}?status=nonsense&cursor=x`)
      await page.waitForURL(address)
      assert.equal((await titles(page)).length, 3)
    },
    { viewport: desktop, site },
  )
})

test('the export has the filtered payouts, and no cell that a spreadsheet runs', async () => {
  const { merchant, naira, person } = await addOrganization()
  const { id: first } = await merchant.payOut(naira, { amount: '300.00', reference: hostile })
  const { id: second } = await merchant.payOut(naira, { amount: '400.00', description: '@sum(1)' })
  await reached(merchant, first, 'completed')
  await reached(merchant, second, 'completed')
  await visit(
    await person('viewer'),
    async (page) => {
      const all = await page.request.get(`${address}.csv`)
      assert.match(
        all.headers()['content-disposition'] ?? '',
        /^attachment; filename="payouts-test-20\d\d-\d\d-\d\d\.csv"$/,
      )
      const [header = [], ...rows] = cellsOf(await all.text())
      const column = (name: string) => rows.map((row) => row[header.indexOf(name)])
      assert.deepEqual(column('id'), [second, first])
      assert.deepEqual(column('total_debited'), ['425.00', '325.00'])
      assert.deepEqual(column('reference'), ['', `'${hostile}`])
      assert.deepEqual(column('description'), ["'@sum(1)", ''])
      assert.ok(rows.every((row) => row.length === header.length && !row.some((cell) => /^[=+\-@\t\r]/.test(cell))))
      assert.equal(cellsOf(await (await page.request.get(`${address}.csv?status=failed`)).text()).length, 1)
      await page.goto(address)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'Export as CSV' }).click(),
      ])
      assert.match(download.suggestedFilename(), /^payouts-.*\.csv$/)
      await page.context().clearCookies()
      await page.getByRole('link', { name: 'Export as CSV' }).click()
      await heading(page, 'Sign in')
    },
    { viewport: desktop, site },
  )
})

test('of 230 payouts each page has 25 and leads on, and the file has each once; of too many it says so', async () => {
  const { accountId, naira, person } = await addOrganization()
  const add = (from: number, to: number) =>
    stack.sql(
      `insert into payouts (id, account_id, environment, status, amount, currency, source_amount, source_currency, fee,
         quote_fee, destination_id, destination_type, destination_revision, failure_reason, metadata,
         created_at, updated_at)
       select 'pay_' || lpad(n::text, 34, '0'), ?, 'sandbox', 'failed', n, 'NGN', n, 'NGN', 0, 0, ?, 'bank_account', 1,
         'a test', '{}', now() - n * interval '1 second', now() from generate_series(?::integer, ?::integer) n`,
      [accountId, naira, from, to],
    )
  await add(1, 230)
  await visit(
    await person('viewer'),
    async (page) => {
      await page.goto(address)
      assert.equal((await titles(page)).length, 25)
      assert.equal(await page.getByRole('link', { name: 'Newer' }).count(), 0)
      await page.getByRole('link', { name: 'Older' }).click()
      await page.getByText('NGN\u00a026.00').waitFor()
      await page.getByRole('link', { name: 'Newer' }).click()
      await page.getByText('NGN\u00a01.00', { exact: true }).waitFor()
      await page.goto(`${address}?cursor=225`)
      assert.equal((await titles(page)).length, 5)
      assert.equal(await page.getByRole('link', { name: 'Older' }).count(), 0)
      const rows = cellsOf(await (await page.request.get(`${address}.csv`)).text())
      assert.equal(new Set(rows.map(([id]) => id)).size, 1 + 230, 'each payout once')
      assert.equal(rows.length, 1 + 230)
      await add(1_000, 5_800)
      const refused = await page.request.get(`${address}.csv`)
      assert.equal(refused.status(), 422)
      await page.goto(address)
      await page.getByRole('link', { name: 'Export as CSV' }).click()
      await page.getByText(/A file has at most 5000: choose one status\./).waitFor()
      await page.goto(`${address}.csv?status=failed`)
      await page.getByText(/A file has at most 5000: read them page by page with the API\./).waitFor()
    },
    { viewport: desktop, site },
  )
})

test('a developer and a viewer are not offered to send money, and cannot', async () => {
  const { naira, payouts, person } = await addOrganization()
  const form = { form_key: 'k', destination: naira, amount: '200', source: '', step: 'send' }
  for (const role of ['developer', 'viewer'] as const) {
    await visit(
      await person(role),
      async (page) => {
        await page.goto(address)
        await heading(page, 'Payouts')
        assert.equal(await page.getByRole('link', { name: 'Send a payout…' }).count(), 0, role)
        assert.equal((await page.goto(`${address}/new`))?.status(), 403)
        await looked(page, 'payout-forbidden')
        assert.equal((await page.request.post(`${address}/new`, { headers, form })).status(), 403)
      },
      { viewport: phone, site },
    )
  }
  assert.equal((await payouts()).total, 0)
})

test('a form of another site, another organization’s ids and a stranger reach nothing', async () => {
  const one = await addOrganization()
  const other = await addOrganization()
  const { id } = await one.merchant.payOut(one.naira, { amount: '200.00' })
  await visit(
    await other.person('owner'),
    async (page) => {
      for (const path of [id, newId('pay', 0), 'x', 'x'.repeat(200)]) {
        assert.equal((await page.goto(`${address}/${path}`))?.status(), 404, path)
        await heading(page, 'This page does not exist')
      }
      const form = { form_key: 'k', destination: one.naira, amount: '200', source: '', step: 'send' }
      const forged = await page.request.post(`${address}/new`, { headers, form })
      assert.equal(forged.status(), 422)
      const foreign = { 'sec-fetch-site': 'cross-site' }
      const own = { ...form, destination: other.naira }
      assert.equal((await page.request.post(`${address}/new`, { headers: foreign, form: own })).status(), 403)
      assert.equal((await other.payouts()).total, 0)
      await page.goto(address)
      await page.getByText('No payouts yet.').waitFor()
    },
    { viewport: phone, site },
  )
  for (const path of ['', '.csv', '/new', `/${id}`]) {
    const answer = await fetch(`${address}${path}`, { redirect: 'manual' })
    assert.equal(answer.status, 303, `a stranger is led to the login: ${path}`)
  }
  assert.equal((await one.payouts()).total, 1)
})
