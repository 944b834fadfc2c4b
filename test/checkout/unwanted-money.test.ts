import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { checkoutActivities } from '../../activities/checkout/checkout.ts'
import { refundActivities } from '../../activities/refund.ts'
import { noChoice } from '../../api/checkout/payment-choice.ts'
import { PaymentRequest } from '../../db/checkout/payment.ts'
import type { Corridor } from '../../domain/corridor.ts'
import { newId } from '../../domain/id.ts'
import { isRefundEnded } from '../../domain/refund.ts'
import { checkBooks } from '../support/invariants.ts'
import { isAnybodyWaiting } from '../support/lock-waits.ts'
import { buyer, cards, mobileSale, transferSale } from '../support/merchant.ts'
import { addPlatform } from '../support/platform.ts'
import { changeAccount } from '../support/rows.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// The steps of the processes are called by the test, so that it chooses when each of them runs.
const stack = await useStack({ workers: false })
const api = await useApi(stack)
const { merchant } = stack
const deps = { ...stack.deps, database: { ...stack.database, clock: null, publicUrl: stack.baseUrl } }
const [checkouts, refunds] = [checkoutActivities(deps), refundActivities(deps)]

afterEach(async () => {
  await policy('accept')
  await stack.sql('delete from outbox') // no process runs
  assert.deepEqual(await checkBooks(stack.database), [])
})

const policy = (value: 'accept' | 'refund') => changeAccount(stack, stack.organizationId, { latePaymentPolicy: value })

/** Attempts to pay a session; the attempt's id. */
async function attempt(checkoutId: string, corridor: Corridor, how: Partial<PaymentRequest> = {}): Promise<string> {
  const at = Date.now()
  const id = newId('pay', at)
  const choice = { ...noChoice, corridor, railToken: null, encryptedReturnUrl: null, customerDetails: buyer, ...how }
  await deps.database.orm.em.fork().insert(PaymentRequest, { ...choice, id, checkoutId, createdAt: new Date(at) })
  await checkouts.attemptPayment(checkoutId, id, true, at)
  return id
}

async function payByCard(checkoutId: string): Promise<string> {
  const vault = deps.rails.in('sandbox').vaultOf('NGN_CARD')
  const card = { number: cards.success, exp_month: 12, exp_year: 2040, cvc: '123' }
  return attempt(checkoutId, 'NGN_CARD', { railToken: await vault.keepCard(card) })
}

let transfers = 0

/** A transfer at the bank, of which nobody has heard yet. */
const transfer = (paymentId: string, amount: string, sessionId = `transfer-${++transfers}`, sentAt = new Date()) =>
  stack.sql(
    `insert into simulated_deposits
       (account_id, session_id, payment_id, amount, sender_name, sender_bank, sender_account_number, created_at)
     select account_id, ?, id, ?, 'Chidi Sender', 'First Bank', '0123456789', ? from payments where id = ?`,
    [sessionId, amount, sentAt, paymentId],
  )

const lookUp = ({ checkoutId, paymentId }: Sale) => checkouts.lookUpPayment(checkoutId, paymentId, Date.now())

async function receive(one: Sale, amount: string): Promise<void> {
  await transfer(one.paymentId, amount)
  await lookUp(one)
}

type Sale = { checkoutId: string; paymentId: string }

/** A sale of 5,000 naira whose buyer is to send a transfer. */
async function begin(body: Record<string, unknown> = {}, seller = merchant): Promise<Sale> {
  const { checkout_id: checkoutId } = await seller.createCheckout({ ...transferSale, expires_in_minutes: 1, ...body })
  return { checkoutId, paymentId: await attempt(checkoutId, 'NGN_BANK_TRANSFER') }
}

async function expire({ checkoutId }: Sale): Promise<void> {
  await stack.sql(`update checkouts set expires_at = now() - interval '1 minute' where id = ?`, [checkoutId])
  await checkouts.expireCheckout(checkoutId, Date.now(), false)
}

const refundsOf = async ({ paymentId }: Sale) => {
  const rows = await stack.sql<{ id: string; status: string; reason: string | null; requested: string; fee: string }>(
    `select id, status, reason, trim_scale(requested_amount)::text as requested, trim_scale(fee_amount)::text as fee
     from refunds where charge_id = ? order by created_at, id`,
    [paymentId],
  )
  return rows
}

