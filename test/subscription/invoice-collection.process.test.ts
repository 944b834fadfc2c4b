import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer, fromAnywhere } from '../support/api.ts'
import { type OpenedSession, payersOf } from '../support/invoice-page.ts'
import { openPages } from '../support/pages.ts'
import { openPortal } from '../support/portal.ts'
import { sendUnheard } from '../support/sale-events.ts'
import { type Shown, type ShownInvoice, subscriptionsOf } from '../support/subscription.ts'
import { liftRateLimits } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'
import { english } from '../../web/language.ts'

// Bank transfers and mobile money cannot be pulled, so the customer pays each invoice on its page.
const stack = await useStack({ skipping: true, invariants: 'after each test' })
await liftRateLimits(stack)
const plans = subscriptionsOf(stack)
const payers = payersOf(stack, plans)
const { merchant } = stack
const hourMs = 3_600_000
const dayMs = 24 * hourMs

type Way = { currency: string; amount: string; pay: (session: OpenedSession) => Promise<void> }

/** Chooses a payment method in an open session. */
async function choose({ checkout_id: id, client_secret: secret }: OpenedSession, how: object): Promise<string> {
  const headers = { ...bearer(secret), ...fromAnywhere() }
  const reply = await merchant.call('POST', `/v1/checkout-sessions/${id}/pay`, how, headers)
  assert.equal(reply.status, 200, reply.text)
  return String(reply.body['payment_id'])
}

const ways: Record<string, Way> = {
  NGN_BANK_TRANSFER: {
    currency: 'NGN',
    amount: '5000.00',
    async pay(session) {
      const payment = await choose(session, { payment_method: 'NGN_BANK_TRANSFER' })
      const reply = await merchant.deposit(payment)
      assert.ok(reply.status < 300, reply.text)
    },
  },
  MOMO_KES: {
    currency: 'KES',
    amount: '1000.00',
    async pay(session) {
      await choose(session, {
        payment_method: 'MOMO_KES',
        phone_number: '+254700000001',
        provider: 'mpesa',
        confirm: true,
      })
      for (let tries = 0; tries < 40; tries++) {
        await stack.skip(10_000)
        if ((await merchant.getCheckout(session.checkout_id))['status'] === 'completed') return
      }
      assert.fail('the wallet has not paid')
    },
  },
}

/** A plan that is paid in this way, by default a monthly one. */
async function begin({ currency, amount, pay }: Way, product: object = {}): Promise<Shown> {
  const { product_id: productId } = await plans.createProduct({ currency, amount, ...product })
  const session = await plans.createSession(productId)
  await stack.dispatched()
  await pay(session)
  const { recurring } = (await merchant.getCheckout(session.checkout_id)) as { recurring: Record<string, unknown> }
  await stack.dispatched()
  return plans.read(String(recurring['subscription_id']))
}

const timeOf = (iso: unknown): number => Date.parse(String(iso))

/** Skips to a moment, and waits until the subscription is as wanted. */
async function skipTo(id: string, at: number, wanted: (shown: Shown) => boolean): Promise<Shown> {
  await stack.skip(at - (await stack.clock.now()))
  return plans.until(id, wanted)
}

/** Skips to the moment at which the invoice for the next period is opened. */
async function skipToInvoice({ subscription_id: id, current_period_end: end }: Shown): Promise<ShownInvoice> {
  const opensAt = timeOf(end) - 3 * dayMs
  await stack.skip(opensAt - hourMs - (await stack.clock.now()))
  assert.equal((await plans.invoices(id)).length, 1)
  const before = (await plans.read(id)).latest_invoice_id
  await skipTo(id, opensAt + 60_000, ({ latest_invoice_id: latest }) => latest !== before)
  return payers.newest(id)
}

