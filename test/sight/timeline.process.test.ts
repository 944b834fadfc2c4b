import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../domain/id.ts'
import { endow } from '../support/conversion.ts'
import { buyer, cards, transferSale } from '../support/merchant.ts'
import { createLink, opened } from '../support/payment-link.ts'
import { openPortal, portalCalls } from '../support/portal.ts'
import { addDestination, lastFour } from '../support/payout.ts'
import { endCharge, holdAtRail } from '../support/rail-books.ts'
import { settled } from '../support/settled.ts'
import { addStaff } from '../support/staff.ts'
import { until } from '../support/until.ts'
import { useApi, useReceiver, useStack } from '../support/use-stack.ts'

// What a merchant reads of each resource: what has happened, by whom, and what it waits for.
const [minute, hour] = [60_000, 3_600_000]
const stack = await useStack({ skipping: true, invariants: 'after each test' })
await useApi(stack)
const receiver = await useReceiver()
const owner = { accountId: stack.organizationId, environment: 'sandbox' as const }
await endow(stack, owner.accountId, '100000.00', 'NGN')

type Item = {
  resource_id: string
  step: string
  status: string
  at: string
  ended_at: string | null
  attempts: number
  last_error: string | null
  actor: string
  details: Record<string, unknown>
  ledger_transaction_ids: string[]
  event_ids: string[]
}
type Timeline = { status: string; items: Item[] } & Record<
  'waiting_on' | 'waiting_since' | 'wakes_at' | 'expected_by',
  string | null
>

async function read(path: string): Promise<Timeline> {
  const { status, text, body } = await stack.merchant.call('GET', `/v1/${path}/timeline`)
  assert.equal(status, 200, text)
  return body as unknown as Timeline
}

const told = ({ items }: Timeline) => items.map(({ step, status, actor }) => `${step} ${status} by ${actor}`)
const waitOf = ({ waiting_on, wakes_at, expected_by }: Timeline) => ({ waiting_on, wakes_at, expected_by })
const nothing = { waiting_on: null, wakes_at: null, expected_by: null }
const later = (at: string | null | undefined, ms: number) => new Date(Date.parse(at ?? '') + ms).toISOString()

test('a sale tells of its attempts: what each has become, when, and by whom', async () => {
  const session = await stack.merchant.createCheckout()
  const path = `checkout-sessions/${session.checkout_id}`
  const open = await read(path)
  assert.deepEqual(told(open), ['open running by merchant'])
  const untilExpiry = { waiting_on: 'buyer', wakes_at: session.expires_at, expected_by: session.expires_at }
  assert.deepEqual(waitOf(open), untilExpiry)
  assert.equal(open.waiting_since, open.items[0]?.at)
  const declined = await stack.merchant.payByCard(session, cards.declined)
  assert.deepEqual(waitOf(await read(path)), untilExpiry)
  const paid = await stack.merchant.payByCard(session)
  await stack.finished('checkout', session.checkout_id)
  const timeline = await read(path)
  assert.deepEqual(waitOf(timeline), nothing)
  assert.deepEqual(
    timeline.items.map(({ resource_id, step, status, actor }) => [resource_id, step, status, actor]),
    [
      [session.checkout_id, 'open', 'done', 'merchant'],
      [declined['payment_id'], 'processing', 'failed', 'buyer'],
      [declined['payment_id'], 'failed', 'failed', 'rail'],
      [paid['payment_id'], 'processing', 'done', 'buyer'],
      [session.checkout_id, 'completed', 'done', 'rail'],
      [paid['payment_id'], 'succeeded', 'done', 'rail'],
    ].toSorted((one, other) => order(timeline, one) - order(timeline, other)),
  )
  const failed = timeline.items.find(({ step }) => step === 'failed')
  assert.equal(failed?.last_error, 'card_declined')
  const ended = timeline.items.filter(({ step }) => ['succeeded', 'completed'].includes(step))
  for (const { resource_id, event_ids, ledger_transaction_ids, step } of ended) {
    const events = await stack.sql<{ id: string }>('select id from events where resource_id = ?', [resource_id])
    assert.deepEqual(
      event_ids,
      events.map(({ id }) => id),
    )
    const posted = await stack.sql<{ id: string }>('select id from ledger_transactions where source_id = ?', [
      resource_id,
    ])
    assert.deepEqual(
      ledger_transaction_ids,
      posted.map(({ id }) => id),
    )
    assert.equal(posted.length, step === 'succeeded' ? 1 : 0)
  }
})

const order = ({ items }: Timeline, [id, step]: unknown[]) =>
  items.findIndex((item) => item.resource_id === id && item.step === step)

