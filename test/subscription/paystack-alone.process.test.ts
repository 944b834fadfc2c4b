import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chargeReference } from '../../rails/paystack/reference.ts'
import { assertError, bearer, fromAnywhere } from '../support/api.ts'
import { payersOf } from '../support/invoice-page.ts'
import { addLiveMerchant } from '../support/live.ts'
import { useLiveProviders } from '../support/live-providers.ts'
import { createMerchant } from '../support/merchant.ts'
import { openPages } from '../support/pages.ts'
import { openPortal, portalCalls } from '../support/portal.ts'
import { settled } from '../support/settled.ts'
import { type Shown, subscriptionsOf } from '../support/subscription.ts'
import { atEnd } from '../support/use.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Subscriptions where Paystack is the only provider. It saves a card only with a payment, and not every card.

const { paystack, providers } = await useLiveProviders()
const stack = await useStack({
  invariants: 'at the end',
  skipping: true,
  providers: { paystack: providers.paystack },
})
const api = await useApi(stack)
const { merchant: live } = await addLiveMerchant(stack, api)
const merchant = createMerchant(stack.baseUrl, live.apiKey)
const plans = subscriptionsOf(stack, merchant)
const payers = payersOf(stack, plans)
const pages = await openPages(stack)
atEnd(() => pages.stop())

type Opened = { checkout_id: string; client_secret: string }
type Entered = 'reusable' | 'for once'

/** Pays a session by a card that is entered on the page of Paystack. */
async function payByCard({ checkout_id: id, client_secret: secret }: Opened, entered: Entered): Promise<void> {
  const headers = { ...bearer(secret), ...fromAnywhere() }
  const choice = { payment_method: 'NGN_CARD', confirm: true }
  const { body, text } = await merchant.call('POST', `/v1/checkout-sessions/${id}/pay`, choice, headers)
  const payment = String(body['payment_id'] ?? assert.fail(text))
  await settled(stack.client, 'checkout', id)
  paystack.enterCard(chargeReference(payment), `AUTH_${payment}`, entered === 'reusable' ? 'pays' : null)
  await stack.client.workflow.getHandle(`checkout/${id}`).signal('railAnswered', payment)
  assert.equal(await stack.finished('checkout', id), 'completed')
  await stack.dispatched()
}

const monthlyPlan = { currency: 'NGN', amount: '5000.00' }

/** A monthly plan that is paid by such a card, and the session that has sold it. */
async function subscribe(entered: Entered) {
  const session = await plans.createSession((await plans.createProduct(monthlyPlan)).product_id)
  await stack.dispatched()
  await payByCard(session, entered)
  const { recurring } = (await merchant.getCheckout(session.checkout_id)) as { recurring: Record<string, unknown> }
  return { session, recurring, sub: await plans.read(String(recurring['subscription_id'])) }
}

const dayMs = 86_400_000

/** Skips to this many days after the end of a period, and a little more. */
async function skipPast({ current_period_end: end }: Shown, days: number): Promise<void> {
  await stack.skip(Date.parse(end) + days * dayMs + 120_000 - (await stack.clock.now()))
}

const byInvoice = { status: 'active', collection: 'invoice', payment_method: 'CARD', payment_method_id: null }

test('who pays by a card that is not charged again gets invoices, and is not past due at the renewal', async () => {
  const { sub } = await subscribe('for once')
  assert.partialDeepStrictEqual(sub, byInvoice)
  const { subscription_id: id, current_period_end: end } = sub
  await skipPast(sub, -3)
  await plans.until(id, ({ latest_invoice_id: latest }) => latest !== sub.latest_invoice_id)
  const ahead = await payers.newest(id)
  assert.partialDeepStrictEqual(ahead, { status: 'open', due_at: end })
  await payByCard(await payers.open(ahead), 'for once')
  await skipPast(sub, 0)
  const renewed = await plans.until(id, ({ current_period_start: start }) => start === end)
  assert.partialDeepStrictEqual(renewed, byInvoice)
  assert.ok(!(await plans.events(id)).includes('customer.subscription.past_due'))
  await plans.act(id, 'cancel', { at_period_end: false })
})