for (const [method, way] of Object.entries(ways)) {
  test(`a subscription paid by ${method} has an invoice 3 days ahead, and renews once that is paid`, async () => {
    const begun = await begin(way)
    const { subscription_id: id, current_period_end: end } = begun
    assert.partialDeepStrictEqual(begun, { status: 'active', collection: 'invoice', payment_method: method })
    const ahead = await skipToInvoice(begun)
    assert.partialDeepStrictEqual(ahead, { status: 'open', period_start: end, due_at: end, total: way.amount })
    await way.pay(await payers.open(ahead))
    await plans.until(id, () => true)
    assert.equal((await payers.newest(id)).status, 'paid')
    assert.equal((await plans.read(id)).current_period_end, end)
    const renewed = await skipTo(id, timeOf(end) + hourMs, ({ current_period_start: start }) => start === end)
    assert.partialDeepStrictEqual(renewed, { status: 'active', collection: 'invoice', attempt_count: 0 })
    assert.equal((await plans.invoices(id)).length, 2)
    assert.equal((await payers.payments(id)).length, 2)
    const events = await plans.events(id)
    assert.equal(events.filter((type) => type === 'customer.subscription.renewed').length, 1)
    assert.ok(!events.includes('customer.subscription.past_due'))
  })

  test(`one paid by ${method} that is not paid is past due at the end of its period, then ends`, async () => {
    const begun = await begin(way)
    const { subscription_id: id, current_period_end: end } = begun
    await skipToInvoice(begun)
    assert.equal((await plans.read(id)).status, 'active')
    const unpaid = await skipTo(id, timeOf(end) + 60_000, ({ status }) => status === 'past_due')
    assert.equal(unpaid.attempt_count, 1)
    let at = timeOf(unpaid.past_due_at)
    for (const [index, days] of [2, 5, 7, 7].entries()) {
      assert.equal((await plans.read(id)).status, 'past_due')
      at += days * dayMs
      await stack.skip(at - hourMs - (await stack.clock.now()))
      assert.equal((await plans.read(id)).attempt_count, index + 1)
      await skipTo(id, at + 60_000, ({ attempt_count: count }) => count === index + 2)
    }
    const ended = await plans.read(id)
    assert.partialDeepStrictEqual(ended, { status: 'canceled', cancellation: { by: 'service' } })
    assert.equal((await payers.newest(id)).status, 'uncollectible')
    assert.equal((await payers.payments(id)).length, 1)
    assert.equal((await plans.invoices(id)).length, 2)
  })
}

test('the plan of a period of one day can be changed until its middle, when the next invoice is opened', async () => {
  const daily = { recurring: { interval: 'day', interval_count: 1 } }
  const begun = await begin(ways['NGN_BANK_TRANSFER'] as Way, daily)
  const { subscription_id: id, current_period_end: end } = begun
  await stack.skip(11 * hourMs)
  await plans.act(id, 'change-plan', { quantity: 2, proration: 'next_period' })
  const middle = timeOf(end) - 12 * hourMs
  await skipTo(id, middle + 60_000, ({ latest_invoice_id: latest }) => latest !== begun.latest_invoice_id)
  const ahead = await payers.newest(id)
  assert.partialDeepStrictEqual(ahead, { status: 'open', period_start: end, total: '10000.00' })
  await until(async () => (await mailOf(ahead)) !== '', 'its mail is sent')
  assert.match(await mailOf(ahead), /for 2 × Team plan is ₦10,000\.00/, 'the plan that it bills')
  const body = { quantity: 3, proration: 'next_period' }
  const refused = await merchant.call('POST', `/v1/subscriptions/${id}/change-plan`, body)
  assert.partialDeepStrictEqual(refused, { status: 409, body: { errors: [{ code: 'next_period_invoiced' }] } })
  const portal = await visitPortal(begun)
  await plans.act(id, 'cancel', { at_period_end: false })
  const words = await portal.choosePlan(409)
  assert.ok(words.includes('The plan cannot be changed now.') && !words.includes('invoiced already'), words)
})

test('an invoice that is paid after its due date makes the subscription active again', async () => {
  const begun = await begin(ways['NGN_BANK_TRANSFER'] as Way)
  const { subscription_id: id, current_period_end: end } = begun
  const invoice = await skipToInvoice(begun)
  await skipTo(id, timeOf(end) + 3 * dayMs, ({ status }) => status === 'past_due')
  await (ways['NGN_BANK_TRANSFER'] as Way).pay(await payers.open(invoice))
  const active = await plans.until(id, ({ status }) => status === 'active')
  assert.equal(active.current_period_start, end)
  assert.equal((await payers.newest(id)).status, 'paid')
})

