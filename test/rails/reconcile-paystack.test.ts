import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { test } from 'node:test'
import type { Comparison } from '../../domain/reconciliation.ts'
import { newId } from '../../domain/id.ts'
import { openStatement } from '../../rails/open-statement.ts'
import { compareDay } from '../../scripts/reconcile/compare-day.ts'
import { asJson, printed } from '../../scripts/reconcile/print.ts'
import { beginPayout, beginRefund, ownDispute, ownPayment } from '../support/own-money.ts'
import { atEnd } from '../support/use.ts'
import { bank, errorOf, marker, referenceOf, secretKey, transferOrder, usePaystack } from './paystack.ts'

// What Paystack's double has of a day against our rows and our ledger, both made by the code that makes them in live.
const { double, database, paystack, sql } = await usePaystack()
const { charges, refunds, payouts } = paystack
const dayMs = 86_400_000
const from = Date.parse('2026-11-20T00:00:00Z')
const noon = from + dayMs / 2
const span = { from, to: from + dayMs }

const access = { secretKey, callbackSecrets: [secretKey], url: double.url, livemode: true }
const pauses: number[] = []
const opened = openStatement(
  'paystack',
  { stripe: null, paystack: access },
  database,
  async (ms) => void pauses.push(ms),
)
assert.ok(opened)
atEnd(opened.close)

/** Compares, and checks that the answer has nothing of a buyer. */
async function compare(within = span): Promise<Comparison> {
  const found = await compareDay(database, opened!.statement, within)
  const said = inspect(asJson('paystack', '2026-11-20', found), { depth: 10 }) + printed(found).join('\n')
  assert.doesNotMatch(said, new RegExp(`${marker}|Ada Obi|4321|551234`))
  return found
}
const shown = ({ differences }: Comparison) => differences.map(({ reason, kind }) => `${kind} ${reason}`)

const naira = { currency: 'NGN', corridor: 'NGN_BANK_TRANSFER' } as const

/** A transfer of a buyer that both sides have; begun and paid at these moments by Paystack's clock, booked at `at`. */
type Times = { begunAt?: number; paidAt?: number; at?: number; isHere?: boolean }

async function sale({ begunAt = noon, paidAt = noon, at = noon, isHere = true }: Times = {}) {
  const order = transferOrder()
  const { paymentId: id, amount } = order
  const reference = referenceOf(id)
  await charges.charge(order, at)
  double.transfer(reference, 250_050n)
  const made = double.read(reference)
  Object.assign(made, { createdAt: begunAt, paidAt })
  await charges.lookUp(id, at)
  if (isHere) await ownPayment(database, { ...naira, id, amount }, at, String(made.id))
  return { id, made, reference }
}

/** A payout that both sides have. */
async function payout(amount: string) {
  const own = await beginPayout(database, amount, 'NGN', noon)
  const order = {
    environment: 'live' as const,
    payoutId: own.id,
    target: bank,
    reference: null,
    simulatedOutcome: null,
  }
  await payouts.payOut({ ...order, amount, currency: 'NGN' }, noon)
  double.settle(own.id, 'success')
  await own.complete()
  const made = double.book.transfers.get(own.id)
  assert.ok(made)
  made.createdAt = noon
  return { id: own.id, made }
}

/** Changes something of Paystack's for the time of a comparison. */
async function whileChanged<T extends object>(entry: T, change: Partial<T>, within = span) {
  const before = { ...entry }
  Object.assign(entry, change)
  const found = await compare(within)
  Object.assign(entry, before)
  return found
}

const plain = await sale()
await sale({ begunAt: from - 6 * 3_600_000, paidAt: from + 1_000, at: from + 5_000 })
const refunded = await sale()
const own = await beginRefund(database, refunded.id, '500.00', noon)
const refundOrder = { refundId: own.id, paymentId: refunded.id, amount: '500.00', ...naira, reference: 'R-1' }
await refunds.refund({
  ...refundOrder,
  environment: 'live',
  address: null,
  transferReference: null,
  simulatedOutcome: null,
})
double.settleRefund(own.id, 'processed')
await own.end('succeeded')
const back = double.refundsOf(own.id)[0]
assert.ok(back)
back.createdAt = noon
const out = await payout('1500.25')

