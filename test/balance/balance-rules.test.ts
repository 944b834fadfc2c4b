import assert from 'node:assert/strict'
import { test } from 'node:test'
import Big from 'big.js'
import * as fc from 'fast-check'
import {
  conversionMoves,
  conversionStatuses,
  isConversionEnded,
  moveConversion,
  soldAmountOf,
} from '../../domain/balance/conversion.ts'
import { quoteLifeMs, quoteStatusAt, quoteTermsOf } from '../../domain/balance/conversion-quote.ts'
import { convert, crossRate, formatRate, worthOf } from '../../domain/balance/exchange.ts'
import { afterRepaying } from '../../domain/balance/owed.ts'
import { aboutConversion, conversionProcess } from '../../domain/balance/process.ts'
import { canBePaid, type PricedSale, quoteOf, shownFee, storedQuote, toStored } from '../../domain/balance/quote.ts'
import {
  type Corridor,
  corridorKeys,
  corridorOf,
  offeredAssets,
  offeredCorridors,
  priceOf,
} from '../../domain/corridor.ts'
import { cardCorridors, corridorsFor, isOnByDefault, isPaidByDeposit, methods } from '../../domain/corridor.ts'
import { currencyCodes, digitsOf, perUsd, symbolOf } from '../../domain/currency.ts'
import { Refusal } from '../../domain/refusal.ts'
import { tryAll } from '../support/try-all.ts'

// The rules of balances, conversions and prices, tested without a running service.

const isRefusal = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code

test('what is owed is repaid from available money first, then from pending money, and what remains stays owed', () => {
  const after = (available: string, pending: string, owed: string) =>
    Object.values(afterRepaying({ available, pending, owed })).join(' ')
  assert.equal(after('10', '5', '0'), '10 5 0')
  assert.equal(after('10', '5', '4'), '6 5 0')
  assert.equal(after('10', '5', '10'), '0 5 0')
  assert.equal(after('10', '5', '12'), '0 3 0')
  assert.equal(after('10', '5', '20'), '0 0 5')
})

test('every transition of a conversion is legal or refused, as the contract’s table says', () => {
  const legal = {
    pending: ['processing', 'failed'],
    processing: ['completed', 'failed'],
    completed: [],
    failed: [],
  } as const
  tryAll(legal, conversionStatuses, moveConversion)
  assert.deepEqual(conversionMoves, legal)
  assert.deepEqual(conversionStatuses.filter(isConversionEnded), ['completed', 'failed'])
})

test('the rail exchanges what was reserved less the platform’s fee', () => {
  assert.equal(soldAmountOf({ fromAmount: '100.00', fee: '1.00' }), '99')
})

test('a quote holds for five minutes, to the millisecond, and a used one stays used', () => {
  assert.equal(quoteLifeMs, 300_000)
  const expiresAt = new Date(1_000)
  assert.equal(quoteStatusAt({ usedAt: null, expiresAt }, 999), 'active')
  assert.equal(quoteStatusAt({ usedAt: null, expiresAt }, 1_000), 'expired')
  assert.equal(quoteStatusAt({ usedAt: new Date(1), expiresAt }, 2_000), 'used')
})

test('of what is sold one percent is the fee, and the rest is exchanged; all amounts are rounded half up', () => {
  const pair = { from: 'USD', to: 'NGN', rate: '1600' } as const
  assert.deepEqual(quoteTermsOf({ fromAmount: '100' }, pair), {
    fromAmount: '100.00',
    toAmount: '158400.00',
    fee: '1.00',
  })
  assert.deepEqual(quoteTermsOf({ fromAmount: '0.5' }, pair), { fromAmount: '0.50', toAmount: '784.00', fee: '0.01' })
  assert.deepEqual(quoteTermsOf({ toAmount: '158400' }, pair), {
    fromAmount: '100.00',
    toAmount: '158400.00',
    fee: '1.00',
  })
})

