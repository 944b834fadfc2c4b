import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Rhythm } from '../../domain/subscription/period.ts'
import { boundaryAt, isPeriodOf, periodAt, periodIndexOf } from '../../domain/subscription/period.ts'

const every = (interval: Rhythm['interval'], interval_count = 1): Rhythm => ({ interval, interval_count })
const at = (day: string) => Date.parse(`${day}T09:30:15.250Z`)
const dayOf = (ms: number) => {
  const [day, time] = new Date(ms).toISOString().split('T')
  assert.equal(time, '09:30:15.250Z', 'the time of day stays')
  return day
}
const boundaries = (begun: string, rhythm: Rhythm, count: number) =>
  Array.from({ length: count }, (_, index) => dayOf(boundaryAt(at(begun), rhythm, index))).join(' ')

// Written by hand from a calendar.
const table: [begun: string, rhythm: Rhythm, expected: string][] = [
  ['2027-01-28', every('month'), '2027-01-28 2027-02-28 2027-03-28 2027-04-28'],
  ['2027-01-29', every('month'), '2027-01-29 2027-02-28 2027-03-29 2027-04-29'],
  ['2028-01-29', every('month'), '2028-01-29 2028-02-29 2028-03-29 2028-04-29'],
  ['2028-01-30', every('month'), '2028-01-30 2028-02-29 2028-03-30 2028-04-30'],
  [
    '2027-01-31',
    every('month'),
    '2027-01-31 2027-02-28 2027-03-31 2027-04-30 2027-05-31 2027-06-30 2027-07-31 2027-08-31',
  ],
  ['2027-10-31', every('month'), '2027-10-31 2027-11-30 2027-12-31 2028-01-31 2028-02-29 2028-03-31'],
  ['2027-11-30', every('month', 3), '2027-11-30 2028-02-29 2028-05-30 2028-08-30 2028-11-30 2029-02-28'],
  ['2028-02-29', every('year'), '2028-02-29 2029-02-28 2030-02-28 2031-02-28 2032-02-29'],
  ['2027-12-27', every('week'), '2027-12-27 2028-01-03 2028-01-10'],
  ['2028-02-21', every('week', 2), '2028-02-21 2028-03-06 2028-03-20'],
  ['2028-02-28', every('day'), '2028-02-28 2028-02-29 2028-03-01'],
  ['2027-12-31', every('day', 45), '2027-12-31 2028-02-14 2028-03-30'],
]
for (const [begun, rhythm, expected] of table) {
  test(`begun on ${begun}, every ${rhythm.interval_count} ${rhythm.interval}: renews on ${expected}`, () => {
    assert.equal(boundaries(begun, rhythm, expected.split(' ').length), expected)
  })
}

test('the periods of fifty years follow one another without a gap, and each moment belongs to one of them', () => {
  for (const [begun, rhythm] of table) {
    const anchor = at(begun)
    for (let index = 0; index < 600; index++) {
      const period = periodAt(anchor, rhythm, index)
      assert.ok(period.start < period.end)
      assert.equal(period.end, periodAt(anchor, rhythm, index + 1).start)
      for (const [moment, expected] of [
        [period.start, index],
        [(period.start + period.end) / 2, index],
        [period.end - 1, index],
        [period.end, index + 1],
      ] as const)
        assert.equal(periodIndexOf(anchor, rhythm, moment), expected, `${begun} ${index}`)
    }
  }
  assert.throws(() => periodIndexOf(at('2027-01-01'), every('day'), at('2026-12-31')), /before the first/)
})

test('each period of fifty years is one of its rhythm, where the calendar cuts it too, and of no longer one', () => {
  for (const [begun, rhythm] of table) {
    const longer = { ...rhythm, interval_count: rhythm.interval_count + 1 }
    for (let index = 0; index < 600; index++) {
      const period = periodAt(at(begun), rhythm, index)
      assert.deepEqual([isPeriodOf(period, rhythm), isPeriodOf(period, longer)], [true, false], `${begun} ${index}`)
    }
  }
})
