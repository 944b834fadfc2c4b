import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { readBalance } from '../support/ledger.ts'
import { eventsAbout, postedBy } from '../support/resource-rows.ts'
import { pageOf } from '../support/api.ts'
import { detailsOf } from '../support/details.ts'
import { assertAskedOnTime } from '../support/polls.ts'
import { sale, transferSale } from '../support/merchant.ts'
import { endRefund, forget, sendRailNews } from '../support/rail-books.ts'
import { changeAccount } from '../support/rows.ts'
import { scriptRefunds } from '../support/scripted-rails.ts'
import { refusalsOfOurs } from '../support/scripted-words.ts'
import { settled } from '../support/settled.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useApi, useReceiver, useStack } from '../support/use-stack.ts'
import { textIn } from '../support/texts.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const stack = await useStack({ skipping: true })
const api = await useApi(stack, { limited: true })
const receiver = await useReceiver()
await stack.merchant.setWebhook(receiver.url)
const rails = scriptRefunds(stack)
// Money to pay the fees from. The first sale may fail while the service is still starting.
await until(
  () => stack.merchant.chargeByCard({ ...sale, amount: '1000.00' }).then(Boolean, () => false),
  'the first sale is paid',
)
await stack.merchant.chargeByTransfer({ ...transferSale, amount: '90000.00' })
afterEach(async () => {
  rails.answers([])
  await assertInvariants(stack)
})

const eventsOf = (id: string) => eventsAbout(stack, id)
const posted = (id: string) => postedBy(stack, id)

const finished = async (refundId: string) => {
  await stack.dispatched()
  return stack.finished('refund', refundId)
}

/** The movements of a full refund of 25.00 by card, whose fee the merchant bears. */
const sentInFull = {
  'refund_hold merchant': '-24.27',
  'refund_hold reserved': '24.27',
  'refund_paid reserved': '-24.27',
  'refund_paid rail': '23.97',
  'refund_paid fees': '0.30',
}

/** The rail has got the same order each time, `times` at least, has made one refund of its charge, and it is posted. */
async function assertSentOnce(refundId: string, times: number, orders = rails.orders): Promise<void> {
  assert.ok(orders.length >= times, `ordered ${orders.length} times`)
  const [first = assert.fail()] = orders
  assert.equal(first.refundId, refundId)
  for (const order of orders) assert.deepEqual(order, first)
  const made = await stack.sql('select refund_id from simulated_refunds where payment_id = ?', [first.paymentId])
  assert.deepEqual(made, [{ refund_id: refundId }])
  assert.deepEqual(await posted(refundId), sentInFull)
}

test('a full refund reserves the settled amount and the fee, and sends it', async () => {
  const charge = await stack.merchant.chargeByCard()
  const created = await stack.merchant.refund(charge)
  assert.equal(created['status'], 'pending')
  assert.equal(await finished(created.refund_id), 'succeeded')
  const refund = await stack.merchant.getRefund(created.refund_id)
  assert.deepEqual(
    [refund['status'], refund['requested_amount'], refund['refunded_amount'], refund['refund_fee_amount']],
    ['succeeded', '23.97', '23.97', '0.30'],
  )
  assert.ok(refund['completed_at'])
  assert.deepEqual(await posted(created.refund_id), sentInFull)
  const payment = await stack.merchant.getPayment(charge)
  assert.deepEqual([payment['refunded_amount'], payment['refund_status']], ['23.97', 'full'])
  assert.deepEqual(await eventsOf(created.refund_id), ['refund.created', 'refund.paid'])
  assert.ok((await stack.historyLength('refund', created.refund_id)) <= 20)
})

