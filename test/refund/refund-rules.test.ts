import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corridorKeys } from '../../domain/corridor.ts'
import { moveRefund, refundableCorridors, type RefundStatus, refundStatuses } from '../../domain/refund.ts'
import { Refusal } from '../../domain/refusal.ts'

// The rules of refunds, tested without a running service.
test('every corridor has a refund fee', () => {
  assert.deepEqual(
    corridorKeys.filter((key) => !refundableCorridors.includes(key)),
    [],
  )
})

test('a refund allows the contract’s transitions, never back, except that a returned one fails', () => {
  const legal = ['pending processing', 'pending failed', 'processing succeeded', 'processing failed']
  legal.push('succeeded failed') // docs/decisions/0015-what-a-refund-takes.md
  const moves = (from: RefundStatus, to: RefundStatus) => {
    const row = { status: from }
    moveRefund(row, to)
    assert.equal(row.status, to)
  }
  for (const from of refundStatuses) {
    for (const to of refundStatuses) {
      if (legal.includes(`${from} ${to}`)) moves(from, to)
      else assert.throws(() => moves(from, to), Refusal)
    }
  }
})
