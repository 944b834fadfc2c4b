import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import { PDFArray, PDFDocument, PDFName } from 'pdf-lib'
import { evidenceFile } from '../../rails/paystack/evidence.ts'
import type { DisputeOrder, EvidenceOrder } from '../../rails/dispute-rail.ts'
import { blackPng, pngChunk, pngHeader, pngOfChunks, pngPixels } from '../support/png-file.ts'
import { errorOf, marker, now, referenceOf, refusalOf, transferOrder, unknownOf, usePaystack } from './paystack.ts'

const { double, paystack, open } = await usePaystack()
const { charges, disputes, rails } = paystack
const dueAt = Date.parse('2026-12-01T18:00:00.000Z')

let codes = 0
/** A card payment of 2500.50 that has succeeded. */
async function paid(): Promise<string> {
  const order = transferOrder({ corridor: 'NGN_CARD' })
  await charges.charge(order, now)
  double.enterCard(referenceOf(order.paymentId), `AUTH_${(codes += 1)}`, 'pays')
  return order.paymentId
}

/** A payment with a dispute. */
async function disputed(rest: Parameters<typeof double.disputes>[1] = {}) {
  const paymentId = await paid()
  const dispute = double.disputes(referenceOf(paymentId), rest)
  const order: DisputeOrder<'live'> = {
    environment: 'live',
    networkId: String(dispute.id),
    paymentId,
    corridor: 'NGN_CARD',
    amount: '2500.50',
    isRefunded: false,
  }
  return { dispute, order }
}

async function* bytesOf(bytes: Uint8Array) {
  yield bytes.subarray(0, 10)
  yield bytes.subarray(10)
}

async function evidenceOf(order: DisputeOrder<'live'>): Promise<EvidenceOrder<'live'>> {
  const pdf = await PDFDocument.create()
  pdf.addPage()
  pdf.addPage()
  const bytes = await pdf.save()
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const document = { purpose: 'receipt', fileName: 'receipt.pdf', contentType: 'application/pdf' } as const
  const locked = { ...document, fileName: 'damaged.pdf', read: () => bytesOf(Buffer.from('no PDF at all, %PDF-1')) }
  const image = { ...document, fileName: 'seen.png', contentType: 'image/png', read: () => bytesOf(png) } as const
  const texts = { product_description: 'Shoes — ₦2,500.50\nsize 42 \u0007', uncategorized_text: 'x'.repeat(20_000) }
  const ownTexts = ['product_description', 'uncategorized_text'] as const
  return { ...order, texts, ownTexts, documents: [{ ...document, read: () => bytesOf(bytes) }, image, locked] }
}

/** A PDF of one page, beside an object stream that unpacks to so many bytes. */
function pdfOf(unpackedBytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(unpackedBytes, ' '))
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]>>',
  ].map((object, n) => `${n + 1} 0 obj${object}endobj\n`)
  const stream = `4 0 obj<</Type/ObjStm/N 0/First 0/Filter/FlateDecode/Length ${packed.length}>>stream\n`
  const end = '\nendstream endobj\ntrailer<</Root 1 0 R/Size 5>>\nstartxref 0 %%EOF'
  return Buffer.concat([Buffer.from(`%PDF-1.7\n${objects.join('')}${stream}`), packed, Buffer.from(end)])
}

/** How many pages and attachments the evidence has with these images, or other documents. */
async function shownOf(
  images: Buffer[],
  limits: Parameters<typeof evidenceFile>[1] = {},
  contentType: 'image/png' | 'application/pdf' = 'image/png',
  beside: EvidenceOrder['documents'] = [],
) {
  const documents = images.map((bytes, n) => ({
    purpose: 'receipt' as const,
    fileName: `${n}`,
    contentType,
    read: () => bytesOf(bytes),
  }))
  const file = await PDFDocument.load(await evidenceFile({ texts: {}, documents: [...documents, ...beside] }, limits))
  const attached = file.catalog.lookupMaybe(PDFName.of('AF'), PDFArray)?.size() ?? 0
  return { pages: file.getPageCount(), attached }
}

