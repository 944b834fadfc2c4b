import assert from 'node:assert/strict'
import { test } from 'node:test'
import Big from 'big.js'
import type { Interval } from '../../domain/catalogue/product.ts'
import { lineItemOf } from '../../domain/checkout/line-item.ts'
import { type Currency, digitsOf } from '../../domain/currency.ts'
import { add, type Amount, isLess, isZero, subtract } from '../../domain/money.ts'
import {
  changePlan,
  type Changed,
  type Changing,
  dueNow,
  type Proration,
} from '../../domain/subscription/plan-change.ts'
import { periodAt } from '../../domain/subscription/period.ts'
import { type Charged, prorate } from '../../domain/subscription/proration.ts'
import { type Plan, planOf } from '../../domain/subscription/subscription.ts'

const start = Date.parse('2027-04-01T00:00:00Z')
const nothing = { paid: [], returned: [] }
const period = { start, end: Date.parse('2027-05-01T00:00:00Z') }
const day = 86_400_000
const change = (charged: Charged, days: number, price: Amount, currency: 'USD' | 'NGN' | 'RWF' = 'USD') =>
  booked({ period, charged, at: start + days * day, price, currency })
/** What a change books, without what is paid then. */
function booked(wanted: Parameters<typeof prorate>[0]) {
  const { credit, charge, total } = prorate(wanted)
  return { credit, charge, total }
}

test('a change in the middle of a period credits half of the old price and charges half of the new one', () => {
  assert.deepEqual(change({ amount: '10.00', start }, 15, '30.00'), {
    credit: '-5.00',
    charge: '15.00',
    total: '10.00',
  })
  assert.deepEqual(change({ amount: '30.00', start }, 15, '10.00'), {
    credit: '-15.00',
    charge: '5.00',
    total: '-10.00',
  })
})

test('at the start of a period all of it is exchanged, and at its end nothing', () => {
  assert.deepEqual(change({ amount: '10.00', start }, 0, '30.00'), {
    credit: '-10.00',
    charge: '30.00',
    total: '20.00',
  })
  assert.deepEqual(change({ amount: '10.00', start }, 30, '30.00'), { credit: '0.00', charge: '0.00', total: '0.00' })
  assert.deepEqual(change({ amount: '10.00', start }, 31, '30.00'), { credit: '0.00', charge: '0.00', total: '0.00' })
})

test('the difference is rounded up, in currencies with and without decimals: nothing for the same price', () => {
  assert.deepEqual(change({ amount: '10.00', start }, 10, '10.00'), { credit: '-6.66', charge: '6.66', total: '0.00' })
  assert.deepEqual(change({ amount: '1000', start }, 10, '1000', 'RWF'), { credit: '-666', charge: '666', total: '0' })
  assert.deepEqual(change({ amount: '10.00', start }, 10, '15.00'), { credit: '-6.66', charge: '10.00', total: '3.34' })
  assert.deepEqual(change({ amount: '15.00', start }, 10, '10.00'), {
    credit: '-10.00',
    charge: '6.67',
    total: '-3.33',
  })
  assert.deepEqual(change({ amount: '1000', start }, 10, '0', 'RWF'), { credit: '-666', charge: '0', total: '-666' })
})

test('what is paid for the rest after a change is not rounded, and never less than its price or than nothing', () => {
  const paid = (amount: Amount, price: Amount) =>
    prorate({ period, charged: { amount, start }, at: start + 10 * day, price, currency: 'USD' }).paid
  assert.equal(paid('10.00', '10.00'), '6.666666666666666667')
  assert.equal(paid('10.00', '15.00'), '10.006666666666666667')
  assert.equal(paid('10.00', '0'), '0.006666666666666667')
  // A little less than 5.00, as a division has left it.
  assert.equal(paid('7.499999999999999999', '0'), '0')
})

test('a second that has begun is used', () => {
  const inHalfASecond = booked({
    period: { start, end: start + 10_000 },
    charged: { amount: '10.00', start },
    at: start + 500,
    price: '20.00',
    currency: 'USD',
  })
  assert.deepEqual(inHalfASecond, { credit: '-9.00', charge: '18.00', total: '9.00' })
})

/** How a subscription stands once a change is booked. */
const afterChange = (
  before: Changing,
  plan: Plan,
  { period: running, charged, credit, anchor }: Changed,
): Changing => ({
  ...before,
  plan,
  period: running,
  charged,
  credit,
  anchor: anchor ?? before.anchor,
})

/**
 * A subscription through its changes, with the real rules for each. `check` compares what was paid, less the credit
 * that is left, with the worth of the time that has passed and of the rest that is paid for.
 */
