import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../domain/id.ts'
import { withApi } from '../support/api.ts'
import { disputing, type ShownDispute } from '../support/dispute.ts'
import { card, sale } from '../support/merchant.ts'
import { desktop, heading, looked, press, useDesk } from '../support/review-desk.ts'
import { pdf, png } from '../support/upload.ts'
import { until } from '../support/until.ts'

// Disputes as people of a merchant see and answer them in a browser.
const phone = { width: 360, height: 740 }
const desk = await useDesk()
const { stack, pages, visit } = desk
const disputes = disputing(stack.merchant)
const site = '/dashboard' as const
const hostile = '<img src=x onerror=alert(1)>”\'"&amp;</textarea><script>alert(2)</script>'
const folder = `${pages.base}/dashboard/disputes`

/** A dispute of a card payment by a buyer with this name. */
async function raise(body: object = {}, name = 'Ada Buyer'): Promise<ShownDispute> {
  const session = await stack.merchant.createCheckout({ ...sale, customer: { email: 'ada@example.com', name } })
  const paid = await stack.merchant.payByCard(session, card('4242424242424242').number, 'USD_CARD')
  return disputes.raise(String(paid['payment_id']), body)
}

const owner = () => desk.logins.addPerson({ role: 'owner' })
const open = async (page: Page, { dispute_id: id }: ShownDispute) => {
  await page.goto(`${folder}/${id}`)
  await heading(page, /^USD/)
}
const isNow = (id: string, status: string) =>
  until(async () => (await disputes.read(id)).status === status, `it is ${status}`)

for (const [viewport, script, colorScheme] of [
  [phone, false, 'light'],
  [phone, true, 'dark'],
  [desktop, true, 'light'],
] as const) {
  test(`a viewer reads disputes and answers none, ${viewport.width} wide, script ${script}`, async () => {
    const dispute = await raise({ reason: 'product_not_received' }, hostile)
    await visit(
      await desk.logins.addPerson({ role: 'viewer' }),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await page.getByRole('link', { name: 'Disputes' }).click()
        await heading(page, 'Disputes')
        const list = await looked(page, `disputes-${colorScheme}`)
        assert.match(
          list,
          /USD\s25\.00: Product not received\s+Needs an answer[\s\S]*Answer by[\s\S]*\(13 days 23 hours left\)/,
        )
        assert.ok(list.includes(hostile), 'the name is text')
        await page.goto(`${folder}/${dispute.dispute_id}`)
        await heading(page, /Product not received$/)
        const shown = await looked(page, `dispute-viewer-${colorScheme}`)
        assert.match(shown, /Answer by[\s\S]*13 days[\s\S]*Your role can read disputes/)
        assert.match(shown, /What the buyer says[\s\S]*never arrived[\s\S]*tracking number/)
        assert.match(shown, /What was sold[\s\S]*Paid\s+USD\s25\.00/)
        assert.match(shown, /Fee\s+USD\s15\.00[\s\S]*Disputed; the amount and the fee are reserved/)
        assert.equal(await page.locator('main form, main a.button').count(), 0)
      },
      { viewport, script, site },
    )
  })
}

test('the list shows what waits, the earliest deadline first, and all others by status', async () => {
  const { merchant } = await withApi(stack).addMerchant()
  assert.ok(merchant)
})

test('look', async () => {
  const dispute = await raise({ reason: 'product_not_received' }, 'Marie <b>Éléonore</b>')
  for (const [viewport, colorScheme] of [
    [phone, 'light'],
    [desktop, 'dark'],
  ] as const) {
    await visit(
      await owner(),
      async (page) => {
        await page.emulateMedia({ colorScheme })
        await open(page, dispute)
        await page.getByLabel('Carrier').fill('GIG Logistics')
        await page
          .getByLabel('Add a document')
          .setInputFiles({ name: 'proof <b>.pdf', mimeType: 'application/pdf', buffer: pdf })
        await page.getByLabel('What the document shows').selectOption('Proof of delivery')
        await press(page, 'Save draft')
        await page.getByText('Draft saved, and document added').waitFor()
        await looked(page, `dispute-owner-${colorScheme}`)
        await press(page, 'Review and submit…')
        await heading(page, 'Submit the evidence?')
        await looked(page, `dispute-submit-${colorScheme}`)
        await page.goto(`${folder}/${dispute.dispute_id}/accept`)
        await heading(page, 'Accept the dispute?')
        await looked(page, `dispute-accept-${colorScheme}`)
      },
      { viewport, site },
    )
  }
  assert.ok(png && newId && isNow)
})