test('partial refunds add up, and the payment shows how much was refunded', async () => {
  const charge = await stack.merchant.chargeByTransfer()
  const first = await stack.merchant.refund(charge, { amount: 1000.5, fee_bearer: 'CUSTOMER' })
  assert.equal(await finished(first.refund_id), 'succeeded')
  assert.equal((await stack.merchant.getRefund(first.refund_id))['refunded_amount'], '975.50')
  assert.deepEqual(await posted(first.refund_id), {
    'refund_hold merchant': '-1000.50',
    'refund_hold reserved': '1000.50',
    'refund_paid reserved': '-1000.50',
    'refund_paid rail': '975.50',
    'refund_paid fees': '25.00',
  })
  let payment = await stack.merchant.getPayment(charge)
  assert.deepEqual([payment['refunded_amount'], payment['refund_status']], ['1000.50', 'partial'])
  const rest = await stack.merchant.refund(charge, { fee_bearer: 'CUSTOMER' })
  assert.equal(rest['requested_amount'], '3949.50') // 5000.00 less the sale's fee of 50.00, less the first refund
  assert.equal(await finished(rest.refund_id), 'succeeded')
  payment = await stack.merchant.getPayment(charge)
  assert.deepEqual([payment['refunded_amount'], payment['refund_status']], ['4950.00', 'full'])
})

test('a failed refund gives everything back, including the fee, and may be tried again', async () => {
  const charge = await stack.merchant.chargeByCard()
  const refund = await stack.merchant.refund(charge, { amount: 10, simulated_outcome: 'failed' })
  assert.equal(await finished(refund.refund_id), 'failed')
  const failed = await stack.merchant.getRefund(refund.refund_id)
  assert.deepEqual([failed['status'], failed['refunded_amount']], ['failed', null])
  assert.ok(failed['completed_at'])
  assert.deepEqual(await posted(refund.refund_id), {
    'refund_hold merchant': '-10.30',
    'refund_hold reserved': '10.30',
    'refund_released merchant': '10.30',
    'refund_released reserved': '-10.30',
  })
  assert.deepEqual(await eventsOf(refund.refund_id), ['refund.created', 'refund.failed'])
  const payment = await stack.merchant.getPayment(charge)
  assert.deepEqual([payment['refunded_amount'], payment['refund_status']], ['0.00', 'none'])
  const again = await stack.merchant.refund(charge, { amount: 23.97 })
  assert.equal(await finished(again.refund_id), 'succeeded')
})

test('a rail that never calls back is asked after 5 minutes, 1 hour and daily, and the money moves once', async () => {
  const charge = await stack.merchant.chargeByCard()
  rails.answers(['unknown', 'unknown', 'unknown', 'unknown', 'succeeded'])
  const { refund_id } = await stack.merchant.refund(charge)
  await stack.dispatched()
  await settled(stack.client, 'refund', refund_id)
  assert.equal((await stack.merchant.getRefund(refund_id))['status'], 'processing')
  assert.equal(await stack.finished('refund', refund_id), 'succeeded')
  assertAskedOnTime(rails.asked)
  await assertSentOnce(refund_id, 1)
  assert.deepEqual(await eventsOf(refund_id), ['refund.created', 'refund.paid'])
})

test('a refund that its rail fails late keeps its reservation until then', async () => {
  const charge = await stack.merchant.chargeByTransfer()
  rails.answers(['unknown', 'unknown', 'failed'])
  const { refund_id } = await stack.merchant.refund(charge)
  await stack.dispatched()
  await stack.skip(30 * minute)
  assert.deepEqual(await posted(refund_id), { 'refund_hold merchant': '-4975.00', 'refund_hold reserved': '4975.00' })
  assert.equal(await stack.finished('refund', refund_id), 'failed')
  assert.equal((await posted(refund_id))['refund_released merchant'], '4975.00')
})

