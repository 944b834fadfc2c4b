import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { checkoutActivities } from '../../activities/checkout/checkout.ts'
import { assertFieldErrors } from '../support/api.ts'
import { sale, transferSale } from '../support/merchant.ts'
import { patiently } from '../support/patiently.ts'
import { addPlatform, balanceOf, changesOf, onlyOne } from '../support/platform.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'

const stack = await useStack()
const api = await useApi(stack)
afterEach(async () => {
  await stack.dispatched()
  const open = `select from refunds where status in ('pending', 'processing')`
  await until(async () => (await stack.sql(open)).length === 0, 'all refunds have ended')
  await assertInvariants(stack)
})

const hundred = { ...sale, amount: '100.00', reference: 'order-7' } // 96.80 settle
const refundOf = async (
  charge: string,
  merchant: Awaited<ReturnType<typeof api.addMerchant>>['merchant'],
  body: object,
) => {
  const { refund_id } = await merchant.refund(charge, { fee_bearer: 'CUSTOMER', ...body })
  const ended = async () => ['succeeded', 'failed'].includes(String((await merchant.getRefund(refund_id))['status']))
  await until(ended, 'the refund has ended')
  return refund_id
}

test('a sale with a platform fee pays it when it settles, and both become available together', async () => {
  const { platform, seller } = await addPlatform(api)
  const charge = await seller.merchant.chargeByCard({ ...hundred, platform_fee: '10.00' })
  assert.deepEqual(await balanceOf(seller.merchant), ['0.00', '86.80', '0.00', '0.00'])
  assert.deepEqual(await balanceOf(platform.merchant), ['0.00', '10.00', '0.00', '0.00'])
  assert.deepEqual(await changesOf(seller.merchant), [
    ['payment', '96.80', '96.80'],
    ['platform_fee', '-10.00', '86.80'],
  ])
  const { id, row } = await onlyOne(platform.merchant, '/v1/platform-fees')
  const { available_at, created_at, updated_at, ...rest } = row
  assert.deepEqual(rest, {
    platform_fee_id: id,
    status: 'succeeded',
    account_id: seller.accountId,
    amount: '10.00',
    currency: 'USD',
    payment_id: charge,
    reference: 'order-7',
    refunded_amount: '0.00',
  })
  assert.equal(Date.parse(String(available_at)) - Date.parse(String(created_at)), 2 * 86_400_000)
  assert.equal(updated_at, created_at)
  const events = await stack.sql<{ type: string; account_id: string }>(
    `select type, account_id from events where account_id in (?, ?) order by created_at, id`,
    [seller.accountId, platform.accountId],
  )
  assert.deepEqual(
    events.map(({ type, account_id }) => [type, account_id === platform.accountId]),
    [
      ['collection.succeeded', false],
      ['platform_fee.created', true],
      ['checkout.completed', false],
    ],
  )
})

test('a sale with transfer_data passes the share on when it settles', async () => {
  const { platform, seller } = await addPlatform(api)
  const transfer_data = { destination: seller.accountId, amount: '70.00' }
  const charge = await platform.merchant.chargeByCard({ ...hundred, transfer_data })
  assert.deepEqual(await balanceOf(platform.merchant), ['0.00', '26.80', '0.00', '0.00'])
  assert.deepEqual(await balanceOf(seller.merchant), ['0.00', '70.00', '0.00', '0.00'])
  assert.deepEqual(await changesOf(seller.merchant), [['transfer', '70.00', '70.00']])
  const { row } = await onlyOne(platform.merchant, '/v1/transfers')
  assert.deepEqual(
    [row['source'], row['destination'], row['payment_id'], row['amount']],
    [platform.accountId, seller.accountId, charge, '70.00'],
  )
})

test('a share of a converted sale moves in the currency that was paid, at the rate of its payment', async () => {
  const { platform, seller } = await addPlatform(api)
  const transfer_data = { destination: seller.accountId, amount: '10.00' }
  const charge = await platform.merchant.chargeByTransfer({ ...sale, amount: '25.00', transfer_data })
  const payment = await platform.merchant.getPayment(charge)
  assert.equal(payment['currency'], 'NGN')
  const [{ rate } = { rate: '' }] = await stack.sql<{ rate: string }>('select rate from payments where id = ?', [
    charge,
  ])
  const moved = (Number(rate) * 10).toFixed(2)
  assert.deepEqual(await balanceOf(seller.merchant, 'NGN'), [moved, '0.00', '0.00', '0.00'])
  assert.equal(await balanceOf(seller.merchant, 'USD'), null)
})

