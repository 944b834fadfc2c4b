import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { PDFDocument, PDFName } from 'pdf-lib'
import { keyOf, payersOf } from '../support/invoice-page.ts'
import { hostileName, locales } from '../support/languages.ts'
import { openPages } from '../support/pages.ts'
import { openPortal } from '../support/portal.ts'
import { liftRateLimits } from '../support/rows.ts'
import { type ShownInvoice, subscriptionsOf } from '../support/subscription.ts'
import { atEnd } from '../support/use.ts'
import { useStack } from '../support/use-stack.ts'

// The page of an invoice and its PDF follow one rule. With SHOTS=folder each PDF is saved.

const shots = process.env['SHOTS']
if (shots) mkdirSync(shots, { recursive: true })
const stack = await useStack({ invariants: 'at the end' })
await liftRateLimits(stack)
const pages = await openPages(stack)
atEnd(() => pages.stop())
const plans = subscriptionsOf(stack)
const payers = payersOf(stack, plans)
const { merchant } = stack

let visitors = 0
const get = (path: string, language: string) =>
  fetch(pages.base + path, {
    redirect: 'manual',
    headers: { 'accept-language': language, 'x-forwarded-for': `198.51.100.${++visitors}` },
  })

async function languageOfPdf(response: Response): Promise<string> {
  assert.equal(response.status, 200)
  const bytes = Buffer.from(await response.arrayBuffer())
  const document = await PDFDocument.load(bytes, { updateMetadata: false })
  const lang = String(document.catalog.get(PDFName.of('Lang'))).replaceAll(/[()]/g, '')
  if (shots) writeFileSync(`${shots}/invoice-${lang}.pdf`, bytes)
  return lang
}

async function sell(session: Record<string, unknown>): Promise<ShownInvoice & { customerId: string }> {
  const { subscription_id: id, customer } = await plans.subscribe({ product: { name: hostileName }, session })
  return { ...(await payers.newest(id)), customerId: customer.id }
}

/** The languages of the page and of the PDF for a browser. */
async function languagesFor(invoice: ShownInvoice, browser: string): Promise<[string, string]> {
  const page = await get(`/invoice/${keyOf(invoice)}`, browser)
  const pdf = await get(`/invoice/${keyOf(invoice)}/pdf`, browser)
  assert.match(String(pdf.headers.get('vary')), /\bAccept-Language\b/i)
  return [String(page.headers.get('content-language')), await languageOfPdf(pdf)]
}

test('the page of an invoice and its PDF are in one language: of the sale, else of the browser', async () => {
  const unnamed = await sell({})
  const named = await sell({ locale: 'sw-KE' })
  const german = await sell({ locale: 'de-DE' })
  for (const [invoice, browser, expected] of [
    [unnamed, locales.fr, 'fr'],
    [unnamed, 'de,pt;q=0.5', 'pt'],
    [unnamed, 'de', 'en'],
    [unnamed, '*', 'en'],
    [named, 'fr', 'sw'],
    [german, 'fr', 'fr'],
    [german, 'de', 'en'],
  ] as const) {
    assert.deepEqual(await languagesFor(invoice, browser), [expected, expected], `${invoice.number} for ${browser}`)
  }
})

test('the language of the customer comes before that of the sale, as soon as the merchant gives it', async () => {
  const invoice = await sell({ locale: 'fr' })
  assert.deepEqual(await languagesFor(invoice, 'sw'), ['fr', 'fr'])
  const change = (locale: string | null) => plans.ok('PATCH', `/v1/customers/${invoice.customerId}`, { locale })
  await change('pt-MZ')
  assert.deepEqual(await languagesFor(invoice, 'sw'), ['pt', 'pt'])
  assert.equal((await payers.see(invoice))['locale'], 'pt-MZ')
  await change('zh')
  assert.deepEqual(await languagesFor(invoice, 'sw'), ['fr', 'fr'])
  await change(null)
  assert.deepEqual(await languagesFor(invoice, 'sw'), ['fr', 'fr'])
})

test('a customer chooses their own language by the token of their portal, and what they get follows', async () => {
  const invoice = await sell({ locale: 'fr' })
  const { token } = await openPortal(merchant, invoice.customerId)
  const choose = async (locale: unknown) => {
    const reply = await merchant.call(
      'PATCH',
      '/v1/customer-portal/me',
      { locale },
      { authorization: `Bearer ${token}` },
    )
    return [reply.status, reply.body['locale']]
  }
  assert.deepEqual(await choose('pt-AO'), [200, 'pt-AO'])
  assert.deepEqual(await languagesFor(invoice, 'sw'), ['pt', 'pt'])
  assert.equal((await choose('<b>'))[0], 400)
  assert.deepEqual(await choose(null), [200, 'fr'], 'without one of their own: that of the sale')
  assert.deepEqual(await languagesFor(invoice, 'sw'), ['fr', 'fr'])
})

test('a merchant may name the language of the reader of a document; that of the sale comes first', async () => {
  const unnamed = await sell({})
  const named = await sell({ locale: 'sw' })
  const authorization = `Bearer ${merchant.apiKey}`
  const read = (path: string) => fetch(merchant.baseUrl + path, { headers: { authorization } })
  for (const [invoice, query, expected] of [
    [unnamed, '', 'en'],
    [unnamed, '?locale=fr-SN', 'fr'],
    [unnamed, '?locale=de', 'en'],
    [named, '?locale=fr', 'sw'],
  ] as const) {
    assert.equal(await languageOfPdf(await read(`/v1/invoices/${invoice.invoice_id}/pdf${query}`)), expected)
    const paid = await paymentOf(invoice)
    assert.equal(await languageOfPdf(await read(`/v1/payments/${paid}/receipt${query}`)), expected)
  }
  const wrong = await read(`/v1/invoices/${unnamed.invoice_id}/pdf?locale=%3Cb%3E`)
  assert.equal(wrong.status, 400)
})

async function paymentOf({ invoice_id: id }: ShownInvoice): Promise<string> {
  const [row] = await stack.sql<{ id: string }>('select id from payments where invoice_id = ?', [id])
  return row?.id ?? ''
}
