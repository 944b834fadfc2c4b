import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callingCodesOf } from '../../domain/checkout/mobile-money.ts'
import type { Currency } from '../../domain/currency.ts'
import { decimalMarkOf, readAmount } from '../../web/checkout/amount.ts'
import { choiceIn, codeIn } from '../../web/checkout/form.ts'
import { english } from '../../web/language.ts'
import { phoneCountriesOf, readPhone } from '../../web/checkout/phone.ts'

// How the pages read what buyers type. A value that could mean two things is left as it is, and the API refuses it.

const cases: [string, string, '.' | ',', string][] = [
  ['5,000', 'USD', '.', '5000'],
  ['5,000', 'USD', ',', '5000'],
  ['1,234,567.8', 'USD', '.', '1234567.8'],
  ['12.50', 'USD', ',', '12.50'],
  ['$ 1,250.50', 'USD', '.', '1250.50'],
  ['NGN 5,000', 'NGN', '.', '5000'],
  ['5000 ngn', 'NGN', '.', '5000'],
  ['1 234,50', 'USD', '.', '1234.50'],
  ['1\u202f234,50', 'EUR', ',', '1234.50'],
  ['1’234.50', 'EUR', '.', '1234.50'],
  ['1.234,5', 'EUR', '.', '1234.5'],
  ['1.234.567', 'EUR', '.', '1234567'],
  ['5,00', 'EUR', ',', '5.00'],
  ['1.234', 'EUR', ',', '1234'],
  ['5.000', 'XOF', '.', '5000'],
  ['5,000.00', 'XOF', '.', '5000'],
  ['007', 'USD', '.', '7'],
  ['KSh 1,000.50', 'KES', '.', '1000.50'],
  ['ksh500', 'KES', '.', '500'],
  ['GH₵5.50', 'GHS', '.', '5.50'],
  ['CA$20', 'CAD', '.', '20'],
  ['5\u00a0000 FCFA', 'XAF', ',', '5000'],
  ['١٬٢٣٤٫٥٠', 'USD', '.', '1234.50'],
  ['۱۲٫۵', 'USD', '.', '12.5'],
  ['१,२३४.५०', 'USD', '.', '1234.50'],
  ['２５.００', 'USD', '.', '25.00'],
]
for (const [typed, currency, mark, read] of cases) {
  test(`${typed} ${currency} is ${read} where cents follow "${mark}"`, () => {
    assert.equal(readAmount(typed, currency, mark), read)
  })
}

const unclear = ['5,00', '1.234', '5,5', '1,23,4', '5 00', '1e9', '-5', '', '12.345', '1.2.3', '1 234,567', '1,234 567']
for (const typed of unclear) {
  test(`"${typed}" could be two amounts or none, and stays as typed`, () => {
    assert.equal(readAmount(typed, 'USD', '.'), typed)
  })
}

test('a card, its security code and a code of a bank are read in the digits of any script', () => {
  const typed = { number: '٤٢٤٢ ٤٢٤٢ ٤٢٤٢ ٤٢٤٢', expiry: '۱۲/۴۰', cvc: '१२३' }
  const { card } = choiceIn(new URLSearchParams({ method: 'card:USD_CARD', ...typed }), '.')
  assert.deepEqual(card, { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '123' })
  const saved = choiceIn(new URLSearchParams({ method: 'saved:pm_1:USD_CARD', cvc_pm_1: '１２３' }), '.')
  assert.deepEqual(saved.card, { payment_method_id: 'pm_1', cvc: '123' })
  assert.deepEqual(codeIn(new URLSearchParams({ step: 'code', code: '٠٩٨ ٧٦٥' })), { code: '098765' })
})

test('a currency that a form makes up is no pattern: neither a slow one nor a broken one', () => {
  for (const priced_in of ['(a+)+$', '(', '.*', '[0-9]', '__proto__']) {
    const amount = `${'a'.repeat(24)}!`
    const form = new URLSearchParams({ product: 'custom:prod_1', amount_prod_1: amount, priced_in })
    assert.deepEqual(choiceIn(form, '.').products, [{ product_id: 'prod_1', amount }], priced_in)
  }
})

