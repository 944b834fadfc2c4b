import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PayoutRail } from '../../rails/payout-rail.ts'
import { assertError } from '../support/api.ts'
import { beginAnew } from '../support/begin-anew.ts'
import { endow } from '../support/conversion.ts'
import { useLiveStack } from '../support/live-providers.ts'
import { loseProcess } from '../support/lose-process.ts'
import { order as why, stateOf, withPayments } from '../support/payment-actions.ts'
import { createPayoutKits, type PayoutKit } from '../support/payout-kits.ts'
import { eventsAbout } from '../support/resource-rows.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { assertBooksAgree, compareBooks } from '../support/statement.ts'
import { until } from '../support/until.ts'

// One suite for the rails that pay out: what the sandbox promises about a payout holds at Paystack too.
const minute = 60_000
const hour = 60 * minute
const live = await useLiveStack({ invariants: 'at the end', skipping: true })
const { stack, providers } = live
const kits = await createPayoutKits(live)
const [ada, ben] = [await addStaff(stack), await addStaff(stack)]
const { audited, lastActor, statesOf } = withPayments(stack)
/** The rail gets the payout, pays it and tells of it: it is paid out once. */
async function assertPaidOnce(kit: PayoutKit, id: string): Promise<void> {
  await reached(kit, id)
  await settled(stack.client, 'payout', id)
  await kit.end(id, 'completed')
  await kit.tell(id, 'completed')
  assert.equal(await finished(id), 'completed')
  assert.equal(await kit.moved(id), 1)
}

for (const { tenant } of kits) await endow(stack, tenant.accountId, '90000.00', 'NGN', tenant.environment)

const order = async ({ merchant, destination }: PayoutKit) => {
  const { id } = await merchant.payOut(destination, { source_currency: 'NGN' })
  await stack.dispatched()
  return id
}
/** A payout that the rail has, and has not decided. */
async function send(kit: PayoutKit): Promise<string> {
  const id = await order(kit)
  await settled(stack.client, 'payout', id)
  assert.equal((await kit.merchant.getPayout(id)).status, 'processing')
  return id
}
async function availableOf({ merchant }: PayoutKit): Promise<number> {
  const { body } = await merchant.call('GET', '/v1/balances')
  const items = body['items'] as unknown as { currency: string; available: string }[]
  return Number(items.find(({ currency }) => currency === 'NGN')?.available)
}
const finished = (id: string) => stack.finished('payout', id)
/** Waits until the rail has an order. Our line to a provider rests for some seconds that no test skips. */
const reached = (kit: PayoutKit, id: string) =>
  until(async () => {
    await stack.skip(5 * minute)
    return kit.isSent(id)
  }, 'the rail has the order')

