import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { detailsOf } from '../support/details.ts'
import { mobileSale, sale, transferSale } from '../support/merchant.ts'
import { changeAccount } from '../support/rows.ts'
import { eventsOfSale, sendUnheard } from '../support/sale-events.ts'
import { failingRails } from '../support/scripted-charges.ts'
import { settled } from '../support/settled.ts'
import { type Stack } from '../support/stack.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useStack } from '../support/use-stack.ts'

const hour = 3_600_000

// Real time passes too, and on a busy machine a call takes seconds, so buyers think longer than two calls take.
const thinkingMs = 30_000

const stack = await useStack({ skipping: true, pace: { thinkingMs } })
const rails = failingRails(stack)
afterEach(async () => {
  rails.heal()
  await assertInvariants(stack)
})

const policy = (value: 'accept' | 'refund') => changeAccount(stack, stack.organizationId, { latePaymentPolicy: value })

const refundsOf = (paymentId: string) =>
  stack.sql<{ id: string; reason: string; requested: string; fee: string; status: string }>(
    `select id, reason, trim_scale(requested_amount)::text as requested, trim_scale(fee_amount)::text as fee, status
     from refunds where charge_id = ?`,
    [paymentId],
  )

/** Makes the first choice, by wallet or transfer, and returns its payment's id once the process only waits. */
async function first(session: Session, how: 'payByPhone' | 'payByTransfer', body = {}) {
  const { payment_id } = await stack.merchant[how](session, body)
  await settled(stack.client, 'checkout', session.checkout_id)
  return payment_id
}
type Session = Awaited<ReturnType<Stack['merchant']['createCheckout']>>
/** A wallet whose owner does not answer. */
const silent = { phone_number: '+254700000005' }

/** The account's balance in a currency, pending and available. */
async function balanceIn(currency: string): Promise<number> {
  const { items } = (await stack.merchant.call('GET', '/v1/balances')).body as unknown as {
    items: { currency: string; available: string; pending: string }[]
  }
  const found = items.find((item) => item.currency === currency)
  return Number(found?.available ?? 0) + Number(found?.pending ?? 0)
}

test('a wallet’s prompt is cancelled when its buyer pays by card within a second', async () => {
  const session = await stack.merchant.createCheckout(sale)
  const replaced = await first(session, 'payByPhone', silent)
  const second = await stack.merchant.payByCard(session)
  assert.equal(second['payment_status'], 'succeeded')
  assert.deepEqual(
    rails.calls.filter(({ kind }) => kind === 'cancelCharge'),
    [{ kind: 'cancelCharge', paymentId: replaced }],
  )
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  const [prompt] = await stack.sql('select status, executions from simulated_prompts where payment_id = ?', [replaced])
  assert.deepEqual(prompt, { status: 'canceled', executions: 0 })
  assert.equal((await stack.merchant.getPayment(replaced))['status'], 'canceled')
  assert.deepEqual(await refundsOf(replaced), [])
})

for (const late of ['accept', 'refund'] as const) {
  test(`money that a rail takes despite a cancellation is refunded in full, with late money ${late}ed`, async () => {
    await policy(late)
    const held = await balanceIn('KES')
    rails.errors.cancelCharge = 'throws'
    const session = await stack.merchant.createCheckout(mobileSale)
    const replaced = await first(session, 'payByPhone')
    const second = await stack.merchant.payByCard(session, undefined, 'USD_CARD')
    assert.equal(second['payment_status'], 'succeeded')
    await stack.skip(thinkingMs + 5_000)
    rails.errors.cancelCharge = null
    await stack.finished('checkout', session.checkout_id)
    const [refund] = await refundsOf(replaced)
    assert.deepEqual([refund?.reason, Number(refund?.requested), Number(refund?.fee)], ['duplicate', 1000, 0])
    await stack.finished('refund', refund?.id ?? '')
    const payment = await stack.merchant.getPayment(replaced)
    assert.deepEqual(
      [payment['status'], payment['refund_status'], payment['refunded_amount'], payment['fee_usd']],
      ['succeeded', 'full', '1000.00', '0.00'],
    )
    assert.equal(await balanceIn('KES'), held, 'no fee was kept')
    assert.equal((await stack.merchant.getCheckout(session.checkout_id))['status'], 'completed')
    const completed = (await eventsOfSale(stack, session.checkout_id)).filter((type) => type === 'checkout.completed')
    assert.equal(completed.length, 1)
    const [event] = await stack.sql<{ body: string }>(
      `select body from events where resource_id = ? and type = 'collection.succeeded'`,
      [replaced],
    )
    assert.equal(JSON.parse(event?.body ?? '{}').data.duplicate, true)
    await policy('accept')
  })
}

test('a first choice that is already paid completes the sale, and the second is never charged', async () => {
  const session = await stack.merchant.createCheckout(mobileSale)
  const replaced = await first(session, 'payByPhone')
  await stack.sql(`update simulated_prompts set answers_at = '2000-01-01' where payment_id = ?`, [replaced])
  const second = await stack.merchant.payByCard(session)
  assert.deepEqual([second['status'], second['payment_id']], ['completed', replaced])
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  const charges = await stack.sql('select from payments where checkout_id = ?', [session.checkout_id])
  assert.equal(charges.length, 1)
})

test('a transfer for an earlier choice that arrives after the card has paid is refunded by itself', async () => {
  const session = await stack.merchant.createCheckout(transferSale)
  const replaced = await first(session, 'payByTransfer')
  await stack.merchant.payByCard(session, undefined, 'NGN_CARD')
  assert.equal((await stack.merchant.getCheckout(session.checkout_id))['status'], 'completed')
  await stack.skip(20 * hour)
  assert.equal((await stack.merchant.deposit(replaced)).status, 200)
  await stack.finished('checkout', session.checkout_id)
  const [refund] = await refundsOf(replaced)
  assert.deepEqual([refund?.reason, Number(refund?.requested), Number(refund?.fee)], ['duplicate', 5000, 0])
})

test('a transfer whose callback is lost is found at the end of the late window, and refunded by itself', async () => {
  const session = await stack.merchant.createCheckout(transferSale)
  const replaced = await first(session, 'payByTransfer')
  await stack.merchant.payByCard(session, undefined, 'NGN_CARD')
  await sendUnheard(stack, replaced)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  const [refund] = await refundsOf(replaced)
  assert.deepEqual([refund?.reason, Number(refund?.requested)], ['duplicate', 5000])
})

test('a rail that hangs on a cancellation does not keep the buyer from paying in another way', async () => {
  rails.errors.cancelCharge = 'hangs'
  const session = await stack.merchant.createCheckout(mobileSale)
  await first(session, 'payByPhone', silent)
  const second = await stack.merchant.payByCard(session)
  assert.equal(second['payment_status'], 'succeeded')
  const says = () => detailsOf(stack.client, 'checkout', session.checkout_id)
  await until(async () => /Waiting for the rail/.test(await says()), 'staff read that the sale still waits for a rail')
  rails.errors.cancelCharge = null
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  assert.equal(await says(), 'Closed: completed. No action needed.')
})

test('a short transfer is refunded in full when the buyer has paid by card instead, whatever the policy', async () => {
  const session = await stack.merchant.createCheckout(transferSale)
  const replaced = await first(session, 'payByTransfer')
  await stack.merchant.deposit(replaced, { amount: '1200.00' })
  await stack.merchant.payByCard(session, undefined, 'NGN_CARD')
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  const [refund] = await refundsOf(replaced)
  assert.deepEqual([refund?.reason, Number(refund?.requested), Number(refund?.fee)], ['duplicate', 1200, 0])
})
