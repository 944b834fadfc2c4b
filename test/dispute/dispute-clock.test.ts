import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentLinkMs } from '../../domain/catalogue/document.ts'
import { disputedCard, disputing, type ShownDispute, warnedCard } from '../support/dispute.ts'
import { cards, type Merchant, sale } from '../support/merchant.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { subscriptionsOf } from '../support/subscription.ts'
import { beginOnClock, day, hour, minute } from '../support/test-clock.ts'
import { until } from '../support/until.ts'
import { pdf, sendFile } from '../support/upload.ts'
import { useApi, useStack } from '../support/use-stack.ts'

// Disputes on test clocks, over real HTTP, with real processes and the real time of the engine.
const stack = await useStack({ invariants: 'at the end' })
const api = await useApi(stack)
const after = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString()

const eventsOf = async (id: string) => {
  const rows = await stack.sql<{ type: string; created_at: string }>(
    'select type, created_at from events where resource_id = ? order by sequence',
    [id],
  )
  return rows.map(({ type, created_at }) => [type, new Date(created_at).toISOString()])
}

/** The disputes of a payment, oldest first, once there is one. */
async function disputesOf(merchant: Merchant, paymentId: string): Promise<ShownDispute[]> {
  const read = async () =>
    (await merchant.call('GET', `/v1/disputes?payment_id=${paymentId}`)).body['items'] as unknown as ShownDispute[]
  await until(async () => (await read()).length > 0, 'the payment is disputed')
  return (await read()).toReversed()
}

/** How a dispute joins a clock: by its account, payment, session, customer or itself, before or after it is raised. */
const ways: Record<string, (on: Awaited<ReturnType<typeof beginOnClock>>) => Promise<ShownDispute>> = {
  'its account': async ({ merchant, accountId, attach }) => {
    await attach({ account_id: accountId })
    return disputing(merchant).raise(await merchant.chargeByCard())
  },
  'its payment, before it is raised': async ({ merchant, attach }) => {
    const paymentId = await merchant.chargeByCard()
    await attach({ payment_id: paymentId })
    return disputing(merchant).raise(paymentId)
  },
  'its payment, later': async ({ merchant, attach }) => {
    const paymentId = await merchant.chargeByCard()
    const dispute = await disputing(merchant).raise(paymentId)
    await attach({ payment_id: paymentId })
    return dispute
  },
  'its session, later': async ({ merchant, attach }) => {
    const session = await merchant.createCheckout()
    const { payment_id: paymentId } = await merchant.payByCard(session)
    const dispute = await disputing(merchant).raise(String(paymentId))
    await attach({ checkout_id: session.checkout_id })
    return dispute
  },
  'its customer, later': async ({ merchant, attach }) => {
    const paymentId = await merchant.chargeByCard({ ...sale, customer_creation: 'always' })
    const dispute = await disputing(merchant).raise(paymentId)
    const { id } = dispute['customer'] as { id: string }
    await attach({ customer_id: id })
    return dispute
  },
  'its own id': async ({ merchant, attach }) => {
    const dispute = await disputing(merchant).raise(await merchant.chargeByCard())
    await attach({ dispute_id: dispute.dispute_id })
    return dispute
  },
}

for (const [way, join] of Object.entries(ways)) {
  test(`on a clock by ${way}: one jump over notice and deadline gives both events, each at its time`, async () => {
    const on = await beginOnClock(api)
    const { dispute_id: id, evidence_due_at: due } = await join(on)
    const dueAt = String(due)
    assert.deepEqual(
      (await on.advance({ by: 'P11D' })).happened.filter(({ resource_id }) => resource_id === id),
      [],
    )
    const { happened } = await on.advance({ by: 'P10D' })
    assert.deepEqual(
      happened.filter(({ resource_id, step }) => resource_id === id && step === 'lost').map(({ at }) => at),
      [dueAt],
    )
    const [[created] = [], ...later] = await eventsOf(id)
    assert.equal(created, 'dispute.created')
    assert.deepEqual(later, [
      ['dispute.evidence_due_soon', after(dueAt, -48 * hour)],
      ['dispute.lost', dueAt],
    ])
    const lost = await disputing(on.merchant).read(id)
    assert.deepEqual([lost.status, lost['resolution'], lost['resolved_at']], ['lost', 'expired', dueAt])
  })
}

test('the dispute card is disputed when its clock comes to that moment, and not before', async () => {
  const { merchant, accountId, attach, advance } = await beginOnClock(api)
  const { frozen_time } = await attach({ account_id: accountId })
  const paymentId = await disputing(merchant).sellTo(disputedCard)
  assert.equal((await merchant.getPayment(paymentId))['disputed'], false)
  await advance({ by: 'PT1M' })
  const [dispute] = await disputesOf(merchant, paymentId)
  assert.equal(dispute?.['created_at'], after(frozen_time, 1_000))
  assert.equal(dispute?.['evidence_due_at'], after(frozen_time, 1_000 + 14 * day))
  await advance({ by: 'P15D' })
  assert.equal((await disputing(merchant).read(String(dispute?.dispute_id))).status, 'lost')
})

