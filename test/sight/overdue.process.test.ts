import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginAnew } from '../support/begin-anew.ts'
import { leftOpen, register, reject } from '../support/destination.ts'
import { sale } from '../support/merchant.ts'
import { addDefault, idOf, setSchedule } from '../support/payout-schedule.ts'
import { confirmDeposits, endCharge, endRefund, holdAtRail } from '../support/rail-books.ts'
import { settled } from '../support/settled.ts'
import { failingRails } from '../support/scripted-charges.ts'
import { startDeposit } from '../support/under-way.ts'
import { addStaff } from '../support/staff.ts'
import { beginOnClock } from '../support/test-clock.ts'
import { useApi, useReceiver, useStack } from '../support/use-stack.ts'

// What should have happened and has not: staff see it, whatever the resource.
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const stack = await useStack({ skipping: true, invariants: 'after each test' })
const api = await useApi(stack)
const receiver = await useReceiver()
const rails = failingRails(stack)
const ada = await addStaff(stack)

type Item = Record<'resource' | 'id' | 'status' | 'process_id' | 'helps' | 'waiting_on' | 'reason' | 'since', string> &
  Record<'amount' | 'currency' | 'wakes_at', string | null> & {
    overdue_ms: number | null
    destination: { id: string } | null
  }

async function list(query = ''): Promise<Item[]> {
  const { status, body, text } = await ada.call('GET', `/api/v1/admin/stuck${query}`)
  assert.equal(status, 200, text)
  return body['items'] as unknown as Item[]
}

const told = (items: Item[]) => items.map(({ id, reason }) => `${reason} ${id}`)
const terminate = (processId: string) => stack.client.workflow.getHandle(processId).terminate()
const isNear = (actual: number | null | undefined, expected: number) =>
  assert.ok(Math.abs((actual ?? 0) - expected) < minute, `${actual} is not near ${expected}`)

test('a session whose process is lost is overdue 5 minutes after its end, and not once it is found again', async () => {
  const [lost, found] = [await stack.merchant.createCheckout(sale), await stack.merchant.createCheckout(sale)]
  await stack.dispatched()
  await settled(stack.client, 'checkout', lost.checkout_id)
  await terminate(`checkout/${lost.checkout_id}`)
  await stack.skip(Date.parse(lost.expires_at) + 4 * minute - (await stack.clock.now()))
  assert.deepEqual(await list(), [])
  assert.deepEqual(told(await list('?overdue_by=3')), [`expiry ${lost.checkout_id}`])
  await stack.skip(2 * minute)
  const [item, ...more] = await list()
  assert.deepEqual(more, [], `not ${found.checkout_id}`)
  assert.partialDeepStrictEqual(item, {
    resource: 'checkout_session',
    id: lost.checkout_id,
    status: 'open',
    amount: '25.00',
    currency: 'USD',
    waiting_on: 'buyer',
    reason: 'expiry',
    wakes_at: lost.expires_at,
    destination: null,
    process_id: `checkout/${lost.checkout_id}`,
  })
  isNear(item?.overdue_ms, 6 * minute)
  assert.match(item?.helps ?? '', /supervisor/)
  await beginAnew(stack, 'checkout', 'checkouts', lost.checkout_id)
  assert.equal(await stack.finished('checkout', lost.checkout_id), 'expired')
  assert.deepEqual(await list(), [])
})

