import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsSecondApprover } from '../../domain/operator-action.ts'
import { movePayout, payoutMoves, payoutProgress, payoutStatuses, stuckAt } from '../../domain/payout/payout.ts'
import { pricedPayoutRoutes } from '../../domain/payout/fee.ts'
import { holdReasonOf, type RiskFacts } from '../../domain/payout/risk.ts'
import {
  type Exchange,
  type PayoutRequest,
  type Target,
  termsOf,
  validatePayoutRequest,
} from '../../domain/payout/terms.ts'
import { nextPollAt } from '../../domain/rail-polls.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Currency } from '../../domain/currency.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const bank = (currency: Currency, scheme: string | null = null): Target => ({ type: 'bank_account', currency, scheme })
const mobile = (currency: Currency): Target => ({ type: 'mobile_money', currency, scheme: null })
const wallet: Target = { type: 'crypto_wallet', currency: 'USDT_TRC20', scheme: null }
const quote: Exchange = {
  fromAmount: '100.00',
  fromCurrency: 'USD',
  toAmount: '150000.00',
  toCurrency: 'NGN',
  fee: '1.00',
}
const nothing: PayoutRequest = { amount: null, quote: null, sourceCurrency: null }

const terms = (target: Target, request: Partial<PayoutRequest>) => {
  const { amount, sourceAmount, sourceCurrency, fee } = termsOf(target, { ...nothing, ...request })
  return [amount, sourceAmount, sourceCurrency, fee].join(' ')
}
const assertRefused = (code: string, target: Target, request: Partial<PayoutRequest>) =>
  assert.throws(
    () => termsOf(target, { ...nothing, ...request }),
    (error) => error instanceof Refusal && error.code === code,
  )

test('naira and dollars are paid by amount from their own balance, at the price of their route', () => {
  assert.equal(terms(bank('NGN'), { amount: '50000' }), '50000.00 50000.00 NGN 25.00')
  assert.equal(terms(bank('NGN'), { amount: '50000.01' }), '50000.01 50000.01 NGN 50.00')
  assert.equal(terms(bank('USD', 'ach'), { amount: '10' }), '10.00 10.00 USD 0.00')
  assert.equal(terms(bank('USD', 'wire'), { amount: '10' }), '10.00 10.00 USD 25.00')
  assert.equal(terms(wallet, { amount: '12.34' }), '12.340000 12.34 USD 1.00')
  assert.equal(terms(wallet, { amount: '12.344999' }), '12.344999 12.34 USD 1.00')
  assert.equal(terms(wallet, { amount: '12.345' }), '12.345000 12.35 USD 1.00')
  assertRefused('VALIDATION_ERROR', wallet, { amount: '12.3450001' }) // the coin has six decimal places
})

test('another currency is paid from dollars by quote, or by amount from its own balance if that is named', () => {
  assert.equal(terms(bank('NGN'), { quote }), '150000.00 100.00 USD 5.00')
  const toKes: Exchange = { ...quote, toAmount: '12900.00', toCurrency: 'KES' }
  assert.equal(terms(mobile('KES'), { quote: toKes, sourceCurrency: 'USD' }), '12900.00 100.00 USD 2.00')
  assert.equal(terms(mobile('KES'), { amount: '500', sourceCurrency: 'KES' }), '500.00 500.00 KES 20.00')
  assert.equal(terms(bank('UGX'), { amount: '5000', sourceCurrency: 'UGX' }), '5000 5000 UGX 2500')
})

test('QUOTE_REQUIRED: an amount in another currency than the balance’s', () => {
  for (const target of [mobile('KES'), bank('GHS'), bank('EUR')])
    assertRefused('QUOTE_REQUIRED', target, { amount: '10' })
  assertRefused('QUOTE_REQUIRED', bank('NGN'), { amount: '1000', sourceCurrency: 'USD' })
})

test('CURRENCY_NOT_SUPPORTED: only the dollar balance pays in another currency', () => {
  assertRefused('CURRENCY_NOT_SUPPORTED', bank('USD', 'ach'), { amount: '10', sourceCurrency: 'NGN' })
  assertRefused('CURRENCY_NOT_SUPPORTED', wallet, { amount: '10', sourceCurrency: 'EUR' })
  assertRefused('CURRENCY_NOT_SUPPORTED', bank('NGN'), { amount: '1000', sourceCurrency: 'XYZ' })
  assertRefused('CURRENCY_NOT_SUPPORTED', bank('NGN'), { quote: { ...quote, fromCurrency: 'KES' } })
})

test('a quote must be for the destination’s currency, and the money is taken in the quote’s currency', () => {
  assertRefused('VALIDATION_ERROR', bank('GHS'), { quote })
  assertRefused('VALIDATION_ERROR', bank('NGN'), { quote, sourceCurrency: 'NGN' })
})