test('a sale whose fee takes all of it is completed, and passes nothing on', async () => {
  const { platform, seller } = await addPlatform(api)
  // 400 naira are 0.25 dollars, all of which is the fee; the share of 5 naira is less than a cent.
  const tiny = { ...sale, amount: '400.00', currency: 'NGN' }
  const transfer_data = { destination: seller.accountId, amount: '5.00' }
  for (const [merchant, split] of [
    [seller.merchant, { platform_fee: '5.00' }],
    [platform.merchant, { transfer_data }],
  ] as const) {
    const session = await merchant.createCheckout({ ...tiny, ...split })
    const { payment_id } = await merchant.payByCard(session)
    const { status, amount, currency } = await merchant.getPayment(String(payment_id))
    assert.deepEqual([status, amount, currency], ['succeeded', '0.25', 'USD'])
    assert.equal((await merchant.getCheckout(session.checkout_id))['status'], 'completed')
    assert.equal(await balanceOf(merchant), null)
  }
  const made = await Promise.all(
    ['/v1/platform-fees', '/v1/transfers'].map((path) => platform.merchant.call('GET', path)),
  )
  assert.deepEqual(
    made.map(({ body }) => body['items']),
    [[], []],
  )
})

test('an organization of its own pays a platform fee to itself: its balance is unchanged', async () => {
  const { merchant } = await api.addMerchant()
  await merchant.chargeByCard({ ...hundred, platform_fee: '10.00' })
  assert.deepEqual(await balanceOf(merchant), ['0.00', '96.80', '0.00', '0.00'])
  const { id } = await onlyOne(merchant, '/v1/platform-fees')
  assert.equal((await merchant.call('POST', `/v1/platform-fees/${id}/refund`, {})).status, 200)
  assert.deepEqual(await balanceOf(merchant), ['0.00', '96.80', '0.00', '0.00'])
})

test('of a short payment that is accepted, the share is the same part as of the sale', async () => {
  const { platform, seller } = await addPlatform(api)
  const transfer_data = { destination: seller.accountId, amount: '1000.00' }
  const session = await platform.merchant.createCheckout({ ...transferSale, transfer_data, expires_in_minutes: 30 })
  const { payment_id } = await platform.merchant.payByTransfer(session)
  await platform.merchant.deposit(payment_id, { amount: '2500.00' })
  await platform.merchant.cancel(session.checkout_id)
  const accepted = await platform.merchant.call('POST', `/v1/payments/${payment_id}/accept`, {})
  assert.equal(accepted.status, 200, accepted.text)
  const { row } = await onlyOne(platform.merchant, '/v1/transfers')
  const [, whole] = await stack
    .sql<{ settles: string }>('select settles from payments where id = ?', [payment_id])
    .then(([found]) => [found, found?.settles])
  assert.ok(Number(row['amount']) > 480 && Number(row['amount']) < 510, `${String(row['amount'])} of ${whole}`)
})

test('of a short payment that is accepted, a share of less than a kobo is not passed on', async () => {
  const { platform, seller } = await addPlatform(api)
  const transfer_data = { destination: seller.accountId, amount: '0.50' }
  const session = await platform.merchant.createCheckout({ ...transferSale, transfer_data, expires_in_minutes: 30 })
  const { payment_id } = await platform.merchant.payByTransfer(session)
  await platform.merchant.deposit(payment_id, { amount: '50.00' })
  await platform.merchant.cancel(session.checkout_id)
  const accepted = await platform.merchant.call('POST', `/v1/payments/${payment_id}/accept`, {})
  assert.equal(accepted.status, 200, accepted.text)
  const { body } = await platform.merchant.call('GET', '/v1/transfers')
  assert.deepEqual(body['items'], [])
})
test('of a short payment that is accepted with more than its price, the share is no more than promised', async () => {
  const { platform, seller } = await addPlatform(api)
  const transfer_data = { destination: seller.accountId, amount: '3000.00' }
  const session = await platform.merchant.createCheckout({ ...transferSale, transfer_data, expires_in_minutes: 30 })
  const { payment_id } = await platform.merchant.payByTransfer(session)
  await platform.merchant.deposit(payment_id, { amount: '1200.00' })
  await platform.merchant.cancel(session.checkout_id)
  await refundOf(payment_id, platform.merchant, { amount: 700 })
  await platform.merchant.deposit(payment_id, { amount: '10000.00' })
  const accepted = await platform.merchant.call('POST', `/v1/payments/${payment_id}/accept`, {})
  assert.equal(accepted.status, 200, accepted.text)
  // Of 10,500.00 the price of 5,000.00 has paid the fee of 50.00. The surplus is free, and promised to nobody.
  assert.deepEqual(await balanceOf(seller.merchant, 'NGN'), ['3000.00', '0.00', '0.00', '0.00'])
  assert.deepEqual(await balanceOf(platform.merchant, 'NGN'), ['7450.00', '0.00', '0.00', '0.00'])
  for (const [amount, left] of [
    [5500, '3000.00'],
    [2475, '1500.00'],
  ] as const) {
    await refundOf(payment_id, platform.merchant, { amount, reverse_transfer: true })
    assert.deepEqual(await balanceOf(seller.merchant, 'NGN'), [left, '0.00', '0.00', '0.00'])
  }
})

