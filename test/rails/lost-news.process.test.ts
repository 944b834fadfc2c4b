import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RowProcess } from '../../domain/processes.ts'
import { restartProcesses } from '../../scripts/restore/restart-processes.ts'
import { endow } from '../support/conversion.ts'
import { createDisputeKits } from '../support/dispute-kits.ts'
import { useLiveStack } from '../support/live-providers.ts'
import { loseProcess } from '../support/lose-process.ts'
import { createPayoutKits } from '../support/payout-kits.ts'
import { createSaleKits, type SaleKit } from '../support/sale-kits.ts'
import { settled } from '../support/settled.ts'
import { assertBooksAgree } from '../support/statement.ts'
import { until } from '../support/until.ts'

// A provider announces news about what has ended once, and then answers nothing for a time. A process that is lost
// meanwhile is started again by the row, and the rail is asked all the same.
const minute = 60_000
const live = await useLiveStack({ invariants: 'at the end', skipping: true })
const { stack, providers } = live
const [, stripe, paystack] = await createSaleKits(live)
const [, payouts] = await createPayoutKits(live)
assert.ok(payouts)
await endow(stack, payouts.tenant.accountId, '90000.00', 'NGN', payouts.tenant.environment)

/** Starts what is missing, as `npm run restore` does. Returns how many processes of a kind that were. */
async function restart(process: RowProcess): Promise<number> {
  const at = await stack.clock.now()
  const started = await restartProcesses(stack.database, { runs: null, at, isDry: false, report: () => undefined })
  await stack.dispatched()
  return started.get(process) ?? 0
}

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
  assert.equal(await restart(process), 1)
  rail.setAway(false)
}

const reached = (isReached: () => Promise<boolean>, what: string) =>
  until(async () => {
    await stack.skip(5 * minute)
    return isReached()
  }, what)

test('Paystack: a payout that came back while its process was lost is credited', async () => {
  const { merchant, destination } = payouts
  const { id } = await merchant.payOut(destination, { source_currency: 'NGN' })
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
  await payouts.end(id, 'completed')
  await payouts.tell(id, 'completed')
  assert.equal(await stack.finished('payout', id), 'completed')
  await payouts.end(id, 'returned')
  await tellInVain('payout', id, payouts, () => payouts.tell(id, 'returned'))
  await reached(async () => (await merchant.getPayout(id))['returned_at'] !== null, 'the payout is returned')
  await stack.finished('payout', id)
  assert.equal(await restart('payout'), 0)
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
    assert.equal(await restart('refund'), 0)
  })
}

for (const kit of await createDisputeKits(live)) {
  const { name, merchant } = kit
  if (name === 'the sandbox') continue // it announces a dispute together with its row
  const rail = name === 'Stripe' ? stripe : paystack

  test(`${name}: a dispute of a sale of four days ago that came while its process was lost is opened`, async () => {
    const paymentId = await kit.sell()
    await stack.skip(96 * 60 * minute)
    const networkId = await kit.raise(paymentId)
    const { checkout_id: checkoutId } = await merchant.getPayment(paymentId)
    await tellInVain('checkout', String(checkoutId), rail, () => kit.tell(paymentId, networkId))
    const isOpened = async () =>
      (await stack.sql('select from disputes where payment_id = ?', [paymentId])).length === 1
    await reached(isOpened, 'the dispute is opened')
    await stack.finished('checkout', String(checkoutId))
    assert.equal(await restart('checkout'), 0)
  })
}

test('at the end the lists of both providers and our books agree about everything that has moved', async () => {
  for (const provider of ['stripe', 'paystack'] as const) await assertBooksAgree(stack.database, provider, providers)
})