test('a notice of the rail makes us ask the rail at once, and does not delay the next scheduled question', async () => {
  const charge = await stack.merchant.chargeByCard()
  rails.answers(['unknown', 'unknown', 'unknown', 'succeeded'])
  const { refund_id } = await stack.merchant.refund(charge)
  await stack.dispatched()
  await settled(stack.client, 'refund', refund_id)
  const handle = stack.client.workflow.getHandle(`refund/${refund_id}`)
  await handle.signal('railAnswered') // a false notice: the rail has no result yet
  await settled(stack.client, 'refund', refund_id)
  assert.equal(rails.asked.length, 2)
  await stack.skip(5 * minute + 5_000)
  await settled(stack.client, 'refund', refund_id)
  assert.equal(rails.asked.length, 3)
  await handle.signal('railAnswered')
  assert.equal(await handle.result(), 'succeeded')
  assert.ok((rails.asked[3] ?? 0) - (rails.asked[2] ?? 0) < minute)
})

test('an unavailable rail is tried until it answers, and makes one refund only', async () => {
  const charge = await stack.merchant.chargeByCard()
  rails.answers(['no answer', 'no answer', 'no answer', 'succeeded'])
  const { refund_id } = await stack.merchant.refund(charge)
  assert.equal(await finished(refund_id), 'succeeded')
  await assertSentOnce(refund_id, 4)
})

test('a rail that throws for 30 hours is asked at least every five minutes, and the money moves once', async () => {
  const charge = await stack.merchant.chargeByCard()
  rails.answers(Array<'no answer'>(1_000).fill('no answer'))
  const { refund_id } = await stack.merchant.refund(charge)
  await stack.dispatched()
  await until(() => rails.asked.length > 0, 'the rail was asked')
  await stack.skip(30 * hour)
  const questions = rails.asked.length
  assert.ok(questions > 330, `asked ${questions} times`)
  assert.equal((await stack.merchant.getRefund(refund_id))['status'], 'processing')
  assert.match(await detailsOf(stack.client, 'refund', refund_id), /act on it in the review desk.*rail is being called/)
  const ordered = [...rails.orders]
  rails.answers([])
  await endRefund(stack, refund_id, 'succeeded')
  assert.equal(await finished(refund_id), 'succeeded')
  await assertSentOnce(refund_id, questions, [...ordered, ...rails.orders])
  assert.equal(await detailsOf(stack.client, 'refund', refund_id), 'Closed: succeeded. No action needed.')
})

test('a refund that its rail refuses fails', async () => {
  const charge = await stack.merchant.chargeByCard()
  rails.answers(['refuses'])
  const { refund_id } = await stack.merchant.refund(charge)
  assert.equal(await finished(refund_id), 'failed')
  assert.deepEqual(await eventsOf(refund_id), ['refund.created', 'refund.failed'])
})

test('an order whose adapter throws a refusal of our own is asked again, and releases no money', async () => {
  for (const code of refusalsOfOurs) {
    rails.answers([code, code, 'succeeded'])
    const { refund_id } = await stack.merchant.refund(await stack.merchant.chargeByCard())
    assert.equal(await finished(refund_id), 'succeeded', code)
    await assertSentOnce(refund_id, 3)
    assert.deepEqual(await eventsOf(refund_id), ['refund.created', 'refund.paid'])
  }
})

test('a notice that comes after the end starts the process again, and changes nothing', async () => {
  const { refund_id } = await stack.merchant.refund(await stack.merchant.chargeByCard())
  assert.equal(await finished(refund_id), 'succeeded')
  const seen = await stack.merchant.getRefund(refund_id)
  await sendNotice(refund_id)
  assert.equal(await finished(refund_id), 'succeeded')
  assert.deepEqual(await stack.merchant.getRefund(refund_id), seen)
  assert.deepEqual(await eventsOf(refund_id), ['refund.created', 'refund.paid'])
})

/** A notice of the rail about a refund whose process has ended. */
const sendNotice = (refundId: string) => sendRailNews(stack, 'refund', refundId)