test('a customer who pays an invoice by card is charged by that card at the next renewal', async () => {
  const begun = await begin(ways['NGN_BANK_TRANSFER'] as Way)
  const { subscription_id: id, current_period_end: end } = begun
  const paid = await payers.pay(await skipToInvoice(begun))
  assert.equal(paid['payment_status'], 'succeeded')
  const automatic = await plans.until(id, ({ collection }) => collection === 'automatic')
  assert.equal(automatic.payment_method, 'CARD')
  const renewed = await skipTo(id, timeOf(end) + hourMs, ({ current_period_start: start }) => start === end)
  const again = await skipTo(
    id,
    timeOf(renewed.current_period_end) + hourMs,
    ({ current_period_start: start, status }) => start === renewed.current_period_end && status === 'active',
  )
  await stack.dispatched()
  const newest = await payers.newest(id)
  assert.partialDeepStrictEqual(newest, { status: 'paid', billing_reason: 'subscription_cycle', currency: 'NGN' })
  const payment = (await payers.payments(id)).find(({ payment_id: each }) => each === newest['payment_id'])
  assert.partialDeepStrictEqual(payment, { currency: 'USD', base_amount: '5000.00', base_currency: 'NGN' })
  assert.equal(again.attempt_count, 0)
})

test('who began free and pays a dearer plan without a card pays the next invoices themselves', async () => {
  const wallet = ways['MOMO_KES'] as Way
  const free: Way = { ...wallet, pay: async (session) => void (await merchant.pay({ ...session, status: 'open' }, {})) }
  const { subscription_id: id, collection } = await begin(free, { price_type: 'free', amount: undefined })
  assert.equal(collection, 'automatic')
  const { product_id } = await plans.createProduct({ currency: wallet.currency, amount: wallet.amount })
  await plans.act(id, 'change-plan', { product_id })
  await plans.until(id, ({ status }) => status === 'past_due')
  await wallet.pay(await payers.open(await payers.newest(id)))
  const active = await plans.until(id, ({ status }) => status === 'active')
  assert.partialDeepStrictEqual(active, { collection: 'invoice', payment_method: 'MOMO_KES' })
})

test('a transfer that arrives after its session, when another one has paid the invoice, goes back', async () => {
  const begun = await begin(ways['NGN_BANK_TRANSFER'] as Way)
  const { subscription_id: id } = begun
  const invoice = await skipToInvoice(begun)
  const first = await payers.open(invoice)
  const late = await choose(first, { payment_method: 'NGN_BANK_TRANSFER' })
  await stack.skip(2 * hourMs)
  await until(
    async () => (await merchant.getCheckout(first.checkout_id))['status'] === 'expired',
    'the session expires',
  )
  await (ways['NGN_BANK_TRANSFER'] as Way).pay(await payers.open(invoice))
  assert.equal((await payers.newest(id)).status, 'paid')
  await merchant.deposit(late)
  await untilBack(late)
  assert.equal((await plans.read(id)).status, 'active')
})

test('a transfer for an invoice that is void by then goes back, and so does what arrives after it', async () => {
  const begun = await begin(ways['NGN_BANK_TRANSFER'] as Way)
  const invoice = await skipToInvoice(begun)
  const late = await choose(await payers.open(invoice), { payment_method: 'NGN_BANK_TRANSFER' })
  await plans.ok('POST', `/v1/invoices/${invoice.invoice_id}/void`, {})
  await merchant.deposit(late)
  await untilBack(late)
  await sendUnheard(stack, late, '600.00')
  await hearOf(late)
  const hasArrived = async () => (await merchant.getPayment(late))['amount_received'] === '5600.00'
  await until(hasArrived, 'the second transfer is posted')
  await untilBack(late)
  assert.equal((await payers.newest(begun.subscription_id)).status, 'void')
})

test('a transfer that arrives after its session pays the invoice that is still open', async () => {
  const begun = await begin(ways['NGN_BANK_TRANSFER'] as Way)
  const { subscription_id: id, current_period_end: end } = begun
  const first = await payers.open(await skipToInvoice(begun))
  const late = await choose(first, { payment_method: 'NGN_BANK_TRANSFER' })
  await stack.skip(2 * hourMs)
  await until(
    async () => (await merchant.getCheckout(first.checkout_id))['status'] === 'expired',
    'the session expires',
  )
  await merchant.deposit(late)
  await until(async () => (await payers.newest(id)).status === 'paid', 'the invoice is paid')
  const renewed = await skipTo(id, timeOf(end) + hourMs, ({ current_period_start: start }) => start === end)
  assert.equal(renewed.status, 'active')
  assert.ok((await payers.payments(id)).every(({ refund_status: back }) => back === 'none'))
})