test('a payment tells its disputes, each with what the buyer claims and until when it may be answered', async () => {
  const paymentId = await paid()
  const before = await charges.lookUp(paymentId, now)
  assert.ok(before.status === 'succeeded' && before.disputes === undefined)
  const reference = referenceOf(paymentId)
  const first = double.disputes(reference)
  const second = double.disputes(reference, { category: 'fraud', refund_amount: 100_000n })
  double.disputes(reference, { status: 'archived' })
  const after = await charges.lookUp(paymentId, now)
  assert.ok(after.status === 'succeeded')
  const common = { networkReasonCode: null, dueAt, warnsUntil: null }
  assert.deepEqual(after.disputes, [
    { id: String(first.id), amount: '2500.5', reason: 'general', ...common },
    { id: String(second.id), amount: '1000', reason: 'fraudulent', ...common },
  ])
})

test('an open dispute without a time for the answer is unclear, and one that is resolved needs none', async () => {
  const { dispute, order } = await disputed()
  await charges.lookUp(order.paymentId, now) // it is known as paid
  dispute.dueAt = null
  for (const status of ['awaiting-merchant-feedback', 'pending', 'awaiting-bank-feedback']) {
    dispute.status = status
    await unknownOf(() => charges.lookUp(order.paymentId, now))
  }
  Object.assign(dispute, { status: 'resolved', resolution: 'declined' })
  const answer = await charges.lookUp(order.paymentId, now)
  assert.ok(answer.status === 'succeeded')
  assert.partialDeepStrictEqual(answer.disputes, [{ id: String(dispute.id), dueAt: dispute.createdAt }])
})

test('a new payment counts where Paystack does not tell its disputes, and is asked for them from then on', async () => {
  for (const fault of [500, 429, 'cut', 'nonsense', 'strange'] as const) {
    const paymentId = await paid()
    double.fails('GET /dispute', fault)
    assert.equal((await charges.lookUp(paymentId, now)).status, 'succeeded')
    // A callback about its dispute has come: an answer without the dispute would lose it.
    double.disputes(referenceOf(paymentId))
    double.fails('GET /dispute', fault)
    await unknownOf(() => charges.lookUp(paymentId, now))
    const told = await charges.lookUp(paymentId, now)
    assert.ok(told.status === 'succeeded')
    assert.equal(told.disputes?.length, 1)
  }
})

test('how a dispute stands at Paystack', async () => {
  const { dispute, order } = await disputed()
  const states: [status: string, resolution: string | null, at: number, expected: object][] = [
    ['awaiting-merchant-feedback', null, now, { status: 'needs_response', dueAt }],
    ['pending', null, now, { status: 'needs_response', dueAt }],
    ['pending', null, dueAt, { status: 'under_review' }],
    ['awaiting-bank-feedback', 'declined', now, { status: 'under_review' }],
    ['resolved', 'declined', now, { status: 'won' }],
    ['resolved', 'merchant-accepted', now, { status: 'closed' }],
    ['resolved', 'auto-accepted', now, { status: 'lost' }],
  ]
  for (const [status, resolution, at, expected] of states) {
    Object.assign(dispute, { status, resolution })
    assert.deepEqual(await disputes.lookUpDispute(order, at), expected)
  }
  for (const [status, resolution] of [
    ['archived', null],
    ['resolved', null],
    ['resolved', 'constructor'],
    ['new', 'declined'],
  ]) {
    Object.assign(dispute, { status, resolution })
    await unknownOf(() => disputes.lookUpDispute(order, now))
  }
  Object.assign(dispute, { status: 'awaiting-merchant-feedback', dueAt: null })
  await unknownOf(() => disputes.lookUpDispute(order, now))
})