test('money that is returned after a refund succeeded is credited to the merchant once, with the fee', async () => {
  const charge = await stack.merchant.chargeByCard()
  const { refund_id } = await stack.merchant.refund(charge)
  assert.equal(await finished(refund_id), 'succeeded')
  rails.answers(['returned'])
  await sendNotice(refund_id)
  assert.equal(await finished(refund_id), 'failed')
  await sendNotice(refund_id)
  assert.equal(await finished(refund_id), 'failed')
  const { status, refunded_amount, completed_at } = await stack.merchant.getRefund(refund_id)
  assert.deepEqual([status, refunded_amount, typeof completed_at], ['failed', null, 'string'])
  const lines = await posted(refund_id)
  assert.deepEqual(
    Object.entries(lines)
      .filter(([line]) => line.startsWith('refund_returned'))
      .toSorted(),
    [
      ['refund_returned fees', '-0.30'],
      ['refund_returned merchant', '24.27'],
      ['refund_returned rail', '-23.97'],
    ],
  )
  assert.deepEqual(await eventsOf(refund_id), ['refund.created', 'refund.paid', 'refund.failed'])
  const payment = await stack.merchant.getPayment(charge)
  assert.deepEqual([payment['refunded_amount'], payment['refund_status']], ['0.00', 'none'])
  const { body } = await stack.merchant.call('GET', `/v1/balances/transactions?source_id=${refund_id}`)
  const transactions = (body['items'] as unknown as Record<string, string>[]).map(({ type, amount }) => [type, amount])
  assert.deepEqual(transactions, [
    ['refund_reversal', '24.27'],
    ['refund', '-24.27'],
  ])
  const again = await stack.merchant.refund(charge)
  assert.equal(await finished(again.refund_id), 'succeeded')
})

test('money that is returned while the refund is being posted is credited to the merchant too', async () => {
  const sandbox = stack.deps.rails.in('sandbox')
  const { of } = sandbox
  sandbox.of = (corridor) => ({
    ...of(corridor),
    async refund(order) {
      const answer = await of(corridor).refund(order)
      await endRefund(stack, order.refundId, 'returned')
      await stack.client.workflow.getHandle(`refund/${order.refundId}`).signal('railAnswered')
      return answer // it was right when the rail gave it
    },
  })
  const { refund_id } = await stack.merchant.refund(await stack.merchant.chargeByCard())
  assert.equal(await finished(refund_id).finally(() => (sandbox.of = of)), 'failed')
  assert.deepEqual(await eventsOf(refund_id), ['refund.created', 'refund.paid', 'refund.failed'])
  assert.equal((await posted(refund_id))['refund_returned merchant'], '24.27')
})

test('a rail that does not know the order gets it again', async () => {
  rails.answers(['unknown'])
  const { refund_id } = await stack.merchant.refund(await stack.merchant.chargeByCard())
  await stack.dispatched()
  await settled(stack.client, 'refund', refund_id)
  await forget.refund(stack, refund_id)
  await stack.skip(5 * minute + 5_000)
  const isPaid = async () => (await stack.merchant.getRefund(refund_id))['status'] === 'succeeded'
  await until(isPaid, 'the order is given again')
  await assertSentOnce(refund_id, 2)
})

test('money that is returned before success was known fails the refund as usual', async () => {
  rails.answers(['unknown', 'returned'])
  const { refund_id } = await stack.merchant.refund(await stack.merchant.chargeByCard())
  assert.equal(await finished(refund_id), 'failed')
  assert.deepEqual(await eventsOf(refund_id), ['refund.created', 'refund.failed'])
})

