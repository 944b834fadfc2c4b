import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withApi } from '../support/api.ts'
import { endow } from '../support/conversion.ts'
import { disputing } from '../support/dispute.ts'
import { cards, sale } from '../support/merchant.ts'
import { desktop, heading, looked, phone, useDesk } from '../support/review-desk.ts'

// The start page of the dashboard: how the business stands, with figures that the API has too.
const desk = await useDesk()
const { stack, pages, visit, logins } = desk
const tablet = { width: 820, height: 1180 }
const site = '/dashboard' as const
const hostile = '<img src=x onerror=alert(1)>Zoë'
const { merchant, accountId } = await withApi(stack).addMerchant()

async function sell(amount: string, card: string): Promise<string> {
  const session = await merchant.createCheckout({
    ...sale,
    amount,
    customer: { email: 'z@example.com', name: hostile },
  })
  return String((await merchant.payByCard(session, card, 'USD_CARD'))['payment_id'])
}
await sell('1250.50', cards.success)
const disputed = await sell('25.00', cards.success)
await sell('99.00', cards.declined)
await disputing(merchant).raise(disputed)
await endow(stack, accountId, '700.00', 'NGN')
/** An endpoint that has failed for two hours. */
async function addFailing(url: string): Promise<string> {
  const { body } = await merchant.call('POST', '/v1/webhooks/endpoints', { url, events: ['*'] })
  const id = String(body['endpoint_id'])
  await stack.sql(`update webhook_endpoints set failing_since = now() - interval '2 hours' where id = ?`, [id])
  return id
}
await addFailing('https://example.com/a?b=<i>&c')
const unwanted = await addFailing('https://example.com/unwanted')
await merchant.call('PATCH', `/v1/webhooks/endpoints/${unwanted}`, { enabled: false })
await stack.sql(
  `update webhook_endpoints set enabled = false, disabled_at = now(), disabled_reason = 'consecutive_failures'
  where id = ?`,
  [await addFailing('https://example.com/broken')],
)
const schedule = { interval: 'daily', anchor_hour_utc: 6 }
await merchant.call('POST', '/v1/balance_settings', { schedule_by_currency: { NGN: schedule } })

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [tablet, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`a viewer sees volume, success, balances and what waits, ${viewport.width} wide, script ${script}`, async () => {
    await visit(
      await logins.addPerson({ role: 'viewer', accountId }),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await heading(page, 'Home')
        assert.equal(page.url(), `${pages.base}/dashboard`)
        const shown = await looked(page, `home-${colorScheme}`)
        assert.match(shown, /One dispute waits for your answer/)
        assert.ok(shown.includes('https://example.com/a?b=<i>&c fails since'), 'the failing endpoint')
        assert.ok(shown.includes('https://example.com/broken was switched off because it failed,'))
        assert.doesNotMatch(shown, /unwanted/, 'what the merchant has switched off')
        assert.match(shown, /Today\s+USD\s1,275\.50\s+2 payments\s+This month\s+USD\s1,275\.50\s+2 payments/)
        assert.match(shown, /NGN[\s\S]*NGN\s700\.00/)
        assert.match(shown, /Card, USD\s+(Succeeded\s+)?2\s+(Failed\s+)?1\s+(Success rate\s+)?66\.6\s%/)
        assert.ok(shown.includes(hostile), 'the name is text')
        const ngn = page.getByRole('table', { name: 'Balances' }).getByRole('row').filter({ hasText: 'NGN' })
        assert.match(await ngn.innerText(), /20\d\d/, 'the next payout has a time')
        const chart = page.getByRole('img', { name: /^Volume of each day in USD\. The highest was USD\s1,275\.50 on/ })
        await chart.waitFor()
        const figures = page.getByRole('table', { name: 'Volume of each day in USD' })
        assert.equal(await figures.isVisible(), false)
        await page.getByText('Figures of each day').click()
        const days = await figures.locator('tbody tr').allInnerTexts()
        assert.equal(days.length, new Date().getUTCDate())
        assert.match(days.at(-1) ?? '', /\s2\s+USD\s1,275\.50$/)
        assert.equal(await chart.locator('rect').count(), days.length, 'a bar for each day')
        await page.getByRole('link', { name: 'USD\u00a01,250.50' }).click()
        await heading(page, /^USD\s1,250\.50$/)
      },
      { viewport, script, site },
    )
  })
}

test('a new organization sees that there is nothing yet, and only its own figures', async () => {
  await visit(
    await logins.addPerson({ role: 'owner', accountId: await withApi(stack).addAccount() }),
    async (page) => {
      await heading(page, 'Home')
      const shown = await looked(page, 'home-empty')
      assert.match(shown, /No payment has succeeded this month\.[\s\S]*No money yet\.[\s\S]*No payments yet\./)
      assert.doesNotMatch(shown, /Needs your attention|USD/)
    },
    { viewport: desktop, site },
  )
})

test('staff of the platform belong to no organization, and are told so', async () => {
  await visit(
    await desk.addReviewer(),
    async (page) => {
      await page.getByText('Your role does not allow this.').waitFor()
    },
    { viewport: phone, site },
  )
})