test('a type of method that every object has by birth is read as an unknown one', () => {
  for (const type of ['__proto__', 'constructor', 'toString', 'valueOf']) {
    const form = new URLSearchParams({ method: `${type}:USD_CARD` })
    assert.deepEqual(choiceIn(form, '.'), { payment_method: 'USD_CARD' }, type)
  }
})

test('the decimal mark is that of the reader’s first language', () => {
  const marks = ['fr-CI,fr;q=0.9,en;q=0.8', 'en-GH', 'de-DE', 'de-CH', '', '*', 'xx-bad_tag', 'pt;q=1']
  assert.deepEqual(marks.map(decimalMarkOf), [',', '.', ',', '.', '.', '.', '.', ','])
})

test('local numbers of every mobile money country are read as E.164', () => {
  const local: [Currency, string[]][] = [
    ['GHS', ['0244123456']],
    ['KES', ['0700 000 001']],
    ['RWF', ['0788123456']],
    ['TZS', ['0621-234-567']],
    ['UGX', ['0712 345678']],
    ['ZMW', ['0955123456']],
    ['XAF', ['06031234', '671234567', '061234567', '222123456', '70012345', '63012345']],
    ['XOF', ['0195123456', '70123456', '0707070707', '955012345', '65012345', '93123456', '701234567', '90112345']],
  ]
  for (const [currency, numbers] of local) {
    const codes = callingCodesOf(currency).map((code) => `+${code}`)
    const countries = phoneCountriesOf(codes, undefined, english)
    assert.equal(countries.filter(({ isChosen }) => isChosen).length, 1)
    assert.ok(
      countries.every(({ hint }) => hint.startsWith('Such as ')),
      currency,
    )
    for (const typed of numbers) {
      const read = countries.map(({ code }) => readPhone(typed, code))
      assert.ok(
        read.some((number) => /^\+\d{10,13}$/.test(number)),
        `${typed}: ${read.join(' ')}`,
      )
    }
  }
  for (const typed of ['0244123456', '244123456', '00233244123456', '233 24 412 3456', '+233 (0)24 412-3456'])
    assert.equal(readPhone(typed, 'GH'), '+233244123456', typed)
  assert.equal(readPhone('+254700000001', 'GH'), '+254700000001')
  assert.equal(readPhone('0707070707', 'CI'), '+2250707070707')
  assert.equal(readPhone('024 41', 'GH'), '02441')
  assert.equal(readPhone('0244123456', 'nowhere'), '0244123456')
})

test('without JavaScript an expiry and a card number are accepted in every common form', () => {
  const cardOf = (number: string, expiry: string) => {
    const { card } = choiceIn(new URLSearchParams({ method: 'card:USD_CARD', number, expiry, cvc: '123' }), '.')
    return card && 'number' in card ? card : undefined
  }
  for (const expiry of [
    '12/30',
    '1230',
    '12 / 30',
    '12-30',
    '12//30',
    '12/2030',
    '2030-12',
    '12.30',
    '12–30',
    '12/30/',
  ])
    assert.partialDeepStrictEqual(cardOf('4242', expiry), { exp_month: 12, exp_year: 2030 }, expiry)
  assert.partialDeepStrictEqual(cardOf('4242', '1/30'), { exp_month: 1, exp_year: 2030 })
  for (const none of ['13', '', '12/3', '12/30/1', 'soon']) assert.equal(cardOf('4242', none)?.exp_month, 0, none)
  assert.equal(cardOf('4242\u00a04242-4242–4242', '12/30')?.number, '4242424242424242')
})

test('an email address is read without the signs without a width that were copied with it', () => {
  const form = new URLSearchParams({ email: ' \u200bada@example.com\u2060 ', name: 'Ada' })
  assert.deepEqual(choiceIn(form, '.').customer_details, { email: 'ada@example.com', name: 'Ada' })
})