/** The refunds' processes, to their ends. */
async function endRefunds(one: Sale): Promise<void> {
  for (const { id, status } of await refundsOf(one)) {
    if (isRefundEnded(status)) continue
    const answer = await refunds.submitRefund(id, Date.now())
    if (answer === 'succeeded' || answer === 'failed') await refunds.closeRefund(id, answer, Date.now())
  }
}

/**
 * Lets the service refund the short payments of a session, and its merchant refund one of them at the moment between
 * what the service reads and what it writes. Returns the merchant's answer.
 */
async function refundBoth({ checkoutId, paymentId }: Sale) {
  const [hasRead, mayWrite] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const now = async () => {
    hasRead.resolve()
    await mayWrite.promise
    return Date.now()
  }
  const slow = checkoutActivities({ ...deps, database: { ...deps.database, clock: { now } } })
  const automatic = slow.returnShortPayments(checkoutId, Date.now())
  await hasRead.promise
  let isAnswered = false
  const call = merchant.call('POST', '/api/v1/payments/refunds', { charge_id: paymentId, reference: 'mine' })
  const answer = call.finally(() => (isAnswered = true))
  await until(async () => isAnswered || (await isAnybodyWaiting(stack.database)), 'the merchant is answered, or waits')
  mayWrite.resolve()
  await automatic
  return answer
}

for (const why of ['late money is refunded', 'the sale was paid by card'] as const) {
  test(`as ${why}, a short payment is refunded once, also if its merchant refunds it at the same moment`, async () => {
    await policy(why === 'late money is refunded' ? 'refund' : 'accept')
    const [one, other] = [await begin(), await begin()]
    for (const sale of [one, other]) await receive(sale, '1200.00')
    if (why === 'the sale was paid by card') await payByCard(one.checkoutId)
    else await expire(one)
    const mine = await refundBoth(one)
    assert.deepEqual([mine.status, mine.body['error_code']], [400, 'REFUND_EXCEEDS_REMAINING'])
    await endRefunds(one)
    assert.deepEqual(
      (await refundsOf(one)).map(({ status, requested }) => [status, requested]),
      [['succeeded', '1200']],
    )
    const sent = await stack.sql('select from simulated_refunds where payment_id = ?', [one.paymentId])
    assert.equal(sent.length, 1)
  })
}

const accept = ({ checkoutId, paymentId }: Sale) => checkouts.acceptPayment(checkoutId, paymentId, Date.now())

test('CONFLICT: a short payment of a sale that another payment has paid cannot be accepted', async () => {
  const one = await begin()
  await receive(one, '4900.00')
  await payByCard(one.checkoutId)
  await assert.rejects(accept(one), { code: 'CONFLICT' })
  assert.partialDeepStrictEqual(await merchant.getPayment(one.paymentId), { status: 'underpaid' })
  await checkouts.returnShortPayments(one.checkoutId, Date.now())
  await endRefunds(one)
  assert.partialDeepStrictEqual(await refundsOf(one), [{ status: 'succeeded', reason: 'duplicate', requested: '4900' }])
})

test('CONFLICT: nor can that of a sale that was paid late, as long as its merchant keeps some of that', async () => {
  const one = await begin()
  await receive(one, '4900.00')
  const late = { ...one, paymentId: await attempt(one.checkoutId, 'NGN_BANK_TRANSFER') }
  await expire(one)
  await receive(late, '5000.00')
  await assert.rejects(accept(one), { code: 'CONFLICT' })
  const refund = { charge_id: late.paymentId, reference: 'late', fee_bearer: 'CUSTOMER' }
  assert.equal((await merchant.call('POST', '/api/v1/payments/refunds', refund)).status, 201)
  await accept(one)
  assert.partialDeepStrictEqual(await merchant.getPayment(one.paymentId), { status: 'succeeded' })
})

