import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RowProcess } from '../../domain/processes.ts'
import { endow } from '../support/conversion.ts'
import { createDisputeKits } from '../support/dispute-kits.ts'
import { useLiveStack } from '../support/live-providers.ts'
import { loseProcess, untilIdle } from '../support/lose-process.ts'
import { order as why, stateOf } from '../support/payment-actions.ts'
import { createPayoutKits } from '../support/payout-kits.ts'
import { restartLost } from '../support/restart-lost.ts'
import { createSaleKits, type SaleKit } from '../support/sale-kits.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { assertBooksAgree } from '../support/statement.ts'
import { until } from '../support/until.ts'
import { assertInvariants } from '../support/use-stack.ts'

// A provider announces news about what has ended once, and then answers nothing for a time. A process that is lost
// meanwhile is started again by the row, and the rail is asked all the same.
const minute = 60_000
const live = await useLiveStack({ invariants: 'at the end', skipping: true })
const { stack, providers } = live
const [, stripe, paystack] = await createSaleKits(live)
const [, payouts] = await createPayoutKits(live)
const ada = await addStaff(stack)
assert.ok(payouts)
await endow(stack, payouts.tenant.accountId, '90000.00', 'NGN', payouts.tenant.environment)

const restart = (process: RowProcess) => restartLost(stack, process)

/** News of a rail that is away are told, the engine loses the process, it is restarted, and the rail comes back. */
async function tellInVain(
  process: RowProcess,
  id: string,
  rail: Pick<SaleKit, 'setAway'>,
  tell: () => Promise<unknown>,
) {
  rail.setAway(true)
  await tell()
  await stack.dispatched()
  await loseProcess(stack.client, process, id)
  assert.ok((await restart(process)).includes(id))
  rail.setAway(false)
}

const reached = (isReached: () => Promise<boolean>, what: string) =>
  until(async () => {
    await stack.skip(5 * minute)
    return isReached()
  }, what)

/** A payout that Paystack has, and has not decided. */
async function payOut(): Promise<string> {
  const { id } = await payouts!.merchant.payOut(payouts!.destination, { source_currency: 'NGN' })
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
  return id
}

test('Paystack: a payout that came back while its process was lost is credited', async () => {
  const id = await payOut()
  await payouts.end(id, 'completed')
  await payouts.tell(id, 'completed')
  assert.equal(await stack.finished('payout', id), 'completed')
  await payouts.end(id, 'returned')
  await tellInVain('payout', id, payouts, () => payouts.tell(id, 'returned'))
  await reached(async () => (await payouts.merchant.getPayout(id))['returned_at'] !== null, 'the payout is returned')
  await stack.finished('payout', id)
  assert.deepEqual(await restart('payout'), [])
})

test('Paystack: news from before staff marked a payout as settled, on their word alone, is asked for', async () => {
  const id = await payOut()
  payouts.setAway(true)
  await payouts.end(id, 'failed')
  await payouts.tell(id, 'failed')
  await untilIdle(stack.client, 'payout', id)
  assert.equal(stateOf(await ada.onPayout(id, 'mark-settled', why)), 'executed')
  assert.equal(await stack.finished('payout', id), 'completed')
  assert.ok((await restart('payout')).includes(id))
  payouts.setAway(false)
  await stack.skip(6 * minute)
  assert.equal(await stack.finished('payout', id), 'contradicted')
  assert.deepEqual(await restart('payout'), [])
  await payouts.end(id, 'completed') // as after our support has spoken with Paystack’s
})

for (const kit of [stripe, paystack]) {
  const { name, merchant } = kit

  async function sell(): Promise<string> {
    const session = await merchant.createCheckout(kit.body)
    const id = await kit.begin(session)
    await kit.decide(id, true)
    await kit.tell(session, id)
    assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
    return id
  }

  test(`${name}: news that say nothing new of a paid sale leave its session as it was`, async () => {
    const session = await merchant.createCheckout(kit.body)
    const id = await kit.begin(session)
    await kit.decide(id, true)
    await kit.tell(session, id)
    const read = async () => {
      await stack.finished('checkout', session.checkout_id)
      return stack.sql('select updated_at from checkouts where id = ?', [session.checkout_id])
    }
    const before = await read()
    await stack.skip(5 * minute)
    await kit.tell(session, id)
    assert.deepEqual(await read(), before)
    assert.ok(!(await restart('checkout')).includes(session.checkout_id))
  })

  test(`${name}: a refund that came back while its process was lost is credited`, async () => {
    const paymentId = await sell()
    const { refund_id: id } = await merchant.refund(paymentId, kit.refundBody)
    await stack.dispatched()
    await settled(stack.client, 'refund', id)
    await kit.endRefund(id, paymentId, 'succeeded')
    await kit.tellOfRefund(id, paymentId)
    assert.equal(await stack.finished('refund', id), 'succeeded')
    await kit.endRefund(id, paymentId, 'returned')
    await tellInVain('refund', id, kit, () => kit.tellOfRefund(id, paymentId))
    await reached(async () => (await merchant.getRefund(id))['status'] === 'failed', 'the refund is returned')
    await stack.finished('refund', id)
    assert.deepEqual(await restart('refund'), [])
  })
}

