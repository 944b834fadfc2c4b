import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginAnew } from '../support/begin-anew.ts'
import { endow } from '../support/conversion.ts'
import { useLiveStack } from '../support/live-providers.ts'
import { loseProcess } from '../support/lose-process.ts'
import { createPayoutKits, type PayoutKit } from '../support/payout-kits.ts'
import { eventsAbout } from '../support/resource-rows.ts'
import { settled } from '../support/settled.ts'
import { assertBooksAgree } from '../support/statement.ts'
import { until } from '../support/until.ts'

// One suite for the rails that pay out: what the sandbox promises about a payout holds at Paystack too.
const minute = 60_000
const hour = 60 * minute
const live = await useLiveStack({ invariants: 'at the end', skipping: true })
const { stack, providers } = live
const kits = await createPayoutKits(live)
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
  until(
    async () => {
      await stack.skip(5 * minute)
      return kit.isSent(id)
    },
    'the rail has the order',
    { withinMs: 60_000 },
  )

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
    await reached(kit, id)
    await settled(stack.client, 'payout', id)
    await kit.end(id, 'completed')
    await kit.tell(id, 'completed')
    assert.equal(await finished(id), 'completed')
    assert.equal(await kit.moved(id), 1)
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