/** A transfer after the sale is paid, as the sandbox lets nobody send it. */
async function sendMore(checkoutId: string, paymentId: string, amount: string): Promise<void> {
  await stack.sql(
    `insert into simulated_deposits
       (account_id, session_id, payment_id, amount, sender_name, sender_bank, sender_account_number, created_at)
     select account_id, 'more-' || id, id, ?, 'Ada', 'Bank', '0123456789', now() from payments where id = ?`,
    [amount, paymentId],
  )
  await checkoutActivities(stack.deps).lookUpPayment(checkoutId, paymentId, Date.now())
}

// 4,950.00 of 5,000.00 settle. Refunds return first what was sent too much, as nothing of it was passed on.
type Step = { refund: number; left: string; keepsShare?: boolean } | { more: string }
const tooMuch: Record<string, { sent: string; steps: Step[] }> = {
  'refunded alone': {
    sent: '7500.00',
    steps: [
      { refund: 2500, left: '3000.00' },
      { refund: 2475, left: '1500.00' },
    ],
  },
  'refunded together with a part': { sent: '7500.00', steps: [{ refund: 4975, left: '1500.00' }] },
  'refunded without the share': {
    sent: '7500.00',
    steps: [
      { refund: 2500, left: '3000.00', keepsShare: true },
      { refund: 2475, left: '1500.00' },
    ],
  },
  'sent after a refund': {
    sent: '5000.00',
    steps: [{ refund: 2475, left: '1500.00' }, { more: '2500.00' }, { refund: 2500, left: '1500.00' }],
  },
}
for (const [when, { sent, steps }] of Object.entries(tooMuch)) {
  test(`what a buyer has sent too much takes nothing of a share back: ${when}`, async () => {
    const { platform, seller } = await addPlatform(api)
    const transfer_data = { destination: seller.accountId, amount: '3000.00' }
    const session = await platform.merchant.createCheckout({ ...transferSale, transfer_data })
    const { payment_id } = await platform.merchant.payByTransfer(session)
    await platform.merchant.deposit(payment_id, { amount: sent })
    const refund = async (body: object, left: string) => {
      await refundOf(payment_id, platform.merchant, body)
      assert.deepEqual(await balanceOf(seller.merchant, 'NGN'), [left, '0.00', '0.00', '0.00'])
    }
    for (const step of steps) {
      if ('more' in step) await sendMore(session.checkout_id, payment_id, step.more)
      else await refund({ amount: step.refund, reverse_transfer: !step.keepsShare }, step.left)
    }
    await refund({ reverse_transfer: true }, '0.00')
  })
}

test('a refund leaves the shares of a sale alone, unless it is told to take them back', async () => {
  const { platform, seller } = await addPlatform(api)
  const transfer_data = { destination: seller.accountId, amount: '70.00' }
  const charge = await platform.merchant.chargeByCard({ ...hundred, transfer_data })
  await refundOf(charge, platform.merchant, { amount: 20 })
  assert.deepEqual(await balanceOf(seller.merchant), ['0.00', '70.00', '0.00', '0.00'])
  assert.deepEqual(await balanceOf(platform.merchant), ['0.00', '6.80', '0.00', '0.00'])
  const { id } = await onlyOne(platform.merchant, '/v1/transfers')
  const refundId = await refundOf(charge, platform.merchant, { amount: 48.4, reverse_transfer: true })
  // half of what settled takes half of the share
  assert.deepEqual(await balanceOf(seller.merchant), ['0.00', '35.00', '0.00', '0.00'])
  assert.deepEqual(await balanceOf(platform.merchant), ['0.00', '0.00', '0.00', '6.60'])
  const { body } = await platform.merchant.call('GET', `/v1/transfers/${id}`)
  assert.deepEqual([body['status'], body['reversed_amount']], ['partially_reversed', '35.00'])
  const [reversal] = body['reversals'] as unknown as Record<string, unknown>[]
  assert.deepEqual(
    [reversal?.['amount'], reversal?.['refund_id'], reversal?.['canceled_at']],
    ['35.00', refundId, null],
  )
})

test('refunds of all that settled take back all of a platform fee, however the parts are rounded', async () => {
  const { platform, seller } = await addPlatform(api)
  const charge = await seller.merchant.chargeByCard({ ...hundred, platform_fee: '10.01' })
  for (const amount of [33.33, 0.31, 41.9, 21.26]) {
    await refundOf(charge, seller.merchant, { amount, refund_platform_fee: true })
  }
  const { row } = await onlyOne(platform.merchant, '/v1/platform-fees')
  assert.deepEqual([row['status'], row['refunded_amount']], ['refunded', '10.01'])
  assert.deepEqual(await balanceOf(platform.merchant), ['0.00', '0.00', '0.00', '0.00'])
  assert.deepEqual(await balanceOf(seller.merchant), ['0.00', '0.00', '0.00', '0.00'])
})

