import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { eventsAbout } from '../support/resource-rows.ts'
import { disputeActivities } from '../../activities/dispute/dispute.ts'
import { supervisorActivities } from '../../activities/supervisor.ts'
import { raiseInSandbox } from '../../rails/sandbox/dispute.ts'
import { assertError } from '../support/api.ts'
import { disputing, type ShownDispute, warnedCard } from '../support/dispute.ts'
import { loseProcess } from '../support/lose-process.ts'
import { cards, sale } from '../support/merchant.ts'
import { endCharge, endRefund, sendDisputeNews } from '../support/rail-books.ts'
import { failingNetwork } from '../support/scripted-disputes.ts'
import { scriptRefunds } from '../support/scripted-rails.ts'
import { settled } from '../support/settled.ts'
import { until } from '../support/until.ts'
import { assertInvariants, useApi, useStack } from '../support/use-stack.ts'

const hour = 3_600_000
const day = 24 * hour

const stack = await useStack({ skipping: true })
await useApi(stack)
const { merchant } = stack
const disputes = disputing(merchant)
const network = failingNetwork(stack)
const refunds = scriptRefunds(stack)
await until(
  () => merchant.chargeByCard({ ...sale, amount: '1000.00' }).then(Boolean, () => false),
  'the first sale is paid',
)
afterEach(async () => {
  network.heal()
  refunds.answers([])
  await assertInvariants(stack)
})

type Id = Pick<ShownDispute, 'dispute_id'>
const finished = async ({ dispute_id: id }: Id) => {
  await stack.dispatched()
  return stack.finished('dispute', id)
}
const eventsOf = ({ dispute_id: id }: Id) => eventsAbout(stack, id)
/** A dispute about which its process has asked the network once. */
async function raise(body: object = {}) {
  const dispute = await disputes.raise(await merchant.chargeByCard(), body)
  await stack.dispatched()
  await settled(stack.client, 'dispute', dispute.dispute_id)
  network.calls.length = 0
  return dispute
}
const submit = (id: string, text = 'winning_evidence') =>
  disputes.change(id, { uncategorized_text: text, submit: true })
const railDue = async ({ dispute_id: id }: Id) =>
  (await stack.sql<{ rail_due: string | null }>('select rail_due from disputes where id = ?', [id]))[0]?.rail_due
const entryOf = async ({ dispute_id: id }: Id) => {
  const rows = await stack.sql<{ status: string; submissions: number }>(
    `select s.status, s.submissions from simulated_disputes s join disputes d
       on d.network_id = s.network_id and d.payment_id = s.payment_id where d.id = ?`,
    [id],
  )
  return rows[0]
}
const sendNews = (id: string) => sendDisputeNews(stack, id)

/** A notice of the network about a charge, to the process of the charge or of another one. */
const sendNewsOfCharge = async (named: string, paymentId = named) => {
  await stack.sql(
    `insert into outbox (process, resource_id, signal, about) select 'checkout', checkout_id,
       jsonb_build_object('name', 'railAnswered', 'args', jsonb_build_array(?::text)),
       jsonb_build_object('accountId', account_id, 'environment', environment, 'status', status,
         'waitingOn', 'rail', 'summary', 'news') from payments where id = ?`,
    [named, paymentId],
  )
  await stack.dispatched()
}

test('evidence for a network that throws for days is kept, sent until it is taken, and received once', async () => {
  const dispute = await raise()
  await stack.skip(13 * day)
  network.faults.submit = network.faults.lookUp = 'throws'
  const submitted = await submit(dispute.dispute_id)
  assert.deepEqual([submitted.status, submitted['submission_count']], ['under_review', 1])
  await stack.skip(4 * day) // beyond the deadline: what was submitted in time counts
  assert.equal((await disputes.read(dispute.dispute_id)).status, 'under_review')
  assert.equal(await railDue(dispute), 'evidence')
  assert.ok(network.calls.filter((kind) => kind === 'submit').length > 100)
  network.heal()
  assert.equal(await finished(dispute), 'won')
  assert.deepEqual(await entryOf(dispute), { status: 'won', submissions: 1 })
  assert.deepEqual(await eventsOf(dispute), [
    'dispute.created',
    'dispute.evidence_due_soon',
    'dispute.updated',
    'dispute.won',
  ])
  const { resolved_at: resolvedAt } = await disputes.read(dispute.dispute_id)
  const agoMs = (await stack.clock.now()) - Date.parse(String(resolvedAt))
  assert.ok(agoMs < hour, `won ${agoMs} ms ago, and not when it was submitted`)
})

