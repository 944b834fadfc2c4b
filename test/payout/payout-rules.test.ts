import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { arrivalOf, feeOf, minimumOf, mostPayable } from '../../domain/payout/fee.ts'
import {
  destinationUnusable,
  isPayoutEnded,
  lossCodeOf,
  notDelivered,
  payoutProgress,
  payoutsNotActive,
  payoutStatuses,
  railRefused,
  rejectedWithoutReason,
  restatedSince,
  termsChanged,
} from '../../domain/payout/payout.ts'
import {
  aboutDestination,
  aboutPayout,
  aboutSchedule,
  payoutProcess,
  scheduleProcess,
} from '../../domain/payout/process.ts'
import { holdReasonOf, type RiskFacts, type RiskLimits } from '../../domain/payout/risk.ts'
import { isWorthRun, nextRunAt, type ScheduleTiming } from '../../domain/payout/schedule.ts'
import {
  arrivalAt,
  formatPaid,
  keepsTerms,
  termsOf,
  totalDebitOf,
  validatePayoutRequest,
} from '../../domain/payout/terms.ts'
import { isLess } from '../../domain/money.ts'
import { Refusal } from '../../domain/refusal.ts'
import { everyDocument } from '../support/openapi-document.ts'

// The rules of payouts and schedules, tested without a running service.

const [hour, day] = [3_600_000, 86_400_000]

const way = (
  type: 'bank_account' | 'mobile_money' | 'crypto_wallet',
  currency: string,
  scheme: string | null = null,
  source = currency,
) => ({ type, currency, scheme, sourceCurrency: source }) as Parameters<typeof feeOf>[0]

test('each route has its fee and the time in which its money arrives', () => {
  const table = [
    ['bank_account', 'NGN', null, 'NGN', '25.00', 0, hour],
    ['bank_account', 'GHS', null, 'GHS', '8.00', 0, day],
    ['bank_account', 'KES', null, 'KES', '50.00', 0, day],
    ['bank_account', 'TZS', null, 'TZS', '1500.00', 0, day],
    ['bank_account', 'UGX', null, 'UGX', '2500', 0, day],
    ['bank_account', 'GBP', null, 'GBP', '0.50', 0, day],
    ['bank_account', 'EUR', null, 'EUR', '0.50', 0, day],
    ['bank_account', 'USD', 'ach', 'USD', '0.00', day, 3 * day],
    ['bank_account', 'USD', 'wire', 'USD', '25.00', 0, day],
    ['bank_account', 'CAD', 'eft', 'CAD', '0.50', day, 2 * day],
    ['bank_account', 'CAD', 'wire', 'CAD', '20.00', 0, day],
    ['mobile_money', 'GHS', null, 'GHS', '2.00', 0, hour],
    ['mobile_money', 'KES', null, 'KES', '20.00', 0, hour],
    ['mobile_money', 'TZS', null, 'TZS', '700.00', 0, hour],
    ['crypto_wallet', 'USDT_TRC20', null, 'USD', '1.00', 0, hour],
    ['bank_account', 'KES', null, 'USD', '5.00', day, 3 * day],
    ['mobile_money', 'KES', null, 'USD', '2.00', 0, day],
  ] as const
  for (const [type, currency, scheme, source, fee, fromMs, byMs] of table) {
    const at = way(type, currency, scheme, source)
    assert.equal(feeOf(at, '100'), fee, `${type} ${currency}`)
    const { fromMs: from, byMs: by } = arrivalOf(at)
    assert.deepEqual([from, by], [fromMs, byMs], `${type} ${currency}`)
  }
  assert.throws(() => feeOf(way('bank_account', 'USD'), '100'), /no rail/)
  const arrives = arrivalAt({ type: 'bank_account', currency: 'USD', scheme: 'ach' }, 'USD', 1_000)
  assert.deepEqual(arrives, { from: new Date(1_000 + day), by: new Date(1_000 + 3 * day) })
})

test('the least of a payout by its currency; a dollar coin counts as a dollar', () => {
  const least = ['NGN', 'GHS', 'KES', 'TZS', 'UGX', 'USD', 'EUR', 'USDT_SOL'] as const
  assert.deepEqual(
    least.map((currency) => minimumOf({ currency })),
    ['100', '5', '50', '1000', '1000', '1', '1', '1'],
  )
})