test('a warning on a clock is raised after 72 hours, and lost 14 days later', async () => {
  const { merchant, accountId, attach, advance } = await beginOnClock(api)
  await attach({ account_id: accountId })
  const paymentId = await disputing(merchant).sellTo(warnedCard)
  await advance({ by: 'PT71H' })
  const [warning] = await disputesOf(merchant, paymentId)
  assert.equal(warning?.status, 'early_warning')
  const id = String(warning?.dispute_id)
  await advance({ by: 'PT2H' })
  const raised = await disputing(merchant).read(id)
  const warnedUntil = String(warning?.['warns_until'])
  assert.deepEqual([raised.status, raised['evidence_due_at']], ['needs_response', after(warnedUntil, 14 * day)])
  await advance({ by: 'P15D' })
  assert.deepEqual(
    (await eventsOf(id)).slice(1).map(([type]) => type),
    ['dispute.updated', 'dispute.evidence_due_soon', 'dispute.lost'],
  )
})

test('a warning for which another dispute has left nothing is waited for by no clock', async () => {
  const { merchant, attach, advance } = await beginOnClock(api)
  const own = disputing(merchant)
  const paymentId = await merchant.chargeByCard()
  await attach({ payment_id: paymentId })
  const { refund_id } = await merchant.refund(paymentId, { amount: 10 })
  await stack.dispatched()
  await stack.finished('refund', refund_id)
  const [warning, other] = [await own.raise(paymentId, { early_warning: true }), await own.raise(paymentId)]
  assert.deepEqual([warning.amount, other.amount], ['15.00', '15.00'])
  const begun = performance.now()
  await advance({ by: 'PT1H' })
  const seconds = (performance.now() - begun) / 1_000
  assert.ok(seconds < 15, `${seconds} s; a clock waits 20 s for what it thinks is under way`)
  assert.equal((await own.read(warning.dispute_id)).status, 'early_warning')
})

test('a link to a document opens for five real minutes, wherever the clock of the account stands', async () => {
  const { merchant, accountId, attach, advance } = await beginOnClock(api)
  await attach({ account_id: accountId })
  const { dispute_id: id } = await disputing(merchant).raise(await merchant.chargeByCard())
  await advance({ by: 'P3D' })
  const file = (await sendFile(merchant, pdf, 'proof.pdf')).body['upload_id']
  const added = await merchant.call('POST', `/v1/disputes/${id}/documents`, { file, purpose: 'receipt' })
  assert.equal(added.status, 201, added.text)
  const documentPath = `/v1/disputes/${id}/documents/${String(added.body['document_id'])}`
  const read = await merchant.call('GET', documentPath)
  const list = await merchant.call('GET', `/v1/disputes/${id}/documents`)
  const answers = [added.body, read.body, ...(list.body['items'] ?? [])] as unknown
  for (const { url, url_expires_at: end } of answers as Record<'url' | 'url_expires_at', string>[]) {
    assert.ok(Math.abs(Date.parse(end) - (await stack.clock.now()) - documentLinkMs) < minute, end)
    assert.equal((await fetch(url)).status, 200)
  }
})

test('after the last moment of a clock nothing is taken any more, and before it everything is', async () => {
  const { merchant, accountId, attach, advance } = await beginOnClock(api)
  await attach({ account_id: accountId })
  const own = disputing(merchant)
  const [early, late] = [await own.raise(await merchant.chargeByCard()), await own.raise(await merchant.chargeByCard())]
  const dueAt = Date.parse(String(late['evidence_due_at']))
  await advance({ to: new Date(dueAt - 1).toISOString() })
  const submitted = await own.change(early.dispute_id, { uncategorized_text: 'losing_evidence', submit: true })
  assert.equal(submitted['submitted_at'], new Date(dueAt - 1).toISOString())
  await advance({ to: new Date(dueAt).toISOString() })
  const refused = await own.tryToChange(late.dispute_id, { uncategorized_text: 'winning_evidence', submit: true })
  assert.equal(refused.status, 409, refused.text)
  assert.equal((await own.tryToAccept(late.dispute_id)).status, 409)
  assert.equal((await own.read(late.dispute_id))['resolution'], 'expired')
})