function lifeOf(first: Plan) {
  const { currency } = first
  const unit = new Big(10).pow(-digitsOf(currency))
  const charged = { amount: first.amount, start }
  let now: Changing = { status: 'active', plan: first, period, anchor: start, charged, ...nothing, credit: '0' }
  let [paid, at] = [first.amount, start]
  let used = new Big(0)
  /** The most that rounding may have added to what was paid for the time that has passed. */
  let added = new Big(0)
  const secondsLeft = () => (now.period.end - at) / 1_000
  const rest = () => new Big(now.plan.amount).times(secondsLeft()).div((now.period.end - now.period.start) / 1_000)

  return {
    paid: () => paid,
    secondsLeft,
    interval: () => now.plan.rhythm.interval,

    change(plan: Plan, seconds: number): void {
      if (seconds > 0) added = added.plus(unit.times(seconds).div(secondsLeft()))
      used = used.plus(rest())
      at += seconds * 1_000
      used = used.minus(rest())
      const changed = changePlan(now, plan, 'prorate', at)
      paid = subtract(add(paid, dueNow(changed)), subtract(changed.credit, now.credit))
      now = afterChange(now, plan, changed)
    },

    check(note: string): void {
      const tooMuch = new Big(paid).minus(used).minus(rest())
      const trifle = '0.000000001' // for the decimals that the sums here do not have
      assert.ok(tooMuch.gte(`-${trifle}`), `${note}: ${tooMuch.toFixed()} are not paid`)
      assert.ok(tooMuch.lte(added.plus(unit).plus(trifle)), `${note}: ${tooMuch.toFixed()} are paid too much`)
    },
  }
}

function planAt(amount: Amount, currency: Currency = 'USD', interval: Interval = 'month'): Plan {
  const offered = {
    product_id: 'prod_1',
    product_name: 'Plan',
    unit_amount: amount,
    currency,
    price_type: 'fixed',
    minimum_amount: null,
    maximum_amount: null,
    suggested_amount: null,
  } as const
  const item = lineItemOf(offered, { product_id: 'prod_1' })
  return planOf([item], currency, { interval, interval_count: 1, trial_days: 0 })
}

const middle = start + 15 * day
const costing = (amount: Amount, interval: Interval) => planAt(amount, 'USD', interval)

/** What changes of a plan that was paid on 1 April book in the middle of the month; the last change is first. */
const changedBy = (first: Plan, ...changes: [Proration, Plan][]): Changed[] =>
  changedIn({ anchor: start, index: 0, at: middle }, first, ...changes)

type Moment = { anchor: number; index: number; at: number }

/** What changes book at a moment in a period that was paid when it began; the last change is first. */
function changedIn({ anchor, index, at }: Moment, first: Plan, ...changes: [Proration, Plan][]): Changed[] {
  const running = periodAt(anchor, first.rhythm, index)
  const charged = { amount: first.amount, start: running.start }
  let now: Changing = { status: 'active', plan: first, period: running, anchor, charged, ...nothing, credit: '0' }
  const changed = changes.map(([proration, plan]) => {
    const booking = changePlan(now, plan, proration, at)
    now = afterChange(now, plan, booking)
    return booking
  })
  return changed.toReversed()
}

const kindsOf = (changed?: Changed) => changed?.lines.map(({ kind, line_total: total }) => `${kind} ${total}`)

test('the lines of a change say how many of the plan they are for', () => {
  const seats = (quantity: number): Plan => {
    const plan = costing('10', 'month')
    return { ...plan, lineItems: plan.lineItems.map((item) => ({ ...item, quantity })), amount: `${quantity * 10}.00` }
  }
  const [changed] = changedBy(seats(1), ['prorate', seats(3)])
  const names = changed?.lines.map((line) => line.product_name)
  assert.deepEqual(names, ['Unused time of Plan', 'Remaining time of 3 × Plan'])
})

test('the price of a year is none for the rest of a month: after a new rhythm unprorated, a period begins', () => {
  const yearly = costing('100', 'year')
  const [dearer] = changedBy(costing('10', 'month'), ['none', yearly], ['prorate', costing('200', 'year')])
  assert.deepEqual(kindsOf(dearer), ['unused -5.00', 'plan 200.00'])
  const year = { start: middle, end: Date.parse('2028-04-16T00:00:00Z') }
  assert.partialDeepStrictEqual(dearer, { period: year, anchor: middle, charged: { amount: '200' } })
  const monthly = (amount: Amount) => ['prorate', costing(amount, 'month')] as [Proration, Plan]
  const [again, cheaper] = changedBy(
    costing('120', 'year'),
    ['none', costing('10', 'month')],
    monthly('20'),
    monthly('40'),
  )
  // 351 of the 366 days are left.
  assert.deepEqual([kindsOf(cheaper), cheaper?.credit], [['unused -115.08', 'plan 20.00'], '95.08'])
  assert.equal(cheaper?.period.end, Date.parse('2027-05-16T00:00:00Z'))
  assert.deepEqual(kindsOf(again), ['unused -20.00', 'remaining 40.00'], 'from then on the period is one of the plan')
})