for (const kit of kits) {
  const { name, merchant } = kit

  test(`${name}: news that comes three times, also after the end, completes a payout once`, async () => {
    const id = await send(kit)
    await kit.end(id, 'completed')
    await Promise.all([kit.tell(id, 'completed'), kit.tell(id, 'completed')])
    assert.equal(await finished(id), 'completed')
    await kit.tell(id, 'completed')
    assert.equal(await finished(id), 'completed')
    assert.deepEqual(await eventsAbout(stack, id), ['payout.created', 'payout.paid'])
    assert.equal(await kit.moved(id), 1)
  })

  test(`${name}: news that never comes costs an hour, and not the payout`, async () => {
    const id = await send(kit)
    await kit.end(id, 'completed')
    await stack.skip(hour)
    assert.equal(await finished(id), 'completed')
  })

  test(`${name}: a payout that the bank refuses gives everything back`, async () => {
    const before = await availableOf(kit)
    const id = await send(kit)
    await kit.end(id, 'failed')
    await kit.tell(id, 'failed')
    assert.equal(await finished(id), 'failed')
    assert.deepEqual(await eventsAbout(stack, id), ['payout.created', 'payout.failed'])
    assert.equal(await availableOf(kit), before)
  })

  test(`${name}: money that comes back after the end is credited once, and the fee is kept`, async () => {
    const before = await availableOf(kit)
    const id = await send(kit)
    await kit.end(id, 'completed')
    await kit.tell(id, 'completed')
    assert.equal(await finished(id), 'completed')
    await kit.end(id, 'returned')
    for (let notice = 0; notice < 2; notice++) {
      await kit.tell(id, 'returned')
      assert.equal(await finished(id), 'returned')
    }
    const { fee } = await merchant.getPayout(id)
    assert.deepEqual(await eventsAbout(stack, id), ['payout.created', 'payout.paid', 'payout.returned'])
    assert.equal(await availableOf(kit), before - Number(fee))
  })

  test(`${name}: a payout whose answer is lost is sent once`, async () => {
    kit.loseAnswer()
    const id = await order(kit)
    await assertPaidOnce(kit, id)
  })

  test(`${name}: a payout that is ordered while the rail is away for a day is sent once it is back`, async () => {
    kit.setAway(true)
    const id = await order(kit)
    await stack.skip(30 * hour)
    assert.equal((await merchant.getPayout(id)).status, 'processing')
    kit.setAway(false)
    await reached(kit, id)
    await kit.end(id, 'completed')
    await kit.tell(id, 'completed')
    assert.equal(await finished(id), 'completed')
    assert.equal(await kit.moved(id), 1)
  })
}

/** What staff order about a payout that its rail does not decide. */
const onPayout = async (id: string, what: string) =>
  assert.equal(stateOf(await ada.onPayout(id, what, why)), 'executed')
/** Has a payout put on hold that was ordered while its rail was away. Nothing is sent, however long it stays so. */
async function holdUnsent(kit: PayoutKit): Promise<string> {
  kit.setAway(true)
  const id = await order(kit)
  await onPayout(id, 'hold')
  kit.setAway(false)
  await stack.skip(72 * hour)
  await settled(stack.client, 'payout', id)
  assert.equal(await kit.isSent(id), false)
  return id
}

for (const kit of kits) {
  const { name, merchant } = kit

  test(`${name}: a payout that two people mark as settled at once is paid once, and may still come back`, async () => {
    const before = await availableOf(kit)
    const id = await send(kit)
    const both = await Promise.all([ada, ben].map((who) => who.onPayout(id, 'mark-settled', why)))
    assert.deepEqual(both.map(stateOf), ['executed', 'executed'])
    assert.equal(await finished(id), 'completed')
    assertError(await ben.onPayout(id, 'mark-failed', why), 409, 'CONFLICT')
    assert.deepEqual(await audited(id), ['payout.mark_settled_ordered', 'payout.mark_settled_executed'])
    const actions = await stack.sql('select reason, proof_ref from operator_actions where resource_id = ?', [id])
    assert.deepEqual(actions, [why])
    const { fee, amount } = await merchant.getPayout(id)
    for (const end of ['completed', 'returned'] as const) {
      await kit.end(id, end)
      for (let news = 0; news < 2; news++) {
        await kit.tell(id, end)
        assert.equal(await finished(id), end)
      }
      const left = before - Number(fee) - (end === 'completed' ? Number(amount) : 0)
      assert.deepEqual([await availableOf(kit), await kit.moved(id)], [left, 1])
    }
    assert.deepEqual(await eventsAbout(stack, id), ['payout.created', 'payout.paid', 'payout.returned'])
  })

  test(`${name}: the rail’s word about a payout counts for more than a contrary mark`, async () => {
    for (const [end, what] of [
      ['completed', 'mark-failed'],
      ['failed', 'mark-settled'],
    ] as const) {
      const id = await send(kit)
      await kit.end(id, end)
      assertError(await ada.onPayout(id, what, why), 409, 'CONFLICT')
      assert.equal(await finished(id), end)
      assert.deepEqual([await statesOf(id), await kit.moved(id)], [['refused'], end === 'failed' ? 0 : 1])
      assert.deepEqual(await lastActor(id), ['rail', null])
    }
  })

  test(`${name}: a payout that is retried after its answer was lost is sent once`, async () => {
    kit.loseAnswer()
    const id = await order(kit)
    for (let retries = 0; retries < 3; retries++) await onPayout(id, 'retry')
    await reached(kit, id)
    await settled(stack.client, 'payout', id)
    await kit.end(id, 'completed')
    await onPayout(id, 'retry')
    assert.equal(await finished(id), 'completed')
    assert.equal(await kit.moved(id), 1)
    assert.deepEqual(await eventsAbout(stack, id), ['payout.created', 'payout.paid'])
  })

  test(`${name}: a payout on hold is not sent, however long, and once it is released it is sent once`, async () => {
    const id = await holdUnsent(kit)
    await onPayout(id, 'release')
    await assertPaidOnce(kit, id)
  })

  test(`${name}: a payout that is marked as failed on hold is not sent even by a worker that was frozen`, async () => {
    const before = await availableOf(kit)
    const id = await holdUnsent(kit)
    await onPayout(id, 'mark-failed')
    assert.equal(await finished(id), 'failed')
    assert.equal(await availableOf(kit), before)
    const { environment } = kit.tenant
    const target = { type: 'bank_account', accountNumber: '9128340001', accountName: 'Marked Holder', bankCode: '058' }
    const late = { environment, payoutId: id, target, amount: '1000.00', currency: 'NGN', reference: null }
    const rail = stack.deps.rails.in(environment).paying('bank_account', 'NGN') as PayoutRail<'live' | 'sandbox'>
    const answer = await rail.payOut({ ...late, simulatedOutcome: null } as never, await stack.clock.now())
    assert.deepEqual([answer.status, await kit.moved(id)], ['failed', 0])
    assert.deepEqual(await eventsAbout(stack, id), ['payout.created', 'payout.failed'])
  })
}