test('a delivery whose attempt is overdue is listed, and not one that only waits for its next attempt', async () => {
  const { merchant } = await api.addMerchant()
  await merchant.setWebhook(receiver.url)
  receiver.answers(Array.from({ length: 40 }, () => 500))
  for (let n = 0; n < 2; n++) await merchant.call('POST', '/api/v1/notifications/webhooks/test', {})
  await stack.dispatched()
  const rows = await stack.sql<{ id: string }>(`select id from deliveries where status = 'pending' order by id`)
  for (const { id } of rows) await settled(stack.client, 'webhook-delivery', id)
  const lost = rows[0]?.id ?? ''
  await terminate(`delivery/${lost}`)
  await stack.skip(15 * minute)
  const items = await list()
  assert.deepEqual(told(items), [`webhook_attempt ${lost}`])
  const { amount, currency, status, process_id } = items[0] as Item
  const expected = { amount: null, currency: null, status: 'pending', process_id: `delivery/${lost}` }
  assert.deepEqual({ amount, currency, status, process_id }, expected)
  receiver.answers([])
  await stack.sql(`update webhook_endpoints set failing_since = null where failing_since is not null`)
  await beginAnew(stack, 'webhook-delivery', 'deliveries', lost)
  for (const { id } of rows) await stack.finished('webhook-delivery', id)
  assert.deepEqual(await list(), [])
})

test('a review and an endpoint whose mails do not go out are overdue until the mail server is back', async (t) => {
  const { merchant } = stack
  await merchant.setWebhook(receiver.url)
  receiver.answers(Array.from({ length: 40 }, () => 500))
  await merchant.call('POST', '/api/v1/notifications/webhooks/test', {})
  const destination = await register(stack.merchant, 'NGN', leftOpen)
  await stack.dispatched()
  await settled(stack.client, 'payout-destination', destination.id)
  const { deliver } = stack.deps.mailer
  t.after(() => Object.assign(stack.deps.mailer, { deliver }))
  stack.deps.mailer.deliver = async () => {
    throw new Error('the mail server is unavailable')
  }
  await stack.skip(24 * hour - minute)
  assert.deepEqual(await list(), [], 'they only wait')
  await stack.skip(30 * minute)
  const items = await list()
  const [endpoint] = await stack.sql<{ id: string }>('select id from webhook_endpoints where failing_since is not null')
  assert.deepEqual(told(items).toSorted(), [`endpoint_warning ${endpoint?.id}`, `review_reminder ${destination.id}`])
  for (const { helps } of items) assert.match(helps, /mail server/)
  const [review] = await list('?resource=payout_destination')
  assert.equal(review?.destination?.id, destination.id)
  stack.deps.mailer.deliver = deliver
  await stack.skip(20 * minute)
  assert.deepEqual(await list(), [])
  await stack.sql('update webhook_endpoints set enabled = false, failing_since = null')
  receiver.answers([])
  await reject(stack.merchant, ada, destination)
  await stack.finished('payout-destination', destination.id)
})

test('a run of a schedule that did not take place is overdue', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const who = { merchant, accountId }
  await addDefault(stack, who, 'NGN')
  const { next_run_at: due } = await setSchedule(who, 'NGN', { interval: 'daily' })
  await stack.dispatched()
  const id = idOf(who, 'NGN')
  await settled(stack.client, 'payout-schedule', id)
  await terminate(`schedule/${id}`)
  await stack.skip(Date.parse(due ?? '') + 10 * minute - (await stack.clock.now()))
  const [item, ...more] = await list()
  assert.deepEqual(more, [])
  assert.partialDeepStrictEqual(item, { resource: 'payout_schedule', id, reason: 'schedule_run', wakes_at: due })
  assert.equal(item?.process_id, `schedule/${id}`)
  await stack.sql('delete from payout_schedules where id = ?', [id])
  assert.deepEqual(await list(), [])
})

test('a payment that a rail holds is stuck after an hour, and overdue only if its process is lost', async () => {
  const session = await stack.merchant.createCheckout(sale)
  const id = await holdAtRail(stack, session)
  await stack.skip(2 * hour)
  await settled(stack.client, 'checkout', session.checkout_id) // its rail has answered, again without a decision
  const [held, ...more] = await list('?resource=payment')
  assert.deepEqual([held?.id, held?.overdue_ms, more], [id, null, []])
  await terminate(`checkout/${session.checkout_id}`)
  await stack.skip(day)
  const [lost] = await list('?resource=payment')
  assert.equal(lost?.id, id)
  assert.ok((lost?.overdue_ms ?? 0) > 5 * minute)
  assert.match(lost?.helps ?? '', /not asked in time/)
  await beginAnew(stack, 'checkout', 'checkouts', session.checkout_id)
  await stack.finished('checkout', session.checkout_id)
})