test('the amount to sell is the smallest that yields the amount to buy', () => {
  const codes = fc.constantFrom(...currencyCodes)
  fc.assert(
    fc.property(codes, codes, fc.integer({ min: 1, max: 10 ** 8 }), (from, to, units) => {
      const rate = crossRate(perUsd(from), perUsd(to))
      const unit = new Big(10).pow(-digitsOf(from))
      const wanted = new Big(units).times(new Big(10).pow(-digitsOf(to))).toFixed(digitsOf(to))
      const { fromAmount, toAmount, fee } = quoteTermsOf({ toAmount: wanted }, { from, to, rate })
      assert.equal(toAmount, wanted)
      assert.equal(fee, new Big(fromAmount).div(100).toFixed(digitsOf(from), Big.roundHalfUp))
      const yieldOf = (sold: Big) => {
        const kept = new Big(sold).div(100).round(digitsOf(from), Big.roundHalfUp)
        const bought = sold.minus(kept).times(rate).round(digitsOf(to), Big.roundHalfUp)
        const worth = sold.times(rate).round(digitsOf(to), Big.roundDown)
        return bought.gt(worth) ? worth : bought
      }
      assert.ok(yieldOf(new Big(fromAmount)).gte(wanted))
      const less = new Big(fromAmount).minus(unit)
      assert.ok(less.lte(0) || yieldOf(less).lt(wanted), `${less.toFixed()} ${from} yield ${wanted} ${to} as well`)
    }),
    { numRuns: 500 },
  )
})

test('what is worth less than any amount of the other currency is refused, and so is too much', () => {
  const small = { from: 'NGN', to: 'USD', rate: '0.000625' } as const
  assert.throws(() => quoteTermsOf({ fromAmount: '1' }, small), isRefusal('AMOUNT_BELOW_MINIMUM'))
  const large = { from: 'USD', to: 'NGN', rate: '1600' } as const
  const fieldOf = (wanted: Parameters<typeof quoteTermsOf>[0], pair: Parameters<typeof quoteTermsOf>[1]) => {
    try {
      return JSON.stringify(quoteTermsOf(wanted, pair))
    } catch (error) {
      assert.ok(error instanceof Refusal)
      return error.errors.map(({ field, type }) => `${field} ${type}`).join()
    }
  }
  assert.equal(fieldOf({ fromAmount: '9999999999999.99' }, large), 'from_amount value_error.range')
  assert.equal(fieldOf({ toAmount: '9999999999999.99' }, small), 'to_amount value_error.range')
})

test('a rate is written without the zeros that a column adds', () => {
  assert.deepEqual(['1600.000', '0.000625000', '1e-7'].map(formatRate), ['1600', '0.000625', '0.0000001'])
})

test('an amount is converted once and rounded half up; a rate between two currencies has 14 digits', () => {
  assert.equal(convert('10.01', '1.5', 'USD'), '15.02')
  assert.equal(convert('1', '149.5', 'JPY'), '150')
  assert.deepEqual([worthOf('10.01', '1.5', 'USD'), worthOf('1', '149.5', 'JPY')], ['15.01', '149'])
  assert.equal(crossRate('1600', '1'), '0.000625')
  assert.equal(crossRate('1.37', '150'), '109.48905109489')
  assert.equal(crossRate('1', '1600'), '1600')
})

test('the fees of the contract: each corridor’s percentage and fixed part, at most its cap', () => {
  const feeOf = (amount: string, key: Corridor) => priceOf(amount, key, 'customer_pays').fee
  assert.deepEqual([feeOf('100', 'USD_CARD'), feeOf('10.10', 'USD_CARD')], ['3.20', '0.59'])
  assert.deepEqual(
    [feeOf('10000', 'NGN_CARD'), feeOf('126666', 'NGN_CARD'), feeOf('200000', 'NGN_CARD')],
    ['250.00', '1999.99', '2000.00'],
  )
  assert.deepEqual([feeOf('29999', 'NGN_BANK_TRANSFER'), feeOf('30001', 'NGN_BANK_TRANSFER')], ['299.99', '300.00'])
  const mobile: [Corridor, string][] = [
    ['MOMO_GHS', '19.50'],
    ['MOMO_KES', '15.00'],
    ['MOMO_RWF', '25'],
    ['MOMO_TZS', '25.00'],
    ['MOMO_UGX', '25'],
    ['MOMO_XAF', '54'],
    ['MOMO_XOF', '54'],
    ['MOMO_ZMW', '25.50'],
    ['CRYPTO', '10.00'],
  ]
  for (const [key, fee] of mobile) assert.equal(feeOf('1000', key), fee, key)
})

