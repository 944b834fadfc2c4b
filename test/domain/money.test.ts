import assert from 'node:assert/strict'
import { test } from 'node:test'
import { code as isoCurrency } from 'currency-codes'
import * as fc from 'fast-check'
import { corridorKeys, corridorOf, type FeePreference, priceOf } from '../../domain/corridor.ts'
import { currencyCodes, type Currency, digitsOf, isCurrency, perUsd } from '../../domain/currency.ts'
import {
  add,
  amountError,
  format,
  half,
  inUsd,
  isLess,
  isZero,
  negate,
  parseAmount,
  subtract,
} from '../../domain/money.ts'
import { Refusal } from '../../domain/refusal.ts'

// Everything is compared with whole numbers of minor units, computed without a decimal library.

/** Whole minor units as the service writes them. */
function written(units: bigint, digits: number): string {
  const sign = units < 0n ? '-' : ''
  const text = String(units < 0n ? -units : units).padStart(digits + 1, '0')
  return sign + (digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`)
}

/** A plain decimal as a fraction of whole numbers. */
function fraction(text: string): { top: bigint; bottom: bigint } {
  const [whole = '', decimals = ''] = text.split('.')
  return { top: BigInt(whole + decimals), bottom: 10n ** BigInt(decimals.length) }
}

const roundHalfUp = (top: bigint, bottom: bigint): bigint => (2n * top + bottom) / (2n * bottom)

const currency = fc.constantFrom(...currencyCodes)
const units = fc.bigInt({ min: 0n, max: 999_999_999_999_999n })
const preference = fc.constantFrom<FeePreference>('customer_pays', 'org_pays')
const runs = { numRuns: 2_000, seed: 1 }
const plain = /^(0|[1-9]\d*)(\.\d+)?$/

test('every currency has the precision of ISO 4217', () => {
  for (const each of currencyCodes) assert.equal(digitsOf(each), isoCurrency(each)?.digits, each)
  for (const none of ['usd', 'XTS', '', 'constructor', '__proto__', 'toString']) assert.ok(!isCurrency(none))
  for (const each of currencyCodes) assert.match(perUsd(each), plain)
})

test('a formatted amount is parsed as the same amount, in every currency', () => {
  fc.assert(
    fc.property(currency, units, (of, amount) => {
      const text = written(amount, digitsOf(of))
      assert.equal(parseAmount(text, of), text)
      assert.equal(format(parseAmount(text, of), of), text)
      assert.equal(amountError(text, of), null)
    }),
    runs,
  )
})

test('an amount with too few decimals is filled with zeros; one with too many is refused, never rounded', () => {
  fc.assert(
    fc.property(currency, fc.nat(999_999), fc.integer({ min: 0, max: 9 }), (of, whole, decimals) => {
      const text = decimals === 0 ? String(whole) : `${whole}.${'0'.repeat(decimals - 1)}5`
      if (decimals > digitsOf(of)) assert.throws(() => parseAmount(text, of), Refusal)
      else
        assert.equal(
          parseAmount(text, of),
          written(roundHalfUp(fraction(text).top * 10n ** BigInt(digitsOf(of)), fraction(text).bottom), digitsOf(of)),
        )
    }),
    runs,
  )
})

test('text that is no plain decimal of at most 15 significant digits is refused before it is parsed', () => {
  const like = fc.string({ unit: fc.constantFrom(...'0123456789.-+eE, _x∞'), maxLength: 20 })
  fc.assert(
    fc.property(fc.oneof(like, fc.string({ unit: 'binary' })), currency, (text, of) => {
      const [, whole = '', decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? []
      const isPlain = plain.test(text) && decimals.length <= digitsOf(of)
      const isAccepted = isPlain && BigInt(whole + decimals) < 10n ** 15n
      assert.equal(amountError(text, of) === null, isAccepted, JSON.stringify(text))
    }),
    { ...runs, numRuns: 10_000 },
  )
  const startedAt = process.cpuUsage() // what the process itself takes, however busy the machine is
  for (const text of ['1e1000000', '9'.repeat(1_000_000), `0.${'0'.repeat(1_000_000)}1`, '1'.repeat(41)]) {
    assert.equal(amountError(text, 'USD')?.field, 'amount')
    assert.equal(amountError(text, null, 'other')?.field, 'other')
  }
  assert.ok(process.cpuUsage(startedAt).user < 50_000)
})

test('sums, differences and comparisons are exact', () => {
  fc.assert(
    fc.property(units, units, fc.constantFrom(0, 2, 8), (left, right, digits) => {
      const [one, other] = [written(left, digits), written(right, digits)]
      assert.equal(format(add(one, other), 'USD'), format(written(left + right, digits), 'USD'))
      assert.equal(subtract(add(one, other), other), subtract(one, '0'))
      assert.ok(isZero(add(one, negate(one))))
      assert.equal(isLess(one, other), left < right)
    }),
    runs,
  )
  assert.equal(add('0.1', '0.2'), '0.3')
  assert.equal(subtract('9999999999999.99', '0.01'), '9999999999999.98')
})

test('the two halves of an amount add up to it, and the first is not the larger', () => {
  fc.assert(
    fc.property(currency, units, (of, amount) => {
      const first = half(written(amount, digitsOf(of)), of)
      assert.equal(first, written(amount / 2n, digitsOf(of)))
      assert.ok(!isLess(subtract(written(amount, digitsOf(of)), first), first))
    }),
    runs,
  )
})

test('dollars are rounded half up to the cent', () => {
  fc.assert(
    fc.property(currency, units, (of, amount) => {
      const rate = fraction(perUsd(of))
      const cents = roundHalfUp(amount * 100n * rate.bottom, 10n ** BigInt(digitsOf(of)) * rate.top)
      assert.equal(inUsd(written(amount, digitsOf(of)), of), written(cents, 2))
    }),
    runs,
  )
})

/** The fee by the rule in whole minor units: percentage and fixed part, rounded half up, at most the cap. */
function feeOf(amount: bigint, key: (typeof corridorKeys)[number], bears: FeePreference): bigint {
  const { fee, currency: of } = corridorOf(key)
  const unit = 10n ** BigInt(digitsOf(of))
  const [percent, fixed] = [fraction(fee.percent), fraction(fee.fixed)]
  const bottom = 100n * percent.bottom * fixed.bottom
  const top = amount * percent.top * fixed.bottom + fixed.top * unit * 100n * percent.bottom
  const cap = fee.cap ? (fraction(fee.cap).top * unit) / fraction(fee.cap).bottom : null
  let rounded = roundHalfUp(top, bottom)
  if (cap !== null && rounded > cap) rounded = cap
  return bears === 'org_pays' && rounded > amount ? amount : rounded
}

test('the buyer pays what the account receives and the fee, to the last unit, in every corridor', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...corridorKeys),
      preference,
      units,
      fc.boolean(),
      (key, bears, amount, fromDatabase) => {
        const of: Currency = corridorOf(key).currency
        const digits = digitsOf(of)
        const text = written(amount, digits)
        const price = priceOf(
          fromDatabase ? text + (digits === 0 ? '.' : '') + '0'.repeat(18 - digits) : text,
          key,
          bears,
        )
        const fee = feeOf(amount, key, bears)
        assert.deepEqual(price, {
          customerPays: written(bears === 'customer_pays' ? amount + fee : amount, digits),
          settles: written(bears === 'customer_pays' ? amount : amount - fee, digits),
          fee: written(fee, digits),
        })
        for (const value of Object.values(price)) assert.match(value, plain)
      },
    ),
    { ...runs, numRuns: 10_000 },
  )
})

test('fees are exact when they are rounded, capped or larger than the amount', () => {
  const price = (amount: string, key: (typeof corridorKeys)[number], bears: FeePreference) =>
    Object.values(priceOf(amount, key, bears))
  assert.deepEqual(price('25.00', 'USD_CARD', 'org_pays'), ['25.00', '23.97', '1.03'])
  assert.deepEqual(price('25.00', 'USD_CARD', 'customer_pays'), ['26.03', '25.00', '1.03'])
  assert.deepEqual(price('0.01', 'USD_CARD', 'org_pays'), ['0.01', '0.00', '0.01'])
  assert.deepEqual(price('0.01', 'USD_CARD', 'customer_pays'), ['0.31', '0.01', '0.30'])
  assert.deepEqual(price('0.50', 'NGN_BANK_TRANSFER', 'org_pays'), ['0.50', '0.49', '0.01']) // half a kobo, up
  assert.deepEqual(price('0.49', 'NGN_BANK_TRANSFER', 'org_pays'), ['0.49', '0.49', '0.00'])
  assert.deepEqual(price('30000.00', 'NGN_BANK_TRANSFER', 'org_pays'), ['30000.00', '29700.00', '300.00'])
  assert.deepEqual(price('30001.00', 'NGN_BANK_TRANSFER', 'org_pays'), ['30001.00', '29701.00', '300.00'])
  assert.deepEqual(price('9999999999999.99', 'NGN_CARD', 'org_pays'), [
    '9999999999999.99',
    '9999999997999.99',
    '2000.00',
  ])
})
