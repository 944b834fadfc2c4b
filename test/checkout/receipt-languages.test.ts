import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { PDFDocument, PDFName } from 'pdf-lib'
import { receiptOf } from '../../api/checkout/receipt.ts'
import { receiptPaper } from '../../api/checkout/receipt-paper.ts'
import { paperLanguageOf } from '../../api/pdf/language.ts'
import type { Paper } from '../../api/pdf/paper.ts'
import { Payment } from '../../db/checkout/payment.ts'
import type { LanguageCode } from '../../domain/language.ts'
import { hostileName, locales } from '../support/languages.ts'
import { card, mobileSale, sale, transferSale } from '../support/merchant.ts'
import { liftRateLimits } from '../support/rows.ts'
import { subscriptionsOf } from '../support/subscription.ts'
import { until } from '../support/until.ts'
import { useStack } from '../support/use-stack.ts'

// Receipts in the language of the sale. With SHOTS=folder each is saved as a PDF.

const shots = process.env['SHOTS']
if (shots) mkdirSync(shots, { recursive: true })
const stack = await useStack({ skipping: true, invariants: 'at the end' })
await liftRateLimits(stack)
const plans = subscriptionsOf(stack)
const { merchant } = stack
const dayMs = 86_400_000

const titles: Record<LanguageCode, string> = { en: 'Receipt', fr: 'Reçu', sw: 'Risiti', pt: 'Recibo' }

async function readReceipt(paymentId: string, name = '') {
  const headers = { authorization: `Bearer ${merchant.apiKey}` }
  const response = await fetch(`${merchant.baseUrl}/v1/payments/${paymentId}/receipt`, { headers })
  assert.equal(response.status, 200)
  const bytes = Buffer.from(await response.arrayBuffer())
  if (shots && name) writeFileSync(`${shots}/receipt-${name}.pdf`, bytes)
  const document = await PDFDocument.load(bytes, { updateMetadata: false })
  return { bytes, title: document.getTitle(), lang: String(document.catalog.get(PDFName.of('Lang'))) }
}

/** What a receipt says besides its payment: no description, no refund. */
const nothing = { description: null, refunded: '0' }

const paymentOf = async (id: string): Promise<Payment> =>
  stack.services.database.orm.em.fork().findOneOrFail(Payment, { id })

/** The receipt of a payment as texts, in a language. */
async function paperIn(code: LanguageCode, id: string): Promise<Paper> {
  const letterhead = { name: hostileName, supportEmail: null, logo: null }
  return receiptPaper(await paymentOf(id), nothing, letterhead, paperLanguageOf(code))
}

const plain = (text: string | undefined) => (text ?? '').replaceAll(/\s/g, ' ')
const valueOf = (of: { label: string; value: string }[], label: string) =>
  plain(of.find((each) => each.label === label)?.value)

/** A payment by mobile money. */
async function chargeByPhone(body: Record<string, unknown>): Promise<string> {
  const paid = await merchant.payByPhone(await merchant.createCheckout(body), {})
  const { payment_id: id } = paid as { payment_id: string }
  return id
}

for (const code of Object.keys(locales) as LanguageCode[]) {
  test(`${code}: a receipt is in the language of the sale, and so is that of each renewal`, async () => {
    const charge = await merchant.chargeByCard({ ...sale, locale: locales[code], description: hostileName })
    const first = await readReceipt(charge, code)
    assert.deepEqual([first.title, first.lang], [titles[code], `(${code})`])
    assert.deepEqual((await readReceipt(charge)).bytes, first.bytes)

    const begun = await plans.subscribe({ session: { locale: locales[code] } })
    await stack.skip(32 * dayMs)
    await plans.until(begun.subscription_id, ({ current_period_start: at }) => at === begun.current_period_end)
    const rows = await stack.sql<{ id: string; checkoutId: string | null }>(
      `select id, checkout_id as "checkoutId" from payments where subscription_id = ? and status = 'succeeded'`,
      [begun.subscription_id],
    )
    assert.deepEqual(rows.map(({ checkoutId }) => checkoutId === null).toSorted(), [false, true])
    for (const { id } of rows) assert.equal((await readReceipt(id)).title, titles[code])
  })
}

test('a sale without a locale, or with one that is not ours, has a receipt in English', async () => {
  for (const locale of ['de-DE', 'xx', 'frr', 'ar-MA']) {
    const charge = await merchant.chargeByCard({ ...sale, locale })
    assert.equal((await readReceipt(charge)).title, 'Receipt', locale)
  }
  assert.equal((await readReceipt(await merchant.chargeByCard())).title, 'Receipt')
})