test('a rail’s answer that is older than the last one does not lower what has arrived', async () => {
  const one = await begin()
  await receive(one, '1200.00')
  const [hasAsked, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slowly: typeof deps.rails.in = (environment) => {
    const rails = deps.rails.in(environment)
    const of: typeof rails.of = (corridor) => {
      const rail = rails.of(corridor)
      const lookUpSlowly: typeof rail.lookUp = async (...about) => {
        const answer = await rail.lookUp(...about)
        hasAsked.resolve()
        await mayAnswer.promise
        return answer
      }
      return { ...rail, lookUp: lookUpSlowly }
    }
    return { ...rails, of }
  }
  const slow = checkoutActivities({ ...deps, rails: { ...deps.rails, in: slowly } })
  const older = slow.lookUpPayment(one.checkoutId, one.paymentId, Date.now())
  await hasAsked.promise
  await receive(one, '1300.00')
  mayAnswer.resolve()
  await older
  const { status, amount_received } = await merchant.getPayment(one.paymentId)
  assert.deepEqual([status, amount_received], ['underpaid', '2500.00'])
})

/** The fields of the one event of a type about a payment. */
async function eventOf({ paymentId }: Sale, type: string): Promise<Record<string, unknown>> {
  const rows = await stack.sql<{ body: string }>('select body from events where resource_id = ? and type = ?', [
    paymentId,
    type,
  ])
  assert.equal(rows.length, 1)
  return JSON.parse(rows[0]?.body ?? '').data
}

test('what arrives again for a duplicate goes back as the first did, and its event does not say late', async () => {
  const one = await begin()
  await payByCard(one.checkoutId)
  const before = (await merchant.call('GET', '/v1/balances')).text
  await receive(one, '5000.00')
  const event = await eventOf(one, 'collection.succeeded')
  assert.deepEqual([event['duplicate'], event['late']], [true, undefined])
  await receive(one, '700.00')
  await endRefunds(one)
  assert.deepEqual(
    (await refundsOf(one)).map(({ status, reason, requested, fee }) => [status, reason, requested, fee]),
    [
      ['succeeded', 'duplicate', '5000', '0'],
      ['succeeded', 'duplicate', '700', '0'],
    ],
  )
  assert.equal((await merchant.call('GET', '/v1/balances')).text, before)
})

test('what arrives again for a payment that was too late goes back as the first did', async () => {
  const { platform, seller } = await addPlatform(api)
  await changeAccount(stack, platform.accountId, { latePaymentPolicy: 'refund' })
  const share = { transfer_data: { destination: seller.accountId, amount: '4000.00' } }
  const one = await begin(share, platform.merchant)
  await expire(one)
  await receive(one, '5000.00')
  await endRefunds(one)
  await receive(one, '5000.00')
  await endRefunds(one)
  assert.deepEqual(
    (await refundsOf(one)).map(({ status, reason, requested, fee }) => [status, reason, requested, fee]),
    [
      ['succeeded', 'late payment', '4950', '25'], // the fee of the sale was paid
      ['succeeded', 'late payment', '5000', '25'],
    ],
  )
  const [passedOn] = await stack.sql<{ isWhole: boolean }>(
    `select amount = reversed_amount as "isWhole" from transfers where payment_id = ?`,
    [one.paymentId],
  )
  assert.deepEqual(passedOn, { isWhole: true }, 'the seller has given the share back once')
})

test('a second late payment of a session is a duplicate, unless the first was refunded', async () => {
  const first = await begin()
  const second = { ...first, paymentId: await attempt(first.checkoutId, 'NGN_BANK_TRANSFER') }
  const third = { ...first, paymentId: await attempt(first.checkoutId, 'NGN_BANK_TRANSFER') }
  await expire(first)
  await receive(first, '5000.00')
  await receive(second, '5000.00')
  assert.deepEqual(await refundsOf(first), [])
  assert.partialDeepStrictEqual(await refundsOf(second), [{ reason: 'duplicate', requested: '5000', fee: '0' }])
  await endRefunds(second)
  const refund = { charge_id: first.paymentId, reference: 'late', fee_bearer: 'CUSTOMER' }
  assert.equal((await merchant.call('POST', '/api/v1/payments/refunds', refund)).status, 201)
  await receive(third, '5000.00')
  assert.deepEqual(await refundsOf(third), [], 'its merchant has given the first back, and keeps this one')
})

test('a late payment beside a part that was accepted goes back as a duplicate', async () => {
  const short = await begin()
  const whole = { ...short, paymentId: await attempt(short.checkoutId, 'NGN_BANK_TRANSFER') }
  await receive(short, '1000.00')
  await expire(short)
  await accept(short)
  await receive(whole, '5000.00')
  assert.partialDeepStrictEqual(await refundsOf(whole), [{ reason: 'duplicate', requested: '5000', fee: '0' }])
  assert.deepEqual(await refundsOf(short), [])
})

test('what arrives beside a late payment that is accepted is kept, also if the policy changes afterwards', async () => {
  const one = await begin()
  await expire(one)
  await receive(one, '5000.00')
  await receive(one, '300.00')
  assert.deepEqual(await refundsOf(one), [])
  await policy('refund')
  await receive(one, '400.00')
  await endRefunds(one)
  assert.deepEqual(
    (await refundsOf(one)).map(({ reason, requested }) => [reason, requested]),
    [['late payment', '400']],
    'only what has arrived since',
  )
})

test('what arrives after a part was accepted goes back, and its seller keeps the share of the part', async () => {
  const { platform, seller } = await addPlatform(api)
  const share = { transfer_data: { destination: seller.accountId, amount: '4000.00' } }
  const one = await begin(share, platform.merchant)
  await receive(one, '1000.00')
  await expire(one)
  await accept(one)
  const passedOn = await transfersOf(one)
  await receive(one, '4000.00')
  const [refund] = await refundsOf(one)
  assert.partialDeepStrictEqual(refund, { reason: 'rest of a short payment', requested: '4000', fee: '25' })
  const events = await stack.sql('select type from events where resource_id = ?', [refund?.id])
  assert.deepEqual(events, [{ type: 'refund.created' }])
  await endRefunds(one)
  const payment = await platform.merchant.getPayment(one.paymentId)
  assert.deepEqual([payment['amount_received'], payment['refunded_amount']], ['5000.00', '4000.00'])
  assert.deepEqual(await transfersOf(one), passedOn)
})

test('two rests that arrive at one moment of a test clock go back one by one, in whatever order', async () => {
  const one = await begin()
  await receive(one, '1000.00')
  await expire(one)
  await accept(one)
  const moment = new Date()
  for (const [sessionId, amount] of [
    ['rest-b', '1500.00'],
    ['rest-a', '2500.00'],
  ] as const) {
    await transfer(one.paymentId, amount, sessionId, moment)
    await lookUp(one)
  }
  assert.deepEqual((await refundsOf(one)).map(({ requested }) => requested).toSorted(), ['1500', '2500'])
  await endRefunds(one)
})

const transfersOf = ({ paymentId }: Sale) =>
  stack.sql('select amount, reversed_amount from transfers where payment_id = ?', [paymentId])

test('a lost callback about the rest only delays it: the rail is asked once more', async () => {
  const one = await begin()
  await receive(one, '1000.00')
  await expire(one)
  const accepted = await accept(one)
  assert.equal(accepted.awaitsMoney, true)
  await transfer(one.paymentId, '4000.00')
  await checkouts.lookUpOpenAttempts(one.checkoutId, Date.now())
  assert.partialDeepStrictEqual(await refundsOf(one), [{ requested: '4000' }])
})

test('money that arrives for an attempt that its rail had failed leaves no failure code', async () => {
  const railToken = await deps.rails.in('sandbox').vaultOf('MOMO_KES').keepPhone('+254700000004')
  const { checkout_id: checkoutId } = await merchant.createCheckout(mobileSale)
  const one = { checkoutId, paymentId: await attempt(checkoutId, 'MOMO_KES', { railToken, provider: 'mpesa' }) }
  await checkouts.lookUpPayment(checkoutId, one.paymentId, Date.now() + 5_000)
  const failed = { status: 'failed', failure_code: 'customer_rejected' }
  assert.partialDeepStrictEqual(await merchant.getPayment(one.paymentId), failed)
  await stack.sql(`update simulated_prompts set status = 'succeeded', executions = 1 where payment_id = ?`, [
    one.paymentId,
  ])
  await lookUp(one)
  const paid = { status: 'succeeded', failure_code: null, failure_message: null }
  assert.partialDeepStrictEqual(await merchant.getPayment(one.paymentId), paid)
})
