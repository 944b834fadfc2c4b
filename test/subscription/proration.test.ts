import assert from 'node:assert/strict'
import { test } from 'node:test'
import { add, type Amount, isLess, isZero } from '../../domain/money.ts'
import { type Charged, prorate } from '../../domain/subscription/proration.ts'

const start = Date.parse('2027-04-01T00:00:00Z')
const period = { start, end: Date.parse('2027-05-01T00:00:00Z') }
const day = 86_400_000
const change = (charged: Charged, days: number, price: Amount, currency: 'USD' | 'NGN' | 'RWF' = 'USD') =>
  prorate({ period, charged, at: start + days * day, price, currency })

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

test('what rounding leaves over is the platform’s, in currencies with and without decimals', () => {
  assert.deepEqual(change({ amount: '10.00', start }, 10, '10.00'), { credit: '-6.67', charge: '6.66', total: '-0.01' })
  assert.deepEqual(change({ amount: '1000', start }, 10, '1000', 'RWF'), { credit: '-667', charge: '666', total: '-1' })
})

test('a second that has begun is used', () => {
  const inHalfASecond = prorate({
    period: { start, end: start + 10_000 },
    charged: { amount: '10.00', start },
    at: start + 500,
    price: '20.00',
    currency: 'USD',
  })
  assert.deepEqual(inHalfASecond, { credit: '-9.00', charge: '18.00', total: '9.00' })
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

test('however often a plan changes, a period costs at most its dearest price; back and forth gains nothing', () => {
  for (let seed = 0; seed < 500; seed++) {
    const below = numbersBy(seed)
    const price = () => `${below(100)}.${String(below(100)).padStart(2, '0')}`
    const first = price()
    let [paid, dearest] = [first, first]
    let charged: Charged = { amount: first, start }
    for (let at = start, changes = below(12); changes > 0; changes--) {
      at += below((period.end - at) / 2 + 1)
      const wanted = price()
      const { charge, total } = prorate({ period, charged, at, price: wanted, currency: 'USD' })
      paid = add(paid, total)
      if (isLess(dearest, wanted)) dearest = wanted
      const before = charged
      charged = { amount: charge, start: at }
      // Taken back within the same second, the new charge is credited in full.
      const back = prorate({ period, charged, at, price: before.amount, currency: 'USD' })
      assert.ok(isZero(add(charge, back.credit)), `seed ${seed}`)
    }
    assert.ok(!isLess(dearest, paid), `seed ${seed}: ${paid} for at most ${dearest}`)
  }
})
