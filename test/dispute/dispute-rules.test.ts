import assert from 'node:assert/strict'
import { test } from 'node:test'
import Big from 'big.js'
import * as fc from 'fast-check'
import { cardCorridors, corridorKeys, corridorOf } from '../../domain/corridor.ts'
import {
  assertAnswerable,
  claimsMoney,
  disputableOf,
  disputeFeeOf,
  disputeMoves,
  type DisputeStatus,
  disputeStatuses,
  holdsMoney,
  isDisputable,
  isDisputeEnded,
  moveDispute,
  takenBy,
} from '../../domain/dispute/dispute.ts'
import {
  documentBytesMax,
  type Evidence,
  evidenceAttachmentKeys,
  evidenceKeys,
  evidenceTextKeys,
  evidenceTotalMax,
  hasEvidence,
  mergeEvidence,
  type SentEvidence,
  totalError,
} from '../../domain/dispute/evidence.ts'
import { dueSoonAheadMs, nextDisputeStep } from '../../domain/dispute/next-step.ts'
import { aboutDispute, disputeWaitsFor } from '../../domain/dispute/process.ts'
import type { Moves } from '../../domain/move.ts'
import { type Charge, remainingOf } from '../../domain/refund.ts'
import { Refusal } from '../../domain/refusal.ts'
import { tryAll } from '../support/try-all.ts'

// The rules of disputes, tested without a running service.

/** Every legal transition of the decisions, with a warning's further ones. */
const legal: Moves<DisputeStatus> = {
  early_warning: ['needs_response', 'prevented', 'won'],
  needs_response: ['under_review', 'won', 'lost'],
  under_review: ['won', 'lost'],
  won: [],
  lost: [],
  prevented: ['needs_response'],
}

test('every transition of a dispute is legal or refused, as its table says', () => {
  tryAll(legal, disputeStatuses, moveDispute)
  assert.deepEqual(disputeMoves, legal)
})

test('what holds money, has ended and is waited for, of every status', () => {
  const said = disputeStatuses.map((status) => [
    status,
    [holdsMoney(status), isDisputeEnded(status), disputeWaitsFor(status)],
  ])
  assert.deepEqual(Object.fromEntries(said), {
    early_warning: [false, false, 'merchant'],
    needs_response: [true, false, 'merchant'],
    under_review: [true, false, 'rail'],
    won: [false, true, 'nobody'],
    lost: [false, true, 'nobody'],
    prevented: [false, true, 'nobody'],
  })
})

test('an answer is taken until the last millisecond before the deadline, and only while one is awaited', () => {
  const evidenceDueAt = new Date('2027-03-31T08:00:00Z')
  const due = evidenceDueAt.getTime()
  const isConflict = (error: unknown) => error instanceof Refusal && error.code === 'CONFLICT'
  assertAnswerable({ status: 'needs_response', evidenceDueAt }, due - 1)
  for (const late of [due, due + 1])
    assert.throws(() => assertAnswerable({ status: 'needs_response', evidenceDueAt }, late), isConflict)
  for (const status of disputeStatuses.filter((each) => each !== 'needs_response'))
    assert.throws(() => assertAnswerable({ status, evidenceDueAt }, due - 1), isConflict, status)
})

test('a dispute warns 48 hours ahead and is lost at its deadline; in every other status it does nothing', () => {
  const evidenceDueAt = new Date('2027-03-31T08:00:00Z')
  const ahead = new Date('2027-03-29T08:00:00Z')
  assert.equal(dueSoonAheadMs, evidenceDueAt.getTime() - ahead.getTime())
  for (const remindedAt of [null, ahead]) {
    const at = remindedAt ? evidenceDueAt : ahead
    const step = remindedAt ? 'evidence_deadline' : 'evidence_due_soon'
    for (const status of disputeStatuses) {
      const next = status === 'needs_response' ? { step, at } : null
      assert.deepEqual(nextDisputeStep({ status, evidenceDueAt, remindedAt }), next)
    }
  }
})

test('only cards can be disputed, and every currency of a card has a fee', () => {
  assert.deepEqual(corridorKeys.filter(isDisputable).toSorted(), [...cardCorridors].toSorted())
  for (const corridor of cardCorridors) assert.ok(new Big(disputeFeeOf(corridorOf(corridor).currency)).gt(0), corridor)
  assert.equal(disputeFeeOf('KES'), '0')
})

/** A charge in cents: what its buyer has paid, the fee of the sale in it, and what others claim of it already. */
const charges = fc
  .record({
    paid: fc.integer({ min: 1, max: 10 ** 9 }),
    fee: fc.nat(1_000),
    refunds: fc.nat(100),
    disputes: fc.nat(100),
  })
  .map(({ paid, fee, refunds, disputes }) => {
    const settles = Math.max(paid - fee, 0)
    const refundClaimed = Math.floor((settles * refunds) / 100)
    const disputeClaimed = Math.floor(((paid - refundClaimed) * disputes) / 100)
    return { paid, fee, settles, refundClaimed, disputeClaimed }
  })
const money = (cents: number) => new Big(cents).div(100).toFixed(2)

