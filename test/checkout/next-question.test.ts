import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dueOrLast } from '../../activities/checkout/next-question.ts'
import type { Checkout } from '../../db/checkout/checkout.ts'
import { lateMoneyMs } from '../../domain/checkout/checkout.ts'

const expiresAt = new Date('2026-11-29T12:00:00Z')
const tooLateAt = expiresAt.getTime() + lateMoneyMs
const minute = 60_000
const due = (dueAt: number, at: number) => dueOrLast({ expiresAt } as Checkout, dueAt, at)?.getTime() ?? null

test('the last question about late money is a minute before its end, and none is asked from that on', () => {
  assert.equal(due(tooLateAt - 2 * minute, tooLateAt - 10 * minute), tooLateAt - 2 * minute)
  assert.equal(due(tooLateAt + 600 * minute, tooLateAt - 10 * minute), tooLateAt - minute)
  assert.equal(
    due(tooLateAt - 20_000, tooLateAt - 50_000),
    tooLateAt - 20_000,
    'news that the rail announces meanwhile',
  )
  assert.equal(due(tooLateAt, tooLateAt - 50_000), null)
})
