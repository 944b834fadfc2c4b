import assert from 'node:assert/strict'
import { test } from 'node:test'
import { depositActivities } from '../../activities/deposit.ts'
import { useLiveStack } from '../support/live-providers.ts'
import type { Merchant } from '../support/merchant.ts'
import { order, stateOf, withPayments } from '../support/payment-actions.ts'
import { eventsAbout, postedBy } from '../support/resource-rows.ts'
import { eventsOfSale } from '../support/sale-events.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { assertBooksAgree } from '../support/statement.ts'
import { type Account, createTransferKits, type TransferKit } from '../support/transfer-kits.ts'
import { until } from '../support/until.ts'

// One suite for the banks that take transfers, the sandbox's and Paystack's: for a sale, also too late, too little, too
// much and told several times, and into virtual accounts.
const minute = 60_000
const live = await useLiveStack({ invariants: 'at the end', skipping: true })
const { stack, providers } = live
const kits = await createTransferKits(live)
const ada = await addStaff(stack)
const { lastActor } = withPayments(stack)

type Session = Awaited<ReturnType<Merchant['createCheckout']>>
const finished = ({ checkout_id }: Session) => stack.finished('checkout', checkout_id)

/** A sale whose buyer has an account to send the money to; its process only waits. */
async function begin(kit: TransferKit, more: object = {}) {
  const session = await kit.merchant.createCheckout({ ...kit.body, ...more })
  const id = await kit.begin(session)
  await settled(stack.client, 'checkout', session.checkout_id)
  return { session, id }
}
/** How often the money of a payment was settled. */
const settlements = async (id: string) =>
  (await stack.sql(`select from ledger_transactions where kind = 'settlement' and source_id = ?`, [id])).length

/** The refund of a payment, which its bank has made once. That of late money is without the fee. */
async function refunded(kit: TransferKit, id: string) {
  await stack.dispatched()
  const refunds = await stack.sql<{ id: string; reason: string; amount: string }>(
    'select id, reason, requested_amount::numeric(20, 2) as amount from refunds where charge_id = ?',
    [id],
  )
  assert.equal(refunds.length, 1)
  const [{ id: refundId, ...refund } = assert.fail()] = refunds
  await settled(stack.client, 'refund', refundId)
  await kit.endRefund(refundId)
  assert.equal(await stack.finished('refund', refundId), 'succeeded')
  assert.equal(await kit.refundsFor(refundId), 1)
  return refund
}

