import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { choose, go, heading, useCheckoutPages, typeBuyer, typeCard } from '../support/checkout-pages.ts'
import { cards, sale, transferSale } from '../support/merchant.ts'
import { formOf } from '../support/page-form.ts'
import { openPages } from '../support/pages.ts'
import { changeSession } from '../support/rows.ts'
import { startStack } from '../support/stack.ts'

const open = await useCheckoutPages()

const atShop = (page: Page) => page.waitForURL(`${open.shopUrl()}/**`, { timeout: 20_000 })
const paymentsOf = (id: string) =>
  open.stack.sql<{ id: string; status: string }>(
    'select id, status from payments where checkout_id = ? order by created_at',
    [id],
  )

for (const script of [false, true]) {
  test(`a card sale goes from the form to the shop, script ${script ? 'on' : 'off'}`, async () => {
    const session = await open.createCheckout()
    await open.visit(
      session.checkout_url,
      async (page) => {
        await heading(page, 'How would you like to pay?')
        assert.match(await page.title(), /^Pay /)
        await page.getByText('A test sale').waitFor()
        await typeBuyer(page)
        await typeCard(page, '4242 4242 4242 4242')
        await heading(page, 'Payment complete')
        await atShop(page)
        assert.equal(new URL(page.url()).searchParams.get('id'), session.checkout_id)
      },
      { script },
    )
    const paid = await open.stack.merchant.getCheckout(session.checkout_id)
    assert.equal(paid['status'], 'completed')
    assert.deepEqual(paid['customer_details'], { email: 'ada@example.com', name: 'Ada Buyer' })
  })

  test(`the page of a short transfer updates itself until it is paid, script ${script ? 'on' : 'off'}`, async () => {
    const session = await open.createCheckout(transferSale)
    await open.visit(
      session.checkout_url,
      async (page) => {
        await typeBuyer(page)
        await choose(page, 'Bank transfer')
        await go(page)
        await heading(page, 'Send a bank transfer')
        // Where the script was blocked on its way, only a link shows what is new.
        await page.getByRole('link', { name: 'Check now' }).click()
        await heading(page, 'Send a bank transfer')
        assert.match(await page.locator('.account').innerText(), /Account number\s+\d{10}/)
        const [payment] = await paymentsOf(session.checkout_id)
        await open.stack.merchant.deposit(payment?.id ?? '', { amount: '1250.50' })
        await heading(page, 'Send the rest')
        await page.getByText('₦3,749.50 is still missing').waitFor()
        const bill = await page.locator('.bill').last().innerText()
        assert.match(bill, /Amount due\s+₦5,000.00\s+Received so far\s+₦1,250.50\s+Still missing\s+₦3,749.50/)
        await open.stack.merchant.deposit(payment?.id ?? '')
        await heading(page, 'Payment complete')
      },
      { script },
    )
  })
}

test('after a declined card another one can be used', async () => {
  const session = await open.createCheckout()
  await open.visit(session.checkout_url, async (page) => {
    await typeBuyer(page)
    await typeCard(page, cards.declined)
    await page.getByRole('alert').getByText('declined').waitFor()
    assert.match(await page.title(), /^Error: /)
    await typeCard(page, cards.success)
    await heading(page, 'Payment complete')
  })
  const payments = await paymentsOf(session.checkout_id)
  assert.deepEqual(
    payments.map(({ status }) => status),
    ['failed', 'succeeded'],
  )
})

test('3DS asks for a code; a wrong one fails the attempt and no code is in the page', async () => {
  const session = await open.createCheckout()
  await open.visit(session.checkout_url, async (page) => {
    const code = async (text: string) => {
      await page.getByLabel('Code', { exact: true }).fill(text)
      await go(page)
    }
    await typeBuyer(page)
    await typeCard(page, cards.threeDs)
    await code('12')
    await page.locator('.error').getByText('at least 4 digits').waitFor()
    await code('654321')
    await page.getByRole('alert').getByText('If you entered a code, it may have been wrong').waitFor()
    assert.doesNotMatch(await page.content(), /654321/)
    await typeCard(page, cards.threeDs)
    await code('123456')
    await heading(page, 'Payment complete')
  })
})

