import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { readBalance } from '../support/ledger.ts'
import { supervisorActivities } from '../../activities/supervisor.ts'
import { eventsAbout, postedBy } from '../support/resource-rows.ts'
import { disputedCard, disputing, type ShownDispute, warnedCard } from '../support/dispute.ts'
import { assertError } from '../support/api.ts'
import { loseProcess } from '../support/lose-process.ts'
import { sale } from '../support/merchant.ts'
import { sendDisputeNews } from '../support/rail-books.ts'
import { settled } from '../support/settled.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'

const hour = 3_600_000
const day = 24 * hour

const stack = await useStack({ skipping: true })
const api = await useApi(stack)
const { merchant } = stack
const disputes = disputing(merchant)
await until(
  () => merchant.chargeByCard({ ...sale, amount: '1000.00' }).then(Boolean, () => false),
  'the first sale is paid',
)
afterEach(() => assertInvariants(stack))

const finished = async ({ dispute_id: id }: Pick<ShownDispute, 'dispute_id'>) => {
  await stack.dispatched()
  return stack.finished('dispute', id)
}

const eventsOf = (id: string) => eventsAbout(stack, id)
const posted = (id: string) => postedBy(stack, id)

/** The dispute of a payment, once its network has raised it. */
async function disputeOf(paymentId: string): Promise<ShownDispute> {
  const read = async () => (await merchant.call('GET', `/v1/disputes?payment_id=${paymentId}`)).body['items']
  await until(async () => ((await read()) as unknown as ShownDispute[]).length > 0, 'the payment is disputed')
  return ((await read()) as unknown as [ShownDispute])[0]
}

const held = { 'dispute_hold merchant': '-25.00', 'dispute_hold reserved': '25.00' }
const feeHeld = { 'dispute_fee_hold merchant': '-15.00', 'dispute_fee_hold reserved': '15.00' }
const feePaid = { 'dispute_fee_paid reserved': '-15.00', 'dispute_fee_paid fees': '15.00' }

test('staff read in the engine until when the merchant may answer, and what happens before that', async () => {
  const { dispute_id: id, evidence_due_at: due } = await disputeOf(await disputes.sellTo(disputedCard))
  const handle = stack.client.workflow.getHandle(`dispute/${id}`)
  const read = async () => {
    await settled(stack.client, 'dispute', id)
    return JSON.stringify(await handle.query('__temporal_workflow_metadata'))
  }
  const reminder = new Date(Date.parse(String(due)) - 48 * hour).toISOString()
  const lost = `Without evidence by ${due} the dispute is lost. Waiting for the merchant, until`
  const first = await read()
  assert.ok(first.includes(`${lost} ${reminder}, then a reminder is sent.`), first)
  await stack.skip(Date.parse(reminder) - (await stack.clock.now()) + hour)
  const second = await read()
  assert.ok(second.includes(`${lost} ${due}, then the dispute is lost.`), second)
  await merchant.call('POST', `/v1/disputes/${id}/accept`)
  assert.equal(await finished({ dispute_id: id }), 'lost')
  assert.ok((await read()).includes('Closed: lost. No action needed.'))
})

test('the dispute card is disputed by itself: the amount and the fee are held, and lost at the deadline', async () => {
  const paymentId = await disputes.sellTo(disputedCard)
  const { dispute_id: id } = await disputeOf(paymentId)
  const dispute = await disputes.read(id)
  assert.partialDeepStrictEqual(dispute, {
    payment_id: paymentId,
    status: 'needs_response',
    amount: '25.00',
    currency: 'USD',
    fee: '15.00',
    reason: 'fraudulent',
    network_reason_code: '10.4',
    has_evidence: false,
    past_due: false,
    submission_count: 0,
    resolution: null,
    evidence: { customer_email_address: 'ada@example.com', customer_name: 'Ada Buyer', uncategorized_text: null },
  })
  assert.deepEqual(await posted(id), { ...held, ...feeHeld })
  assert.equal((await merchant.getPayment(paymentId))['disputed'], true)
  await stack.skip(14 * day)
  assert.equal(await finished(dispute), 'lost')
  const lost = await disputes.read(id)
  assert.deepEqual([lost['resolution'], lost['past_due']], ['expired', true])
  const lateMs = Date.parse(String(lost['resolved_at'])) - Date.parse(String(dispute['evidence_due_at']))
  assert.ok(lateMs >= 0 && lateMs < 10_000, `${lateMs} ms after the deadline`)
  assert.deepEqual(await posted(id), {
    ...held,
    ...feeHeld,
    ...feePaid,
    'dispute_paid reserved': '-25.00',
    'dispute_paid rail': '25.00',
  })
  assert.deepEqual(await eventsOf(id), ['dispute.created', 'dispute.evidence_due_soon', 'dispute.lost'])
})