/** Sends 4,900 of 5,000 naira for an invoice, and lets the session end. */
async function payShort(invoice: ShownInvoice): Promise<string> {
  const session = await payers.open(invoice)
  const payment = await choose(session, { payment_method: 'NGN_BANK_TRANSFER' })
  assert.equal((await merchant.deposit(payment, { amount: '4900.00' })).status, 200)
  await stack.skip(2 * hourMs)
  const hasExpired = async () => (await merchant.getCheckout(session.checkout_id))['status'] === 'expired'
  await until(hasExpired, 'the session expires')
  return payment
}

const accept = (payment: string) => merchant.call('POST', `/v1/payments/${payment}/accept`)

test('a short payment that its merchant accepts pays its invoice, and the subscription renews', async () => {
  const begun = await begin(ways['NGN_BANK_TRANSFER'] as Way)
  const { subscription_id: id, current_period_end: end } = begun
  const invoice = await skipToInvoice(begun)
  const payment = await payShort(invoice)
  const { status, body } = await accept(payment)
  assert.equal(status, 200)
  assert.partialDeepStrictEqual(body, { status: 'succeeded', invoice: { status: 'paid' } })
  const paid = { status: 'paid', payment_id: payment, amount_paid: '5000.00', amount_due: '0.00' }
  assert.partialDeepStrictEqual(await payers.newest(id), paid)
  assert.equal((await payers.see(invoice))['can_be_paid'], false)
  assert.equal((await accept(payment)).status, 200, 'the same again')
  assert.equal((await merchant.deposit(payment, { amount: '100.00' })).status, 200)
  const hasRefund = async () => (await stack.sql('select from refunds where charge_id = ?', [payment])).length === 1
  await until(hasRefund, 'the rest goes back')
  const renewed = await skipTo(id, timeOf(end) + hourMs, ({ current_period_start: start }) => start === end)
  assert.equal(renewed.status, 'active')
  const { product_id } = await plans.createProduct({ currency: 'NGN', amount: '1000.00' })
  const preview = await plans.ok('POST', `/v1/subscriptions/${id}/preview-change`, { product_id })
  assert.equal(preview['returned_amount'], '0.00', 'the rest was never paid for the plan')
  const credit = Number(preview['credit'])
  assert.ok(credit > 3880 && credit < 3900, `what was paid of the time that is left, less the new plan: ${credit}`)
})

for (const [end, endInvoice] of Object.entries({
  paid: async (invoice: ShownInvoice) => (ways['NGN_BANK_TRANSFER'] as Way).pay(await payers.open(invoice)),
  void: (invoice: ShownInvoice) => plans.ok('POST', `/v1/invoices/${invoice.invoice_id}/void`, {}),
})) {
  test(`CONFLICT: a short payment of an invoice that is ${end} meanwhile can only be refunded`, async () => {
    const invoice = await skipToInvoice(await begin(ways['NGN_BANK_TRANSFER'] as Way))
    const payment = await payShort(invoice)
    await endInvoice(invoice)
    const { status, body } = await accept(payment)
    assert.deepEqual([status, body['error_code']], [409, 'CONFLICT'])
    const refund = { charge_id: payment, reference: 'short' }
    assert.equal((await merchant.call('POST', '/api/v1/payments/refunds', refund)).status, 201)
    await untilBack(payment)
  })
}

/** Tells the process of a payment, which may have ended, that its rail has news. */
const hearOf = (payment: string) =>
  stack.sql(
    `insert into outbox (process, resource_id, signal, about)
     select 'checkout', checkout_id, jsonb_build_object('name', 'railAnswered', 'args', jsonb_build_array(id)),
       jsonb_build_object('accountId', account_id, 'environment', environment, 'status', status, 'waitingOn', 'rail',
         'summary', 'news') from payments where id = ?`,
    [payment],
  )

/** Waits until a payment was sent back in full. */
async function untilBack(payment: string): Promise<void> {
  const isBack = async () => {
    await stack.skip(60_000)
    return (await merchant.getPayment(payment))['refund_status'] === 'full'
  }
  await until(isBack, 'the money is back')
}

/** The text of the mail with which an invoice was sent; empty while it is not sent. */
async function mailOf({ number }: ShownInvoice): Promise<string> {
  const { items } = await plans.ok<{ items: { text: string }[] }>('GET', '/v1/test-helpers/emails?limit=100')
  return items.map(({ text }) => text).find((text) => text.includes(`Your invoice ${number} `)) ?? ''
}

