import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairQueue, type DispatchBatch } from '../../engine/fair-queue.ts'

let ids = 0n
function newsOf(resourceId: string, { isSwept = false, accountId = 'acct_1', forMs = 60_000 } = {}): DispatchBatch {
  const about = { accountId, environment: 'sandbox', status: 'pending', waitingOn: 'receiver', summary: 'one' }
  const row = { id: ++ids, process: 'webhook-delivery', resourceId, about, signal: null, attempts: 0 } as const
  return { rows: [row], kind: 'webhooks/begin', isSwept, oursUntil: performance.now() + forMs }
}

/** What is told, in its order, until nothing may go any more. */
function tellAll(turns: ReturnType<typeof createFairQueue>): string[] {
  const told: string[] = []
  for (let news = turns.next(() => true); news; news = turns.next(() => true)) told.push(news.rows[0].resourceId)
  return told
}

test('what a sweep has found is older, and is told before what was committed since, in its order', () => {
  const turns = createFairQueue()
  for (const id of ['new 1', 'new 2']) turns.add(newsOf(id))
  for (const id of ['old 1', 'old 2']) turns.add(newsOf(id, { isSwept: true }))
  turns.add(newsOf('old 0', { isSwept: true }), 'first')
  assert.deepEqual([turns.count(), turns.swept('webhooks/begin')], [5, 3])
  assert.deepEqual(tellAll(turns), ['old 0', 'old 1', 'old 2', 'new 1', 'new 2'])
  assert.deepEqual([turns.count(), turns.swept('webhooks/begin')], [0, 0])
})

test('merchants take turns whoever has more, and what is too old is dropped', () => {
  const turns = createFairQueue()
  for (const n of [1, 2, 3]) turns.add(newsOf(`busy ${n}`, { isSwept: true }))
  turns.add(newsOf('late', { accountId: 'acct_2', forMs: -1 }))
  turns.add(newsOf('calm', { accountId: 'acct_2' }))
  turns.add(newsOf('gone', { accountId: 'acct_3', forMs: -1 }))
  assert.deepEqual(tellAll(turns), ['busy 1', 'calm', 'busy 2', 'busy 3'])
  assert.equal(turns.count(), 0)
})

test('what may not go now keeps its place, and lets others pass', () => {
  const turns = createFairQueue()
  turns.add(newsOf('held'))
  turns.add(newsOf('free', { accountId: 'acct_2' }))
  assert.equal(turns.next(({ rows: [row] }) => row.resourceId !== 'held')?.rows[0].resourceId, 'free')
  assert.equal(
    turns.next(() => false),
    undefined,
  )
  assert.deepEqual(tellAll(turns), ['held'])
})
