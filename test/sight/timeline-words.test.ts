import { accountStatuses } from '../../domain/platform/requirement.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Static } from 'typebox'
import { trackedResources } from '../../db/sight/tracked.ts'
import { conversionStatuses } from '../../domain/balance/conversion.ts'
import { checkoutStatuses } from '../../domain/checkout/checkout.ts'
import { failureCodes, paymentStatuses } from '../../domain/checkout/payment.ts'
import { disputeStatuses } from '../../domain/dispute/dispute.ts'
import { destinationStatuses } from '../../domain/payout/destination.ts'
import { payoutStatuses } from '../../domain/payout/payout.ts'
import { refundStatuses } from '../../domain/refund.ts'
import { invoiceStatuses } from '../../domain/subscription/invoice.ts'
import { subscriptionStatuses } from '../../domain/subscription/subscription.ts'
import type { StaffTimeline } from '../../schemas/sight/timeline.ts'
import { shownTimeline } from '../../web/sight/timeline.ts'
import { errorName, stepName } from '../../web/sight/timeline-words.ts'

// How a timeline of the API is told on a page: in words, and each deed once.
const now = Date.parse('2026-11-24T12:00:00.000Z')
const seen = { home: '/ops', isForStaff: true }
const at = (minutesAgo: number) => new Date(now - minutesAgo * 60_000).toISOString()

type Whole = Static<typeof StaffTimeline>
const nothing = { waiting_on: null, waiting_since: null, wakes_at: null, wake_reason: null, expected_by: null }
const of = { account_id: 'acct_1', environment: 'live', process: { workflow_id: 'process/1', url: null } }

/** A timeline as staff see it on a page; what is left out of an item is nothing special. */
function told(resource: Whole['resource'], items: Partial<Whole['items'][number]>[], wait: Partial<Whole> = {}) {
  const step = (own: Partial<Whole['items'][number]>): Whole['items'][number] => ({
    resource_id: 'id_1',
    step: 'processing',
    status: 'done',
    at: at(60),
    ended_at: null,
    attempts: 0,
    last_error: null,
    actor: 'system',
    details: {},
    ledger_transaction_ids: [],
    event_ids: [],
    user: null,
    reason: null,
    ...own,
  })
  const standing = { resource, resource_id: 'id_1', status: 'processing', as_of: at(0), ...nothing, ...wait }
  return shownTimeline({ ...standing, ...of, items: items.map(step) }, seen)
}

test('every status that a resource can take has words of its own', () => {
  const statuses = {
    checkout_session: checkoutStatuses,
    payment: paymentStatuses,
    refund: refundStatuses,
    conversion: conversionStatuses,
    payout: [...payoutStatuses, 'returned'],
    payout_destination: [...destinationStatuses, 'deactivated'],
    account: accountStatuses,
    subscription: subscriptionStatuses,
    invoice: invoiceStatuses,
    dispute: disputeStatuses,
  } as const
  assert.equal(Object.keys(statuses).length, trackedResources.length)
  for (const [resource, each] of Object.entries(statuses)) {
    for (const status of each) {
      const words = stepName(resource as keyof typeof statuses, status)
      assert.match(words, /^[A-Z]/, `${resource} ${status}`)
    }
  }
  for (const code of failureCodes) assert.match(errorName(code), /^The .*\.$/)
  assert.equal(errorName('a_new_code'), 'a_new_code')
})

test('a dispute tells what comes next and until when it can be answered, and by which word staff have ended it', () => {
  const wait = { waiting_on: 'merchant', wake_reason: 'evidence_due_soon', wakes_at: at(-60), expected_by: at(-2940) }
  const waiting = (timeline: ReturnType<typeof told>) => [
    timeline.wait?.title,
    ...(timeline.wait?.moments ?? []).map(({ label }) => label),
  ]
  const [title, first, last] = [
    'Waiting for the merchant’s answer',
    'The merchant is told that 48 hours are left',
    'Answer by',
  ]
  assert.deepEqual(waiting(told('dispute', [], wait as Partial<Whole>)), [title, first, last])
  const deadline = { ...wait, wake_reason: 'evidence_deadline', wakes_at: at(-2940) }
  assert.deepEqual(waiting(told('dispute', [], deadline as Partial<Whole>)), [title, 'Lost if nobody has answered'])
  const marks = ['mark_settled.executed', 'mark_failed.proposed', 'mark_failed.refused']
  const wordsOf = (resource: 'dispute' | 'payout', steps: string[]) =>
    told(
      resource,
      steps.map((step) => ({ step })),
    ).items.map(({ words }) => words)
  assert.deepEqual(wordsOf('dispute', marks), [
    'Marked as won',
    'Proposed as lost',
    'Not marked as lost: the provider reports a different outcome',
  ])
  assert.deepEqual(wordsOf('payout', ['mark_failed.proposed']), ['Proposed as failed'])
})

test('a delivery tells of each attempt and its own error; the next attempt is what it waits for', () => {
  const failed = { step: 'attempt', status: 'failed', last_error: 'bad_status' } as const
  const { items, wait } = told(
    'webhook_delivery',
    [
      { ...failed, details: { number: 1, response_status: 500 } },
      { ...failed, details: { number: 2, response_status: 503 }, at: at(30) },
      { step: 'attempt', status: 'running', at: at(-5) },
    ],
    { waiting_on: 'receiver', wakes_at: at(-5), wake_reason: 'webhook_attempt' },
  )
  assert.deepEqual(
    items.map(({ words, error }) => [words, error]),
    [
      ['Attempt 1', 'The receiver did not answer with a 2xx status. It answered 500.'],
      ['Attempt 2', 'The receiver did not answer with a 2xx status. It answered 503.'],
    ],
  )
  assert.deepEqual(
    wait?.moments.map(({ label, isOverdue }) => [label, isOverdue]),
    [['Next attempt', false]],
  )
})

test('a note of the moment of a step is told with the step; a note of another moment stands alone', () => {
  const user = { id: 'usr_1', name: 'Ada' }
  const note = { step: 'review.approved', user, reason: 'Called the owner' }
  const toldOf = (minutes: number) =>
    told('payout', [
      { step: 'approved', at: at(9) },
      { ...note, at: at(minutes) },
    ]).items.map(({ words, by, reason }) => [words, by, reason])
  assert.deepEqual(toldOf(9), [['Approved to be sent', 'by Ada', 'Called the owner']])
  assert.deepEqual(toldOf(8), [
    ['Approved to be sent', 'automatically', null],
    ['Decision: approve', 'by Ada', 'Called the owner'],
  ])
})

test('a moment that has just passed is not overdue, and one that is both the next and the last is shown once', () => {
  const waiting = (moments: Partial<Whole>) =>
    told('payment', [], { waiting_on: 'rail', wake_reason: 'rail_poll', ...moments }).wait?.moments.map(
      ({ label, isOverdue }) => [label, isOverdue],
    )
  assert.deepEqual(waiting({ wakes_at: at(0.5), expected_by: at(2) }), [
    ['We ask the provider again', false],
    ['Answer expected by', true],
  ])
  assert.deepEqual(waiting({ wakes_at: at(-2), expected_by: at(-2) }), [['Answer expected by', false]])
  assert.deepEqual(waiting({}), [])
  const step = { wakes_at: at(-9), expected_by: at(-9), waiting_on: 'buyer', wake_reason: 'payment_attempt' } as const
  assert.deepEqual(waiting(step), [['The card is charged again', false]])
})