test('a dispute that Paystack does not know is not found, and one of another payment is an error', async () => {
  const { order } = await disputed()
  for (const networkId of ['1', 'dp_1', '../transaction/1', ''])
    assert.deepEqual(await disputes.lookUpDispute({ ...order, networkId }, now), { status: 'not_found' })
  await unknownOf(async () => disputes.lookUpDispute({ ...order, paymentId: await paid() }, now))
})

test('a dispute of another currency or mode than its payment’s is an error, and gets no answer', async () => {
  const { dispute, order } = await disputed()
  await charges.lookUp(order.paymentId, now) // it is known as paid
  for (const change of [{ currency: 'USD' }, { domain: 'test' as const }]) {
    const before = { ...dispute }
    Object.assign(dispute, change)
    await unknownOf(() => disputes.lookUpDispute(order, now))
    await unknownOf(() => disputes.acceptDispute(order, now))
    await unknownOf(async () => disputes.submitEvidence(await evidenceOf(order), now))
    await unknownOf(() => charges.lookUp(order.paymentId, now))
    Object.assign(dispute, before)
  }
  const { transaction } = dispute
  Object.assign(dispute, { currency: null, transaction: { ...transaction, currency: 'USD' } })
  await unknownOf(() => disputes.lookUpDispute(order, now))
  Object.assign(dispute, { transaction })
  assert.equal((await disputes.lookUpDispute(order, now)).status, 'needs_response')
  assert.equal(dispute.answers.length, 0)
})

test('evidence goes to Paystack as one PDF with the texts and the documents, and is given once', async () => {
  const { dispute, order } = await disputed()
  const evidence = await evidenceOf(order)
  assert.deepEqual(await disputes.submitEvidence(evidence, now), { status: 'under_review' })
  assert.deepEqual(await disputes.submitEvidence(evidence, now), { status: 'under_review' })
  assert.equal(dispute.answers.length, 1)
  const [answer] = dispute.answers
  assert.ok(answer?.resolution === 'declined' && answer.refund_amount === 0)
  // Paystack now shows the 0 of the answer, which is not what the buyer claims.
  const told = await charges.lookUp(order.paymentId, now)
  assert.ok(told.status === 'succeeded')
  assert.deepEqual([dispute.refund_amount, told.disputes?.[0]?.amount], [0n, null])
  const file = await PDFDocument.load(answer.file)
  assert.ok(file.getPageCount() > 2 + 1 + 3, 'the texts need some pages, the PDF two and the image one')
  assert.ok(file.catalog.has(PDFName.of('AF')), 'a damaged document is attached')
})

test('images are pages until together they have too many pixels to unpack; the later ones are attached', async () => {
  const limits = { image: 150, file: 350 }
  const nine = Array.from({ length: 9 }, () => blackPng(10, 10))
  assert.deepEqual(await shownOf(nine, limits), { pages: 1 + 3, attached: 6 })
  assert.deepEqual(await shownOf([blackPng(16, 10), blackPng(10, 10)], limits), { pages: 1 + 1, attached: 1 })
  assert.deepEqual(await shownOf(nine, { image: 100, file: 300 }), { pages: 1 + 3, attached: 6 }) // to the last pixel
  const cutOff = nine.map((bytes) => bytes.subarray(0, -20)) // unpacked, and then found to be damaged
  assert.deepEqual(await shownOf([...cutOff.slice(0, 3), ...nine], limits), { pages: 1, attached: 12 })
  assert.deepEqual(await shownOf(nine), { pages: 1 + 9, attached: 0 })
  const animated = blackPng(10, 10, pngChunk('acTL', Buffer.from('0000000100000000', 'hex')))
  assert.deepEqual(await shownOf([animated, blackPng(10, 10)]), { pages: 1 + 1, attached: 1 })
})

