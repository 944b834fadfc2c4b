import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { withApi } from '../support/api.ts'
import { choose } from '../support/dashboard.ts'
import { sale } from '../support/merchant.ts'
import { desktop, heading, looked, phone, press, type, useDesk } from '../support/review-desk.ts'
import { until } from '../support/until.ts'

// The calls of a merchant, as its people find and read them in a browser.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const tablet = { width: 820, height: 1180 }
const site = '/dashboard' as const
const folder = `${pages.base}/dashboard/logs`

const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id') ?? ''
const rowsOf = (accountId: string) =>
  stack.sql<{ method: string; route: string; source: string; user_id: string }>(
    'select method, route, source, user_id from request_logs where account_id = ? order by created_at, id',
    [accountId],
  )
const areLogged = (accountId: string, count: number) =>
  until(async () => (await rowsOf(accountId)).length >= count, `${count} calls are in the log`)
const titles = (page: Page) => page.getByRole('table', { name: 'Calls' }).locator('tbody th').allInnerTexts()

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [tablet, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`a viewer finds a refused call by its request id and reads what it means, ${viewport.width} wide`, async () => {
    const { merchant, accountId } = await withApi(stack).addMerchant()
    const hostile = { 'x-request-id': `x-${'w'.repeat(62)}` }
    const made = await merchant.call('POST', '/v1/customers', { email: 'ada@example.com' }, hostile)
    const customer = String(made.body['customer_id'])
    await merchant.call('GET', `/v1/customers/${customer}`)
    const refused = await merchant.call('POST', '/v1/checkout-sessions', { ...sale, amount: 'much' })
    await areLogged(accountId, 3)
    await visit(
      await logins.addPerson({ role: 'viewer', accountId }),
      async (page) => {
        const look = (name: string) => looked(page, `${name}-${colorScheme}`)
        await page.emulateMedia({ colorScheme })
        await choose(page, 'API log')
        await heading(page, 'API log')
        await look('logs')
        assert.deepEqual(await titles(page), [
          'POST /v1/checkout-sessions',
          `GET /v1/customers/${customer}`,
          'POST /v1/customers',
        ])
        await page.getByLabel(/^Path/).fill('v1/customers')
        await page.getByLabel(/^Method/).selectOption('GET')
        await press(page, 'Show')
        assert.deepEqual(await titles(page), [`GET /v1/customers/${customer}`])
        await page.getByRole('link', { name: `GET /v1/customers/${customer}` }).click()
        await heading(page, `GET /v1/customers/${customer}`)
        await look('log')
        await page.getByRole('link', { name: customer, exact: true }).click()
        await page.waitForURL(`${pages.base}/dashboard/customers/${customer}`)
        await page.goto(`${folder}?status=5xx`)
        await page.getByText('No call matches.').waitFor()
        await page.getByRole('link', { name: 'Show all' }).click()
        await type(page.getByLabel('Request id'), idOf(refused))
        await press(page, 'Show')
        await page.getByRole('link', { name: 'POST /v1/checkout-sessions' }).click()
        await heading(page, 'POST /v1/checkout-sessions')
        const shown = await look('log-refused')
        assert.match(shown, /400 VALIDATION_ERROR[\s\S]*The input is not valid\.[\s\S]*API key …\w{4}[\s\S]*amount/)
        assert.ok(shown.includes(idOf(refused)) && !shown.includes('much'), shown)
        await page.getByRole('link', { name: 'More about this code' }).click()
        await page.waitForURL(/\/docs\/errors#VALIDATION_ERROR$/)
        await page.goto(`${folder}?from=2020-01-01&to=2020-01-02`)
        await page.getByText('No call matches.').waitFor()
        await page.goto(`${folder}?status=nonsense&method=x&from=y&request_id=${'x'.repeat(99)}&cursor=y`)
        await page.waitForURL(folder)
        await page.goto(`${folder}/nonsense`)
        await heading(page, 'This page does not exist')
      },
      { viewport, script, site },
    )
    assert.equal((await rowsOf(accountId)).length, 3, 'what a page reads to show itself is left out')
  })
}

test('a form of the dashboard is a call of its person, and the page says who it was', async () => {
  const accountId = await withApi(stack).addAccount()
  const person = await logins.addPerson({ role: 'owner', accountId, fullName: 'Zoë <b>Ada</b>' })
  await visit(
    person,
    async (page) => {
      await page.goto(`${pages.base}/dashboard/customers/new`)
      await page.getByLabel('Email').fill('zoe@example.com')
      await press(page, 'Create the customer')
      await page.waitForURL(/customers\/cust_/)
      await areLogged(accountId, 1)
      assert.deepEqual(await rowsOf(accountId), [
        { method: 'POST', route: '/v1/customers', source: 'dashboard', user_id: person.id },
      ])
      await choose(page, 'API log')
      await page.getByRole('link', { name: 'POST /v1/customers' }).click()
      const shown = await looked(page, 'log-person')
      assert.match(shown, /Zoë <b>Ada<\/b>[\s\S]*A form of the dashboard/)
    },
    { viewport: desktop, site },
  )
})

test('a log of many calls is read page by page, and another organization sees none of it', async () => {
  const { merchant, accountId } = await withApi(stack).addMerchant()
  for (let count = 0; count < 30; count++) await merchant.call('GET', '/v1/products')
  await areLogged(accountId, 30)
  const [row] = await stack.sql<{ id: string }>('select id from request_logs where account_id = ? limit 1', [accountId])
  const visitAs = async (of: string, work: (page: Page) => Promise<void>) =>
    visit(await logins.addPerson({ role: 'developer', accountId: of }), work, { viewport: desktop, site })
  await visitAs(accountId, async (page) => {
    await page.goto(`${folder}?path=/v1/products`)
    assert.equal((await titles(page)).length, 25)
    await page.getByRole('link', { name: 'Older' }).click()
    await page.getByRole('link', { name: 'Newer' }).waitFor()
    assert.equal((await titles(page)).length, 5)
  })
  await visitAs(await withApi(stack).addAccount(), async (page) => {
    await page.goto(folder)
    await page.getByText('No calls in the last 7 days.').waitFor()
    await page.goto(`${folder}/${row?.id}`)
    await heading(page, 'This page does not exist')
  })
})
