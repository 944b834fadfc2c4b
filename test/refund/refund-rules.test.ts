import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corridorKeys } from '../../domain/corridor.ts'
import {
  type Charge,
  heldAmountOf,
  isRefundEnded,
  isRefundedInFull,
  mayRefund,
  moveRefund,
  refundableCorridors,
  refundableOf,
  refundMoves,
  type RefundRequest,
  type RefundStatus,
  refundStatuses,
  refundStatusOf,
  remainingOf,
  returnedAmountOf,
  termsOf,
} from '../../domain/refund.ts'
import { aboutRefund } from '../../domain/refund-process.ts'
import { Refusal } from '../../domain/refusal.ts'

// The rules of refunds, tested without a running service.
test('every corridor has a refund fee', () => {
  assert.deepEqual(
    corridorKeys.filter((key) => !refundableCorridors.includes(key)),
    [],
  )
})

test('a refund allows the contract’s transitions, never back, except that a returned one fails', () => {
  const legal = ['pending processing', 'pending failed', 'processing succeeded', 'processing failed']
  legal.push('succeeded failed') // docs/decisions/0015-what-a-refund-takes.md
  const moves = (from: RefundStatus, to: RefundStatus) => {
    const row = { status: from }
    moveRefund(row, to)
    assert.equal(row.status, to)
  }
  for (const from of refundStatuses) {
    for (const to of refundStatuses) {
      if (legal.includes(`${from} ${to}`)) moves(from, to)
      else assert.throws(() => moves(from, to), Refusal)
    }
  }
})

test('the moves of a refund, and which of its statuses are ends', () => {
  assert.deepEqual(refundMoves, {
    pending: ['processing', 'failed'],
    processing: ['succeeded', 'failed'],
    succeeded: ['failed'],
    failed: [],
  })
  assert.deepEqual(refundStatuses.filter(isRefundEnded), ['succeeded', 'failed'])
})

/** A dollar card payment of 103.20, of which 100.00 has settled. */
const charge: Charge = {
  status: 'succeeded',
  corridor: 'USD_CARD',
  currency: 'USD',
  amountReceived: '103.20',
  fee: '3.20',
  refundClaimed: '0',
  refundedAmount: '0',
  disputeClaimed: '0',
}
const wish: RefundRequest = { amount: null, feeBearer: 'ORG', address: null }

const assertRefused = (code: string, of: Partial<Charge>, request: Partial<RefundRequest> = {}) => {
  assert.throws(
    () => termsOf({ ...charge, ...of }, { ...wish, ...request }),
    (error) => error instanceof Refusal && error.code === code,
    code,
  )
  assert.ok(!mayRefund({ ...charge, ...of }, { ...wish, ...request }))
}

test('what has settled can be refunded: all that arrived less the fee; of a short payment all that arrived', () => {
  assert.equal(refundableOf(charge), '100')
  assert.equal(refundableOf({ status: 'underpaid', amountReceived: '50', fee: '3.20' }), '50')
  assert.equal(refundableOf({ ...charge, amountReceived: '3.19' }), '0')
  assert.equal(refundableOf({ ...charge, amountReceived: '3.20' }), '0')
})

test('other refunds and disputes leave less, and never more than the buyer has paid', () => {
  assert.equal(remainingOf({ ...charge, refundClaimed: '40' }), '60')
  assert.equal(remainingOf({ ...charge, disputeClaimed: '3.20' }), '100')
  assert.equal(remainingOf({ ...charge, disputeClaimed: '50', refundClaimed: '40' }), '13.2')
})

test('without an amount all that is left is refunded, and the fee is that of the corridor, or none', () => {
  assert.deepEqual(termsOf(charge, wish), { requested: '100.00', fee: '0.30' })
  assert.deepEqual(termsOf({ ...charge, refundClaimed: '99.5' }, wish), { requested: '0.50', fee: '0.30' })
  assert.deepEqual(termsOf(charge, { ...wish, amount: '10', isFree: true }), { requested: '10.00', fee: '0' })
  const fees = {
    USD_CARD: '0.30',
    NGN_CARD: '50.00',
    NGN_BANK_TRANSFER: '25.00',
    MOMO_GHS: '1.00',
    MOMO_KES: '10.00',
    MOMO_RWF: '100',
    MOMO_TZS: '200.00',
    MOMO_UGX: '300',
    MOMO_XAF: '50',
    MOMO_XOF: '50',
    MOMO_ZMW: '2.00',
    CRYPTO: '1.00',
  }
  for (const corridor of corridorKeys)
    assert.equal(termsOf({ ...charge, corridor }, { ...wish, address: 'T1' }).fee, fees[corridor], corridor)
})