test('a refund that fails gives back what it has taken of the shares', async () => {
  const { platform, seller } = await addPlatform(api)
  const charge = await seller.merchant.chargeByCard({ ...hundred, platform_fee: '10.00' })
  const failing = { amount: 48.4, refund_platform_fee: true, simulated_outcome: 'failed' }
  await refundOf(charge, seller.merchant, failing)
  assert.deepEqual(await balanceOf(seller.merchant), ['0.00', '86.80', '0.00', '0.00'])
  assert.deepEqual(await balanceOf(platform.merchant), ['0.00', '10.00', '0.00', '0.00'])
  const { id, row } = await onlyOne(platform.merchant, '/v1/platform-fees')
  assert.deepEqual([row['status'], row['refunded_amount']], ['succeeded', '0.00'])
  const { body } = await platform.merchant.call('GET', `/v1/platform-fees/${id}`)
  const [refund] = body['refunds'] as unknown as Record<string, unknown>[]
  assert.equal(typeof refund?.['canceled_at'], 'string')
  const events = await stack.sql<{ type: string }>(
    `select type from events where account_id = ? order by created_at, id`,
    [platform.accountId],
  )
  assert.deepEqual(
    events.map(({ type }) => type),
    ['platform_fee.created', 'platform_fee.refunded', 'platform_fee.updated'],
  )
})

test('refunds that take from the same two accounts in opposite directions do not wait for each other', async () => {
  const { platform, seller } = await addPlatform(api)
  const transfer_data = { destination: seller.accountId, amount: '70.00' }
  const [shared, feeBearing] = [
    await platform.merchant.chargeByCard({ ...hundred, transfer_data }),
    await seller.merchant.chargeByCard({ ...hundred, platform_fee: '60.00' }),
  ]
  // They take turns at the rows of two accounts. On a busy machine a call may wait too long for a connection: it is
  // repeated with its key.
  const refunds = await Promise.all(
    Array.from({ length: 24 }, (_, index) =>
      patiently(() => {
        const amount = { amount: 4, fee_bearer: 'CUSTOMER', idempotency_key: `opposite-${index}` }
        return index % 2 === 0
          ? platform.merchant.refund(shared, { ...amount, reverse_transfer: true })
          : seller.merchant.refund(feeBearing, { ...amount, refund_platform_fee: true })
      }, 'SERVICE_UNAVAILABLE'),
    ),
  )
  assert.equal(new Set(refunds.map(({ refund_id }) => refund_id)).size, 24)
  // 48.00 of 96.80 went back of each sale, and so did as much of 70.00 and 60.00
  const { row: transfer } = await onlyOne(platform.merchant, '/v1/transfers')
  const { row: fee } = await onlyOne(platform.merchant, '/v1/platform-fees')
  assert.deepEqual([transfer['reversed_amount'], fee['refunded_amount']], ['34.71', '29.75'])
})

test('VALIDATION_ERROR: a refund takes back no share that the sale has not', async () => {
  const { seller } = await addPlatform(api)
  const charge = await seller.merchant.chargeByCard(hundred)
  const path = '/api/v1/payments/refunds'
  for (const field of ['reverse_transfer', 'refund_platform_fee']) {
    const body = { charge_id: charge, reference: 'r', [field]: true }
    assertFieldErrors(await seller.merchant.call('POST', path, body), { [field]: 'value_error' })
  }
})

test('late money that is refunded by itself takes all shares back', async () => {
  const { platform, seller } = await addPlatform(api)
  await platform.merchant.call('PATCH', '/v1/account', { late_payment_policy: 'refund' })
  const transfer_data = { destination: seller.accountId, amount: '1000.00' }
  const session = await platform.merchant.createCheckout({ ...transferSale, transfer_data })
  const { payment_id } = await platform.merchant.payByTransfer(session)
  await platform.merchant.cancel(session.checkout_id)
  await platform.merchant.deposit(payment_id)
  const refunded = async () =>
    (await stack.sql(`select from refunds where charge_id = ? and status = 'succeeded'`, [payment_id])).length === 1
  await until(refunded, 'the late money is refunded')
  assert.deepEqual(await balanceOf(seller.merchant, 'NGN'), ['0.00', '0.00', '0.00', '0.00'])
  assert.deepEqual(await balanceOf(platform.merchant, 'NGN'), ['0.00', '0.00', '0.00', '0.00'])
})
