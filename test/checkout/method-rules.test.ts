import assert from 'node:assert/strict'
import { test } from 'node:test'
import Big from 'big.js'
import * as fc from 'fast-check'
import { brandOf, hasExpired, isCardNumber } from '../../domain/checkout/card.ts'
import {
  assetDigitsOf,
  assetKeys,
  coinsFor,
  formatCoins,
  halfOfCoins,
  isAsset,
  networkOf,
  parseCoins,
  usdWorthOf,
} from '../../domain/checkout/crypto.ts'
import {
  assertAvailable,
  assertStillAvailable,
  capabilityFor,
  type MethodSettings,
  settingsInForce,
  type LiveMethods,
  stillAvailable,
} from '../../domain/checkout/method-settings.ts'
import { callingCodesOf, isNumberIn, maskNumber, providersOf } from '../../domain/checkout/mobile-money.ts'
import { isOffered, offersSaved } from '../../domain/checkout/saved-card.ts'
import { cardCorridors, type Corridor, corridorKeys, type MethodOptions } from '../../domain/corridor.ts'
import { currencyCodes } from '../../domain/currency.ts'
import type { Capability, CapabilityStatus } from '../../domain/platform/capability.ts'
import { Refusal } from '../../domain/refusal.ts'

// The rules of payment methods: corridors, cards, coins and mobile money, tested without a running service.

const isRefusal = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code

/** Numbers that the networks publish for tests. */
const cards = {
  visa: '4242424242424242',
  mastercard: '5555555555554444',
  amex: '378282246310005',
  verve: '5060990580000217499',
}

test('a card number has 12 to 19 digits and the check digit of ISO/IEC 7812', () => {
  for (const number of Object.values(cards)) {
    assert.ok(isCardNumber(number), number)
    for (const digit of '0123456789') {
      const other = number.slice(0, -1) + digit
      assert.equal(isCardNumber(other), other === number, other)
    }
  }
  const shortest = [...'0123456789'].filter((digit) => isCardNumber(`50000000000${digit}`))
  assert.equal(shortest.length, 1, 'twelve digits have one check digit')
  for (const text of [
    '',
    '42424242420',
    '42424242424242424242',
    '4242 4242 4242 4242',
    '4242424242424242x',
    '00000000000',
  ])
    assert.ok(!isCardNumber(text), text)
})

test('the brand of a card is told by its first digits, and ranges end where the networks say', () => {
  for (const [brand, number] of Object.entries(cards)) assert.equal(brandOf(number), brand)
  const mastercards = ['51', '55', '22', '27'].map((start) => brandOf(start.padEnd(16, '0')))
  assert.deepEqual(new Set(mastercards), new Set(['mastercard']))
  for (const start of ['50', '56', '21', '28', '33', '35', '6011', '14'])
    assert.equal(brandOf(start.padEnd(16, '0')), 'unknown', start)
  assert.equal(brandOf('340000000000009'), 'amex')
  const ranges: [number, number][] = [
    [506_099, 506_198],
    [507_865, 507_964],
    [650_002, 650_027],
  ]
  for (const [first, last] of ranges) {
    for (let start = first; start <= last; start++) assert.equal(brandOf(`${start}0000000000`), 'verve', `${start}`)
    for (const start of [first - 1, last + 1]) assert.equal(brandOf(`${start}0000000000`), 'unknown', `${start}`)
  }
})

test('a card is good until the last moment of its last month, in UTC', () => {
  assert.ok(!hasExpired(2027, 2, Date.parse('2027-02-28T23:59:59.999Z')))
  assert.ok(hasExpired(2027, 2, Date.parse('2027-03-01T00:00:00Z')))
  assert.ok(!hasExpired(2027, 12, Date.parse('2027-12-31T23:59:59.999Z')))
  assert.ok(hasExpired(2027, 12, Date.parse('2028-01-01T00:00:00Z')))
})

