import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConsoleMessage } from 'playwright-core'
import { launchBrowser, watchPage } from '../support/browser.ts'
import { openPages } from '../support/pages.ts'
import { useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'

// "Test Request" on the reference page, as somebody tries it who reads the page for the first time.

const stack = await useStack({ workers: false })
const pages = await openPages(stack)
const browser = await launchBrowser()
atEnd(() => pages.stop())
atEnd(() => browser.close())

test('a sandbox key and the body that the page fills in make a checkout session', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  // The script says its version.
  const isExpected = (message: ConsoleMessage) => message.text().startsWith('@scalar/api-reference@')
  await watchPage(context, { origins: [pages.base], isExpected }, async (page) => {
    await page.goto(`${pages.base}/reference#tag/checkout-sessions/post/v1/checkout-sessions`)
    await page.getByRole('button', { name: /Test Request.*\(post \/v1\/checkout-sessions\)/i }).click()
    const client = page.getByRole('dialog', { name: 'API Client' })
    await client.getByPlaceholder('Token').fill(stack.merchant.apiKey)
    const answered = page.waitForResponse((one) => one.url().endsWith('/v1/checkout-sessions'))
    await client.getByRole('button', { name: `Send post request to ${pages.base}/v1/checkout-sessions` }).click()
    const answer = await answered
    const sent = answer.request().postDataJSON() as Record<string, unknown>
    assert.equal(answer.status(), 201, `${JSON.stringify(sent)}: ${await answer.text()}`)
    const { checkout_id: id } = (await answer.json()) as { checkout_id: string }
    const made = await stack.merchant.getCheckout(id)
    const { amount, currency, description, reference } = sent
    assert.ok(amount && currency && description, 'the page fills in a whole sale')
    assert.partialDeepStrictEqual(made, { status: 'open', amount, currency, description, reference })
    for (const other of ['product_cart', 'product_group_id', 'setup']) {
      assert.ok(!(other in sent), `${other} is another kind of sale`)
    }
    // The page shows the answer.
    await client.getByText('201 Created').first().waitFor()
    await client.getByText(id).first().waitFor()
  })
})