test('refunds and disputes together never take more of a charge than its buyer has paid', () => {
  fc.assert(
    fc.property(charges, fc.integer({ min: 1, max: 2 * 10 ** 9 }), (cents, named) => {
      const charge: Charge = {
        status: 'succeeded',
        corridor: 'USD_CARD',
        currency: 'USD',
        amountReceived: money(cents.paid),
        fee: money(cents.fee),
        refundClaimed: money(cents.refundClaimed),
        refundedAmount: '0',
        disputeClaimed: money(cents.disputeClaimed),
      }
      const left = cents.paid - cents.refundClaimed - cents.disputeClaimed
      assert.equal(new Big(disputableOf(charge)).times(100).toNumber(), left)
      assert.equal(new Big(takenBy(money(named), charge)).times(100).toNumber(), Math.min(named, left))
      const refundable = Math.min(cents.settles - cents.refundClaimed, left)
      assert.equal(new Big(remainingOf(charge)).times(100).toNumber(), refundable)
      assert.ok(refundable >= 0 && left >= 0)
    }),
    { numRuns: 1_000 },
  )
})

const sentTexts = fc.option(fc.oneof(fc.constant(''), fc.string({ maxLength: 20 })), { nil: null })
const sentEvidence: fc.Arbitrary<SentEvidence> = fc
  .dictionary(fc.constantFrom(...evidenceKeys), sentTexts, { maxKeys: 12 })
  .map((fields) => ({ ...fields }))

test('evidence merges by field: a text replaces, an empty text clears, null and a missing field keep', () => {
  fc.assert(
    fc.property(fc.array(sentEvidence, { maxLength: 6 }), (changes) => {
      let merged: Evidence = {}
      const expected = new Map<string, string>()
      for (const sent of changes) {
        const before = { ...merged }
        const next = mergeEvidence(merged, sent)
        assert.deepEqual(merged, before) // what was stored is not changed in place
        for (const [key, value] of Object.entries(sent)) {
          if (value === '') expected.delete(key)
          else if (value !== null && value !== undefined) expected.set(key, value)
        }
        merged = next
        assert.deepEqual(merged, Object.fromEntries(expected))
        assert.deepEqual(mergeEvidence(merged, sent), merged) // the same change again changes nothing
      }
    }),
    { numRuns: 1_000 },
  )
})

test('a field that the evidence does not have is never stored', () => {
  const odd = { constructor: 'x', unknown: 'x', uncategorized_text: 'kept' }
  assert.deepEqual(mergeEvidence({}, odd), { uncategorized_text: 'kept' })
  const proto: SentEvidence = JSON.parse('{"__proto__": {"receipt_attachment_id": "doc_x"}}')
  assert.deepEqual(Object.keys(mergeEvidence({}, proto)), [])
})

test('evidence says something once a field differs from what was prefilled, and clearing says nothing', () => {
  const prefilled: Evidence = { customer_name: 'Ada', customer_email_address: 'ada@example.com' }
  fc.assert(
    fc.property(sentEvidence, (sent) => {
      const evidence = mergeEvidence(prefilled, sent)
      const says = evidenceKeys.some((key) => evidence[key] !== undefined && evidence[key] !== prefilled[key])
      assert.equal(hasEvidence(evidence, prefilled), says)
    }),
  )
  assert.equal(hasEvidence(prefilled, prefilled), false)
  assert.equal(hasEvidence({}, prefilled), false)
  assert.equal(hasEvidence(mergeEvidence(prefilled, { customer_name: 'Ada Buyer' }), prefilled), true)
  assert.equal(hasEvidence(mergeEvidence(prefilled, { receipt_attachment_id: 'doc_x' }), prefilled), true)
})

test('all texts together have at most 150,000 characters, of any script; attachments are not counted', () => {
  const texts = (first: number, character: string): Evidence =>
    Object.fromEntries(evidenceTextKeys.slice(0, 10).map((key, i) => [key, character.repeat(i === 0 ? first : 15_000)]))
  const attached: Evidence = Object.fromEntries(evidenceAttachmentKeys.map((key) => [key, 'doc_'.padEnd(64, 'x')]))
  assert.equal(evidenceTotalMax, 150_000)
  for (const character of ['a', 'é', '語', '😀']) {
    assert.deepEqual(totalError({ ...texts(15_000, character), ...attached }), [], character)
    const [error, ...more] = totalError(texts(15_001, character))
    assert.deepEqual([error?.type, more], ['value_error.range', []], character)
    assert.match(error?.message ?? '', /150001 characters/)
  }
})

test('a dispute claims money while it holds it, and once it is lost', () => {
  assert.deepEqual(disputeStatuses.filter(claimsMoney), ['needs_response', 'under_review', 'lost'])
})

test('why no answer is taken: it is only announced, submitted, over or decided', () => {
  const evidenceDueAt = new Date(1_000)
  const why =
    (status: DisputeStatus, at = 0) =>
    () =>
      assertAnswerable({ status, evidenceDueAt }, at)
  assert.throws(why('early_warning'), /only announced: a full refund prevents it/)
  assert.throws(why('under_review'), /was submitted, so it is locked/)
  assert.throws(why('lost'), /the dispute is lost/)
  assert.throws(why('needs_response', 1_000), /the time for evidence is over/)
})

test('a document of a dispute has at most 5 MB', () => {
  assert.equal(documentBytesMax, 5_242_880)
})

test('operators read of a dispute its amount, its payment and until when evidence is taken', () => {
  const row = { accountId: 'acct_1', environment: 'live', status: 'under_review' } as const
  const about = aboutDispute({ ...row, amount: '5', currency: 'USD', paymentId: 'pay_1', evidenceDueAt: new Date(0) })
  const summary = '5.00 USD of pay_1, evidence until 1970-01-01T00:00:00.000Z'
  assert.deepEqual(about, { ...row, waitingOn: 'rail', provider: 'stripe', summary })
})
