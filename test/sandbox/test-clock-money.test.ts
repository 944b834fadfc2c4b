import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exchanging } from '../support/conversion.ts'
import { assertError } from '../support/api.ts'
import { type Merchant, sale, transferSale } from '../support/merchant.ts'
import { balanceOf } from '../support/platform.ts'
import { settled } from '../support/settled.ts'
import { beginOnClock } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// A payment that is on a clock without its account: the balance goes by the real time.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)

/** Two sales of 96.80 dollars that settle in two days, of which one is on a clock that is three days ahead. */
async function oneAhead() {
  const { merchant, attach, advance } = await beginOnClock(api)
  const hundred = { ...sale, amount: '100.00' }
  const [ahead] = [await merchant.chargeByCard(hundred), await merchant.chargeByCard(hundred)]
  await attach({ payment_id: ahead })
  await advance({ by: 'P3D' })
  return { merchant, ahead }
}

async function refund(merchant: Merchant, charge: string, outcome: 'success' | 'failed') {
  const more = { amount: 10, fee_bearer: 'CUSTOMER', simulated_outcome: outcome }
  const { refund_id } = await merchant.refund(charge, more)
  const ended = outcome === 'success' ? 'succeeded' : 'failed'
  await until(async () => (await merchant.getRefund(refund_id))['status'] === ended, 'the refund has ended')
}

async function assertNothingToConvert(merchant: Merchant): Promise<void> {
  const { quote_id } = await exchanging(merchant).quote({ from_amount: '1.00' })
  const refused = await merchant.call('POST', '/v1/conversions', { quote_id, reference: 'too early' })
  assertError(refused, 400, 'INSUFFICIENT_BALANCE')
}

test('a refund of a payment on a clock ahead makes no pending money available', async () => {
  const { merchant, ahead } = await oneAhead()
  await refund(merchant, ahead, 'success')
  assert.deepEqual(await balanceOf(merchant), ['0.00', '183.60', '0.00', '0.00'])
  await assertNothingToConvert(merchant)
})

test('a refund that fails on a clock ahead gives its money back as it was: pending', async () => {
  const { merchant, ahead } = await oneAhead()
  await refund(merchant, ahead, 'failed')
  assert.deepEqual(await balanceOf(merchant), ['0.00', '193.60', '0.00', '0.00'])
  await assertNothingToConvert(merchant)
})

test('a dispute of a payment on a clock ahead makes no pending money available', async () => {
  const { merchant, ahead } = await oneAhead()
  const raised = await merchant.call('POST', `/v1/test-helpers/payments/${ahead}/dispute`, { amount: '10.00' })
  assert.equal(raised.status, 201, raised.text)
  assert.deepEqual(await balanceOf(merchant), ['0.00', '168.60', '25.00', '0.00'])
  await assertNothingToConvert(merchant)
})

test('a transfer in two parts pays its sale, also where its clock was deleted between them', async () => {
  const { merchant, clock, attach, advance } = await beginOnClock(api)
  const session = await merchant.createCheckout({ ...transferSale, expires_in_minutes: 1440 })
  await attach({ checkout_id: session.checkout_id })
  await advance({ by: 'PT12H' })
  const { payment_id } = await merchant.payByTransfer(session)
  await merchant.deposit(payment_id, { amount: '3000.00' })
  const gone = await merchant.call('DELETE', `/v1/test-helpers/clocks/${clock.clock_id}`)
  assert.equal(gone.status, 200, gone.text)
  await merchant.deposit(payment_id)
  assert.equal((await merchant.getPayment(payment_id))['status'], 'succeeded')
  assert.equal((await merchant.getCheckout(session.checkout_id))['status'], 'completed')
})

test('what has arrived of a short payment is refunded and accepted by a clock that is behind', async () => {
  const { merchant, attach, advance } = await beginOnClock(api, { frozen_time: '2026-01-01T00:00:00Z' })
  const session = await merchant.createCheckout(transferSale)
  const { payment_id } = await merchant.payByTransfer(session)
  await merchant.deposit(payment_id, { amount: '3000.00' })
  await merchant.cancel(session.checkout_id)
  await attach({ checkout_id: session.checkout_id })
  await merchant.refund(payment_id, { amount: 1000, fee_bearer: 'CUSTOMER' })
  await advance({ by: 'PT1S' })
  const accepted = await merchant.call('POST', `/v1/payments/${payment_id}/accept`, {})
  assert.equal(accepted.status, 200, accepted.text)
})

test('a crypto payment that is topped up while its clock stands waits for the clock, and pays by it', async () => {
  const { merchant, attach, advance } = await beginOnClock(api)
  const session = await merchant.createCheckout()
  await attach({ checkout_id: session.checkout_id })
  const { payment_id } = await merchant.payByCrypto(session)
  await merchant.deposit(payment_id, { amount: '10' })
  await advance({ by: 'PT10M' })
  assert.equal((await merchant.getPayment(payment_id))['status'], 'underpaid')
  const before = await stack.historyLength('checkout', session.checkout_id)
  await merchant.deposit(payment_id)
  await stack.dispatched()
  await settled(stack.client, 'checkout', session.checkout_id)
  assert.equal((await merchant.getCheckout(session.checkout_id))['payment_status'], 'processing')
  // Two questions: about the news, and as the payment's usual question has become due meanwhile.
  assert.ok((await stack.historyLength('checkout', session.checkout_id)) - before <= 30)
  await advance({ by: 'PT2S' })
  assert.equal((await merchant.getPayment(payment_id))['status'], 'succeeded')
})
