import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buyer, card, cards } from '../support/merchant.ts'
import { useCheckoutPages } from '../support/checkout-pages.ts'

// A merchant's page, on another origin, calls the API from the buyer's browser.
const open = await useCheckoutPages()
const page = await open.browser.newPage()
await page.goto(open.shopUrl())

type Answer = { status: number; headers: Record<string, string>; body: unknown }
type Sent = { method?: string; headers?: Record<string, string>; body?: string; credentials?: 'include' }

/** What a script of the page reads of an answer, or the error that it gets instead. */
const send = (path: string, sent: Sent): Promise<Answer | string> =>
  page.evaluate(
    async ([url, init]) => {
      try {
        const answer = await fetch(url, init)
        return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.json() }
      } catch (error) {
        return String(error)
      }
    },
    [open.stack.baseUrl + path, sent] as const,
  )

function readable(answer: Answer | string): Answer {
  assert.ok(typeof answer !== 'string', String(answer))
  return answer
}

test('a buyer pays on a page of the merchant, from any origin, with the client secret alone', async () => {
  const session = await open.createCheckout()
  const path = `/v1/checkout-sessions/${session.checkout_id}`
  const headers = { authorization: `Bearer ${session.client_secret}`, 'content-type': 'application/json' }
  const seen = readable(await send(`${path}/public`, { headers }))
  assert.equal(seen.status, 200)
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id']) {
    assert.ok(seen.headers[name], name)
  }
  const body = JSON.stringify({ payment_method: 'USD_CARD', card: card(cards.success), customer_details: buyer })
  const pay = { method: 'POST', body, headers: { ...headers, 'idempotency-key': 'once' } }
  assert.equal(readable(await send(`${path}/pay`, pay)).status, 200)
  assert.equal(readable(await send(`${path}/pay`, pay)).headers['idempotent-replayed'], 'true')
  const confirmed = readable(await send(`${path}/confirm`, { method: 'POST', body: '{}', headers }))
  assert.equal(confirmed.status, 200)
  await open.stack.finished('checkout', session.checkout_id)
  const paid = readable(await send(`${path}/public`, { headers }))
  assert.equal((paid.body as { status: string }).status, 'completed')
})

test('a page can read why a buyer’s call was refused, but nothing that needs a key', async () => {
  const { checkout_id, client_secret } = await open.createCheckout()
  const path = `/v1/checkout-sessions/${checkout_id}/public`
  const refused = readable(await send(path, { headers: { authorization: 'Bearer chk_wrong' } }))
  assert.equal(refused.status, 401)
  assert.match(refused.headers['www-authenticate'] ?? '', /invalid_token/)
  const authorization = `Bearer ${client_secret}`
  assert.match(String(await send(path, { headers: { authorization }, credentials: 'include' })), /TypeError/)
  const key = { authorization: `Bearer ${open.stack.merchant.apiKey}` }
  assert.match(String(await send('/v1/payments', { headers: key })), /TypeError/)
  assert.match(String(await send('/v1/payment-methods', {})), /TypeError/)
})