test('a day on which both sides say the same: transfers, one paid after midnight, a refund and a payout', async () => {
  const before = double.calls.length
  const found = await compare()
  assert.deepEqual(found.differences, [])
  assert.deepEqual(
    found.totals.map(({ kind, currency, theirs, ours }) => [kind, currency, theirs, ours]),
    [
      ['payment', 'NGN', { count: 3, amount: '7501.5' }, { count: 3, amount: '7501.5' }],
      ['refund', 'NGN', { count: 1, amount: '500' }, { count: 1, amount: '500' }],
      ['payout', 'NGN', { count: 1, amount: '1500.25' }, { count: 1, amount: '1500.25' }],
    ],
  )
  assert.ok(double.calls.slice(before).every(({ method }) => method === 'GET'))
  const dayBefore = await compare({ from: from - dayMs, to: from })
  assert.deepEqual([dayBefore.differences, dayBefore.totals], [[], []], 'it was begun then, and paid later')
})

test('another amount, currency or status of each kind is found', async () => {
  const amount = await whileChanged(plain.made, { amount: 250_051n })
  assert.deepEqual(shown(amount), ['payment amount'])
  assert.match(printed(amount).join('\n'), /theirs: 2500\.51 NGN, settled \(success\)/)
  assert.deepEqual(shown(await whileChanged(plain.made, { currency: 'GHS' })), ['payment currency'])
  for (const status of ['failed', 'abandoned', 'ongoing'])
    assert.deepEqual(shown(await whileChanged(plain.made, { status })), ['payment status'], status)
  assert.deepEqual(shown(await whileChanged(plain.made, { status: 'reversed' })), [], 'it was paid, and went back')
  assert.deepEqual(shown(await whileChanged(back, { amount: 49_999n })), ['refund amount'])
  for (const status of ['failed', 'pending', 'needs-attention'])
    assert.deepEqual(shown(await whileChanged(back, { status })), ['refund status'], status)
  assert.deepEqual(shown(await whileChanged(out.made, { amount: 150_026n })), ['payout amount'])
  for (const status of ['failed', 'reversed', 'pending', 'otp'])
    assert.deepEqual(shown(await whileChanged(out.made, { status })), ['payout status'], status)
})

test('a payment that was paid late, and whose callback was lost, is found on the day of payment', async () => {
  const lost = await sale({ begunAt: from - 3_600_000, paidAt: from + 60_000, isHere: false })
  const found = await compare()
  assert.deepEqual(
    found.differences.map(({ reason, ourId }) => [reason, ourId]),
    [['not_here', lost.id]],
  )
  assert.deepEqual(shown(await compare({ from: from - dayMs, to: from })), [])
  double.book.transactions.delete(lost.reference)
  const kept = await sale({ begunAt: noon - 14 * dayMs, paidAt: noon, isHere: false })
  assert.deepEqual(shown(await compare()), ['payment not_here'], 'its page was open for two weeks')
  double.book.transactions.delete(kept.reference)
})

test('money that Paystack has and we do not: also without a line in the book, and what was made by hand', async () => {
  const unbooked = await sale({ isHere: false })
  await sql('delete from paystack_orders where id = ?', [unbooked.id])
  assert.deepEqual(shown(await compare()), ['payment not_here'])
  double.book.transactions.delete(unbooked.reference)
  const byHand = { ...back, id: 77n, merchant_note: 'Refund for a friend', createdAt: noon }
  double.book.refunds.push(byHand)
  const hand = await compare()
  assert.deepEqual(shown(hand), ['refund not_here'])
  assert.equal(hand.differences[0]?.paymentId, refunded.id)
  byHand.merchant_note = own.id
  assert.deepEqual(shown(await compare()), ['refund twice'], 'our refund was sent a second time')
  double.book.refunds.pop()
  const payoutId = newId('pay', noon)
  double.book.transfers.set(payoutId, { ...out.made, id: 78n, reference: payoutId })
  assert.deepEqual(shown(await compare()), ['payout not_here'])
  double.book.transfers.delete(payoutId)
})

