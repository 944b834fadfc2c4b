import assert from 'node:assert/strict'
import { test } from 'node:test'
import Big from 'big.js'
import * as fc from 'fast-check'
import { conversionFee, type QuotedPair, quoteLifeMs, quoteTermsOf } from '../../domain/balance/conversion-quote.ts'
import { currencyCodes, type Currency, digitsOf, perUsd } from '../../domain/currency.ts'
import { crossRate } from '../../domain/balance/exchange.ts'
import { newId } from '../../domain/id.ts'
import { Refusal } from '../../domain/refusal.ts'
import { assertError, assertFieldErrors } from '../support/api.ts'
import { exchanging } from '../support/conversion.ts'
import { useApi, useStack } from '../support/use-stack.ts'

let late = 0
const stack = await useStack({
  workers: false,
  clock: { now: () => Promise.resolve(Date.now() + late) },
  invariants: 'at the end',
})
const api = await useApi(stack)
const live = (await api.addKey({ environment: 'live' })).merchant

const path = '/v1/conversions/quotes'
const createQuote = (body: unknown, merchant = stack.merchant) => merchant.call('POST', path, body)
const priced = (from: string, to: string, amount: Record<string, unknown>) =>
  createQuote({ from_currency: from, to_currency: to, ...amount })

test('a quote is created with 201, and reads the same until it has expired', async () => {
  const { status, body } = await priced('USD', 'NGN', { from_amount: '100.00' })
  assert.equal(status, 201)
  const { quote_id, created_at, expires_at, ...rest } = body as Record<string, unknown>
  assert.match(String(quote_id), /^quo_[0-9a-z]{34}$/)
  assert.equal(Date.parse(String(expires_at)) - Date.parse(String(created_at)), quoteLifeMs)
  assert.equal(quoteLifeMs, 300_000)
  assert.deepEqual(rest, {
    from_amount: '100.00',
    from_currency: 'USD',
    to_amount: '158400.00',
    to_currency: 'NGN',
    rate: '1600',
    fee: '1.00',
    status: 'active',
  })
  const read = () => exchanging(stack.merchant).readQuote(String(quote_id))
  assert.deepEqual(await read(), body)
  late = quoteLifeMs - 60_000
  assert.equal((await read()).status, 'active')
  late = quoteLifeMs
  assert.deepEqual(await read(), { ...body, status: 'expired' })
  late = 0
})

test('a quote buys the wanted amount exactly, and sells the smallest amount that yields it', async () => {
  const rows = [
    ['USD', 'NGN', '158400.00', '100.00', '1.00'],
    ['USD', 'NGN', '158400.01', '100.00', '1.00'], // half a kobo and less is rounded away: 99 dollars are not enough
    ['NGN', 'USD', '1.00', '1608.08', '16.08'],
    ['USD', 'RWF', '1', '0.01', '0.00'],
    ['XAF', 'XOF', '99', '100', '1'],
  ] as const
  for (const [from, to, amount, sold, fee] of rows) {
    const { body, text } = await priced(from, to, { to_amount: amount })
    const terms = quoteTermsOf({ toAmount: amount }, { from, to, rate: crossRate(perUsd(from), perUsd(to)) })
    assert.deepEqual([body['from_amount'], body['to_amount'], body['fee']], [terms.fromAmount, amount, terms.fee], text)
    if (amount !== '158400.01') assert.deepEqual([terms.fromAmount, terms.fee], [sold, fee], `${from} ${to} ${amount}`)
    else assert.deepEqual([terms.fromAmount, terms.fee], ['100.01', '1.00'])
  }
})

test('VALIDATION_ERROR: all errors of a quote request are answered at once', async () => {
  assertFieldErrors(await createQuote({}), {
    from_currency: 'value_error.missing',
    to_currency: 'value_error.missing',
    from_amount: 'value_error.missing',
  })
  const both = { from_amount: '1.00', to_amount: '1.00' }
  assertFieldErrors(await priced('USD', 'USD', both), { to_amount: 'value_error', to_currency: 'value_error' })
  for (const from_amount of ['0', '0.00']) {
    assertFieldErrors(await priced('USD', 'NGN', { from_amount }), { from_amount: 'value_error.range' })
  }
  for (const to_amount of ['1e3', '-1', '+1', '1.001', '01', '', ' 1', 'NaN']) {
    assertFieldErrors(await priced('NGN', 'USD', { to_amount }), { to_amount: 'value_error.format' })
  }
  assertFieldErrors(await priced('USD', 'UGX', { to_amount: '1.5' }), { to_amount: 'value_error.format' })
  assertFieldErrors(await priced('USD', 'NGN', { from_amount: 100 }), { from_amount: 'value_error.type' })
  assertFieldErrors(await priced('USD', 'NGN', { from_amount: '1234567890123456' }), {
    from_amount: 'value_error.range',
  })
  // The resulting amount must be one that can be sent, too.
  assertFieldErrors(await priced('GBP', 'UGX', { from_amount: '9999999999999.99' }), {
    from_amount: 'value_error.range',
  })
  assertFieldErrors(await priced('UGX', 'GBP', { to_amount: '9999999999999.99' }), { to_amount: 'value_error.range' })
})

