import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PDFDocument } from 'pdf-lib'
import { assertError, fromAnywhere } from '../support/api.ts'
import { keyOf, payersOf } from '../support/invoice-page.ts'
import { cards, sale } from '../support/merchant.ts'
import { makePayment } from '../support/resource.ts'
import { makers } from '../support/resources.ts'
import { liftRateLimits } from '../support/rows.ts'
import { pngChunk, pngHeader, pngOfChunks } from '../support/png-file.ts'
import { type ShownInvoice, subscriptionsOf } from '../support/subscription.ts'
import { form, formType, png, sendBytes } from '../support/upload.ts'
import { useStack } from '../support/use-stack.ts'

// Some rows are inserted as no call makes them, so the invariants are not asserted here.
const stack = await useStack()
await liftRateLimits(stack)
const plans = subscriptionsOf(stack)
const payers = payersOf(stack, plans)
const { merchant } = stack

/** The answer to a call without a body, with its bytes; without a credential where `key` is null. */
async function read(path: string, key: string | null = merchant.apiKey) {
  const headers = { ...fromAnywhere(), ...(key !== null && { authorization: `Bearer ${key}` }) }
  const response = await fetch(merchant.baseUrl + path, { headers })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

const open = (bytes: Buffer) => PDFDocument.load(bytes, { updateMetadata: false })

async function sellOne(): Promise<ShownInvoice> {
  const { subscription_id: id } = await plans.subscribe()
  return payers.newest(id)
}

test('an invoice is a PDF, always of the same bytes, for its merchant and for who has its link', async () => {
  const invoice = await sellOne()
  const path = `/v1/invoices/${invoice.invoice_id}/pdf`
  const [one, two] = [await read(path), await read(path)]
  assert.equal(one.status, 200)
  assert.equal(one.headers.get('content-type'), 'application/pdf')
  assert.equal(one.headers.get('content-disposition'), `inline; filename="${invoice.number}.pdf"`)
  assert.equal(one.headers.get('cache-control'), 'no-store')
  assert.equal(one.bytes.subarray(0, 5).toString(), '%PDF-')
  assert.deepEqual(one.bytes, two.bytes)
  const shared = await read(`/v1/invoices/${keyOf(invoice)}/public/pdf`, null)
  assert.deepEqual(shared.bytes, one.bytes)
  const document = await open(one.bytes)
  assert.equal(document.getPageCount(), 1)
  assert.equal(document.getTitle(), `Invoice ${invoice.number}`)
  assert.equal(
    document.getCreationDate()?.getTime(),
    Math.floor(Date.parse(String(invoice['finalized_at'])) / 1e3) * 1e3,
  )
})

test('an invoice is in the language of the sale that began its subscription, for everybody', async () => {
  const { subscription_id: id } = await plans.subscribe({ session: { locale: 'fr-CI' } })
  const invoice = await payers.newest(id)
  const one = await read(`/v1/invoices/${invoice.invoice_id}/pdf`)
  assert.equal((await open(one.bytes)).getTitle(), `Facture ${invoice.number}`)
  assert.deepEqual((await read(`/v1/invoices/${keyOf(invoice)}/public/pdf`, null)).bytes, one.bytes)
})

test('a logo and a name of the merchant are on it', async () => {
  const invoice = await sellOne()
  const path = `/v1/invoices/${invoice.invoice_id}/pdf`
  const before = await read(path)
  const body = form([{ bytes: png, name: 'logo.png', type: 'image/png' }])
  const upload = await sendBytes(merchant, body, { 'content-type': formType })
  await plans.ok('PATCH', '/v1/account', { logo: upload.body['upload_id'], display_name: 'Ọlátúnjí ₦ Sons' })
  const after = await read(path)
  assert.equal((await open(after.bytes)).getAuthor(), 'Ọlátúnjí ₦ Sons')
  assert.notDeepEqual(after.bytes, before.bytes)
  await plans.ok('PATCH', '/v1/account', { logo: null, display_name: null })
})

test('a logo that is damaged keeps nobody busy: the invoice is drawn without it', async () => {
  const invoice = await sellOne()
  const path = `/v1/invoices/${keyOf(invoice)}/public/pdf`
  const before = await read(path, null)
  const bytes = pngOfChunks(pngHeader(1, 1), pngChunk('tEXt', 'AAAA')) // a text that never ends
  const upload = await sendBytes(merchant, form([{ bytes, name: 'logo.png' }]), { 'content-type': formType })
  await plans.ok('PATCH', '/v1/account', { logo: upload.body['upload_id'] })
  assert.deepEqual((await read(path, null)).bytes, before.bytes)
  await plans.ok('PATCH', '/v1/account', { logo: null })
})

test('NOT_FOUND: an invoice that does not exist has no PDF, and its page no calls', async () => {
  assertError(await merchant.call('GET', '/v1/invoices/inv_00000000000000000000000000000000aa/pdf'), 404, 'NOT_FOUND')
  for (const key of ['x', 'x'.repeat(32), '%00', `${'a'.repeat(31)}é`]) {
    const path = `/v1/invoices/${encodeURIComponent(key)}`
    for (const [method, action] of [
      ['GET', 'public'],
      ['GET', 'public/pdf'],
      ['POST', 'pay'],
    ] as const) {
      const reply = await merchant.call(method, `${path}/${action}`, method === 'POST' ? {} : undefined, fromAnywhere())
      assert.equal(reply.status, 404, `${method} ${action} ${key}: ${reply.text}`)
    }
  }
})

test('what whoever has the link sees holds no ids and no email', async () => {
  const { subscription_id: id, customer } = await plans.subscribe({ session: { metadata: { shelf: 'seven' } } })
  const invoice = await payers.newest(id)
  const seen = JSON.stringify(await payers.see(invoice))
  for (const hidden of [invoice.invoice_id, id, customer.id, stack.organizationId, '@example.com', 'seven', 'prod_'])
    assert.ok(!seen.includes(hidden), hidden)
  assert.partialDeepStrictEqual(JSON.parse(seen), {
    number: invoice.number,
    status: 'paid',
    customer_name: 'Ada Buyer',
  })
})

test('CONFLICT: a paid invoice is not paid again', async () => {
  assertError(await payers.tryToOpen(await sellOne()), 409, 'CONFLICT')
})

test('CONFLICT: an invoice of an account that may not be paid opens no session', async () => {
  const { accountId } = { accountId: stack.organizationId }
  const made = await makers['page_key']?.make(stack, { accountId } as never, 'live')
  const reply = await merchant.call('POST', `/v1/invoices/${made?.id}/pay`, {}, fromAnywhere())
  assertError(reply, 409, 'CONFLICT')
})

test('strangers have the same PDF drawn only some times a minute', async () => {
  const path = `/v1/invoices/${keyOf(await sellOne())}/public/pdf`
  const statuses: number[] = []
  // A minute may end between two of the calls: then 20 more are answered.
  for (let calls = 0; calls < 45 && !statuses.includes(429); calls++) statuses.push((await read(path, null)).status)
  assert.ok(statuses.includes(429))
  assert.ok(statuses.filter((status) => status === 200).length >= 20)
})

test('a payment that succeeded has a receipt, always of the same bytes', async () => {
  const charges = [
    await merchant.chargeByCard(),
    await merchant.chargeByTransfer(),
    await merchant.chargeByCard({ ...sale, amount: '5000.00', currency: 'NGN' }),
    await makePayment(stack, { accountId: stack.organizationId }, 'sandbox'),
  ]
  for (const id of charges) {
    const [one, two] = [await read(`/v1/payments/${id}/receipt`), await read(`/v1/payments/${id}/receipt`)]
    assert.equal(one.status, 200)
    assert.deepEqual(one.bytes, two.bytes)
    assert.equal(one.headers.get('content-disposition'), `inline; filename="receipt-${id}.pdf"`)
    const document = await open(one.bytes)
    assert.equal(document.getTitle(), 'Receipt')
    assert.equal(document.getPageCount(), 1)
  }
})

test('CONFLICT: a payment has a receipt only once it has succeeded', async () => {
  const waiting = await merchant.payByTransfer(
    await merchant.createCheckout({ ...sale, currency: 'NGN', amount: '5000.00' }),
  )
  assertError(await merchant.call('GET', `/v1/payments/${waiting.payment_id}/receipt`), 409, 'CONFLICT')
  const declined = await merchant.payByCard(await merchant.createCheckout(), cards.declined)
  assertError(await merchant.call('GET', `/v1/payments/${String(declined['payment_id'])}/receipt`), 409, 'CONFLICT')
})