test('a refund is refused with the code that says why', () => {
  for (const status of ['requires_action', 'processing', 'failed', 'canceled'] as const)
    assertRefused('CHARGE_NOT_REFUNDABLE', { status })
  assertRefused('CHARGE_NOT_REFUNDABLE', { amountReceived: '0' })
  assertRefused('REFUND_ADDRESS_REQUIRED', { corridor: 'CRYPTO' })
  assert.ok(mayRefund({ ...charge, corridor: 'CRYPTO' }, { ...wish, address: 'T1' }))
  assertRefused('REFUND_EXCEEDS_REMAINING', {}, { amount: '100.01' })
  assertRefused('REFUND_EXCEEDS_REMAINING', { refundClaimed: '100' })
  assert.ok(mayRefund(charge, { ...wish, amount: '100' }))
  assert.ok(mayRefund({ ...charge, status: 'underpaid' }, wish))
})

test('the refusal names what is left, and that the buyer has disputed the payment', () => {
  assert.throws(
    () => termsOf({ ...charge, refundClaimed: '40' }, { ...wish, amount: '61' }),
    /^Refusal: 60\.00 USD are left to refund$/,
  )
  const disputed = { ...charge, disputeClaimed: '103.20' }
  assert.throws(() => termsOf(disputed, wish), /^Refusal: 0\.00 USD are left to refund: its buyer has disputed it$/)
})

test('a buyer who bears the fee gets something back, or the refund is refused', () => {
  assertRefused('AMOUNT_BELOW_MINIMUM', {}, { amount: '0.30', feeBearer: 'CUSTOMER' })
  assert.ok(mayRefund(charge, { ...wish, amount: '0.31', feeBearer: 'CUSTOMER' }))
  assert.ok(mayRefund(charge, { ...wish, amount: '0.30' }))
})

test('an error that is no refusal is not taken for one', () => {
  assert.throws(
    () => mayRefund({ ...charge, amountReceived: 'x' }, wish),
    (error) => !(error instanceof Refusal),
  )
})

test('who bears the fee decides what is reserved and what comes back', () => {
  const refund = { requestedAmount: '10.00', feeAmount: '0.30' }
  assert.deepEqual(
    (['ORG', 'CUSTOMER'] as const).map((feeBearer) => [
      heldAmountOf({ ...refund, feeBearer }),
      returnedAmountOf({ ...refund, feeBearer }),
    ]),
    [
      ['10.3', '10.00'],
      ['10.00', '9.7'],
    ],
  )
})

test('the refund status of a payment is none, partial or full, by what has succeeded', () => {
  const statuses = ['0', '0.01', '99.99', '100'].map((refundedAmount) => refundStatusOf({ ...charge, refundedAmount }))
  assert.deepEqual(statuses, ['none', 'partial', 'partial', 'full'])
})

test('a charge is refunded in full once refunds that have succeeded leave nothing', () => {
  const claims = (refundClaimed: string, refundedAmount: string, disputeClaimed = '0') =>
    isRefundedInFull({ ...charge, refundClaimed, refundedAmount, disputeClaimed })
  assert.ok(claims('100', '100'))
  assert.ok(!claims('99', '99'))
  assert.ok(!claims('100', '99'), 'one has not succeeded yet')
  assert.ok(claims('60', '60', '43.20'), 'the dispute has taken the rest')
  assert.ok(!claims('0', '0', '103.20'), 'nothing was refunded')
})

test('operators read of a refund what goes back and of which payment', () => {
  const row = { accountId: 'acct_1', environment: 'live', status: 'processing' }
  const about = aboutRefund({ ...row, requestedAmount: '5', currency: 'USD', chargeId: 'pay_1' })
  assert.deepEqual(about, { ...row, waitingOn: 'rail', provider: 'stripe', summary: '5.00 USD of pay_1' })
})
