import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { Refusal } from '../../domain/refusal.ts'
import { describeBarriers, graveBarriersOn } from '../support/barriers.ts'
import { launchBrowser, watchPage } from '../support/browser.ts'
import { keyOf, payersOf } from '../support/invoice-page.ts'
import { openPages } from '../support/pages.ts'
import { liftRateLimits } from '../support/rows.ts'
import { laterCards, type ShownInvoice, subscriptionsOf } from '../support/subscription.ts'
import { until } from '../support/until.ts'
import { useStack } from '../support/use-stack.ts'
import { atEnd } from '../support/use.ts'

const sizes = { phone: { width: 360, height: 740 }, desktop: { width: 1280, height: 800 } }
/** The folder for a screenshot of each page; none are made unless it is set. */
const pictures = process.env['PICTURES']

const stack = await useStack({ skipping: true, invariants: 'at the end' })
if (pictures) mkdirSync(pictures, { recursive: true })
await liftRateLimits(stack)
const plans = subscriptionsOf(stack)
const payers = payersOf(stack, plans)
const pages = await openPages(stack)
const browser = await launchBrowser()
atEnd(() => pages.stop())
atEnd(() => browser.close())

const dayMs = 86_400_000
const addressOf = (invoice: ShownInvoice): string => `${pages.base}/invoice/${keyOf(invoice)}`
let visitors = 0
const nextVisitor = () => ({ 'x-forwarded-for': `192.0.2.${++visitors}` })

type Look = { script?: boolean; viewport?: (typeof sizes)['phone'] }

/** One visit. It must load nothing from outside, and leave the console empty. */
async function visit(address: string, work: (page: Page) => Promise<void>, look: Look = {}): Promise<void> {
  const { script = false, viewport = sizes.phone } = look
  const context = await browser.newContext({
    javaScriptEnabled: script,
    viewport,
    extraHTTPHeaders: nextVisitor(),
  })
  await watchPage(context, { origins: [pages.base] }, async (page) => {
    await page.goto(address)
    await work(page)
  })
}

/** Checks the width and the accessibility of a page, on a phone and a desktop, with a screenshot of each. */
async function inspect(address: string, name: string, title: string): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes)) {
    const work = async (page: Page) => {
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      const pixels = await page.evaluate<number>('document.documentElement.scrollWidth')
      assert.ok(pixels <= viewport.width, `${name}: the page is ${pixels} pixels wide on a ${size}`)
      assert.deepEqual(describeBarriers(await graveBarriersOn(page)), [])
      if (pictures) await page.screenshot({ path: `${pictures}/${name}-${size}.png`, fullPage: true })
    }
    await visit(address, work, { script: true, viewport })
  }
}

const file = (path: string, more: RequestInit = {}) =>
  fetch(path, { ...more, headers: nextVisitor(), redirect: 'manual' })

async function beginUnpaid(): Promise<{ id: string; invoice: ShownInvoice }> {
  const product = { name: 'Ọlátúnjí’s <b>Team plan</b> for everybody who works in the northern warehouse' }
  const { subscription_id: id } = await plans.subscribe({ product, number: laterCards.declines })
  await stack.skip(32 * dayMs)
  await plans.until(id, ({ status }) => status === 'past_due')
  return { id, invoice: await payers.newest(id) }
}

for (const script of [false, true]) {
  test(`an invoice is paid on its page by keyboard, script ${script ? 'on' : 'off'}`, async () => {
    const { id, invoice } = await beginUnpaid()
    await visit(
      addressOf(invoice),
      async (page) => {
        await page.getByRole('heading', { level: 1, name: `Invoice ${invoice.number}` }).waitFor()
        await page.getByText('<b>Team plan</b>').waitFor()
        await page.keyboard.press('Tab')
        await page.locator('button:focus', { hasText: 'Pay $25.00' }).waitFor()
        await page.keyboard.press('Enter')
        await page.getByRole('heading', { level: 1, name: 'How would you like to pay?' }).waitFor()
        assert.match(page.url(), /\/checkout\/chk_/)
        await page.getByText(`Invoice ${invoice.number}`).waitFor()
        await page.getByRole('radio', { name: /^Card/ }).first().check()
        await page.getByText('will charge it for the next payments').first().waitFor()
        await page.getByLabel('Card number').fill('4242424242424242')
        await page.getByLabel('Expiry (MM/YY)').fill('12/40')
        await page.getByLabel('Security code').fill('123')
        await page.getByRole('button', { name: 'Continue' }).click()
        await page.getByText('will charge this card for the next payments of your subscription too').waitFor()
        await page.getByRole('button', { name: 'Confirm and pay $25.00' }).click()
        await page.getByRole('heading', { level: 1, name: 'Payment complete' }).waitFor({ timeout: 20_000 })
      },
      { script },
    )
    await plans.until(id, ({ status }) => status === 'active')
    await visit(addressOf(invoice), async (page) => {
      await page.getByText(/^Paid on /).waitFor()
      assert.equal(await page.getByRole('button').count(), 0)
      await page.emulateMedia({ media: 'print' })
      assert.equal(await page.getByRole('link', { name: 'Download PDF' }).isVisible(), false)
      assert.ok(await page.getByText('Test mode:').isVisible(), 'paper of test data says so')
    })
    const late = await file(addressOf(invoice), { method: 'POST' })
    assert.equal(late.status, 409)
    const told = await late.text()
    assert.match(told, /Paid on /)
    assert.doesNotMatch(told, /cannot be paid at the moment|not been charged/)
  })
}