test('who bears the fee: the buyer on top, or the account out of what settles, at most all of it', () => {
  assert.deepEqual(priceOf('100', 'USD_CARD', 'customer_pays'), {
    customerPays: '103.20',
    settles: '100.00',
    fee: '3.20',
  })
  assert.deepEqual(priceOf('100', 'USD_CARD', 'org_pays'), { customerPays: '100.00', settles: '96.80', fee: '3.20' })
  assert.deepEqual(priceOf('50', 'NGN_CARD', 'org_pays'), { customerPays: '50.00', settles: '0.00', fee: '50.00' })
  assert.deepEqual(priceOf('50', 'NGN_CARD', 'customer_pays'), {
    customerPays: '150.75',
    settles: '50.00',
    fee: '100.75',
  })
})

test('each corridor has the currency, delay and direction of the contract', () => {
  const rows = corridorKeys.map((key) => {
    const { method, currency, settlementCurrency, availableAfterDays, push } = corridorOf(key)
    assert.equal(settlementCurrency, currency)
    return `${key} ${method} ${currency} ${availableAfterDays} ${push}`
  })
  const mobile = ['GHS', 'KES', 'RWF', 'TZS', 'UGX', 'XAF', 'XOF', 'ZMW']
  assert.deepEqual(rows, [
    'USD_CARD card USD 2 false',
    'NGN_CARD card NGN 2 false',
    'NGN_BANK_TRANSFER bank_transfer NGN 0 true',
    ...mobile.map((code) => `MOMO_${code} mobile_money ${code} 0 true`),
    'CRYPTO crypto USD 0 true',
  ])
  assert.deepEqual(corridorKeys.filter(isPaidByDeposit), ['NGN_BANK_TRANSFER', 'CRYPTO'])
  assert.deepEqual([...cardCorridors], ['USD_CARD', 'NGN_CARD'])
  assert.deepEqual(methods.filter(isOnByDefault), ['card', 'bank_transfer', 'mobile_money'])
})

test('a method without currencies is offered in all of them, one with some in these, one left out not at all', () => {
  assert.deepEqual(offeredCorridors(null), corridorKeys)
  assert.deepEqual(offeredCorridors({ card: {} }), ['USD_CARD', 'NGN_CARD'])
  assert.deepEqual(offeredCorridors({ card: { currencies: [] } }), ['USD_CARD', 'NGN_CARD'])
  assert.deepEqual(offeredCorridors({ card: { currencies: ['NGN'] }, bank_transfer: {} }), [
    'NGN_CARD',
    'NGN_BANK_TRANSFER',
  ])
  assert.deepEqual(offeredCorridors({ mobile_money: { currencies: ['USD'] } }), [])
  assert.deepEqual(offeredCorridors({ crypto: { currencies: ['USDT_TRC20'] } }), ['CRYPTO'])
  assert.deepEqual(offeredCorridors({ crypto: { currencies: ['USD'] } }), [])
  assert.deepEqual(offeredAssets({ card: {} }), [])
  assert.deepEqual(offeredAssets({ crypto: { currencies: ['USDT_TRC20', 'DOGE'] } }), ['USDT_TRC20'])
  assert.equal(offeredAssets({ crypto: {} }).length, 8)
  assert.equal(offeredAssets(null).length, 8)
})

test('a session offers the chosen currency first, then its own, then those that need a rate; setup only cards', () => {
  const sale = { currency: 'USD', billingCurrency: null, methodOptions: null, setup: false } as const
  assert.deepEqual(corridorsFor(sale).slice(0, 3), ['USD_CARD', 'CRYPTO', 'NGN_CARD'])
  assert.deepEqual(corridorsFor({ ...sale, billingCurrency: 'KES' }).slice(0, 4), [
    'MOMO_KES',
    'USD_CARD',
    'CRYPTO',
    'NGN_CARD',
  ])
  assert.equal(corridorsFor(sale).length, corridorKeys.length)
  assert.deepEqual(corridorsFor({ ...sale, currency: 'NGN', setup: true }), ['NGN_CARD', 'USD_CARD'])
  assert.deepEqual(corridorsFor({ ...sale, methodOptions: { bank_transfer: {} }, setup: true }), [])
})