test('evidence whose receipt is lost is sent again, the same, and received once', async () => {
  const dispute = await raise()
  network.faults.submit = 'loses the answer'
  await submit(dispute.dispute_id)
  await until(() => network.orders.length > 1, 'the evidence is sent again')
  assert.deepEqual(network.orders[0]?.texts, network.orders[1]?.texts)
  assert.deepEqual(network.orders[0]?.ownTexts, ['uncategorized_text'])
  network.faults.submit = null
  assert.equal(await finished(dispute), 'won')
  assert.equal((await entryOf(dispute))?.submissions, 1)
})

test('a network that is unavailable at the deadline does not keep a dispute from its end', async () => {
  const dispute = await raise()
  await stack.skip(13 * day)
  network.faults.lookUp = network.faults.charges = 'throws'
  await sendNews(dispute.dispute_id) // so that a question is under way when the deadline comes
  await until(() => network.calls.includes('lookUp'), 'the network is asked')
  await stack.skip(2 * day)
  const lost = await disputes.read(dispute.dispute_id)
  assert.deepEqual([lost.status, lost['resolution']], ['lost', 'expired'])
  const lateMs = Date.parse(String(lost['resolved_at'])) - Date.parse(String(dispute['evidence_due_at']))
  assert.ok(lateMs >= 0 && lateMs < 10_000, `${lateMs} ms after the deadline`)
  network.heal()
  assert.equal(await finished(dispute), 'lost')
  assert.deepEqual(await eventsOf(dispute), ['dispute.created', 'dispute.evidence_due_soon', 'dispute.lost'])
})

test('a dispute whose withdrawal was never told is won at the deadline, when the network is asked', async () => {
  const dispute = await raise()
  await stack.sql(`update simulated_disputes set status = 'withdrawn' where payment_id = ?`, [dispute['payment_id']])
  await stack.skip(13 * day)
  assert.equal((await disputes.read(dispute.dispute_id)).status, 'needs_response')
  await stack.skip(2 * day)
  assert.equal(await finished(dispute), 'won')
  assert.equal((await disputes.read(dispute.dispute_id))['resolution'], 'withdrawn')
  assert.deepEqual(await eventsOf(dispute), ['dispute.created', 'dispute.evidence_due_soon', 'dispute.won'])
})

test('a network that refuses to say how a dispute stands at the deadline does not keep it from its end', async () => {
  const dispute = await raise()
  network.faults.lookUp = 'refuses'
  await stack.skip(15 * day)
  assert.equal(await finished(dispute), 'lost')
  assert.ok(network.calls.includes('lookUp'))
})

test('an acceptance is booked at once, and told to a network that was unavailable when it is back', async () => {
  const dispute = await raise()
  network.faults.accept = 'throws'
  assert.equal((await disputes.accept(dispute.dispute_id)).status, 'lost')
  await stack.skip(30 * hour)
  assert.deepEqual([await railDue(dispute), (await entryOf(dispute))?.status], ['acceptance', 'needs_response'])
  network.heal()
  assert.equal(await finished(dispute), 'lost')
  assert.equal((await entryOf(dispute))?.status, 'closed')
})

test('evidence that the network refuses ends the dispute as the network has decided', async () => {
  for (const [decided, status, resolution] of [
    ['closed', 'lost', 'accepted'],
    ['withdrawn', 'won', 'withdrawn'],
  ] as const) {
    const dispute = await raise()
    await stack.sql('update simulated_disputes set status = ? where payment_id = ?', [decided, dispute['payment_id']])
    const submitted = await submit(dispute.dispute_id)
    assert.equal(submitted['submission_count'], 1)
    assert.equal(await finished(dispute), status)
    assert.equal((await disputes.read(dispute.dispute_id))['resolution'], resolution)
    assert.equal((await entryOf(dispute))?.submissions, 0)
  }
})

