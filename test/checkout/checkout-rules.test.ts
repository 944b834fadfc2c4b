import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSetupPending, moveSetup, setupMoves, setupStatuses } from '../../domain/checkout/card-setup.ts'
import {
  assertMayTry,
  type AttemptCount,
  attemptsMax,
  checkoutStatuses,
  countDecline,
  declinesFree,
  expiryGraceMs,
  lateMoneyMs,
  moveSession,
  paymentStatusMoves,
  sessionMoves,
} from '../../domain/checkout/checkout.ts'
import { depositSource, priceOfDeposit } from '../../domain/checkout/deposit.ts'
import { attemptOfConcern, awaitsMoney } from '../../domain/checkout/ended-session.ts'
import {
  areFree,
  awaitsPick,
  cheapestOf,
  lineItemOf,
  type OfferedItem,
  totalOf,
  validateOfferedPrice,
} from '../../domain/checkout/line-item.ts'
import {
  assertSafeAction,
  isPending,
  isRedirectTarget,
  isShortPayment,
  movePayment,
  type NextAction,
  paymentMoves,
  paymentStatuses,
  remainingAction,
} from '../../domain/checkout/payment.ts'
import { newSlug, saleOf, sessionMetadata, stateOf } from '../../domain/checkout/payment-link.ts'
import { paymentProcessOf } from '../../domain/checkout/payment-process.ts'
import { aboutCheckout, aboutDeposit, checkoutProcess, depositProcess } from '../../domain/checkout/process.ts'
import { leastSettled, splitIn, splitOfPart } from '../../domain/checkout/split.ts'
import { Refusal } from '../../domain/refusal.ts'
import { tryAll } from '../support/try-all.ts'

// The rules of sessions, payments and links, tested without a running service.

const isRefusal = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code

test('sessions, payments and card setups make the moves of the contract’s tables, and no others', () => {
  const sessions = { open: ['completed', 'expired', 'cancelled'], completed: [], expired: [], cancelled: [] } as const
  tryAll(sessions, checkoutStatuses, moveSession)
  assert.deepEqual(sessionMoves, sessions)
  const payments = {
    requires_action: ['processing', 'succeeded', 'underpaid', 'failed', 'canceled'],
    processing: ['processing', 'requires_action', 'succeeded', 'underpaid', 'failed', 'canceled'],
    underpaid: ['underpaid', 'succeeded'],
    failed: ['underpaid', 'succeeded'],
    canceled: ['underpaid', 'succeeded'],
    succeeded: [],
  } as const
  tryAll(payments, paymentStatuses, movePayment)
  assert.deepEqual(paymentMoves, payments)
  const setups = {
    processing: ['processing', 'requires_action', 'succeeded', 'failed', 'canceled'],
    requires_action: ['processing', 'succeeded', 'failed', 'canceled'],
    succeeded: [],
    failed: [],
    canceled: [],
  } as const
  tryAll(setups, setupStatuses, moveSetup)
  assert.deepEqual(setupMoves, setups)
  assert.deepEqual(paymentStatusMoves.requires_action.slice(0, 2), ['requires_confirmation', 'requires_action'])
  assert.deepEqual(paymentStatusMoves.requires_confirmation[0], 'requires_confirmation')
})

test('what the rail or the buyer still works on is pending', () => {
  assert.deepEqual(paymentStatuses.filter(isPending), ['requires_action', 'processing', 'underpaid'])
  assert.deepEqual(setupStatuses.filter(isSetupPending), ['processing', 'requires_action'])
})

test('a payment is short as long as some of what arrived is neither refunded nor about to be', () => {
  const isShort = (refundClaimed: string) =>
    paymentStatuses.filter((status) => isShortPayment({ status, amountReceived: '40', refundClaimed }))
  assert.deepEqual([isShort('0'), isShort('39.99'), isShort('40')], [['underpaid'], ['underpaid'], []])
})