test('the merchant is told 48 hours before the deadline, and not before', async () => {
  const dispute = await disputes.raise(await merchant.chargeByCard())
  const left = Date.parse(String(dispute['evidence_due_at'])) - (await stack.clock.now())
  await stack.skip(left - 49 * hour)
  assert.deepEqual(await eventsOf(dispute.dispute_id), ['dispute.created'])
  await stack.skip(90 * 60_000)
  assert.deepEqual(await eventsOf(dispute.dispute_id), ['dispute.created', 'dispute.evidence_due_soon'])
  await disputes.accept(dispute.dispute_id)
  assert.equal(await finished(dispute), 'lost')
})

test('a later deadline of the network counts, also where it is told only at the deadline', async () => {
  const dispute = await disputes.raise(await merchant.chargeByCard())
  const id = dispute.dispute_id
  const dueAt = Date.parse(String(dispute['evidence_due_at']))
  const extendTo = (due: number) =>
    stack.sql('update simulated_disputes set due_at = ? where payment_id = ?', [new Date(due), dispute['payment_id']])
  const due = async () => Date.parse(String((await disputes.read(id))['evidence_due_at'])) - dueAt
  // An earlier one does not: the merchant was told of more time.
  await extendTo(dueAt - day)
  await sendDisputeNews(stack, id)
  await settled(stack.client, 'dispute', id)
  assert.deepEqual([await due(), await eventsOf(id)], [0, ['dispute.created']])
  await extendTo(dueAt + day)
  await sendDisputeNews(stack, id)
  await until(async () => (await due()) === day, 'the merchant has a day more')
  await stack.skip(dueAt + day - hour - (await stack.clock.now()))
  await extendTo(dueAt + 8 * day)
  await stack.skip(2 * hour)
  await settled(stack.client, 'dispute', id)
  assert.deepEqual([(await disputes.read(id)).status, await due()], ['needs_response', 8 * day])
  await disputes.change(id, { uncategorized_text: 'A draft' })
  await stack.skip(7 * day)
  assert.equal(await finished(dispute), 'lost')
  assert.equal((await disputes.read(id))['resolution'], 'expired')
  assert.deepEqual(await eventsOf(id), [
    'dispute.created',
    'dispute.updated',
    'dispute.evidence_due_soon',
    'dispute.updated',
    'dispute.updated',
    'dispute.evidence_due_soon',
    'dispute.lost',
  ])
})

test('winning evidence returns the amount and not the fee, in at most 45 events', async () => {
  const dispute = await disputes.raise(await merchant.chargeByCard(), { reason: 'product_not_received' })
  await stack.skip(13 * day)
  await disputes.change(dispute.dispute_id, { shipping_carrier: 'A carrier' })
  const submitted = await disputes.change(dispute.dispute_id, { uncategorized_text: 'winning_evidence', submit: true })
  assert.equal(submitted['submission_count'], 1)
  assert.equal(await finished(dispute), 'won')
  const won = await disputes.read(dispute.dispute_id)
  assert.deepEqual([won['resolution'], won['has_evidence']], ['evidence', true])
  assert.deepEqual(await posted(dispute.dispute_id), {
    ...held,
    ...feeHeld,
    ...feePaid,
    'dispute_released merchant': '25.00',
    'dispute_released reserved': '-25.00',
  })
  assert.deepEqual(await eventsOf(dispute.dispute_id), [
    'dispute.created',
    'dispute.evidence_due_soon',
    'dispute.updated',
    'dispute.updated',
    'dispute.won',
  ])
  const length = await stack.historyLength('dispute', dispute.dispute_id)
  assert.ok(length <= 45, `${length} events`)
})

