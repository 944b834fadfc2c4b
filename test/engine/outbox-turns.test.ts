import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairQueue, type DispatchBatch } from '../../engine/fair-queue.ts'

let ids = 0n
function batchOf(resourceId: string, { isSwept = false, accountId = 'acct_1', forMs = 60_000 } = {}): DispatchBatch {
  const about = { accountId, environment: 'sandbox', status: 'pending', waitingOn: 'receiver', summary: 'one' }
  const row = { id: ++ids, process: 'webhook-delivery', resourceId, about, signal: null, attempts: 0 } as const
  return { rows: [row], kind: 'webhooks/begin', isSwept, oursUntil: performance.now() + forMs }
}

/** What the queue gives out, in order, until nothing is left that may go. */
function takeAll(turns: ReturnType<typeof createFairQueue>): string[] {
  const taken: string[] = []
  for (let batch = turns.next(() => true); batch; batch = turns.next(() => true)) taken.push(batch.rows[0].resourceId)
  return taken
}

test('swept rows are older, so they go before newly committed ones, in their order', () => {
  const turns = createFairQueue()
  for (const id of ['new 1', 'new 2']) turns.add(batchOf(id))
  for (const id of ['old 1', 'old 2']) turns.add(batchOf(id, { isSwept: true }))
  turns.add(batchOf('old 0', { isSwept: true }), 'first')
  assert.deepEqual([turns.count(), turns.swept('webhooks/begin')], [5, 3])
  assert.deepEqual(takeAll(turns), ['old 0', 'old 1', 'old 2', 'new 1', 'new 2'])
  assert.deepEqual([turns.count(), turns.swept('webhooks/begin')], [0, 0])
})

test('merchants take turns, however much each has, and expired batches are dropped', () => {
  const turns = createFairQueue()
  for (const n of [1, 2, 3]) turns.add(batchOf(`busy ${n}`, { isSwept: true }))
  turns.add(batchOf('late', { accountId: 'acct_2', forMs: -1 }))
  turns.add(batchOf('calm', { accountId: 'acct_2' }))
  turns.add(batchOf('gone', { accountId: 'acct_3', forMs: -1 }))
  assert.deepEqual(takeAll(turns), ['busy 1', 'calm', 'busy 2', 'busy 3'])
  assert.equal(turns.count(), 0)
})

test('a batch that may not go now keeps its place, and others pass it', () => {
  const turns = createFairQueue()
  turns.add(batchOf('held'))
  turns.add(batchOf('free', { accountId: 'acct_2' }))
  assert.equal(turns.next(({ rows: [row] }) => row.resourceId !== 'held')?.rows[0].resourceId, 'free')
  assert.equal(
    turns.next(() => false),
    undefined,
  )
  assert.deepEqual(takeAll(turns), ['held'])
})