test('a payment is overdue when its rail has not been asked because it is unavailable, until it is back', async () => {
  const session = await stack.merchant.createCheckout(sale)
  const id = await holdAtRail(stack, session)
  rails.errors.lookUp = 'throws'
  await stack.skip(8 * minute)
  assert.deepEqual(await list(), [], 'the question was due 3 minutes ago')
  await stack.skip(4 * minute)
  const [item, ...more] = await list()
  assert.deepEqual([item?.id, item?.reason, more], [id, 'rail_poll', []])
  isNear(item?.overdue_ms, 7 * minute)
  rails.heal()
  await stack.skip(6 * minute)
  assert.deepEqual(await list(), [])
  await endCharge(stack, id, 'succeeded')
  await stack.finished('checkout', session.checkout_id)
})

test('a deposit and a refund that a rail holds are each listed as their own kind', async () => {
  const deposit = await startDeposit(stack)
  const charge = await stack.merchant.chargeByCard()
  const { refund_id: refund } = await stack.merchant.refund(charge, { reference: 'sandbox_no_answer' })
  await stack.dispatched()
  await stack.skip(2 * hour)
  const ids = { deposit, refund }
  for (const [kind, id] of Object.entries(ids)) {
    const items = (await list(`?resource=${kind}`)).map((item) => [item.id, item.overdue_ms])
    assert.deepEqual(items, [[id, null]], kind)
  }
  const payments = (await list('?resource=payment')).map(({ id }) => id)
  assert.ok(!payments.includes(deposit))
  const [item] = await list('?resource=deposit')
  assert.deepEqual([item?.process_id, item?.amount, item?.currency], [`deposit/${deposit}`, '5000.00', 'NGN'])
  await confirmDeposits(stack)
  await endRefund(stack, refund, 'succeeded')
  await stack.finished('deposit', deposit)
  await stack.finished('refund', refund)
  assert.deepEqual(await list(), [])
})

test('what is on a test clock is overdue by the time of its clock alone', async () => {
  const { merchant, clock, attach } = await beginOnClock(api)
  const session = await merchant.createCheckout(sale)
  await stack.dispatched()
  await settled(stack.client, 'checkout', session.checkout_id)
  await attach({ checkout_id: session.checkout_id })
  await stack.skip(3 * day)
  assert.deepEqual(await list(), [], 'its clock stands still')
  const at = new Date(Date.parse(session.expires_at) + 10 * minute)
  await stack.sql('update test_clocks set frozen_time = ? where id = ?', [at, clock.clock_id])
  const [item, ...more] = await list()
  assert.deepEqual([item?.id, item?.overdue_ms, more], [session.checkout_id, 10 * minute, []])
  await merchant.cancel(session.checkout_id)
  await stack.finished('checkout', session.checkout_id)
})

test('what only waits is not listed, of no kind', async () => {
  const { merchant, accountId } = await api.addMerchant()
  const session = await merchant.createCheckout(sale)
  const held = await holdAtRail({ ...stack, merchant }, await merchant.createCheckout(sale))
  const charge = await merchant.chargeByCard()
  await setSchedule({ merchant, accountId }, 'NGN', { interval: 'daily' })
  await stack.skip(10 * minute)
  const { items } = (await merchant.call('GET', '/v1/agenda')).body as unknown as { items: { resource_id: string }[] }
  for (const id of [session.checkout_id, held, charge]) assert.ok(items.some(({ resource_id }) => resource_id === id))
  assert.deepEqual(await list(), [])
  await merchant.cancel(session.checkout_id)
})