test('losing evidence loses the amount', async () => {
  const dispute = await disputes.raise(await merchant.chargeByCard())
  await disputes.change(dispute.dispute_id, { uncategorized_text: 'losing_evidence', submit: true })
  assert.equal(await finished(dispute), 'lost')
  assert.equal((await disputes.read(dispute.dispute_id))['resolution'], 'evidence')
})

test('other evidence is under review for as long as the network takes, and is asked about every day', async () => {
  const dispute = await disputes.raise(await merchant.chargeByCard())
  await disputes.change(dispute.dispute_id, { uncategorized_text: 'The customer has it.', submit: true })
  await stack.skip(40 * day)
  assert.equal((await disputes.read(dispute.dispute_id)).status, 'under_review')
  assertError(await disputes.tryToChange(dispute.dispute_id, { shipping_date: 'now' }), 409, 'CONFLICT')
  assertError(await disputes.tryToChange(dispute.dispute_id, { submit: true }), 409, 'CONFLICT')
  assertError(await disputes.tryToAccept(dispute.dispute_id), 409, 'CONFLICT')
  assert.equal((await disputes.settle(dispute.dispute_id, 'won')).status, 'won')
  assert.equal(await finished(dispute), 'won')
})

test('a draft that was never submitted is lost at the deadline like no evidence at all', async () => {
  const dispute = await disputes.raise(await merchant.chargeByCard())
  await disputes.change(dispute.dispute_id, { uncategorized_text: 'winning_evidence' })
  await stack.skip(14 * day)
  assert.equal(await finished(dispute), 'lost')
  const lost = await disputes.read(dispute.dispute_id)
  assert.deepEqual([lost['resolution'], lost['submission_count'], lost['has_evidence']], ['expired', 0, true])
})

test('an accepted dispute is lost at once, and the network is told', async () => {
  const dispute = await disputes.raise(await merchant.chargeByCard())
  const accepted = await disputes.accept(dispute.dispute_id)
  assert.deepEqual([accepted.status, accepted['resolution']], ['lost', 'accepted'])
  assert.equal(await finished(dispute), 'lost')
  const [entry] = await stack.sql<{ status: string }>(
    'select s.status from simulated_disputes s join disputes d on d.network_id = s.network_id where d.id = ?',
    [dispute.dispute_id],
  )
  assert.equal(entry?.status, 'closed')
})

test('a dispute that the buyer withdraws is won, whether evidence was submitted or not', async () => {
  for (const submits of [false, true]) {
    const dispute = await disputes.raise(await merchant.chargeByCard())
    if (submits) await disputes.change(dispute.dispute_id, { uncategorized_text: 'They have it.', submit: true })
    const withdrawn = await disputes.settle(dispute.dispute_id, 'withdrawn')
    assert.deepEqual([withdrawn.status, withdrawn['resolution']], ['won', 'withdrawn'])
    assert.equal(await finished(dispute), 'won')
  }
})

test('an early warning holds nothing, and a full refund prevents the dispute', async () => {
  const paymentId = await disputes.sellTo(warnedCard)
  const dispute = await disputeOf(paymentId)
  assert.deepEqual([dispute.status, dispute['fee']], ['early_warning', '0.00'])
  assert.deepEqual(await posted(dispute.dispute_id), {})
  await merchant.refund(paymentId, { amount: 10 })
  await stack.skip(hour)
  assert.equal((await disputes.read(dispute.dispute_id)).status, 'early_warning') // a part of it prevents nothing
  await merchant.refund(paymentId)
  assert.equal(await finished(dispute), 'prevented')
  assert.deepEqual(await eventsOf(dispute.dispute_id), ['dispute.created', 'dispute.updated'])
  assert.equal((await merchant.getPayment(paymentId))['disputed'], false)
})