test('money that we have and Paystack does not', async () => {
  double.book.transactions.delete(plain.reference)
  assert.deepEqual(shown(await compare()), ['payment not_there'])
  double.book.transactions.set(plain.reference, plain.made)
  double.book.transfers.delete(out.id)
  assert.deepEqual(shown(await compare()), ['payout not_there'])
  double.book.transfers.set(out.id, out.made)
  const [refund] = double.book.refunds.splice(0, 1)
  assert.deepEqual(shown(await compare()), ['refund not_there'])
  if (refund) double.book.refunds.push(refund)
  assert.deepEqual(shown(await compare()), [])
})

test('a dispute that was lost, one that is open here only, and one that we do not have', async () => {
  const theirs = double.disputes(plain.reference, { createdAt: noon })
  assert.deepEqual(shown(await compare()), ['dispute not_here'])
  await sql(`update payments set corridor = 'NGN_CARD' where id = ?`, [plain.id])
  const ours = await ownDispute(database, plain.id, String(theirs.id), '2500.50', noon)
  assert.deepEqual(shown(await compare()), [])
  // Evidence was answered with 0, which Paystack may show in place of the claim.
  Object.assign(theirs, { status: 'awaiting-bank-feedback', resolution: 'declined', refund_amount: 0n })
  assert.deepEqual(shown(await compare()), [])
  Object.assign(theirs, { status: 'resolved', resolution: 'auto-accepted' })
  assert.deepEqual(shown(await compare()), ['dispute status'])
  await ours.end('lost')
  assert.deepEqual(shown(await compare()), [])
  assert.deepEqual(shown(await whileChanged(theirs, { refund_amount: 100n })), ['dispute amount'])
  assert.deepEqual(shown(await whileChanged(theirs, { resolution: 'declined' })), ['dispute status'])
})

test('a claim of a part that is shown as 0, after it was answered with evidence, is not compared', async () => {
  const { id, reference } = await sale()
  await sql(`update payments set corridor = 'NGN_CARD' where id = ?`, [id])
  const theirs = double.disputes(reference, { createdAt: noon, refund_amount: 100_000n })
  const unknown = await whileChanged(theirs, { refund_amount: 0n })
  assert.deepEqual(shown(unknown), ['dispute not_here'])
  assert.match(printed(unknown).join('\n'), /theirs: unknown amount in NGN, open \(awaiting-merchant-feedback\)/)
  const ours = await ownDispute(database, id, String(theirs.id), '1000.00', noon)
  assert.deepEqual(shown(await compare()), [])
  const answered = { status: 'awaiting-bank-feedback', resolution: 'declined', refund_amount: 0n }
  assert.deepEqual(shown(await whileChanged(theirs, answered)), [])
  await ours.end('lost')
  Object.assign(theirs, { status: 'resolved', resolution: 'auto-accepted' })
  const [named, unnamed] = [await compare(), await whileChanged(theirs, { refund_amount: 0n })]
  assert.deepEqual([shown(named), shown(unnamed)], [[], []])
  assert.deepEqual(unnamed.totals, named.totals, 'the sums count what we have of it')
})

/** A live virtual account of ours with this number. */
async function virtualAccount(number: string) {
  const [id, customerId] = [`va_${number}`, `cust_${number}`]
  const owner = ['acct_of_the_test', 'live'] as const
  await sql(
    `insert into customers (id, account_id, environment, email, metadata, created_at, updated_at)
     values (?, ?, ?, ?, '{}', now(), now())`,
    [customerId, ...owner, `${marker}.${number}@example.com`],
  )
  await sql(
    `insert into virtual_accounts (id, account_id, environment, customer_id, currency, account_number, account_name,
       bank_code, bank_name, status, created_at)
     values (?, ?, ?, ?, 'NGN', ?, 'Ada', '035', 'Wema Bank', 'active', now())`,
    [id, ...owner, customerId, number],
  )
  return id
}

