import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isRerouted,
  isRoutingRestated,
  readRouting,
  routingFields,
  type StatedRouting,
} from '../../domain/payout/routing.ts'
import { destinations, type Rail } from '../support/destination-examples.ts'

/** The fields with errors after a change of a rail's valid example. */
function errors(rail: Rail, more: Record<string, string>, environment: 'sandbox' | 'live' = 'sandbox'): string[] {
  return readRouting({ ...destinations[rail], ...more } as StatedRouting, null, environment).errors.map(
    ({ field }) => field,
  )
}

type Case = { rail: Rail; field: string; good: string[]; bad: string[] }

/** Values come from the standards themselves where these give examples. */
const cases: Case[] = [
  {
    rail: 'NGN',
    field: 'account_number',
    good: ['0000000000', '9999999999'],
    bad: ['', '123456789', '12345678901', '12345a7890'],
  },
  { rail: 'NGN', field: 'bank_code', good: ['044', '090405', '100004'], bad: ['', '44', '999', 'toString', 'GTB'] },
  {
    rail: 'GHS',
    field: 'account_number',
    good: ['1234567890', '1234567890123456'],
    bad: ['123456789', '12345678901234567'],
  },
  { rail: 'GHS', field: 'bank_code', good: ['240100'], bad: ['058', '040101'] },
  { rail: 'KES', field: 'bank_code', good: ['01', '63'], bad: ['1', '99'] },
  { rail: 'TZS', field: 'bank_code', good: ['NMIBTZTZ'], bad: ['NMIBTZT', 'SBICUGKX'] },
  { rail: 'UGX', field: 'account_number', good: ['12345678'], bad: ['1234567', '1234 5678'] },
  { rail: 'GBP', field: 'bank_code', good: ['200000', '20-00-00'], bad: ['20000', '2000000', '20-0000', 'ABCDEF'] },
  { rail: 'GBP', field: 'account_number', good: ['55779911'], bad: ['5577991', '557799110', '5577991a'] },
  // Routing numbers of the Federal Reserve Bank of Boston, Chase, Wells Fargo and a Treasury check.
  {
    rail: 'USD',
    field: 'bank_code',
    good: ['011000015', '021000021', '121000248', '000000518'],
    bad: ['021000022', '021000012', '000000000', '921000021', '02100002'],
  },
  {
    rail: 'USD',
    field: 'account_number',
    good: ['1234', '12345678901234567'],
    bad: ['123', '123456789012345678', '12-34'],
  },
  { rail: 'USD', field: 'scheme', good: ['ach', 'wire'], bad: ['eft', 'ACH', ''] },
  { rail: 'CAD', field: 'bank_code', good: ['000300012', '00012-003'], bad: ['100300012', '00012003', '0012-003'] },
  { rail: 'CAD', field: 'scheme', good: ['eft', 'wire'], bad: ['ach'] },
  { rail: 'CAD', field: 'account_number', good: ['12345', '123456789012'], bad: ['1234', '1234567890123'] },
  // The examples of the IBAN registry; those of Brazil and Saudi Arabia are valid IBANs, but not of SEPA.
  {
    rail: 'EUR',
    field: 'account_number',
    good: [
      'DE89370400440532013000',
      'GB29 NWBK 6016 1331 9268 19',
      'fr1420041010050500013M02606',
      'NL91ABNA0417164300',
    ],
    bad: [
      'DE89370400440532013001',
      'BR1800360305000010009795493C1',
      'SA0380000000608010167519',
      'DE8937040044053201300',
      '',
      '31926819',
    ],
  },
  { rail: 'EUR', field: 'bank_code', good: ['DEUTDEFF', 'DEUTDEFF500'], bad: ['DEUT', 'DEUTDEFF50', 'DEUTXXFF0001'] },
  {
    rail: 'wallet_GHS',
    field: 'phone_number',
    good: ['+233201234567'],
    bad: ['0201234567', '+254712345678', '233201234567', '+233 20 123 4567'],
  },
  { rail: 'wallet_KES', field: 'mobile_provider', good: ['mpesa', 'airtel'], bad: ['mtn', 'MPESA', ''] },
  { rail: 'wallet_TZS', field: 'phone_number', good: ['+255754123456'], bad: ['+256754123456', '+255'] },
  // The examples of EIP-55 in their own case, and one with the case of a letter changed.
  {
    rail: 'USDT_ERC20',
    field: 'wallet_address',
    good: [
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
      '0x52908400098527886E0F7030069857D2E4169EE7',
      '0xde709f2102306220921060314715629080e2fb77',
    ],
    bad: [
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD',
      '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe',
      '0xg',
      '',
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    ],
  },
  {
    rail: 'USDT_BEP20',
    field: 'wallet_address',
    good: ['0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'],
    bad: ['0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9adb'],
  },
  { rail: 'USDT_ERC20', field: 'network', good: ['ERC20'], bad: ['TRC20', 'erc20', ''] },
  {
    rail: 'USDT_TRC20',
    field: 'wallet_address',
    good: ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'TLa2f6VPqDgRE67v1736s7bJ8Ray5wYjU7'],
    bad: [
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6T',
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6',
      '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      '',
    ],
  },
  {
    rail: 'USDT_SOL',
    field: 'wallet_address',
    good: ['Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', '11111111111111111111111111111111'],
    bad: [
      'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYBB',
      '0OIl',
      '1111111111111111111111111111111',
      '',
      'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    ],
  },
]