test('the most that a balance can pay leaves nothing that could be paid as well', () => {
  const most = (available: string, currency = 'NGN') => mostPayable(way('bank_account', currency), available)
  assert.equal(most('1000'), '975.00')
  assert.equal(most('50025'), '50000.00')
  assert.equal(most('50040'), '50000.00') // with the next fee less than 50,000 would be left
  assert.equal(most('50051'), '50001.00')
  assert.deepEqual([most('25'), most('10'), most('2501', 'UGX')], ['0.00', '0.00', '1'])
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 12_000_000 }), (kobo) => {
      const available = (kobo / 100).toFixed(2)
      const paid = most(available)
      const costs = (amount: string) => Number(amount) + Number(feeOf(way('bank_account', 'NGN'), amount))
      if (isLess('0', paid)) assert.ok(costs(paid) <= kobo / 100 + 1e-6, `${paid} of ${available}`)
      assert.ok(costs((Number(paid) + 0.01).toFixed(2)) > kobo / 100 - 1e-6, `more than ${paid} of ${available}`)
    }),
    { numRuns: 500 },
  )
})

test('a payout ends as completed, failed or rejected, and the merchant reads why it did not arrive as a code', () => {
  assert.deepEqual(payoutStatuses.filter(isPayoutEnded).toSorted(), ['completed', 'failed', 'rejected'])
  assert.equal(lossCodeOf('rejected', destinationUnusable), 'rejected_in_review')
  const codes = [destinationUnusable, termsChanged, payoutsNotActive, railRefused, notDelivered, 'Account closed']
  assert.deepEqual(
    codes.map((reason) => lossCodeOf('failed', reason)),
    ['destination_not_usable', 'terms_changed', 'payouts_not_active', 'rail_refused', 'not_delivered', 'rail_failed'],
  )
})

test('what a merchant reads of a payout that has not arrived is a sentence', () => {
  const reasons = [
    destinationUnusable,
    termsChanged,
    payoutsNotActive,
    railRefused,
    notDelivered,
    rejectedWithoutReason,
  ]
  for (const reason of reasons) assert.match(reason, /^The [^]{15,}\.$/)
  assert.match(restatedSince, /^the destination changed/)
})

test('the sandbox holds a payout above a million dollars, a first one above 250,000, the 10,001st of an hour', () => {
  const live: RiskLimits = { amountUsd: '1', firstToDestinationUsd: '1', withinAnHour: 1 }
  const facts: RiskFacts = {
    environment: 'sandbox',
    reference: 'order 1',
    amountUsd: '1000000',
    isFirstToDestination: false,
    withinAnHour: 10_000,
  }
  const isHeld = (more: Partial<RiskFacts>) => holdReasonOf({ ...facts, ...more }, live) !== null
  assert.deepEqual(
    [isHeld({}), isHeld({ amountUsd: '1000000.01' }), isHeld({ withinAnHour: 10_001 })],
    [false, true, true],
  )
  const first = ['250000', '250000.01'].map((amountUsd) => isHeld({ amountUsd, isFirstToDestination: true }))
  assert.deepEqual(first, [false, true])
})

test('the progress of a payout grows with each move, also when it is held again and again', () => {
  const story = [
    ...(['requested', 'pending', 'approved'] as const).map((status) => payoutProgress(status)),
    ...(['pending', 'approved'] as const).map((status) => payoutProgress(status, 1)),
    ...(['pending', 'approved', 'processing', 'completed'] as const).map((status) => payoutProgress(status, 2)),
  ]
  assert.deepEqual(
    story,
    story.toSorted((one, other) => one - other),
  )
  assert.equal(new Set(story).size, story.length)
})

test('amounts leave with all decimals of their currency or coin', () => {
  assert.deepEqual(
    [formatPaid('5', 'NGN'), formatPaid('5', 'UGX'), formatPaid('5', 'USDT_SOL')],
    ['5.00', '5', '5.000000'],
  )
  assert.equal(totalDebitOf({ sourceAmount: '100.00', fee: '25.00' }), '125')
})

test('the balance that pays if none is named is the one that the document says', () => {
  type Sent = { properties: { source_currency: { description: string } } }
  const { schemas } = everyDocument().components
  const payerOf = (currency: 'NGN' | 'USD' | 'KES' | 'EUR' | 'USDT_SOL') => {
    const type = currency === 'USDT_SOL' ? 'crypto_wallet' : 'bank_account'
    const target = { type, currency, scheme: currency === 'USD' ? 'ach' : null } as const
    try {
      return termsOf(target, { amount: '100', quote: null, sourceCurrency: null }).sourceCurrency
    } catch (error) {
      return /from the (\w+) balance needs a quote/.exec(String(error))?.[1]
    }
  }
  for (const name of ['CreatePayout', 'EstimatePayout']) {
    const { description } = (schemas[name] as unknown as Sent).properties.source_currency
    const [, forNaira, otherwise] = /By default (\w+) for an `amount` in NGN, else (\w+)\.$/.exec(description) ?? []
    assert.equal(payerOf('NGN'), forNaira, description)
    for (const currency of ['USD', 'KES', 'EUR', 'USDT_SOL'] as const)
      assert.equal(payerOf(currency), otherwise, currency)
  }
})

