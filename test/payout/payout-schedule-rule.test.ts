import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { add, format, isLess, isZero } from '../../domain/money.ts'
import { feeOf, mostPayable } from '../../domain/payout/fee.ts'
import { nextRunAt, payoutIntervals, isWorthRun, type ScheduleTiming, weekdays } from '../../domain/payout/schedule.ts'

const hour = 3_600_000
const year = 365 * 24 * hour
const manual: ScheduleTiming = { interval: 'manual', weeklyPayoutDays: [], monthlyPayoutDays: [], anchorHourUtc: 0 }
const weekly = (weeklyPayoutDays: ScheduleTiming['weeklyPayoutDays'], anchorHourUtc = 0): ScheduleTiming => ({
  ...manual,
  interval: 'weekly',
  weeklyPayoutDays,
  anchorHourUtc,
})
const monthly = (monthlyPayoutDays: number[], anchorHourUtc = 0): ScheduleTiming => ({
  ...manual,
  interval: 'monthly',
  monthlyPayoutDays,
  anchorHourUtc,
})

/** The runs after a moment, as text: `2028-02-29 06`. */
function runsFrom(rhythm: ScheduleTiming, from: string, count: number): string[] {
  const runs: string[] = []
  for (let at = nextRunAt(rhythm, Date.parse(from)); at !== null && runs.length < count; at = nextRunAt(rhythm, at)) {
    runs.push(new Date(at).toISOString().slice(0, 13).replace('T', ' '))
  }
  return runs
}

test('month days after a month’s last day mean its last day, in leap years too, and a day has one run', () => {
  assert.deepEqual(runsFrom(monthly([31], 6), '2027-01-31T06:00:00Z', 14), [
    '2027-02-28 06',
    '2027-03-31 06',
    '2027-04-30 06',
    '2027-05-31 06',
    '2027-06-30 06',
    '2027-07-31 06',
    '2027-08-31 06',
    '2027-09-30 06',
    '2027-10-31 06',
    '2027-11-30 06',
    '2027-12-31 06',
    '2028-01-31 06',
    '2028-02-29 06',
    '2028-03-31 06',
  ])
  assert.deepEqual(runsFrom(monthly([28, 29, 30, 31]), '2027-02-01T00:00:00Z', 2), ['2027-02-28 00', '2027-03-28 00'])
  assert.deepEqual(runsFrom(monthly([30, 31]), '2028-02-01T00:00:00Z', 5), [
    '2028-02-29 00',
    '2028-03-30 00',
    '2028-03-31 00',
    '2028-04-30 00',
    '2028-05-30 00',
  ])
  assert.deepEqual(runsFrom(monthly([29]), '2100-02-01T00:00:00Z', 1), ['2100-02-28 00'], 'no leap year')
  assert.deepEqual(runsFrom(monthly([29]), '2400-02-01T00:00:00Z', 1), ['2400-02-29 00'], 'a leap year')
})

test('the next run is strictly after the given moment, at the anchor hour', () => {
  const monday = '2026-11-23'
  const at = (text: string, days: ScheduleTiming['weeklyPayoutDays'] = ['monday']) =>
    runsFrom(weekly(days, 9), text, 1)[0]
  assert.equal(at(`${monday}T08:59:59.999Z`), `${monday} 09`)
  assert.equal(at(`${monday}T09:00:00.000Z`), '2026-11-30 09')
  assert.equal(at(`${monday}T09:00:00.000Z`, ['sunday', 'monday', 'wednesday']), '2026-11-25 09')
  assert.deepEqual(runsFrom({ ...manual, interval: 'daily', anchorHourUtc: 23 }, '2028-02-28T22:59:59Z', 3), [
    '2028-02-28 23',
    '2028-02-29 23',
    '2028-03-01 23',
  ])
  assert.equal(nextRunAt(manual, Date.parse(monday)), null)
})

const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const isLeap = (of: number) => (of % 4 === 0 && of % 100 !== 0) || of % 400 === 0