test('accepting an early warning refunds the charge in full', async () => {
  const paymentId = await disputes.sellTo(warnedCard)
  const dispute = await disputeOf(paymentId)
  assertError(
    await disputes.tryToChange(dispute.dispute_id, { uncategorized_text: 'x', submit: true }),
    409,
    'CONFLICT',
  )
  await disputes.accept(dispute.dispute_id)
  assert.equal(await finished(dispute), 'prevented')
  const payment = await merchant.getPayment(paymentId)
  assert.deepEqual([payment['refund_status'], payment['refunded_amount']], ['full', '23.97'])
})

test('a dispute that the network raises after it was prevented is taken up again by its process', async () => {
  const paymentId = await merchant.chargeByCard()
  const dispute = await disputes.raise(paymentId, { early_warning: true })
  await disputes.accept(dispute.dispute_id)
  assert.equal(await finished(dispute), 'prevented')
  await stack.sql(`update simulated_disputes set status = 'needs_response' where payment_id = ?`, [paymentId])
  await sendDisputeNews(stack, dispute.dispute_id)
  const read = () => disputes.read(dispute.dispute_id)
  await until(async () => (await read()).status === 'needs_response', 'it is raised')
  assert.partialDeepStrictEqual(await read(), { amount: '1.03', fee: '15.00', resolved_at: null })
  assert.equal((await disputes.accept(dispute.dispute_id)).status, 'lost')
  assert.equal(await finished(dispute), 'lost')
})

/** A charge of which 10.00 are refunded, then a warning of the rest, and then another dispute that takes the rest. */
async function warnBeside() {
  const paymentId = await merchant.chargeByCard()
  const { refund_id } = await merchant.refund(paymentId, { amount: 10 })
  await stack.dispatched()
  await stack.finished('refund', refund_id)
  const warning = await disputes.raise(paymentId, { early_warning: true })
  const other = await disputes.raise(paymentId)
  assert.deepEqual([warning.amount, other.amount], ['15.00', '15.00'])
  await stack.dispatched()
  await settled(stack.client, 'dispute', warning.dispute_id)
  return { paymentId, warning, other }
}

test('a warning for which a dispute has left nothing stays, also in a new process, until that is won', async () => {
  const { warning, other } = await warnBeside()
  await loseProcess(stack.client, 'dispute', warning.dispute_id)
  await supervisorActivities(stack.deps).restartMissingProcesses(null, await stack.clock.now())
  await stack.dispatched()
  await settled(stack.client, 'dispute', warning.dispute_id)
  assert.equal((await disputes.read(warning.dispute_id)).status, 'early_warning')
  await disputes.settle(other.dispute_id, 'withdrawn')
  assert.equal(await finished(other), 'won')
  await disputes.accept(warning.dispute_id)
  assert.equal(await finished(warning), 'prevented')
})

test('CONFLICT: a warning cannot be accepted where a dispute has taken what an earlier refund had left', async () => {
  const { paymentId, warning, other } = await warnBeside()
  assertError(await disputes.tryToAccept(warning.dispute_id), 409, 'CONFLICT')
  await disputes.settle(other.dispute_id, 'withdrawn')
  assert.equal(await finished(other), 'won')
  await disputes.accept(warning.dispute_id)
  assert.equal(await finished(warning), 'prevented')
  assert.equal((await merchant.getPayment(paymentId))['refund_status'], 'full')
})

test('a refund of all that has settled prevents a warning, though a dispute takes the fee of the sale', async (t) => {
  const rails = stack.deps.rails.in('sandbox')
  const { of } = rails
  t.after(() => void (rails.of = of))
  const { promise: mayGo, resolve: go } = Promise.withResolvers<void>()
  t.after(() => go()) // also where the test fails, as the worker waits for it
  rails.of = (corridor) => ({
    ...of(corridor),
    refund: async (order) => {
      await mayGo
      return of(corridor).refund(order)
    },
  })
  const paymentId = await merchant.chargeByCard()
  const warning = await disputes.raise(paymentId, { early_warning: true })
  await merchant.refund(paymentId)
  const { amount } = await disputes.raise(paymentId)
  assert.ok(Number(amount) > 0 && Number(amount) < 2, amount)
  await disputes.accept(warning.dispute_id)
  go()
  assert.equal(await finished(warning), 'prevented')
})