test('a new rhythm that is taken back unprorated, or is as long, leaves the period one of the plan', () => {
  for (const rhythm of [
    { interval: 'month', interval_count: 1 },
    { interval: 'day', interval_count: 30 },
  ] as const) {
    const [monthly, dearer] = [costing('10', 'month'), costing('30', 'month')]
    const [exchanged] = changedBy(
      monthly,
      ['none', costing('100', 'year')],
      ['none', { ...monthly, rhythm }],
      ['prorate', { ...dearer, rhythm }],
    )
    assert.deepEqual([kindsOf(exchanged), exchanged?.period], [['unused -5.00', 'remaining 15.00'], period])
  }
})

test('a new rhythm that is taken back in a period that the calendar has cut leaves that one of the plan too', () => {
  for (const [begun, index, span, at] of [
    ['2027-01-31', 0, '2027-01-31 2027-02-28', '2027-02-14'],
    ['2027-01-31', 1, '2027-02-28 2027-03-31', '2027-03-15T12:00:00Z'],
    ['2027-01-31', 3, '2027-04-30 2027-05-31', '2027-05-15T12:00:00Z'],
  ] as const) {
    const [exchanged] = changedIn(
      { anchor: Date.parse(begun), index, at: Date.parse(at) },
      costing('10', 'month'),
      ['none', costing('100', 'year')],
      ['none', costing('10', 'month')],
      ['prorate', costing('30', 'month')],
    )
    assert.deepEqual(kindsOf(exchanged), ['unused -5.00', 'remaining 15.00'], span)
    const [first, end] = span.split(' ').map((text) => Date.parse(text))
    assert.deepEqual(exchanged?.period, { start: first, end })
  }
})

test('nothing is used unpaid, however often a plan changes: each 40 minutes, and to a free plan and back', () => {
  for (const prices of [['10.00'], ['0', '10.00'], ['9.99', '0.01', '10.00']]) {
    const life = lifeOf(planAt('10.00'))
    for (let times = 1; times < 1_080; times++) {
      for (const [index, price] of prices.entries()) life.change(planAt(price), index === 0 ? 40 * 60 : 0)
      life.check(`${prices.join(', ')}, ${times} times`)
    }
    assert.ok(isLess(life.paid(), '10.10'), `${life.paid()} were paid`)
  }
})

test('of any changes of price and rhythm, what is paid is the worth of the time and at most what rounding adds', () => {
  for (const currency of ['USD', 'UGX'] as const) {
    for (let seed = 0; seed < 150; seed++) {
      const below = numbersBy(seed)
      const cents = () => (currency === 'USD' ? `.${String(below(100)).padStart(2, '0')}` : '')
      const price = () => (below(4) === 0 ? '0' : `${below(1_000)}${cents()}`)
      const life = lifeOf(planAt(price(), currency))
      for (let changes = below(12); changes > 0; changes--) {
        const interval = below(5) === 0 ? (['week', 'month', 'year'] as const)[below(3)] : undefined
        life.change(
          planAt(price(), currency, interval ?? life.interval()),
          below(Math.floor(life.secondsLeft() / 2) + 1),
        )
        life.check(`${currency}, seed ${seed}`)
      }
    }
  }
})

test('a change that is taken back within the same second gives back what it took and no more', () => {
  for (let seed = 0; seed < 300; seed++) {
    const below = numbersBy(seed)
    const price = () => `${below(100)}.${String(below(100)).padStart(2, '0')}`
    let charged: Charged = { amount: price(), start }
    let before = charged.amount
    for (let at = start, changes = below(12); changes > 0; changes--) {
      at += below((period.end - at) / 2 + 1)
      const wanted = price()
      // What rounding adds is not given back at once: the price is the same as before.
      const same = prorate({ period, charged, at, price: before, currency: 'USD' })
      assert.ok(isZero(same.total), `seed ${seed}`)
      const there = prorate({ period, charged, at, price: wanted, currency: 'USD' })
      const back = prorate({ period, charged: { amount: there.paid, start: at }, at, price: before, currency: 'USD' })
      assert.ok(isZero(add(there.total, back.total)), `seed ${seed}`)
      charged = { amount: there.paid, start: at }
      before = wanted
    }
  }
})

/** Small whole numbers by a seed (mulberry32). */
function numbersBy(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