test('an invalid form is shown again with what was typed, but no digit of the card', async () => {
  const session = await open.createCheckout()
  await open.visit(session.checkout_url, async (page) => {
    await page.getByLabel('Email').fill('ada@localhost')
    await page.getByLabel('Name', { exact: true }).fill('<b>Ada</b> & "Co"')
    await typeCard(page, '4242 4242 4242 4241', '13/40')
    await page.locator('.error').getByText('Enter an email address').waitFor()
    await page.locator('.error').getByText('Enter the month and year').waitFor()
    assert.equal(await page.getByLabel('Email').inputValue(), 'ada@localhost')
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), '<b>Ada</b> & "Co"')
    assert.equal(await page.getByLabel('Expiry').inputValue(), '13/40')
    assert.equal(await page.getByLabel('Card number').inputValue(), '')
    assert.equal(await page.getByLabel('Security code').inputValue(), '')
    await page.getByLabel('Email').fill('ada@example.com')
    await typeCard(page, '4242 4242 4242 4241')
    await page.locator('.error').getByText('Check the card number').waitFor()
    assert.doesNotMatch(await page.content(), /4242|4241|value="123"/)
    await typeCard(page, cards.success)
    await heading(page, 'Payment complete')
  })
})

test('the fee and the total of each payment method are shown before anything is confirmed', async () => {
  const customer = { email: 'bola@example.com', name: 'Bola' }
  const session = await open.withFee(() => open.createCheckout({ ...transferSale, customer }))
  await open.visit(session.checkout_url, async (page) => {
    await page.getByText('₦5,175.00, includes a fee of ₦175.00').waitFor()
    await page.getByText('₦5,050.00, includes a fee of ₦50.00').waitFor()
    assert.equal(await page.getByLabel('Email').count(), 0)
    await page.getByText('bola@example.com').waitFor()
    await typeCard(page, cards.success)
    assert.match(await page.locator('.bill').innerText(), /Fee\s+₦175\.00\s+You pay\s+₦5,175\.00\sNGN/)
    await page.getByRole('link', { name: 'Pay another way' }).click()
    await choose(page, 'Bank transfer')
    await go(page)
    await heading(page, 'Send a bank transfer')
    assert.match(await page.locator('.account').innerText(), /Exact amount\s+₦5,050\.00\sNGN/)
  })
})

test('a free session is completed with one button', async () => {
  const session = await open.createCheckout({ amount: '0.00' })
  await open.visit(session.checkout_url, async (page) => {
    await typeBuyer(page)
    await page.getByRole('button', { name: 'Complete' }).click()
    await heading(page, 'Your order is complete')
    await page.getByRole('link', { name: 'Continue to' }).click()
    await atShop(page)
  })
})

test('while a payment is processed the page waits, and the buyer cannot pay again', async () => {
  const session = await open.createCheckout({ customer: who })
  await changeSession(open.stack, session.checkout_id, { paymentStatus: 'processing' })
  await open.visit(session.checkout_url, async (page) => {
    await heading(page, 'Your payment is being processed')
    assert.equal(await page.getByRole('button').count(), 0)
    await changeSession(open.stack, session.checkout_id, { paymentStatus: 'failed' })
    await heading(page, 'How would you like to pay?')
  })
})

test('the page says that a session was cancelled or does not exist', async () => {
  const session = await open.createCheckout()
  await open.stack.merchant.cancel(session.checkout_id)
  await open.visit(session.checkout_url, async (page) => {
    await heading(page, 'This payment was canceled')
    assert.equal(await page.getByRole('button').count(), 0)
  })
  await open.visit(`${session.checkout_url.slice(0, -3)}abc`, (page) => heading(page, 'This page does not exist'))
})

test('the page says that a session has expired, also when its form was still open', async () => {
  const skipping = await startStack({ skipping: true })
  const at = await openPages(skipping)
  try {
    const session = await skipping.merchant.createCheckout({ ...sale, cancel_url: `${open.shopUrl()}/cart` })
    const work = async (page: Page) => {
      await typeBuyer(page)
      await skipping.dispatched()
      await skipping.skip(61 * 60_000)
      await skipping.finished('checkout', session.checkout_id)
      await typeCard(page, cards.success)
      await heading(page, 'This page has expired')
      await page.getByRole('link', { name: 'Go back' }).click()
      await atShop(page)
    }
    await open.visit(session.checkout_url, work, { at })
  } finally {
    at.stop()
    await skipping.stop()
  }
})

/** The form of the page, as somebody with this address sends it. */
const formFrom = (address: string, from: string) => formOf(address, { 'x-forwarded-for': from })

const cardForm = (number = cards.success) => ({
  step: 'pay',
  number,
  expiry: '1240',
  cvc: '123',
  method: 'card:USD_CARD',
})
const who = { email: 'ada@example.com', name: 'Ada' }

test('a form that is sent twice at once pays once', async () => {
  const session = await open.withFee(() => open.createCheckout())
  const address = open.pages.addressOf(session.checkout_url)
  const sendChoice = await formFrom(address, '198.51.100.1')
  const chosen = await Promise.all([sendChoice({ ...who, ...cardForm() }), sendChoice({ ...who, ...cardForm() })])
  assert.deepEqual(
    chosen.map(({ status }) => status),
    [303, 303],
  )
  const requests = await open.stack.sql('select id from payment_requests where checkout_id = ?', [session.checkout_id])
  assert.equal(requests.length, 1)
  const pay = await formFrom(address, '198.51.100.1')
  const paid = await Promise.all([pay({ step: 'confirm' }), pay({ step: 'confirm' })])
  assert.deepEqual(
    paid.map(({ status }) => status),
    [303, 303],
  )
  const payments = await paymentsOf(session.checkout_id)
  assert.deepEqual(
    payments.map(({ status }) => status),
    ['succeeded'],
  )
})