for (const { rail, field, good, bad } of cases) {
  test(`${rail}: valid and invalid values of ${field}`, () => {
    for (const value of good) assert.deepEqual(errors(rail, { [field]: value }), [], value)
    for (const value of bad) assert.deepEqual(errors(rail, { [field]: value }), [field], `${value} is taken`)
  })
}

test('every example is valid, and a field of another type is an error', () => {
  for (const rail of Object.keys(destinations) as Rail[]) {
    assert.deepEqual(errors(rail, {}), [], rail)
    const type = destinations[rail].type
    const strange = type === 'bank_account' ? 'phone_number' : 'account_number'
    assert.deepEqual(errors(rail, { [strange]: '1' }), [strange], rail)
    if (rail !== 'USD' && rail !== 'CAD') assert.deepEqual(errors(rail, { scheme: 'wire' }), ['scheme'], rail)
  }
})

/** First Bank: the examples of the Central Bank's standard. Kuda: worked out by hand from its revision of 2020. */
const checked = [
  ['011', '0000014579'],
  ['011', '0000000220'],
  // 950211: 9*3 + 5*7 + 0*3 + 2*3 + 1*7 + 1*3 = 78; 200000001: 2*3 + 1*3 = 9; 87 lacks 3 of 90
  ['090267', '2000000013'],
] as const

test('live, the account number of a Nigerian bank must have the check digit of that bank', () => {
  for (const [bank_code, account_number] of checked) {
    for (let digit = 0; digit < 10; digit++) {
      const number = `${account_number.slice(0, 9)}${digit}`
      const expected = number === account_number ? [] : ['account_number']
      assert.deepEqual(errors('NGN', { bank_code, account_number: number }, 'live'), expected, number)
    }
  }
})

test('live, accounts whose numbers are phone numbers need ten digits and no check digit', () => {
  for (const bank_code of ['090405', '100004', '100033']) {
    for (const account_number of ['8031234567', '8031234568', '4000675874'])
      assert.deepEqual(errors('NGN', { bank_code, account_number }, 'live'), [], bank_code)
    for (const account_number of ['803123456', '08031234567', '803123456x'])
      assert.deepEqual(errors('NGN', { bank_code, account_number }, 'live'), ['account_number'], account_number)
  }
})

test('each address, IBAN and code is stored in one form, however it was written', () => {
  const kept = (rail: Rail, more: Record<string, string>) =>
    readRouting({ ...destinations[rail], ...more } as StatedRouting, null, 'sandbox').routing
  const address = destinations.USDT_ERC20.wallet_address
  for (const same of [address, address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`]) {
    assert.equal(kept('USDT_ERC20', { wallet_address: same }).wallet_address, address)
  }
  assert.equal(kept('GBP', { bank_code: '60-16-13' }).bank_code, '601613')
  assert.equal(kept('CAD', { bank_code: '00012-003' }).bank_code, '000300012')
  assert.equal(kept('EUR', { account_number: 'de89 3704 0044 0532 0130 00' }).account_number, 'DE89370400440532013000')
})

test('a change of any field that a rail gets is a new statement; only where the money goes is reviewed', () => {
  const { routing } = readRouting(destinations.USD, null, 'sandbox')
  const changed = routingFields.filter((field) => isRoutingRestated(routing, { ...routing, [field]: 'another' }))
  assert.deepEqual(
    routingFields.filter((field) => !changed.includes(field)),
    ['bank_name'], // it is shown, and no rail gets it
  )
  const unreviewed = changed.filter((field) => !isRerouted(routing, { ...routing, [field]: 'another' }))
  assert.deepEqual(unreviewed, ['account_name', 'scheme', 'mobile_provider'])
  assert.ok(isRoutingRestated(routing, { ...routing, currency: 'CAD' }))
  assert.ok(!isRoutingRestated(routing, { ...routing }))
})
