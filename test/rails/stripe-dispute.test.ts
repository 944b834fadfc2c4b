import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DisputeOrder, EvidenceOrder } from '../../rails/dispute-rail.ts'
import { RailRefusal } from '../../rails/rail-refusal.ts'
import type { Entry } from '../doubles/stripe/books.ts'
import { errorOf, useStripe } from '../support/stripe.ts'

const stage = await useStripe()
const { double, rail, at, chargeOrder, paid } = stage

/** A charge that its buyer disputes. What is announced or prevented has moved nothing. */
async function disputed(status = 'needs_response') {
  const order = await paid({ token: double.addCard({ disputes: true }) })
  const [intent] = double.madeFor('payment_intent', order.paymentId)
  const dispute = double.books.all('dispute').find((one) => one['payment_intent'] === intent?.id) as Entry
  dispute['status'] = status
  if (status !== 'needs_response') dispute['balance_transactions'] = []
  const asked: DisputeOrder<'live'> = {
    environment: 'live',
    networkId: dispute.id,
    paymentId: order.paymentId,
    corridor: 'USD_CARD',
    amount: '25.00',
    isRefunded: false,
  }
  return { order, dispute, asked }
}

const text = (words: string) =>
  async function* () {
    yield Buffer.from(words)
  }

const evidence = (asked: DisputeOrder<'live'>): EvidenceOrder<'live'> => ({
  ...asked,
  texts: { product_description: 'A book', shipping_carrier: 'DHL' },
  ownTexts: ['product_description', 'shipping_carrier'],
  documents: [
    { purpose: 'receipt', fileName: 'receipt.pdf', contentType: 'application/pdf', read: text('a receipt') },
    { purpose: 'uncategorized', fileName: 'photo.png', contentType: 'image/png', read: text('a photo') },
  ],
})

test('a look-up tells of the disputes of a charge, with amount, reason and deadline', async () => {
  const { order, dispute } = await disputed()
  const answer = await rail.lookUp(order.paymentId, at)
  assert.ok(answer.status === 'succeeded')
  const { due_by: dueBy } = dispute['evidence_details'] as { due_by: number }
  const raised = {
    id: dispute.id,
    amount: '25.00',
    reason: 'fraudulent',
    networkReasonCode: '10.4',
    dueAt: dueBy * 1000,
    warnsUntil: null,
  }
  assert.deepEqual(answer.disputes, [raised])
  // Visa's Rapid Dispute Resolution has given the buyer the money, and there is no chargeback.
  dispute['status'] = 'prevented'
  const resolved = await rail.lookUp(order.paymentId, at)
  assert.deepEqual(resolved.status === 'succeeded' && resolved.disputes, [raised])
  dispute['balance_transactions'] = []
  for (const announced of ['warning_needs_response', 'warning_closed', 'prevented']) {
    dispute['status'] = announced
    const warned = await rail.lookUp(order.paymentId, at)
    assert.deepEqual(warned.status === 'succeeded' && warned.disputes, [{ ...raised, warnsUntil: dueBy * 1000 }])
  }
})

test('a dispute for which Stripe names no time, or takes no response, has seven days from when it began', async () => {
  const { order, dispute, asked } = await disputed()
  const dueAt = Number(dispute['created']) * 1000 + 7 * 24 * 3_600_000
  for (const none of [null, 0]) {
    dispute['evidence_details'] = { ...(dispute['evidence_details'] as object), due_by: none }
    dispute['status'] = 'needs_response'
    const raised = await rail.lookUp(order.paymentId, at)
    assert.partialDeepStrictEqual(raised, { disputes: [{ dueAt, warnsUntil: null }] })
    assert.deepEqual(await rail.lookUpDispute(asked, at), { status: 'needs_response', dueAt })
    dispute['status'] = 'warning_needs_response'
    const warned = await rail.lookUp(order.paymentId, at)
    assert.partialDeepStrictEqual(warned, { disputes: [{ dueAt, warnsUntil: dueAt }] })
  }
})