test('AMOUNT_BELOW_MINIMUM: the least that a payout may be', () => {
  assertRefused('AMOUNT_BELOW_MINIMUM', bank('NGN'), { amount: '99.99' })
  assertRefused('AMOUNT_BELOW_MINIMUM', bank('USD', 'ach'), { amount: '0.99' })
  assertRefused('AMOUNT_BELOW_MINIMUM', wallet, { amount: '0' })
  assertRefused('AMOUNT_BELOW_MINIMUM', bank('NGN'), { quote: { ...quote, toAmount: '99.00' } })
})

test('exactly one of amount and quote_id is sent', () => {
  assert.equal(validatePayoutRequest({}).length, 1)
  assert.equal(validatePayoutRequest({ amount: '1.00', quote_id: 'quo_x' }).length, 1)
  assert.deepEqual([validatePayoutRequest({ amount: '1.00' }), validatePayoutRequest({ quote_id: 'quo_x' })], [[], []])
  assert.equal(validatePayoutRequest({ amount: '1e3' }).length, 1)
})

test('every payout route has a price', () => {
  const banks = ['NGN', 'GHS', 'KES', 'TZS', 'UGX', 'GBP', 'EUR', 'USD ach', 'USD wire', 'CAD eft', 'CAD wire']
  const ways = [
    ...banks.map((way) => `bank_account ${way}`),
    ...['GHS', 'KES', 'TZS'].map((way) => `mobile_money ${way}`),
  ]
  assert.deepEqual(pricedPayoutRoutes.toSorted(), [...ways, 'crypto_wallet'].toSorted())
})

test('of all pairs of statuses, a payout allows exactly the transitions of the contract', () => {
  const legal = [
    'requested approved',
    'requested pending',
    'pending approved',
    'pending rejected',
    'approved processing',
    'approved failed',
    'processing completed',
    'processing failed',
    'approved pending', // held again after its destination was restated (docs/contract/payout.md, "Transitions")
  ]
  for (const from of payoutStatuses) {
    for (const to of payoutStatuses) {
      const row = { status: from }
      assert.equal(payoutMoves[from].includes(to), legal.includes(`${from} ${to}`))
      if (legal.includes(`${from} ${to}`)) {
        movePayout(row, to)
        assert.equal(row.status, to)
        const isHeldAgain = from === 'approved' && to === 'pending'
        assert.ok(payoutProgress(to, isHeldAgain ? 1 : 0) > payoutProgress(from), `${from} ${to}`)
      } else assert.throws(() => movePayout(row, to), Refusal)
    }
  }
})

test('the rail is asked after 5 minutes, an hour and then daily, however often the process is restarted', () => {
  const since = 1_000_000
  let now = since
  const moments = Array.from({ length: 4 }, () => (now = nextPollAt(since, now)) - since)
  assert.deepEqual(moments, [5 * minute, hour, hour + day, hour + 2 * day])
  assert.equal(nextPollAt(since, since + 3 * day) - since, hour + 3 * day)
  assert.equal(stuckAt(since) - since, hour)
})

const facts: RiskFacts = {
  environment: 'live',
  reference: null,
  amountUsd: '100',
  isFirstToDestination: false,
  withinAnHour: 1,
}

test('a payout is held when it is large, a large first one to its destination, or one of many', () => {
  const limits = { amountUsd: '10000', firstToDestinationUsd: '2000', withinAnHour: 20 }
  const held = (more: Partial<RiskFacts>) => holdReasonOf({ ...facts, ...more }, limits)
  assert.equal(held({}), null)
  assert.equal(held({ amountUsd: '10000' }), null)
  assert.match(held({ amountUsd: '10000.01' }) ?? '', /more than 10000 USD/)
  assert.equal(held({ amountUsd: '2000', isFirstToDestination: true }), null)
  assert.match(held({ amountUsd: '2000.01', isFirstToDestination: true }) ?? '', /first payout/)
  assert.equal(held({ withinAnHour: 20 }), null)
  assert.match(held({ withinAnHour: 21 }) ?? '', /within an hour/)
  assert.equal(held({ reference: 'sandbox_hold' }), null)
  assert.match(held({ environment: 'sandbox', reference: 'sandbox_hold' }) ?? '', /test reference/)
  assert.match(holdReasonOf(facts, { ...limits, amountUsd: '99' }) ?? '', /more than 99 USD/)
})

test('above the limit a second person must confirm how a payout ended; a retry never needs one', () => {
  assert.equal(needsSecondApprover('mark_failed', '1000', '1000'), false)
  assert.equal(needsSecondApprover('mark_failed', '1000.01', '1000'), true)
  assert.equal(needsSecondApprover('mark_settled', '1000.01', '1000'), true)
  assert.equal(needsSecondApprover('retry', '1000000', '0'), false)
})