const bankTransfer = ways['NGN_BANK_TRANSFER'] as Way

/** The portal of a subscription's customer, who has another plan to choose. */
async function visitPortal({ subscription_id: id, customer, line_items: [line] }: Shown) {
  const { product_id: other } = await plans.createProduct({ currency: bankTransfer.currency, amount: '9000.00' })
  await plans.ok('POST', '/v1/product-groups', { name: 'Plans', products: [String(line?.product_id), other] })
  const { token } = await openPortal(merchant, customer.id)
  const pages = await openPages(stack)
  atEnd(() => pages.stop())
  const headers = { cookie: `portal_token=${token}`, 'sec-fetch-site': 'same-origin', 'accept-language': 'en' }
  const pathTo = (page: string) => `${pages.base}/portal/subscriptions/${id}/${page}`
  const send = (page: string, typed: Record<string, string>) => {
    const body = new URLSearchParams({ about: token.split('_secret_')[0] ?? '', form_key: 'a-key', ...typed })
    return fetch(pathTo(page), { method: 'POST', headers, body })
  }
  /** Chooses the other plan, and returns the words of the page that is answered with this status. */
  async function choosePlan(status: number, typed: Record<string, string> = {}): Promise<string> {
    const reply = await send('plan', { product: other, ...typed })
    assert.equal(reply.status, status)
    return (await reply.text()).replaceAll(/[\u2066-\u2069]/g, '')
  }
  return { other, send, choosePlan, read: async (page: string) => (await fetch(pathTo(page), { headers })).text() }
}

const invoicedUntil = (end: string) =>
  `The next period is invoiced already. You can change the plan from ${english.moment(end)} on.`

test('the portal tells who pays invoices from when the plan can be changed, and what a card changes', async () => {
  const begun = await begin(bankTransfer)
  const { subscription_id: id, current_period_end: end } = begun
  await bankTransfer.pay(await payers.open(await skipToInvoice(begun)))
  await plans.until(id, () => true)
  const portal = await visitPortal(begun)
  const words = await portal.choosePlan(409)
  assert.ok(words.includes(invoicedUntil(end)), words)
  assert.match(await portal.read('card'), /From then on this card is charged for each period/)
  // A browser counts a line break as one character, and sends two.
  const lines = [...Array.from({ length: 9 }, () => 'x'.repeat(49)), `${'y'.repeat(47)}end`]
  await portal.send('cancel', { step: 'confirm', reason: 'too_expensive', comment: lines.join('\r\n') })
  assert.partialDeepStrictEqual((await plans.read(id)).cancellation, { comment: lines.join('\n') })
  await plans.act(id, 'cancel', { at_period_end: false })
  const { payment_id: unused } = await payers.newest(id)
  await untilBack(String(unused)) // the period that was paid ahead never begins
})

test('the portal tells the same who has paid the next period by a card, which is charged from then on', async () => {
  const begun = await begin(bankTransfer)
  await payers.pay(await skipToInvoice(begun))
  await plans.until(begun.subscription_id, ({ collection }) => collection === 'automatic')
  const words = await (await visitPortal(begun)).choosePlan(409)
  assert.ok(words.includes(invoicedUntil(begun.current_period_end)), words)
})

test('a change shown for the next period is asked again, not charged, where a card was named meanwhile', async () => {
  const begun = await begin(bankTransfer)
  const { subscription_id: id, customer } = begun
  const card = await plans.saveCard(customer.id)
  const portal = await visitPortal(begun)
  const termsOf = (page: string) => ({ step: 'confirm', terms: /name="terms" value="([^"]*)"/.exec(page)?.[1] ?? '' })
  const later = await portal.choosePlan(200)
  assert.match(later, /Changes on/)
  assert.partialDeepStrictEqual(await plans.edit(id, { payment_method_id: card }), { collection: 'automatic' })
  const now = await portal.choosePlan(409, termsOf(later))
  assert.match(now, /The price or the date has changed since you opened this page.*To pay now.*Pay and change/s)
  assert.equal((await plans.invoices(id)).length, 1, 'nothing is invoiced or charged')
  assert.equal((await portal.send('plan', { product: portal.other, ...termsOf(now) })).status, 200)
  assert.partialDeepStrictEqual(await plans.read(id), { amount: '9000.00' })
  await plans.until(id, ({ latest_invoice_id: latest }) => latest !== begun.latest_invoice_id)
})
