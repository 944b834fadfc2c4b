import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heading, useCheckoutPages } from '../support/checkout-pages.ts'
import { createLink } from '../support/payment-link.ts'
import { addToken } from '../support/portal.ts'

// A mail or chat program has taken the end of a sentence for a part of the link.
const checkout = await useCheckoutPages()
const { stack, pages, browser } = checkout
const ends = ['.', ',', ')', ').', '>', '»', '”.', '%3E', '…']

test('a link to pay opens its page, whatever stands behind it in the text', async () => {
  const { checkout_url } = await checkout.createCheckout()
  const { url } = await createLink(stack.merchant)
  for (const end of ends) {
    for (const to of [checkout_url, url]) {
      const answer = await fetch(pages.addressOf(to) + end, { redirect: 'manual' })
      assert.equal(answer.status, to === url ? 303 : 200, `${to}${end}`)
    }
  }
  assert.equal((await fetch(`${pages.addressOf(checkout_url)}.x`)).status, 404)
  await checkout.visit(`${checkout_url}.`, async (page) => {
    await heading(page, 'How would you like to pay?')
  })
})

test('a link to the portal opens it, and one that is wrong does not end the visit that is open', async () => {
  const { text } = await stack.merchant.call('POST', '/v1/customers', { email: 'ada@example.com' })
  const { customer_id: customerId } = JSON.parse(text) as { customer_id: string }
  const owner = { accountId: stack.organizationId, environment: 'sandbox', customerId } as const
  const token = await addToken(stack, owner)
  const page = await browser.newPage({ javaScriptEnabled: false })
  await page.goto(`${pages.base}/portal/${token}).`)
  await heading(page, 'Your subscriptions')
  await page.goto(`${pages.base}/portal/${token.slice(0, -30)}`)
  await page.getByText('Your subscriptions').waitFor({ state: 'detached' })
  await page.goto(`${pages.base}/portal`)
  await heading(page, 'Your subscriptions')
  await page.context().close()
})