test('each state of a dispute at Stripe is told in our words', async () => {
  const { asked, dispute } = await disputed()
  const { due_by: dueBy } = dispute['evidence_details'] as { due_by: number }
  assert.deepEqual(await rail.lookUpDispute(asked, at), { status: 'needs_response', dueAt: dueBy * 1000 })
  const states = {
    under_review: 'under_review',
    won: 'won',
    lost: 'lost',
    warning_needs_response: 'early_warning',
    warning_under_review: 'early_warning',
    warning_closed: 'prevented',
  }
  for (const [theirs, status] of Object.entries(states)) {
    double.disputes.decide(dispute.id, theirs)
    assert.deepEqual(await rail.lookUpDispute(asked, at), { status })
  }
  double.disputes.decide(dispute.id, 'prevented')
  assert.deepEqual(await rail.lookUpDispute(asked, at), { status: 'lost', isAccepted: true }, 'the money has left')
  const [taken] = dispute['balance_transactions'] as { amount: number }[]
  dispute['balance_transactions'] = [taken, { ...taken, amount: -Number(taken?.amount) }]
  assert.deepEqual(await rail.lookUpDispute(asked, at), { status: 'prevented' }, 'it has come back')
  // Each is converted at the rate of its day.
  dispute['balance_transactions'] = [taken, { ...taken, amount: -Number(taken?.amount) - 70 }]
  assert.deepEqual(await rail.lookUpDispute(asked, at), { status: 'prevented' }, 'it has come back at another rate')
  dispute['balance_transactions'] = []
  assert.deepEqual(await rail.lookUpDispute(asked, at), { status: 'prevented' }, 'nothing has moved')
  double.disputes.decide(dispute.id, 'a_new_state')
  await errorOf(rail.lookUpDispute(asked, at))
  assert.deepEqual(await rail.lookUpDispute({ ...asked, networkId: 'du_nobody' }, at), { status: 'not_found' })
})

test('evidence is submitted once with its documents, also where the answer is lost', async () => {
  const { asked, dispute } = await disputed()
  double.fail(`POST /v1/disputes/${dispute.id}`, 'limited', 'lost')
  await errorOf(rail.submitEvidence(evidence(asked), at))
  await errorOf(rail.submitEvidence(evidence(asked), at))
  assert.deepEqual(await rail.submitEvidence(evidence(asked), at), { status: 'under_review' })
  const kept = dispute['evidence'] as Record<string, string>
  assert.deepEqual(Object.keys(kept).toSorted(), [
    'product_description',
    'receipt',
    'shipping_carrier',
    'uncategorized_file',
  ])
  assert.equal(double.books.entries.get(kept['receipt'] ?? '')?.['filename'], 'receipt.pdf')
  assert.equal((dispute['evidence_details'] as { submission_count: number }).submission_count, 1)
  assert.equal(double.books.all('file').length, 2, 'the same document again is the same file')
})

test('a document that Stripe refuses is left out; with nothing else of the merchant it is a refusal', async () => {
  const { asked, dispute } = await disputed()
  const { texts, ownTexts, documents } = evidence(asked)
  const damaged = documents.map((each) => (each.purpose === 'receipt' ? { ...each, fileName: 'damaged.pdf' } : each))
  const prefilled = { customer_name: 'Ada Buyer', customer_email_address: 'ada@example.com' }
  const bare: EvidenceOrder<'live'> = { ...asked, texts: prefilled, ownTexts: [], documents: damaged.slice(0, 1) }
  const unknown = { ...bare, texts: { ...prefilled, duplicate_charge_id: 'pay_nobody' } }
  for (const order of [bare, { ...bare, texts: {} }, { ...unknown, ownTexts: ['duplicate_charge_id' as const] }])
    assert.ok((await errorOf(rail.submitEvidence(order, at))) instanceof RailRefusal)
  assert.equal((dispute['evidence_details'] as { submission_count: number }).submission_count, 0)
  const answer = await rail.submitEvidence(
    { ...asked, texts: { ...texts, ...prefilled }, ownTexts, documents: damaged },
    at,
  )
  assert.deepEqual(answer, { status: 'under_review', leftOut: ['receipt'] })
  const kept = Object.keys(dispute['evidence'] as object).toSorted()
  const sent = ['product_description', 'shipping_carrier', 'uncategorized_file', ...Object.keys(prefilled)]
  assert.deepEqual(kept, sent.toSorted())
})

