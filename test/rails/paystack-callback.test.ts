import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import type { RailNews } from '../../rails/rail-news.ts'
import { checkCallback } from '../../rails/paystack/callback.ts'
import type { Transaction } from '../doubles/paystack/charges.ts'
import { callbackOf, type Callback, chargeData, disputeData } from '../doubles/paystack/callbacks.ts'
import { refundData, rejectedData, signed } from '../doubles/paystack/callbacks.ts'
import { now, referenceOf, secretKey, transferOrder, usePaystack } from './paystack.ts'

const { double, paystack } = await usePaystack()
const { charges, payouts, refunds } = paystack

/** A payment that has succeeded, and Paystack's transaction. */
async function paid(): Promise<{ id: string; made: Transaction }> {
  const order = transferOrder()
  await charges.charge(order, now)
  double.transfer(referenceOf(order.paymentId), 250_050n)
  await charges.lookUp(order.paymentId, now)
  return { id: order.paymentId, made: double.read(referenceOf(order.paymentId)) }
}
const payment = await paid()

/** Whom a callback concerns; or why it concerns nobody. */
async function hear({ body, signature }: Callback, keys = [secretKey]): Promise<RailNews[] | string> {
  const heard = await paystack.rails.readCallback({ bytes: body, signature, secrets: keys })
  const { verdict } = checkCallback({ bytes: body, signature, secrets: keys, mode: 'live' })
  assert.equal(heard === 'forged', verdict === 'forged')
  return verdict === 'ours' ? heard : verdict
}
const told = (event: string, data: object) => hear(callbackOf(secretKey, event, data))
const good = callbackOf(secretKey, 'charge.success', chargeData(payment.made))
const aboutPayment = [{ about: 'payment', id: payment.id }]

test('a callback about a charge concerns the payment of its reference', async () => {
  assert.deepEqual(await hear(good), aboutPayment)
})

test('a callback that is not signed with the key is forged', async () => {
  const { body, signature } = good
  const other = 'sk_live_of_somebody_else'
  const forgeries: [Callback | { body: Buffer; signature: string }, string][] = [
    [signed(body, other), 'another key'],
    [{ body, signature: '' }, 'no signature'],
    [{ body, signature: 'x' }, 'no hex'],
    [{ body, signature: signature.slice(0, 126) }, 'short'],
    [{ body, signature: `${signature}00` }, 'long'],
    [{ body, signature: `${signature},${signature}` }, 'two'],
    [{ body, signature: `0${signature.slice(1, 64)}${signature.slice(0, 64)}` }, 'mixed'],
    [{ body: Buffer.concat([body, Buffer.from(' ')]), signature }, 'a byte more'],
    [{ body: body.subarray(0, body.length - 1), signature }, 'truncated'],
    [{ body: Buffer.alloc(0), signature }, 'empty'],
    [{ body: Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1)), signature }, 'written otherwise'],
  ]
  for (const [callback, what] of forgeries) assert.equal(await hear(callback), 'forged', what)
  const unsigned = { bytes: body, signature: undefined, secrets: [secretKey], mode: 'live' } as const
  assert.deepEqual(checkCallback(unsigned), { verdict: 'forged' })
  assert.equal(await hear(good, []), 'forged')
  assert.equal(await hear(signed(body, ''), ['']), 'forged', 'an empty key signs nothing')
})

test('while a key is replaced both are taken, and afterwards the old one is not', async () => {
  const old = signed(good.body, 'sk_live_the_old_one')
  assert.deepEqual(await hear(old, [secretKey, 'sk_live_the_old_one']), aboutPayment)
  assert.deepEqual(await hear(good, [secretKey, 'sk_live_the_old_one']), aboutPayment)
  assert.equal(await hear(old, [secretKey]), 'forged')
})

test('the hexadecimal signature may be in capitals', async () => {
  assert.deepEqual(await hear({ ...good, signature: good.signature.toUpperCase() }), aboutPayment)
})

test('a body of a megabyte is not even looked at', async () => {
  const huge = Buffer.from(JSON.stringify({ event: 'charge.success', data: { x: 'x'.repeat(1024 * 1024) } }))
  assert.equal(await hear(signed(huge, secretKey)), 'forged')
})

test('a signed callback that says nothing to us is not ours', async () => {
  const bodies = [
    '',
    'null',
    '[]',
    '7',
    '{"event":"charge.success"}',
    '{"data":{}}',
    '{',
    '{"event":["charge.success"]}',
  ]
  for (const body of bodies) assert.equal(await hear(signed(Buffer.from(body), secretKey)), 'not_ours', body)
  for (const event of ['subscription.create', 'invoice.create', 'constructor', '__proto__', 'toString', ''])
    assert.equal(await told(event, chargeData(payment.made)), 'not_ours', event)
  assert.equal(await told('charge.success', { ...chargeData(payment.made), domain: 'test' }), 'not_ours')
  for (const reference of [null, {}, '', "'; drop table x", 'x'.repeat(10_000)])
    assert.equal(await told('charge.success', { ...chargeData(payment.made), reference }), 'not_ours')
})

