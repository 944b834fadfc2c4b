import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chargeLeft } from '../../domain/subscription/proration.ts'
import {
  addWithheld,
  type Return,
  settleWithheld,
  uncountedOf,
  type Withheld,
} from '../../domain/subscription/returns.ts'

// What refunds and disputes have returned of a charge, and what changes of a plan have withheld because of them.

test('a refund returns as much for each second of its period, of a charge its own seconds, and never more', () => {
  const charge = { amount: '10.00', start: 15 }
  const [whole, half, longer] = [
    { start: 0, end: 30_000 },
    { start: 15_000, end: 30_000 },
    { start: 0, end: 60_000 },
  ]
  const left = (...returned: [string, typeof whole][]) =>
    chargeLeft(
      { ...charge, start: 15_000 },
      whole.end,
      returned.map(([amount, period], index) => ({
        id: `ref_${index}`,
        paymentId: 'pay_1',
        amount,
        part: '1',
        period,
      })),
    ).amount
  assert.equal(left(), '10')
  assert.equal(left(['10.00', whole]), '5')
  assert.equal(left(['4.00', half]), '6')
  assert.equal(left(['10.00', whole], ['9.00', half]), '0')
  assert.equal(left(['10.00', longer]), '7.5', 'the charge ends before the period that was refunded')
})

/** Returns of one payment: the ids of those that stand, and of those that do not, with their parts. */
const returnsOf = (standing: Record<string, string>, undone: Record<string, string>): Return[] =>
  [...Object.entries(undone), ...Object.entries(standing)].map(([id, part]) => ({
    id,
    paymentId: 'pay_1',
    part,
    stands: id in standing,
  }))

/** What is withheld and what becomes credit, without the payments that it came from. */
function settle(before: Withheld, returns: Return[]) {
  const { credit, withheld } = settleWithheld(before, returns, 'USD')
  return { credit, withheld }
}

test('what is withheld because of a failed refund is credit, but for what others of its payment return instead', () => {
  const withheld = { A: '10.00', 'A/part': '1' }
  const after = (standing: Record<string, string>) => settle(withheld, returnsOf(standing, { A: '1' }))
  assert.deepEqual(after({}), { credit: '10.00', withheld: {} })
  assert.deepEqual(after({ C: '0.25' }), { credit: '7.50', withheld: { C: '2.50', 'C/part': '0.25' } })
  assert.deepEqual(after({ C: '1' }), { credit: '0.00', withheld: { C: '10.00', 'C/part': '1' } })
})

test('of a refund that takes the place of a smaller one, the rest is left for the next change of the plan', () => {
  const withheld = { A: '2.00', 'A/part': '0.2' }
  const settled = settle(withheld, returnsOf({ C: '1' }, { A: '0.2' }))
  assert.deepEqual(settled, { credit: '0.00', withheld: { C: '2.00', 'C/part': '0.2' } })
  const after = addWithheld(settled.withheld, { C: '8.00', 'C/part': '0.8' })
  assert.deepEqual(after, { C: '10', 'C/part': '1' })
  const undone = settle(after, returnsOf({}, { A: '0.2', C: '1' }))
  assert.deepEqual(undone, { credit: '10.00', withheld: {} })
})

test('refunds that fail one after the other, or at once, leave the same credit', () => {
  const withheld = { A: '3.00', 'A/part': '0.3', B: '3.00', 'B/part': '0.3' }
  const atOnce = settle(withheld, returnsOf({ C: '0.7' }, { A: '0.3', B: '0.3' }))
  const first = settle(withheld, returnsOf({ B: '0.3', C: '0.7' }, { A: '0.3' }))
  const second = settle(first.withheld, returnsOf({ C: '0.7' }, { A: '0.3', B: '0.3' }))
  assert.deepEqual([first.credit, second.credit, atOnce.credit], ['0.00', '0.00', '0.00'])
  assert.deepEqual(second.withheld, atOnce.withheld)
})

test('a dispute that was won had returned the part that was counted, without the fee beside a refund', () => {
  const withheld = { R: '5.00', 'R/part': '0.5', D: '5.00', 'D/part': '0.5' }
  const settled = settle(withheld, returnsOf({ R: '0.5', C: '0.5' }, { D: '0.52' }))
  assert.deepEqual(settled, { credit: '0.00', withheld: { R: '5.00', 'R/part': '0.5', C: '5.00', 'C/part': '0.5' } })
})

test('of what was withheld before its part was noted, all counts as counted', () => {
  const after = (standing: Record<string, string>) =>
    settle({ A: '3.00', B: '4.00' }, returnsOf(standing, { A: '0.3' }))
  assert.deepEqual(after({ B: '0.4' }), { credit: '3.00', withheld: { B: '4.00' } })
  assert.deepEqual(after({ B: '0.4', C: '0.3' }), {
    credit: '0.00',
    withheld: { B: '4.00', C: '3.00', 'C/part': '0.3' },
  })
})

/** The parts that are not counted yet, by the id of the return. */
const uncounted = (withheld: Withheld, returns: Return[]) =>
  Object.fromEntries(uncountedOf(returns, withheld).map(({ id, part }) => [id, part]))

test('what has been counted counts, although a later surplus has moved its part to another refund', () => {
  const withheld = { A: '3.00', 'A/part': '0.3' }
  assert.deepEqual(uncounted(withheld, returnsOf({ A: '0', B: '0.3' }, {})), {})
  assert.deepEqual(uncounted(withheld, returnsOf({ A: '0.1', B: '0.2' }, {})), {})
  assert.deepEqual(uncounted(withheld, returnsOf({ A: '0', B: '0.5' }, {})), { B: '0.2' })
  assert.deepEqual(uncounted(withheld, returnsOf({ A: '0.3', B: '0.9' }, {})), { B: '0.7' }, 'no more than all')
})

test('a refund takes the place of a failed one only as far as more than what is counted has been returned', () => {
  const withheld = { A: '3.00', 'A/part': '0.3', F: '2.00', 'F/part': '0.2' }
  const settled = settle(withheld, returnsOf({ A: '0', B: '0.4' }, { F: '0.2' }))
  assert.deepEqual(settled.credit, '1.00')
  assert.deepEqual(settled.withheld, { A: '3.00', 'A/part': '0.3', B: '1.00', 'B/part': '0.1' })
})
