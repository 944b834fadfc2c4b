import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assert as holds, constantFrom, integer, property } from 'fast-check'
import { type Currency, currencyCodes, digitsOf } from '../../domain/currency.ts'
import { fromMinor, toMinor } from '../../rails/stripe/amount.ts'

test('amounts become Stripe’s smallest units, exactly', () => {
  const written: [string, Currency, number][] = [
    ['25.00', 'USD', 2500],
    ['0.01', 'USD', 1],
    ['1.1', 'USD', 110],
    ['90071992547409.91', 'USD', 9007199254740991],
    ['25.000000000000000000', 'USD', 2500],
    ['150', 'JPY', 150],
    ['3700', 'UGX', 370000],
    ['605', 'XOF', 605],
  ]
  for (const [amount, currency, minor] of written) assert.equal(toMinor(amount, currency), minor, amount)
  assert.equal(fromMinor(370000, 'UGX'), '3700')
  assert.equal(fromMinor(1, 'USD'), '0.01')
})

test('an amount that cannot be ordered exactly is an error', () => {
  for (const amount of ['0.001', '25.005', '0', '-1', '90071992547409.92', '1e30'])
    assert.throws(() => toMinor(amount, 'USD'), Error, amount)
  assert.throws(() => toMinor('0.5', 'JPY'))
  for (const minor of [1.5, -1, Number.NaN, Infinity, 2 ** 53]) assert.throws(() => fromMinor(minor, 'USD'))
})

test('every amount of every currency comes back as it went', () => {
  holds(
    property(constantFrom(...currencyCodes), integer({ min: 1, max: 99_999_999 }), (currency, units) => {
      const amount = fromMinor(currency === 'UGX' ? units * 100 : units, currency)
      assert.equal(fromMinor(toMinor(amount, currency), currency), amount)
      assert.equal(amount.split('.')[1]?.length ?? 0, digitsOf(currency))
    }),
  )
})
