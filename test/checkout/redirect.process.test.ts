import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { isRedirectTarget } from '../../domain/checkout/payment.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { buyer, card, cards, sale, setup } from '../support/merchant.ts'
import { createLink, opened } from '../support/payment-link.ts'
import { openPages } from '../support/pages.ts'
import { scriptRedirects } from '../support/scripted-rails.ts'
import { settled } from '../support/settled.ts'
import { type Stack } from '../support/stack.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useStack } from '../support/use-stack.ts'

const minute = 60_000
const hour = 60 * minute
const bank = 'https://bank.example.com/3ds?order=1&lang=en'

const stack = await useStack({ skipping: true })
const rail = scriptRedirects(stack, bank)
// The first sale may fail while everything is starting.
await until(() => stack.merchant.chargeByCard().then(Boolean, () => false), 'the first sale is paid')
afterEach(async () => {
  Object.assign(rail.script, { url: bank, asksAgainMs: null, cancels: true })
  await assertInvariants(stack)
})

const choice = { payment_method: 'USD_CARD', card: card(cards.threeDs), confirm: true }
type Session = Awaited<ReturnType<Stack['merchant']['createCheckout']>>

/** A session whose buyer is sent to the page of their bank. */
async function redirected(body: Record<string, unknown> = sale) {
  const session = await stack.merchant.createCheckout(body)
  await stack.dispatched()
  const attempt = await stack.merchant.pay(session, choice)
  assert.deepEqual(
    [attempt.body['payment_status'], attempt.body['next_action']],
    ['requires_action', { type: 'redirect', url: bank }],
    attempt.text,
  )
  await settled(stack.client, 'checkout', session.checkout_id)
  return { session, paymentId: String(attempt.body['payment_id']) }
}

const signalAnswer = ({ checkout_id }: Pick<Session, 'checkout_id'>, id: string) =>
  stack.client.workflow.getHandle(`checkout/${checkout_id}`).signal('railAnswered', id)

test('the sale waits for a buyer who is at their bank, and goes on when the rail has an answer', async () => {
  const { session, paymentId } = await redirected()
  const going = await stack.merchant.confirm(session) // changes nothing
  assert.deepEqual(going.body['next_action'], { type: 'redirect', url: bank })
  await signalAnswer(session, paymentId) // too early: the buyer has not been there
  await settled(stack.client, 'checkout', session.checkout_id)
  assert.equal((await stack.merchant.getCheckout(session.checkout_id))['payment_status'], 'requires_action')
  await rail.agree(paymentId)
  await signalAnswer(session, paymentId)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  assert.equal((await stack.merchant.getPayment(paymentId))['status'], 'succeeded')
})

test('a rail that names a time for the next look-up is asked then, even without a signal', async () => {
  rail.script.asksAgainMs = 5 * minute
  const { session, paymentId } = await redirected()
  await rail.agree(paymentId)
  await stack.skip(6 * minute)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
})

test('a buyer who never comes back lets the session expire', async () => {
  const { session, paymentId } = await redirected({ ...sale, expires_in_minutes: 1 })
  assert.equal(await stack.finished('checkout', session.checkout_id), 'expired')
  assert.equal((await stack.merchant.getPayment(paymentId))['status'], 'canceled')
})

for (const status of ['expired', 'cancelled'] as const) {
  test(`a buyer who agrees at their bank after the session is ${status} is not charged`, async () => {
    const { session, paymentId } = await redirected({ ...sale, expires_in_minutes: 1 })
    if (status === 'cancelled') await stack.merchant.cancel(session.checkout_id)
    assert.equal(await stack.finished('checkout', session.checkout_id), status)
    assert.equal((await rail.agree(paymentId)).status, 'canceled')
  })

  test(`if the rail cannot cancel, what they agree to after it is ${status} is found and late`, async () => {
    rail.script.cancels = false
    const { session, paymentId } = await redirected({ ...sale, expires_in_minutes: 1 })
    if (status === 'cancelled') await stack.merchant.cancel(session.checkout_id)
    await stack.skip(2 * hour)
    assert.equal((await stack.merchant.getCheckout(session.checkout_id))['status'], status)
    await rail.agree(paymentId) // its callback is lost
    assert.equal(await stack.finished('checkout', session.checkout_id), status)
    assert.equal((await stack.merchant.getPayment(paymentId))['status'], 'succeeded')
  })
}