test('evidence that is refused while the network cannot say why stays under review until it can', async () => {
  const dispute = await raise()
  await stack.sql(`update simulated_disputes set status = 'withdrawn' where payment_id = ?`, [dispute['payment_id']])
  network.faults.submit = 'refuses'
  network.faults.lookUp = 'throws'
  await submit(dispute.dispute_id)
  await stack.skip(3 * day)
  assert.deepEqual(
    [(await disputes.read(dispute.dispute_id)).status, await railDue(dispute)],
    ['under_review', 'evidence'],
  )
  network.faults.lookUp = null
  assert.equal(await finished(dispute), 'won')
})

test('news twice, news without a change, and news after the end change nothing', async () => {
  const dispute = await raise()
  for (let times = 0; times < 2; times++) await sendNews(dispute.dispute_id)
  await settled(stack.client, 'dispute', dispute.dispute_id)
  assert.deepEqual(await eventsOf(dispute), ['dispute.created'])
  await disputes.accept(dispute.dispute_id)
  assert.equal(await finished(dispute), 'lost')
  const seen = await disputes.read(dispute.dispute_id)
  await stack.sql(`update simulated_disputes set status = 'won' where payment_id = ?`, [dispute['payment_id']])
  await sendNews(dispute.dispute_id)
  // Staff see in the engine that the network says something else; nothing of that is booked.
  await until(async () => (await finished(dispute)) === 'contradicted', 'the process says so')
  assert.deepEqual(await disputes.read(dispute.dispute_id), seen)
  await stack.sql(`update simulated_disputes set status = 'closed' where payment_id = ?`, [dispute['payment_id']])
  assert.deepEqual(await eventsOf(dispute), ['dispute.created', 'dispute.lost'])
})

test('the same dispute told ten times is one dispute, and news of a charge without one opens none', async () => {
  const paymentId = await merchant.chargeByCard()
  const dispute = await disputes.raise(paymentId)
  const quiet = await merchant.chargeByCard()
  for (let times = 0; times < 10; times++)
    for (const id of [paymentId, quiet, 'pay_of_nobody'])
      await sendNewsOfCharge(id, id === 'pay_of_nobody' ? quiet : id)
  for (const id of [paymentId, quiet])
    await stack.finished('checkout', String((await merchant.getPayment(id))['checkout_id']))
  const found = await stack.sql('select id from disputes where payment_id in (?, ?)', [paymentId, quiet])
  assert.deepEqual(found, [{ id: dispute.dispute_id }])
  await disputes.accept(dispute.dispute_id)
  await finished(dispute)
})

test('two disputes of one payment share what it has: the second takes what the first has left', async () => {
  const paymentId = await merchant.chargeByCard()
  const first = await disputes.raise(paymentId, { amount: '20.00' })
  const second = await disputes.raise(paymentId, { reason: 'duplicate' })
  assert.deepEqual([first.amount, second.amount], ['20.00', '5.00'])
  assertError(await merchant.call('POST', `/v1/test-helpers/payments/${paymentId}/dispute`), 409, 'CONFLICT')
  await disputes.settle(first.dispute_id, 'withdrawn')
  await disputes.accept(second.dispute_id)
  assert.deepEqual([await finished(first), await finished(second)], ['won', 'lost'])
  const third = await disputes.raise(paymentId)
  assert.equal(third.amount, '20.00')
  await disputes.accept(third.dispute_id)
  assert.equal(await finished(third), 'lost')
})

test('an early warning is looked at when it ends, also after a notice that had nothing new', async () => {
  const dispute = await raise({ early_warning: true })
  await stack.skip(71 * hour + 59 * 60_000)
  await sendNews(dispute.dispute_id)
  await settled(stack.client, 'dispute', dispute.dispute_id)
  assert.equal((await disputes.read(dispute.dispute_id)).status, 'early_warning')
  await stack.skip(2 * 60_000)
  const isRaised = async () => (await disputes.read(dispute.dispute_id)).status === 'needs_response'
  await until(isRaised, 'the dispute is raised at the end of its warning')
  await disputes.accept(dispute.dispute_id)
  assert.equal(await finished(dispute), 'lost')
})