test('the buyer of an ended session is told of the attempt with money, else of one that may bring it', () => {
  const attempt = {
    status: 'canceled',
    corridor: 'USD_CARD',
    partial: false,
    cancelling: null,
    newsDueAt: null,
    amountReceived: '0',
    fee: '1',
    refundClaimed: '0',
    nextAction: null,
  } as const
  const stopped = { ...attempt, cancelling: 'done' } as const
  const declined = { ...attempt, status: 'failed' } as const
  const transfer = { ...attempt, corridor: 'NGN_BANK_TRANSFER' } as const
  const returned = { ...transfer, status: 'succeeded', amountReceived: '50', refundClaimed: '50' } as const
  const short = { ...transfer, status: 'underpaid', amountReceived: '20' } as const
  const paid = { ...attempt, status: 'succeeded', amountReceived: '50', refundClaimed: '48' } as const
  const order = [declined, stopped, attempt, transfer, returned, short, paid]
  const session = { expiresAt: new Date(0), listensUntil: null, at: lateMoneyMs - 1 }
  const told = order.map((_, count) => attemptOfConcern(order.slice(0, count + 1), session))
  assert.deepEqual(told, [null, null, attempt, transfer, returned, short, paid])
  assert.deepEqual(attemptOfConcern(order.toReversed(), session), paid)
  const [newer, older] = [{ ...transfer }, { ...transfer }]
  assert.equal(attemptOfConcern([newer, older], session), newer)
  const asked = { ...attempt, newsDueAt: new Date(0) } as const
  const due = { ...attempt, cancelling: 'due' } as const
  const isAwaited = (when: object) =>
    [attempt, transfer, asked, due, stopped].map((each) => awaitsMoney(each, { ...session, ...when }))
  assert.deepEqual(isAwaited({}), [true, true, true, true, false])
  assert.deepEqual(isAwaited({ at: lateMoneyMs }), [false, false, true, true, false])
  assert.deepEqual(isAwaited({ at: lateMoneyMs, listensUntil: new Date(lateMoneyMs + 1) })[1], true)
  const asking = (type: NextAction['type']) =>
    awaitsMoney({ ...attempt, status: 'requires_action', nextAction: { type } as NextAction }, session)
  const actions = ['otp', 'pin', 'redirect', 'phone_prompt', 'bank_transfer'] as const
  assert.deepEqual(actions.filter(asking), ['redirect', 'phone_prompt', 'bank_transfer'])
})

test('from the tenth decline on a session waits: a minute, then twice as long each time, up to a day', () => {
  const session: AttemptCount = { attempts: 0, declines: 0, retryAt: null }
  const waits: (number | null)[] = []
  for (let count = 0; count < 23; count++) {
    countDecline(session, 1_000)
    waits.push(session.retryAt && (session.retryAt.getTime() - 1_000) / 60_000)
  }
  assert.equal(declinesFree, 10)
  assert.deepEqual(waits.slice(0, 12), [...Array.from({ length: 9 }, () => null), 1, 2, 4])
  assert.deepEqual(waits.slice(19), [1_024, 1_440, 1_440, 1_440])
})

test('another attempt is refused while the session waits, with the seconds that are left, and after a hundred', () => {
  assertMayTry({ attempts: 99, declines: 0, retryAt: null }, 0)
  assertMayTry({ attempts: 12, declines: 12, retryAt: new Date(5_000) }, 5_000)
  const early = { attempts: 12, declines: 12, retryAt: new Date(5_000) }
  assert.throws(
    () => assertMayTry(early, 3_999),
    (error) =>
      error instanceof Refusal &&
      error.code === 'TOO_MANY_REQUESTS' &&
      error.retryAfter === 2 &&
      /in 2 s/.test(error.message),
  )
  assert.throws(() => assertMayTry(early, 4_999), isRefusal('TOO_MANY_REQUESTS'))
  assert.equal(attemptsMax, 100)
  assert.throws(() => assertMayTry({ attempts: 100, declines: 0, retryAt: null }, 0), isRefusal('CONFLICT'))
})

test('late money is expected for 72 hours, and expiry waits for a rail for 24', () => {
  assert.deepEqual([lateMoneyMs, expiryGraceMs], [259_200_000, 86_400_000])
})