test('the id of a duplicate payment becomes Stripe’s id of its charge', async () => {
  const [{ asked, dispute }, duplicate] = [await disputed(), await paid()]
  const order = { ...evidence(asked), documents: [] }
  await rail.submitEvidence(
    { ...order, texts: { duplicate_charge_id: duplicate.paymentId }, ownTexts: ['duplicate_charge_id'] },
    at,
  )
  const [intent] = double.madeFor('payment_intent', duplicate.paymentId)
  assert.deepEqual(dispute['evidence'], { duplicate_charge_id: intent?.['latest_charge'] })
})

test('evidence for a dispute that is over is refused, and one that was decided is told', async () => {
  const { asked, dispute } = await disputed('prevented')
  assert.ok((await errorOf(rail.submitEvidence(evidence(asked), at))) instanceof RailRefusal)
  double.disputes.decide(dispute.id, 'lost')
  assert.deepEqual(await rail.submitEvidence(evidence(asked), at), { status: 'lost' })
  const other = await disputed()
  double.tamper(`GET /v1/disputes/${other.dispute.id}`, (body) => Object.assign(body, { status: 'needs_response' }))
  double.disputes.decide(other.dispute.id, 'won')
  assert.ok((await errorOf(rail.submitEvidence(evidence(other.asked), at))) instanceof RailRefusal)
})

test('an accepted dispute is closed, and not lost by evidence, also where the answer is lost', async () => {
  const { asked, dispute } = await disputed()
  double.fail(`POST /v1/disputes/${dispute.id}/close`, 'cut', 'lost')
  await errorOf(rail.acceptDispute(asked, at))
  await errorOf(rail.acceptDispute(asked, at))
  assert.equal(dispute['status'], 'lost')
  assert.deepEqual(await rail.acceptDispute(asked, at), { status: 'closed' })
  assert.deepEqual(await rail.lookUpDispute(asked, at), { status: 'closed' })
})

test('a refunded warning is not closed, and neither is a dispute that the network raises all the same', async () => {
  const { asked, dispute } = await disputed('warning_needs_response')
  const refunded = { ...asked, isRefunded: true }
  assert.deepEqual(await rail.acceptDispute(refunded, at), { status: 'early_warning' })
  assert.equal(dispute['status'], 'warning_needs_response')
  double.disputes.decide(dispute.id, 'needs_response')
  const { due_by: dueBy } = dispute['evidence_details'] as { due_by: number }
  assert.deepEqual(await rail.acceptDispute(refunded, at), { status: 'needs_response', dueAt: dueBy * 1000 })
  assert.equal(dispute['status'], 'needs_response')
  assert.deepEqual(await rail.submitEvidence(evidence(asked), at), { status: 'under_review' })
})

test('a dispute of another payment, currency or mode is an error', async () => {
  const [{ asked, dispute, order }, other] = [await disputed(), await rail.charge(chargeOrder(), at)]
  assert.equal(other.status, 'succeeded')
  const { paymentId } = await paid()
  await errorOf(rail.lookUpDispute({ ...asked, paymentId }, at))
  double.tamper(`GET /v1/disputes/${dispute.id}`, (body) => Object.assign(body, { livemode: false }))
  await errorOf(rail.lookUpDispute(asked, at))
  dispute['currency'] = 'eur'
  await errorOf(rail.lookUp(order.paymentId, at))
})