test('a reference that was never ordered here concerns nobody', async () => {
  const unknown = newId('pay', now)
  for (const reference of [referenceOf(unknown), unknown, 'T685312322670591', payment.id, 'pay-'])
    assert.deepEqual(await told('charge.success', { ...chargeData(payment.made), reference }), [])
  assert.deepEqual(
    await told('transfer.success', { reference: payment.id, status: 'success' }),
    [],
    'no payout of ours',
  )
  for (const reference of [referenceOf(unknown), 'T685312322670591', 'TRF_1'])
    assert.deepEqual(await told('refund.processed', refundData(reference, 'processed')), [])
  assert.deepEqual(await told('bank.transfer.rejected', rejectedData({ ...payment.made, id: 5n })), [])
})

test('a rejected transfer names only the number of its transaction, and concerns its payment', async () => {
  assert.deepEqual(await told('bank.transfer.rejected', rejectedData(payment.made)), aboutPayment)
})

/** Orders two refunds of a payment, or of a transfer into a virtual account. Returns whom their callbacks concern. */
async function refundTwice(paymentId: string, transferReference: string | null): Promise<RailNews[]> {
  const ids = [newId('ref', now), newId('ref', now)].toSorted()
  for (const refundId of ids)
    await refunds.refund({
      environment: 'live',
      paymentId,
      corridor: 'NGN_BANK_TRANSFER',
      currency: 'NGN',
      transferReference,
      amount: '10',
      reference: 'r',
      address: null,
      simulatedOutcome: null,
      refundId,
    })
  return ids.map((id) => ({ about: 'refund', id }))
}
const refundStatuses = ['pending', 'processing', 'processed', 'failed']

test('a callback of a refund concerns each refund of its payment', async () => {
  const { id, made } = await paid()
  const concerned = await refundTwice(id, null)
  for (const status of refundStatuses)
    assert.deepEqual(await told(`refund.${status}`, refundData(made.reference, status)), concerned)
})

test('a callback of a refund of a transfer into a virtual account concerns each refund of that transfer', async () => {
  const { reference } = double.deposits('1761234567898xyz', '9930000737', 250_050n)
  const concerned = await refundTwice(newId('pay', now), reference)
  const { reference: other } = double.deposits('1761234567897xyz', '9930000737', 250_050n)
  await refundTwice(newId('pay', now), other)
  for (const status of refundStatuses)
    assert.deepEqual(await told(`refund.${status}`, refundData(reference, status)), concerned)
})

test('a callback of a transfer concerns its payout', async () => {
  const payoutId = newId('pay', now)
  await payouts.cancelPayout(payoutId, now)
  for (const event of ['transfer.success', 'transfer.failed', 'transfer.reversed']) {
    const found = await told(event, { reference: payoutId, status: 'success', domain: 'live', transfer_code: 'TRF_1' })
    assert.deepEqual(found, [{ about: 'payout', id: payoutId }])
  }
})

test('a callback of a dispute concerns its payment and the dispute, with all digits of its number', async () => {
  const networkId = 9_007_199_254_740_993n
  for (const event of ['charge.dispute.create', 'charge.dispute.remind', 'charge.dispute.resolve']) {
    const found = await told(event, disputeData(payment.made, networkId))
    const dispute = { about: 'dispute', paymentId: payment.id, networkId: String(networkId) }
    assert.deepEqual(found, [...aboutPayment, dispute])
  }
})

test('money on a virtual account is told by the account and the reference of Paystack', async () => {
  const data = {
    ...chargeData(payment.made),
    reference: '1761234567890xyz',
    channel: 'dedicated_nuban',
    amount: 250_050n,
    authorization: { channel: 'dedicated_nuban', receiver_bank_account_number: '9930000737' },
  }
  const account = {
    about: 'virtual_account',
    accountNumber: '9930000737',
    reference: '1761234567890xyz',
    amount: '2500.5',
  }
  assert.deepEqual(await told('charge.success', data), [account])
  for (const amount of [0n, -1n, null, 'much', {}, 10n ** 30n])
    assert.equal(await told('charge.success', { ...data, amount }), 'not_ours')
  assert.equal(await told('charge.success', { ...data, currency: 'GHS' }), 'not_ours')
  assert.equal(await told('charge.success', { ...data, authorization: {} }), 'not_ours')
})

test('callbacks that come twice, late and in another order end in what Paystack has, asked anew', async () => {
  const order = transferOrder()
  await charges.charge(order, now)
  const made = double.read(referenceOf(order.paymentId))
  await charges.lookUp(order.paymentId, now)
  const rejected = callbackOf(secretKey, 'bank.transfer.rejected', rejectedData(made))
  const succeeded = callbackOf(secretKey, 'charge.success', { ...chargeData(made), status: 'success', amount: 1n })
  const statuses: string[] = []
  for (const callback of [succeeded, rejected, succeeded]) {
    assert.deepEqual(await hear(callback), [{ about: 'payment', id: order.paymentId }])
    statuses.push((await charges.lookUp(order.paymentId, now)).status)
  }
  assert.deepEqual(statuses, Array(3).fill('requires_action'), 'a callback about a success is no success')
  double.transfer(made.reference, made.amount)
  for (const callback of [rejected, succeeded]) {
    await hear(callback)
    assert.equal((await charges.lookUp(order.paymentId, now)).status, 'succeeded')
  }
})