test('an early warning that nobody answers becomes a dispute after 72 hours', async () => {
  const dispute = await disputes.raise(await merchant.chargeByCard(), { early_warning: true })
  await stack.skip(72 * hour + 60_000)
  await until(
    async () => (await disputes.read(dispute.dispute_id)).status === 'needs_response',
    'the dispute is raised',
  )
  assert.deepEqual(await posted(dispute.dispute_id), { ...held, ...feeHeld })
  await stack.skip(14 * day)
  assert.equal(await finished(dispute), 'lost')
})

test('a warning whose network reviews the dispute already is not lost, and ends as the network decides', async () => {
  const paymentId = await merchant.chargeByCard()
  const { dispute_id: id } = await disputes.raise(paymentId, { early_warning: true })
  const decide = (status: string) =>
    stack.sql('update simulated_disputes set status = ? where payment_id = ?', [status, paymentId])
  await decide('under_review') // by evidence that was given to the network itself
  await stack.skip(20 * day)
  const read = await disputes.read(id)
  assert.partialDeepStrictEqual(read, { status: 'under_review', fee: '15.00', submitted_at: null, resolution: null })
  assert.deepEqual(await posted(id), { ...held, ...feeHeld })
  const { items } = (await merchant.call('GET', `/v1/disputes/${id}/agenda`)).body
  assert.partialDeepStrictEqual(items, [{ waiting_on: 'rail', reason: 'rail_poll', waiting_since: read['updated_at'] }])
  await decide('won')
  assert.equal(await finished({ dispute_id: id }), 'won')
  assert.deepEqual(await eventsOf(id), ['dispute.created', 'dispute.updated', 'dispute.updated', 'dispute.won'])
})

test('after a partial refund only the rest can be disputed, and after that nothing can be refunded', async () => {
  const paymentId = await merchant.chargeByCard()
  await merchant.refund(paymentId, { amount: 10 })
  const dispute = await disputes.raise(paymentId)
  assert.equal(dispute.amount, '15.00')
  const body = { charge_id: paymentId, reference: 'r' }
  const refused = await merchant.call('POST', '/api/v1/payments/refunds', body)
  assertError(refused, 400, 'REFUND_EXCEEDS_REMAINING')
  assertError(await merchant.call('POST', `/v1/test-helpers/payments/${paymentId}/dispute`), 409, 'CONFLICT')
  await disputes.settle(dispute.dispute_id, 'withdrawn')
  assert.equal(await finished(dispute), 'won')
  assert.equal((await merchant.refund(paymentId))['requested_amount'], '13.97') // what settled, less the first refund
})

test('what a balance cannot bear is owed, and the next sale repays it', async () => {
  const { merchant: poor, accountId } = await api.addMerchant()
  const own = disputing(poor)
  const owner = { accountId, environment: 'sandbox' as const }
  const balance = async () => (await poor.call('GET', '/v1/balances')).body['items'] as unknown as object[]
  const dispute = await own.raise(await poor.chargeByCard())
  await own.accept(dispute.dispute_id)
  assert.equal(await finished(dispute), 'lost')
  assert.partialDeepStrictEqual(await balance(), [
    { currency: 'USD', available: '0.00', pending: '0.00', owed: '16.03' },
  ])
  await poor.chargeByCard({ ...sale, amount: '100.00' })
  assert.partialDeepStrictEqual(await balance(), [{ currency: 'USD', owed: '0.00', pending: '80.77' }])
  await stack.skip(3 * day)
  const em = stack.database.orm.em.fork()
  const { available } = await readBalance(em, owner, 'merchant', 'USD', await stack.clock.now())
  assert.equal(Number(available), 96.8) // the debit is posted when money is next taken from the balance
})