test('a PNG that is damaged, however, is attached, beside a PDF too, and keeps nobody busy', async () => {
  const header = pngHeader(1, 1)
  const damaged = [
    pngOfChunks(header, pngChunk('tEXt', 'AAAA')), // a text that never ends
    pngOfChunks(header, pngChunk('PLTE', 'AAA', 2 ** 32 - 1)), // a palette that is longer than the file
    pngOfChunks(header, pngHeader(60_000, 60_000), pngPixels(Buffer.alloc(5)), pngChunk('IEND')),
    blackPng(10, 10).subarray(0, -20), // pixels that are cut off
  ]
  const startedAt = performance.now()
  assert.deepEqual(await shownOf([...damaged, blackPng(1, 1)]), { pages: 1 + 1, attached: 4 })
  const beside = { purpose: 'receipt', fileName: 'a.pdf', contentType: 'application/pdf' } as const
  assert.deepEqual(await shownOf(damaged, {}, 'image/png', [{ ...beside, read: () => bytesOf(pdfOf(1_000)) }]), {
    pages: 1 + 1,
    attached: 4,
  })
  const locked = [{ ...beside, read: () => bytesOf(Buffer.from('%PDF-1.7 and no more')) }]
  assert.deepEqual(await shownOf(damaged, { ms: 1 }, 'image/png', locked), { pages: 1, attached: 5 })
  assert.ok(performance.now() - startedAt < 20_000)
})

test('PDFs are pages, until opening them unpacks too much or takes too long: then they are attached', async () => {
  const [small, large] = [pdfOf(1_000), pdfOf(2_000_000)]
  const shown = (pdfs: Buffer[], limits = {}) => shownOf(pdfs, limits, 'application/pdf')
  assert.deepEqual(await shown([small, large]), { pages: 1 + 2, attached: 0 })
  assert.deepEqual(await shown([small, large], { unpackedBytes: 1_000_000 }), { pages: 1, attached: 2 })
  assert.deepEqual(await shown([small], { unpackedBytes: 1_000_000 }), { pages: 1 + 1, attached: 0 })
  assert.deepEqual(await shown([small], { ms: 1 }), { pages: 1, attached: 1 })
  assert.deepEqual(await shown([small], { heapMb: 8 }), { pages: 1, attached: 1 })
})

test('a thread for PDFs that cannot start is an error, and no reason to attach them', async () => {
  const read = () => bytesOf(pdfOf(1_000))
  const document = { purpose: 'receipt', fileName: 'a.pdf', contentType: 'application/pdf', read } as const
  const missing = new URL('no-such-thread.ts', import.meta.url)
  const error = await errorOf(() => evidenceFile({ texts: {}, documents: [document] }, {}, missing))
  assert.match(error.message, /no-such-thread/)
})

test('evidence that Paystack finds invalid while it waits is a refusal, and an acceptance stays unknown', async () => {
  const { dispute, order } = await disputed({ takesNoFile: true })
  const evidence = await evidenceOf(order)
  await refusalOf(() => disputes.submitEvidence(evidence, now))
  await unknownOf(() => disputes.acceptDispute(order, now))
  double.fails('PUT /dispute', 400)
  await unknownOf(() => disputes.submitEvidence(evidence, now)) // not about the evidence
  dispute.takesNoFile = false
  assert.deepEqual(await disputes.submitEvidence(evidence, now), { status: 'under_review' })
})

test('the documents of evidence with a PDF are read once the thread of the evidence before has ended', async () => {
  const steps: string[] = []
  const makes = async (name: string) => {
    async function* read() {
      await setImmediate() // whoever waits for the one before learns first that it has ended
      steps.push(`reads ${name}`)
      yield pdfOf(1_000)
    }
    const document = { purpose: 'receipt', fileName: name, contentType: 'application/pdf', read } as const
    await evidenceFile({ texts: {}, documents: [document] })
    steps.push(`has made ${name}`)
  }
  await Promise.all([makes('a'), makes('b')])
  assert.deepEqual(steps, ['reads a', 'has made a', 'reads b', 'has made b'])
})