test('a refusal says what to do instead', () => {
  const target = { type: 'bank_account', currency: 'KES', scheme: null } as const
  const wish = { amount: '10', quote: null, sourceCurrency: null }
  assert.throws(() => termsOf(target, wish), /KES from the USD balance needs a quote: create one from USD to KES/)
  assert.throws(() => termsOf(target, { ...wish, sourceCurrency: 'EUR' }), /only the USD balance/)
  assert.throws(() => termsOf(target, { ...wish, sourceCurrency: 'XYZ' }), /no such balance/)
  assert.throws(() => termsOf(target, { ...wish, sourceCurrency: 'KES' }), /at least 50\.00 KES/)
  assert.throws(() => termsOf(target, { ...wish, amount: null, sourceCurrency: 'KES' }), Refusal)
  const [both] = validatePayoutRequest({ amount: '1', quote_id: 'quo_1' })
  assert.deepEqual([both?.field, both?.type], ['amount', 'value_error'])
  assert.deepEqual(validatePayoutRequest({ amount: 5 }), [], 'another type has its own error')
})

test('of an exchanged payout the price of the exchange is told apart from its fee', () => {
  const quote = {
    fromAmount: '100.00',
    fromCurrency: 'USD',
    toAmount: '12900.00',
    toCurrency: 'KES',
    fee: '1.00',
  } as const
  const target = { type: 'mobile_money', currency: 'KES', scheme: null } as const
  assert.deepEqual(termsOf(target, { amount: null, quote, sourceCurrency: null }), {
    amount: '12900.00',
    currency: 'KES',
    sourceAmount: '100.00',
    sourceCurrency: 'USD',
    fee: '2.00',
    quoteFee: '1.00',
  })
  const own = termsOf(target, { amount: '500', quote: null, sourceCurrency: 'KES' })
  assert.deepEqual([own.quoteFee, own.currency], ['0', 'KES'])
})

test('the terms that were agreed hold while currency, minimum and fee of the destination stay', () => {
  const target = { type: 'bank_account', currency: 'USD', scheme: 'ach' } as const
  const agreed = { amount: '100.00', currency: 'USD', sourceCurrency: 'USD', fee: '0' } as const
  assert.ok(keepsTerms(target, agreed))
  assert.ok(!keepsTerms({ ...target, scheme: 'wire' }, agreed))
  assert.ok(!keepsTerms({ type: 'bank_account', currency: 'CAD', scheme: 'eft' }, agreed))
  assert.ok(!keepsTerms(target, { ...agreed, amount: '0.99' }))
  assert.ok(keepsTerms(target, { ...agreed, amount: '1.00' }))
})

test('a run opens a payout once the available amount is above zero and reaches the minimum', () => {
  const worth: [string, string, boolean][] = [
    ['0', '0', false],
    ['0.01', '0', true],
    ['-5', '-10', false],
    ['99.99', '100', false],
    ['100', '100.00', true],
  ]
  for (const [available, minimum, expected] of worth) assert.equal(isWorthRun(available, minimum), expected, available)
})

test('a schedule by hand never runs, and a daily one runs at its hour, strictly after now', () => {
  const daily: ScheduleTiming = { interval: 'daily', weeklyPayoutDays: [], monthlyPayoutDays: [], anchorHourUtc: 9 }
  const nine = Date.parse('2027-03-31T09:00:00Z')
  assert.equal(nextRunAt(daily, nine - 1), nine)
  assert.equal(nextRunAt(daily, nine), nine + day)
  assert.equal(nextRunAt({ ...daily, interval: 'manual' }, nine), null)
  assert.equal(nextRunAt({ ...daily, interval: 'weekly' }, nine), null)
})

test('operators read of a payout where it goes, of a destination what it is, of a schedule what it pays', () => {
  const owned = { accountId: 'acct_1', environment: 'live' }
  const payout = { ...owned, status: 'processing', amount: '5', currency: 'NGN', destinationId: 'pd_1' } as const
  assert.deepEqual(aboutPayout(payout, 'rail'), {
    ...owned,
    status: 'processing',
    waitingOn: 'rail',
    provider: 'paystack',
    summary: '5.00 NGN to pd_1',
  })
  assert.deepEqual(aboutDestination({ ...owned, type: 'bank_account', currency: 'NGN' }), {
    ...owned,
    status: 'pending_review',
    waitingOn: 'reviewer',
    summary: 'bank_account for payouts in NGN',
  })
  assert.deepEqual(aboutSchedule({ ...owned, currency: 'NGN' }), {
    ...owned,
    status: 'active',
    waitingOn: 'next run',
    summary: 'Pays out NGN to its default destination',
  })
  assert.deepEqual(Object.keys(payoutProcess.updates), [
    'decide',
    'retry',
    'hold',
    'release',
    'markSettled',
    'markFailed',
  ])
  assert.deepEqual(Object.keys(scheduleProcess.signals), ['changed', 'clockMoved'])
})