/** A transfer into a virtual account that Paystack has. */
function deposit(number: string) {
  const reference = newId('pay', noon).replace('pay_', 'T')
  const made = double.deposits(reference, number, 100_000n)
  return Object.assign(made, { createdAt: noon, paidAt: noon })
}

test('a transfer into a virtual account of which we never heard is a difference, if it is ours', async () => {
  const number = '9900000002'
  const made = deposit(number)
  const foreign = await compare()
  assert.deepEqual([shown(foreign), foreign.foreignCount], [[], 1])
  await virtualAccount(number)
  const lost = await compare()
  assert.deepEqual([shown(lost), lost.foreignCount], [['payment not_here'], 0])
  assert.match(printed(lost).join('\n'), /theirs: 1000 NGN, settled \(success\)/)
  const unsaid = [{ authorization: {} }, { authorization: null }, { authorization: undefined }, { channel: null }]
  for (const change of [...unsaid, { status: 'reversed' }]) {
    const found = await whileChanged(made, change as object)
    assert.deepEqual([shown(found), found.foreignCount], [[], 1], inspect(change))
  }
  double.book.transactions.delete(made.reference)
})

test('a transfer into a virtual account is found by Paystack’s reference; one into another is not ours', async () => {
  const id = newId('pay', noon)
  const made = deposit('9900000001')
  const { reference } = made
  const foreign = await compare()
  assert.deepEqual([foreign.differences, foreign.foreignCount], [[], 1])
  const accountId = await virtualAccount('9900000001')
  await ownPayment(database, { ...naira, id, amount: '1000.00' }, noon)
  await sql(
    `insert into deposits (id, environment, virtual_account_id, session_id, created_at)
     values (?, 'live', ?, ?, now())`,
    [id, accountId, reference],
  )
  const found = await compare()
  assert.deepEqual([found.differences, found.foreignCount], [[], 0])
  assert.deepEqual(shown(await whileChanged(made, { amount: 99_999n })), ['payment amount'])
  double.book.refunds.push({ ...back, id: 79n, transaction: made.id, amount: 100_000n, merchant_note: 'By hand' })
  const byHand = await compare()
  assert.deepEqual(
    byHand.differences.map(({ reason, kind, paymentId }) => [reason, kind, paymentId]),
    [['not_here', 'refund', id]],
  )
  double.book.refunds.pop()
  double.book.transactions.delete(reference)
  assert.deepEqual(shown(await compare()), ['payment not_there'])
  double.book.transactions.set(reference, made)
})

test('lists of several pages are read whole, also if a page is shorter than was asked for', async () => {
  const others = Array.from({ length: 230 }, (_, index) => `other${index}`)
  for (const [index, reference] of others.entries())
    double.book.transactions.set(reference, { ...plain.made, id: BigInt(index + 1), reference })
  double.book.pageMax = 40
  const found = await compare()
  double.book.pageMax = 100
  assert.deepEqual([found.differences, found.foreignCount], [[], 230])
  for (const reference of others) double.book.transactions.delete(reference)
})

test('a limit is waited for, a failure is asked again, and what cannot be read ends it', async () => {
  pauses.length = 0
  double.fails('GET /transaction', 429)
  double.fails('GET /refund', 'cut')
  double.fails('GET /transfer', 500, 2)
  assert.deepEqual(shown(await compare()), [])
  assert.deepEqual(pauses, [7000, 1000, 1000, 2000])
  for (const fault of [401, 403] as const) {
    double.fails('GET /transaction', fault)
    await errorOf(() => compare())
  }
  assert.deepEqual(pauses.length, 4, 'a refused key is not tried again')
  double.fails('GET /transaction', 'strange')
  await errorOf(() => compare())
  double.worksAgain()
  plain.made.domain = 'test'
  await errorOf(() => compare())
  plain.made.domain = 'live'
})