test('amounts on receipts have the form of the language: naira, shillings and francs', async () => {
  const naira = await merchant.chargeByTransfer({ ...transferSale, amount: '1234567.5' })
  const shillings = await chargeByPhone({ ...mobileSale, amount: '1000' })
  const expected: [string, LanguageCode, string, string][] = [
    [naira, 'en', 'Total', '₦1,234,567.50'],
    [naira, 'fr', 'Total', '1 234 567,50 ₦'],
    [naira, 'sw', 'Jumla', '₦1,234,567.50'],
    [naira, 'pt', 'Total', '1 234 567,50 ₦'],
    [shillings, 'en', 'Total', 'KSh 1,000.00'],
    [shillings, 'fr', 'Total', '1 000,00 KSh'],
    [shillings, 'sw', 'Jumla', 'KSh 1,000.00'],
    [shillings, 'pt', 'Total', '1 000,00 KSh'],
  ]
  for (const [id, code, label, amount] of expected) {
    const { sums, lines } = await paperIn(code, id)
    assert.equal(valueOf(sums, label), amount, code)
    assert.equal(plain(lines[0]?.total), amount, code)
  }
  // The simulated rails take no francs: a payment in them is made of this one.
  const row = Object.assign(await paymentOf(naira), { currency: 'XOF', amount: '98765432109876543210', settles: '1' })
  const francs = receiptPaper(row, nothing, { name: 'A', supportEmail: null, logo: null }, paperLanguageOf('fr-SN'))
  assert.equal(valueOf(francs.sums, 'Total'), '98 765 432 109 876 543 210 CFA')
})

test('a receipt in another currency shows the rate with the marks of the language and all its digits', async () => {
  const row = Object.assign(await paymentOf(await merchant.chargeByTransfer()), {
    baseAmount: '3.33',
    baseCurrency: 'USD',
    rate: '1500.123456789',
  })
  const rateIn = (code: LanguageCode, label: string) =>
    valueOf(
      receiptPaper(row, nothing, { name: 'A', supportEmail: null, logo: null }, paperLanguageOf(code)).facts,
      label,
    )
  assert.equal(rateIn('en', 'Rate'), '1 USD = 1,500.123456789 NGN')
  assert.equal(rateIn('fr', 'Taux de change'), '1 USD = 1 500,123456789 NGN')
  assert.equal(rateIn('pt', 'Taxa de câmbio'), '1 USD = 1 500,123456789 NGN')
})

test('names that look like markup or like an insertion are drawn as they are, in each language', async () => {
  const session = await merchant.createCheckout({
    ...sale,
    locale: 'fr',
    description: hostileName,
    reference: '{last4}<i>',
  })
  const body = {
    payment_method: 'USD_CARD',
    card: card('4242424242424242'),
    customer_details: { email: 'a@b.co', name: hostileName },
  }
  assert.equal((await merchant.pay(session, body)).status, 200)
  const paid = await merchant.confirm(session)
  assert.equal(paid.status, 200)
  const id = String(paid.body['payment_id'])
  const paper = receiptPaper(
    await paymentOf(id),
    { description: hostileName, refunded: '0' },
    { name: 'A', supportEmail: null, logo: null },
    paperLanguageOf('fr'),
  )
  assert.equal(paper.recipient[0], hostileName)
  assert.equal(paper.lines[0]?.name, hostileName)
  assert.equal(valueOf(paper.facts, 'Référence'), '{last4}<i>')
  assert.equal(valueOf(paper.facts, 'Payé par'), 'Carte se terminant par 4242')
  assert.equal((await readReceipt(id, 'hostile')).title, 'Reçu')
})

test('a receipt shows what the buyer got back, less fees that were taken from it, without failed refunds', async () => {
  const id = await merchant.chargeByCard()
  const refunded = async () => {
    const em = stack.services.database.orm.em.fork()
    return valueOf((await receiptOf(em, await paymentOf(id), paperLanguageOf('en'), '')).sums, 'Refunded')
  }
  assert.equal(await refunded(), '')
  for (const [bearer, outcome, shown] of [
    ['CUSTOMER', 'success', '−$9.70'],
    ['CUSTOMER', 'failed', '−$9.70'],
    ['ORG', 'success', '−$19.70'],
  ] as const) {
    const refund = { amount: 10, fee_bearer: bearer, simulated_outcome: outcome }
    const { refund_id } = await merchant.refund(id, refund)
    await until(async () => (await merchant.getRefund(refund_id))['completed_at'] !== null, 'it has ended')
    assert.equal(await refunded(), shown)
  }
  assert.equal((await merchant.getPayment(id))['refunded_amount'], '20.00', 'the payment counts what was asked for')
})