test('of a deposit the fee is always taken out of what was sent', () => {
  assert.deepEqual(priceOfDeposit('20000'), {
    corridor: 'NGN_BANK_TRANSFER',
    amount: '20000.00',
    settles: '19800.00',
    fee: '200.00',
    feeUsd: '0.13',
    feePreference: 'org_pays',
  })
  assert.equal(depositSource('pay_1', 'dep_1'), 'pay_1/dep_1')
})

const item: OfferedItem = {
  product_id: 'prod_1',
  product_name: 'Book',
  unit_amount: '9.99',
  currency: 'USD',
  price_type: 'fixed',
  minimum_amount: null,
  maximum_amount: null,
  suggested_amount: null,
  recurring: null,
}
const custom: OfferedItem = {
  ...item,
  unit_amount: null,
  price_type: 'custom',
  minimum_amount: '5',
  maximum_amount: '10',
}

test('a price that the buyer decides is sent, and is within its bounds; no other price is sent', () => {
  const typesOf = (offered: OfferedItem, amount?: string) =>
    validateOfferedPrice(offered, amount === undefined ? {} : { amount }, 'price').map(
      ({ field, type }) => `${field} ${type}`,
    )
  assert.deepEqual(typesOf(item), [])
  assert.deepEqual(typesOf(item, '1'), ['price value_error'])
  assert.deepEqual(typesOf(custom), ['price value_error.missing'])
  assert.deepEqual(typesOf(custom, '5.005'), ['price value_error.format'])
  assert.deepEqual(
    ['4.99', '10.01'].flatMap((amount) => typesOf(custom, amount)),
    ['price value_error.range', 'price value_error.range'],
  )
  for (const amount of ['5', '7.5', '10.00']) assert.deepEqual(typesOf(custom, amount), [], amount)
  assert.deepEqual(typesOf({ ...custom, minimum_amount: null, maximum_amount: null }, '0'), [])
})

test('a line is its price times its quantity, and shows nothing that only the offer needs', () => {
  const { suggested_amount: _, recurring: __, ...kept } = item
  assert.deepEqual(lineItemOf(item, { product_id: 'prod_1' }), { ...kept, quantity: 1, line_total: '9.99' })
  assert.equal(lineItemOf(item, { product_id: 'prod_1', quantity: 3 }).line_total, '29.97')
  assert.equal(lineItemOf(custom, { product_id: 'prod_1', amount: '7.5' }).unit_amount, '7.50')
  assert.equal(lineItemOf(custom, { product_id: 'prod_1' }).unit_amount, '0.00')
  assert.equal(
    totalOf([lineItemOf(item, { product_id: 'a', quantity: 2 }), lineItemOf(item, { product_id: 'b' })]),
    '29.97',
  )
  assert.equal(totalOf([]), '0')
})

test('the cheapest of a group counts the least that the buyer may decide, and only fixed zeros are free', () => {
  assert.equal(cheapestOf([item, custom]), '5')
  assert.equal(cheapestOf([item, { ...item, unit_amount: '10' }]), '9.99')
  assert.equal(cheapestOf([item, { ...custom, minimum_amount: null }]), '0')
  const free = { ...item, unit_amount: '0.00' }
  assert.deepEqual([areFree([free]), areFree([free, item]), areFree([free, custom])], [true, false, false])
})

test('a buyer has to pick a product in a selection that has none yet', () => {
  assert.ok(awaitsPick({ sessionMode: 'SELECTION', lineItems: null }))
  assert.ok(!awaitsPick({ sessionMode: 'SELECTION', lineItems: [] }))
  assert.ok(!awaitsPick({ sessionMode: 'CART', lineItems: null }))
})

const bankAction: NextAction = {
  type: 'bank_transfer',
  bank_name: 'Bank',
  account_number: '0123456789',
  account_name: 'Shop',
  amount: '5000.00',
  currency: 'NGN',
  expires_at: '2027-01-01T00:00:00Z',
}

test('once a part has arrived only the rest is asked for, and nothing once all has', () => {
  const left = (amountReceived: string | null, amount: string | null = '5000') =>
    remainingAction({ nextAction: bankAction, amount, amountReceived })
  assert.deepEqual(left(null), bankAction)
  assert.deepEqual(left('1999.5'), { ...bankAction, amount: '3000.50' })
  assert.deepEqual([left('5000'), left('6000')], [null, null])
  assert.deepEqual(left('1', null), bankAction)
  const otp: NextAction = { type: 'otp' }
  assert.equal(remainingAction({ nextAction: otp, amount: '10', amountReceived: '10' }), otp)
  assert.equal(remainingAction({ nextAction: null, amount: '10', amountReceived: '1' }), null)
})