test('CURRENCY_NOT_SUPPORTED: a currency that is not exchanged, on either side', async () => {
  for (const [from, to] of [
    ['USD', 'CHF'],
    ['ZZZ', 'USD'],
    ['zzz', 'NGN'],
    ['USD', 'toString'],
  ] as const) {
    assertError(await priced(from, to, { from_amount: '1.00' }), 400, 'CURRENCY_NOT_SUPPORTED')
  }
})

test('AMOUNT_BELOW_MINIMUM: the amount sold yields nothing in the other currency', async () => {
  for (const from_amount of ['7.00', '8.10', '15.99']) {
    assertError(await priced('NGN', 'USD', { from_amount }), 400, 'AMOUNT_BELOW_MINIMUM')
  }
  assert.equal((await priced('NGN', 'USD', { from_amount: '16.00' })).body['to_amount'], '0.01')
  assert.equal((await priced('NGN', 'USD', { to_amount: '0.01' })).body['from_amount'], '16.00')
})

test('ACCOUNT_NOT_ACTIVATED: no live rail exchanges money, so no live quote is made', async () => {
  const body = { from_currency: 'USD', to_currency: 'NGN', from_amount: '100.00' }
  assertError(await createQuote(body, live), 400, 'ACCOUNT_NOT_ACTIVATED')
  const executed = await live.call('POST', '/v1/conversions', { quote_id: newId('quo', Date.now()) })
  assertError(executed, 400, 'ACCOUNT_NOT_ACTIVATED')
})

test('BAD_GATEWAY: without a rate from the rate source no quote is made', async () => {
  const { rates } = stack.services
  const { rate } = rates
  rates.rate = () => Promise.reject(new Refusal('BAD_GATEWAY', 'the rate source knows no such currency'))
  assertError(await priced('USD', 'NGN', { from_amount: '1.00' }), 502, 'BAD_GATEWAY')
  rates.rate = () => Promise.resolve('1600.125') // the next quote uses the rate that the source answers then
  assert.equal((await priced('USD', 'NGN', { from_amount: '1.00' })).body['to_amount'], '1584.12')
  rates.rate = rate
})

test('NOT_FOUND: the quote of another organization, or an unknown one', async () => {
  const { merchant } = await api.addMerchant()
  const { quote_id } = await exchanging(merchant).quote()
  const missing = await stack.merchant.call('GET', `${path}/${newId('quo', Date.now())}`)
  assertError(missing, 404, 'NOT_FOUND')
  for (const reader of [stack.merchant, live]) {
    assert.equal((await reader.call('GET', `${path}/${quote_id}`)).text, missing.text)
  }
})

/** The same amount as a whole number of its currency's smallest units. */
const units = (amount: string, of: Currency): bigint => {
  const [whole = '0', decimals = ''] = amount.split('.')
  return BigInt(whole + decimals.padEnd(digitsOf(of), '0'))
}
const written = (count: bigint, of: Currency): string => {
  const digits = digitsOf(of)
  const text = String(count).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
/** `top / bottom`, half up. */
const halfUp = (top: bigint, bottom: bigint) => (2n * top + bottom) / (2n * bottom)

/** Units bought for units sold after the fee, half up, and what all that is sold is worth at most: integers only. */
function pricesOf(sold: bigint, { from, to, rate }: QuotedPair): { bought: bigint; worth: bigint } {
  const kept = sold - halfUp(sold * BigInt(conversionFee.percent), 100n)
  const [whole = '', decimals = ''] = rate.split('.')
  const top = BigInt(whole + decimals) * 10n ** BigInt(digitsOf(to))
  const bottom = 10n ** BigInt(decimals.length + digitsOf(from))
  return { bought: halfUp(kept * top, bottom), worth: (sold * top) / bottom }
}
function yielded(sold: bigint, of: QuotedPair): bigint {
  const { bought, worth } = pricesOf(sold, of)
  return bought < worth ? bought : worth
}

const pair = fc
  .tuple(fc.constantFrom(...currencyCodes), fc.constantFrom(...currencyCodes))
  .filter(([from, to]) => from !== to)
  .map(([from, to]): QuotedPair => ({ from, to, rate: crossRate(perUsd(from), perUsd(to)) }))
const count = fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, 10n ** 11n))

