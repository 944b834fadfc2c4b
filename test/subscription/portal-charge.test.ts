import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cards } from '../support/merchant.ts'
import { openPages } from '../support/pages.ts'
import { openPortal, portalCalls } from '../support/portal.ts'
import { liftRateLimits } from '../support/rows.ts'
import { type Shown, subscriptionsOf } from '../support/subscription.ts'
import { atEnd } from '../support/use.ts'
import { until } from '../support/until.ts'
import { useStack } from '../support/use-stack.ts'

// What the pages of the portal say that a card is charged, beside what it is charged.

const stack = await useStack({ invariants: 'at the end' })
await liftRateLimits(stack)
const pages = await openPages(stack)
atEnd(() => pages.stop())
const plans = subscriptionsOf(stack)
const { merchant } = stack

type Fields = Record<string, unknown>
type Sold = {
  product?: Fields
  session?: Fields
  corridor?: 'USD_CARD' | 'NGN_CARD'
  bears?: 'customer_pays' | 'org_pays'
}

/** A subscription of the first of two plans, which a card pays. */
async function subscribed({ product = {}, session = {}, corridor = 'USD_CARD', bears = 'org_pays' }: Sold = {}) {
  await plans.ok('PUT', '/v1/accounts/checkout/settings', { fee_preference: bears })
  const { product_id: basic } = await plans.createProduct({ name: 'Basic', ...product })
  const { product_id: pro } = await plans.createProduct({ name: 'Pro', ...product, amount: '80000.00' })
  await plans.ok('POST', '/v1/product-groups', { name: 'Plans', products: [basic, pro] })
  const opened = await plans.createSession(basic, session)
  await stack.dispatched()
  await merchant.payByCard(opened, cards.success, corridor)
  const { recurring } = (await merchant.getCheckout(opened.checkout_id)) as { recurring: Record<string, string> }
  const shown = await plans.read(String(recurring['subscription_id']))
  return { ...shown, pro }
}

/** The portal of a customer: its API, and its pages as text without tags. */
async function portalOf({ customer }: Shown) {
  const { token, url } = await openPortal(merchant, customer.id)
  const opened = await fetch(pages.addressOf(url), { redirect: 'manual' })
  const [cookie = ''] = opened.headers.getSetCookie().map((each) => each.split(';')[0])
  const read = async (response: Response): Promise<Page> => ({ status: response.status, html: await response.text() })
  return {
    call: portalCalls(merchant, token),
    get: async (path = '') => read(await fetch(`${pages.base}/portal${path}`, { headers: { cookie } })),
    /** Sends the form of a page, with these fields beside its hidden ones. */
    async send(path: string, { html }: Page, fields: Record<string, string>) {
      const headers = { cookie, 'sec-fetch-site': 'same-origin' }
      const body = new URLSearchParams({ ...hiddenOf(html), ...fields })
      return read(await fetch(`${pages.base}/portal${path}`, { method: 'POST', redirect: 'manual', headers, body }))
    },
  }
}

type Page = { status: number; html: string }

const hiddenOf = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name, value]) => [name, value]),
  ) as Record<string, string>

const textOf = ({ html }: Page): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/[\s\u00a0]+/g, ' ')

/** The payment of the second invoice, once it is paid. */
async function secondPayment({ subscription_id: id }: Shown) {
  await until(async () => (await plans.invoices(id))[1]?.status === 'paid', 'the change is paid')
  const [, invoice] = await plans.invoices(id)
  return plans.ok<Record<string, string>>('GET', `/v1/payments/${String(invoice?.['payment_id'])}`)
}

test('who bears the fee is told what the card is charged with it, and that is what it is charged', async () => {
  const sub = await subscribed({ bears: 'customer_pays' })
  const portal = await portalOf(sub)
  const own = `/subscriptions/${sub.subscription_id}`
  const { body: read } = await portal.call('GET', own.slice(1))
  assert.partialDeepStrictEqual(read, { fee_preference: 'customer_pays', charge_currency: 'USD' })
  assert.match(textOf(await portal.get()), /It renews on .* Then \$25\.00 plus the payment fee is charged\./)
  const page = await portal.send(`${own}/plan`, await portal.get(`${own}/plan`), { product: sub.pro })
  const [, fee, due, pay] =
    textOf(page).match(/Fee \$([\d,.]+) To pay now \$([\d,.]+) USD .* Pay \$([\d,.]+) and change/) ?? []
  assert.ok(fee && due && due === pay, textOf(page))
  assert.match(textOf(page), /Next payment \$80,000\.00 plus the payment fee on /)
  await portal.send(`${own}/plan`, page, { step: 'confirm' })
  const paid = await secondPayment(sub)
  const figure = (text: string) => Number(text.replaceAll(',', ''))
  assert.ok(Math.abs(Number(paid['amount']) - figure(due)) <= 0.05, `${paid['amount']} is ${due}`)
  assert.ok(Math.abs(Number(paid['fee_usd']) - figure(fee)) <= 0.01, `${paid['fee_usd']} is ${fee}`)
})