test('a buyer is sent over https only, in the sandbox also to the machine itself, and never with a password', () => {
  for (const environment of ['sandbox', 'live'] as const) {
    assert.ok(isRedirectTarget('https://bank.example/3ds', environment))
    for (const url of [
      'http://bank.example/',
      'https://user@bank.example/',
      'https://:pw@bank.example/',
      'javascript:alert(1)',
      'bank',
      'ftp://localhost/',
    ])
      assert.ok(!isRedirectTarget(url, environment), url)
    for (const url of ['http://localhost:3000/', 'http://127.0.0.1/', 'http://[::1]:80/'])
      assert.equal(isRedirectTarget(url, environment), environment === 'sandbox', url)
  }
  const unsafe: NextAction = { type: 'redirect', url: 'http://bank.example/' }
  assert.throws(() => assertSafeAction(unsafe, 'sandbox'), /not https/)
  const safe: NextAction = { type: 'redirect', url: 'https://bank.example/' }
  assert.equal(assertSafeAction(safe, 'live'), safe)
  assert.equal(assertSafeAction(bankAction, 'live'), bankAction)
})

test('a link is open until it is switched off, its time is over or its last sale is made', () => {
  const link = { active: true, expiresAt: null, maxCompletions: null, completedCount: 5 }
  assert.equal(stateOf(link, 0), 'open')
  assert.equal(stateOf({ ...link, active: false, expiresAt: new Date(0) }, 1), 'inactive')
  assert.deepEqual(
    [999, 1_000].map((now) => stateOf({ ...link, expiresAt: new Date(1_000) }, now)),
    ['open', 'expired'],
  )
  assert.deepEqual(
    [6, 5, 4].map((maxCompletions) => stateOf({ ...link, maxCompletions }, 0)),
    ['open', 'completed', 'completed'],
  )
})

test('a link sells its group, its price or its cart, with the amount of the buyer where they decide', () => {
  const link = { name: 'Gift', productCart: null, openLine: null, productGroupId: null, price: null }
  assert.deepEqual(saleOf({ ...link, productGroupId: 'pg_1' }, '5'), { product_group_id: 'pg_1' })
  const price = {
    price_type: 'custom',
    amount: null,
    minimum_amount: null,
    maximum_amount: null,
    currency: 'USD',
  } as const
  assert.deepEqual(saleOf({ ...link, price }, '5'), { amount: '5', currency: 'USD', description: 'Gift' })
  assert.equal('amount' in saleOf({ ...link, price }, undefined) && saleOf({ ...link, price }, undefined).amount, '0')
  assert.deepEqual(saleOf({ ...link, price: { ...price, amount: '9' } }, '5'), {
    amount: '9',
    currency: 'USD',
    description: 'Gift',
  })
  const productCart = [{ product_id: 'a' }, { product_id: 'b', quantity: 2 }]
  assert.deepEqual(saleOf({ ...link, productCart, openLine: 1 }, '5'), {
    product_cart: [{ product_id: 'a' }, { product_id: 'b', quantity: 2, amount: '5' }],
  })
  assert.deepEqual(saleOf({ ...link, productCart, openLine: 1 }, undefined), { product_cart: productCart })
  assert.deepEqual(saleOf(link, '5'), { product_cart: [] })
})