test('Paystack: news from before staff marked a refund as settled, on their word alone, are asked for', async () => {
  const { merchant } = paystack
  const session = await merchant.createCheckout(paystack.body)
  const paymentId = await paystack.begin(session)
  await paystack.decide(paymentId, true)
  await paystack.tell(session, paymentId)
  assert.equal(await stack.finished('checkout', session.checkout_id), 'completed')
  const { refund_id: id } = await merchant.refund(paymentId, paystack.refundBody)
  await stack.dispatched()
  await settled(stack.client, 'refund', id)
  paystack.setAway(true)
  await paystack.endRefund(id, paymentId, 'failed')
  await paystack.tellOfRefund(id, paymentId)
  await untilIdle(stack.client, 'refund', id)
  assert.equal(stateOf(await ada.on('refunds', id, 'mark-settled', why)), 'executed')
  await loseProcess(stack.client, 'refund', id).catch(() => undefined) // it may have ended
  assert.ok((await restart('refund')).includes(id))
  await assertInvariants(stack) // it is in the agenda
  paystack.setAway(false)
  await stack.skip(10 * minute)
  assert.equal(await stack.finished('refund', id), 'contradicted')
  assert.deepEqual(await restart('refund'), [])
  // As after our support has spoken with Paystack’s.
  await paystack.endRefund(id, paymentId, 'succeeded')
  await paystack.tellOfRefund(id, paymentId)
  assert.equal(await stack.finished('refund', id), 'succeeded')
})

for (const kit of await createDisputeKits(live)) {
  const { name, merchant } = kit
  if (name === 'the sandbox') continue // it announces a dispute together with its row
  const rail = name === 'Stripe' ? stripe : paystack

  const disputesOf = (paymentId: string) =>
    stack.sql<{ id: string; status: string }>('select id, status from disputes where payment_id = ?', [paymentId])

  test(`${name}: a dispute of a sale of four days ago that came while its process was lost is opened`, async () => {
    const paymentId = await kit.sell()
    await stack.skip(96 * 60 * minute)
    const networkId = await kit.raise(paymentId)
    const { checkout_id: checkoutId } = await merchant.getPayment(paymentId)
    await tellInVain('checkout', String(checkoutId), rail, () => kit.tell(paymentId, networkId))
    await reached(async () => (await disputesOf(paymentId)).length === 1, 'the dispute is opened')
    await stack.finished('checkout', String(checkoutId))
    assert.ok(!(await restart('checkout')).includes(String(checkoutId)))
  })

  test(`${name}: a dispute that was decided while its process was lost ends`, async () => {
    const paymentId = await kit.sell()
    const networkId = await kit.raise(paymentId)
    await kit.tell(paymentId, networkId)
    await until(async () => (await disputesOf(paymentId)).length === 1, 'the dispute is opened')
    const id = String((await disputesOf(paymentId))[0]?.id)
    await stack.dispatched()
    await settled(stack.client, 'dispute', id)
    await kit.end(networkId, 'won')
    await tellInVain('dispute', id, rail, () => kit.tell(paymentId, networkId))
    await reached(async () => (await disputesOf(paymentId))[0]?.status === 'won', 'the dispute is won')
    assert.equal(await stack.finished('dispute', id), 'won')
    assert.ok(!(await restart('dispute')).includes(id))
  })
}

test('at the end the lists of both providers and our books agree about everything that has moved', async () => {
  for (const provider of ['stripe', 'paystack'] as const) await assertBooksAgree(stack.database, provider, providers)
})
