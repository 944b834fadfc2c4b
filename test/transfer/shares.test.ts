import assert from 'node:assert/strict'
import { test } from 'node:test'
import Big from 'big.js'
import * as fc from 'fast-check'
import { splitOfPart } from '../../domain/checkout/split.ts'
import { currencyCodes, digitsOf } from '../../domain/currency.ts'
import { shareOfReturn, transferStatusOf } from '../../domain/transfer/transfer.ts'

/** A sale in the currency's smallest units: what settled, the share of it, and the parts in which it is refunded. */
const split = fc.record({
  currency: fc.constantFrom(...currencyCodes),
  whole: fc.integer({ min: 1, max: 10 ** 9 }),
  sharePart: fc.double({ min: 0, max: 1, noNaN: true }),
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 }),
})

test('however a sale is refunded in parts, all of its share goes back, and no part of it is more than is left', () => {
  fc.assert(
    fc.property(split, ({ currency, whole, sharePart, cuts }) => {
      const money = (units: number) => new Big(units).div(new Big(10).pow(digitsOf(currency))).toFixed()
      const share = Math.ceil(whole * sharePart)
      const ends = [...cuts.map((cut) => Math.floor(whole * cut)), whole].toSorted((one, other) => one - other)
      let back = new Big(0)
      let before = 0
      for (const end of ends) {
        const parts = { before: money(before), now: money(end - before), whole: money(whole) }
        const part = shareOfReturn(money(share), parts, currency)
        assert.ok(new Big(part).gte(0))
        back = back.plus(part)
        assert.ok(back.lte(money(share)))
        before = end
      }
      assert.equal(back.toFixed(), new Big(money(share)).toFixed())
    }),
    { numRuns: 500 },
  )
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