test('a campaign is kept beside the merchant’s metadata: by its names only, cut, and as far as there is room', () => {
  const own = { order: '1', utm_source: 'ours' }
  const campaign = {
    utm_source: 'theirs',
    utm_medium: 'mail',
    order: '2',
    utm_: 'x',
    UTM_ID: 'x',
    utm_term: '',
    xutm_a: 'x',
  }
  assert.deepEqual(sessionMetadata(own, campaign), { ...own, utm_medium: 'mail' })
  assert.deepEqual(sessionMetadata({}, { [`utm_${'a'.repeat(36)}`]: 'x', [`utm_${'a'.repeat(37)}`]: 'x' }), {
    [`utm_${'a'.repeat(36)}`]: 'x',
  })
  assert.equal(sessionMetadata({}, { utm_term: 'x'.repeat(501) })['utm_term'], 'x'.repeat(500))
  const halved = sessionMetadata({}, { utm_term: `${'x'.repeat(499)}😀` })['utm_term']
  assert.equal(halved, 'x'.repeat(499), 'no half of a surrogate pair is stored')
  const many = Object.fromEntries(Array.from({ length: 49 }, (_, key) => [`k${key}`, 'v']))
  assert.equal(Object.keys(sessionMetadata(many, { utm_a: '1', utm_b: '2' })).length, 50)
  assert.deepEqual(sessionMetadata({ ...many, k49: 'v', k50: 'v' }, { utm_a: '1' }), { ...many, k49: 'v', k50: 'v' })
})

test('a link’s address cannot be guessed: 16 random letters and digits', () => {
  assert.match(newSlug(), /^[0-9a-z]{16}$/)
  assert.notEqual(newSlug(), newSlug())
})

test('a payment belongs to its session’s process, else to its subscription’s, else it is a deposit', () => {
  assert.deepEqual(paymentProcessOf({ id: 'pay_1', checkoutId: 'chk_1', subscriptionId: 'sub_1' }), [
    'checkout',
    'chk_1',
  ])
  assert.deepEqual(paymentProcessOf({ id: 'pay_1', checkoutId: null, subscriptionId: 'sub_1' }), [
    'subscription',
    'sub_1',
  ])
  assert.deepEqual(paymentProcessOf({ id: 'pay_1', checkoutId: null }), ['deposit', 'pay_1'])
})

test('a split is in the currency of its payment, and what rounding leaves over is the platform’s', () => {
  assert.equal(splitIn({}, null, 'USD'), null)
  assert.equal(splitIn({ platformFee: '1.5' }, null, 'USD'), '1.50')
  assert.equal(splitIn({ transferAmount: '2' }, '1600', 'NGN'), '3200.00')
  assert.equal(splitIn({ platformFee: null, transferAmount: '2' }, null, 'USD'), '2.00')
  const half = { part: '1', whole: '3' }
  assert.equal(splitOfPart('10.00', 'transfer', half, 'USD'), '3.33')
  assert.equal(splitOfPart('10.00', 'platform_fee', half, 'USD'), '3.34')
})

test('no more is promised of a sale than settles whichever way its buyer pays in its currency', () => {
  const sale = {
    amount: '1000',
    currency: 'NGN',
    feePreference: 'org_pays',
    corridors: ['NGN_BANK_TRANSFER', 'NGN_CARD', 'USD_CARD'],
  } as const
  assert.equal(leastSettled(sale), '885.00')
  assert.equal(leastSettled({ ...sale, corridors: ['NGN_CARD', 'NGN_BANK_TRANSFER'] }), '885.00')
  assert.equal(leastSettled({ ...sale, feePreference: 'customer_pays' }), '1000.00')
  assert.equal(leastSettled({ ...sale, corridors: ['USD_CARD'] }), null)
})

test('operators read of a session its amount and expiry, and of a deposit its account', () => {
  const owned = { accountId: 'acct_1', environment: 'live' }
  assert.deepEqual(aboutCheckout({ ...owned, status: 'open', amount: '5', currency: 'USD', expiresAt: new Date(0) }), {
    ...owned,
    status: 'open',
    waitingOn: 'buyer',
    summary: '5.00 USD, expires 1970-01-01T00:00:00.000Z',
  })
  assert.deepEqual(aboutDeposit({ ...owned, id: 'va_1' }), {
    ...owned,
    status: 'processing',
    waitingOn: 'rail',
    provider: 'paystack',
    summary: 'A deposit into va_1',
  })
  const updates = ['pay', 'confirm', 'cancel', 'accept', 'retry', 'markSettled', 'markFailed']
  assert.deepEqual(Object.keys(checkoutProcess.updates), updates)
  assert.deepEqual(Object.keys(depositProcess.updates), ['retry', 'markSettled', 'markFailed'])
})
