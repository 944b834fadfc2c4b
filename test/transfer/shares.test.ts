import assert from 'node:assert/strict'
import { test } from 'node:test'
import Big from 'big.js'
import * as fc from 'fast-check'
import { splitOfPart } from '../../domain/checkout/split.ts'
import { currencyCodes, digitsOf } from '../../domain/currency.ts'
import {
  leftOf,
  platformFeeStatusOf,
  shareDueBack,
  shareOfPart,
  transferStatusOf,
} from '../../domain/transfer/transfer.ts'

/** A sale in the currency's smallest units: what settled, the share of it, and the parts in which it is refunded. */
const split = fc.record({
  currency: fc.constantFrom(...currencyCodes),
  whole: fc.integer({ min: 1, max: 10 ** 9 }),
  sharePart: fc.double({ min: 0, max: 1, noNaN: true }),
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
})

type Returned = { byDispute: boolean; part: number }

/** Refunds of at most what settled, disputes of at most what was paid, and together no more than what was paid. */
const returned = fc.record({
  currency: fc.constantFrom(...currencyCodes),
  settled: fc.integer({ min: 1, max: 10 ** 9 }),
  fee: fc.nat(10 ** 8),
  sharePart: fc.double({ min: 0.001, max: 1, noNaN: true }),
  wishes: fc.array(fc.record({ byDispute: fc.boolean(), part: fc.double({ min: 0, max: 1, noNaN: true }) }), {
    maxLength: 8,
  }),
})

/** The returns that are possible one after another, in smallest units; the last one takes all that is left. */
function returnsOf({ settled, fee, wishes }: typeof returned extends fc.Arbitrary<infer T> ? T : never): Returned[] {
  let [claimed, disputed] = [0, 0]
  return [...wishes, { byDispute: true, part: 1 }].map(({ byDispute, part }) => {
    const left = settled + fee - claimed - disputed
    const most = byDispute ? left : Math.min(left, settled - claimed)
    const taken = Math.floor(most * part)
    if (byDispute) disputed += taken
    else claimed += taken
    return { byDispute, part: taken }
  })
}

test('once refunds and disputes have returned all of a sale, all of its share is due back, and never more', () => {
  fc.assert(
    fc.property(returned, (sale) => {
      const money = (units: number) => new Big(units).div(new Big(10).pow(digitsOf(sale.currency))).toFixed()
      const { settled, fee, currency } = sale
      const share = { amount: money(Math.ceil(settled * sale.sharePart)), currency }
      const parts = returnsOf(sale).map(({ byDispute, part }) => ({
        part: money(part),
        whole: money(byDispute ? settled + fee : settled),
      }))
      let due = new Big(0)
      for (const count of parts.keys()) {
        const next = new Big(shareDueBack(share, '0', parts.slice(0, count + 1)))
        assert.ok(next.gte(due) && next.lte(share.amount), `${next.toFixed()} after ${due.toFixed()}`)
        due = next
      }
      assert.equal(due.toFixed(), new Big(share.amount).toFixed())
      assert.equal(shareDueBack(share, '0', parts.toReversed()), new Big(share.amount).toFixed())
    }),
    { numRuns: 500 },
  )
})

test('what calls have reversed is due back beside the parts of returns, up to the whole share', () => {
  const [share, half] = [
    { amount: '70.00', currency: 'USD' as const },
    { part: '48.40', whole: '96.80' },
  ]
  assert.equal(shareDueBack(share, '10', [half]), '45')
  assert.equal(shareDueBack(share, '50', [half]), '70.00')
  assert.equal(shareDueBack(share, '50', []), '50')
})

test('of a part of a sale no more is promised than has settled, and the platform has what rounding leaves over', () => {
  fc.assert(
    fc.property(split, ({ currency, whole, sharePart, cuts }) => {
      const money = (units: number) => new Big(units).div(new Big(10).pow(digitsOf(currency))).toFixed()
      const part = money(Math.floor(whole * (cuts[0] ?? 0.5)))
      const promised = money(Math.ceil(whole * sharePart))
      const of = { part, whole: money(whole) }
      const [fee, transfer] = [
        splitOfPart(promised, 'platform_fee', of, currency),
        splitOfPart(promised, 'transfer', of, currency),
      ]
      const exact = new Big(promised).times(part).div(money(whole))
      assert.ok(new Big(fee).lte(part) && new Big(fee).gte(exact.round(12)), `${fee} of ${part}`)
      assert.ok(new Big(transfer).lte(exact))
      assert.ok(new Big(fee).minus(transfer).lte(money(1)))
    }),
    { numRuns: 500 },
  )
})

test('a transfer is succeeded, partially_reversed or reversed', () => {
  const statusAt = (reversedAmount: string) => transferStatusOf({ amount: '10.00', reversedAmount })
  assert.deepEqual(['0', '0.01', '10'].map(statusAt), ['succeeded', 'partially_reversed', 'reversed'])
})

test('a platform fee is succeeded, partially_refunded or refunded, and what is left of it can still go back', () => {
  const fee = (reversedAmount: string) => platformFeeStatusOf({ amount: '10.00', reversedAmount })
  assert.deepEqual(['0', '0.01', '9.99', '10'].map(fee), [
    'succeeded',
    'partially_refunded',
    'partially_refunded',
    'refunded',
  ])
  assert.equal(leftOf({ amount: '10.00', reversedAmount: '2.5' }), '7.5')
  assert.equal(shareOfPart({ amount: '10.00', currency: 'USD' }, { part: '1', whole: '3' }), '3.33')
  assert.equal(shareOfPart({ amount: '10.00', currency: 'USD' }, { part: '2', whole: '3' }), '6.67')
})