test('a refund takes available money first and then pending money, and a failed one restores both parts', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const balance = async (): Promise<string[]> => {
    const em = stack.database.orm.em.fork()
    const owner = { accountId, environment: 'sandbox' } as const
    const { available, pending } = await readBalance(em, owner, 'merchant', 'USD', await stack.clock.now())
    return [available, pending]
  }
  await merchant.chargeByCard({ ...sale, amount: '100.00' })
  await stack.skip(2 * day + minute) // this money is available now, the next charge's is not
  const newer = await merchant.chargeByCard({ ...sale, amount: '200.00' })
  assert.deepEqual(await balance(), ['96.8', '193.9'])
  rails.answers(['unknown', 'failed'])
  const failing = await merchant.refund(newer)
  assert.deepEqual(await balance(), ['0', '96.5']) // 193.90 and the fee of 0.30: 96.80 available and 97.40 pending
  assert.equal(await finished(failing.refund_id), 'failed')
  assert.deepEqual(await balance(), ['96.8', '193.9'])
  await stack.skip(2 * day)
  assert.deepEqual(await balance(), ['290.7', '0'])
  const taken = await merchant.refund(newer)
  assert.equal(await finished(taken.refund_id), 'succeeded')
  assert.deepEqual(await balance(), ['96.5', '0'])
})

test('an account may refund its only sale: it owes the refund’s fee', async () => {
  const { merchant } = await api.addMerchant()
  const all = await merchant.refund(await merchant.chargeByCard())
  assert.deepEqual([all['requested_amount'], all['refund_fee_amount']], ['23.97', '0.30'])
  assert.equal(await finished(all.refund_id), 'succeeded')
  const { items } = pageOf(await merchant.call('GET', '/v1/balances'))
  assert.equal(items[0]?.['owed'], '0.30')
})

test('late money is refunded automatically if the account wants that, and the payer bears the fee', async () => {
  const { merchant, accountId } = await api.addMerchant()
  await changeAccount(stack, accountId, { latePaymentPolicy: 'refund' })
  const late = async (amount: string) => {
    const session = await merchant.createCheckout({ ...transferSale, amount, expires_in_minutes: 5, reference: 'o-1' })
    const { payment_id } = await merchant.payByTransfer(session)
    await stack.dispatched()
    await stack.skip(2 * hour)
    assert.equal((await merchant.deposit(payment_id)).body['status'], 'succeeded')
    return payment_id
  }
  const paid = await late('5000.00')
  const { body: refund } = await merchant.call('GET', `/api/v1/payments/payins/${paid}/refund`)
  const id = String(refund['refund_id'])
  assert.deepEqual(
    [refund['requested_amount'], refund['reference'], refund['reason'], refund['fee_bearer']],
    ['4950.00', 'o-1', 'late payment', 'CUSTOMER'],
  )
  assert.equal(await finished(id), 'succeeded')
  assert.equal((await merchant.getRefund(id))['refunded_amount'], '4925.00')
  assert.equal((await merchant.getPayment(paid))['refund_status'], 'full')
  assert.deepEqual(await eventsOf(paid), ['collection.succeeded'])
  assert.deepEqual(await eventsOf(id), ['refund.created', 'refund.paid'])
  // The fee of 25.00 would leave nothing of the first one, so it is kept. The second one is paid in time.
  const kept = await late('25.00')
  const inTime = await merchant.chargeByTransfer()
  for (const payment of [kept, inTime]) {
    assert.equal((await merchant.call('GET', `/api/v1/payments/payins/${payment}/refund`)).status, 404)
  }
})

test('the engine shows refunds of both currencies in plain words, without personal data', async () => {
  const charges = [await stack.merchant.chargeByTransfer(transferSale), await stack.merchant.chargeByCard()]
  const words = [/4950\.00 NGN of pay_/, /23\.97 USD of pay_/]
  for (const [index, charge] of charges.entries()) {
    const { refund_id } = await stack.merchant.refund(charge)
    await finished(refund_id)
    const handle = stack.client.workflow.getHandle(`refund/${refund_id}`)
    const [{ raw }, history] = await Promise.all([handle.describe(), handle.fetchHistory()])
    const text = textIn([raw, history])
    for (const seen of [words[index] ?? '', /Send the refund to the rail/, refund_id]) assert.match(text, RegExp(seen))
    for (const marker of ['ada@example.com', 'Ada Buyer', 'return-1']) assert.ok(!text.includes(marker), marker)
  }
})
