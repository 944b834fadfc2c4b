import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agendaResources, waitingProcesses, wakeReasons } from '../../domain/sight/agenda.ts'
import { foundKinds, quietKinds } from '../../domain/sight/found.ts'
import { helpFor } from '../../domain/sight/stuck-help.ts'
import { type Change, stepsOf } from '../../domain/sight/timeline.ts'
import { tracedPaths } from '../../domain/sight/traced-paths.ts'
import { idPrefixes } from '../../domain/id.ts'
import { processes } from '../../domain/processes.ts'
import { dayIn } from '../../web/sight/list-filter.ts'
import { momentOf } from '../../web/sight/webhook-recovery.ts'

// The rules of what people see, tested without a running service.

const change = (status: string, at: number, more: Partial<Change> = {}): Change => ({
  resourceId: 'pay_1',
  status,
  at: new Date(at),
  actor: 'system',
  userId: null,
  errorCode: null,
  pollCount: 0,
  eventIds: [],
  ledgerTransactionIds: [],
  ...more,
})
const ends = ['completed', 'failed', 'rejected']

test('a step lasts until the next one, the last one runs, and an end takes no time', () => {
  const story = [
    change('requested', 1),
    change('approved', 2, { pollCount: 1 }),
    change('processing', 5, { pollCount: 1 }),
  ]
  const steps = stepsOf(story, { ends, pollCount: 4 })
  assert.deepEqual(
    steps.map(({ step, status, endedAt, attempts, lastError }) => [
      step,
      status,
      endedAt?.getTime() ?? null,
      attempts,
      lastError,
    ]),
    [
      ['requested', 'done', 2, 1, null],
      ['approved', 'done', 5, 0, null],
      ['processing', 'running', null, 3, null],
    ],
  )
  const [, , , last] = stepsOf([...story, change('completed', 9, { pollCount: 4 })], { ends, pollCount: 4 })
  assert.deepEqual([last?.status, last?.endedAt, last?.at, last?.attempts], ['done', new Date(9), new Date(9), 0])
  assert.deepEqual(stepsOf([], { ends, pollCount: 0 }), [])
})

test('a step that ends in a failure has failed, with its error, and so has the end itself', () => {
  for (const failure of ['failed', 'rejected']) {
    const story = [change('requested', 1), change('processing', 2), change(failure, 3, { errorCode: 'rail_failed' })]
    const said = stepsOf(story, { ends, pollCount: 0 }).map(({ status, lastError }) => `${status} ${lastError}`)
    assert.deepEqual(said, ['done null', 'failed rail_failed', 'failed rail_failed'])
  }
  const [done] = stepsOf([change('processing', 1, { errorCode: 'card_declined' }), change('completed', 2)], {
    ends,
    pollCount: 0,
  })
  assert.deepEqual([done?.status, done?.lastError], ['done', null], 'an error that was overcome is not told')
  const moved = change('processing', 1, {
    actor: 'rail',
    userId: 'usr_1',
    eventIds: ['evt_1'],
    ledgerTransactionIds: ['txn_1'],
  })
  const [step] = stepsOf([moved], { ends, pollCount: 0 })
  assert.deepEqual(
    [step?.actor, step?.userId, step?.eventIds, step?.ledgerTransactionIds],
    ['rail', 'usr_1', ['evt_1'], ['txn_1']],
  )
})

test('staff read what they can do about every wait, in time or overdue', () => {
  for (const resource of [...agendaResources, 'deposit'] as const) {
    for (const reason of wakeReasons) {
      for (const isOverdue of [true, false]) assert.match(helpFor(resource, reason, isOverdue), /^[A-Z].+\.$/)
    }
  }
  const provider = /asked again every day.*stuck-payouts\.md/
  for (const isOverdue of [true, false]) {
    assert.match(helpFor('payout', 'rail_poll', isOverdue), provider)
    assert.match(helpFor('refund', 'release', isOverdue), /^Staff hold it/)
  }
  assert.match(helpFor('refund', 'rail_poll', false), provider)
  assert.match(helpFor('refund', 'rail_poll', true), /^The provider was not asked in time[^(]*$/)
  for (const resource of ['payment', 'deposit'] as const) {
    assert.match(helpFor(resource, 'rail_poll', true), /not asked in time.*have it asked now \(retry\)/)
    assert.match(helpFor(resource, 'rail_poll', false), /^Nothing to do: .*\(retry\)/)
  }
  assert.match(helpFor('payment', 'expiry', true), /^The session should have expired/)
  assert.match(helpFor('dispute', 'rail_poll', false), /^Nothing to do: the network/)
  assert.match(helpFor('account', 'review_reminder', true), /mail server/)
})

test('staff read of no action on a payment that its rail does not process, nor on what has ended', () => {
  for (const resource of ['payment', 'deposit'] as const) {
    const said = (status: string, isOverdue: boolean) => helpFor(resource, 'rail_poll', isOverdue, { status })
    for (const isOverdue of [true, false])
      assert.equal(said('processing', isOverdue), helpFor(resource, 'rail_poll', isOverdue))
    for (const status of ['requires_action', 'underpaid', 'canceled', 'failed']) {
      assert.match(said(status, true), /^The provider was not asked in time.* Check the provider and the workers\.$/)
      assert.match(said(status, false), /^Nothing to do: [^.]* is asked again [^.]*\.$/)
    }
  }
  for (const resource of ['payment', 'deposit', 'refund', 'payout', 'conversion', 'dispute'] as const)
    assert.match(helpFor(resource, 'rail_poll', false, { ofNews: true }), /^It has ended, .*Nothing to do here/)
})

test('every resource of the agenda has a process that exists, and kinds are named once', () => {
  for (const resource of agendaResources) assert.ok(Object.hasOwn(processes, waitingProcesses[resource]), resource)
  assert.equal(new Set<string>(foundKinds).size, foundKinds.length)
  assert.ok(quietKinds.every((kind) => !agendaResources.some((resource) => String(resource) === String(kind))))
  for (const [prefix, paths] of Object.entries(tracedPaths)) {
    assert.ok(Object.hasOwn(idPrefixes, prefix))
    for (const path of paths) assert.match(path, /^\/v1\/[a-z/-]+$/)
  }
})

test('a filter by a day takes the days of the calendar, and what is no such day is no filter', () => {
  const read = (from: string) => dayIn({ query: { from } }, 'from')
  const days = ['2026-02-28', '2028-02-29', '2026-12-31', '1000-01-01']
  assert.deepEqual(days.map(read), days)
  const others = ['2026-02-29', '2026-02-31', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00', '3000-01-01']
  for (const text of [...others, '2026-1-1', '2026-02-28T00:00:00Z', 'soon', '']) assert.equal(read(text), '', text)
})

test('a time that is typed is one of the calendar, in UTC', () => {
  assert.equal(momentOf('2026-02-28 09:00'), '2026-02-28T09:00:00.000Z')
  assert.equal(momentOf('2028-02-29T23:59:59.5'), '2028-02-29T23:59:59.500Z')
  for (const text of ['2026-02-31 09:00', '2026-02-29T09:00', '2026-02-28 25:00', '2026-02-28', 'soon', ''])
    assert.equal(momentOf(text), undefined, text)
})
