import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStubbedPages } from '../support/stubbed-pages.ts'

// What the form of a refund says of amounts in currencies without decimals.
const { send, answer } = await openStubbedPages()
const me = {
  user: { id: 'usr_a', email: 'ada@example.com', full_name: 'Ada', hasOnboarded: true },
  role: 'owner',
  scopes: ['refunds:write'],
  account_id: 'acct_a',
  environment: 'sandbox',
  environments: ['sandbox'],
  clock_ahead: null,
}

for (const currency of ['UGX', 'USD']) {
  const payment = { payment_id: 'pay_a', amount: '90000', currency, refunded_amount: '0' }
  const press = async (fields: Record<string, string>) => {
    const form = new URLSearchParams({ ...fields, shown_to: 'sandbox.usr_a' })
    const page = await send('/dashboard/payments/pay_a/refund', 'dashboard_access=at; dashboard_refresh=rt', form)
    const html = await page.text()
    return { status: page.status, html, example: /id="amount-error"[^>]*>[^<]*such as ([\d.]+)\.</.exec(html)?.[1] }
  }

  test(`the words of a wrong ${currency} amount, of the page or the API, name one that is taken`, async () => {
    const known = (call: string) => (call.startsWith('GET /api/v1/auth/me') ? me : payment)
    const calls = answer((call) => (call.startsWith('GET ') ? known(call) : ['amount']))
    const ofPage = await press({ amount: '25.505' })
    assert.equal(ofPage.status, 422)
    const ofApi = await press({ amount: '0', step: 'send', form_key: 'a-key' })
    assert.equal(ofApi.status, 400)
    assert.equal(calls.filter((call) => call.startsWith('POST ')).length, 1)
    for (const { example, html } of [ofPage, ofApi]) {
      assert.ok(example, html)
      const next = await press({ amount: example })
      assert.equal(next.status, 200)
      assert.match(next.html, /Refund this payment\?/)
    }
  })
}
