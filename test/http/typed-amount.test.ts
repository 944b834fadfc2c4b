import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTypedAmount } from '../../web/sight/typed-amount.ts'
import { amountWords } from '../../web/words.ts'

// How the forms of the dashboard read an amount. One that could be two is never guessed.

const clear: [string, string, string][] = [
  ['1234.56', 'USD', '1234.56'],
  ['1 234,56', 'EUR', '1234.56'],
  ['1\u00a0234,56', 'EUR', '1234.56'],
  ['1\u202f234\u202f567,5', 'EUR', '1234567.5'],
  ['1,234.56', 'USD', '1234.56'],
  ['1.234,56', 'EUR', '1234.56'],
  ['1,234,567', 'USD', '1234567'],
  ['1.234.567', 'EUR', '1234567'],
  ['1 234', 'NGN', '1234'],
  ['5,00', 'EUR', '5.00'],
  ['12,5', 'USD', '12.5'],
  ['$1,234.56', 'USD', '1234.56'],
  ['₦1 234,56', 'NGN', '1234.56'],
  ['1 234,56 €', 'EUR', '1234.56'],
  ['NGN 5000', 'NGN', '5000'],
  ['١٬٢٣٤٫٥٦', 'USD', '1234.56'],
  ['١٬٢٣٤', 'USD', '1234'],
  ['٢٥', 'USD', '25'],
  ['1,234', 'XOF', '1234'],
  ['1,5', 'USDC', '1.5'],
  ['CA$20', 'CAD', '20'],
  ['$20', 'CAD', '20'],
  ['￥500', 'JPY', '500'],
  ['1 234,56', '', '1234.56'],
]
for (const [typed, currency, amount] of clear) {
  test(`"${typed}" of ${currency} is ${amount}`, () => {
    assert.equal(readTypedAmount(typed, currency), amount)
  })
}

const unclear = [
  ['1,234', 'USD'],
  ['$1,234', 'USD'],
  ['€1.234', 'EUR'],
  ['١,٢٣٤', 'USD'],
  ['1,234', 'USDC'],
  ['1,23,4', 'USD'],
  ['1 234,567', 'EUR'],
  ['1 234.567', 'USD'],
  ['5 00', 'USD'],
  ['1e9', 'USD'],
  ['-5', 'USD'],
  ['€500', 'USD'],
  ['500 $', 'NGN'],
  ['$50', ''],
  ['50 €', ''],
  ['', 'USD'],
] as const
for (const [typed, currency] of unclear) {
  test(`"${typed}" of ${currency} could be two amounts or none, and stays as it was typed`, () => {
    assert.equal(readTypedAmount(typed, currency), typed)
  })
}

test('an amount with decimals in a currency without any is told how to be written, and not its bounds', () => {
  const bounds = { minimum_amount: '100', maximum_amount: '5000' }
  assert.match(amountWords({ currency: 'RWF', ...bounds }, '150.50'), /in figures only, such as 25\./)
  assert.match(amountWords({ currency: 'RWF', ...bounds }, '50'), /100 .*5,000/)
  assert.match(amountWords({ currency: 'USD', ...bounds }, '50.50'), /100\.00 .*5,000\.00/)
})