test('evidence on a clock is asked about for 40 days, and won on the day the network decides', async () => {
  const { merchant, accountId, attach, advance } = await beginOnClock(api)
  await attach({ account_id: accountId })
  const own = disputing(merchant)
  const { dispute_id: id, ...dispute } = await own.raise(await merchant.chargeByCard())
  await own.change(id, { uncategorized_text: 'They have it.', submit: true })
  await advance({ by: 'P40D' })
  assert.equal((await own.read(id)).status, 'under_review')
  const [row] = await stack.sql<{ poll_count: number }>('select poll_count from disputes where id = ?', [id])
  assert.ok(Number(row?.poll_count) >= 41, `asked ${row?.poll_count} times`)
  await stack.sql(`update simulated_disputes set status = 'won' where payment_id = ?`, [dispute['payment_id']])
  await advance({ by: 'P1D' })
  assert.equal((await own.read(id)).status, 'won')
})

test('a clock far behind: timelines go by it, and staff are told of nothing that is late', async () => {
  const frozen = new Date((await stack.clock.now()) - 60 * day).toISOString()
  const { merchant, accountId, attach, advance } = await beginOnClock(api, { frozen_time: frozen })
  await attach({ account_id: accountId })
  const { dispute_id: id } = await disputing(merchant).raise(await merchant.chargeByCard())
  const staff = await addStaff(stack)
  const timelines = async () => [
    (await merchant.call('GET', `/v1/disputes/${id}/timeline`)).body['as_of'],
    (await staff.call('GET', `/api/v1/admin/timelines/${id}`)).body,
  ]
  const [asOf, whole] = await timelines()
  assert.equal(asOf, frozen)
  assert.partialDeepStrictEqual(whole, { as_of: frozen, waiting_on: 'merchant', helps: null })
  const { frozen_time: later } = await advance({ by: 'P13D' })
  assert.partialDeepStrictEqual(await timelines(), [later, { as_of: later, waiting_on: 'merchant', helps: null }])
})

test('the timeline of a payment whose dispute alone is on a clock goes by that clock', async () => {
  const { merchant, attach, advance } = await beginOnClock(api)
  const payment = await merchant.chargeByCard()
  const { dispute_id } = await disputing(merchant).raise(payment)
  await attach({ dispute_id })
  const { frozen_time: later } = await advance({ by: 'P10D' })
  const { body } = await merchant.call('GET', `/v1/payments/${payment}/timeline`)
  assert.partialDeepStrictEqual(body, { as_of: later, waiting_on: 'merchant' })
})

test('a renewal is disputed like a sale, whatever has become of the subscription', async () => {
  const plans = subscriptionsOf(stack)
  const own = disputing(stack.merchant)
  for (const ends of [false, true]) {
    const { subscription_id: id, customer } = await plans.subscribe({ number: cards.success })
    const clock = await stack.merchant.call('POST', '/v1/test-helpers/clocks', { name: 'A clock' })
    const clockPath = `/v1/test-helpers/clocks/${String(clock.body['clock_id'])}`
    const attached = await stack.merchant.call('POST', `${clockPath}/attach`, { subscription_id: id })
    assert.equal(attached.status, 200, attached.text)
    const method = await plans.saveCard(customer.id, disputedCard)
    await plans.edit(id, { payment_method_id: method })
    await stack.merchant.call('POST', `${clockPath}/advance`, { by: 'P1M' })
    if (ends) await plans.act(id, 'cancel', { at_period_end: false })
    await stack.merchant.call('POST', `${clockPath}/advance`, { by: 'PT1H' })
    const [renewal] = await stack.sql<{ id: string; status: string }>(
      'select id, status from payments where subscription_id = ? and checkout_id is null',
      [id],
    )
    assert.equal(renewal?.status, 'succeeded')
    const [dispute, ...more] = await disputesOf(stack.merchant, String(renewal?.id))
    assert.deepEqual([dispute?.status, dispute?.amount, more], ['needs_response', '25.00', []])
    await stack.merchant.call('POST', `${clockPath}/advance`, { by: 'P15D' })
    const lost = await own.read(String(dispute?.dispute_id))
    assert.deepEqual([lost.status, lost['resolution']], ['lost', 'expired'])
    if (!ends) await plans.act(id, 'cancel', { at_period_end: false })
  }
})

test('a dispute that gets endless news continues in a new run, and can still be answered', async () => {
  const own = disputing(stack.merchant)
  const { dispute_id: id } = await own.raise(await stack.merchant.chargeByCard())
  await stack.dispatched()
  const handle = stack.client.workflow.getHandle(`dispute/${id}`)
  const { runId } = await handle.describe()
  const isContinued = async () => (await handle.describe()).runId !== runId
  for (let sent = 0; sent < 3_000 && !(await isContinued()); sent += 100) {
    await Promise.all(Array.from({ length: 100 }, () => handle.signal('networkAnswered')))
    await settled(stack.client, 'dispute', id)
  }
  assert.ok(await isContinued(), 'a new run has begun')
  assert.equal((await own.change(id, { service_date: 'today' }))['has_evidence'], true)
  assert.equal((await own.accept(id)).status, 'lost')
  assert.equal(await stack.finished('dispute', id), 'lost')
})