test('a session of a payment link or of the portal was opened by the buyer', async () => {
  const { merchant } = stack
  const visited = await opened(merchant, await createLink(merchant))
  const { body: customer } = await merchant.call('POST', '/v1/customers', buyer)
  const { token } = await openPortal(merchant, String(customer['customer_id']))
  const added = await portalCalls(merchant, token)('POST', 'payment-methods', {})
  assert.equal(added.status, 201, added.text)
  for (const id of [visited.checkout_id, String(added.body['checkout_id'])]) {
    assert.deepEqual(told(await read(`checkout-sessions/${id}`)), ['open running by buyer'])
    await merchant.cancel(id)
    await stack.finished('checkout', id)
  }
})

test('a payment that its rail holds says how often the rail was asked, and when it is asked again', async () => {
  const session = await stack.merchant.createCheckout()
  const id = await holdAtRail(stack, session)
  const held = await read(`payments/${id}`)
  assert.deepEqual(told(held), ['processing running by buyer'])
  const created = held.items[0]?.at
  assert.equal(held.wakes_at, later(created, 5 * minute))
  await stack.skip(6 * minute)
  const asked = await read(`payments/${id}`)
  assert.equal(asked.items[0]?.attempts, 2)
  assert.deepEqual(waitOf(asked), {
    waiting_on: 'rail',
    wakes_at: later(created, hour),
    expected_by: later(session.expires_at, 24 * hour),
  })
  await endCharge(stack, id, 'failed', 'insufficient_funds')
  await stack.client.workflow.getHandle(`checkout/${session.checkout_id}`).signal('railAnswered', id)
  await stack.merchant.cancel(session.checkout_id)
  await stack.finished('checkout', session.checkout_id)
  const ended = await read(`payments/${id}`)
  assert.deepEqual(told(ended), ['processing failed by buyer', 'failed failed by rail'])
  assert.deepEqual(
    ended.items.map(({ last_error }) => last_error),
    ['insufficient_funds', 'insufficient_funds'],
  )
  assert.equal(ended.items[0]?.ended_at, ended.items[1]?.at)
  assert.deepEqual(waitOf(ended), nothing)
})

test('an underpaid transfer waits for its buyer, then for late money, and then for nobody', async () => {
  const session = await stack.merchant.createCheckout(transferSale)
  const { payment_id } = await stack.merchant.payByTransfer(session)
  const path = `payments/${payment_id}`
  const asked = { waiting_on: 'buyer', wakes_at: session.expires_at, expected_by: session.expires_at }
  assert.deepEqual(waitOf(await read(path)), asked)
  await stack.merchant.deposit(payment_id, { amount: '1000.00' })
  assert.deepEqual(told(await read(path)), [
    'processing done by buyer',
    'requires_action done by rail',
    'underpaid running by rail',
  ])
  assert.deepEqual(waitOf(await read(path)), asked)
  await stack.skip(Date.parse(session.expires_at) - (await stack.clock.now()) + minute)
  const late = await read(path)
  assert.equal(late.waiting_on, 'late_money')
  const ended = await read(`checkout-sessions/${session.checkout_id}`)
  assert.equal(late.wakes_at, later(ended.items.findLast(({ step }) => step === 'expired')?.at, 72 * hour))
  assert.equal(await stack.finished('checkout', session.checkout_id), 'expired')
  assert.deepEqual(waitOf(await read(path)), nothing)
})

test('a refund tells of its order, and of the events and movements of each step', async () => {
  const charge = await stack.merchant.chargeByCard()
  const { refund_id } = await stack.merchant.refund(charge)
  await stack.dispatched()
  await stack.finished('refund', refund_id)
  const { items, ...timeline } = await read(`refunds/${refund_id}`)
  assert.deepEqual(told({ ...timeline, items }), [
    'pending done by merchant',
    'processing done by system',
    'succeeded done by rail',
  ])
  assert.deepEqual(
    items.map(({ attempts }) => attempts),
    [0, 1, 0],
  )
  assert.deepEqual(
    items.map(({ event_ids }) => event_ids.length),
    [1, 0, 1],
  )
  assert.deepEqual(
    items.map(({ ledger_transaction_ids }) => ledger_transaction_ids.length),
    [1, 0, 1],
  )
})