test('each asset has the digits and the network of the contract', () => {
  assert.deepEqual(
    assetKeys.map((key) => `${key} ${assetDigitsOf(key)} ${networkOf(key)}`),
    [
      'BNB_BEP20 8 BEP20',
      'ETH_ETH 8 ETH',
      'SOL_SOL 8 SOL',
      'USDC_BEP20 6 BEP20',
      'USDT_BEP20 6 BEP20',
      'USDT_ERC20 6 ERC20',
      'USDT_SOL 6 SOL',
      'USDT_TRC20 6 TRC20',
    ],
  )
  assert.ok(isAsset('USDT_SOL') && !isAsset('usdt_sol') && !isAsset('constructor'))
})

test('coins are rounded so that the merchant never gets too little and is never credited with too much', () => {
  assert.equal(coinsFor('10', '3', 'USDT_SOL'), '3.333334')
  assert.equal(coinsFor('10', '3', 'ETH_ETH'), '3.33333334')
  assert.equal(coinsFor('10', '2', 'USDT_SOL'), '5.000000')
  assert.equal(usdWorthOf('3.333334', '3'), '10.00')
  assert.equal(usdWorthOf('3.333333', '3'), '9.99')
  assert.equal(halfOfCoins('0.000003', 'USDT_SOL'), '0.000001')
  assert.equal(formatCoins('1.0000005', 'USDT_SOL'), '1.000001')
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 1, max: 10 ** 7 }), (cents, rate) => {
      const usd = new Big(cents).div(100).toFixed(2)
      const perCoin = new Big(rate).div(100).toFixed(2)
      assert.ok(new Big(coinsFor(usd, perCoin, 'ETH_ETH')).times(perCoin).gte(usd))
    }),
    { numRuns: 300 },
  )
})

test('an amount of coins has at most the asset’s digits', () => {
  assert.equal(parseCoins('1.5', 'USDT_SOL'), '1.500000')
  assert.equal(parseCoins('1.123456', 'USDT_SOL'), '1.123456')
  const refused = (text: string) => {
    try {
      return parseCoins(text, 'USDT_SOL', 'coins')
    } catch (error) {
      assert.ok(error instanceof Refusal)
      return error.errors.map(({ field, type }) => `${field} ${type}`).join()
    }
  }
  assert.deepEqual(['1.1234567', '1e3', '1234567890.123456'].map(refused), [
    'coins value_error.format',
    'coins value_error.format',
    'coins value_error.range',
  ])
  assert.equal(parseCoins('7', 'USDT_SOL'), '7.000000')
  assert.throws(
    () => parseCoins('x', 'USDT_SOL'),
    (error) => error instanceof Refusal && error.errors[0]?.field === 'amount',
  )
})

test('mobile money is taken in eight currencies, each with the calling codes of its countries (ITU E.164)', () => {
  const codes = {
    GHS: '233',
    KES: '254',
    RWF: '250',
    TZS: '255',
    UGX: '256',
    XAF: '235 236 237 240 241 242',
    XOF: '221 223 225 226 227 228 229 245',
    ZMW: '260',
  }
  for (const currency of currencyCodes) {
    const expected = currency in codes ? codes[currency as keyof typeof codes] : ''
    assert.equal(callingCodesOf(currency).join(' '), expected, currency)
    assert.equal(providersOf(currency).length > 1, expected !== '', currency)
    for (const code of callingCodesOf(currency)) assert.ok(isNumberIn(currency, `+${code}700000000`))
    assert.ok(!isNumberIn(currency, '+2348030000000'))
  }
  assert.ok(!isNumberIn('KES', '254712345678'))
  assert.deepEqual(providersOf('KES'), ['mpesa', 'airtel'])
  assert.deepEqual(providersOf('XOF'), ['orange', 'mtn', 'moov', 'wave', 'free'])
  assert.deepEqual(providersOf('GHS'), ['mtn', 'vodafone', 'airteltigo'])
})