test('a warning whose network is unavailable at its end is raised when the network is back', async () => {
  const dispute = await raise({ early_warning: true })
  network.faults.lookUp = 'throws'
  await stack.skip(5 * day)
  assert.equal((await disputes.read(dispute.dispute_id)).status, 'early_warning')
  network.heal()
  await stack.skip(hour)
  const raised = await disputes.read(dispute.dispute_id)
  assert.deepEqual([raised.status, raised['fee']], ['needs_response', '15.00'])
  assert.ok(Date.parse(String(raised['evidence_due_at'])) > (await stack.clock.now()) + 13 * day)
  await disputes.accept(dispute.dispute_id)
  assert.equal(await finished(dispute), 'lost')
})

test('a warning about a charge that was refunded before it came is prevented at once', async () => {
  const paymentId = await merchant.chargeByCard()
  const { refund_id } = await merchant.refund(paymentId)
  await stack.dispatched()
  await stack.finished('refund', refund_id)
  const dispute = await disputes.raise(paymentId, { early_warning: true })
  assert.equal(await finished(dispute), 'prevented')
  assert.equal((await entryOf(dispute))?.status, 'closed')
})

test('a warning beside a dispute of a part is prevented by a refund of all that can be refunded', async () => {
  const paymentId = await merchant.chargeByCard()
  const part = await disputes.raise(paymentId, { amount: '10.00' })
  const warning = await disputes.raise(paymentId, { early_warning: true })
  await disputes.accept(warning.dispute_id)
  assert.equal(await finished(warning), 'prevented')
  const { resolved_at: resolvedAt, warns_until: warnsUntil } = await disputes.read(warning.dispute_id)
  assert.ok(Date.parse(String(resolvedAt)) < Date.parse(String(warnsUntil)) - 70 * hour, 'by the refund')
  assert.equal((await merchant.getPayment(paymentId))['refunded_amount'], '15.00')
  await disputes.accept(part.dispute_id)
  assert.equal(await finished(part), 'lost')
})

test('CONFLICT: a warning cannot be accepted where other disputes have left nothing to refund', async () => {
  const paymentId = await merchant.chargeByCard()
  const warning = await disputes.raise(paymentId, { early_warning: true })
  const whole = await disputes.raise(paymentId)
  assertError(await disputes.tryToAccept(warning.dispute_id), 409, 'CONFLICT')
  await disputes.accept(whole.dispute_id)
  assert.equal(await finished(whole), 'lost')
  await stack.skip(73 * hour)
  assert.equal(await finished(warning), 'contradicted') // staff see that its network has raised it
  const { status, fee } = await disputes.read(warning.dispute_id)
  assert.deepEqual([status, fee], ['prevented', '0.00']) // there is nothing that it could take
})

test('a warning whose refund fails is raised, and ends as a dispute like any other', async () => {
  const paymentId = await disputes.sellTo(warnedCard)
  await stack.skip(5_000)
  const [row] = await stack.sql<{ id: string }>('select id from disputes where payment_id = ?', [paymentId])
  const dispute = { dispute_id: row?.id ?? '' }
  refunds.answers(['refuses'])
  await disputes.accept(dispute.dispute_id)
  await stack.dispatched()
  await stack.skip(73 * hour)
  const raised = await disputes.read(dispute.dispute_id)
  assert.equal(raised.status, 'needs_response')
  await stack.skip(14 * day)
  assert.equal(await finished(dispute), 'lost')
  assert.equal((await disputes.read(dispute.dispute_id))['resolution'], 'expired')
})