test('an acceptance names what the dispute takes, and is given once', async () => {
  const { dispute, order } = await disputed()
  const refunded = await disputes.acceptDispute({ ...order, isRefunded: true }, now)
  assert.deepEqual([refunded.status, dispute.answers.length], ['needs_response', 0])
  assert.deepEqual(await disputes.acceptDispute(order, now), { status: 'closed' })
  assert.deepEqual(await disputes.acceptDispute(order, now), { status: 'closed' })
  assert.deepEqual(
    dispute.answers.map(({ resolution, refund_amount }) => [resolution, refund_amount]),
    [['merchant-accepted', 250_050]],
  )
})

test('an acceptance names no more than the dispute takes here, of a charge that was refunded in part', async () => {
  const answeredWith = async (rest: Parameters<typeof double.disputes>[1], amount: string) => {
    const { dispute, order } = await disputed(rest)
    assert.deepEqual(await disputes.acceptDispute({ ...order, amount }, now), { status: 'closed' })
    return dispute.answers.map(({ refund_amount: named }) => named)
  }
  assert.deepEqual(await answeredWith({}, '1500.500000000000000000'), [150_050])
  assert.deepEqual(await answeredWith({ refund_amount: 200_000n }, '1500.50'), [150_050])
  assert.deepEqual(await answeredWith({ refund_amount: 100_000n }, '1500.50'), [100_000])
  assert.deepEqual(await answeredWith({ refund_amount: 0n }, '1500.50'), [150_050])
})

test('a dispute that is over takes no answer any more', async () => {
  const { dispute, order } = await disputed({ status: 'resolved', resolution: 'auto-accepted' })
  assert.deepEqual(await disputes.submitEvidence(await evidenceOf(order), now), { status: 'lost' })
  assert.deepEqual(await disputes.acceptDispute(order, now), { status: 'lost' })
  assert.equal(dispute.answers.length, 0)
})

for (const path of ['GET /dispute', 'PUT /storage', 'PUT /dispute']) {
  test(`where ${path} fails the outcome is unknown, and the answer to the dispute is given once`, async () => {
    const hurried = await open({ timeoutMs: 500 })
    for (const fault of ['cut', 'lost', 'broken', 401, 429, 500] as const) {
      const { dispute, order } = await disputed()
      double.fails(path, fault)
      await unknownOf(() => hurried.disputes.acceptDispute(order, now))
      double.worksAgain()
      assert.deepEqual(await disputes.acceptDispute(order, now), { status: 'closed' })
      assert.equal(dispute.answers.length, 1)
    }
  })
}

test('evidence is given to the storage of Paystack only, over https, and without the key', async () => {
  const guarded = await open({ uploadHosts: ['amazonaws.com'] })
  const { order } = await disputed()
  const addresses = [
    'https://evil.example.com',
    'https://amazonaws.com.example.com',
    'https://notamazonaws.com',
    'http://s3.eu-west-1.amazonaws.com',
    'file:///tmp',
    'x',
  ]
  for (const address of addresses) {
    double.book.storageUrl = address
    const error = await errorOf(() => guarded.disputes.acceptDispute(order, now))
    assert.match(error.message, /not its storage/)
  }
  double.book.storageUrl = double.url
  assert.ok(double.book.files.size > 0)
})

test('what Paystack serves is said, and a card is saved only with a payment', async () => {
  assert.deepEqual(rails.serves, ['NGN_CARD', 'NGN_BANK_TRANSFER', 'MOMO_GHS', 'MOMO_KES', 'MOMO_XOF'])
  assert.deepEqual(rails.paysOut, ['NGN', 'GHS', 'KES'])
  const setup = { environment: 'live', setupId: 'x', corridor: 'NGN_CARD', token: 'x', email: marker } as const
  await refusalOf(() => rails.cardSetups.setUp({ ...setup, returnUrl: null }))
  for (const ask of [rails.cardSetups.lookUp('x'), rails.cardSetups.confirm('x', 'otc_x')])
    assert.deepEqual(await ask, { status: 'not_found' })
})