test('a code counts only for the payment that asked for it, not for a later choice', async () => {
  const session = await open.createCheckout({ customer: who })
  const address = open.pages.addressOf(session.checkout_url)
  await open.stack.merchant.payByCard(session, cards.threeDs)
  const stale = await formFrom(address, '198.51.100.2')
  await open.stack.merchant.payByCard(session, cards.threeDs)
  assert.equal((await stale({ step: 'code', code: '123456' })).status, 303)
  const payments = await paymentsOf(session.checkout_id)
  assert.deepEqual(
    payments.map(({ status }) => status),
    ['canceled', 'requires_action'],
  )
})

test('the rate limit counts each buyer, and a form that is refused keeps what was typed', async (t) => {
  // The limit counts by the minute, and here the clock stands still in one.
  const now = Date.now()
  const { stack } = open
  const pages = await openPages({ ...stack, services: { ...stack.services, clock: { now: () => now } } })
  t.after(() => pages.stop())
  const address = pages.addressOf((await open.createCheckout()).checkout_url)
  const ask = (url: string, from: string, headers = {}) =>
    fetch(url, { headers: { 'x-forwarded-for': from, ...headers } })
  const openFrom = (from: string, headers = {}) => ask(address, from, headers)
  const guessFrom = (from: string, headers = {}) => ask(`${address}x`, from, headers)
  const sendChoice = await formFrom(address, '198.51.100.3')
  for (let call = 0; call < 130 && (await guessFrom('198.51.100.3')).status === 404; call++);
  assert.equal((await guessFrom('198.51.100.3')).status, 429)
  assert.equal((await guessFrom('198.51.100.3', { 'x-pages-call-for': 'guessed 203.0.113.9' })).status, 429)
  assert.equal((await guessFrom('198.51.100.4')).status, 404)
  // Opening a session's page is not counted with these guesses, but paying is.
  assert.equal((await openFrom('198.51.100.3')).status, 200)
  const shown = await sendChoice({ ...who, ...cardForm() })
  const again = await shown.text()
  assert.equal(shown.status, 429)
  assert.match(again, /name="email"[^>]* value="ada@example.com"/)
  assert.doesNotMatch(again, /4242|value="123"/)

  for (let call = 0; call < 130 && (await openFrom('198.51.100.4')).status === 200; call++);
  const busy = await openFrom('198.51.100.4')
  assert.equal(busy.status, 429)
  assert.match(
    await busy.text(),
    /Too many attempts.*http-equiv="refresh"|http-equiv="refresh"[\s\S]*Too many attempts/,
  )
  const other = pages.addressOf((await open.createCheckout()).checkout_url)
  assert.equal((await ask(other, '198.51.100.4')).status, 200)
  const refused = await sendChoice({ ...who, ...cardForm() })
  const kept = await refused.text()
  assert.equal(refused.status, 429)
  assert.match(kept, /name="email" value="ada@example.com"[\s\S]*Try again/)
  assert.doesNotMatch(kept, /4242|value="123"|http-equiv="refresh"/)
})

test('the pages load nothing from outside, cannot be framed, and are not cached', async () => {
  const { checkout_url, checkout_id } = await open.createCheckout({ description: '<script>alert(1)</script>' })
  const page = await fetch(open.pages.addressOf(checkout_url))
  const policy = page.headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; style-src 'self'; script-src 'self'; /)
  assert.doesNotMatch(policy, /unsafe|http|\*/)
  const headers = ['cache-control', 'referrer-policy', 'x-frame-options', 'x-content-type-options']
  assert.deepEqual(
    headers.map((name) => page.headers.get(name)),
    ['no-store', 'no-referrer', 'DENY', 'nosniff'],
  )
  const html = await page.text()
  assert.match(html, /&lt;script&gt;alert/)
  assert.doesNotMatch(html, /<style|<script>|style=|\son\w+=/)
  assert.equal((html.match(/<h1/g) ?? []).length, 1)
  const large = await fetch(open.pages.addressOf(checkout_url), {
    method: 'POST',
    body: new URLSearchParams({ a: 'x'.repeat(70_000) }),
  })
  assert.equal(large.status, 400)
  assert.equal((await fetch(`${open.pages.base}/checkout/${checkout_id}_secret_`)).status, 404)
})