test('a buyer who is at the bank for the last sale of a link keeps the place until they choose anew', async () => {
  const link = await createLink(stack.merchant, { max_completions: 1 })
  const [away, other] = [await opened(stack.merchant, link), await opened(stack.merchant, link)]
  await stack.dispatched()
  assert.equal((await stack.merchant.pay(away, choice)).body['payment_status'], 'requires_action')
  assertError(await stack.merchant.pay(other, choice), 409, 'CONFLICT')
  await stack.merchant.pay(away, { ...choice, confirm: false })
  const next = await stack.merchant.pay(other, choice)
  assert.equal(next.body['payment_status'], 'requires_action', next.text)
  await rail.agree(String(next.body['payment_id']))
  await signalAnswer(other, String(next.body['payment_id']))
  assert.equal(await stack.finished('checkout', other.checkout_id), 'completed')
  assertError(await stack.merchant.confirm(away), 409, 'CONFLICT')
  await stack.merchant.cancel(away.checkout_id)
})

test('a card can also be saved through the bank’s page', async () => {
  const { session } = await redirected({ ...setup, customer: buyer })
  const [row] = await stack.sql<{ id: string }>('select id from card_setups where checkout_id = ?', [
    session.checkout_id,
  ])
  await rail.agreeToSave(row?.id ?? '')
  await signalAnswer(session, row?.id ?? '')
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
})

test('only the rail gets the buyer’s email and return address', async () => {
  const email = 'marked@example.com'
  for (const body of [sale, setup]) {
    const { session } = await redirected({ ...body, customer: { ...buyer, email } })
    const order = rail.orders.at(-1)
    assert.deepEqual([order?.email, order?.returnUrl], [email, session.checkout_url])
    const [row] = await stack.sql<{ text: string }>(
      'select sealed_return_url as text from payment_requests where checkout_id = ?',
      [session.checkout_id],
    )
    assert.ok(row?.text && !row.text.includes('_secret_'))
    const handle = stack.client.workflow.getHandle(`checkout/${session.checkout_id}`)
    const history = JSON.stringify(await handle.fetchHistory(), (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    )
    for (const secret of [email, '_secret_', 'bank.example.com']) assert.ok(!history.includes(secret), secret)
    await stack.merchant.cancel(session.checkout_id)
  }
  const { checkout_id } = await stack.merchant.createCheckout(sale)
  await stack.merchant.call('POST', `/v1/test-helpers/checkout-sessions/${checkout_id}/pay`, {})
  assert.deepEqual([rail.orders.at(-1)?.email, rail.orders.at(-1)?.returnUrl], [null, null])
})

test('the hosted page links to the bank, over https', async () => {
  const { session } = await redirected()
  const pages = await openPages(stack)
  const page = await fetch(pages.addressOf(session.checkout_url), { headers: fromAnywhere() })
  const html = await page.text()
  pages.stop()
  assert.match(
    html,
    /<a class="button" href="https:\/\/bank\.example\.com\/3ds\?order=1&amp;lang=en" rel="noreferrer">/,
  )
  assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self';/)
  assert.doesNotMatch(html, /<form/)
  await stack.merchant.cancel(session.checkout_id)
})

test('a URL that is not https is never shown: the step is tried until the rail gives an https one', async () => {
  rail.script.url = 'http://bank.example.com/3ds'
  const session = await stack.merchant.createCheckout(sale)
  await stack.dispatched()
  const sent = rail.orders.length
  const paying = stack.merchant.pay(session, choice)
  await until(() => rail.orders.length > sent + 1, 'the rail is asked again')
  const path = `/v1/checkout-sessions/${session.checkout_id}/public`
  const headers = { ...bearer(session.client_secret), ...fromAnywhere() }
  const shown = async () => (await stack.merchant.call('GET', path, undefined, headers)).body
  const { payment_status, next_action } = await shown()
  assert.deepEqual([payment_status, next_action], ['processing', null])
  rail.script.url = bank
  await paying
  await until(async () => (await shown())['payment_status'] === 'requires_action', 'the buyer is asked to go there')
  assert.deepEqual((await shown())['next_action'], { type: 'redirect', url: bank })
  await stack.merchant.cancel(session.checkout_id)
})

test('a buyer is sent to https URLs only, in the sandbox also to the local machine', () => {
  const own = ['http://127.0.0.1:8080/x', 'http://localhost/x', 'http://[::1]:1/']
  const wrong = ['http://example.com/', 'javascript:alert(1)', '/x', '', 'data:text/html,x', 'https://a:b@example.com/']
  const allowed = (environment: 'sandbox' | 'live') =>
    [bank, ...own, ...wrong].filter((url) => isRedirectTarget(url, environment))
  assert.deepEqual(allowed('sandbox'), [bank, ...own])
  assert.deepEqual(allowed('live'), [bank])
})