test('the page fits a phone and a desktop, and nothing keeps people from using it', async () => {
  const { id, invoice } = await beginUnpaid()
  const title = `Invoice ${invoice.number}`
  await inspect(addressOf(invoice), 'invoice-open', title)
  await plans.ok('POST', `/v1/invoices/${invoice.invoice_id}/void`, {})
  await inspect(addressOf(invoice), 'invoice-void', title)
  const late = await file(addressOf(invoice), { method: 'POST' })
  assert.equal(late.status, 409)
  assert.match(await late.text(), /cannot be paid at the moment\. You have not been charged\./)
  const [first] = await plans.invoices(id)
  assert.ok(first)
  await inspect(addressOf(first), 'invoice-paid', `Invoice ${first.number}`)
})

test('the PDF of the page is a PDF that no cache keeps, and its address goes to no other site', async () => {
  const { invoice } = await beginUnpaid()
  await visit(addressOf(invoice), async (page) => {
    const link = page.getByRole('link', { name: 'Download PDF' })
    assert.equal(await link.getAttribute('href'), `/invoice/${keyOf(invoice)}/pdf`)
  })
  const response = await file(`${addressOf(invoice)}/pdf`)
  assert.equal(response.status, 200)
  assert.equal(response.headers.get('content-type'), 'application/pdf')
  assert.equal(response.headers.get('content-disposition'), `inline; filename="${invoice.number}.pdf"`)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
  assert.equal(
    Buffer.from(await response.arrayBuffer())
      .subarray(0, 5)
      .toString(),
    '%PDF-',
  )
  const again = await file(addressOf(invoice))
  assert.equal(again.headers.get('cache-control'), 'no-store')
  assert.match(String(again.headers.get('x-robots-tag')), /noindex/)
})

test('a link that is cut off, or of no invoice, shows a page that says so', async () => {
  const missing = ['x', 'x'.repeat(32), 'x'.repeat(33), '..%2f..', `${'x'.repeat(31)}%00`]
  for (const key of missing) {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/pdf'],
      ['POST', ''],
    ] as const) {
      const response = await file(`${pages.base}/invoice/${key}${path}`, { method })
      assert.equal(response.status, 404, `${method} ${key}${path}`)
      assert.match(await response.text(), /This page does not exist/)
    }
  }
})

test('two visits pay in one session', async () => {
  const { invoice } = await beginUnpaid()
  const places = await Promise.all(
    [1, 2].map(async () => (await file(addressOf(invoice), { method: 'POST' })).headers.get('location')),
  )
  assert.match(String(places[0]), /^\/checkout\/chk_/)
  assert.equal(places[0], places[1])
  await until(async () => (await file(`${pages.base}${places[0]}`)).status === 200, 'the session is open')
})

test('a payer whose payment waits for an exchange rate can send the same form again', async (t) => {
  const { subscription_id: id } = await plans.subscribe({ product: { currency: 'EUR' }, number: laterCards.declines })
  await stack.skip(32 * dayMs)
  await plans.until(id, ({ status }) => status === 'past_due')
  const address = addressOf(await payers.newest(id))
  const { rates } = stack.services
  const { rate } = rates
  t.after(() => void (rates.rate = rate))
  rates.rate = () => Promise.reject(new Refusal('SERVICE_UNAVAILABLE', 'no rate is known', [], 5))
  const refused = await file(address, { method: 'POST' })
  assert.equal(refused.status, 503)
  const told = await refused.text()
  assert.ok(told.includes(`<form method="post" action="${new URL(address).pathname}">`), 'the form is there again')
  assert.doesNotMatch(told, /tries again by itself/)
  rates.rate = rate
  assert.match(String((await file(address, { method: 'POST' })).headers.get('location')), /^\/checkout\/chk_/)
})
