import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import type { PayoutOrder, PayoutTarget } from '../../rails/payout-rail.ts'
import type { Fault } from '../doubles/paystack/server.ts'
import { withHeldRows } from '../support/held-rows.ts'
import { invalidAccount, unknownAccount } from '../doubles/paystack/transfers.ts'
import { account, bank, errorOf, manyTimes, now, phone, refusalOf, unknownOf, usePaystack } from './paystack.ts'

const { double, database, paystack, open, sql } = await usePaystack()
const { payouts, holders } = paystack

const wallet: PayoutTarget = { ...bank, type: 'mobile_money', accountNumber: null, bankCode: null, accountName: null }

const payoutOrder = (rest: Partial<PayoutOrder<'live'>> = {}): PayoutOrder<'live'> => ({
  environment: 'live',
  payoutId: newId('pay', now),
  target: bank,
  amount: '1500.25',
  currency: 'NGN',
  reference: 'March salary',
  simulatedOutcome: null,
  ...rest,
})

const transferOf = (payoutId: string) => {
  const made = double.book.transfers.get(payoutId)
  assert.ok(made, 'Paystack has the transfer')
  return made
}
const sendings = () => double.countOf('POST /transfer') - double.countOf('POST /transferrecipient')

test('a payout is processing until Paystack says success, and what comes back after that is returned', async () => {
  const order = payoutOrder()
  const first = await payouts.payOut(order, now)
  const { transfer_code, executions, ...made } = transferOf(order.payoutId)
  assert.deepEqual(first, { status: 'processing', traceId: transfer_code, newsDueAt: null })
  assert.deepEqual(
    { amount: made.amount, currency: made.currency, reason: made.reason, executions },
    { amount: 150_025n, currency: 'NGN', reason: 'March salary', executions: 0 },
  )
  double.settle(order.payoutId, 'success')
  const answer = async () => (await payouts.lookUpPayout(order.payoutId, now)).status
  assert.equal(await answer(), 'completed')
  assert.equal((await payouts.payOut(order, now)).status, 'completed', 'the same order is the same payout')
  double.settle(order.payoutId, 'reversed')
  assert.equal(await answer(), 'returned')
  assert.equal(await answer(), 'returned', 'an answer may be repeated')
})

for (const status of ['failed', 'reversed', 'abandoned', 'blocked', 'rejected']) {
  test(`a transfer that is "${status}" without a success before has failed, and is not returned`, async () => {
    const order = payoutOrder()
    await payouts.payOut(order, now)
    double.settle(order.payoutId, status)
    const answer = await payouts.lookUpPayout(order.payoutId, now)
    assert.ok(answer.status === 'failed' && answer.reason === 'Paystack could not deliver the payout.')
    assert.equal((await payouts.payOut(order, now)).status, 'failed')
  })
}

test('a failure after a success revokes it, and a status that no document names is an unknown outcome', async () => {
  const order = payoutOrder()
  await payouts.payOut(order, now)
  double.settle(order.payoutId, 'success')
  await payouts.lookUpPayout(order.payoutId, now)
  for (const status of ['failed', 'abandoned', 'blocked', 'rejected']) {
    transferOf(order.payoutId).status = status
    assert.equal((await payouts.lookUpPayout(order.payoutId, now)).status, 'revoked')
  }
  for (const status of ['done', 'constructor']) {
    transferOf(order.payoutId).status = status
    await unknownOf(() => payouts.lookUpPayout(order.payoutId, now))
  }
})

const targets = [
  ['GHS', { ...bank, bankCode: '030100' }, { type: 'ghipss', account_number: account, bank_code: '030100' }],
  ['KES', { ...bank, bankCode: '01' }, { type: 'kepss', account_number: account, bank_code: '01' }],
  ['NGN', { ...bank, bankCode: '058' }, { type: 'nuban', account_number: account, bank_code: '058' }],
  // Paystack has codes of its own for these.
  ['NGN', { ...bank, bankCode: '090267' }, { type: 'nuban', account_number: account, bank_code: '50211' }],
  ['NGN', { ...bank, bankCode: '090405' }, { type: 'nuban', account_number: account, bank_code: '50515' }],
  ['NGN', { ...bank, bankCode: '100004' }, { type: 'nuban', account_number: account, bank_code: '999992' }],
  ['NGN', { ...bank, bankCode: '100033' }, { type: 'nuban', account_number: account, bank_code: '999991' }],
  [
    'GHS',
    { ...wallet, phoneNumber: phone.ghana, mobileProvider: 'vodafone' },
    { type: 'mobile_money', account_number: '0551234900', bank_code: 'VOD' },
  ],
  [
    'KES',
    { ...wallet, phoneNumber: phone.kenya, mobileProvider: 'mpesa' },
    { type: 'mobile_money', account_number: '0722000900', bank_code: 'MPESA' },
  ],
] as const
for (const [currency, target, recipient] of targets) {
  test(`a payout in ${currency} goes to ${recipient.bank_code}, an account of the type ${recipient.type}`, async () => {
    const order = payoutOrder({ target, currency })
    assert.equal((await payouts.payOut(order, now)).status, 'processing')
    const sent = double.calls.findLast(({ path }) => path === '/transferrecipient')?.body
    assert.deepEqual(sent, { ...recipient, currency, name: target.accountName ?? 'Account holder' })
  })
}