for (const kit of kits) {
  const { name, merchant } = kit
  const statusOf = async (id: string) => (await merchant.getPayment(id))['status']
  const policy = async (late_payment_policy: 'accept' | 'refund') =>
    assert.equal((await merchant.call('PATCH', '/v1/account', { late_payment_policy })).status, 200)

  test(`${name}: a transfer that is told three times, also after the end, is posted once`, async () => {
    const { session, id } = await begin(kit)
    assert.equal(await kit.send(id), true)
    await Promise.all([kit.tell(id), kit.tell(id)])
    assert.equal(await finished(session), 'completed')
    await kit.tell(id)
    assert.equal(await finished(session), 'completed')
    assert.deepEqual(await eventsOfSale(stack, session.checkout_id), ['collection.succeeded', 'checkout.completed'])
    assert.deepEqual([await settlements(id), (await merchant.getPayment(id))['amount_received']], [1, '5000.00'])
  })

  test(`${name}: a transfer of which nobody tells is found, at the latest when the session ends`, async () => {
    const { session, id } = await begin(kit)
    await kit.send(id)
    assert.equal(await finished(session), 'completed')
    assert.equal(await settlements(id), 1)
  })

  test(`${name}: a transfer after the session has expired is late money, and kept or sent back`, async () => {
    for (const late of ['accept', 'refund'] as const) {
      await policy(late)
      const { session, id } = await begin(kit, { expires_in_minutes: 5 })
      await stack.skip(5 * minute + kit.lateMs)
      assert.equal((await merchant.getCheckout(session.checkout_id))['status'], 'expired')
      assert.equal(await kit.send(id), true)
      await kit.tell(id)
      assert.equal(await finished(session), 'expired')
      assert.deepEqual([await statusOf(id), await settlements(id)], ['succeeded', 1])
      assert.deepEqual(await eventsOfSale(stack, session.checkout_id), ['checkout.expired', 'collection.succeeded'])
      const [event] = await stack.sql<{ body: string }>('select body from events where resource_id = ?', [id])
      assert.equal(JSON.parse(event?.body ?? '{}').data.late, true)
      if (late === 'refund') assert.deepEqual(await refunded(kit, id), { reason: 'late payment', amount: '4950.00' })
    }
    await policy('accept')
  })

  test(`${name}: a transfer after the late window is not money of the sale`, async () => {
    const { session, id } = await begin(kit, { expires_in_minutes: 5 })
    assert.equal(await finished(session), 'expired')
    await kit.sendTooLate(id)
    assert.equal(await finished(session), 'expired')
    assert.deepEqual([await settlements(id), await postedBy(stack, id)], [0, {}])
    assert.deepEqual(await eventsOfSale(stack, session.checkout_id), ['checkout.expired'])
  })

  test(`${name}: a transfer of too little does not complete a sale, and the right sum then does, once`, async () => {
    const { session, id } = await begin(kit)
    assert.equal(await kit.send(id, '1999.50'), kit.takesAnyAmount)
    await kit.tell(id)
    await settled(stack.client, 'checkout', session.checkout_id)
    const short = await merchant.getPayment(id)
    const [status, received] = kit.takesAnyAmount ? ['underpaid', '1999.50'] : ['requires_action', '0.00']
    assert.deepEqual([short['status'], short['amount_received']], [status, received])
    assert.equal(await kit.send(id, kit.takesAnyAmount ? '3000.50' : '5000.00'), true)
    await kit.tell(id)
    assert.equal(await finished(session), 'completed')
    assert.deepEqual([await settlements(id), (await merchant.getPayment(id))['amount_received']], [1, '5000.00'])
    const told = kit.takesAnyAmount ? ['collection.underpaid'] : []
    const all = [...told, 'collection.succeeded', 'checkout.completed']
    assert.deepEqual(await eventsOfSale(stack, session.checkout_id), all)
  })

  test(`${name}: a transfer of too much is kept whole or sent back whole, and the sale is paid once`, async () => {
    const { session, id } = await begin(kit)
    assert.equal(await kit.send(id, '5200.00'), kit.takesAnyAmount)
    await kit.tell(id)
    if (!kit.takesAnyAmount) {
      assert.equal(await statusOf(id), 'requires_action')
      assert.equal(await kit.send(id), true)
      await kit.tell(id)
    }
    assert.equal(await finished(session), 'completed')
    const received = kit.takesAnyAmount ? '5200.00' : '5000.00'
    assert.deepEqual([await settlements(id), (await merchant.getPayment(id))['amount_received']], [1, received])
  })

  test(`${name}: a transfer for an earlier choice goes back whole once another transfer has paid`, async () => {
    const { session, id } = await begin(kit)
    const second = await kit.begin(session)
    assert.notEqual(second, id)
    await settled(stack.client, 'checkout', session.checkout_id)
    await kit.send(second)
    await kit.tell(second)
    const { checkout_id } = session
    await until(async () => (await merchant.getCheckout(checkout_id))['status'] === 'completed', 'the sale completes')
    assert.equal(await kit.send(id), true)
    await kit.tell(id)
    await finished(session)
    assert.deepEqual(await refunded(kit, id), { reason: 'duplicate', amount: '5000.00' })
    assert.deepEqual([await settlements(id), await settlements(second)], [1, 1])
  })
}

test('Paystack: an account that closes before its session holds nothing: the buyer may choose again', async () => {
  const kit = kits.find(({ environment }) => environment === 'live') ?? assert.fail()
  const { session, id } = await begin(kit, { expires_in_minutes: 600 })
  const read = () => kit.merchant.getCheckout(session.checkout_id)
  await stack.skip(550 * minute) // the account has lived for eight hours, and the rail was asked since
  assert.deepEqual([(await read())['status'], (await read())['payment_status']], ['open', 'requires_action'])
  assert.notEqual(await kit.begin(session), id)
  await stack.skip(50 * minute)
  assert.equal((await read())['status'], 'expired')
})