test('a duplicate that is being refunded leaves nothing to dispute, until its refund fails', async () => {
  // The buyer's bank lets an attempt through that the buyer has replaced by another card.
  const session = await merchant.createCheckout(sale)
  const replaced = String((await merchant.payByCard(session, cards.threeDs))['payment_id'])
  await merchant.payByCard(session)
  await endCharge(stack, replaced, 'succeeded')
  refunds.answers(['unknown'])
  await sendNewsOfCharge(replaced)
  const refundOf = async () =>
    (
      await stack.sql<{ id: string; reason: string; status: string }>('select * from refunds where charge_id = ?', [
        replaced,
      ])
    )[0]
  await until(async () => (await refundOf())?.status === 'processing', 'the duplicate is being refunded')
  assert.equal((await refundOf())?.reason, 'duplicate')
  await raiseInSandbox(
    stack.database.orm.em.fork(),
    { paymentId: replaced, key: 'bank' },
    { amount: '25.00', reason: 'duplicate', warnsUntil: null },
    await stack.clock.now(),
  )
  await sendNewsOfCharge(replaced)
  await stack.finished('checkout', session.checkout_id)
  assert.deepEqual(await stack.sql('select from disputes where payment_id = ?', [replaced]), [])
  const { id: refundId = '' } = (await refundOf()) ?? {}
  await endRefund(stack, refundId, 'failed')
  assert.equal(await stack.finished('refund', refundId), 'failed')
  await stack.dispatched()
  const opened = async () =>
    (await stack.sql<{ id: string }>('select id from disputes where payment_id = ?', [replaced])).map(({ id }) => id)
  await until(async () => (await opened()).length === 1, 'the dispute is opened')
  const [id = ''] = await opened()
  assert.equal((await disputes.accept(id)).amount, '25.00')
  assert.equal(await finished({ dispute_id: id }), 'lost')
})

test('a helper called again with its key finds the dispute that an unavailable network had kept', async () => {
  const paymentId = await merchant.chargeByCard()
  const { checkout_id: checkoutId } = await merchant.getPayment(paymentId)
  await stack.finished('checkout', String(checkoutId))
  network.faults.charges = 'throws'
  const key = { 'idempotency-key': 'raise-1' }
  const path = `/v1/test-helpers/payments/${paymentId}/dispute`
  assertError(await merchant.call('POST', path, {}, key), 503, 'SERVICE_UNAVAILABLE')
  network.heal()
  await stack.skip(6 * 60_000)
  const again = await merchant.call('POST', path, {}, key)
  assert.equal(again.status, 201, again.text)
  const found = await stack.sql<{ id: string }>('select id from disputes where payment_id = ?', [paymentId])
  assert.deepEqual(
    found.map(({ id }) => id),
    [again.body['dispute_id']],
  )
  await disputes.accept(String(again.body['dispute_id']))
  assert.equal(await finished({ dispute_id: String(again.body['dispute_id']) }), 'lost')
})

test('a supervisor starts a lost process, which keeps the deadline', async () => {
  const dispute = await raise()
  await stack.dispatched()
  await settled(stack.client, 'dispute', dispute.dispute_id)
  await loseProcess(stack.client, 'dispute', dispute.dispute_id)
  await supervisorActivities(stack.deps).restartMissingProcesses(null, await stack.clock.now())
  await stack.dispatched()
  await stack.skip(14 * day)
  assert.equal(await finished(dispute), 'lost')
  assert.deepEqual(await eventsOf(dispute), ['dispute.created', 'dispute.evidence_due_soon', 'dispute.lost'])
})

test('a worker that dies between the commit and the call: the network is told by the next one, once', async () => {
  const dispute = await raise()
  await stack.dispatched() // else a signal could come as the process is lost, and its task be lost with it
  await settled(stack.client, 'dispute', dispute.dispute_id)
  await loseProcess(stack.client, 'dispute', dispute.dispute_id)
  // The commit of a submission, as its step makes it, before the process has called the network.
  const steps = disputeActivities(stack.deps)
  await disputes.change(dispute.dispute_id, { uncategorized_text: 'winning_evidence' })
  await steps.submitDisputeEvidence(dispute.dispute_id, 'call_1', await stack.clock.now())
  assert.deepEqual([await railDue(dispute), (await entryOf(dispute))?.submissions], ['evidence', 0])
  await supervisorActivities(stack.deps).restartMissingProcesses(null, await stack.clock.now())
  assert.equal(await finished(dispute), 'won')
  assert.equal((await entryOf(dispute))?.submissions, 1)
})