test('nothing is sent to destinations that Paystack does not have', async () => {
  const calls = double.calls.length
  const none = [
    payoutOrder({ currency: 'USD' }),
    payoutOrder({ target: { ...bank, bankCode: null } }),
    payoutOrder({ target: { ...wallet, phoneNumber: phone.kenya, mobileProvider: 'airtel' }, currency: 'KES' }),
    payoutOrder({ target: { ...wallet, phoneNumber: phone.kenya, mobileProvider: 'mtn' }, currency: 'GHS' }),
    payoutOrder({ target: { ...wallet, phoneNumber: phone.ghana, mobileProvider: 'toString' }, currency: 'GHS' }),
    payoutOrder({ target: { ...wallet, type: 'crypto_wallet' } }),
  ]
  for (const order of none) await refusalOf(() => payouts.payOut(order, now))
  assert.equal(double.calls.length, calls)
})

test('200 payouts whose answer was lost after Paystack had them are sent once each', async () => {
  const before = double.book.transfers.size
  await manyTimes(200, async (n) => {
    const order = payoutOrder({ target: { ...bank, accountNumber: String(10_000_000 + n) } })
    double.failsAbout(order.payoutId, 'POST /transfer', 'lost')
    await unknownOf(() => payouts.payOut(order, now))
    assert.equal((await payouts.payOut(order, now)).status, 'processing')
    double.settle(order.payoutId, 'success')
    assert.equal((await payouts.payOut(order, now)).status, 'completed')
    assert.equal(transferOf(order.payoutId).executions, 1)
  })
  assert.equal(double.book.transfers.size - before, 200)
})

const faults: Fault[] = ['cut', 'lost', 'hang', 'broken', 'nonsense', 'strange', 'huge', 401, 403, 429, 500]
for (const fault of faults) {
  test(`after "${fault}" for an answer a payout is unknown, and the repeated order is one transfer`, async () => {
    const hurried = await open({ timeoutMs: 250 })
    const order = payoutOrder()
    await unknownOf(() => (double.fails('POST /transferrecipient', fault), hurried.payouts.payOut(order, now)))
    double.failsAbout(order.payoutId, 'POST /transfer', fault)
    await unknownOf(() => hurried.payouts.payOut(order, now))
    double.fails('GET /transfer/verify', fault)
    await unknownOf(() => hurried.payouts.lookUpPayout(order.payoutId, now))
    double.worksAgain()
    assert.equal((await payouts.payOut(order, now)).status, 'processing')
    assert.equal([...double.book.transfers.keys()].filter((key) => key === order.payoutId).length, 1)
  })
}

test('payouts with one id at the same time are one transfer', async () => {
  const order = payoutOrder()
  const before = sendings()
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => payouts.payOut(order, now)))
  assert.ok(results.some(({ status }) => status === 'fulfilled'))
  for (const result of results) if (result.status === 'rejected') assert.match(String(result.reason), /is being sent/)
  assert.equal(sendings() - before, 1)
})

test('an order that comes after its cancellation is never sent, and has failed', async () => {
  const order = payoutOrder()
  const calls = double.calls.length
  const reason = 'The payout was canceled before it was sent.'
  const failed = { status: 'failed', reason, traceId: null, newsDueAt: null }
  assert.deepEqual(await payouts.cancelPayout(order.payoutId, now), failed)
  assert.deepEqual(await payouts.payOut(order, now), failed)
  assert.deepEqual(await payouts.lookUpPayout(order.payoutId, now), failed)
  assert.equal(double.calls.length, calls)
})

test('a cancellation of a payout that may have left says how it stands, or that nobody knows', async () => {
  const order = payoutOrder()
  await payouts.payOut(order, now)
  assert.equal((await payouts.cancelPayout(order.payoutId, now)).status, 'processing')
  const lost = payoutOrder()
  double.failsAbout(lost.payoutId, 'POST /transfer', 'cut')
  await unknownOf(() => payouts.payOut(lost, now))
  const before = sendings()
  for (const ask of [payouts.cancelPayout, payouts.lookUpPayout])
    assert.equal((await ask(lost.payoutId, now)).status, 'unknown')
  assert.equal((await payouts.payOut(lost, now)).status, 'unknown')
  assert.equal(sendings(), before, 'nothing is sent after the cancellation')
})

test('a payout that was never ordered is not found', async () => {
  assert.equal((await payouts.lookUpPayout(newId('pay', now), now)).status, 'not_found')
})