test('of a number its country and its last three digits are shown', () => {
  assert.equal(maskNumber('+254712345678'), '+254******678')
  assert.equal(maskNumber('+254123'), '+254123')
})

test('a saved card is offered to its own customer while the session is open, and not after three declines', () => {
  const session = {
    status: 'open',
    offersSavedCards: true,
    customerId: 'cust_1',
    accountId: 'acct_1',
    environment: 'live',
    declines: 2,
  } as const satisfies Parameters<typeof offersSaved>[0]
  const card = {
    customerId: 'cust_1',
    accountId: 'acct_1',
    environment: 'live',
    expYear: 2027,
    expMonth: 2,
    detachedAt: null,
  }
  const at = Date.parse('2027-02-28T23:59:59Z')
  assert.ok(offersSaved(session) && isOffered(session, card, at))
  const sessions = [
    { status: 'completed' as const },
    { offersSavedCards: false },
    { customerId: null },
    { declines: 3 },
  ]
  for (const change of sessions) {
    assert.ok(!offersSaved({ ...session, ...change }), JSON.stringify(change))
    assert.ok(!isOffered({ ...session, ...change }, { ...card, ...('customerId' in change ? change : {}) }, at))
  }
  const others = [
    { customerId: 'cust_2' },
    { accountId: 'acct_2' },
    { environment: 'sandbox' },
    { detachedAt: new Date(0) },
    { expMonth: 1 },
  ]
  for (const change of others) assert.ok(!isOffered(session, { ...card, ...change }, at), JSON.stringify(change))
})

/** A live account whose capabilities have these statuses; every other one is active. */
const standing = (
  statuses: Partial<Record<Capability, CapabilityStatus>> = {},
  settings: MethodSettings | null = null,
): LiveMethods => ({
  paymentsEnabled: true,
  settings,
  statusOf: (capability) => statuses[capability] ?? 'active',
  served: corridorKeys,
})
const off = Object.fromEntries(corridorKeys.map((key) => [key, { enabled: false }]))

test('a corridor that a merchant has not set is on, except crypto, whose assets are all on once it is', () => {
  const inForce = settingsInForce({
    USD_CARD: { enabled: false },
    CRYPTO: { enabled: true, currencies: { SOL_SOL: false } },
  })
  assert.deepEqual(Object.keys(inForce), corridorKeys)
  assert.deepEqual(inForce.USD_CARD, { enabled: false })
  assert.deepEqual(inForce.NGN_CARD, { enabled: true })
  assert.equal(inForce.CRYPTO.enabled, true)
  assert.deepEqual(
    assetKeys.filter((key) => inForce.CRYPTO.currencies?.[key] === false),
    ['SOL_SOL'],
  )
  assert.equal(settingsInForce(null).CRYPTO.enabled, false)
  assert.equal(Object.keys(settingsInForce(null).CRYPTO.currencies ?? {}).length, assetKeys.length)
})

test('a live sale offers what is on, active, served and allowed by its creator', () => {
  assert.deepEqual(assertAvailable(corridorKeys, null, standing()), {
    card: { currencies: ['USD', 'NGN'] },
    bank_transfer: { currencies: ['NGN'] },
    mobile_money: { currencies: ['GHS', 'KES', 'RWF', 'TZS', 'UGX', 'XAF', 'XOF', 'ZMW'] },
  })
  const settings: MethodSettings = {
    USD_CARD: { enabled: false },
    CRYPTO: { enabled: true, currencies: { SOL_SOL: false, ETH_ETH: true } },
  }
  assert.deepEqual(
    assertAvailable(corridorKeys, { card: {}, crypto: { currencies: ['SOL_SOL', 'ETH_ETH'] } }, standing({}, settings)),
    {
      card: { currencies: ['NGN'] },
      crypto: { currencies: ['ETH_ETH'] },
    },
  )
  const noTransfers = standing({ bank_transfer_payments: 'pending', mobile_money_payments: 'inactive' })
  assert.deepEqual(assertAvailable(corridorKeys, null, noTransfers), { card: { currencies: ['USD', 'NGN'] } })
  assert.deepEqual(assertAvailable(corridorKeys, null, { ...standing(), served: ['NGN_CARD'] }), {
    card: { currencies: ['NGN'] },
  })
  assert.deepEqual(assertAvailable(['USD_CARD'], null, standing()), { card: { currencies: ['USD'] } })
})

