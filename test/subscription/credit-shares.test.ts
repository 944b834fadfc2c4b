import assert from 'node:assert/strict'
import { test } from 'node:test'
import Big from 'big.js'
import * as fc from 'fast-check'
import { sharesWithin, takeReturned } from '../../domain/subscription/funding.ts'
import type { Return, Share } from '../../domain/subscription/returns.ts'

// Credit that came from two payments, of which invoices have used some, and what is returned of the payments then.

const cents = (of: number): Big => new Big(of).div(100)
const someCents = fc.integer({ min: 1, max: 2_000_000 })
/** What divisions leave in the last of the 18 decimals. */
const trifle = fc.integer({ min: -20, max: 20 }).map((of) => new Big(of).times('1e-18'))
const part = fc.bigInt({ min: 1n, max: 10n ** 18n }).map((of) => new Big(of.toString()).times('1e-18').toFixed())

const shareOf = (paymentId: string, amount: Big, paid: string): Share => ({
  paymentId,
  amount: amount.toFixed(),
  part: paid,
})

/** Two shares, and the credit that is left: often just what one payment or both have given. */
const standing = fc
  .tuple(someCents, someCents, trifle, trifle, part, part)
  .chain(([one, other, first, second, onePart, otherPart]) => {
    const shares = [
      shareOf('pay_1', cents(one).plus(first), onePart),
      shareOf('pay_2', cents(other).plus(second), otherPart),
    ]
    const left = fc.oneof(fc.constantFrom(0, one, other, one + other), fc.nat({ max: one + other }))
    return left.map((credit) => ({ shares, credit: cents(credit).toFixed(2) }))
  })

const returned = fc.constantFrom('0', '0.000000000000000001', '0.5', '1')

test('whatever is left of credit, returns of its payments take off something from nothing to all', () => {
  fc.assert(
    fc.property(standing, returned, returned, ({ shares, credit }, one, other) => {
      const returns: Return[] = [
        { id: 'ref_1', paymentId: 'pay_1', part: one, stands: true },
        { id: 'ref_2', paymentId: 'pay_2', part: other, stands: true },
      ]
      const kept = sharesWithin(shares, credit)
      const after = takeReturned({ credit, withheld: {}, shares: kept }, returns, 'NGN')
      for (const share of [...kept, ...after.shares])
        assert.ok(new Big(share.amount).gt(0) && new Big(share.part).gt(0), JSON.stringify(share))
      const taken = returns.reduce((sum, { id }) => sum.plus(after.withheld[id] ?? '0'), new Big(0))
      assert.ok(new Big(after.credit).gte(0), 'credit is never below 0')
      assert.equal(new Big(after.credit).plus(taken).toFixed(2), credit, 'what is taken off is withheld')
    }),
    { numRuns: 2_000 },
  )
})