test('a card in another currency is charged at the rate of that day, which the pages do not know', async () => {
  const sub = await subscribed({ product: { currency: 'NGN', amount: '40000.00' } })
  const portal = await portalOf(sub)
  const own = `/subscriptions/${sub.subscription_id}`
  assert.partialDeepStrictEqual((await portal.call('GET', own.slice(1))).body, { charge_currency: 'USD' })
  const later = String.raw`₦40,000\.00 \(in USD at the rate of that day\)`
  assert.match(textOf(await portal.get()), new RegExp(`Then ${later} is charged`))
  const preview = await portal.call('POST', `${own.slice(1)}/preview-change`, { product_id: sub.pro })
  assert.equal((preview.body as Fields)['charge'], null)
  const page = textOf(await portal.send(`${own}/plan`, await portal.get(`${own}/plan`), { product: sub.pro }))
  assert.match(page, /To pay now ₦[\d,.]+ NGN \(in USD at today’s rate\)/)
  assert.match(page, /Next payment ₦80,000\.00 \(in USD at the rate of that day\) on .* Pay and change/)
  assert.doesNotMatch(page, / Fee /)
})

test('a card of another currency that is named meanwhile is not charged without a look at what it costs', async () => {
  const product = { currency: 'NGN', amount: '40000.00' }
  const sub = await subscribed({ product, corridor: 'NGN_CARD' })
  const other = await subscribed({ product, session: { customer: { id: sub.customer.id } } })
  const portal = await portalOf(sub)
  const own = `/subscriptions/${sub.subscription_id}`
  const page = await portal.send(`${own}/plan`, await portal.get(`${own}/plan`), { product: sub.pro })
  assert.match(textOf(page), /To pay now ₦[\d,.]+ NGN .* Pay ₦[\d,.]+ and change/)
  await plans.edit(sub.subscription_id, { payment_method_id: other.payment_method_id })
  const again = await portal.send(`${own}/plan`, page, { step: 'confirm' })
  assert.equal(again.status, 409)
  assert.match(textOf(again), /The price or the date has changed .* \(in USD at today’s rate\)/)
  assert.equal((await plans.read(sub.subscription_id)).latest_invoice_id, sub.latest_invoice_id)
})

test('a quantity that is changed meanwhile is not charged without a look at what it costs', async () => {
  const sub = await subscribed()
  const { product_id: half } = await plans.createProduct({ name: 'Half', amount: '12.50' })
  await plans.ok('POST', '/v1/product-groups', { name: 'Halves', products: [half, sub.pro] })
  const portal = await portalOf(sub)
  const own = `/subscriptions/${sub.subscription_id}/plan`
  const page = await portal.send(own, await portal.get(own), { product: sub.pro })
  assert.match(textOf(page), /Next payment \$80,000\.00 on /)
  const two = { product_id: half, quantity: 2, proration: 'none' }
  const { amount } = await plans.read(sub.subscription_id)
  assert.equal((await plans.act(sub.subscription_id, 'change-plan', two)).amount, amount)
  const again = await portal.send(own, page, { step: 'confirm' })
  assert.equal(again.status, 409)
  assert.match(textOf(again), /The price or the date has changed .* Next payment \$160,000\.00 on /)
})

test('where the merchant bears the fee, or an invoice is sent, the price is all that is named', async () => {
  const sub = await subscribed()
  const portal = await portalOf(sub)
  const own = `/subscriptions/${sub.subscription_id}`
  const page = textOf(await portal.send(`${own}/plan`, await portal.get(`${own}/plan`), { product: sub.pro }))
  assert.doesNotMatch(page + textOf(await portal.get()), / Fee |payment fee|rate of that day|today’s rate/)
  const preview = (await portal.call('POST', `${own.slice(1)}/preview-change`, { product_id: sub.pro })).body as Fields
  assert.deepEqual(preview['charge'], { amount: preview['amount_due'], fee: '0.00', currency: 'USD' })
  const later = await plans.act(sub.subscription_id, 'preview-change', {
    product_id: sub.pro,
    proration: 'next_period',
  })
  assert.equal(later['charge'], null)
})