test('who has no card and pays an invoice by one that is not charged again pays the next ones too', async () => {
  const { product_id: free } = await plans.createProduct({ currency: 'NGN', price_type: 'free', amount: undefined })
  const session = await plans.createSession(free)
  await stack.dispatched()
  assert.equal((await merchant.pay(session, {})).status, 200)
  const { recurring } = (await merchant.getCheckout(session.checkout_id)) as { recurring: Record<string, unknown> }
  const id = String(recurring['subscription_id'])
  assert.equal((await plans.read(id)).collection, 'automatic')
  await plans.act(id, 'change-plan', { product_id: (await plans.createProduct(monthlyPlan)).product_id })
  await plans.until(id, ({ status }) => status === 'past_due')
  await payByCard(await payers.open(await payers.newest(id)), 'for once')
  assert.partialDeepStrictEqual(await plans.until(id, ({ status }) => status === 'active'), byInvoice)
  await plans.act(id, 'cancel', { at_period_end: false })
})

for (const [entered, collection, words] of [
  ['reusable', 'automatic', 'Your card is charged then, and for each period until you cancel.'],
  ['for once', 'invoice', 'You get an invoice before, which you pay by its link.'],
] as const) {
  test(`the session and its receipt say how the next periods are paid by a card that is ${entered}`, async () => {
    const { session, recurring, sub } = await subscribe(entered)
    assert.deepEqual([recurring['collection'], sub.collection], [collection, collection])
    const { items } = await plans.ok<{ items: { checkout_id: string; recurring: object | null }[] }>(
      'GET',
      '/v1/checkout-sessions',
    )
    const listed = items.find(({ checkout_id: id }) => id === session.checkout_id)
    assert.partialDeepStrictEqual(listed?.recurring, { collection })
    const page = await (await fetch(pages.addressOf(session.checkout_url))).text()
    assert.ok(page.includes(words), page)
    await plans.act(sub.subscription_id, 'cancel', { at_period_end: false })
  })
}

/** The pages of the portal of a customer. */
async function portalOf({ customer }: Shown) {
  const { token } = await openPortal(merchant, customer.id)
  const headers = { cookie: `portal_token=${token}`, 'sec-fetch-site': 'same-origin', 'accept-language': 'en' }
  const read = async (path: string) => (await fetch(`${pages.base}/portal${path}`, { headers })).text()
  const send = (path: string, typed: Record<string, string>) => {
    const body = new URLSearchParams({ about: token.split('_secret_')[0] ?? '', form_key: 'a-key', ...typed })
    return fetch(`${pages.base}/portal${path}`, { method: 'POST', redirect: 'manual', headers, body })
  }
  return { call: portalCalls(merchant, token), read, send }
}

const notHere = 'You cannot add a card here. To change the card, pay an open invoice under “Invoices” with the new one.'

test('where no card can be saved alone, the portal offers no new one, and says how a card is changed', async () => {
  const { sub } = await subscribe('reusable')
  const { subscription_id: id } = sub
  const portal = await portalOf(sub)
  assert.equal((await portal.call('GET', 'me')).body['can_add_cards'], false)
  assertError(await portal.call('POST', 'payment-methods', {}), 400, 'CHECKOUT_HAS_NO_PAYMENT_METHOD')
  for (const [path, typed] of Object.entries({ '/cards': {}, [`/subscriptions/${id}/card`]: { step: 'add' } })) {
    const page = await portal.read(path)
    assert.ok(page.includes(notHere) && !/Add a (new )?card/.test(page), page)
    // Its form may have been opened before the provider that saves cards was taken away.
    const sent = await portal.send(path, typed)
    const answer = await sent.text()
    assert.ok(sent.status === 400 && answer.includes(notHere) && !answer.includes('on our side'), answer)
  }
  await plans.act(id, 'cancel', { at_period_end: false })
})

test('where no card can be saved alone, who has none and owes is sent to the invoice, not to add a card', async () => {
  const { sub } = await subscribe('reusable')
  await stack.sql('update subscriptions set payment_method_id = null where id = ?', [sub.subscription_id])
  await skipPast(sub, 0)
  await plans.until(sub.subscription_id, ({ status }) => status === 'past_due')
  const page = await (await portalOf(sub)).read('')
  assert.ok(page.includes('Please pay it under “Invoices”.') && !page.includes('Please add one'), page)
  await plans.act(sub.subscription_id, 'cancel', { at_period_end: false })
})