for (const kit of kits) {
  const { name, merchant } = kit
  const statusOf = async (id: string) => (await merchant.getPayment(id))['status']
  const { settleDeposit } = depositActivities(stack.deps)

  /** A transfer into a new virtual account. Returns its payment once that is there. */
  async function deposit(isFinal: boolean): Promise<{ to: Account; reference: string; id: string }> {
    const to = await kit.openAccount()
    const reference = await kit.deposit(to, isFinal)
    const [row] = await stack.sql<{ id: string }>('select id from deposits where session_id = ?', [reference])
    const id = row?.id ?? assert.fail('the transfer is a payment')
    if (!isFinal) await settled(stack.client, 'deposit', id)
    if (!isFinal) assert.equal(await statusOf(id), 'processing')
    return { to, reference, id }
  }
  /** A transfer is posted, once. */
  async function posted(id: string, events = ['collection.succeeded']): Promise<void> {
    assert.equal(await stack.finished('deposit', id), 'settled')
    assert.deepEqual([await statusOf(id), await settlements(id)], ['succeeded', 1])
    assert.deepEqual(await eventsAbout(stack, id), events)
  }

  test(`${name}: a transfer into a virtual account is posted once, told ten times or after its end`, async () => {
    const { to, reference, id } = await deposit(true)
    await Promise.all(Array.from({ length: 10 }, () => kit.notify(reference)))
    await posted(id)
    await kit.notify(reference)
    const about = { accountId: '', environment: 'sandbox', status: '', waitingOn: '', summary: '' }
    const signal = { name: 'railAnswered', args: [] }
    await stack.services.engine.dispatch({ process: 'deposit', resourceId: id, about, signal })
    await posted(id)
    const own = await stack.sql('select from deposits where virtual_account_id = ?', [to.virtual_account_id])
    assert.equal(own.length, 1)
  })

  test(`${name}: a transfer that its bank does not call final is asked about, and not posted before`, async () => {
    const { reference, id } = await deposit(false)
    const { searchAttributes } = await stack.client.workflow.getHandle(`deposit/${id}`).describe()
    assert.deepEqual(searchAttributes['WaitingOn'], ['rail'])
    await stack.skip(6 * minute)
    await kit.confirm(reference)
    await stack.skip(50 * minute)
    assert.equal(await statusOf(id), 'processing') // there was no further notice, and its hour is not over
    assert.deepEqual(await eventsAbout(stack, id), [])
    kit.failOnce()
    await stack.skip(10 * minute)
    await posted(id)
  })

  test(`${name}: a further notice of the bank takes effect at once`, async () => {
    const { reference, id } = await deposit(false)
    await kit.confirm(reference)
    const confirmedAt = await stack.clock.now()
    await kit.notify(reference)
    await posted(id)
    assert.ok((await stack.clock.now()) - confirmedAt < 4 * minute)
  })

  test(`${name}: the amount that the bank has counts, not that of its notice`, async () => {
    const { reference, id } = await deposit(false)
    await kit.change(reference, { amount: '70000.00' })
    await kit.confirm(reference)
    await kit.notify(reference)
    await posted(id)
    const { amount, amount_received, fee_usd } = await merchant.getPayment(id)
    assert.deepEqual([amount, amount_received, fee_usd], ['70000.00', '70000.00', '0.19'])
    const [event] = await stack.sql<{ body: string }>('select body from events where resource_id = ?', [id])
    assert.equal(JSON.parse(event?.body ?? '{}').data.settlement_amount, '69700.00')
  })

  test(`${name}: settling twice at once, as several workers may, settles once`, async () => {
    const { reference, id } = await deposit(false)
    await kit.confirm(reference)
    const at = await stack.clock.now()
    const answers = await Promise.all(Array.from({ length: 8 }, () => settleDeposit(id, at)))
    assert.deepEqual(answers, Array(8).fill(true))
    await kit.notify(reference)
    await posted(id)
  })

  test(`${name}: a transfer that the bank has on another account is not posted here`, async () => {
    const { to, reference, id } = await deposit(false)
    const other = await kit.openAccount()
    await kit.change(reference, { accountNumber: other.account_number })
    await kit.confirm(reference)
    const answer = await settleDeposit(id, await stack.clock.now()).catch(() => 'unclear')
    assert.ok(answer === false || answer === 'unclear')
    assert.deepEqual([await statusOf(id), await settlements(id)], ['processing', 0])
    await kit.change(reference, { accountNumber: to.account_number })
    // As a bank that is asked by the name of the transfer alone.
    const bank = stack.deps.rails.in(kit.environment).virtualAccounts
    const { lookUp } = bank
    bank.lookUp = async (...about) => {
      const found = await lookUp(...about)
      return found && { ...found, accountNumber: other.account_number }
    }
    await assert.rejects(settleDeposit(id, await stack.clock.now()), /another account/)
    bank.lookUp = lookUp
    await posted(id)
  })

  test(`${name}: a transfer marked as failed is posted once when the bank has it after all`, async () => {
    const { reference, id } = await deposit(false)
    assert.equal(stateOf(await ada.onPayment(id, 'mark-failed', order)), 'executed')
    assert.equal(await stack.finished('deposit', id), 'failed')
    await kit.notify(reference) // the bank has still not confirmed it
    assert.equal(await stack.finished('deposit', id), 'failed')
    await kit.confirm(reference)
    for (let notice = 0; notice < 2; notice++) {
      await kit.notify(reference)
      await posted(id, ['collection.failed', 'collection.succeeded'])
    }
    assert.deepEqual(await lastActor(id), ['rail', null])
  })
}

test('at the end Paystack’s own lists and our books agree about everything that has moved', async () => {
  await assertBooksAgree(stack.database, 'paystack', providers)
})