/** The same rule in another way: it checks every hour, by a calendar counted from 1 January 1970, a Thursday. */
function slowNextRunAt(
  { interval, weeklyPayoutDays, monthlyPayoutDays, anchorHourUtc }: ScheduleTiming,
  after: number,
) {
  const date = { year: 1970, month: 0, day: 1, weekday: 3 }
  for (let midnight = 0; ; midnight += 24 * hour) {
    const length = (lengths[date.month] ?? 0) + (date.month === 1 && isLeap(date.year) ? 1 : 0)
    const isDay =
      interval === 'daily' ||
      (interval === 'weekly' && weeklyPayoutDays.includes(weekdays[date.weekday] ?? 'monday')) ||
      (interval === 'monthly' && monthlyPayoutDays.map((day) => (day > length ? length : day)).includes(date.day))
    for (let clock = 0; isDay && clock < 24; clock++) {
      const at = midnight + clock * hour
      if (clock === anchorHourUtc && at > after) return at
    }
    date.weekday = (date.weekday + 1) % 7
    date.day++
    if (date.day > length) Object.assign(date, { day: 1, month: date.month + 1 })
    if (date.month === 12) Object.assign(date, { month: 0, year: date.year + 1 })
  }
}

const rhythm = fc.record({
  interval: fc.constantFrom(...payoutIntervals.filter((interval) => interval !== 'manual')),
  weeklyPayoutDays: fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 }),
  monthlyPayoutDays: fc.uniqueArray(fc.oneof(fc.integer({ min: 1, max: 31 }), fc.integer({ min: 28, max: 31 })), {
    minLength: 1,
  }),
  anchorHourUtc: fc.integer({ min: 0, max: 23 }),
})
/** A moment of 2026 to 2106, which include 2100 without a leap day; often exactly on the hour. */
const moment = fc
  .tuple(fc.integer({ min: 56 * year, max: 136 * year }), fc.boolean())
  .map(([at, isWhole]) => (isWhole ? Math.floor(at / hour) * hour : at))

test('the rule agrees with the slow one for any schedule and moment', () => {
  fc.assert(
    fc.property(rhythm, moment, (each, after) => assert.equal(nextRunAt(each, after), slowNextRunAt(each, after))),
    { numRuns: 400 },
  )
})

test('the next run is at most 31 days away, on the hour, and no run is missed before it', () => {
  fc.assert(
    fc.property(rhythm, moment, fc.double({ min: 0, max: 1, noNaN: true }), (each, after, part) => {
      const at = nextRunAt(each, after) ?? 0
      assert.ok(at > after && at - after <= 31 * 24 * hour)
      assert.equal(at % hour, 0)
      assert.equal(nextRunAt(each, after + Math.floor((at - 1 - after) * part)), at)
    }),
  )
})

test('an empty balance is not paid out, and any other one is if it reaches the minimum', () => {
  const cases = [
    ['0', '0'],
    ['0.00', '10.00'],
    ['9.99', '10.00'],
    ['10', '10.00'],
    ['0.01', '0'],
  ] as const
  assert.deepEqual(
    cases.map(([available, minimum]) => isWorthRun(available, minimum)),
    [false, false, false, true, true],
  )
})

const ways = [
  { type: 'bank_account', currency: 'NGN', scheme: null, sourceCurrency: 'NGN' },
  { type: 'mobile_money', currency: 'KES', scheme: null, sourceCurrency: 'KES' },
  { type: 'bank_account', currency: 'UGX', scheme: null, sourceCurrency: 'UGX' },
  { type: 'bank_account', currency: 'USD', scheme: 'ach', sourceCurrency: 'USD' },
  { type: 'bank_account', currency: 'USD', scheme: 'wire', sourceCurrency: 'USD' },
] as const

test('the most that can be paid fits the balance with its fee, and the smallest amount more does not', () => {
  const edges = fc.integer({ min: 4_990_000, max: 5_010_000 }) // where the fee of NGN steps up
  fc.assert(
    fc.property(fc.constantFrom(...ways), fc.oneof(edges, fc.integer({ min: 0, max: 10_000_000 })), (way, minor) => {
      const [available, least] = way.sourceCurrency === 'UGX' ? [String(minor), '1'] : [hundredths(minor), '0.01']
      const most = mostPayable(way, available)
      assert.equal(most, format(most, way.sourceCurrency))
      const debited = add(most, feeOf(way, most))
      assert.ok(isZero(most) || !isLess(available, debited), `${debited} of ${available}`)
      const more = add(most, least)
      assert.ok(isLess(available, add(more, feeOf(way, more))), `${more} of ${available} could be paid`)
    }),
  )
  assert.equal(mostPayable(ways[0], '50024.99'), '49999.99')
  assert.equal(mostPayable(ways[0], '50030.00'), '50000.00', '5.00 stay: one more would cost 25.00 more')
  assert.equal(mostPayable(ways[0], '50051.00'), '50001.00')
  assert.equal(mostPayable(ways[0], '25.00'), '0.00')
})

const hundredths = (minor: number) => String(minor).padStart(3, '0').replace(/(..)$/, '.$1')