test('a change to a plan that is free names neither a fee nor a rate for what is paid next', async () => {
  const sub = await subscribed({ product: { currency: 'NGN', amount: '40000.00' }, bears: 'customer_pays' })
  const isFree = { price_type: 'free', amount: undefined }
  const { product_id: free } = await plans.createProduct({ name: 'Free', currency: 'NGN', ...isFree })
  const [line] = sub.line_items
  await plans.ok('POST', '/v1/product-groups', { name: 'Smaller', products: [line?.product_id, free] })
  const portal = await portalOf(sub)
  const own = `/subscriptions/${sub.subscription_id}/plan`
  const page = textOf(await portal.send(own, await portal.get(own), { product: free }))
  assert.match(page, /Next payment ₦0\.00 on /)
})

/** Has the subscription offer a cheaper plan, and returns its id. */
async function offerCheaper({ line_items: [line] }: Shown, amount: string): Promise<string> {
  const { product_id: cheaper } = await plans.createProduct({ name: 'Small', amount })
  await plans.ok('POST', '/v1/product-groups', { name: 'Smaller', products: [String(line?.product_id), cheaper] })
  return cheaper
}

/** Changes to another plan in the portal. Returns the page that said what it costs, and the page of subscriptions. */
async function changeTo(plan: string, { subscription_id: id }: Shown, portal: Awaited<ReturnType<typeof portalOf>>) {
  const path = `/subscriptions/${id}/plan`
  const preview = await portal.send(path, await portal.get(path), { product: plan })
  await portal.send(path, preview, { step: 'confirm' })
  return { preview: textOf(preview), subscriptions: textOf(await portal.get()) }
}

const creditIn = async (portal: Awaited<ReturnType<typeof portalOf>>, { subscription_id: id }: Shown) =>
  Number(((await portal.call('GET', `subscriptions/${id}`)).body as Fields)['credit'])

test('credit is named with what it leaves to be charged next', async () => {
  const sub = await subscribed({ product: { amount: '100.00' }, bears: 'customer_pays' })
  const portal = await portalOf(sub)
  assert.equal(await creditIn(portal, sub), 0)
  const { preview, subscriptions } = await changeTo(await offerCheaper(sub, '60.00'), sub, portal)
  // A second of the old plan may be used until then, which costs a cent.
  assert.match(preview, /Credit for your next payment \$(39\.99|40\.00) /)
  assert.match(preview, / Next payment \$20\.0\d plus the payment fee on /)
  const credit = await creditIn(portal, sub)
  const next = (60 - credit).toFixed(2).replace('.', String.raw`\.`)
  const words = `Then \\$${next} plus the payment fee is charged\\. You have \\$${credit.toFixed(2)} of credit`
  assert.match(subscriptions, new RegExp(words))
})

test('of what credit pays in full nothing is said to be charged, and all credit is named before a change', async () => {
  const sub = await subscribed({ product: { amount: '100.00' }, bears: 'customer_pays' })
  const portal = await portalOf(sub)
  const first = await changeTo(await offerCheaper(sub, '40.00'), sub, portal)
  assert.match(first.preview, /Credit for your next payment \$(59\.99|60\.00) Next payment \$0\.00 on /)
  assert.match(first.subscriptions, /It renews on [^.]*\. You have \$(59\.99|60\.00) of credit for your/)
  const second = await changeTo(await offerCheaper(await plans.read(sub.subscription_id), '10.00'), sub, portal)
  assert.match(second.preview, /Credit for your next payment \$(89\.9\d|90\.00) Next payment \$0\.00 on /)
  assert.doesNotMatch(second.subscriptions, /is charged|payment fee/)
})

test('a card that its customer has removed is charged nothing: neither an amount nor a currency is named', async () => {
  const sub = await subscribed()
  const portal = await portalOf(sub)
  await stack.sql('update saved_payment_methods set detached_at = now() where id = ?', [sub.payment_method_id])
  const path = `subscriptions/${sub.subscription_id}`
  assert.equal(((await portal.call('GET', path)).body as Fields)['charge_currency'], null)
  const { body } = await portal.call('POST', `${path}/preview-change`, { product_id: sub.pro })
  assert.equal((body as Fields)['charge'], null)
})