const sale: PricedSale = { amount: '100.00', currency: 'USD', feePreference: 'customer_pays' }

test('a sale is converted as a whole before its fee, and a free one costs nothing in any corridor', () => {
  const quote = quoteOf(sale, 'NGN_CARD', '1600')
  assert.deepEqual(
    [quote.corridor, quote.amount, quote.currency, quote.rate, quote.customerPays, quote.settles, quote.fee],
    ['NGN_CARD', '160000.00', 'NGN', '1600', '162000.00', '160000.00', '2000.00'],
  )
  assert.equal(quoteOf(sale, 'USD_CARD', null).customerPays, '103.20')
  for (const key of corridorKeys) {
    const free = quoteOf({ ...sale, amount: '0' }, key, null)
    for (const part of [free.amount, free.customerPays, free.settles, free.fee]) assert.ok(new Big(part).eq(0), key)
    assert.ok(!canBePaid(free))
  }
})

test('the buyer is charged what they were shown, also after the fees have changed', () => {
  const shown = quoteOf(sale, 'NGN_CARD', '1600')
  assert.deepEqual(storedQuote(sale, 'NGN_CARD', toStored(shown)), shown)
  const stored = { rate: '1500', quotedAmount: '150000', quotedFee: '1' }
  assert.deepEqual(storedQuote(sale, 'NGN_CARD', stored), {
    corridor: 'NGN_CARD',
    amount: '150000.00',
    currency: 'NGN',
    rate: '1500',
    customerPays: '150001.00',
    settles: '150000.00',
    fee: '1.00',
  })
  for (const part of ['quotedAmount', 'quotedFee'] as const) {
    assert.deepEqual(storedQuote(sale, 'NGN_CARD', { ...stored, rate: '1600', [part]: null }), shown)
  }
})

test('the buyer sees the fee that they bear, and none where the account bears it', () => {
  const quote = quoteOf(sale, 'USD_CARD', null)
  assert.equal(shownFee(quote, sale), '3.20')
  assert.equal(shownFee(quote, { feePreference: 'org_pays' }), '0.00')
})

test('an amount of more than 15 digits after its conversion cannot be paid', () => {
  assert.ok(canBePaid(quoteOf(sale, 'NGN_CARD', '1600')))
  assert.ok(!canBePaid(quoteOf({ ...sale, amount: '9999999999999.99' }, 'NGN_CARD', '1600')))
})

test('a total of more than 15 digits, with the fee that the buyer bears, cannot be paid', () => {
  const most: PricedSale = { ...sale, amount: '9999999999999.99', currency: 'NGN' }
  assert.equal(quoteOf(most, 'NGN_CARD', null).customerPays, '10000000001999.99')
  assert.ok(!canBePaid(quoteOf(most, 'NGN_CARD', null)))
  assert.ok(canBePaid(quoteOf({ ...most, feePreference: 'org_pays' }, 'NGN_CARD', null)))
})

test('every currency has its own symbol or shares it with none of ours', () => {
  const symbols = currencyCodes.map(symbolOf)
  assert.equal(new Set(symbols).size, symbols.length)
  assert.deepEqual([symbolOf('NGN'), symbolOf('GHS'), symbolOf('USD'), symbolOf('EUR')], ['₦', 'GH₵', '$', '€'])
})

test('operators read of a conversion what is exchanged for what, and that it waits for its rail', () => {
  const row = { accountId: 'acct_1', environment: 'live', status: 'processing' }
  const amounts = { fromAmount: '100', fromCurrency: 'USD', toAmount: '158400', toCurrency: 'NGN' } as const
  assert.deepEqual(aboutConversion({ ...row, ...amounts }), {
    ...row,
    waitingOn: 'rail',
    summary: '100.00 USD for 158400.00 NGN',
  })
  assert.deepEqual([conversionProcess.prefix, conversionProcess.queue], ['conversion', 'main'])
})