test('a live sale with no method is refused with the code that says who has to act', () => {
  const refused = (
    code: string,
    with_: LiveMethods,
    options: MethodOptions | null = null,
    suited: readonly Corridor[] = corridorKeys,
  ) => assert.throws(() => assertAvailable(suited, options, with_), isRefusal(code), code)
  const none = {
    card_payments: 'pending',
    bank_transfer_payments: 'pending',
    mobile_money_payments: 'inactive',
  } as const
  refused('ACCOUNT_NOT_ACTIVATED', { ...standing(), paymentsEnabled: false })
  refused('CHECKOUT_HAS_NO_PAYMENT_METHOD', standing({}, off))
  refused(
    'CHECKOUT_HAS_NO_PAYMENT_METHOD',
    standing(
      {},
      { ...off, CRYPTO: { enabled: true, currencies: Object.fromEntries(assetKeys.map((key) => [key, false])) } },
    ),
  )
  refused(
    'ACCOUNT_PAYMENT_METHODS_RESTRICTED',
    standing({}, { ...off, NGN_BANK_TRANSFER: { enabled: true } }),
    null,
    cardCorridors,
  )
  refused('ACCOUNT_NOT_ACTIVATED', standing(none))
  refused('ACCOUNT_PAYMENT_METHODS_RESTRICTED', standing({ ...none, bank_transfer_payments: 'restricted' }))
  refused('CHECKOUT_HAS_NO_PAYMENT_METHOD', { ...standing(), served: [] })
  refused('CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD', standing(), { crypto: {} })
  refused('CHECKOUT_RESTRICTION_LEAVES_NO_PAYMENT_METHOD', standing(), { card: { currencies: ['KES'] } })
})

test('a method that was lost since is refused, and the code says whether another one may be used', () => {
  const offered: Corridor[] = ['NGN_CARD', 'NGN_BANK_TRANSFER']
  assertStillAvailable('NGN_CARD', offered, standing())
  assertStillAvailable('NGN_CARD', offered, standing({ bank_transfer_payments: 'restricted' }))
  const refused = (code: string, with_: LiveMethods) =>
    assert.throws(() => assertStillAvailable('NGN_CARD', offered, with_), isRefusal(code), code)
  refused('ACCOUNT_NOT_ACTIVATED', { ...standing(), paymentsEnabled: false })
  refused('PAYMENT_METHOD_NOT_ALLOWED', standing({ card_payments: 'restricted' }))
  refused(
    'ACCOUNT_PAYMENT_METHODS_RESTRICTED',
    standing({ card_payments: 'restricted', bank_transfer_payments: 'pending' }),
  )
  refused('ACCOUNT_NOT_ACTIVATED', standing({ card_payments: 'pending', bank_transfer_payments: 'inactive' }))
  assert.deepEqual(stillAvailable(offered, standing({ card_payments: 'pending' })), ['NGN_BANK_TRANSFER'])
  assert.deepEqual(stillAvailable(offered, { ...standing(), paymentsEnabled: false }), [])
})

test('each corridor needs the capability of its method', () => {
  const needed = (['USD_CARD', 'NGN_BANK_TRANSFER', 'MOMO_KES', 'CRYPTO'] as const).map(capabilityFor)
  assert.deepEqual(needed, ['card_payments', 'bank_transfer_payments', 'mobile_money_payments', 'crypto_payments'])
})