// A process that is lost may keep the engine from skipping time, so these come last.
for (const kit of kits) {
  test(`${kit.name}: a payout whose process is lost goes on when that begins again, and is sent once`, async () => {
    const id = await send(kit)
    await loseProcess(stack.client, 'payout', id)
    await kit.end(id, 'completed')
    await beginAnew(stack, 'payout', 'payouts', id)
    assert.equal(await finished(id), 'completed')
    assert.equal(await kit.moved(id), 1)
    assert.deepEqual(await eventsAbout(stack, id), ['payout.created', 'payout.paid'])
  })
}

test('at the end Paystack’s own lists and our books agree about everything that has moved', async () => {
  await assertBooksAgree(stack.database, 'paystack', providers)
})

test('what Paystack sends after a mark as failed moves nothing here, and the comparison names it', async () => {
  const kit = kits[1] ?? assert.fail()
  assert.equal(kit.name, 'Paystack') // the sandbox’s rail cancels what it has not sent, and Paystack cancels nothing
  const before = await availableOf(kit)
  const id = await send(kit)
  await onPayout(id, 'mark-failed')
  assert.equal(await stack.finished('payout', id), 'failed')
  await kit.end(id, 'completed')
  await kit.tell(id, 'completed')
  await until(async () => (await stack.finished('payout', id)) === 'contradicted', 'its process says so')
  assert.deepEqual(
    [await availableOf(kit), await eventsAbout(stack, id)],
    [before, ['payout.created', 'payout.failed']],
  )
  const { differences } = await compareBooks(stack.database, 'paystack', providers)
  assert.deepEqual(
    differences.map(({ kind, reason, ourId }) => [kind, reason, ourId]),
    [['payout', 'status', id]],
  )
  // As after our support has spoken with Paystack’s: the transfer did not arrive.
  live.paystack.settle(id, 'failed')
  await stack.sql(`update paystack_orders set answered = 'failed', succeeded_at = null where id = ?`, [id])
  await assertBooksAgree(stack.database, 'paystack', providers)
})