test('the amounts sold and bought and the fee add up to the last unit, and none is ever negative', () => {
  const outcomes = { priced: 0, tooSmall: 0 }
  fc.assert(
    fc.property(pair, count, (of, sold) => {
      const expected = yielded(sold, of)
      const wanted = { fromAmount: written(sold, of.from) }
      if (expected === 0n) {
        outcomes.tooSmall++
        return assert.throws(() => quoteTermsOf(wanted, of), { code: 'AMOUNT_BELOW_MINIMUM' })
      }
      outcomes.priced++
      const { fromAmount, toAmount, fee } = quoteTermsOf(wanted, of)
      const [taken, given, earned] = [units(fromAmount, of.from), units(toAmount, of.to), units(fee, of.from)]
      assert.equal(taken, sold)
      assert.equal(given, expected)
      assert.equal(earned, halfUp(sold, 100n))
      assert.ok(given > 0n && earned >= 0n && taken - earned > 0n)
    }),
    { numRuns: 5_000 },
  )
  assert.ok(outcomes.priced > 1_000 && outcomes.tooSmall > 50, JSON.stringify(outcomes))
})

test('the smallest amount to sell for an amount to buy is enough, and one unit less is not', () => {
  fc.assert(
    fc.property(pair, count, (of, bought) => {
      const { fromAmount, toAmount, fee } = quoteTermsOf({ toAmount: written(bought, of.to) }, of)
      const taken = units(fromAmount, of.from)
      assert.equal(units(toAmount, of.to), bought)
      assert.equal(units(fee, of.from), halfUp(taken, 100n))
      assert.ok(yielded(taken, of) >= bought, 'it is enough')
      assert.ok(taken === 1n || yielded(taken - 1n, of) < bought, 'one unit less is not')
    }),
    { numRuns: 5_000 },
  )
})

/** Two to four currencies, each with what a dollar buys of it. Their rates are any at all, and fit each other. */
const market = fc
  .tuple(
    fc.shuffledSubarray([...currencyCodes], { minLength: 2, maxLength: 4 }),
    fc.array(fc.integer({ min: 1, max: 10 ** 9 }), { minLength: 4, maxLength: 4 }),
  )
  .map(([codes, rates]) => codes.map((code, index) => ({ code, perUsd: new Big(rates[index] ?? 1).div(10 ** 4) })))

test('whoever exchanges money in a circle at the same rates never has more than before, however little it is', () => {
  const outcomes = { closed: 0, refused: 0 }
  fc.assert(
    fc.property(market, count, (currencies, begin) => {
      let held = begin
      for (const [index, from] of currencies.entries()) {
        const to = currencies[(index + 1) % currencies.length] ?? from
        const rate = crossRate(from.perUsd.toFixed(), to.perUsd.toFixed())
        try {
          const wanted = { fromAmount: written(held, from.code) }
          held = units(quoteTermsOf(wanted, { from: from.code, to: to.code, rate }).toAmount, to.code)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          outcomes.refused++
          return
        }
      }
      outcomes.closed++
      assert.ok(held <= begin, `${begin} became ${held}`)
    }),
    { numRuns: 10_000 },
  )
  assert.ok(outcomes.closed > 1_000 && outcomes.refused > 50, JSON.stringify(outcomes))
})

test('of what is enough for a fee of half a unit bought, the amount bought is rounded half up', () => {
  let ordinary = 0
  fc.assert(
    fc.property(pair, count, (of, sold) => {
      const { bought } = pricesOf(sold, of)
      const fee = new Big(written(halfUp(sold, 100n), of.from)).times(of.rate)
      if (fee.lt(new Big(10).pow(-digitsOf(of.to)).div(2))) return
      ordinary++
      assert.equal(units(quoteTermsOf({ fromAmount: written(sold, of.from) }, of).toAmount, of.to), bought)
    }),
    { numRuns: 5_000 },
  )
  assert.ok(ordinary > 1_000, String(ordinary))
})