test('money that nobody wanted is refunded by the system, not by the merchant', async () => {
  const session = await stack.merchant.createCheckout(transferSale)
  const first = await stack.merchant.payByTransfer(session)
  const second = await stack.merchant.payByTransfer(session)
  await stack.merchant.deposit(second.payment_id)
  await stack.merchant.deposit(first.payment_id)
  await stack.dispatched()
  const { body } = await stack.merchant.call('GET', `/api/v1/payments/payins/${first.payment_id}/refund`)
  const refund = String(body['refund_id'])
  await stack.finished('refund', refund)
  assert.equal(told(await read(`refunds/${refund}`))[0], 'pending done by system')
})

test('a held payout waits for a reviewer; merchants read neither names nor reasons of staff', async () => {
  const silent = await addDestination(stack, owner, { ends: lastFour.neverAnswers })
  const { id } = await stack.merchant.payOut(silent, { reference: 'sandbox_hold' })
  await stack.dispatched()
  await settled(stack.client, 'payout', id)
  const held = await read(`payouts/${id}`)
  assert.deepEqual(told(held), ['requested done by merchant', 'pending running by system'])
  const since = held.items[1]?.at
  assert.deepEqual(waitOf(held), {
    waiting_on: 'reviewer',
    wakes_at: later(since, 24 * hour),
    expected_by: later(since, 72 * hour),
  })
  await stack.skip(25 * hour)
  assert.equal((await read(`payouts/${id}`)).wakes_at, later(since, 72 * hour))
  const ada = await addStaff(stack)
  assert.equal((await ada.onPayout(id, 'review', { decision: 'approve', reason: 'Called the owner' })).status, 200)
  await settled(stack.client, 'payout', id)
  const sent = await read(`payouts/${id}`)
  assert.deepEqual(told(sent).slice(1), [
    'pending done by system',
    'approved done by reviewer',
    'processing running by system',
  ])
  assert.equal(sent.wakes_at, later(sent.items.at(-1)?.at, 5 * minute))
  assert.equal(sent.expected_by, later(sent.items.at(-1)?.at, hour))
  await stack.skip(2 * hour)
  assert.equal((await ada.onPayout(id, 'mark-failed', { reason: 'Bank says no' })).status, 200)
  const ended = await stack.merchant.call('GET', `/v1/payouts/${id}/timeline`)
  const timeline = ended.body as unknown as Timeline
  assert.deepEqual(told(timeline).slice(3), ['processing failed by system', 'failed failed by operator'])
  assert.equal(timeline.items.at(-1)?.last_error, 'not_delivered')
  assert.equal(timeline.items.at(-2)?.attempts, 3)
  for (const secret of [ada.id, 'Called the owner', 'Bank says no']) assert.ok(!ended.text.includes(secret))
  const full = await ada.call('GET', `/api/v1/admin/timelines/${id}`)
  assert.equal(full.status, 200, full.text)
  for (const shown of [ada.id, 'Called the owner', 'Bank says no', `payout/${id}`, 'mark_failed.executed'])
    assert.ok(full.text.includes(shown), `${shown} is shown to staff`)
})

test('a delivery tells of each attempt and of the next one', async () => {
  await stack.merchant.setWebhook(receiver.url)
  receiver.answers([500, 500])
  await stack.merchant.chargeByCard()
  const failedOnce = () =>
    stack.sql<{ id: string; next_attempt_at: string }>(
      `select id, next_attempt_at from deliveries where status = 'pending' and attempt_count = 1 order by id limit 1`,
    )
  await until(async () => (await failedOnce()).length > 0, 'an attempt has failed')
  const [row] = await failedOnce()
  const timeline = await read(`webhooks/deliveries/${row?.id}`)
  assert.deepEqual(told(timeline), ['attempt failed by system', 'attempt running by system'])
  assert.deepEqual(waitOf(timeline), {
    waiting_on: 'receiver',
    wakes_at: new Date(row?.next_attempt_at ?? '').toISOString(),
    expected_by: null,
  })
  assert.equal(timeline.items[0]?.details['response_status'], 500)
})

test('a timeline of nobody, or of somebody else’s resource, is not found', async () => {
  for (const path of ['checkout-sessions/chk', 'payments/pay', 'refunds/ref', 'payouts/pay', 'conversions/cnv']) {
    const [base = '', prefix = ''] = path.split('/')
    const id = newId(prefix as 'pay', 0)
    for (const what of ['timeline', 'agenda']) {
      assert.equal((await stack.merchant.call('GET', `/v1/${base}/${id}/${what}`)).status, 404, `${base} ${what}`)
    }
  }
  const someone = await addStaff(stack)
  assert.equal((await someone.call('GET', `/api/v1/admin/timelines/${newId('pay', 0)}`)).status, 404)
  assert.equal((await someone.call('GET', '/api/v1/admin/timelines/nothing')).status, 404)
})