test('an account that is none is refused for good before anything is sent', async () => {
  const order = payoutOrder({ target: { ...bank, accountNumber: invalidAccount } })
  const before = sendings()
  await refusalOf(() => payouts.payOut(order, now))
  await refusalOf(() => payouts.payOut(order, now))
  assert.equal(sendings(), before)
  assert.equal((await payouts.lookUpPayout(order.payoutId, now)).status, 'failed')
})

test('an amount that Paystack does not send is refused; a balance of ours that is too low is no refusal', async () => {
  const small = payoutOrder({ amount: '99.99' })
  await refusalOf(() => payouts.payOut(small, now))
  const order = payoutOrder({ amount: '5000' })
  const { balance } = double.book
  double.book.balance = 100n
  await unknownOf(() => payouts.payOut(order, now))
  assert.equal((await payouts.lookUpPayout(order.payoutId, now)).status, 'unknown')
  double.book.balance = balance
  assert.equal((await payouts.payOut(order, now)).status, 'processing')
})

test('a success about another amount, currency or reference is an error and no success', async () => {
  for (const wrong of [{ amount: 150_024n }, { currency: 'GHS' }, { reference: 'pay_other' }]) {
    const order = payoutOrder()
    await payouts.payOut(order, now)
    double.settle(order.payoutId, 'success')
    const made = transferOf(order.payoutId)
    const right = { amount: made.amount, currency: made.currency, reference: made.reference }
    Object.assign(made, wrong)
    await unknownOf(() => payouts.lookUpPayout(order.payoutId, now))
    Object.assign(made, right)
    assert.equal((await payouts.lookUpPayout(order.payoutId, now)).status, 'completed')
  }
})

test('an amount beyond what JavaScript counts is sent with all its digits', async () => {
  const order = payoutOrder({ amount: '9007199254741.01' })
  double.book.balance += 10n ** 18n
  await payouts.payOut(order, now)
  assert.equal(transferOf(order.payoutId).amount, 900_719_925_474_101n)
})

test('a bank names the holder of an account; an account that it does not know is null', async () => {
  const asked = { currency: 'NGN', bankCode: '058', accountNumber: account }
  assert.equal(await holders.resolveAccount(asked), 'ADA OBI')
  assert.equal(await holders.resolveAccount({ ...asked, currency: 'GHS' }), 'ADA OBI')
  assert.equal(await holders.resolveAccount({ ...asked, bankCode: '100033' }), 'ADA OBI')
  assert.equal(double.calls.at(-1)?.query.get('bank_code'), '999991', 'Paystack’s own code of PalmPay')
  assert.equal(await holders.resolveAccount({ ...asked, accountNumber: unknownAccount }), null)
  const calls = double.calls.length
  await errorOf(() => holders.resolveAccount({ ...asked, currency: 'KES' }))
  assert.equal(double.calls.length, calls)
  for (const fault of [500, 401, 429, 'cut', 'strange', 'nonsense'] as const) {
    double.fails('GET /bank/resolve', fault)
    await errorOf(() => holders.resolveAccount(asked))
  }
})

test('a bank that does not answer keeps nobody waiting for more than five seconds', async () => {
  double.fails('GET /bank/resolve', 'hang')
  const startedAt = performance.now()
  await errorOf(() => holders.resolveAccount({ currency: 'NGN', bankCode: '058', accountNumber: account }))
  assert.ok(performance.now() - startedAt < 5_000)
})

test('a payout that has not left, because Paystack went down, does not count as sent', async () => {
  const weary = await open({ line: { failuresMax: 1, restsMs: 600_000 } })
  const order = payoutOrder()
  const known = [order.payoutId, order.amount]
  await sql(
    `insert into paystack_orders (id, kind, amount, currency, recipient_code) values (?, 'payout', ?, 'NGN', 'RCP_1')`,
    known,
  )
  const held = 'paystack_orders where id = ?'
  const { begun } = await withHeldRows(database, held, [order.payoutId], async (isReached) => {
    const started = unknownOf(() => weary.payouts.payOut(order, now))
    await isReached()
    double.fails('POST /transferrecipient', 'cut')
    await unknownOf(() => weary.payouts.payOut(payoutOrder(), now))
    return { begun: started }
  })
  await begun
  assert.equal((await weary.payouts.lookUpPayout(order.payoutId, now)).status, 'not_found')
  const canceled = await weary.payouts.cancelPayout(order.payoutId, now)
  assert.ok(canceled.status === 'failed' && canceled.reason === 'The payout was canceled before it was sent.')
})

test('no row holds the number or the name of an account', async () => {
  const rows = JSON.stringify(await sql('select * from paystack_orders'))
  assert.ok(rows.length > 1_000)
  for (const word of [account, 'Ada Obi', '551234900', '722000900', 'leakmarker']) assert.ok(!rows.includes(word), word)
})
